import type { Random } from "../../geometry/index.ts";
import type { Trajectory } from "../agents/index.ts";
import type { Timeline } from "../dynamics/index.ts";

export const FAMILIES = ["house", "warehouse", "campus"] as const;
export type FamilyName = (typeof FAMILIES)[number];

/** The options of a world; a family ignores those it does not use. */
export interface WorldOptions {
  readonly seed: number | string;
  /** The time span of its life, of which a recording may show a part. */
  readonly startUs: number;
  readonly durationUs: number;
  /** Things that happen in an hour. */
  readonly rate?: number | undefined;
  readonly people?: number | undefined;
  /** Rooms, aisles or blocks. */
  readonly rooms?: number | undefined;
  readonly floors?: number | undefined;
  readonly objects?: number | undefined;
}

/** One robot's tour through a recording. */
export interface TourRequest {
  readonly random: Random;
  readonly startUs: number;
  readonly endUs: number;
  readonly tiltRad: number;
  /** 0 to 1: where along the usual tour it begins, so that several robots spread out. */
  readonly phase: number;
}

export interface World {
  readonly timeline: Timeline;
  tour(request: TourRequest): Trajectory;
}

/**
 * A kind of world: its contents, its events and the robots' tours. All families produce the same plain data (`House`,
 * `Timeline`, `Trajectory`), so that cameras, noise, recordings, questions and truth are shared.
 */
export interface Family {
  /** The default camera of its robots. */
  readonly camera: { readonly tiltDeg: number; readonly horizontalFovDeg: number };
  /** Its robots' drift relative to a household robot's: robots that drive kilometres have GNSS or LiDAR SLAM. */
  readonly drift: number;
  make(options: WorldOptions): World;
}
