import type { Box, Vec3 } from "../../geometry/index.ts";
import type { Need } from "./needs.ts";

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
