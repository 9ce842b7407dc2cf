import type { FrameEdge, TimeUs } from "../geometry/index.ts";
import type { RecordKind, Sighting, Stored } from "../schema/core.ts";

/** The memory that wrote something first, and its time there: a hybrid clock, never behind what that memory had heard. */
export interface Origin {
  readonly memory: string;
  readonly atUs: TimeUs;
}

/**
 * How far a stamp may be ahead of the clock of the memory that it arrives at, in microseconds: an hour, as where one of two
 * clocks has not heard of summer time. Clocks without a time server drift by minutes.
 */
export const MAX_AHEAD_US = 3_600_000_000;

/**
 * The time that counts when two versions are compared. A stamp further ahead than clocks may be would win over all others
 * for as long, so the time of its arrival counts instead.
 */
export function countedUs(atUs: TimeUs, arrivedUs: TimeUs): TimeUs {
  return atUs > arrivedUs + MAX_AHEAD_US ? arrivedUs : atUs;
}

/** The commits of a memory as another one can take them (docs/decisions/0019). It sees everything: for owners only. */
export interface MemoryLog {
  /** By which this memory is known to others. */
  readonly memory: string;
  /** How far this memory has what others wrote, and its own time under its own name. */
  heard(): Promise<ReadonlyMap<string, TimeUs>>;
  /** The memory time of the first commit that somebody who has heard so far may lack; null if there is none. */
  firstUnheard(heard: ReadonlyMap<string, TimeUs>): Promise<TimeUs | null>;
  /** Whole batches from a memory time on, in the order in which they were written here. */
  batches(fromUs: TimeUs, signal?: AbortSignal): AsyncIterable<LoggedBatch>;
  /** What is believed of these, by which version, and whose it is; undefined where there is none. */
  heads(ids: readonly string[]): Promise<(LogHead | undefined)[]>;
  /** Which memory first said where each of these frames is; absent where none did. */
  frameAuthors(frames: readonly string[]): Promise<ReadonlyMap<string, string>>;
  blob(ref: string): Promise<Uint8Array | undefined>;
  forgotten(): Promise<readonly { readonly id: string; readonly reason: string }[]>;
  close(): Promise<void>;
}

/** One commit, as it can be written elsewhere. */
export interface LoggedBatch {
  readonly from: Origin;
  readonly derived: boolean;
  readonly commitUs: TimeUs;
  readonly records: readonly Stored[];
  readonly sightings: readonly Sighting[];
  readonly frames: readonly FrameEdge[];
  /** Blobs that its records name, and those among them that no earlier commit does. */
  readonly blobs: readonly { readonly ref: string; readonly isFirst: boolean }[];
  readonly imageVectors: readonly { readonly blob: string; readonly vector: Float32Array }[];
}

export interface LogHead {
  readonly version: number;
  readonly kind: RecordKind;
  /** The memory that wrote the oldest version that is left. */
  readonly author: string;
  /** Of the newest version that is news: not a rewriting of another one. Its time is the one that counts. */
  readonly origin: Origin;
  /** Whether what is believed is such a rewriting. */
  readonly derived: boolean;
}
