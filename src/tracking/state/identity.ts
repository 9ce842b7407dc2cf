import type { Vec3 } from "../../geometry/index.ts";
import type { Look } from "./look.ts";

export type ThingType = "object" | "mover" | "person";

/** What the memory was last told about a thing: only a difference from it is worth a version. */
export interface Written {
  readonly key: string;
  readonly submap: string | undefined;
  readonly p: Vec3 | undefined;
  readonly diagonalM: number;
  readonly atUs: number;
}

/** Which track a stay belongs to, whether it is believed and over, and what the memory has heard of it. */
export class Identity<T> {
  trackId: string;
  /** The track it had before a move was found, to go back to when that turns out wrong. */
  readonly ownTrackId: string;
  isConfirmed = false;
  /** Known from an earlier run, or from another who writes meanwhile. */
  isStored = false;
  /** Known before this run began. */
  wasKnown = false;
  /** Set when the stay is over. */
  endedUs: number | undefined;
  /** Looks not written yet: all of them while tentative or contrary, else at most the last one. */
  pending: Look[] = [];
  lastWrittenUs = -Infinity;
  written: Written | undefined;

  /** Records that turned out to be of this thing and were merged into it. */
  absorbed: T[] = [];

  constructor(trackId: string) {
    this.trackId = trackId;
    this.ownTrackId = trackId;
  }
}
