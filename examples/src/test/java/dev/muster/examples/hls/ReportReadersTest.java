package dev.muster.examples.hls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.muster.api.Footprint;
import dev.muster.api.InvalidInputException;
import dev.muster.core.library.LibraryDevice;
import dev.muster.core.library.LibraryVariant;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Reads reports in the layouts of two tool versions each, and refuses malformed ones. */
class ReportReadersTest {
  private static final LibraryDevice U200 =
      new LibraryDevice("xcu200", new Footprint(1_182_240, 2_364_480, 4_320, 6_840, 960));

  private static final String CSYNTH_2021 =
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <profile>
      <section name="" level="0"><item name=""><table/></item></section>
      <ReportVersion><Version>2021.1</Version></ReportVersion>
      <UserAssignments>
      <unit>ns</unit>
      <ProductFamily>virtexuplus</ProductFamily>
      <Part>xcu200-fsgd2104-2-e</Part>
      <TopModelName>vadd</TopModelName>
      <TargetClockPeriod>3.33</TargetClockPeriod>
      <ClockUncertainty>0.90</ClockUncertainty>
      </UserAssignments>
      <PerformanceEstimates>
      <SummaryOfTimingAnalysis>
      <unit>ns</unit>
      <EstimatedClockPeriod>2.433</EstimatedClockPeriod>
      </SummaryOfTimingAnalysis>
      <SummaryOfOverallLatency>
      <unit>clock cycles</unit>
      <Best-caseLatency>1049</Best-caseLatency>
      <Average-caseLatency>1049</Average-caseLatency>
      <Worst-caseLatency>1050</Worst-caseLatency>
      <Worst-caseRealTimeLatency>3.497 us</Worst-caseRealTimeLatency>
      <Interval-min>1050</Interval-min>
      </SummaryOfOverallLatency>
      </PerformanceEstimates>
      <AreaEstimates>
      <Resources>
      <BRAM_18K>30</BRAM_18K>
      <DSP>4</DSP>
      <FF>4062</FF>
      <LUT>4878</LUT>
      <URAM>1</URAM>
      </Resources>
      <AvailableResources>
      <BRAM_18K>4320</BRAM_18K>
      <DSP>6840</DSP>
      <FF>2364480</FF>
      <LUT>1182240</LUT>
      <URAM>960</URAM>
      </AvailableResources>
      </AreaEstimates>
      </profile>
      """;

  private static final String DATA =
      """
      {"ClockInfo": {"ClockName": "ap_clk", "ClockPeriod": "3.33", "Latency": "1050"},
       "Top": "vadd",
       "ModuleInfo": {"Metrics": {
         "vadd": {"Area": {"BRAM_18K": "30", "AVAIL_BRAM": "4320", "UTIL_BRAM": "~0",
           "DSP": "4", "UTIL_DSP": "~0", "FF": "4062", "UTIL_FF": "~0", "LUT": "4878",
           "UTIL_LUT": "~0", "URAM": "1", "UTIL_URAM": "~0"}},
         "vadd_loop": {"Area": {}}}}}
      """;

  private static final String DATA_PERCENT =
      """
      {"ClockInfo": {"ClockPeriod": "3.33", "Latency": "undef"},
       "ModuleInfo": {"Metrics": {"vadd": {"Area": {"UTIL_BRAM": "2", "UTIL_DSP": "0",
         "UTIL_FF": "~0", "UTIL_LUT": "1"}}}}}
      """;

  private static final String ESTIMATE_2021 =
      """
      -------------------------------------------------------------------------------
      Design Name:             vadd
      Target Device:           xilinx_u200_gen3x16_xdma_1_202110_1
      Target Clock:            300MHz
      Total number of kernels: 1
      -------------------------------------------------------------------------------

      Kernel Summary
      Kernel Name  Type  Target              OpenCL Library  Compute Units
      -----------  ----  ------------------  --------------  -------------
      vadd         c     fpga0:OCL_REGION_0  vadd            2


      -------------------------------------------------------------------------------
      OpenCL Binary:     vadd
      Kernels mapped to: clc_region

      Timing Information (MHz)
      Compute Unit  Kernel Name  Module Name  Target Frequency  Estimated Frequency
      ------------  -----------  -----------  ----------------  -------------------
      vadd_1        vadd         vadd         300.300293        411.015198
      vadd_2        vadd         vadd         300.300293        411.015198

