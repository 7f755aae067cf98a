/** Offers the muster command and small programs that use the SDK. */
module dev.muster.examples {
  requires HdrHistogram;
  requires com.github.luben.zstd_jni;
  requires dev.muster.api;
  requires dev.muster.core;
  requires dev.muster.hal.cpu;
  requires dev.muster.hal.sim;
  requires dev.muster.hal.xrt;
  requires info.picocli;
  requires java.management;
  requires java.xml;
  requires moeaframework;
  requires org.lz4.java;
  requires org.slf4j;
  requires tools.jackson.databind;

  opens dev.muster.examples to
      info.picocli;
  opens dev.muster.examples.cli to
      info.picocli;
  opens dev.muster.examples.cli.live to
      info.picocli;
}
