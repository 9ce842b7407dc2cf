import type {
  CompressedImage,
  FrameTransform,
  FrameTransforms,
  Log,
  PointCloud,
  SceneEntity,
} from "@foxglove/schemas";
import type { FrameGraph, Transform, Vec3 } from "../../geometry/index.ts";
import { IDENTITY, polygonCentroid } from "../../geometry/index.ts";
import { type RecordOf, WORLD_FRAME } from "../../schema/core.ts";
import type { CloudPoints } from "../world/cloud.ts";
import { type Colour, colourOf, colourOfName } from "../world/colours.ts";
import { triangulate } from "../world/triangulate.ts";
import type { WorldRoom, WorldThing } from "../world/world.ts";

/** As JSON has it: bytes are base64. */
type Wire<T> = { [K in keyof T]: T[K] extends Uint8Array ? string : T[K] };
/** An entity without its time, as text: a box is sent many times, and only its time differs. */
export type EntityText = string;

const DELETE_ALL = 1;
const LINE_LOOP = 1;
const UINT8 = 1;
const FLOAT32 = 7;
const INFO = 2;
const LABEL_M = 0.12;
const ROOM_LABEL_M = 0.35;
const POINT_BYTES = 16;
/** A person who is not seen again disappears after this. */
const SEEN_SEC = 3;

/** A complete scene: a receiver needs no other message. */
export function sceneMessage(entities: Iterable<EntityText>, timeUs: number): string {
  const deletion = { timestamp: timeOf(timeUs), type: DELETE_ALL, id: "" };
  return `{"deletions":[${JSON.stringify(deletion)}],"entities":[${stamped(entities, timeUs)}]}`;
}

/** People where they were just seen; they expire by themselves. */
export function peopleMessage(
  people: Iterable<{ readonly thing: WorldThing; readonly at: Vec3 }>,
  timeUs: number,
): string {
  const entities = Array.from(people, ({ thing, at }) =>
    entityText({
      id: thing.trackId,
      lifetime: { sec: SEEN_SEC, nsec: 0 },
      metadata: metadataOf(thing),
      cubes: [
        { pose: poseOf({ ...IDENTITY, p: at }), size: thing.sizeM, color: colour(colourOf(thing), 0.8) },
      ],
      texts: [labelOf(thing.name, { ...at, z: at.z + thing.sizeM.z / 2 + LABEL_M }, LABEL_M)],
    }),
  );
  return `{"deletions":[],"entities":[${stamped(entities, timeUs)}]}`;
}

function stamped(entities: Iterable<EntityText>, timeUs: number): string {
  const time = JSON.stringify(timeOf(timeUs));
  return Array.from(entities, (text) => `{"timestamp":${time},${text.slice(1)}`).join(",");
}

export function thingEntity(thing: WorldThing): EntityText {
  const { worldFromBox, sizeM, name, id } = thing;
  const top = { ...worldFromBox.p, z: worldFromBox.p.z + sizeM.z / 2 + LABEL_M };
  return entityText({
    id,
    metadata: metadataOf(thing),
    cubes: [{ pose: poseOf(worldFromBox), size: sizeM, color: colour(colourOf(thing), 0.75) }],
    texts: [labelOf(name, top, LABEL_M)],
  });
}

export function roomEntity({ id, name, floor, ring, areaM2 }: WorldRoom): EntityText {
  const tint = colourOfName(name);
  const middle = { ...polygonCentroid({ points: ring }), z: ring[0]!.z + 0.05 };
  const indices = triangulate(ring);
  return entityText({
    id,
    metadata: pairsOf({ id, room: name, floor, areaM2: areaM2.toFixed(1) }),
    lines: [
      {
        type: LINE_LOOP,
        pose: poseOf(IDENTITY),
        thickness: 0.05,
        scale_invariant: false,
        points: [...ring],
        color: colour([0.25, 0.28, 0.33], 1),
        colors: [],
        indices: [],
      },
    ],
    triangles:
      indices.length === 0
        ? []
        : [{ pose: poseOf(IDENTITY), points: [...ring], color: colour(tint, 0.25), colors: [], indices }],
    texts: [labelOf(name, middle, ROOM_LABEL_M)],
  });
}

/** Points in the world: 16 bytes each, three floats for the position and four bytes for the colour. */
export function cloudMessage({ count, positions, colours }: CloudPoints, timeUs: number): string {
  const data = Buffer.alloc(count * POINT_BYTES, 255);
  for (let i = 0; i < count; i++) {
    for (let axis = 0; axis < 3; axis++)
      data.writeFloatLE(positions[i * 3 + axis]!, i * POINT_BYTES + axis * 4);
    data.set(colours.subarray(i * 3, i * 3 + 3), i * POINT_BYTES + 12);
  }
  const message: Wire<PointCloud> = {
    timestamp: timeOf(timeUs),
    frame_id: WORLD_FRAME,
    pose: poseOf(IDENTITY),
    point_stride: POINT_BYTES,
    fields: [
      ...["x", "y", "z"].map((name, n) => ({ name, offset: n * 4, type: FLOAT32 })),
      ...["red", "green", "blue", "alpha"].map((name, n) => ({ name, offset: 12 + n, type: UINT8 })),
    ],
    data: data.toString("base64"),
  };
  return JSON.stringify(message);
}

