package dev.muster.hal.xrt.binding;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.muster.hal.xrt.NativeTests;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemoryLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Holds the bindings against the headers, by assertions that a C compiler evaluates. */
final class SignatureTest {
  private static final String HANDLE = "void*";
  private static final String TEXT = "const char*";

  /** Gives the C type of each function as we believe it to be: result first. */
  private static final Map<String, List<String>> TYPES = new TreeMap<>();

  static {
    TYPES.put("xrtIniStringSet", List.of("int", TEXT, TEXT));
    TYPES.put("xrtIniUintSet", List.of("int", TEXT, "unsigned int"));
    TYPES.put("xrtDeviceOpen", List.of(HANDLE, "unsigned int"));
    TYPES.put("xrtDeviceOpenByBDF", List.of(HANDLE, TEXT));
    TYPES.put("xrtDeviceClose", List.of("int", HANDLE));
    TYPES.put("xrtDeviceLoadXclbinHandle", List.of("int", HANDLE, HANDLE));
    TYPES.put("xrtDeviceGetXclbinUUID", List.of("int", HANDLE, "unsigned char*"));
    TYPES.put("xrtXclbinAllocRawData", List.of(HANDLE, TEXT, "int"));
    TYPES.put("xrtXclbinFreeHandle", List.of("int", HANDLE));
    TYPES.put("xrtPLKernelOpen", List.of(HANDLE, HANDLE, "const unsigned char*", TEXT));
    TYPES.put("xrtKernelClose", List.of("int", HANDLE));
    TYPES.put("xrtKernelArgGroupId", List.of("int", HANDLE, "int"));
    TYPES.put("xrtBOAlloc", List.of(HANDLE, HANDLE, "size_t", "uint64_t", "uint32_t"));
    TYPES.put("xrtBOFree", List.of("int", HANDLE));
    TYPES.put("xrtBOMap", List.of(HANDLE, HANDLE));
    TYPES.put("xrtBOSync", List.of("int", HANDLE, "enum xclBOSyncDirection", "size_t", "size_t"));
    TYPES.put("xrtRunOpen", List.of(HANDLE, HANDLE));
    TYPES.put("xrtRunSetArg", List.of("int", HANDLE, "int", "..."));
    TYPES.put("xrtRunStart", List.of("int", HANDLE));
    TYPES.put("xrtRunState", List.of("enum ert_cmd_state", HANDLE));
    TYPES.put("xrtRunClose", List.of("int", HANDLE));
    TYPES.put("xclProbe", List.of("unsigned"));
  }

  private static final String CONSTANTS =
      """
      _Static_assert(XCL_BO_SYNC_BO_TO_DEVICE == %d, "to device");
      _Static_assert(XCL_BO_SYNC_BO_FROM_DEVICE == %d, "from device");
      _Static_assert(ERT_CMD_STATE_NEW == %d, "new");
      _Static_assert(ERT_CMD_STATE_COMPLETED == %d, "completed");
      _Static_assert(ERT_CMD_STATE_SUBMITTED == %d, "submitted");
      _Static_assert(ERT_CMD_STATE_SKCRASHED == %d, "crashed");
      _Static_assert(sizeof(xuid_t) == 16, "uuid");
      """
          .formatted(
              xrt_h.XCL_BO_SYNC_BO_TO_DEVICE(),
              xrt_h.XCL_BO_SYNC_BO_FROM_DEVICE(),
              xrt_h.ERT_CMD_STATE_NEW(),
              xrt_h.ERT_CMD_STATE_COMPLETED(),
              xrt_h.ERT_CMD_STATE_SUBMITTED(),
              xrt_h.ERT_CMD_STATE_SKCRASHED());

  @TempDir Path folder;

  @BeforeAll
  static void needsHeadersAndCompiler() {
    NativeTests.require(
        Files.isRegularFile(Path.of("/usr/include/xrt/xrt.h")),
        "the headers are not in /usr/include/xrt: apt install libxrt-dev");
    NativeTests.require(
        Files.isExecutable(Path.of("/usr/bin/gcc")), "there is no /usr/bin/gcc: apt install gcc");
  }

  @Test
  void everyFunctionIsCovered() {
    List<String> bound = new ArrayList<>(xrt_h.FUNCTIONS);
    bound.add("xclProbe");
    assertThat(TYPES.keySet()).containsExactlyInAnyOrderElementsOf(bound);
  }

  @Test
  void descriptorsLowerTheCTypes() throws ReflectiveOperationException {
    for (Map.Entry<String, List<String>> entry : TYPES.entrySet()) {
      Object bound = xrt_h.class.getMethod(entry.getKey() + "$descriptor").invoke(null);
      assertThat(bound).as(entry.getKey()).isEqualTo(lowered(entry.getValue()));
    }
  }

  @Test
  void typesAreThoseOfTheHeaders() throws Exception {
    assertThat(compile(TYPES)).isEmpty();
  }

  @Test
  void aWrongTypeIsNoticed() throws Exception {
    for (String function : List.of("xrtBOAlloc", "xrtBOSync", "xrtDeviceOpen")) {
      Map<String, List<String>> mutated = new TreeMap<>(TYPES);
      List<String> types = new ArrayList<>(TYPES.get(function));
      types.set(types.size() - 1, "char");
      mutated.put(function, types);
      assertThat(compile(mutated)).contains("signature of " + function);
    }
  }

  private static FunctionDescriptor lowered(List<String> types) {
    List<MemoryLayout> arguments = new ArrayList<>();
    for (String type : types.subList(1, types.size())) {
      if (!type.equals("...")) {
        arguments.add(lowered(type));
      }
    }
    return FunctionDescriptor.of(lowered(types.getFirst()), arguments.toArray(MemoryLayout[]::new));
  }

  private static MemoryLayout lowered(String type) {
    if (type.endsWith("*")) {
      return ADDRESS;
    }
    return switch (type) {
      case "size_t", "uint64_t" -> JAVA_LONG;
      case "int", "unsigned", "unsigned int", "uint32_t" -> JAVA_INT;
      case "enum ert_cmd_state", "enum xclBOSyncDirection" -> JAVA_INT;
      default -> throw new IllegalArgumentException(type);
    };
  }

  /** Returns what the compiler says, which is nothing if all assertions hold. */
  private String compile(Map<String, List<String>> types) throws Exception {
    StringBuilder source = new StringBuilder();
    for (String header :
        List.of(
            "stddef.h",
            "stdint.h",
            "xrt.h",
            "xrt/xrt_device.h",
            "xrt/xrt_bo.h",
            "xrt/xrt_kernel.h",
            "experimental/xrt_xclbin.h",
            "experimental/xrt_ini.h")) {
      source.append("#include <").append(header).append(">\n");
    }
    types.forEach(
        (function, list) -> {
          String arguments = String.join(", ", list.subList(1, list.size()));
          source.append(
              "_Static_assert(__builtin_types_compatible_p(__typeof__(%s), %s(%s)), \"signature of %s\");%n"
                  .formatted(function, list.getFirst(), arguments, function));
        });
    Path file = Files.writeString(folder.resolve("signatures.c"), source + CONSTANTS);
    Path said = folder.resolve("gcc.log");
    int status =
        new ProcessBuilder(
                "gcc",
                "-std=gnu11",
                "-w",
                "-fsyntax-only",
                "-isystem",
                "/usr/include/xrt",
                file + "")
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start()
            .waitFor();
    String text = Files.readString(said, StandardCharsets.UTF_8);
    assertThat(text.isEmpty()).as(text).isEqualTo(status == 0);
    return text;
  }
}
