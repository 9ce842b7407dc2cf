import type { Box, Transform, Vec3 } from "../geometry/index.ts";

/** A sentence about a place and a time, as a captioner on a robot leaves it: there is no picture to look at. */
export interface RecordedCaption {
  /** Position in its recording. */
  readonly index: number;
  readonly text: string;
  /** What it is about lasted from here… */
  readonly timeUs: number;
  /** …until here, exclusive; later than `timeUs`. */
  readonly endUs: number;
  readonly agentId: string;
  readonly mapFrame: string;
  /** Where the robot was. */
  readonly position?: Vec3 | undefined;
  /** Where it was heading, counter-clockwise from +X. */
  readonly yawRad?: number | undefined;
}

/** A thing of somebody else's scene graph. */
export interface GraphObject {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly position: Vec3;
  /** Along the axes of the map. */
  readonly box?: Box | undefined;
  /** The room it is in, where the graph says so. */
  readonly room?: string | undefined;
  readonly place?: string | undefined;
}

/** A point of free space. */
export interface GraphPlace {
  readonly id: string;
  readonly position: Vec3;
  /** To the nearest obstacle. */
  readonly clearanceM?: number | undefined;
  readonly room?: string | undefined;
  readonly neighbours: readonly { readonly to: string; readonly costM: number }[];
}

export interface GraphRoom {
  readonly id: string;
  readonly name: string;
  readonly position: Vec3;
  readonly box?: Box | undefined;
  readonly places: readonly string[];
  /** The building above it. */
  readonly parent?: string | undefined;
}

/** A moment of the robot that built the graph. */
export interface GraphPose {
  readonly timeUs: number;
  readonly worldFromBody: Transform;
}

/**
 * A scene graph as plain data: things, places and rooms with the ids that it gave them. Ids are of the form that
 * records take, unique in the graph, and mean nothing outside it.
 */
export interface RecordedGraph {
  readonly timeUs: number;
  readonly agentId: string;
  readonly mapFrame: string;
  readonly objects: readonly GraphObject[];
  readonly places: readonly GraphPlace[];
  readonly rooms: readonly GraphRoom[];
  readonly path: readonly GraphPose[];
}
