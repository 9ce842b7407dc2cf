import type { AnswerRecord, Budget, PolicyName, RunEnd, RunLine, Switches } from "../schema/index.ts";
import type { Body, Stand } from "../sensors/index.ts";
import type { Guidance } from "./guide/guidance.ts";
import type { DirectionJudge } from "./guide/vision.ts";
import type { Site } from "./site.ts";

export interface ExploreOptions {
  /** The question; for `navigate`, the thing to go to: "the blue mug". */
  readonly question: string;
  readonly options?: readonly string[] | undefined;
  readonly task?: "answer" | "navigate" | undefined;
  readonly site: Site;
  /** The first body's agent is asked; the others help. */
  readonly bodies: readonly Body[];
  readonly budget: Budget;
  readonly policy?: PolicyName | undefined;
  readonly switches?: Partial<Switches> | undefined;
  readonly mode?: "loci" | "paper" | undefined;
  readonly seed?: number | string | undefined;
  /** Stands that an oracle visits in order. */
  readonly route?: readonly Stand[] | undefined;
  /** The model that takes part on the way, and the system of the final answer; if absent, our rules do all of it. */
  readonly guidance?: Guidance | undefined;
  /** A vision model that judges directions for explore-eqa; without it the room type is used. */
  readonly judge?: DirectionJudge | undefined;
  readonly place?: { readonly family: string; readonly seed?: string; readonly noise?: number } | undefined;
  /** How long a body may take to answer a call, by our clock. */
  readonly answerMs?: number | undefined;
  /** Called with every line of the run as it happens. */
  readonly onLine?: ((line: RunLine) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The result of a run. */
export interface Explored {
  readonly end: RunEnd;
  /** One sentence that says why it ended. */
  readonly why: string;
  readonly answer: AnswerRecord | null;
  readonly steps: number;
  /** By agent. */
  readonly pathM: Readonly<Record<string, number>>;
  readonly seconds: number;
  /** Share of each room that was observed closely enough: proof of the search. */
  readonly looked: readonly { readonly room: string; readonly share: number }[];
}
