package dev.muster.hal.xrt;

import dev.muster.api.InvalidInputException;
import java.io.StringReader;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.jspecify.annotations.Nullable;

/** Reads the kernels from the metadata section: XML without DTD and without external entities. */
final class XclbinMetadata {
  private static final int MAX_KERNELS = 256;
  private static final int MAX_ARGUMENTS = 1024;
  private static final int MAX_UNITS = 1024;
  private static final int MAX_DEPTH = 64;
  private static final int MAX_NAME = 256;
  private static final int MAX_OFFSET = 1 << 20;

  private final String file;
  private final byte[] xml;
  private final List<XclbinFile.Kernel> kernels = new ArrayList<>();

  // The kernel that is being read.
  private @Nullable String name;
  private List<XclbinFile.Argument> arguments = new ArrayList<>();
  private List<XclbinFile.ComputeUnit> units = new ArrayList<>();
  private @Nullable String unit;

  XclbinMetadata(String file, byte[] xml) {
    this.file = file;
    this.xml = xml;
  }

  List<XclbinFile.Kernel> kernels() {
    XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
    factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    XMLStreamReader reader = null;
    try {
      // Some writers end the section with zero bytes.
      int end = xml.length;
      while (end > 0 && xml[end - 1] == 0) {
        end--;
      }
      // Decoded here, because the parser reports malformed bytes on the standard error stream.
      String text =
          StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(xml, 0, end)).toString();
      reader = factory.createXMLStreamReader(new StringReader(text));
      read(reader);
    } catch (CharacterCodingException e) {
      throw malformed(reader, "malformed UTF-8");
    } catch (XMLStreamException e) {
      throw malformed(reader, String.valueOf(e.getMessage()));
    } catch (InvalidInputException e) {
      throw e;
    } catch (RuntimeException e) { // the JDK's parser lets some through on malformed bytes
      throw malformed(reader, e.toString());
    }
    return kernels;
  }

  private void read(XMLStreamReader reader) throws XMLStreamException {
    int depth = 0;
    while (reader.hasNext()) {
      int event = reader.next();
      if (event == XMLStreamConstants.START_ELEMENT) {
        if (++depth > MAX_DEPTH) {
          throw invalid(reader, "depth of elements", depth, "must be at most " + MAX_DEPTH);
        }
        start(reader);
      } else if (event == XMLStreamConstants.END_ELEMENT) {
        depth--;
        end(reader);
      } else if (event == XMLStreamConstants.DTD) {
        throw invalid(reader, "document type", "present", "must be absent");
      }
    }
  }

  private void start(XMLStreamReader reader) {
    switch (reader.getLocalName()) {
      case "kernel" -> {
        name = name(reader, "kernel name", attribute(reader, "name"));
        arguments = new ArrayList<>();
        units = new ArrayList<>();
      }
      case "arg" -> argument(reader);
      case "instance" -> unit = name(reader, "instance name", attribute(reader, "name"));
      case "addrRemap" -> {
        if (unit != null && name != null) {
          if (units.size() == MAX_UNITS) {
            throw invalid(reader, "units of a kernel", "more", "must be at most " + MAX_UNITS);
          }
          units.add(new XclbinFile.ComputeUnit(unit, number(reader, "base", Long.MAX_VALUE)));
          unit = null;
        }
      }
      default -> {}
    }
  }

  private void end(XMLStreamReader reader) {
    if (!reader.getLocalName().equals("kernel") || name == null) {
      return;
    }
    requireUnique(reader, "kernel", kernels.stream().map(XclbinFile.Kernel::name).toList(), name);
    Set<String> seen = new HashSet<>();
    for (XclbinFile.ComputeUnit one : units) {
      if (!seen.add(one.name())) {
        throw invalid(reader, "unit of kernel " + name, one.name(), "must be unique");
      }
    }
    if (units.isEmpty()) {
      throw invalid(reader, "units of kernel " + name, 0, "must be at least 1");
    }
    if (kernels.size() == MAX_KERNELS) {
      throw invalid(reader, "number of kernels", "more", "must be at most " + MAX_KERNELS);
    }
    arguments.sort(Comparator.comparingInt(XclbinFile.Argument::index));
    for (int i = 1; i < arguments.size(); i++) {
      if (arguments.get(i).index() == arguments.get(i - 1).index()) {
        throw invalid(reader, "argument id", arguments.get(i).index(), "must be unique");
      }
    }
    kernels.add(new XclbinFile.Kernel(name, arguments, units));
    name = null;
  }

  private void argument(XMLStreamReader reader) {
    String id = attribute(reader, "id");
    if (name == null || id == null || id.isEmpty()) {
      return; // an argument between kernels, not the host's
    }
    if (arguments.size() == MAX_ARGUMENTS) {
      throw invalid(reader, "arguments of a kernel", "more", "must be at most " + MAX_ARGUMENTS);
    }
    long qualifier = number(reader, "addressQualifier", 64);
    XclbinFile.Argument.Kind kind =
        qualifier == 0
            ? XclbinFile.Argument.Kind.SCALAR
            : qualifier == 1 || qualifier == 2
                ? XclbinFile.Argument.Kind.BUFFER
                : XclbinFile.Argument.Kind.OTHER;
    String type = attribute(reader, "type");
    arguments.add(
        new XclbinFile.Argument(
            (int) number(reader, "id", MAX_ARGUMENTS),
            name(reader, "argument name", attribute(reader, "name")),
            kind,
            (int) number(reader, "size", MAX_OFFSET),
            (int) number(reader, "offset", MAX_OFFSET),
            type == null ? "" : type));
  }

  private long number(XMLStreamReader reader, String attribute, long most) {
    String text = attribute(reader, attribute);
    long value = -1;
    try {
      value = text == null ? -1 : Long.decode(text);
    } catch (NumberFormatException e) {
      value = -1;
    }
    if (value < 0 || value > most) {
      throw invalid(reader, attribute, text, "must be a number between 0 and " + most);
    }
    return value;
  }

  private String name(XMLStreamReader reader, String what, @Nullable String value) {
    if (value == null
        || value.isEmpty()
        || value.length() > MAX_NAME
        || !value.chars().allMatch(XclbinMetadata::isNameCharacter)) {
      throw invalid(
          reader, what, value, "must be 1 to " + MAX_NAME + " letters, digits, '_', '-', '.'");
    }
    return value;
  }

  private static boolean isNameCharacter(int c) {
    return c == '_' || c == '-' || c == '.' || (c < 128 && Character.isLetterOrDigit(c));
  }

  private void requireUnique(
      XMLStreamReader reader, String what, List<String> taken, String value) {
    if (taken.contains(value)) {
      throw invalid(reader, what, value, "must be unique");
    }
  }

  private static @Nullable String attribute(XMLStreamReader reader, String attribute) {
    return reader.getAttributeValue(null, attribute);
  }

  private InvalidInputException malformed(@Nullable XMLStreamReader reader, String message) {
    return invalid(reader, "XML", message.lines().findFirst().orElse(""), "must be well-formed");
  }

  private InvalidInputException invalid(
      @Nullable XMLStreamReader reader, String what, @Nullable Object value, String limit) {
    String place =
        reader == null
            ? ""
            : " line "
                + reader.getLocation().getLineNumber()
                + ", column "
                + reader.getLocation().getColumnNumber();
    return InvalidInputException.of(
        file + ": metadata" + place + ", " + what,
        value,
        limit,
        "give an image as v++ or the XclbinWriter wrote it");
  }
}
