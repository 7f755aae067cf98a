package dev.muster.core.dpfair;

/** Says whether a task may run on two tiles at one time. */
public enum SelfParallel {
  /** Never, as DP-Fair requires: a task is one sequence of work. The default. */
  FORBID,
  /** Yes: its data is divided and the parts are independent, as in the paper. */
  ALLOW
}
