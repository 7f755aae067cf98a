package dev.muster.core.predict;

import dev.muster.api.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Reads and writes tree ensembles as XGBoost's JSON models, so that either side can use the
 * other's.
 *
 * <p>Read are models of booster gbtree with one output, numerical splits and an objective whose
 * output is the sum itself; everything else is refused. {@code base_score} may be spelled {@code
 * "2.73E-1"} (versions 1 and 2) or {@code "[2.73E-1]"} (version 3). Statistics of training are
 * skipped on reading and written as zeros. Attributes are kept: XGBoost carries them along.
 */
public final class XgboostJson {
  /** Limits a model's characters. */
  public static final long MAX_CHARACTERS = 1L << 29;

  private static final int MAX_NODES = 1 << (BoostedTrees.MAX_DEPTH + 2);
  private static final int MAX_TREES = 100_000;
  private static final Set<String> OBJECTIVES =
      Set.of(
          "reg:squarederror",
          "reg:linear",
          "reg:absoluteerror",
          "reg:pseudohubererror",
          "reg:quantileerror");

  private final String thing;
  private final List<TreeNodes> trees = new ArrayList<>();
  private final SortedMap<String, String> attributes = new TreeMap<>();
  private String booster = "";
  private String objective = "";
  private String baseScore = "";
  private String features = "";
  private String classes = "0";
  private String targets = "1";

  private XgboostJson(String thing) {
    this.thing = thing;
  }

  /**
   * Holds what a model file held.
   *
   * @param trees the ensemble
   * @param attributes its attributes by name
   */
  public record Model(BoostedTrees trees, Map<String, String> attributes) {
    /** Copies the attributes. */
    public Model {
      attributes = Collections.unmodifiableSortedMap(new TreeMap<>(attributes));
    }
  }

  /**
   * Reads a model.
   *
   * @param in the bytes, UTF-8; not closed
   * @param source the name that messages use
   * @throws InvalidInputException if this is no such model
   */
  public static Model read(InputStream in, String source) throws IOException {
    var reader = new XgboostJson("model " + source);
    try {
      JsonReader json =
          new JsonReader(
              new InputStreamReader(
                  in,
                  StandardCharsets.UTF_8
                      .newDecoder()
                      .onMalformedInput(CodingErrorAction.REPORT)
                      .onUnmappableCharacter(CodingErrorAction.REPORT)),
              reader.thing,
              MAX_CHARACTERS);
      json.object(name -> reader.top(json, name));
      json.end();
    } catch (CharacterCodingException e) {
      throw InvalidInputException.of(reader.thing, e.getMessage(), "is not UTF-8", "save it again");
    }
    return reader.model();
  }

  private void top(JsonReader json, String name) throws IOException {
    if (!name.equals("learner")) {
      json.skip();
      return;
    }
    json.object(
        part -> {
          switch (part) {
            case "attributes" -> json.object(key -> attributes.put(key, json.text()));
            case "gradient_booster" -> json.object(key -> booster(json, key));
            case "learner_model_param" -> json.object(key -> parameter(json, key));
            case "objective" -> json.object(key -> objective(json, key));
            default -> json.skip();
          }
        });
  }

  private void objective(JsonReader json, String name) throws IOException {
    if (name.equals("name")) {
      objective = json.text();
    } else {
      json.skip();
    }
  }

  private void parameter(JsonReader json, String name) throws IOException {
    switch (name) {
      case "base_score" -> baseScore = json.text();
      case "num_feature" -> features = json.text();
      case "num_class" -> classes = json.text();
      case "num_target" -> targets = json.text();
      default -> json.skip();
    }
  }

  private void booster(JsonReader json, String name) throws IOException {
    switch (name) {
      case "name" -> booster = json.text();
      case "model" ->
          json.object(
              part -> {
                if (part.equals("trees")) {
                  json.array(number -> tree(json));
                } else {
                  json.skip();
                }
              });
      default -> json.skip();
    }
  }

