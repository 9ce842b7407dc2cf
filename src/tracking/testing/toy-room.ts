import type { Box, Intrinsics, Transform, Vec3 } from "../../geometry/index.ts";
import {
  apply,
  boxFromCentre,
  cross,
  fromMatrix,
  IDENTITY,
  normalize,
  Random,
  subtract,
  vec3,
} from "../../geometry/index.ts";
import type { LiftedDetection, LiftedSolid, Percept } from "../../schema/core.ts";

/** A room of boxes seen through a small camera, for tests: exact masks, exact depth, words by hand. */
export interface ToyThing {
  readonly id: string;
  readonly category: string;
  readonly centre: Vec3;
  readonly extent: Vec3;
  readonly attributes?: Readonly<Record<string, string>>;
  /** Walls hide and are never reported. */
  readonly isWall?: boolean;
}

export interface ToyLook {
  readonly timeS: number;
  readonly from: Vec3;
  readonly at: Vec3;
  readonly things: readonly ToyThing[];
  readonly submap?: string;
  /** The estimated place of the submap; its true place is the identity. */
  readonly worldFromSubmap?: Transform;
  readonly labels?: readonly string[];
  readonly agentId?: string;
  /** The detector score of each detection; default .9. */
  readonly score?: number;
  /** Things that the detector misses, and those that it misreads. */
  readonly unreported?: readonly string[];
  readonly misread?: Readonly<Record<string, { category?: string; attributes?: Record<string, string> }>>;
}

export const BACKGROUND = { mean: 0, sd: 0.1 };
const WIDTH = 120;
const HEIGHT = 90;
const INTRINSICS: Intrinsics = {
  fx: 100,
  fy: 100,
  cx: WIDTH / 2,
  cy: HEIGHT / 2,
  width: WIDTH,
  height: HEIGHT,
};
const FLOOR: Box = { min: vec3(-50, -50, -0.1), max: vec3(50, 50, 0) };
const LEAST_PIXELS = 8;
const DIM = 64;
const VECTORS = new Map<string, Float32Array>();

export function thing(
  id: string,
  category: string,
  centre: readonly [number, number, number],
  extent: readonly [number, number, number],
  attributes: Readonly<Record<string, string>> = {},
): ToyThing {
  return { id, category, centre: vec3(...centre), extent: vec3(...extent), attributes };
}

/** One frame; its time is seconds after an arbitrary start. */
export function look(options: ToyLook): Percept {
  const { timeS, from, at, things } = options;
  const timeUs = 1_000_000_000 + Math.round(timeS * 1e6);
  const agentId = options.agentId ?? "robot";
  const worldFromCamera = cameraAt(from, at);
  const { depth, owner } = cast(worldFromCamera, things);
  const observationId = `obs-${agentId}-${timeUs}`;
  const detections = things.flatMap((one, number): LiftedDetection[] => {
    const pixels: number[] = [];
    for (let pixel = 0; pixel < owner.length; pixel++) if (owner[pixel] === number) pixels.push(pixel);
    if (one.isWall || pixels.length < LEAST_PIXELS || options.unreported?.includes(one.id)) return [];
    return [detectionOf(one, pixels, depth, worldFromCamera, `${observationId}-${one.id}`, options)];
  });
  return {
    observationId,
    index: 0,
    timeUs,
    agentId,
    sensorId: "camera",
    sceneId: "toy",
    labels: options.labels ?? [],
    submap: options.submap ?? "world",
    worldFromSubmap: options.worldFromSubmap ?? IDENTITY,
    submapFromCamera: worldFromCamera,
    intrinsics: INTRINSICS,
    depth: { width: WIDTH, height: HEIGHT, data: depth, unitM: 0.001 },
    quality: { black: 0, blur: 1, validDepth: 1 },
    restricted: false,
    detections,
  };
}

/**
 * The embedding of a text: the sum of a random direction per word, so that equal texts are equal and texts with common
 * words are close.
 */
export function vectorOf(text: string): Float32Array {
  const known = VECTORS.get(text);
  if (known) return known;
  const sum = new Float32Array(DIM);
  for (const word of text.split(" ")) {
    const random = new Random(`word/${word}`);
    for (let i = 0; i < DIM; i++) sum[i]! += random.normal();
  }
  const length = Math.sqrt(sum.reduce((total, x) => total + x * x, 0));
  const vector = sum.map((x) => x / length);
  VECTORS.set(text, vector);
  return vector;
}

