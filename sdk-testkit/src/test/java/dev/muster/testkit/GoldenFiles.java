package dev.muster.testkit;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads golden files from the test resources: gzip, JSON, one object a line or one a file. */
final class GoldenFiles {
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private GoldenFiles() {}

  /** Returns the files of a folder below {@code golden/} with a name ending, sorted by name. */
  static List<Path> in(String folder, String ending) {
    URL url = GoldenFiles.class.getResource("/golden/" + folder);
    if (url == null) {
      throw new IllegalStateException("no golden folder " + folder);
    }
    try (Stream<Path> files = Files.list(Path.of(url.toURI()))) {
      List<Path> found =
          files.filter(f -> f.getFileName().toString().endsWith(ending)).sorted().toList();
      if (found.isEmpty()) {
        throw new IllegalStateException("no golden file *" + ending + " in " + folder);
      }
      return found;
    } catch (IOException | URISyntaxException e) {
      throw new IllegalStateException("cannot list golden folder " + folder, e);
    }
  }

  /** Streams the objects of a file that holds one a line. */
  static Stream<JsonNode> lines(Path file) {
    try {
      BufferedReader reader =
          new BufferedReader(new InputStreamReader(open(file), StandardCharsets.UTF_8));
      return reader.lines().filter(line -> !line.isBlank()).map(MAPPER::readTree);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a file that is one object. */
  static JsonNode object(Path file) {
    try (InputStream in = open(file)) {
      return MAPPER.readTree(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputStream open(Path file) throws IOException {
    return new GZIPInputStream(new BufferedInputStream(Files.newInputStream(file)));
  }
}
