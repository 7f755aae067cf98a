package dev.muster.hal.xrt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.DeviceException;
import dev.muster.api.HalProvider;
import dev.muster.api.InvalidInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class XrtLocationTest {
  @TempDir Path slash;

  private Path install(String folder) throws IOException {
    Path lib = Files.createDirectories(slash.resolve(folder));
    Files.createFile(lib.resolve("libxrt_noop.so.2"));
    Files.createFile(lib.resolve("libxrt_coreutil.so.2.13.0"));
    Files.createSymbolicLink(
        lib.resolve("libxrt_coreutil.so.2"), Path.of("libxrt_coreutil.so.2.13.0"));
    return lib;
  }

  @Test
  void prefersTheVariableThenTheVendorThenTheDistribution() throws IOException {
    Path debian = install("usr/lib/x86_64-linux-gnu");
    assertThat(find(Map.of()).libraryFolder()).contains(debian);
    assertThat(find(Map.of()).version()).contains("2.13.0");
    Path vendor = install("opt/xilinx/xrt/lib");
    assertThat(find(Map.of()).libraryFolder()).contains(vendor);
    Path own = install("own/lib");
    assertThat(find(Map.of("XILINX_XRT", slash.resolve("own").toString())).libraryFolder())
        .contains(own);
    assertThat(find(Map.of("XILINX_XRT", "/nosuch")).libraryFolder()).contains(vendor);
  }

  private XrtLocation find(Map<String, String> environment) {
    return XrtLocation.find(XrtMode.NOOP, null, environment, slash);
  }

  @Test
  void aNamedFolderIsNeverReplaced() throws IOException {
    install("opt/xilinx/xrt/lib");
    XrtLocation location =
        XrtLocation.find(XrtMode.NOOP, slash.resolve("wrong").toString(), Map.of(), slash);
    assertThat(location.libraryFolder()).isEmpty();
    assertThatThrownBy(location::require)
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("wrong/lib (dev.muster.xrt.root): no libxrt_coreutil.so.2");
  }

  @Test
  void theDriverMustBeThereToo() throws IOException {
    install("opt/xilinx/xrt/lib");
    assertThat(XrtLocation.find(XrtMode.HARDWARE, null, Map.of(), slash).looked().getFirst())
        .endsWith("no libxrt_core.so.2");
  }

  @Test
  void theProviderChecksItsOptions() {
    HalProvider provider = new XrtHalProvider();
    assertThat(provider.create(Map.of("mode", "noop", "lanes", "4")).name()).isEqualTo("xrt");
    for (Map<String, String> wrong :
        java.util.List.of(
            Map.of("colour", "blue"),
            Map.of("mode", "warp"),
            Map.of("lanes", "-1"),
            Map.of("runLimitMillis", "0"))) {
      assertThatThrownBy(() -> provider.create(wrong)).isInstanceOf(InvalidInputException.class);
    }
  }
}
