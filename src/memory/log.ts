import type { FrameEdge, TimeUs } from "../geometry/index.ts";
import { LociError, type RecordKind, type Sighting, type Stored } from "../schema/core.ts";

/** The memory that wrote a batch first, and its time there: a hybrid clock, never behind what that memory had heard. */
export interface Origin {
  readonly memory: string;
  readonly atUs: TimeUs;
}

/**
 * How far a stamp may be ahead of the clock of the memory that it arrives at, in microseconds: an hour, as when one of
 * two clocks missed the change to summer time. Clocks without a time server drift by minutes.
 */
export const MAX_AHEAD_US = 3_600_000_000;

/**
 * The time that counts when two versions are compared. A stamp further ahead than clocks may be would win over all others
 * for as long, so the time of its arrival counts instead.
 */
export function countedUs(atUs: TimeUs, arrivedUs: TimeUs): TimeUs {
  return atUs > arrivedUs + MAX_AHEAD_US ? arrivedUs : atUs;
}

const DISOWNED = "disowned-";

/** Under which name the batches go on that were spoken in a memory's name from a commit on, and not by it. */
export function disownedName(memory: string, commitUs: TimeUs): string {
  return `${DISOWNED}${memory.slice(0, 32)}-${commitUs}`;
}

/** A memory's own writes are its own. */
export function checkDisowned(memory: string, own: string): void {
  if (memory === own)
    throw new LociError("invalid-input", "a memory cannot disown itself; expected the id of another one");
}

/** Whether a name stands for disowned batches: what they say is believed only until another memory contradicts it. */
export function isDisowned(memory: string): boolean {
  return memory.startsWith(DISOWNED);
}

/** The commits of a memory as another one can take them (docs/decisions/0019). It sees everything: for owners only. */
export interface MemoryLog {
  /** By which this memory is known to others. */
  readonly memory: string;
  /** How far this memory has what others wrote, and its own time under its own name. */
  heard(): Promise<ReadonlyMap<string, TimeUs>>;
  /** The memory time of the first commit that a memory which has heard this much may lack; null if there is none. */
  firstUnheard(heard: ReadonlyMap<string, TimeUs>): Promise<TimeUs | null>;
  /** Whole batches from a memory time on, in the order in which they were written here. */
  batches(fromUs: TimeUs, signal?: AbortSignal): AsyncIterable<LoggedBatch>;
  /** The believed version of each of these records, and its origin; undefined where there is none. */
  heads(ids: readonly string[]): Promise<(LogHead | undefined)[]>;
  /** The memory that first placed each of these frames; absent where none did. */
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
  /** Blobs that its records name; `isFirst` if no earlier commit names them. */
  readonly blobs: readonly { readonly ref: string; readonly isFirst: boolean }[];
  readonly imageVectors: readonly { readonly blob: string; readonly vector: Float32Array }[];
}

export interface LogHead {
  readonly version: number;
  readonly kind: RecordKind;
  /** The memory that wrote the oldest version that is left. */
  readonly author: string;
  /** The origin of the newest version that is not a rewriting of another one; its time decides. */
  readonly origin: Origin;
  /** Whether the believed version is such a rewriting. */
  readonly derived: boolean;
}
