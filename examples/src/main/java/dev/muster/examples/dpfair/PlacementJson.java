package dev.muster.examples.dpfair;

import dev.muster.api.InvalidInputException;
import dev.muster.core.dpfair.Accounting;
import dev.muster.core.dpfair.Card;
import dev.muster.core.dpfair.DataSplit;
import dev.muster.core.dpfair.HardwareVariant;
import dev.muster.core.dpfair.PeriodicTask;
import dev.muster.core.dpfair.PlacementObjective;
import dev.muster.core.dpfair.PlacementPlan;
import dev.muster.core.dpfair.PlacementProblem;
import dev.muster.core.dpfair.Segment;
import dev.muster.core.dpfair.SelfParallel;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads placement problems and plans from JSON, and writes them.
 *
 * <p>Times are whole microseconds (names end in {@code Us}), powers whole microwatts ({@code Uw}).
 * Comments in the style of Java are allowed. {@link #example()} shows every field. A file may have
 * up to 4 MB; errors name line and column, or the path of the field.
 */
public final class PlacementJson {
  private static final int SCHEMA_VERSION = 1;
  private static final int MAX_BYTES = 4 << 20;

  private static final JsonMapper MAPPER =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxDocumentLength(MAX_BYTES)
                          .maxNestingDepth(16)
                          .maxStringLength(1_000)
                          .build())
                  .enable(JsonReadFeature.ALLOW_JAVA_COMMENTS)
                  .build())
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_READING_DUP_TREE_KEY)
          .enable(SerializationFeature.INDENT_OUTPUT)
          .build();

  private PlacementJson() {}

  /** Returns a problem with comments that explain every field: the paper's Example 1. */
  public static String example() {
    try (InputStream in = PlacementJson.class.getResourceAsStream("place-example.json")) {
      if (in == null) {
        throw new IOException("place-example.json is missing; build again: ./muster build");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a problem from a file. */
  public static PlacementProblem readProblem(Path file) {
    return parseProblem(text(file), file.toString());
  }

  /** Reads a plan, with the problem it solves, from a file. */
  public static PlacementPlan readPlan(Path file) {
    return parsePlan(text(file), file.toString());
  }

  private static String text(Path file) {
    try {
      long size = Files.size(file);
      if (size > MAX_BYTES) {
        throw InvalidInputException.of(
            file.toString(), size + " bytes", "must have at most " + MAX_BYTES, "split the fleet");
      }
      return Files.readString(file);
    } catch (IOException e) {
      throw InvalidInputException.of(
          file.toString(), e.getClass().getSimpleName(), "cannot be read", "name a readable file");
    }
  }

  /**
   * Parses a problem.
   *
   * @param source named in messages
   * @throws InvalidInputException if the text is no such problem
   */
  public static PlacementProblem parseProblem(String text, String source) {
    return problem(root(text, source));
  }

  /**
   * Parses a plan and checks that its segments fit their tiles.
   *
   * @param source named in messages
   * @throws InvalidInputException if the text is no such plan
   */
  public static PlacementPlan parsePlan(String text, String source) {
    JsonObject root = root(text, source);
    PlacementProblem problem = problem(root.object("problem"));
    Map<String, Integer> tasks = new HashMap<>();
    for (int i = 0; i < problem.tasks().size(); i++) {
      tasks.put(problem.tasks().get(i).id(), i);
    }
    int[] variants =
        root.objects("variants").stream().mapToInt(v -> v.small("variant", 0) - 1).toArray();
    List<Segment> segments = new ArrayList<>();
    List<JsonObject> tiles = root.objects("tiles");
    for (int tile = 0; tile < tiles.size(); tile++) {
      for (JsonObject s : tiles.get(tile).objects("segments")) {
        Integer task = tasks.get(s.text("task"));
        if (task == null) {
          throw s.refuse("task", s.text("task"), "must name a task of the problem");
        }
        segments.add(
            new Segment(
                tile,
                task,
                s.whole("startUs"),
                s.whole("reconfigureUs"),
                s.whole("fillUs"),
                s.whole("runUs")));
      }
    }
    return PlacementPlan.of(problem, variants, segments);
  }

  private static JsonObject root(String text, String source) {
    JsonObject root;
    try {
      root = new JsonObject(MAPPER.readTree(text), source);
    } catch (JacksonException e) {
      throw InvalidInputException.of(
          source
              + " line "
              + e.getLocation().getLineNr()
              + ", column "
              + e.getLocation().getColumnNr(),
          e.getOriginalMessage(),
          "is not JSON",
          "correct the text there");
    }
    if (root.whole("schemaVersion") != SCHEMA_VERSION) {
      throw root.refuse("schemaVersion", root.whole("schemaVersion"), "must be " + SCHEMA_VERSION);
    }
    return root;
  }

  private static PlacementProblem problem(JsonObject root) {
    root.allow(
        "schemaVersion",
        "sliceUs",
        "accounting",
        "selfParallel",
        "mirrored",
        "objective",
        "cards",
        "tasks");
    return new PlacementProblem(
        root.objects("tasks").stream().map(PlacementJson::task).toList(),
        root.objects("cards").stream().map(PlacementJson::card).toList(),
        root.whole("sliceUs"),
        root.choice("accounting", Accounting.class, Accounting.STRICT),
        root.choice("selfParallel", SelfParallel.class, SelfParallel.FORBID),
        root.flag("mirrored", false),
        root.choice("objective", PlacementObjective.class, PlacementObjective.SUM_POWER));
  }

  private static PeriodicTask task(JsonObject t) {
    t.allow("id", "periodUs", "fillUs", "weight", "after", "variants");
    return new PeriodicTask(
        t.text("id"),
        t.whole("periodUs"),
        t.whole("fillUs", 0),
        t.small("weight", 1),
        t.objects("variants").stream().map(PlacementJson::variant).toList(),
        t.textOrNull("after"));
  }

  private static HardwareVariant variant(JsonObject v) {
    v.allow("cu", "execUs", "powerUw");
    return new HardwareVariant(v.small("cu", 1), v.whole("execUs"), v.whole("powerUw"));
  }

  private static Card card(JsonObject c) {
    c.allow(
        "id",
        "tiles",
        "reconfigureUs",
        "speedNumerator",
        "speedDenominator",
        "idleUw",
        "reconfigureUw");
    return new Card(
        c.text("id"),
        c.small("tiles", 1),
        c.whole("reconfigureUs"),
        c.small("speedNumerator", 1),
        c.small("speedDenominator", 1),
        c.whole("idleUw", 0),
        c.whole("reconfigureUw", 0));
  }

  /** Writes a problem. */
  public static String write(PlacementProblem problem) {
    ObjectNode root = MAPPER.createObjectNode();
    put(root, problem);
    return print(root);
  }

  /** Writes a plan with the problem it solves. */
  public static String write(PlacementPlan plan) {
    return print(tree(plan));
  }

  /** Returns a plan as a JSON tree, to add to. */
  static ObjectNode tree(PlacementPlan plan) {
    ObjectNode root = MAPPER.createObjectNode().put("schemaVersion", SCHEMA_VERSION);
    put(root.putObject("problem"), plan.problem());
    ArrayNode variants = root.putArray("variants");
    List<PeriodicTask> tasks = plan.problem().tasks();
    for (int i = 0; i < tasks.size(); i++) {
      ObjectNode choice = variants.addObject();
      choice.put("task", tasks.get(i).id()).put("variant", plan.variant(i) + 1);
      if (plan.segmentsOf(i).size() > 1) {
        ArrayNode parts = choice.putArray("dataPartsPpm");
        DataSplit.of(plan, i, 1_000_000).forEach(parts::add);
      }
    }
    ArrayNode tiles = root.putArray("tiles");
    List<String> names = plan.problem().tileNames();
    for (int tile = 0; tile < plan.tiles(); tile++) {
      ArrayNode segments = tiles.addObject().put("tile", names.get(tile)).putArray("segments");
      for (Segment s : plan.segments(tile)) {
        segments
            .addObject()
            .put("task", tasks.get(s.task()).id())
            .put("startUs", s.startMicros())
            .put("reconfigureUs", s.reconfigureMicros())
            .put("fillUs", s.fillMicros())
            .put("runUs", s.runMicros());
      }
    }
    root.put("powerUw", plan.powerMicrowatts());
    root.put("energyPj", plan.energyPicojoules());
    return root;
  }

  static String print(ObjectNode root) {
    return MAPPER.writeValueAsString(root).replace("\r\n", "\n") + '\n';
  }

  private static void put(ObjectNode root, PlacementProblem problem) {
    root.put("schemaVersion", SCHEMA_VERSION)
        .put("sliceUs", problem.sliceMicros())
        .put("accounting", problem.accounting().name())
        .put("selfParallel", problem.selfParallel().name())
        .put("mirrored", problem.mirrored())
        .put("objective", problem.objective().name());
    ArrayNode cards = root.putArray("cards");
    for (Card c : problem.cards()) {
      cards
          .addObject()
          .put("id", c.id())
          .put("tiles", c.tiles())
          .put("reconfigureUs", c.reconfigureMicros())
          .put("speedNumerator", c.speedNumerator())
          .put("speedDenominator", c.speedDenominator())
          .put("idleUw", c.idleMicrowatts())
          .put("reconfigureUw", c.reconfigureMicrowatts());
    }
    ArrayNode tasks = root.putArray("tasks");
    for (PeriodicTask t : problem.tasks()) {
      ObjectNode task =
          tasks
              .addObject()
              .put("id", t.id())
              .put("periodUs", t.periodMicros())
              .put("fillUs", t.fillMicros())
              .put("weight", t.weight());
      if (t.after() != null) {
        task.put("after", t.after());
      }
      ArrayNode variants = task.putArray("variants");
      for (HardwareVariant v : t.variants()) {
        variants
            .addObject()
            .put("cu", v.computeUnits())
            .put("execUs", v.execMicros())
            .put("powerUw", v.powerMicrowatts());
      }
    }
  }
}
