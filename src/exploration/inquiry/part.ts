import type { Box, Vec3 } from "../../geometry/index.ts";
import type { Value } from "../../reasoning/index.ts";
import type { Need } from "./needs.ts";

/** Below this probability a remembered thing is not worth a drive. */
const CANDIDATE_P = 0.15;

/** A remembered thing that may satisfy a need. */
export interface Candidate {
  readonly stateId: string;
  readonly name: string;
  readonly position: Vec3;
  readonly box: Box;
  readonly roomId: string | undefined;
  /** Probability that it is the intended thing and still there. */
  readonly p: number;
  readonly lastSeenUs: number;
}

/** The progress of one part of the question. */
export interface Part {
  readonly need: Need;
  /** `found`: known by now. `absent`: every possible place was observed. `needless`: it cannot change the answer. */
  readonly state: "open" | "found" | "absent" | "needless";
  readonly p: number;
  readonly candidates: readonly Candidate[];
  /** Rooms where it usually is at this hour, from observations on other days; empty if no habit is known. */
  readonly usual: readonly string[];
}

/** The things in a value, each with its position. */
export function candidatesIn(value: Value | undefined): Candidate[] {
  const things =
    value?.kind === "things"
      ? [...value.things, ...(value.elsewhere ?? []), ...(value.rivals ?? [])]
      : value?.kind === "unknown"
        ? [...(value.choices ?? []), ...(value.goal ? [value.goal] : [])]
        : [];
  return things.flatMap(({ state, name, position, box, roomId, fit }): Candidate[] =>
    position === undefined || box === undefined || fit < CANDIDATE_P
      ? []
      : [{ stateId: state.id, name, position, box, roomId, p: fit, lastSeenUs: state.validFromUs }],
  );
}
