import type { Vec3 } from "../../geometry/index.ts";
import type { Look } from "./look.ts";

export type ThingType = "object" | "mover" | "person";

/** The last written version of a thing: a new version is written only if it differs. */
export interface Written {
  readonly key: string;
  readonly submap: string | undefined;
  readonly p: Vec3 | undefined;
  readonly diagonalM: number;
  readonly atUs: number;
}

/** The track of a stay, whether it is confirmed and over, and its last written version. */
export class Identity<T> {
  trackId: string;
  /** The track it had before a move was found, restored if the move turns out wrong. */
  readonly ownTrackId: string;
  isConfirmed = false;
  /** Known from an earlier run, or from another writer. */
  isStored = false;
  /** Known before this run began. */
  wasKnown = false;
  /** Set when the stay is over. */
  endedUs: number | undefined;
  /** Sightings not written yet: all of them while tentative or contested, otherwise at most the last one. */
  pending: Look[] = [];
  lastWrittenUs = -Infinity;
  written: Written | undefined;

  /** Records of this thing that were merged into it. */
  absorbed: T[] = [];

  constructor(trackId: string) {
    this.trackId = trackId;
    this.ownTrackId = trackId;
  }
}
