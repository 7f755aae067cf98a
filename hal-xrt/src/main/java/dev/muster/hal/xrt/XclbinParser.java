package dev.muster.hal.xrt;

import dev.muster.api.InvalidInputException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Parses one image; every offset and count is checked against its bounds before it is used. */
final class XclbinParser {
  private static final int MAX_SECTIONS = 256;
  private static final int MAX_METADATA_BYTES = 16 << 20;

  private final String file;
  private final ByteSource source;

  XclbinParser(String file, ByteSource source) {
    this.file = file;
    this.source = source;
  }

  XclbinFile parse() throws IOException {
    ByteBuffer header = header();
    List<XclbinFile.Section> sections = sections(header);
    XclbinFile.Mode mode = mode(header.getShort(Axlf.MODE_OFFSET) & 0xffff);
    byte[] xml = require(sections, Axlf.EMBEDDED_METADATA, "metadata").array();
    List<XclbinFile.Kernel> kernels = new XclbinMetadata(file, xml).kernels();
    boolean card = mode == XclbinFile.Mode.CARD;
    List<XclbinFile.Memory> memories =
        memories(section(sections, Axlf.MEMORY_TOPOLOGY, "memory topology", card));
    int units = units(section(sections, Axlf.UNIT_LAYOUT, "unit layout", card), kernels);
    return new XclbinFile(
        uuid(header),
        text(header, Axlf.PLATFORM_OFFSET, Axlf.PLATFORM_BYTES),
        mode,
        (header.get(Axlf.VERSION_MAJOR_OFFSET) & 0xff)
            + "."
            + (header.get(Axlf.VERSION_MINOR_OFFSET) & 0xff)
            + "."
            + (header.getShort(Axlf.VERSION_PATCH_OFFSET) & 0xffff),
        sections,
        kernels,
        memories,
        connections(
            section(sections, Axlf.CONNECTIVITY, "connectivity", false), memories.size(), units));
  }

  private ByteBuffer header() throws IOException {
    long length = source.length();
    if (length < Axlf.SECTIONS_OFFSET || length > XclbinFile.MAX_BYTES) {
      throw invalid(
          "length (bytes)",
          length,
          "must be between " + Axlf.SECTIONS_OFFSET + " and " + XclbinFile.MAX_BYTES);
    }
    ByteBuffer header = source.read(0, Axlf.SECTIONS_OFFSET);
    byte[] magic = new byte[Axlf.MAGIC.length];
    header.get(0, magic);
    if (!Arrays.equals(magic, Axlf.MAGIC)) {
      throw invalid("first bytes", Arrays.toString(magic), "must be \"xclbin2\" and a zero byte");
    }
    long stated = header.getLong(Axlf.LENGTH_OFFSET);
    if (stated != length) {
      throw invalid("stated length (bytes)", stated, "must be the file's, " + length);
    }
    return header;
  }

