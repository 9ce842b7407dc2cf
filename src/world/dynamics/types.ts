import type { TimeUs, Vec3 } from "../../geometry/index.ts";
import type { FluentName, Placement } from "../house/types.ts";

/**
 * Something that happened. Moves by nobody in sight have `who: null`: the thing is here before `timeUs` and there
 * from it on. A carry takes from `timeUs` to `endUs`, and the thing goes with the person in between.
 */
export interface WorldEvent {
  readonly id: string;
  readonly type:
    | "move"
    | "carry"
    | "remove"
    | "add"
    | "twin-swap"
    | "open"
    | "close"
    | "toggle"
    | "walk"
    | "sit"
    | "stand";
  readonly timeUs: TimeUs;
  /** When it is over; equal to `timeUs` for what happens at once. */
  readonly endUs: TimeUs;
  /** Thing id it happened to; for walk, sit and stand the person. */
  readonly thing: string;
  /** The other of a twin swap, or the seat. */
  readonly other?: string;
  /** Thing id of the person, null when nobody is seen doing it. */
  readonly who: string | null;
  readonly fluent?: FluentName;
  /** Placement or fluent value before and after. */
  readonly from?: Placement | string;
  readonly to?: Placement | string;
}

/** A stretch of time in which a thing stays where it is, or walks along a path. */
export interface Segment {
  readonly fromUs: TimeUs;
  /** Null for the last. */
  readonly toUs: TimeUs | null;
  /** Undefined while the thing is out of the house. */
  readonly placement: Placement | undefined;
  /** Of the middle of its base, for a mover; times are whole microseconds, the first is fromUs. */
  readonly path?: readonly PathPoint[];
  readonly reason: string;
}

export interface PathPoint {
  readonly timeUs: TimeUs;
  readonly position: Vec3;
}

export interface FluentChange {
  readonly timeUs: TimeUs;
  readonly value: string;
}

export interface History {
  readonly segments: readonly Segment[];
  readonly fluents: { readonly [name in FluentName]?: readonly FluentChange[] };
}

export interface TimelineOptions {
  readonly seed: number | string;
  readonly startUs: TimeUs;
  readonly durationUs: number;
  /** Events per hour in the whole house, walks not counted; default 30, 0 is a static world. */
  readonly rate?: number;
  /** Share of moves that a person carries through the house; the rest happen unseen. Default 0.4. */
  readonly carriedShare?: number;
  /** People in the house, at most as many as live there; default 1. */
  readonly people?: number;
}
