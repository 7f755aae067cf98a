package dev.muster.hal.xrt;

import dev.muster.api.InvalidInputException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Writes images without a bitstream, for emulators and tests: everything a host reads, nothing that
 * a card could run.
 *
 * <p>Register offsets are laid out as HLS does it: from 0x10, a word of padding after each
 * argument.
 */
public final class XclbinWriter {
  private static final long FIRST_BASE = 0x1800000;
  private static final long UNIT_RANGE = 0x10000;
  private static final long BANK_BYTES = 1L << 30;
  private static final String DEFAULT_PLATFORM = "xilinx_u250_gen3x16_xdma_4_1_202210_1";

  private final UUID uuid;
  private final XclbinFile.Mode mode;
  private final List<XclbinFile.Kernel> kernels = new ArrayList<>();
  private String platform = DEFAULT_PLATFORM;
  private int banks = 1;
  private int units;

  private XclbinWriter(UUID uuid, XclbinFile.Mode mode) {
    this.uuid = uuid;
    this.mode = mode;
  }

  /** Starts an image with one memory bank and no kernel. */
  public static XclbinWriter create(UUID uuid, XclbinFile.Mode mode) {
    return new XclbinWriter(uuid, mode);
  }

  /** Sets the platform it says it was built for. */
  public XclbinWriter platform(String value) {
    if (value.length() >= Axlf.PLATFORM_BYTES) {
      throw InvalidInputException.of(
          "platform", value, "must be shorter than " + Axlf.PLATFORM_BYTES, "shorten it");
    }
    platform = value;
    return this;
  }

  /** Sets the number of memory banks; unit i reaches bank i modulo this. */
  public XclbinWriter banks(int count) {
    if (count < 1 || count > 64) {
      throw InvalidInputException.of("banks", count, "must be between 1 and 64", "correct it");
    }
    banks = count;
    return this;
  }

  /**
   * Adds a kernel.
   *
   * @param name its name
   * @param unitCount number of compute units, {@code name_1}, {@code name_2}, ...
   * @param types C types of its arguments: those that end in {@code *} are buffers
   */
  public XclbinWriter kernel(String name, int unitCount, String... types) {
    List<XclbinFile.Argument> arguments = new ArrayList<>();
    int offset = 0x10;
    for (int i = 0; i < types.length; i++) {
      boolean buffer = types[i].endsWith("*");
      int bytes = buffer || types[i].contains("long") || types[i].equals("double") ? 8 : 4;
      arguments.add(
          new XclbinFile.Argument(
              i,
              "arg" + i,
              buffer ? XclbinFile.Argument.Kind.BUFFER : XclbinFile.Argument.Kind.SCALAR,
              bytes,
              offset,
              types[i]));
      offset += bytes + 4;
    }
    List<XclbinFile.ComputeUnit> copies = new ArrayList<>();
    for (int i = 1; i <= unitCount; i++) {
      copies.add(new XclbinFile.ComputeUnit(name + "_" + i, FIRST_BASE + UNIT_RANGE * units++));
    }
    kernels.add(new XclbinFile.Kernel(name, arguments, copies));
    return this;
  }

  /** Returns the image. */
  public byte[] toBytes() {
    int[] kinds = {
      Axlf.BITSTREAM,
      Axlf.EMBEDDED_METADATA,
      Axlf.MEMORY_TOPOLOGY,
      Axlf.UNIT_LAYOUT,
      Axlf.CONNECTIVITY
    };
    byte[][] contents = {new byte[64], xml(), memories(), layout(), connections()};
    int at = align(Axlf.SECTIONS_OFFSET + kinds.length * Axlf.SECTION_BYTES);
    int length = at;
    for (byte[] content : contents) {
      length += align(content.length);
    }
    byte[] image = new byte[length];
    ByteBuffer out = little(image);
    header(out, kinds.length);
    for (int i = 0; i < kinds.length; i++) {
      int entry = Axlf.SECTIONS_OFFSET + i * Axlf.SECTION_BYTES;
      out.putInt(entry, kinds[i]);
      out.putLong(entry + 24, at);
      out.putLong(entry + 32, contents[i].length);
      out.put(at, contents[i]);
      at += align(contents[i].length);
    }
    return image;
  }

  private void header(ByteBuffer out, int sections) {
    out.put(0, Axlf.MAGIC);
    out.putInt(8, -1);
    for (int i = 12; i < 40; i++) {
      out.put(i, (byte) 0xff);
    }
    out.putLong(Axlf.LENGTH_OFFSET, out.capacity());
    out.put(Axlf.VERSION_MAJOR_OFFSET, (byte) 2);
    out.put(Axlf.VERSION_MINOR_OFFSET, (byte) 13);
    out.putShort(
        Axlf.MODE_OFFSET,
        (short)
            switch (mode) {
              case CARD -> 1;
              case HARDWARE_EMULATION -> Axlf.MODE_HW_EMU;
              case SOFTWARE_EMULATION -> Axlf.MODE_SW_EMU;
            });
    out.put(Axlf.PLATFORM_OFFSET, platform.getBytes(StandardCharsets.ISO_8859_1));
    ByteBuffer id = ByteBuffer.allocate(16);
    id.putLong(uuid.getMostSignificantBits()).putLong(uuid.getLeastSignificantBits());
    out.put(Axlf.UUID_OFFSET, id.array());
    out.putInt(Axlf.SECTION_COUNT_OFFSET, sections);
  }