export function transformMessage(child: string, worldFromChild: Transform, timeUs: number): string {
  return JSON.stringify(transformOf(child, worldFromChild, timeUs));
}

/** The poses of all static frames of the map. */
export function framesMessage(graph: FrameGraph, timeUs: number): string {
  const message: FrameTransforms = {
    transforms: graph.frames().flatMap((frame) => {
      const worldFromFrame = frame === WORLD_FRAME ? undefined : graph.resolve(WORLD_FRAME, frame);
      return worldFromFrame ? [transformOf(frame, worldFromFrame, timeUs)] : [];
    }),
  };
  return JSON.stringify(message);
}

/** An encoded picture; undefined if viewers do not know its format. */
export function imageMessage(bytes: Uint8Array, frame: string, timeUs: number): string | undefined {
  const format = formatOf(bytes);
  if (format === undefined) return undefined;
  const message: Wire<CompressedImage> = {
    timestamp: timeOf(timeUs),
    frame_id: frame,
    data: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64"),
    format,
  };
  return JSON.stringify(message);
}

export function eventMessage({ type, text, author, validFromUs }: RecordOf<"event">): string {
  const message: Log = {
    timestamp: timeOf(validFromUs),
    level: INFO,
    message: text[0] ?? type,
    name: author,
    file: type,
    line: 0,
  };
  return JSON.stringify(message);
}

/** Viewers count time from 1970. */
export function timeOf(timeUs: number): { sec: number; nsec: number } {
  const us = Math.max(0, timeUs);
  const sec = Math.floor(us / 1e6);
  return { sec, nsec: (us - sec * 1e6) * 1_000 };
}

function entityText(own: Partial<SceneEntity> & Pick<SceneEntity, "id" | "metadata">): EntityText {
  const entity: Omit<SceneEntity, "timestamp"> = {
    frame_id: WORLD_FRAME,
    lifetime: { sec: 0, nsec: 0 },
    frame_locked: true,
    arrows: [],
    cubes: [],
    spheres: [],
    cylinders: [],
    lines: [],
    triangles: [],
    texts: [],
    models: [],
    ...own,
  };
  return JSON.stringify(entity);
}

function transformOf(child: string, { p, q }: Transform, timeUs: number): FrameTransform {
  return {
    timestamp: timeOf(timeUs),
    parent_frame_id: WORLD_FRAME,
    child_frame_id: child,
    translation: p,
    rotation: { x: q.x, y: q.y, z: q.z, w: q.w },
  };
}

function metadataOf(thing: WorldThing): SceneEntity["metadata"] {
  const { id, trackId, type, name, category, validFromUs, validToUs, roomId, attributes } = thing;
  return pairsOf({
    id,
    track: trackId,
    type,
    name,
    category,
    since: isoOf(validFromUs),
    ...(validToUs !== null && { until: isoOf(validToUs) }),
    ...(roomId !== undefined && { room: roomId }),
    ...Object.fromEntries(Object.entries(attributes).map(([key, value]) => [`is ${key}`, value])),
  });
}

function pairsOf(values: Record<string, string | number | boolean>): SceneEntity["metadata"] {
  return Object.entries(values).map(([key, value]) => ({ key, value: String(value) }));
}

function labelOf(text: string, at: Vec3, sizeM: number): SceneEntity["texts"][number] {
  return {
    pose: poseOf({ ...IDENTITY, p: at }),
    billboard: true,
    font_size: sizeM,
    scale_invariant: false,
    color: colour([0.1, 0.1, 0.12], 1),
    text,
  };
}

function poseOf({ p, q }: Transform) {
  return { position: { x: p.x, y: p.y, z: p.z }, orientation: { x: q.x, y: q.y, z: q.z, w: q.w } };
}

function colour([r, g, b]: Colour, a: number) {
  return { r, g, b, a };
}

function formatOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xd8) return "jpeg";
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return "png";
  const riff = Buffer.from(bytes.subarray(0, 12)).toString("latin1");
  return riff.startsWith("RIFF") && riff.endsWith("WEBP") ? "webp" : undefined;
}

function isoOf(timeUs: number): string {
  const date = new Date(timeUs / 1000);
  return Number.isFinite(date.getTime()) ? date.toISOString() : String(timeUs);
}
