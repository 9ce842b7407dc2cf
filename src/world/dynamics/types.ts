import type { TimeUs, Vec3 } from "../../geometry/index.ts";
import type { FluentName, Placement } from "../house/types.ts";

/**
 * An event. Unseen moves have `who: null`: the thing is in its old place before `timeUs` and in the new one from then
 * on. A carry takes from `timeUs` to `endUs`, and the thing moves with the person in between.
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
  /** End of the event; equal to `timeUs` for instantaneous ones. */
  readonly endUs: TimeUs;
  /** Id of the thing concerned; for walk, sit and stand the person. */
  readonly thing: string;
  /** The other of a twin swap, or the seat. */
  readonly other?: string;
  /** Id of the person, null if the event is unseen. */
  readonly who: string | null;
  readonly fluent?: FluentName;
  /** Placement or fluent value before and after. */
  readonly from?: Placement | string;
  readonly to?: Placement | string;
}

/** A time span in which a thing stays in place or moves along a path. */
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