      Latency Information
      Compute Unit  Kernel Name  Module Name  Start Interval  Best (cycles)  Avg (cycles)  Worst (cycles)  Best (absolute)  Avg (absolute)  Worst (absolute)
      ------------  -----------  -----------  --------------  -------------  ------------  --------------  ---------------  --------------  ----------------
      vadd_1        vadd         vadd         1050            1049           1049          1049            3.497 us         3.497 us        3.497 us
      vadd_2        vadd         vadd         undef           undef          undef         undef           undef            undef           undef

      Area Information
      Compute Unit  Kernel Name  Module Name  FF    LUT   DSP  BRAM  URAM
      ------------  -----------  -----------  ----  ----  ---  ----  ----
      vadd_1        vadd         vadd         2453  4056  1    2     0
      vadd_2        vadd         vadd         2454  4057  1    2     0
      -------------------------------------------------------------------------------
      """;

  private static final String ROUTED_2021 =
      """
      Copyright 1986-2021 Xilinx, Inc. All Rights Reserved.
      ------------------------------------------------------------------------------
      | Tool Version : Vivado v.2021.1 (lin64)
      | Design State : Routed
      ------------------------------------------------------------------------------

      Kernel Utilization

      +--------------------+-------------------+------------------+-------------------+----------------+---------------+----------------+
      | Name               | LUT               | LUTAsMem         | REG               | BRAM           | URAM          | DSP            |
      +--------------------+-------------------+------------------+-------------------+----------------+---------------+----------------+
      | Platform           |  163104 [ 13.80%] |  18454 [  3.12%] |  251206 [ 10.62%] |  376 [ 17.41%] |   0 [  0.00%] |    7 [  0.10%] |
      | User Budget        | 1019136 [100.00%] | 573386 [100.00%] | 2113274 [100.00%] | 1784 [100.00%] | 960 [100.00%] | 6833 [100.00%] |
      |    Used Resources  |    7848 [  0.77%] |   1530 [  0.27%] |   12052 [  0.57%] |   31 [  1.74%] |   0 [  0.00%] |    8 [  0.12%] |
      |    Unused Resources| 1011288 [ 99.23%] | 571856 [ 99.73%] | 2101222 [ 99.43%] | 1753 [ 98.26%] | 960 [100.00%] | 6825 [ 99.88%] |
      | vadd (2)           |    7848 [  0.77%] |   1530 [  0.27%] |   12052 [  0.57%] |   31 [  1.74%] |   0 [  0.00%] |    8 [  0.12%] |
      |    vadd_1          |    3924 [  0.39%] |    765 [  0.13%] |    6026 [  0.29%] | 15.5 [  0.87%] |   0 [  0.00%] |    4 [  0.06%] |
      |    vadd_2          |    3924 [  0.39%] |    765 [  0.13%] |    6026 [  0.29%] | 15.5 [  0.87%] |   0 [  0.00%] |    4 [  0.06%] |
      +--------------------+-------------------+------------------+-------------------+----------------+---------------+----------------+
      """;

  private static final String TIMING =
      """
      | Tool Version      : Vivado v.2021.1
      ------------------------------------------------------------------------------------------------
      | Design Timing Summary
      | ---------------------
      ------------------------------------------------------------------------------------------------

          WNS(ns)      TNS(ns)  TNS Failing Endpoints  TNS Total Endpoints      WHS(ns)
          -------      -------  ---------------------  -------------------      -------
           -0.033       -0.120                      2               638126        0.010


      ------------------------------------------------------------------------------------------------
      | Clock Summary
      | -------------
      ------------------------------------------------------------------------------------------------

      Clock                 Waveform(ns)         Period(ns)      Frequency(MHz)
      -----                 ------------         ----------      --------------
      clk_kernel_00         {0.000 1.667}        3.333           300.030
        clk_data            {0.000 1.000}        2.000           500.000

      """;

  private static final String XCLBIN =
      """
      xclbin Information
      ------------------
         Generated by:           v++ (2021.1) on 2021-06-09-14:19:56
         Version:                2.11.634
         Kernels:                vadd, vmul
         Signature:
         Content:                Bitstream
         UUID (xclbin):          6a1d0c4e-9a3b-4c5d-8e7f-001122334455
         Sections:               DEBUG_IP_LAYOUT, BITSTREAM
      Hardware Platform (Shell) Information
      -------------------------------------
         Vendor:                 xilinx
         Platform VBNV:          xilinx_u200_gen3x16_xdma_1_202110_1

