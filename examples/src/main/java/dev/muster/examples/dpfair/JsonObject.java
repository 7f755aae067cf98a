package dev.muster.examples.dpfair;

import dev.muster.api.InvalidInputException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads the fields of one JSON object, and names the path of what is wrong. */
final class JsonObject {
  private final JsonNode node;
  private final String path;

  JsonObject(JsonNode node, String path) {
    this.node = node;
    this.path = path;
    if (!node.isObject()) {
      throw InvalidInputException.of(path, shorten(node), "must be an object", "put it in braces");
    }
  }

  /** Refuses fields that nobody reads, which are usually misspelt. */
  JsonObject allow(String... names) {
    List<String> known = Arrays.asList(names);
    for (String name : node.propertyNames()) {
      if (!known.contains(name)) {
        throw InvalidInputException.of(
            path + '.' + name, "unknown field", "must be one of " + known, "correct the name");
      }
    }
    return this;
  }

  boolean has(String name) {
    return node.hasNonNull(name);
  }

  long whole(String name) {
    JsonNode value = required(name);
    if (!value.isIntegralNumber() || !value.canConvertToLong()) {
      throw refuse(name, value, "must be a whole number");
    }
    return value.asLong();
  }

  long whole(String name, long otherwise) {
    return has(name) ? whole(name) : otherwise;
  }

  int small(String name, int otherwise) {
    long value = whole(name, otherwise);
    if (value < 0 || value > 1_000_000) {
      throw refuse(name, value, "must be between 0 and 1000000");
    }
    return (int) value;
  }

  String text(String name) {
    JsonNode value = required(name);
    if (!value.isString()) {
      throw refuse(name, value, "must be a string");
    }
    return value.asString();
  }

  @Nullable String textOrNull(String name) {
    return has(name) ? text(name) : null;
  }

  boolean flag(String name, boolean otherwise) {
    if (!has(name)) {
      return otherwise;
    }
    if (!node.get(name).isBoolean()) {
      throw refuse(name, node.get(name), "must be true or false");
    }
    return node.get(name).asBoolean();
  }

  <E extends Enum<E>> E choice(String name, Class<E> type, E otherwise) {
    if (!has(name)) {
      return otherwise;
    }
    for (E constant : type.getEnumConstants()) {
      if (constant.name().equalsIgnoreCase(text(name))) {
        return constant;
      }
    }
    throw refuse(name, text(name), "must be one of " + Arrays.toString(type.getEnumConstants()));
  }

  JsonObject object(String name) {
    return new JsonObject(required(name), path + '.' + name);
  }

  List<JsonObject> objects(String name) {
    JsonNode value = required(name);
    if (!value.isArray()) {
      throw refuse(name, value, "must be a list");
    }
    List<JsonObject> result = new ArrayList<>();
    for (int i = 0; i < value.size(); i++) {
      result.add(new JsonObject(value.get(i), path + '.' + name + '[' + i + ']'));
    }
    return result;
  }

  private JsonNode required(String name) {
    JsonNode value = node.get(name);
    if (value == null || value.isNull()) {
      throw InvalidInputException.of(path + '.' + name, "missing", "is required", "add the field");
    }
    return value;
  }

  InvalidInputException refuse(String name, Object value, String limit) {
    return InvalidInputException.of(path + '.' + name, shorten(value), limit, "correct the value");
  }

  private static String shorten(Object value) {
    String text = value.toString();
    return text.length() <= 60 ? text : text.substring(0, 60) + "...";
  }
}
