import type { ReadOptions } from "./options.ts";
import type { RecordingInfo, SourceFormat } from "./recording.ts";

/** One topic, file list or column of a source. */
export interface SourceStream {
  readonly name: string;
  readonly type: string;
  /** Null if only reading everything would tell. */
  readonly count: number | null;
  readonly rateHz: number | null;
  /** How it is used; "unused" is listed too. */
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

/** What a source holds and how it will be interpreted, known before it is read. */
export interface SourcePlan {
  readonly path: string;
  readonly format: SourceFormat;
  readonly streams: readonly SourceStream[];
  readonly frames: number;
  readonly captions: number;
  readonly graphs: number;
  readonly startUs: number | null;
  readonly endUs: number | null;
  /** The origin of the poses and their number; null if there are none. */
  readonly poses: { readonly from: string; readonly count: number } | null;
  /**
   * "own": the recording has its own origin, which no other recording need share; absent if the files name their map.
   */
  readonly world?: "own" | undefined;
  /** "from-zero": times count from the recording's own start, whose date is unknown. */
  readonly times?: "from-zero" | undefined;
  /** The depths of its frames contradict its poses: places will be wrong. */
  readonly isMisfit?: boolean | undefined;
  /** How numbers are interpreted: axes, units, clocks. One plain sentence each. */
  readonly conventions: readonly string[];
  /** What is missing, and the consequences. One plain sentence each. */
  readonly missing: readonly string[];
}

/** For people: how times were made up for files that only number their frames. */
export function countedTimes(
  what: string,
  isPaced: boolean,
  { startUs, frameIntervalUs }: ReadOptions,
): string {
  const from =
    startUs === undefined ? "1970, since nobody said when it began (--start)" : "the start that was given";
  const how =
    frameIntervalUs !== undefined
      ? `one every ${frameIntervalUs / 1e6} s`
      : isPaced
        ? "30 a second, and slower where the camera moves farther than a hand carries it"
        : "30 a second";
  return `No times in the files: ${what} count as ${how} (--interval), from ${from}.`;
}

/** A sentence with the number of frames that lack something. */
export function without(what: "pose" | "depth", count: number, noun: string): string {
  return count === 1 ? `1 ${noun} has no ${what}.` : `${count} ${noun}s have no ${what}.`;
}

/** The rate from a count over a span; null if undefined. */
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

/** What one of our own recordings says about poses, for the plan and its list of missing parts. */
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