  private byte[] memories() {
    byte[] data = new byte[8 + banks * Axlf.MEMORY_BYTES];
    ByteBuffer out = little(data);
    out.putInt(0, banks);
    for (int i = 0; i < banks; i++) {
      int at = 8 + i * Axlf.MEMORY_BYTES;
      out.put(at, (byte) 1); // DDR4
      out.put(at + 1, (byte) 1);
      out.putLong(at + 8, BANK_BYTES >> 10);
      out.putLong(at + 16, i * BANK_BYTES);
      out.put(at + 24, ("bank" + i).getBytes(StandardCharsets.US_ASCII));
    }
    return data;
  }

  private byte[] layout() {
    byte[] data = new byte[8 + units * Axlf.UNIT_BYTES];
    ByteBuffer out = little(data);
    out.putInt(0, units);
    int at = 8;
    for (XclbinFile.Kernel kernel : kernels) {
      for (XclbinFile.ComputeUnit unit : kernel.units()) {
        out.putInt(at, 1); // a kernel
        out.putInt(at + 4, 1); // with an interrupt
        out.putLong(at + 8, unit.baseAddress());
        byte[] name = (kernel.name() + ":" + unit.name()).getBytes(StandardCharsets.US_ASCII);
        out.put(at + 16, name, 0, Math.min(name.length, Axlf.UNIT_NAME_BYTES - 1));
        at += Axlf.UNIT_BYTES;
      }
    }
    return data;
  }

  private byte[] connections() {
    List<int[]> rows = new ArrayList<>();
    int index = 0;
    for (XclbinFile.Kernel kernel : kernels) {
      for (int unit = 0; unit < kernel.units().size(); unit++, index++) {
        for (XclbinFile.Argument argument : kernel.arguments()) {
          if (argument.kind() == XclbinFile.Argument.Kind.BUFFER) {
            rows.add(new int[] {argument.index(), index, index % banks});
          }
        }
      }
    }
    byte[] data = new byte[4 + rows.size() * Axlf.CONNECTION_BYTES];
    ByteBuffer out = little(data);
    out.putInt(rows.size());
    for (int[] row : rows) {
      out.putInt(row[0]).putInt(row[1]).putInt(row[2]);
    }
    return data;
  }

  private byte[] xml() {
    StringBuilder out = new StringBuilder(4096);
    out.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<project name=\"muster\">\n");
    out.append(" <platform vendor=\"xilinx\" boardid=\"u250\" name=\"xdma\">\n");
    out.append("  <version major=\"4\" minor=\"1\"/>\n");
    out.append("  <device name=\"fpga0\" fpgaDevice=\"virtexuplus:xcu250:figd2104:-2L:e\">\n");
    out.append("   <core name=\"OCL_REGION_0\" target=\"")
        .append(mode == XclbinFile.Mode.SOFTWARE_EMULATION ? "csim" : "bitstream")
        .append("\" type=\"clc_region\" clockFreq=\"0MHz\" numComputeUnits=\"")
        .append(units)
        .append("\">\n");
    for (XclbinFile.Kernel kernel : kernels) {
      kernel(out, kernel);
    }
    out.append("   </core>\n  </device>\n </platform>\n</project>\n");
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void kernel(StringBuilder out, XclbinFile.Kernel kernel) {
    out.append("    <kernel name=\"").append(kernel.name());
    out.append("\" language=\"c\" vlnv=\"xilinx.com:hls:").append(kernel.name());
    out.append(":1.0\" attributes=\"\" workGroupSize=\"1\" interrupt=\"true\"");
    out.append(" hwControlProtocol=\"ap_ctrl_hs\">\n");
    out.append("     <port name=\"M_AXI_GMEM\" mode=\"master\" range=\"0xFFFFFFFFFFFFFFFF\"");
    out.append(" dataWidth=\"512\" portType=\"addressable\" base=\"0x0\"/>\n");
    out.append("     <port name=\"S_AXI_CONTROL\" mode=\"slave\" range=\"0x1000\"");
    out.append(" dataWidth=\"32\" portType=\"addressable\" base=\"0x0\"/>\n");
    for (XclbinFile.Argument argument : kernel.arguments()) {
      boolean buffer = argument.kind() == XclbinFile.Argument.Kind.BUFFER;
      out.append(
          "     <arg name=\"%s\" addressQualifier=\"%d\" id=\"%d\" port=\"%s\" size=\"0x%X\" "
                  .formatted(
                      argument.name(),
                      buffer ? 1 : 0,
                      argument.index(),
                      buffer ? "M_AXI_GMEM" : "S_AXI_CONTROL",
                      argument.bytes())
              + "offset=\"0x%X\" hostOffset=\"0x0\" hostSize=\"0x%X\" type=\"%s\"/>\n"
                  .formatted(argument.offset(), argument.bytes(), argument.type()));
    }
    for (XclbinFile.ComputeUnit unit : kernel.units()) {
      out.append("     <instance name=\"").append(unit.name());
      out.append("\">\n      <addrRemap base=\"0x");
      out.append(Long.toHexString(unit.baseAddress()));
      out.append("\" range=\"0x10000\" port=\"S_AXI_CONTROL\"/>\n     </instance>\n");
    }
    out.append("    </kernel>\n");
  }

  private static ByteBuffer little(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private static int align(int bytes) {
    return (bytes + 7) / 8 * 8;
  }
}