  private List<XclbinFile.Section> sections(ByteBuffer header) throws IOException {
    int count = header.getInt(Axlf.SECTION_COUNT_OFFSET);
    long room = (source.length() - Axlf.SECTIONS_OFFSET) / Axlf.SECTION_BYTES;
    long most = Math.min(MAX_SECTIONS, room);
    if (count < 1 || count > most) {
      throw invalid("number of sections", count, "must be between 1 and " + most);
    }
    ByteBuffer table = source.read(Axlf.SECTIONS_OFFSET, count * Axlf.SECTION_BYTES);
    List<XclbinFile.Section> sections = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int at = i * Axlf.SECTION_BYTES;
      long offset = table.getLong(at + 24);
      long bytes = table.getLong(at + 32);
      if (offset < Axlf.SECTIONS_OFFSET || bytes < 0 || offset > source.length() - bytes) {
        throw invalid(
            "section " + i + " place",
            offset + " + " + bytes + " bytes",
            "must lie behind the header and within " + source.length() + " bytes");
      }
      sections.add(
          new XclbinFile.Section(
              table.getInt(at), text(table, at + 4, Axlf.SECTION_NAME_BYTES), offset, bytes));
    }
    return sections;
  }

  private XclbinFile.Mode mode(int number) {
    if (number >= Axlf.MODE_MAX) {
      throw invalid("mode", number, "must be below " + Axlf.MODE_MAX);
    }
    return switch (number) {
      case Axlf.MODE_HW_EMU, Axlf.MODE_HW_EMU_PR -> XclbinFile.Mode.HARDWARE_EMULATION;
      case Axlf.MODE_SW_EMU -> XclbinFile.Mode.SOFTWARE_EMULATION;
      default -> XclbinFile.Mode.CARD;
    };
  }

  private UUID uuid(ByteBuffer header) {
    ByteBuffer bytes = header.slice(Axlf.UUID_OFFSET, 16).order(ByteOrder.BIG_ENDIAN);
    UUID uuid = new UUID(bytes.getLong(), bytes.getLong());
    if (uuid.getMostSignificantBits() == 0 && uuid.getLeastSignificantBits() == 0) {
      throw invalid("uuid", uuid, "must not be nil");
    }
    return uuid;
  }

  private List<XclbinFile.Memory> memories(@Nullable ByteBuffer data) {
    List<XclbinFile.Memory> memories = new ArrayList<>();
    if (data == null) {
      return memories;
    }
    for (int i = 0; i < count(data, "memories", 8, Axlf.MEMORY_BYTES); i++) {
      ByteBuffer one = data.slice(8 + i * Axlf.MEMORY_BYTES, Axlf.MEMORY_BYTES);
      one.order(ByteOrder.LITTLE_ENDIAN);
      long kilobytes = one.getLong(8);
      if (kilobytes < 0 || kilobytes > Long.MAX_VALUE >> 10) {
        throw invalid("memory " + i + " size (KB)", kilobytes, "must fit 2^53");
      }
      memories.add(
          new XclbinFile.Memory(
              text(one, 24, Axlf.MEMORY_TAG_BYTES),
              one.get(1) != 0,
              kilobytes << 10,
              one.getLong(16)));
    }
    return memories;
  }

  /** Checks that every unit that a kernel names has a place in the layout; returns its length. */
  private int units(@Nullable ByteBuffer data, List<XclbinFile.Kernel> kernels) {
    if (data == null) {
      return Integer.MAX_VALUE; // emulation takes the units from the metadata
    }
    int count = count(data, "units", 8, Axlf.UNIT_BYTES);
    List<String> names = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      names.add(text(data, 8 + i * Axlf.UNIT_BYTES + 16, Axlf.UNIT_NAME_BYTES));
    }
    for (XclbinFile.Kernel kernel : kernels) {
      for (XclbinFile.ComputeUnit unit : kernel.units()) {
        String name = kernel.name() + ":" + unit.name();
        // The layout cuts names that are too long for it.
        String stored = name.substring(0, Math.min(name.length(), Axlf.UNIT_NAME_BYTES - 1));
        if (!names.contains(stored)) {
          throw invalid("compute unit", '"' + name + '"', "must be in the unit layout " + names);
        }
      }
    }
    return count;
  }

  private List<XclbinFile.Connection> connections(
      @Nullable ByteBuffer data, int memories, int units) {
    List<XclbinFile.Connection> connections = new ArrayList<>();
    if (data == null) {
      return connections;
    }
    for (int i = 0; i < count(data, "connections", 4, Axlf.CONNECTION_BYTES); i++) {
      int at = 4 + i * Axlf.CONNECTION_BYTES;
      XclbinFile.Connection one =
          new XclbinFile.Connection(data.getInt(at), data.getInt(at + 4), data.getInt(at + 8));
      if (one.argument() < 0
          || one.unit() < 0
          || one.unit() >= units
          || one.memory() < 0
          || one.memory() >= memories) {
        throw invalid("connection " + i, one, "must name one of the units and memories");
      }
      connections.add(one);
    }
    return connections;
  }

  private int count(ByteBuffer data, String what, int header, int each) {
    int room = Math.max(0, (data.limit() - header) / each);
    int count = data.limit() < 4 ? -1 : data.getInt(0);
    if (count < 0 || count > room) {
      throw invalid("number of " + what, count, "must be between 0 and " + room);
    }
    return count;
  }

  private ByteBuffer require(List<XclbinFile.Section> sections, int kind, String what)
      throws IOException {
    ByteBuffer data = section(sections, kind, what, true);
    if (data == null) {
      throw new AssertionError("a required section is never absent");
    }
    return data;
  }

  private @Nullable ByteBuffer section(
      List<XclbinFile.Section> sections, int kind, String what, boolean required)
      throws IOException {
    for (XclbinFile.Section section : sections) {
      if (section.kind() == kind) {
        if (section.bytes() > MAX_METADATA_BYTES) {
          throw invalid(
              what + " section (bytes)", section.bytes(), "must be at most " + MAX_METADATA_BYTES);
        }
        ByteBuffer piece = source.read(section.offset(), (int) section.bytes());
        byte[] copy = new byte[(int) section.bytes()];
        piece.get(copy);
        return ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
      }
    }
    if (required) {
      throw invalid(what + " section", "none", "must be there");
    }
    return null;
  }

  private static String text(ByteBuffer data, int offset, int bytes) {
    byte[] copy = new byte[bytes];
    data.get(offset, copy);
    int end = 0;
    while (end < bytes && copy[end] != 0) {
      end++;
    }
    return new String(copy, 0, end, StandardCharsets.ISO_8859_1);
  }

  private InvalidInputException invalid(String what, Object value, String limit) {
    return InvalidInputException.of(
        file + ": " + what, value, limit, "give an image as v++ or the XclbinWriter wrote it");
  }
}
