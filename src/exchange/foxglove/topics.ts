import schemas from "@foxglove/schemas/jsonschema.js";

/** The schemas of the messages, by the names that viewers know. */
export const SCHEMAS = {
  "foxglove.SceneUpdate": schemas.SceneUpdate,
  "foxglove.PointCloud": schemas.PointCloud,
  "foxglove.FrameTransform": schemas.FrameTransform,
  "foxglove.FrameTransforms": schemas.FrameTransforms,
  "foxglove.CompressedImage": schemas.CompressedImage,
  "foxglove.Log": schemas.Log,
} as const;

export type SchemaName = keyof typeof SCHEMAS;

/** One outgoing message: JSON, and the world time at which it holds. */
export interface Told {
  readonly topic: string;
  readonly schema: SchemaName;
  readonly timeUs: number;
  readonly json: string;
}

export const TOPICS = {
  rooms: "/loci/rooms",
  things: "/loci/things",
  people: "/loci/people",
  surface: "/loci/surface",
  frames: "/loci/frames",
  events: "/loci/events",
} as const;

/** The frame and the topics of a camera. */
export function cameraTopics(author: string, sensorId: string) {
  const frame = `${author}/${sensorId}`;
  return { frame, pose: `/loci/${frame}/pose`, image: `/loci/${frame}/image` };
}
