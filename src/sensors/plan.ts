import type { ReadOptions } from "./options.ts";
import type { RecordingInfo, SourceFormat } from "./recording.ts";

/** One topic, file list or column of a source. */
export interface SourceStream {
  readonly name: string;
  readonly type: string;
  /** Null where only reading everything would tell. */
  readonly count: number | null;
  readonly rateHz: number | null;
  /** What it is read as; "unused" is said too. */
  readonly use:
    | "colour"
    | "depth"
    | "cloud"
    | "intrinsics"
    | "poses"
    | "captions"
    | "graph"
    | "frames"
    | "unused";
}

/** What a source holds and how it will be understood, known before it is read. */
export interface SourcePlan {
  readonly path: string;
  readonly format: SourceFormat;
  readonly streams: readonly SourceStream[];
  readonly frames: number;
  readonly captions: number;
  readonly graphs: number;
  readonly startUs: number | null;
  readonly endUs: number | null;
  /** Where poses come from and how many there are; null when there are none. */
  readonly poses: { readonly from: string; readonly count: number } | null;
  /** How numbers are read: axes, units, clocks. One plain sentence each. */
  readonly conventions: readonly string[];
  /** What is not there, and what follows from that. One plain sentence each. */
  readonly missing: readonly string[];
}

/** How times were made up where files only number their frames, for a person. */
export function countedTimes(what: string, { startUs, frameIntervalUs = 33_333 }: ReadOptions): string {
  const from =
    startUs === undefined ? "1970, since nobody said when it began (--start)" : "the start that was given";
  const how = frameIntervalUs === 33_333 ? "30 a second" : `one every ${frameIntervalUs / 1e6} s`;
  return `No times in the files: ${what} count as ${how} (--interval), from ${from}.`;
}

/** How many lack something, in a sentence. */
export function without(what: "pose" | "depth", count: number, noun: string): string {
  return count === 1 ? `1 ${noun} has no ${what}.` : `${count} ${noun}s have no ${what}.`;
}

/** The rate that a count over a span makes; null when it says nothing. */
export function rateOf(count: number | null, startUs: number | null, endUs: number | null): number | null {
  if (count === null || count < 2 || startUs === null || endUs === null || endUs <= startUs) return null;
  return Math.round(((count - 1) / (endUs - startUs)) * 1e9) / 1e3;
}

/** The part of a plan that a reader's info repeats. */
export function infoOf(plan: SourcePlan, agents: readonly string[], edges = 0): RecordingInfo {
  return {
    version: 1,
    frames: plan.frames,
    edges,
    startUs: plan.startUs,
    endUs: plan.endUs,
    agents: [...agents],
    ...(plan.captions > 0 && { captions: plan.captions }),
    ...(plan.graphs > 0 && { graphs: plan.graphs }),
    source: `${plan.format}: ${plan.path.split("/").at(-1)}`.slice(0, 4_096),
  };
}

/** What a recording of our own says about poses: in the plan, and among what is missing. */
export function ownPoses({ frames, posed = frames }: RecordingInfo): Pick<SourcePlan, "poses" | "missing"> {
  return {
    poses: posed > 0 ? { from: "the frames themselves", count: posed } : null,
    missing:
      posed === 0 && frames > 0
        ? ["No poses."]
        : posed < frames
          ? [without("pose", frames - posed, "frame")]
          : [],
  };
}
