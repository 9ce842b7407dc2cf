import {
  angleBetween,
  apply,
  compose,
  distance,
  type Intrinsics,
  invert,
  type Transform,
  type Vec3,
} from "../../geometry/index.ts";
import { isLociError } from "../../schema/index.ts";
import { upright } from "../axes.ts";
import { optionalBytes } from "../files.ts";
import { decodeGrey16 } from "../images.ts";
import type { ReadOptions } from "../options.ts";
import { intrinsicsFor } from "./develop.ts";
import type { Shot, ShotList } from "./shots.ts";

/** How numbers of a dataset are to be read, as far as its files do not say. */
export interface Reading {
  readonly poseConvention: NonNullable<ReadOptions["poseConvention"]>;
  readonly cameraAxes: NonNullable<ReadOptions["cameraAxes"]>;
  readonly depthUnitM: number;
  readonly poseUnitM: number;
}

/** What was found out, and in words what stands against it. */
export interface FoundConventions {
  readonly reading: Partial<Reading>;
  readonly conventions: readonly string[];
  readonly missing: readonly string[];
}

const PAIRS = 8;
const POINTS = 300;
/** The camera turned at least this far between the two frames of a pair, else any reading fits; and not too far. */
const MIN_TURN_RAD = 0.05;
const MAX_TURN_RAD = 0.5;
const FRAMES_AHEAD = 40;
/** Depths that differ by less than this share are the same surface. */
const NEAR = 0.04;
/** Points that must fall into the other picture for a reading to be judged. */
const MIN_INSIDE = 0.15;
/** Another reading is believed when so many of its points agree, and so many more than of the usual one. */
const CLEAR = 0.5;
const CLEARER = 0.2;
/** Below this share the depths and poses of a recording do not belong together. */
const POOR = 0.25;
/** Metres of a step of depth in the wild: millimetres, TUM, tenths of them, RealSense L515, centimetres. */
const DEPTH_UNITS_M = [0.001, 0.0002, 0.0001, 0.00025, 0.01];
const POSE_UNITS_M = [1, 0.01, 0.001];

/**
 * Finds out how poses and depths are meant by laying frames onto each other: read rightly, the surfaces that one frame
 * measured are where another one sees them. What somebody said stays as it is said; the layout's own way is kept
 * unless another one fits clearly better.
 */
export async function findConventions(list: ShotList, options: ReadOptions): Promise<FoundConventions> {
  const nothing = { reading: {}, conventions: [], missing: [] };
  const pairs = await depthPairs(list, options);
  if (pairs.length < 2) return nothing;
  const usual: Reading = {
    poseConvention: options.poseConvention ?? "camera-to-world",
    cameraAxes: options.cameraAxes ?? list.cameraAxes,
    depthUnitM: options.depthUnitM ?? list.depthUnitM,
    poseUnitM: options.poseUnitM ?? 1,
  };
  const before = agreement(pairs, usual);
  let best = { reading: usual, share: before };
  for (const reading of readings(usual, options)) {
    const share = agreement(pairs, reading);
    if (share > best.share) best = { reading, share };
  }
  if (best.share >= CLEAR && best.share >= before + CLEARER) {
    const differs = (Object.keys(usual) as (keyof Reading)[]).filter(
      (key) => best.reading[key] !== usual[key],
    );
    return {
      reading: Object.fromEntries(differs.map((key) => [key, best.reading[key]])),
      conventions: [
        `Read so because frames then fit onto each other (${percent(best.share)} of points, ${percent(before)} as usual): ${differs.map((key) => IN_WORDS[key](best.reading)).join(", ")}.`,
      ],
      missing: [],
    };
  }
  if (before >= POOR) return nothing;
  return {
    ...nothing,
    missing: [
      `Depths do not fit the poses: of the points of one frame only ${percent(before)} are where others see them. Say what is different: --pose-convention, --camera-axes, --intrinsics, --depth-unit or --pose-unit.`,
    ],
  };
}

const IN_WORDS: Readonly<Record<keyof Reading, (reading: Reading) => string>> = {
  poseConvention: ({ poseConvention }) =>
    `poses take ${poseConvention === "world-to-camera" ? "world to camera" : "camera to world"}`,
  cameraAxes: ({ cameraAxes }) => `cameras have ${cameraAxes} axes`,
  depthUnitM: ({ depthUnitM }) => `a step of depth is ${depthUnitM} m`,
  poseUnitM: ({ poseUnitM }) => `positions are in units of ${poseUnitM} m`,
};

const percent = (share: number) => `${Math.round(100 * share)} %`;

/** All that nobody has said otherwise; scales of depths and of poses are never doubted at once, since both hide. */
function* readings(usual: Reading, options: ReadOptions): Generator<Reading> {
  const ways = options.poseConvention
    ? [usual.poseConvention]
    : (["camera-to-world", "world-to-camera"] as const);
  const axes = options.cameraAxes ? [usual.cameraAxes] : (["optical", "opengl"] as const);
  const scales = [
    { depthUnitM: usual.depthUnitM, poseUnitM: usual.poseUnitM },
    ...(options.depthUnitM === undefined
      ? DEPTH_UNITS_M.map((depthUnitM) => ({ depthUnitM, poseUnitM: usual.poseUnitM }))
      : []),
    ...(options.poseUnitM === undefined
      ? POSE_UNITS_M.map((poseUnitM) => ({ depthUnitM: usual.depthUnitM, poseUnitM }))
      : []),
  ];
  for (const scale of scales)
    for (const poseConvention of ways)
      for (const cameraAxes of new Set([usual.cameraAxes, ...axes]))
        yield { ...scale, poseConvention, cameraAxes };
}

