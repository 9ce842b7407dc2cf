import type { Box, Transform, Vec3 } from "../geometry/index.ts";

/** A sentence about a place and a time from a captioner on a robot, without a picture. */
export interface RecordedCaption {
  /** Position in its recording. */
  readonly index: number;
  readonly text: string;
  /** Start of the span it describes. */
  readonly timeUs: number;
  /** End of the span, exclusive; later than `timeUs`. */
  readonly endUs: number;
  readonly agentId: string;
  readonly mapFrame: string;
  /** The robot's position. */
  readonly position?: Vec3 | undefined;
  /** The robot's heading, counter-clockwise from +X. */
  readonly yawRad?: number | undefined;
}

/** A thing of an external scene graph. */
export interface GraphObject {
  readonly id: string;
  readonly name: string;
  readonly category: string;
  readonly position: Vec3;
  /** Along the axes of the map. */
  readonly box?: Box | undefined;
  /** Its room, if the graph says so. */
  readonly room?: string | undefined;
  readonly place?: string | undefined;
}

/** A point of free space. */
export interface GraphPlace {
  readonly id: string;
  readonly position: Vec3;
  /** Distance to the nearest obstacle. */
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
  /** The building that contains it. */
  readonly parent?: string | undefined;
}

/** One pose of the robot that built the graph. */
export interface GraphPose {
  readonly timeUs: number;
  readonly worldFromBody: Transform;
}

/**
 * A scene graph as plain data: things, places and rooms with their ids in the graph. Ids have the form that records
 * use, are unique in the graph, and mean nothing outside it.
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
