/**
 * One measured number: of one configuration, on one question (or episode) of one scene. All results of an experiment
 * are computed from these, so that intervals can draw scenes and differences can be paired.
 */
export interface Mark {
  readonly config: string;
  readonly suite: string;
  readonly metric: string;
  readonly scene: string;
  /** The question: the same item under another configuration makes a pair. */
  readonly item: string;
  readonly value: number;
  /** Parts of the suite it counts in, besides "all". */
  readonly slices: readonly string[];
  /** The kind of question, for means over kinds. */
  readonly type?: string | undefined;
}

/** One figure of a report. */
export interface ReportRow {
  readonly config: string;
  readonly suite: string;
  readonly slice: string;
  readonly metric: string;
  readonly value: number;
  readonly low: number;
  readonly high: number;
}
