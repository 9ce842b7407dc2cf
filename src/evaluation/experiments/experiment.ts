import type { Figures } from "./figures.ts";
import type { Lab } from "./lab.ts";
import type { Mark, ReportRow } from "./mark.ts";

/** An expectation about the figures, and whether it holds. */
export interface Claim {
  readonly id: string;
  readonly text: string;
  /** Null if its figures were not measured. */
  readonly holds: (figures: Figures) => boolean | null;
}

export interface Measured {
  readonly marks: readonly Mark[];
  /** The models, the judge, the noise and the subject: one line each. */
  readonly stated: readonly string[];
  /** The answers themselves, for inspection. */
  readonly answers?: readonly AnswerLine[];
}

/** One answer, as shown to people. */
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
  /** Its evidence, and what was tried. */
  readonly evidence: readonly string[];
  readonly trace: readonly string[];
  /** Records in its evidence. */
  readonly refs: readonly string[];
  /** Pictures of those, as data URLs. */
  readonly pictures?: readonly string[];
}

/** A paper's claim as one command: what is switched, on which data, what is measured, and the expected outcome. */
export interface Experiment {
  readonly name: string;
  /** One line: what is compared, and whose table it mirrors. */
  readonly shows: string;
  readonly claims: readonly Claim[];
  /** What the figures do not show. */
  readonly limits: string;
  measure(lab: Lab): Promise<Measured>;
}

/** What `eval NAME --json` prints. */
export interface ExperimentReport {
  readonly experiment: string;
  readonly seeds: readonly (number | string)[];
  /** Questions or episodes, each counted once whatever the configuration. */
  readonly n: number;
  readonly rows: readonly ReportRow[];
  readonly claims: readonly { readonly id: string; readonly text: string; readonly holds: boolean | null }[];
  readonly limits: string;
}