  private void tree(JsonReader json) throws IOException {
    if (trees.size() == MAX_TREES) {
      throw invalid("trees", "over " + MAX_TREES, "are too many");
    }
    var parts =
        new Object() {
          int[] left = {};
          int[] right = {};
          int[] feature = {};
          int[] defaultLeft = {};
          int[] kind = {};
          float[] value = {};
        };
    json.object(
        name -> {
          switch (name) {
            case "left_children" -> parts.left = json.ints(MAX_NODES);
            case "right_children" -> parts.right = json.ints(MAX_NODES);
            case "split_indices" -> parts.feature = json.ints(MAX_NODES);
            case "default_left" -> parts.defaultLeft = json.ints(MAX_NODES);
            case "split_type" -> parts.kind = json.ints(MAX_NODES);
            case "split_conditions" -> parts.value = json.floats(MAX_NODES);
            default -> json.skip();
          }
        });
    int size = parts.left.length;
    if (size == 0
        || parts.right.length != size
        || parts.feature.length != size
        || parts.defaultLeft.length != size
        || parts.value.length != size) {
      throw invalid(
          "tree " + trees.size(), size + " nodes", "must have arrays of one length, at least 1");
    }
    for (int kind : parts.kind) {
      if (kind != 0) {
        throw invalid("tree " + trees.size(), "a categorical split", "is not supported");
      }
    }
    var tree = new TreeNodes();
    for (int node = 0; node < size; node++) {
      tree.leaf(parts.value[node]);
    }
    for (int node = 0; node < size; node++) {
      if (parts.left[node] >= 0) {
        tree.split(
            node,
            parts.feature[node],
            parts.value[node],
            parts.defaultLeft[node] != 0,
            parts.left[node],
            parts.right[node]);
      }
    }
    trees.add(tree);
  }

  private Model model() {
    if (!booster.equals("gbtree") || !classes.equals("0") || !targets.equals("1")) {
      throw invalid(
          "booster",
          booster + ", classes " + classes + ", targets " + targets,
          "must be gbtree, 0 and 1");
    }
    if (!OBJECTIVES.contains(objective)) {
      throw invalid(
          "objective", objective, "must be one of " + new java.util.TreeSet<>(OBJECTIVES));
    }
    int columns = (int) number("num_feature", features, 1 << 20);
    for (int t = 0; t < trees.size(); t++) {
      check(trees.get(t), t, columns);
    }
    String base =
        baseScore.startsWith("[") && baseScore.endsWith("]")
            ? baseScore.substring(1, baseScore.length() - 1)
            : baseScore;
    return new Model(
        BoostedTrees.of(columns, number("base_score", base, Float.MAX_VALUE), trees), attributes);
  }

