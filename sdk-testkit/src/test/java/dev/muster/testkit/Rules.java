package dev.muster.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/** Runs the tests of a contract by hand, to see which of them fail. */
final class Rules {
  private Rules() {}

  /** Returns the names of the contract's tests that fail for an implementation, by name. */
  static <C> List<String> failing(Class<C> contract, C implementation) {
    List<String> names = new ArrayList<>();
    Method[] methods = contract.getMethods();
    Arrays.sort(methods, Comparator.comparing(Method::getName));
    for (Method method : methods) {
      if (method.isAnnotationPresent(Test.class) && fails(method, implementation)) {
        names.add(method.getName());
      }
    }
    return names;
  }

  private static boolean fails(Method method, Object implementation) {
    try {
      method.invoke(implementation);
      return false;
    } catch (InvocationTargetException e) {
      return !(e.getCause() instanceof TestAbortedException);
    } catch (IllegalAccessException e) {
      throw new LinkageError("contract tests are public", e);
    }
  }
}
