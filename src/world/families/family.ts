import type { Random } from "../../geometry/index.ts";
import type { Trajectory } from "../agents/index.ts";
import type { Timeline } from "../dynamics/index.ts";

export const FAMILIES = ["house", "warehouse", "campus"] as const;
export type FamilyName = (typeof FAMILIES)[number];

/** What a world is made from; what a family has no use for it leaves unread. */
export interface WorldOptions {
  readonly seed: number | string;
  /** Its life, of which a recording may show a part. */
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

/** One robot's way through a recording. */
export interface TourRequest {
  readonly random: Random;
  readonly startUs: number;
  readonly endUs: number;
  readonly tiltRad: number;
  /** 0 to 1: where along the usual way it begins, so that several robots spread out. */
  readonly phase: number;
}

export interface World {
  readonly timeline: Timeline;
  tour(request: TourRequest): Trajectory;
}

/**
 * A kind of world: what stands in it, what happens there and how robots go through it. All families give the same
 * plain data (`House`, `Timeline`, `Trajectory`), so that cameras, noise, recordings, questions and truth are one.
 */
export interface Family {
  /** How its robots look, where nobody says otherwise. */
  readonly camera: { readonly tiltDeg: number; readonly horizontalFovDeg: number };
  /** How much of a household robot's drift its robots have: who drives kilometres has GNSS or a LiDAR's SLAM. */
  readonly drift: number;
  make(options: WorldOptions): World;
}
