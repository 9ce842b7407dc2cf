import type { Point2 } from "../../geometry/index.ts";

/** What a picture shows of a memory at a time, or of anything else that has rooms and things: plain shapes, in the world. */
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
  /** Where one walks from room to room; drawn as gaps in the walls. */
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
  /** Gone: it was there, was looked for, and was not there any more. */
  readonly isGone: boolean;
  /** Hangs above people's heads, as lamps do: drawn in outline only. */
  readonly isOverhead: boolean;
}

export interface DrawnMove {
  readonly name: string;
  readonly from: Point2;
  readonly to: Point2;
  readonly floor: number;
}

/** Where somebody went; broken where the floor changes or nobody knows. */
export interface DrawnPath {
  readonly name: string;
  readonly legs: readonly { readonly floor: number; readonly points: readonly Point2[] }[];
}

/** What a cell of the ground is; the first three as the map has them. Under a lintel one can walk. */
export const GROUND = { unknown: 0, free: 1, occupied: 2, wall: 3, lintel: 4 } as const;

/** What is known of the ground of one floor: row-major cells, from the lower corner. */
export interface DrawnGround {
  readonly floor: number;
  readonly originM: Point2;
  readonly cellM: number;
  readonly columns: number;
  readonly rows: number;
  readonly cells: Uint8Array;
}