function detectionOf(
  one: ToyThing,
  pixels: readonly number[],
  depth: Uint16Array,
  worldFromCamera: Transform,
  id: string,
  { misread, score = 0.9 }: ToyLook,
): LiftedDetection {
  const said = misread?.[one.id];
  const category = said?.category ?? one.category;
  const attributes = { ...one.attributes, ...said?.attributes };
  const phrase = [attributes["colour"], category].filter((word) => word !== undefined).join(" ");
  const columns = pixels.map((pixel) => pixel % WIDTH);
  const rows = pixels.map((pixel) => Math.floor(pixel / WIDTH));
  const bbox = [
    Math.min(...columns),
    Math.min(...rows),
    Math.max(...columns) + 1,
    Math.max(...rows) + 1,
  ] as const;
  return {
    id,
    bbox,
    areaPx: pixels.length,
    score,
    category,
    phrase,
    attributes,
    vector: vectorOf(phrase),
    categoryVector: vectorOf(category),
    truncated: bbox[0] === 0 || bbox[1] === 0 || bbox[2] === WIDTH || bbox[3] === HEIGHT,
    occludedFraction: 0,
    solid: solidOf(pixels, depth, worldFromCamera),
  };
}

function solidOf(pixels: readonly number[], depth: Uint16Array, worldFromCamera: Transform): LiftedSolid {
  const points = pixels.map((pixel) => {
    const z = depth[pixel]! / 1000;
    const u = (pixel % WIDTH) + 0.5;
    const v = Math.floor(pixel / WIDTH) + 0.5;
    const inCamera = vec3(
      ((u - INTRINSICS.cx) / INTRINSICS.fx) * z,
      ((v - INTRINSICS.cy) / INTRINSICS.fy) * z,
      z,
    );
    return apply(worldFromCamera, inCamera);
  });
  const sorted = (axis: "x" | "y" | "z") => points.map((point) => point[axis]).sort((a, b) => a - b);
  const [x, y, z] = [sorted("x"), sorted("y"), sorted("z")];
  const last = points.length - 1;
  const middle = (list: readonly number[]) => list[list.length >> 1]!;
  const samples = new Float32Array(Math.min(32, points.length) * 3);
  for (let k = 0; k * 3 < samples.length; k++) {
    const point = points[Math.floor((k * points.length * 3) / samples.length)]!;
    samples.set([point.x, point.y, point.z], k * 3);
  }
  const depths = pixels.map((pixel) => depth[pixel]! / 1000).sort((a, b) => a - b);
  return {
    centroid: vec3(middle(x), middle(y), middle(z)),
    box: { min: vec3(x[0]!, y[0]!, z[0]!), max: vec3(x[last]!, y[last]!, z[last]!) },
    sdM: 0.01,
    depthM: middle(depths),
    count: points.length,
    samples,
  };
}

function cast(worldFromCamera: Transform, things: readonly ToyThing[]) {
  const boxes = [FLOOR, ...things.map(({ centre, extent }) => boxFromCentre(centre, extent))];
  const depth = new Uint16Array(WIDTH * HEIGHT);
  const owner = new Int16Array(WIDTH * HEIGHT).fill(-1);
  const { x, y, z } = worldFromCamera.p;
  for (let pixel = 0; pixel < depth.length; pixel++) {
    const u = ((pixel % WIDTH) + 0.5 - INTRINSICS.cx) / INTRINSICS.fx;
    const v = (Math.floor(pixel / WIDTH) + 0.5 - INTRINSICS.cy) / INTRINSICS.fy;
    const end = apply(worldFromCamera, vec3(u, v, 1));
    let nearest = Infinity;
    for (let number = 0; number < boxes.length; number++) {
      const near = entry(boxes[number]!, x, y, z, end.x - x, end.y - y, end.z - z);
      if (near >= nearest) continue;
      nearest = near;
      owner[pixel] = number - 1;
    }
    depth[pixel] = nearest < 60 ? Math.round(nearest * 1000) : 0;
  }
  return { depth, owner };
}

/** Slabs without allocation: a test looks at a million rays. */
function entry(
  { min, max }: Box,
  x: number,
  y: number,
  z: number,
  dx: number,
  dy: number,
  dz: number,
): number {
  const [ax, bx] = dx > 0 ? [min.x, max.x] : [max.x, min.x];
  const [ay, by] = dy > 0 ? [min.y, max.y] : [max.y, min.y];
  const [az, bz] = dz > 0 ? [min.z, max.z] : [max.z, min.z];
  const near = Math.max((ax - x) / dx, (ay - y) / dy, (az - z) / dz, 0);
  const far = Math.min((bx - x) / dx, (by - y) / dy, (bz - z) / dz);
  return near <= far ? near : Infinity;
}

/** An optical frame (+Z forward, +Y down) that looks from one point at another, upright. */
function cameraAt(from: Vec3, at: Vec3): Transform {
  const forward = normalize(subtract(at, from));
  const right = normalize(cross(forward, vec3(0, 0, 1)));
  const down = cross(forward, right);
  const q = fromMatrix([
    ...[right.x, down.x, forward.x],
    ...[right.y, down.y, forward.y],
    ...[right.z, down.z, forward.z],
  ]);
  return { p: from, q };
}

/** A submap with an estimated place this far from its true one. */
export function drifted(dx: number, dy: number): Transform {
  return { p: vec3(dx, dy, 0), q: IDENTITY.q };
}
