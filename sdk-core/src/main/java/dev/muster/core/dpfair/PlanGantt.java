package dev.muster.core.dpfair;

import java.util.Arrays;
import java.util.List;

/** Draws a slice of a plan as text, one line a tile. */
public final class PlanGantt {
  private static final String LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

  private PlanGantt() {}

  /**
   * Draws a slice: {@code #} reconfigures, {@code :} fills, a letter runs its task, {@code .}
   * idles. A phase shorter than half a character may not show.
   *
   * @param slice number of the slice; of interest if the plan is mirrored
   * @param columns characters for the slice, at least 10
   */
  public static String of(PlacementPlan plan, long slice, int columns) {
    Limits.require("columns of the chart", columns, 10, 1000);
    List<String> names = plan.problem().tileNames();
    int widest = names.stream().mapToInt(String::length).max().orElse(0);
    StringBuilder text = new StringBuilder();
    for (int tile = 0; tile < plan.tiles(); tile++) {
      char[] line = new char[columns];
      Arrays.fill(line, '.');
      for (Segment s : plan.segmentsInSlice(tile, slice)) {
        draw(plan, line, s);
      }
      text.append(names.get(tile))
          .repeat(' ', widest - names.get(tile).length())
          .append(" |")
          .append(line)
          .append("|\n");
    }
    return text.toString();
  }

  /** Returns the letter that stands for a task; letters repeat after {@code z}. */
  public static char letter(int task) {
    return LETTERS.charAt(task % LETTERS.length());
  }

  private static void draw(PlacementPlan plan, char[] line, Segment s) {
    long slice = plan.problem().sliceMicros();
    int start = column(s.startMicros(), slice, line.length);
    int execute = column(s.executeMicros(), slice, line.length);
    int run = column(s.executeMicros() + s.fillMicros(), slice, line.length);
    int end = column(s.endMicros(), slice, line.length);
    Arrays.fill(line, start, execute, '#');
    Arrays.fill(line, execute, run, ':');
    Arrays.fill(line, run, end, letter(s.task()));
  }

  private static int column(long micros, long slice, int columns) {
    return (int) ((micros * columns + slice / 2) / slice);
  }
}
