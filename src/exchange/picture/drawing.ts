import type { Point2 } from "../../geometry/index.ts";

/** What a picture shows of a memory at a time, or of any other rooms and things: plain shapes, in the world. */
export interface Drawing {
  readonly title: string;
  readonly subtitle?: string;
  /** Heights of the floors, lowest first; never empty. */
  readonly floorsM: readonly number[];
  readonly rooms: readonly DrawnRoom[];
  readonly things: readonly DrawnThing[];
  readonly moves: readonly DrawnMove[];
  readonly people: readonly DrawnPath[];
  readonly agents: readonly DrawnPath[];
  readonly ground: readonly DrawnGround[];
  /** Passages between rooms; drawn as gaps in the walls. */
  readonly openings: readonly DrawnOpening[];
}

export interface DrawnRoom {
  readonly name: string;
  readonly ring: readonly Point2[];
  readonly floor: number;
}

export interface DrawnOpening {
  readonly from: Point2;
  readonly to: Point2;
  readonly floor: number;
}

export interface DrawnThing {
  readonly name: string;
  /** Corners of its outline on the floor. */
  readonly ring: readonly Point2[];
  readonly floor: number;
  /** It was there, and was later observed to be absent. */
  readonly isGone: boolean;
  /** Hangs above people's heads, such as a lamp: drawn in outline only. */
  readonly isOverhead: boolean;
}

export interface DrawnMove {
  readonly name: string;
  readonly from: Point2;
  readonly to: Point2;
  readonly floor: number;
}

/** A trajectory; broken where the floor changes or the path is unknown. */
export interface DrawnPath {
  readonly name: string;
  readonly legs: readonly { readonly floor: number; readonly points: readonly Point2[] }[];
}

/** Types of ground cell; the first three as in the map. One can walk under a lintel. */
export const GROUND = { unknown: 0, free: 1, occupied: 2, wall: 3, lintel: 4 } as const;

/** The known ground of one floor: row-major cells, from the lower corner. */
export interface DrawnGround {
  readonly floor: number;
  readonly originM: Point2;
  readonly cellM: number;
  readonly columns: number;
  readonly rows: number;
  readonly cells: Uint8Array;
}
