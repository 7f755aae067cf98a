package dev.muster.examples.hls;

import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;
import dev.muster.core.library.LibraryDevice;
import dev.muster.core.library.LibraryVariant;
import dev.muster.core.library.Origin;
import dev.muster.core.library.VariantLibrary;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes variant libraries as JSON: {@code {schemaVersion, device{name, lut, ff, bram18,
 * dsp, uram}, apps{app: [{id, xclbin?, kernel?, cu, freqMhz, execMs, lut, ff, bram18, dsp, uram,
 * powerMw?, origin}]}}}.
 */
public final class LibraryJson {
  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxDocumentLength(ReportFile.MAX_BYTES)
                          .maxNestingDepth(16)
                          .maxStringLength(10_000)
                          .build())
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  private LibraryJson() {}

  /** Reads a library from a file. */
  public static VariantLibrary read(Path file) {
    return parse(ReportFile.read(file), file.toString());
  }

  /** Reads the library that comes with the examples: KNN and KMeans on an Alveo U200. */
  public static VariantLibrary bundled() {
    String name = "u200-library.json";
    try (InputStream in = LibraryJson.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IOException(name + " is missing; build again: ./muster build");
      }
      return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8), name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Parses a library.
   *
   * @param source named in messages
   * @throws InvalidInputException if the text is no such library
   */
  public static VariantLibrary parse(String text, String source) {
    JsonNode root = tree(text, source);
    Fields top = new Fields(root, source);
    long version = top.count("schemaVersion");
    if (version != VariantLibrary.SCHEMA_VERSION) {
      throw InvalidInputException.of(
          source + " schemaVersion",
          version,
          "must be " + VariantLibrary.SCHEMA_VERSION,
          "build the library with this version of muster");
    }
    Fields device = top.object("device");
    Fields apps = top.object("apps");
    SortedMap<String, List<LibraryVariant>> variants = new TreeMap<>();
    for (String app : apps.node.propertyNames()) {
      JsonNode list = apps.node.get(app);
      if (!list.isArray()) {
        throw apps.invalid(app, list, "must be a list of variants");
      }
      List<LibraryVariant> designs = new ArrayList<>();
      for (int i = 0; i < list.size(); i++) {
        designs.add(variant(new Fields(list.get(i), source + " apps." + app + '[' + i + ']')));
      }
      variants.put(app, designs);
    }
    return new VariantLibrary(new LibraryDevice(device.text("name"), footprint(device)), variants);
  }

  /** Writes a library as indented JSON. */
  public static String write(VariantLibrary library) {
    ObjectNode root = MAPPER.createObjectNode();
    root.put("schemaVersion", VariantLibrary.SCHEMA_VERSION);
    ObjectNode device = root.putObject("device").put("name", library.device().name());
    put(device, library.device().total());
    ObjectNode apps = root.putObject("apps");
    library
        .apps()
        .forEach(
            (app, designs) -> {
              ArrayNode list = apps.putArray(app);
              designs.forEach(design -> put(list.addObject(), design));
            });
    return MAPPER.writeValueAsString(root) + '\n';
  }

  /** Parses JSON into a tree, with the position in the message of a failure. */
  static JsonNode tree(String text, String source) {
    try {
      return MAPPER.readTree(text);
    } catch (JacksonException e) {
      String where =
          e.getLocation() == null
              ? ""
              : " line "
                  + e.getLocation().getLineNr()
                  + ", column "
                  + e.getLocation().getColumnNr();
      throw InvalidInputException.of(
          source + where, e.getOriginalMessage(), "is not JSON within the limits", "correct it");
    }
  }

  private static LibraryVariant variant(Fields f) {
    return new LibraryVariant(
        f.text("id"),
        f.optionalText("xclbin"),
        f.optionalText("kernel"),
        (int) Math.min(Integer.MAX_VALUE, f.count("cu")),
        (int) Math.min(Integer.MAX_VALUE, f.count("freqMhz")),
        f.count("execMs"),
        footprint(f),
        f.node.has("powerMw") ? OptionalLong.of(f.count("powerMw")) : OptionalLong.empty(),
        origin(f));
  }

  private static Origin origin(Fields f) {
    String name = f.text("origin");
    for (Origin origin : Origin.values()) {
      if (origin.name().equals(name)) {
        return origin;
      }
    }
    throw f.invalid("origin", name, "must be one of " + Arrays.toString(Origin.values()));
  }

  private static Footprint footprint(Fields f) {
    return new Footprint(
        f.count("lut"), f.count("ff"), f.count("bram18"), f.count("dsp"), f.count("uram"));
  }

  private static void put(ObjectNode node, LibraryVariant design) {
    node.put("id", design.id());
    if (design.xclbin() != null) {
      node.put("xclbin", design.xclbin());
    }
    if (design.kernel() != null) {
      node.put("kernel", design.kernel());
    }
    node.put("cu", design.units())
        .put("freqMhz", design.freqMhz())
        .put("execMs", design.execMillis());
    put(node, design.footprint());
    design.powerMilliwatts().ifPresent(power -> node.put("powerMw", power));
    node.put("origin", design.origin().name());
  }

  private static void put(ObjectNode node, Footprint f) {
    node.put("lut", f.lut())
        .put("ff", f.ff())
        .put("bram18", f.bram())
        .put("dsp", f.dsp())
        .put("uram", f.uram());
  }

  /** Reads the fields of one object, naming what is missing or wrong. */
  static final class Fields {
    final JsonNode node;
    private final String where;

    Fields(JsonNode node, String where) {
      this.node = node;
      this.where = where;
      if (!node.isObject()) {
        throw InvalidInputException.of(
            where, node.getNodeType(), "must be an object", "correct it");
      }
    }

    Fields object(String name) {
      return new Fields(required(name), where + ' ' + name);
    }

    long count(String name) {
      JsonNode value = required(name);
      if (!value.isIntegralNumber() || !value.canConvertToLong() || value.asLong() < 0) {
        throw invalid(name, value, "must be a whole number >= 0");
      }
      return value.asLong();
    }

    String text(String name) {
      JsonNode value = required(name);
      if (!value.isString()) {
        throw invalid(name, value, "must be a text");
      }
      return value.asString();
    }

    @Nullable String optionalText(String name) {
      return node.hasNonNull(name) ? text(name) : null;
    }

    private JsonNode required(String name) {
      JsonNode value = node.get(name);
      if (value == null || value.isNull()) {
        throw InvalidInputException.of(
            where, name, "is missing", "add the field, or use a complete file");
      }
      return value;
    }

    InvalidInputException invalid(String name, Object value, String limit) {
      return InvalidInputException.of(where + ' ' + name, value, limit, "correct the value");
    }
  }
}
