package dev.muster.core.predict;

import dev.muster.api.InvalidInputException;
import java.io.IOException;
import java.io.Reader;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON (RFC 8259) from front to back, strictly and within limits.
 *
 * <p>Models come as JSON, and this module may depend on no JSON library. Values are taken in the
 * order of the text, by callbacks; what nobody asks for is checked and skipped. Errors name line
 * and column.
 */
final class JsonReader {
  private static final int MAX_NESTING = 32;
  private static final int MAX_TEXT = 1 << 16;
  private static final int MAX_MEMBERS = 10_000;

  private final Reader in;
  private final String thing;
  private final long limit;
  private final char[] buffer = new char[1 << 14];
  private int position;
  private int filled;
  private long before;
  private int line = 1;
  private long lineStart;
  private int nesting;

  /**
   * Creates a reader.
   *
   * @param in the text
   * @param thing what messages call the document
   * @param limit the most characters it may have
   */
  JsonReader(Reader in, String thing, long limit) {
    this.in = in;
    this.thing = thing;
    this.limit = limit;
  }

  /** Takes one member of an object or one element of an array. */
  @FunctionalInterface
  interface Element<T> {
    void take(T name) throws IOException;
  }

  /** Reads an object: the callback must read or skip each member's value. */
  void object(Element<String> member) throws IOException {
    open('{', "an object");
    Set<String> names = new HashSet<>();
    if (!closes('}')) {
      do {
        expectString();
        String name = string();
        if (!names.add(name) || names.size() > MAX_MEMBERS) {
          throw invalid('"' + name + '"', "must be unique, of at most " + MAX_MEMBERS + " members");
        }
        expect(':');
        member.take(name);
      } while (continues('}'));
    }
    nesting--;
  }

  /** Reads an array: the callback gets each index and must read or skip the element. */
  void array(Element<Integer> element) throws IOException {
    open('[', "an array");
    if (!closes(']')) {
      int index = 0;
      do {
        element.take(index++);
      } while (continues(']'));
    }
    nesting--;
  }

  /** Reads a string. */
  String text() throws IOException {
    expectString();
    return string();
  }

  /** Reads numbers into an array. */
  float[] floats(int most) throws IOException {
    var result =
        new Object() {
          float[] values = new float[64];
          int size;
        };
    array(
        index -> {
          if (index == most) {
            throw invalid("over " + most + " elements", "is too long");
          }
          if (index == result.values.length) {
            result.values = Arrays.copyOf(result.values, Math.min(most, 2 * index));
          }
          result.values[index] = Float.parseFloat(number());
          result.size = index + 1;
        });
    return Arrays.copyOf(result.values, result.size);
  }

  /** Reads whole numbers into an array; true counts as 1 and false as 0. */
  int[] ints(int most) throws IOException {
    var result =
        new Object() {
          int[] values = new int[64];
          int size;
        };
    array(
        index -> {
          if (index == most) {
            throw invalid("over " + most + " elements", "is too long");
          }
          if (index == result.values.length) {
            result.values = Arrays.copyOf(result.values, Math.min(most, 2 * index));
          }
          result.values[index] = whole();
          result.size = index + 1;
        });
    return Arrays.copyOf(result.values, result.size);
  }

  private int whole() throws IOException {
    int c = skipBlanks();
    if (c == 't' || c == 'f') {
      return literal() ? 1 : 0;
    }
    String number = number();
    try {
      return Integer.parseInt(number);
    } catch (NumberFormatException e) {
      throw invalid(number, "must be a whole number below 2^31");
    }
  }

  /** Reads any value without keeping it. */
  void skip() throws IOException {
    switch (skipBlanks()) {
      case '{' -> object(name -> skip());
      case '[' -> array(index -> skip());
      case '"' -> text();
      case 't', 'f', 'n' -> literal();
      default -> number();
    }
  }

  /** Checks that nothing but blanks follows. */
  void end() throws IOException {
    int c = skipBlanks();
    if (c >= 0) {
      throw invalid("'" + (char) c + "'", "must not follow the document");
    }
  }

  private void open(char bracket, String what) throws IOException {
    int c = skipBlanks();
    if (c != bracket) {
      throw invalid(shown(c), "must begin " + what);
    }
    position++;
    if (++nesting > MAX_NESTING) {
      throw invalid("over " + MAX_NESTING + " levels", "is nested too deeply");
    }
  }

