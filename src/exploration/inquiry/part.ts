import type { Box, Vec3 } from "../../geometry/index.ts";
import type { Value } from "../../reasoning/index.ts";
import type { Need } from "./needs.ts";

/** Below this a remembered thing is no reason to go anywhere. */
const CANDIDATE_P = 0.15;

/** A remembered thing that may be what a need asks for. */
export interface Candidate {
  readonly stateId: string;
  readonly name: string;
  readonly position: Vec3;
  readonly box: Box;
  readonly roomId: string | undefined;
  /** How likely it is the one meant, and there. */
  readonly p: number;
  readonly lastSeenUs: number;
}

/** How far one part of the question has come. */
export interface Part {
  readonly need: Need;
  /** `found`: known by now. `absent`: everywhere it could be was looked at. `needless`: it would change nothing. */
  readonly state: "open" | "found" | "absent" | "needless";
  readonly p: number;
  readonly candidates: readonly Candidate[];
  /** Rooms in which it usually is at this hour, by what was seen on other days; empty where nothing was learnt. */
  readonly usual: readonly string[];
}

/** The things that a value names, with a place each. */
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
