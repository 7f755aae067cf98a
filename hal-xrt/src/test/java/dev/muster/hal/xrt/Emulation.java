package dev.muster.hal.xrt;

import dev.muster.hal.xrt.emulator.EmulatedCard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Prepares a folder in which XRT's software emulation finds three cards that are Java processes.
 *
 * <p>Debian's build of the emulation driver drops the result of a reallocation and corrupts its
 * memory at the first load. Where the exact instructions are found, a copy of the driver below
 * target/ jumps to the store that the code skips; anything else is left as it is.
 */
final class Emulation {
  private static final byte[] PATTERN = {
    0x48,
    (byte) 0x85,
    (byte) 0xc0,
    0x75,
    (byte) 0xe6,
    0x48,
    (byte) 0x8b,
    (byte) 0xbb,
    0x70,
    0x06,
    0,
    0,
    (byte) 0xe8
  };
  private static final String CARDS =
      """
      {"Version":{"FileVersion":"2.0","ToolVersion":"x"},"Platform":{"Name":"test","Boards":[
      {"NumBoards":"3","Devices":[{"Name":"emu:u250:card","VendorId":"4334",
      "DdrBanks":[{"Size":"1G"},{"Size":"1G"}],"OclFreqency":"300","NumDevices":"1"}]}]}}
      """;

  private final Path folder;

  private Emulation(Path folder) {
    this.folder = folder;
  }

  /** Returns the view of a folder that was prepared by the parent. */
  static Emulation at(Path folder) {
    return new Emulation(folder);
  }

  static Emulation prepare(Path folder) throws IOException {
    Emulation emulation = new Emulation(folder);
    Path libraries = XrtLocation.find(XrtMode.SOFTWARE_EMULATION).libraryFolder().orElseThrow();
    Path lib = Files.createDirectories(folder.resolve("root/lib"));
    try (Stream<Path> files = Files.list(libraries)) {
      for (Path file :
          files.filter(f -> f.getFileName().toString().startsWith("libxrt")).toList()) {
        Files.createSymbolicLink(lib.resolve(file.getFileName()), file);
      }
    }
    String driver = XrtMode.SOFTWARE_EMULATION.driverFile();
    byte[] patched = patched(Files.readAllBytes(libraries.resolve(driver)));
    Files.delete(lib.resolve(driver));
    Files.write(lib.resolve(driver), patched);
    Path program = emulation.devices().program();
    Files.createDirectories(program.getParent());
    Files.writeString(
        program,
        """
        #!/bin/sh
        unset LD_PRELOAD
        exec "%s" -Xmx64m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:SharedArchiveFile="%s" \
        -XX:+AutoCreateSharedArchive -cp "%s" %s "%s" >>"%s" 2>&1
        """
            .formatted(
                ChildJvm.java(),
                folder.resolve("emulator.jsa"),
                Path.of("target", "test-classes").toAbsolutePath(),
                EmulatedCard.class.getName(),
                emulation.faults(),
                folder.resolve("cards.log")));
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    Files.createDirectories(emulation.faults());
    Files.createDirectories(folder.resolve("runs"));
    Files.writeString(folder.resolve("emconfig.json"), CARDS);
    XclbinFile.Mode mode = XclbinFile.Mode.SOFTWARE_EMULATION;
    Files.write(emulation.first(), TestImages.first(mode).toBytes());
    Files.write(emulation.second(), TestImages.second(mode).toBytes());
    return emulation;
  }

  /** Changes two bytes where the faulty instructions are found exactly once. */
  private static byte[] patched(byte[] library) {
    int found = -1;
    for (int i = 0; i + PATTERN.length <= library.length; i++) {
      if (java.util.Arrays.equals(library, i, i + PATTERN.length, PATTERN, 0, PATTERN.length)) {
        if (found >= 0) {
          return library;
        }
        found = i;
      }
    }
    if (found >= 0) {
      library[found] = (byte) 0xeb;
      library[found + 1] = (byte) 0xe2;
    }
    return library;
  }

  XrtOptions options() {
    return new XrtOptions(XrtMode.SOFTWARE_EMULATION, folder.resolve("root"), devices(), Map.of());
  }

  private XrtOptions.Emulation devices() {
    return new XrtOptions.Emulation(
        folder.resolve("vitis"),
        folder,
        folder.resolve("runs"),
        "muster-" + ProcessHandle.current().pid());
  }

  Path first() {
    return folder.resolve("first.xclbin");
  }

  Path second() {
    return folder.resolve("second.xclbin");
  }

  private Path faults() {
    return folder.resolve("faults");
  }

  /** Switches a fault on. */
  void fault(String name, String value) throws IOException {
    Files.writeString(faults().resolve(name), value);
  }

  /** Switches a fault off. */
  void repair(String name) throws IOException {
    Files.deleteIfExists(faults().resolve(name));
  }
}