  private float number(String name, String text, float most) {
    try {
      float value = Float.parseFloat(text);
      if (Math.abs(value) <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      // Refused below, like numbers out of range.
    }
    throw invalid(name, '"' + text + '"', "must be a number of at most " + most);
  }

  /** Checks the nodes that a walk from the root can reach; others may be leftovers of pruning. */
  private void check(TreeNodes tree, int number, int columns) {
    for (int node = 0; node < tree.size; node++) {
      if (Float.isNaN(tree.value[node]) || Float.isInfinite(tree.value[node])) {
        throw invalid("tree " + number + ", node " + node, tree.value[node], "must be finite");
      }
      if (tree.isLeaf(node)) {
        continue;
      }
      if (tree.left[node] >= tree.size || tree.right[node] < 0 || tree.right[node] >= tree.size) {
        throw invalid(
            "tree " + number + ", node " + node,
            "children " + tree.left[node] + " and " + tree.right[node],
            "must be nodes, below " + tree.size);
      }
      if (tree.feature[node] < 0 || tree.feature[node] >= columns) {
        throw invalid(
            "tree " + number + ", node " + node,
            "feature " + tree.feature[node],
            "must be from 0 to " + (columns - 1));
      }
    }
  }

  private InvalidInputException invalid(String part, Object value, String limit) {
    return InvalidInputException.of(
        thing + ", " + part, value, limit, "export a regression model of trees as JSON");
  }

  /**
   * Writes a model that XGBoost and {@link #read} can load.
   *
   * @param model the ensemble
   * @param attributes what to store beside it, by name
   * @param out takes UTF-8; flushed, not closed
   */
  public static void write(BoostedTrees model, Map<String, String> attributes, OutputStream out)
      throws IOException {
    Writer text = new OutputStreamWriter(out, StandardCharsets.UTF_8);
    text.write("{\"learner\":{\"attributes\":{");
    String comma = "";
    for (Map.Entry<String, String> entry : new TreeMap<>(attributes).entrySet()) {
      text.write(comma + quoted(entry.getKey()) + ':' + quoted(entry.getValue()));
      comma = ",";
    }
    text.write("},\"feature_names\":[],\"feature_types\":[],\"gradient_booster\":{\"model\":{");
    int count = model.trees();
    text.write("\"gbtree_model_param\":{\"num_parallel_tree\":\"1\",\"num_trees\":\"");
    text.write(count + "\"},\"iteration_indptr\":[");
    for (int t = 0; t <= count; t++) {
      text.write((t == 0 ? "" : ",") + t);
    }
    text.write("],\"tree_info\":[" + "0,".repeat(Math.max(0, count - 1)) + (count > 0 ? "0" : ""));
    text.write("],\"trees\":[");
    List<TreeNodes> nodes = model.nodes();
    for (int t = 0; t < count; t++) {
      text.write(t == 0 ? "\n" : ",\n");
      writeTree(text, nodes.get(t), t, model.features());
    }
    text.write("]},\"name\":\"gbtree\"},\"learner_model_param\":{\"base_score\":\"");
    text.write(model.base() + "\",\"boost_from_average\":\"1\",\"num_class\":\"0\",");
    text.write("\"num_feature\":\"" + model.features() + "\",\"num_target\":\"1\"},");
    text.write("\"objective\":{\"name\":\"reg:squarederror\",");
    text.write("\"reg_loss_param\":{\"scale_pos_weight\":\"1\"}}},\"version\":[2,1,4]}\n");
    text.flush();
  }

  private static void writeTree(Writer text, TreeNodes tree, int id, int features)
      throws IOException {
    int[] parent = new int[tree.size];
    parent[0] = Integer.MAX_VALUE;
    StringBuilder left = new StringBuilder();
    StringBuilder right = new StringBuilder();
    StringBuilder feature = new StringBuilder();
    StringBuilder value = new StringBuilder();
    StringBuilder toLeft = new StringBuilder();
    for (int node = 0; node < tree.size; node++) {
      String comma = node == 0 ? "" : ",";
      boolean end = tree.isLeaf(node);
      left.append(comma).append(tree.left[node]);
      right.append(comma).append(tree.right[node]);
      feature.append(comma).append(end ? 0 : tree.feature[node]);
      value.append(comma).append(tree.value[node]);
      toLeft.append(comma).append(!end && tree.defaultLeft[node] ? 1 : 0);
      if (!end) {
        parent[tree.left[node]] = node;
        parent[tree.right[node]] = node;
      }
    }
    StringBuilder parents = new StringBuilder();
    for (int node = 0; node < tree.size; node++) {
      parents.append(node == 0 ? "" : ",").append(parent[node]);
    }
    String zeros = "0" + ",0".repeat(tree.size - 1);
    // XGBoost tells whole numbers from others by their spelling.
    String reals = "0.0" + ",0.0".repeat(tree.size - 1);
    text.write("{\"base_weights\":[" + reals + "],\"categories\":[],\"categories_nodes\":[],");
    text.write("\"categories_segments\":[],\"categories_sizes\":[],\"default_left\":[" + toLeft);
    text.write("],\"id\":" + id + ",\"left_children\":[" + left + "],\"loss_changes\":[" + reals);
    text.write("],\"parents\":[" + parents + "],\"right_children\":[" + right);
    text.write("],\"split_conditions\":[" + value + "],\"split_indices\":[" + feature);
    text.write("],\"split_type\":[" + zeros + "],\"sum_hessian\":[" + reals);
    text.write("],\"tree_param\":{\"num_deleted\":\"0\",\"num_feature\":\"" + features);
    text.write("\",\"num_nodes\":\"" + tree.size + "\",\"size_leaf_vector\":\"1\"}}");
  }

  private static String quoted(String text) {
    StringBuilder result = new StringBuilder("\"");
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        result.append('\\').append(c);
      } else if (c < ' ') {
        result.append(String.format("\\u%04x", (int) c));
      } else {
        result.append(c);
      }
    }
    return result.append('"').toString();
  }
}
