import type { Figures } from "./figures.ts";
import type { Lab } from "./lab.ts";
import type { Mark, ReportRow } from "./mark.ts";

/** What is expected of the figures, and whether it is so. */
export interface Claim {
  readonly id: string;
  readonly text: string;
  /** Null where what it speaks of was not measured. */
  readonly holds: (figures: Figures) => boolean | null;
}

export interface Measured {
  readonly marks: readonly Mark[];
  /** Who answered and judged, with which noise, about what: one line each. */
  readonly stated: readonly string[];
  /** The answers themselves, for whoever wants to look. */
  readonly answers?: readonly AnswerLine[];
}

/** One answer as a person looks at it. */
export interface AnswerLine {
  readonly config: string;
  readonly suite: string;
  readonly scene: string;
  readonly item: string;
  readonly type: string;
  readonly question: string;
  readonly expected: string;
  readonly said: string;
  readonly right: boolean;
  readonly why: string;
  /** What it rests on, and what was tried. */
  readonly evidence: readonly string[];
  readonly trace: readonly string[];
  /** Records that it rests on. */
  readonly refs: readonly string[];
  /** What was seen of those, as data URLs. */
  readonly pictures?: readonly string[];
}

/** A claim of a paper as one command: what is switched, on what, what is measured, what should come of it. */
export interface Experiment {
  readonly name: string;
  /** One line: what is compared, and whose table it mirrors. */
  readonly shows: string;
  readonly claims: readonly Claim[];
  /** What the figures do not tell. */
  readonly limits: string;
  measure(lab: Lab): Promise<Measured>;
}

/** What `eval NAME --json` prints. */
export interface ExperimentReport {
  readonly experiment: string;
  readonly seeds: readonly (number | string)[];
  /** Questions or episodes, each counted once whoever was asked. */
  readonly n: number;
  readonly rows: readonly ReportRow[];
  readonly claims: readonly { readonly id: string; readonly text: string; readonly holds: boolean | null }[];
  readonly limits: string;
}
