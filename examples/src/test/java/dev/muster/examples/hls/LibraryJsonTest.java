package dev.muster.examples.hls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.InvalidInputException;
import dev.muster.core.library.VariantLibrary;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Shows that a library survives writing and that broken ones are named. */
class LibraryJsonTest {
  @Test
  void readsWhatItWrites() {
    VariantLibrary library = LibraryJson.bundled();
    assertThat(LibraryJson.parse(LibraryJson.write(library), "copy")).isEqualTo(library);
    assertThat(library.apps()).hasSize(4);
  }

  @ParameterizedTest
  @MethodSource("malformed")
  void refusesMalformed(String text) {
    assertThatThrownBy(() -> LibraryJson.parse(text, "lib.json"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(";");
  }

  static List<String> malformed() {
    String good =
        "{\"schemaVersion\":1,\"device\":{\"name\":\"d\",\"lut\":9,\"ff\":9,\"bram18\":9,\"dsp\":9,"
            + "\"uram\":9},\"apps\":{\"a\":[{\"id\":\"v\",\"cu\":1,\"freqMhz\":300,\"execMs\":5,"
            + "\"lut\":1,\"ff\":1,\"bram18\":1,\"dsp\":1,\"uram\":1,\"origin\":\"ROUTED\"}]}}";
    assertThat(LibraryJson.parse(good, "good").apps()).hasSize(1);
    List<String> bad = new ArrayList<>(List.of("", "[]", "{}", "null", good + "x"));
    bad.add(good.substring(0, good.length() - 1));
    bad.add(good.replace("\"schemaVersion\":1", "\"schemaVersion\":2"));
    bad.add(good.replace("\"schemaVersion\":1,", ""));
    bad.add(good.replace("\"device\":{", "\"device\":[{").replace("},\"apps\"", "}],\"apps\""));
    bad.add(good.replace("\"name\":\"d\"", "\"name\":7"));
    bad.add(good.replace("\"name\":\"d\"", "\"name\":\" \""));
    bad.add(good.replace("\"lut\":9", "\"lut\":0"));
    bad.add(good.replace("\"lut\":1", "\"lut\":10"));
    bad.add(good.replace("\"lut\":1", "\"lut\":-1"));
    bad.add(good.replace("\"execMs\":5", "\"execMs\":0"));
    bad.add(good.replace("\"execMs\":5", "\"execMs\":1.5"));
    bad.add(good.replace("\"execMs\":5", "\"execMs\":99999999999999999999"));
    bad.add(good.replace("\"cu\":1", "\"cu\":0"));
    bad.add(good.replace("ROUTED", "GUESSED"));
    bad.add(good.replace("\"id\":\"v\",", ""));
    bad.add(good.replace("\"id\":\"v\"", "\"id\":\"\""));
    bad.add(good.replace("[{", "{\"x\":{").replace("}]", "}}"));
    bad.add(good.replace("[{\"id\"", "[5,{\"id\""));
    bad.add(good.replace("\"cu\":1", "\"cu\":1,\"cu\":2"));
    return bad;
  }
}