export interface DepthView {
  readonly pose: Transform;
  readonly intrinsics: Intrinsics;
  /** In steps of the file; 0 is none. */
  readonly data: Uint16Array;
}
type Pair = readonly [DepthView, DepthView];

/** Frames some way into the recording, each with one soon after it that looks a little elsewhere. */
async function depthPairs(list: ShotList, options: ReadOptions): Promise<Pair[]> {
  const usable = list.shots.filter(({ depth, pose }) => depth !== undefined && pose !== undefined);
  if (usable.length < 2) return [];
  const pairs = await Promise.all(
    Array.from({ length: PAIRS }, async (_, k): Promise<Pair | undefined> => {
      const at = Math.floor((k * usable.length) / PAIRS);
      const other = partnerOf(usable, at);
      const [a, b] = other
        ? await Promise.all([usable[at]!, other].map((shot) => viewOf(list, shot, options)))
        : [];
      return a && b && [a, b];
    }),
  );
  return pairs.filter((pair) => pair !== undefined);
}

/** Of the frames that look a little elsewhere the one taken farthest off: a turn alone tells nothing of scale. */
function partnerOf(shots: readonly Shot[], at: number): Shot | undefined {
  const from = shots[at]!.pose!;
  let best: { readonly shot: Shot; readonly far: number } | undefined;
  for (const shot of shots.slice(at + 1, at + 1 + FRAMES_AHEAD)) {
    const turnRad = angleBetween(from.q, shot.pose!.q);
    const far = distance(from.p, shot.pose!.p);
    if (turnRad < MIN_TURN_RAD || turnRad > MAX_TURN_RAD || far <= (best?.far ?? -1)) continue;
    best = { shot, far };
  }
  return best?.shot;
}

/** A shot's depth in steps of its file; undefined where it does not decode. */
export async function viewOf(
  list: ShotList,
  shot: Shot,
  options: ReadOptions,
): Promise<DepthView | undefined> {
  try {
    const bytes = await optionalBytes(shot.depth!);
    const image = bytes && (await decodeGrey16(bytes));
    if (!image) return undefined;
    const { noDepth } = list;
    const data = noDepth === undefined ? image.data : image.data.map((raw) => (raw === noDepth ? 0 : raw));
    const camera = list.depthCamera ?? options.intrinsics ?? shot.camera ?? list.camera;
    return { pose: shot.pose!, intrinsics: intrinsicsFor(camera, image), data };
  } catch (error) {
    // A picture that does not decode is told of when the recording is read.
    if (isLociError(error)) return undefined;
    throw error;
  }
}

/** Of the points that a frame measured and another could see, the share that it sees where they should be. */
function agreement(pairs: readonly Pair[], reading: Reading): number {
  const tally = { asked: 0, inside: 0, agree: 0 };
  for (const [a, b] of pairs) {
    const bFromA = compose(invert(worldFrom(b.pose, reading)), worldFrom(a.pose, reading));
    const { fx, fy, cx, cy, width, height } = a.intrinsics;
    const stride = Math.max(1, Math.floor(Math.sqrt((width * height) / POINTS)));
    for (let row = stride >> 1; row < height; row += stride) {
      for (let column = stride >> 1; column < width; column += stride) {
        const z = a.data[row * width + column]! * reading.depthUnitM;
        if (z === 0) continue;
        tally.asked++;
        const inA = { x: ((column + 0.5 - cx) / fx) * z, y: ((row + 0.5 - cy) / fy) * z, z };
        const inB = apply(bFromA, inA);
        const seenM = depthAt(b, inB) * reading.depthUnitM;
        if (seenM === 0) continue;
        tally.inside++;
        if (Math.abs(seenM - inB.z) < NEAR * seenM) tally.agree++;
      }
    }
  }
  return tally.inside < MIN_INSIDE * tally.asked || tally.inside === 0 ? 0 : tally.agree / tally.inside;
}

/** The step of depth at which a view shows a point; 0 where it does not. */
function depthAt({ intrinsics, data }: DepthView, { x, y, z }: Vec3): number {
  if (!(z > 0)) return 0;
  const { fx, fy, cx, cy, width, height } = intrinsics;
  const [column, row] = [Math.floor((fx * x) / z + cx), Math.floor((fy * y) / z + cy)];
  return column < 0 || row < 0 || column >= width || row >= height ? 0 : data[row * width + column]!;
}

/** A pose in metres, from the camera's optical axes to the world of the files. */
export function worldFrom(pose: Transform, { poseConvention, cameraAxes, poseUnitM }: Reading): Transform {
  const { x, y, z } = pose.p;
  const inMetres = { p: { x: x * poseUnitM, y: y * poseUnitM, z: z * poseUnitM }, q: pose.q };
  return upright(poseConvention === "world-to-camera" ? invert(inMetres) : inMetres, cameraAxes, "z");
}