  private boolean closes(char bracket) throws IOException {
    if (skipBlanks() != bracket) {
      return false;
    }
    position++;
    return true;
  }

  private boolean continues(char bracket) throws IOException {
    int c = skipBlanks();
    if (c != ',' && c != bracket) {
      throw invalid(shown(c), "must be ',' or '" + bracket + "'");
    }
    position++;
    return c == ',';
  }

  private void expect(char wanted) throws IOException {
    int c = skipBlanks();
    if (c != wanted) {
      throw invalid(shown(c), "must be '" + wanted + "'");
    }
    position++;
  }

  private void expectString() throws IOException {
    int c = skipBlanks();
    if (c != '"') {
      throw invalid(shown(c), "must begin a string");
    }
    position++;
  }

  private String string() throws IOException {
    StringBuilder text = new StringBuilder();
    for (int c = next(); c != '"'; c = next()) {
      if (c < ' ' || text.length() == MAX_TEXT) {
        throw invalid(shown(c), "must not be in a string, or it is over " + MAX_TEXT + " long");
      }
      text.append(c == '\\' ? escape() : (char) c);
    }
    return text.toString();
  }

  private char escape() throws IOException {
    int c = next();
    return switch (c) {
      case '"', '\\', '/' -> (char) c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        int code = 0;
        for (int i = 0; i < 4; i++) {
          int digit = next();
          int value = digit < 0 || digit > 'f' ? -1 : Character.digit((char) digit, 16);
          if (value < 0) {
            throw invalid(shown(digit), "must be a hexadecimal digit");
          }
          code = code << 4 | value;
        }
        yield (char) code;
      }
      default -> throw invalid(shown(c), "is no escape");
    };
  }

  /** Reads true, false or null and returns whether it was true. */
  private boolean literal() throws IOException {
    int first = skipBlanks();
    String word = first == 't' ? "true" : first == 'f' ? "false" : "null";
    for (int i = 0; i < word.length(); i++) {
      int c = next();
      if (c != word.charAt(i)) {
        throw invalid(shown(c), "is not part of \"" + word + '"');
      }
    }
    return first == 't';
  }

  /** Reads a number's text, checked against the grammar. */
  private String number() throws IOException {
    StringBuilder text = new StringBuilder();
    int c = skipBlanks();
    if (c == '-') {
      text.append((char) take());
    }
    int whole = digits(text);
    boolean ok = whole > 0 && (whole == 1 || text.charAt(text.length() - whole) != '0');
    if (peek() == '.') {
      text.append((char) take());
      ok &= digits(text) > 0;
    }
    if (peek() == 'e' || peek() == 'E') {
      text.append((char) take());
      if (peek() == '+' || peek() == '-') {
        text.append((char) take());
      }
      ok &= digits(text) > 0;
    }
    if (!ok) {
      throw invalid(text.isEmpty() ? shown(peek()) : text.toString(), "must be a number");
    }
    return text.toString();
  }

  private int digits(StringBuilder text) throws IOException {
    int count = 0;
    for (int c = peek(); c >= '0' && c <= '9'; c = peek()) {
      text.append((char) take());
      if (++count > 400) {
        throw invalid("over 400 digits", "is too long for a number");
      }
    }
    return count;
  }

  private int skipBlanks() throws IOException {
    for (int c = peek(); ; c = peek()) {
      if (c == '\n') {
        line++;
        lineStart = before + position + 1;
      } else if (c != ' ' && c != '\t' && c != '\r') {
        return c;
      }
      position++;
    }
  }

  private int peek() throws IOException {
    if (position == filled) {
      before += filled;
      position = 0;
      filled = Math.max(0, in.read(buffer));
      if (before + filled > limit) {
        throw invalid("over " + limit + " characters", "is too long");
      }
    }
    return position == filled ? -1 : buffer[position];
  }

  private int take() throws IOException {
    int c = peek();
    position++;
    return c;
  }

  private int next() throws IOException {
    int c = peek();
    if (c < 0) {
      throw invalid("end of text", "must not come here");
    }
    position++;
    return c;
  }

  private static String shown(int c) {
    return c < 0 ? "end of text" : "'" + (char) c + "'";
  }

  /** Creates a refusal that names the place. */
  InvalidInputException invalid(@Nullable Object value, String limitBroken) {
    return InvalidInputException.of(
        thing + " line " + line + ", column " + (before + position - lineStart + 1),
        value,
        limitBroken,
        "check that the file is a whole model");
  }
}
