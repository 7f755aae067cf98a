package dev.muster.hal.xrt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.InvalidInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class XclbinFileTest {
  @TempDir Path folder;

  @Test
  void readsWhatTheWriterWrote() throws IOException {
    Path path = folder.resolve("first.xclbin");
    Files.write(path, TestImages.first(XclbinFile.Mode.CARD).banks(2).toBytes());

    XclbinFile file = XclbinFile.read(path);

    assertThat(file.uuid()).isEqualTo(TestImages.FIRST);
    assertThat(file.platform()).isEqualTo("xilinx_u250_gen3x16_xdma_4_1_202210_1");
    assertThat(file.mode()).isEqualTo(XclbinFile.Mode.CARD);
    assertThat(file.version()).isEqualTo("2.13.0");
    assertThat(file.unitCount()).isEqualTo(3);
    assertThat(file.memories())
        .extracting(XclbinFile.Memory::tag)
        .containsExactly("bank0", "bank1");
    assertThat(file.connections()).hasSize(9);
    XclbinFile.Kernel vadd = file.kernel("vadd").orElseThrow();
    assertThat(vadd.units())
        .extracting(XclbinFile.ComputeUnit::name)
        .containsExactly("vadd_1", "vadd_2");
    assertThat(vadd.arguments())
        .extracting(XclbinFile.Argument::offset)
        .containsExactly(0x10, 0x1c, 0x28, 0x34);
    assertThat(vadd.argument(3).orElseThrow().kind()).isEqualTo(XclbinFile.Argument.Kind.SCALAR);
    assertThat(file.kernel("nosuch")).isEmpty();
  }

  @Test
  void saysWhichFileIsMissing() {
    assertThatThrownBy(() -> XclbinFile.read(folder.resolve("nosuch.xclbin")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("nosuch.xclbin");
  }

  /** Holds the files on which the native library crashes or returns nonsense. */
  @Test
  void refusesWhatCrashesTheNativeLibrary() {
    byte[] good = TestImages.first(XclbinFile.Mode.CARD).toBytes();
    assertRefused(new byte[0], "length");
    assertRefused(Arrays.copyOf(good, 300), "length");
    assertRefused(Arrays.copyOf(good, 1500), "stated length");
    assertRefused(Arrays.copyOf(good, good.length + 8), "stated length");
    assertRefused(
        XclbinWriter.create(new UUID(0, 0), XclbinFile.Mode.CARD).kernel("k", 1).toBytes(), "nil");
  }

  @Test
  void refusesDocumentTypesAndEntities() {
    byte[] image = TestImages.first(XclbinFile.Mode.CARD).toBytes();
    String text = new String(image, StandardCharsets.ISO_8859_1);
    String project = "<project name=\"muster\">\n <platform vendor=\"xilinx\"";
    String attack = "<!DOCTYPE x SYSTEM \"file:///etc/hostname\"><x y=\"\"".substring(0, 48);
    assertThat(project).hasSizeGreaterThan(48);
    byte[] bytes =
        text.replace(project, attack + " ".repeat(project.length() - attack.length()))
            .getBytes(StandardCharsets.ISO_8859_1);
    assertRefused(bytes, "metadata");
  }

  @Test
  void namesLineAndColumnOfAMetadataError() {
    byte[] image = TestImages.first(XclbinFile.Mode.CARD).toBytes();
    byte[] bytes =
        new String(image, StandardCharsets.ISO_8859_1)
            .replace("offset=\"0x10\"", "offset=\"zzzz\"")
            .getBytes(StandardCharsets.ISO_8859_1);
    assertRefused(bytes, "line 10, column");
  }

  private static void assertRefused(byte[] image, String why) {
    assertThatThrownBy(() -> XclbinFile.parse("test", image))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(why);
  }
}