      Scalable Clocks
      ---------------
         Name:      DATA_CLK
         Index:     0
         Type:      DATA
         Frequency: 300 MHz

         Name:      KERNEL_CLK
         Index:     1
         Type:      KERNEL
         Frequency: 500 MHz

      Kernel: vadd

      Definition
      ----------
         Signature: vadd (void* in1, int size)

      --------------------------
      Instance:        vadd_1
         Base Address: 0x800000
      --------------------------
      Instance:        vadd_2
         Base Address: 0x810000

      Kernel: vmul
      --------------------------
      Instance:        vmul_1
         Base Address: 0x820000
      """;

  private static final String CSV =
      """
      Version,Device,Clock_Period_nsec,Latency_msec,Synthesis_Time_sec,BRAM_Utilization_percentage,DSP_Utilization_percentage,FF_Utilization_percentage,LUT_Utilization_percentage
      workload_1.cpp,xcu200-fsgd2104-2-e,10,41.94331,48,0,0,0,1
      workload_2.cpp,xcu200-fsgd2104-2-e,3.33,0,48,101,101,101,101
      workload_3.cpp,xcu200-fsgd2104-2-e,5,1000000.0,48,0,0,0,1
      """;

  @Test
  void readsCsynthOfTwoVersions() {
    DesignReport report = CsynthXml.parse(CSYNTH_2021, "vadd_csynth.xml");
    assertThat(report.used()).isEqualTo(new Footprint(4878, 4062, 30, 4, 1));
    assertThat(report.available()).isEqualTo(U200.total());
    assertThat(report.part()).isEqualTo("xcu200-fsgd2104-2-e");
    assertThat(report.latencyNanos()).isEqualTo(3497);
    String old =
        CSYNTH_2021
            .replace("DSP>", "DSP48E>")
            .replaceAll("<URAM>.*</URAM>\n", "")
            .replace("profile", "Profile")
            .replace(">1050</Worst", ">undef</Worst");
    DesignReport older = CsynthXml.parse(old, "old.xml");
    assertThat(older.used()).isEqualTo(new Footprint(4878, 4062, 30, 4, 0));
    assertThat(older.latencyCycles()).isEmpty();
    assertThatThrownBy(older::latencyNanos).hasMessageContaining("undef");
  }

  @Test
  void readsSolutionDataWithCountsOrShares() {
    DesignReport report = SolutionDataJson.parse(DATA, "s_data.json", null);
    assertThat(report.name()).isEqualTo("vadd");
    assertThat(report.used()).isEqualTo(new Footprint(4878, 4062, 30, 4, 1));
    assertThat(report.latencyNanos()).isEqualTo(3497);
    DesignReport shares = SolutionDataJson.parse(DATA_PERCENT, "s_data.json", U200);
    assertThat(shares.used()).isEqualTo(new Footprint(11823, 23645, 87, 0, 0));
    assertThatThrownBy(() -> SolutionDataJson.parse(DATA_PERCENT, "s_data.json", null))
        .hasMessageContaining("unknown device");
  }

  @Test
  void readsSystemEstimateOfTwoVersions() {
    List<DesignReport> units = SystemEstimate.parse(ESTIMATE_2021, "e.xtxt");
    assertThat(units).extracting(DesignReport::name).containsExactly("vadd_1", "vadd_2");
    assertThat(units.get(0).used()).isEqualTo(new Footprint(4056, 2453, 2, 1, 0));
    assertThat(units.get(0).latencyCycles()).hasValue(1049);
    assertThat(units.get(1).latencyCycles()).isEmpty();
    String old =
        ESTIMATE_2021
            .replace("300MHz", "300.000000MHz")
            .replace("BRAM  URAM", "BRAM")
            .replace("----  ---  ----  ----", "----  ---  ----")
            .replaceAll("2     0\n", "2\n");
    assertThat(SystemEstimate.parse(old, "old.xtxt").get(1).used())
        .isEqualTo(new Footprint(4057, 2454, 2, 1, 0));
  }

  @Test
  void readsRoutedUtilizationOfTwoVersions() {
    KernelUtilization routed = KernelUtilization.parse(ROUTED_2021, "u.rpt");
    assertThat(routed.budget()).isEqualTo(new Footprint(1_019_136, 2_113_274, 3_568, 6_833, 960));
    assertThat(routed.units()).extracting(DesignReport::name).containsExactly("vadd_1", "vadd_2");
    assertThat(routed.units().get(0).used()).isEqualTo(new Footprint(3924, 6026, 31, 4, 0));
    String old = ROUTED_2021.replaceAll("(?m)^(\\s*[|+](?:[^|+]*[|+]){5})[^|+]*[|+]", "$1");
    assertThat(old).doesNotContain("URAM");
    assertThat(KernelUtilization.parse(old, "old.rpt").units()).hasSize(2);
  }

  @Test
  void readsTimingXclbinAndDataset() {
    TimingSummary timing = TimingSummary.parse(TIMING, "t.rpt");
    assertThat(timing.isMet()).isFalse();
    assertThat(timing.worstSlackPicos()).isEqualTo(-33);
    assertThat(timing.periodPicos()).containsEntry("clk_kernel_00", 3333L).hasSize(2);
    XclbinInfo info = XclbinInfo.parse(XCLBIN, "x.txt");
    assertThat(info.units()).containsEntry("vadd", List.of("vadd_1", "vadd_2"));
    assertThat(info.clockMhz()).containsEntry("KERNEL_CLK", 500);
    assertThat(XclbinInfo.parse(XCLBIN.replace("Scalable Clocks", "Clocks"), "x").clockMhz())
        .hasSize(2);
    GnwsisCsv csv = GnwsisCsv.parse(CSV, "k.csv");
    assertThat(csv.points()).hasSize(1);
    assertThat(csv.failed()).isEqualTo(2);
    assertThat(csv.points().get(0).footprintAtMost(U200).lut()).isEqualTo(23_644);
  }

  @Test
  void takesTheReportsOfOneLinkTogether(@TempDir Path folder) throws IOException {
    Path used = Files.writeString(folder.resolve("impl_1_kernel_util_routed.rpt"), ROUTED_2021);
    Path info = Files.writeString(folder.resolve("vadd.xclbin.info"), XCLBIN);
    Path missed = Files.writeString(folder.resolve("impl_1_timing_summary_routed.rpt"), TIMING);
    Path met =
        Files.writeString(
            folder.resolve("met_timing_summary.rpt"), TIMING.replace("-0.033", " 0.012"));
    List<LibraryVariant> designs = ReportLibrary.read(List.of(met, info, used), U200, 1, 40);
    assertThat(designs).hasSize(1);
    assertThat(designs.get(0).freqMhz()).isEqualTo(300);
    assertThat(designs.get(0).xclbin()).isEqualTo("6a1d0c4e-9a3b-4c5d-8e7f-001122334455");
    assertThat(designs.get(0).units()).isEqualTo(2);
    assertThatThrownBy(() -> ReportLibrary.read(List.of(used, missed), U200, 1, 40))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("-33");
    assertThatThrownBy(() -> ReportLibrary.read(List.of(met, info), U200, 1, 40))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("utilisation");
  }

  @Test
  void takesTheDesignsOfTheDataset(@TempDir Path folder) throws IOException {
    Path csv = Files.writeString(folder.resolve("kmeans.csv"), CSV);
    List<LibraryVariant> designs = ReportLibrary.read(List.of(csv), U200, 10, 0);
    assertThat(designs).hasSize(1);
    assertThat(designs.get(0).execMillis()).isEqualTo(420);
    assertThat(designs.get(0).freqMhz()).isEqualTo(100);
    assertThat(designs.get(0).footprint().lut()).isEqualTo(23_644);
  }

  @TestFactory
  Stream<DynamicTest> refusesMalformed() {
    return Stream.of(
            malformed(CSYNTH_2021, "csynth", t -> CsynthXml.parse(t, "f"), csynthDamage()),
            malformed(DATA, "data", t -> SolutionDataJson.parse(t, "f", null), dataDamage()),
            malformed(
                ESTIMATE_2021, "estimate", t -> SystemEstimate.parse(t, "f"), estimateDamage()),
            malformed(ROUTED_2021, "routed", t -> KernelUtilization.parse(t, "f"), routedDamage()),
            malformed(TIMING, "timing", t -> TimingSummary.parse(t, "f"), timingDamage()),
            malformed(XCLBIN, "xclbin", t -> XclbinInfo.parse(t, "f"), xclbinDamage()),
            malformed(CSV, "csv", t -> GnwsisCsv.parse(t, "f"), csvDamage()))
        .flatMap(s -> s);
  }

  /** Applies each damage, "old -> new", to a good report; every one must be refused by name. */
  private static Stream<DynamicTest> malformed(
      String good, String kind, Consumer<String> reader, List<String> damages) {
    List<DynamicTest> tests = new ArrayList<>();
    assertThat(damages).hasSizeGreaterThanOrEqualTo(20);
    for (String damage : damages) {
      String[] parts = damage.split(" -> ", -1);
      tests.add(
          DynamicTest.dynamicTest(
              kind + ": " + damage,
              () -> {
                String bad = parts[0].isEmpty() ? parts[1] : good.replace(parts[0], parts[1]);
                assertThat(bad).isNotEqualTo(good);
                assertThatThrownBy(() -> reader.accept(bad))
                    .isInstanceOf(InvalidInputException.class)
                    .hasMessageContaining("f")
                    .hasMessageContaining("; ");
              }));
    }
    return tests.stream();
  }

  private static List<String> csynthDamage() {
    return List.of(
        " -> ",
        " -> text",
        " -> <profile>",
        " -> <profile/>",
        "</profile> -> ",
        "?>\n<profile> -> ?>\n<!DOCTYPE p [<!ENTITY x SYSTEM \"file:/etc/passwd\">]><profile>",
        ">ns</unit>\n<Prod -> >ps</unit>\n<Prod",
        "TopModelName -> Name",
        "<TopModelName>vadd -> <TopModelName>",
        ">3.33< -> >x<",
        ">3.33< -> >0<",
        ">3.33< -> >-1<",
        ">3.33< -> >1e99<",
        "Worst-caseLatency -> W",
        ">1050</Worst -> >ten</Worst",
        ">1050</Worst -> >-5</Worst",
        "<LUT>4878 -> <LUT>&lol;",
        "LUT>4878</LUT> -> X>1</X>",
        "<FF>4062</FF> -> ",
        "<BRAM_18K>30 -> <BRAM_18K>~0",
        "<DSP>4</DSP> -> ",
        "<URAM>1< -> <URAM>99999999999999999999999999<");
  }

  private static List<String> dataDamage() {
    return List.of(
        " -> ",
        " -> []",
        " -> {",
        " -> null",
        "\"ClockInfo\" -> \"C\"",
        "\"ClockPeriod\" -> \"P\"",
        "\"3.33\" -> \"x\"",
        "\"3.33\" -> \"0\"",
        "\"3.33\" -> {}",
        "\"Latency\" -> \"L\"",
        "\"1050\" -> \"ten\"",
        "\"1050\" -> \"-1\"",
        "\"1050\" -> []",
        "\"ModuleInfo\" -> \"M\"",
        "\"Metrics\" -> \"M\"",
        "\"Top\": \"vadd\" -> \"Top\": \"other\"",
        "\"Top\": \"vadd\", -> ",
        "\"Area\": {\"BRAM -> \"Are\": {\"BRAM",
        "\"LUT\": \"4878\" -> \"LUT\": \"many\"",
        "\"FF\": \"4062\" -> \"FF\": \"-1\"",
        "\"DSP\": \"4\" -> \"DSP\": [4]",
        "\"URAM\": \"1\" -> \"URAM\": \"1e5\"");
  }

  private static List<String> estimateDamage() {
    return List.of(
        " -> ",
        " -> text",
        "Target Clock: -> Clock:",
        "300MHz -> ",
        "300MHz -> 300",
        "300MHz -> xMHz",
        "300MHz -> 0MHz",
        "300MHz -> -1MHz",
        "Target Device: -> Device:",
        "Latency Information -> Latency",
        "Area Information -> Area",
        "vadd_1        vadd         vadd         1050 -> vadd_3        vadd         vadd         1050",
        "1049            3.497 -> ten             3.497",
        "1049            3.497 -> -9              3.497",
        "Worst (cycles) -> Most  (cycles)",
        "2453  4056 -> x     4056",
        "2453  4056 -> 2453  -1  ",
        "4056  1    2 -> 4056       2",
        "FF    LUT -> FF    XXX",
        "FF    LUT -> XX    LUT",
        "DSP  BRAM -> XXX  BRAM",
        "BRAM  URAM -> XXXX  URAM");
  }

  private static List<String> routedDamage() {
    return List.of(
        " -> ",
        " -> text",
        " -> | LUT |",
        "| LUT   -> | LTU  ",
        "| REG   -> | GER  ",
        "| BRAM   -> | RAMB  ",
        "| DSP   -> | SDP  ",
        "| Name   -> | Mane  ",
        "User Budget -> User Amount",
        "|    vadd_1          | -> |    wadd_1          ",
        "1019136 [100.00%] -> many",
        "1019136 [100.00%] -> -1 [100.00%]",
        "1019136 [100.00%] -> ",
        "1784 [100.00%] -> 1784.3 [100.00%]",
        "1784 [100.00%] -> 1784 [100.00",
        "163104 [ 13.80%] -> 163104 13.80%",
        "15.5 [  0.87%] -> 15.25 [  0.87%]",
        "15.5 [  0.87%] -> x [  0.87%]",
        "    6026 -> 99999999999999",
        "960 [100.00%] -> 960 [x%]",
        "6833 [100.00%] -> 6833.5 [100.00%]");
  }

  private static List<String> timingDamage() {
    return List.of(
        " -> ",
        " -> text",
        "Design Timing Summary -> Summary",
        "WNS(ns) -> W",
        "-0.033 -> x",
        "-0.033 -> --1",
        "-0.033 -> NA",
        "-0.033 -> 1e3",
        "-0.033 -> -",
        "Clock Summary -> Clocks",
        "Period(ns) -> Period",
        "3.333 -> x",
        "3.333 -> 0.000",
        "3.333 -> -1",
        "3.333 ->      ",
        "2.000           500 -> two             500",
        "-----                 ------------ -> ",
        "Clock                 Waveform -> Xlock                 Waveform",
        "2.000           500 -> 0               500",
        "3.333 -> 99999999999999999999999999");
  }

  private static List<String> xclbinDamage() {
    return List.of(
        " -> ",
        " -> text",
        "UUID (xclbin): -> UUID:",
        "6a1d0c4e-9a3b -> zz",
        "6a1d0c4e-9a3b-4c5d-8e7f-001122334455 -> ",
        "Kernels:                vadd, vmul -> Kernels:",
        "Kernels: -> Xernels:",
        "vadd, vmul -> vadd",
        "vadd, vmul -> vadd, vmul, vdiv",
        "Platform VBNV: -> VBNV:",
        "xilinx_u200_gen3x16_xdma_1_202110_1 -> ",
        "Scalable Clocks -> Things",
        "Frequency: 300 MHz -> Frequency: x MHz",
        "Frequency: 300 MHz -> Frequency: 0 MHz",
        "Frequency: 300 MHz -> Frequency: -1 MHz",
        "Frequency: 300 MHz -> Frequency: 99999 MHz",
        "Frequency: -> Freq:",
        "Name:      DATA_CLK -> ",
        "Instance:        vmul_1 -> ",
        "Instance:        vadd_2 -> Instance:",
        "Kernel: vmul -> Kernel: other");
  }

  private static List<String> csvDamage() {
    String row = "workload_1.cpp,xcu200-fsgd2104-2-e,10,41.94331,48,0,0,0,1";
    return List.of(
        " -> ",
        " -> text",
        "Version,Device -> Device,Version",
        "LUT_Utilization_percentage\n -> LUT\n",
        row + "\n -> ",
        row + " -> ",
        row + " -> a,b,c",
        row + " -> " + row + ",9",
        "48,0,0,0,1\nworkload_2 -> 48,0,0,0,x\nworkload_2",
        ",10, -> ,0,",
        ",10, -> ,x,",
        ",10, -> ,-10,",
        ",10, -> ,,",
        "41.94331 -> fast",
        "41.94331 -> -1",
        "41.94331 -> 0",
        "41.94331 -> 1e3",
        "48,0,0,0,1\nworkload_2 -> 48,101,0,0,1\nworkload_2",
        "workload_1.cpp, -> ,",
        "workload_1.cpp,xcu200-fsgd2104-2-e -> workload_1.cpp,",
        "41.94331,48 -> 41.94331,x",
        "41.94331 -> 99999999999999999999999999");
  }
}
