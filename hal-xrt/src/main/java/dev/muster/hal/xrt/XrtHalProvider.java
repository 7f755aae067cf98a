package dev.muster.hal.xrt;

import dev.muster.api.Hal;
import dev.muster.api.HalProvider;
import dev.muster.api.InvalidInputException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Creates {@link XrtHal}s by name.
 *
 * <p>Options: {@code mode} ({@code hardware}, the default, or {@code noop}), {@code root} (folder
 * with XRT's {@code lib}), {@code cards} (ids, separated by commas), {@code lanes} (workers per
 * card), {@code runLimitMillis}, {@code callLimitMillis}.
 */
public final class XrtHalProvider implements HalProvider {
  private static final Set<String> KNOWN =
      Set.of("mode", "root", "cards", "lanes", "runLimitMillis", "callLimitMillis");

  /** Creates the provider; for the service loader. */
  public XrtHalProvider() {}

  @Override
  public String name() {
    return "xrt";
  }

  @Override
  public Hal create(Map<String, String> options) {
    for (String key : new TreeSet<>(options.keySet())) {
      if (!KNOWN.contains(key)) {
        throw InvalidInputException.of(
            "option of the XRT HAL", key, "must be one of " + new TreeSet<>(KNOWN), "correct it");
      }
    }
    String mode = options.getOrDefault("mode", "hardware");
    XrtOptions xrt =
        switch (mode) {
          case "hardware" -> XrtOptions.ofHardware();
          case "noop" -> XrtOptions.ofNoop();
          default ->
              throw InvalidInputException.of(
                  "option mode of the XRT HAL", mode, "must be hardware or noop", "correct it");
        };
    String root = options.get("root");
    XrtHal.Builder builder = XrtHal.builder(root == null ? xrt : xrt.withRoot(Path.of(root)));
    String cards = options.get("cards");
    if (cards != null) {
      builder.cards(Set.of(cards.split(",", -1)));
    }
    if (options.containsKey("lanes")) {
      builder.lanesPerCard((int) number(options, "lanes", 1024));
    }
    if (options.containsKey("runLimitMillis")) {
      builder.runLimit(Duration.ofMillis(number(options, "runLimitMillis", Integer.MAX_VALUE)));
    }
    if (options.containsKey("callLimitMillis")) {
      builder.callLimit(Duration.ofMillis(number(options, "callLimitMillis", Integer.MAX_VALUE)));
    }
    return builder.build();
  }

  private static long number(Map<String, String> options, String key, long most) {
    String text = options.getOrDefault(key, "");
    if (!text.matches("[0-9]{1,10}") || Long.parseLong(text) > most) {
      throw InvalidInputException.of(
          "option " + key + " of the XRT HAL",
          text,
          "must be a number up to " + most,
          "correct it");
    }
    return Long.parseLong(text);
  }
}
