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
import { decodeGrey16, imageSize } from "../images.ts";
import type { ReadOptions } from "../options.ts";
import { intrinsicsFor, type Pinhole } from "./develop.ts";
import type { Shot, ShotList } from "./shots.ts";

/** How the numbers of a dataset are to be read, where its files do not say. */
export interface Reading {
  readonly poseConvention: NonNullable<ReadOptions["poseConvention"]>;
  readonly cameraAxes: NonNullable<ReadOptions["cameraAxes"]>;
  readonly depthUnitM: number;
  readonly poseUnitM: number;
}

/** The conventions found, and a sentence about what contradicts them. */
export interface FoundConventions {
  readonly reading: Partial<Reading>;
  readonly conventions: readonly string[];
  readonly missing: readonly string[];
}

const PAIRS = 8;
const POINTS = 300;
/** Least and greatest rotation between the two frames of a pair; with less, any reading fits. */
const MIN_TURN_RAD = 0.05;
const MAX_TURN_RAD = 0.5;
const FRAMES_AHEAD = 40;
/** Depths that differ by less than this share are the same surface. */
const NEAR = 0.04;
/** Share of points that must fall into the other picture for a pair to count. */
const MIN_INSIDE = 0.15;
/** Least number of overlapping pairs for a verdict, and least share of the maximum over all readings. */
const LEAST_OVERLAPPING = 2;
const FAIR_OVERLAP = 0.5;
/** Two frames rotated by less than this against each other overlap under any pose convention. */
const BESIDE_RAD = 0.35;
/**
 * Another reading is accepted if at least this share of its points agree, and this many more than under the usual
 * reading.
 */
const CLEAR = 0.5;
const CLEARER = 0.2;
/**
 * Below this share of agreement (chance gives 0.26 in a small room, real recordings 0.8) the depths and poses of a
 * recording do not belong together.
 */
const POOR = 0.4;
/**
 * Depth units in use, in metres: millimetres, TUM, a tenth of a millimetre, RealSense L515, centimetres, Habitat (ten
 * metres in 16 bits).
 */
const DEPTH_UNITS_M = [0.001, 0.0002, 0.0001, 0.00025, 0.01, 10 / 65_535];
const POSE_UNITS_M = [1, 0.01, 0.001];

/**
 * Finds the conventions of poses and depths by comparing frames: under the right reading, the surface points of one
 * frame appear at the same place in another. Options given by the caller are kept; the format's default is kept
 * unless another reading fits clearly better.
 */
export async function findConventions(list: ShotList, options: ReadOptions): Promise<FoundConventions> {
  const nothing = { reading: {}, conventions: [], missing: [] };
  const pairs = await depthPairs(list, options);
  if (pairs.length < 2) return nothing;
  const usual: Reading = {
    poseConvention: options.poseConvention ?? list.poseConvention ?? "camera-to-world",
    cameraAxes: options.cameraAxes ?? list.cameraAxes,
    depthUnitM: options.depthUnitM ?? list.depthUnitM,
    poseUnitM: options.poseUnitM ?? 1,
  };
  const asUsual = agreement(pairs, usual);
  const others = [...readings(usual, options)].map((reading) => ({ reading, ...agreement(pairs, reading) }));
  // Non-overlapping frames say nothing about a reading: it must bring about as many into overlap as the best reading
  // does.
  const most = others.reduce((n, { overlapping }) => Math.max(n, overlapping), asUsual.overlapping);
  const isFair = ({ overlapping }: Agreed) => overlapping >= Math.max(LEAST_OVERLAPPING, most * FAIR_OVERLAP);
  const before = isFair(asUsual) ? asUsual.share : 0;
  let best = { reading: usual, share: before };
  for (const other of others) if (isFair(other) && other.share > best.share) best = other;
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
  const mustFit = pairs.filter(([a, b]) => angleBetween(a.pose.q, b.pose.q) <= BESIDE_RAD);
  const beside = agreement(mustFit, usual);
  const isPoor = asUsual.overlapping > 0 && asUsual.share < POOR;
  const isApart = mustFit.length >= LEAST_OVERLAPPING && beside.overlapping < FAIR_OVERLAP * mustFit.length;
  const instead = fitting(pairs, usual, asUsual);
  if (!isPoor && !isApart && instead === undefined) return nothing;
  const said = `Depths do not fit the poses: of the points of one frame only ${percent(asUsual.share)} are where others see them.`;
  const what =
    instead ??
    "Say what is different: --pose-convention, --camera-axes, --intrinsics, --depth-unit or --pose-unit.";
  return { ...nothing, missing: [`${said} ${what}`] };
}

/**
 * The one change that would make frames agree, as options to set, with the share of points that would then agree;
 * undefined if nothing does.
 */
function fitting(pairs: readonly Pair[], usual: Reading, { share }: Agreed): string | undefined {
  const isBetter = (other: Agreed) =>
    other.overlapping >= LEAST_OVERLAPPING && other.share >= Math.max(CLEAR, share + CLEARER);
  const others = [...readings(usual, {})].map((reading) => ({ reading, ...agreement(pairs, reading) }));
  const [best] = others.filter(isBetter).sort((a, b) => b.share - a.share);
  if (best) {
    const differs = (Object.keys(usual) as (keyof Reading)[]).filter(
      (key) => best.reading[key] !== usual[key],
    );
    const [words, flags] = [IN_WORDS, FLAGS].map((way) => differs.map((key) => way[key](best.reading)));
    return `${percent(best.share)} would be if ${words!.join(" and ")}: ${flags!.join(" ")}, or leave it to be found.`;
  }
  const focal = betterFocal(pairs, usual);
  if (!focal || !isBetter(focal)) return undefined;
  const { fx, fy, cx, cy, width, height } = pairs[0]![0].intrinsics;
  const numbers = [fx * focal.times, fy * focal.times, cx - 0.5, cy - 0.5].map((v) => Math.round(v));
  return `${percent(focal.share)} would be with ${focal.times} times the focal length: give the camera's own (--intrinsics; about ${numbers.join(",")} for pictures of ${width}×${height}).`;
}

const FLAGS: Readonly<Record<keyof Reading, (reading: Reading) => string>> = {
  poseConvention: ({ poseConvention }) => `--pose-convention ${poseConvention}`,
  cameraAxes: ({ cameraAxes }) => `--camera-axes ${cameraAxes}`,
  depthUnitM: ({ depthUnitM }) => `--depth-unit ${depthUnitM}`,
  poseUnitM: ({ poseUnitM }) => `--pose-unit ${poseUnitM}`,
};

const IN_WORDS: Readonly<Record<keyof Reading, (reading: Reading) => string>> = {
  poseConvention: ({ poseConvention }) =>
    `poses take ${poseConvention === "world-to-camera" ? "world to camera" : "camera to world"}`,
  cameraAxes: ({ cameraAxes }) => `cameras have ${cameraAxes} axes`,
  depthUnitM: ({ depthUnitM }) => `a step of depth is ${depthUnitM} m`,
  poseUnitM: ({ poseUnitM }) => `positions are in units of ${poseUnitM} m`,
};

const percent = (share: number) => `${Math.round(100 * share)} %`;

/**
 * All readings compatible with the given options; the scales of depths and of poses are never varied together, since
 * each would hide the other.
 */
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
  /** In units of the file; 0 means no measurement. */
  readonly data: Uint16Array;
}
type Pair = readonly [DepthView, DepthView];

/**
 * Focal lengths tried when nothing else fits, as multiples of the given ones; a half and a double usually mean a
 * calibration for another picture size.
 */
const FOCALS = [0.5, 0.6, 0.7, 0.8, 1.25, 1.4, 1.6, 2];

function betterFocal(pairs: readonly Pair[], reading: Reading): (Agreed & { times: number }) | undefined {
  const tried = FOCALS.map((times) => {
    const bent = ({ pose, data, intrinsics }: DepthView): DepthView => ({
      pose,
      data,
      intrinsics: { ...intrinsics, fx: intrinsics.fx * times, fy: intrinsics.fy * times },
    });
    return {
      times,
      ...agreement(
        pairs.map(([a, b]) => [bent(a), bent(b)] as const),
        reading,
      ),
    };
  });
  const enough = tried.filter(({ overlapping }) => overlapping >= LEAST_OVERLAPPING);
  return enough.sort((a, b) => b.share - a.share)[0];
}

/** Frames some way into the recording, each with later frames in slightly different directions. */
async function depthPairs(list: ShotList, options: ReadOptions): Promise<Pair[]> {
  const usable = list.shots.filter(({ depth, pose }) => depth !== undefined && pose !== undefined);
  if (usable.length < 2) return [];
  const pairs = await Promise.all(
    Array.from({ length: PAIRS }, async (_, k): Promise<Pair[]> => {
      const at = Math.floor((k * usable.length) / PAIRS);
      const others = partnersOf(usable, at);
      if (others.length === 0) return [];
      const [a, ...views] = await Promise.all(
        [usable[at]!, ...others].map((shot) => viewOf(list, shot, options)),
      );
      return views.flatMap((b): Pair[] => (a && b ? [[a, b]] : []));
    }),
  );
  return pairs.flat();
}

/**
 * Of the frames in slightly different directions, the one farthest away, since a rotation alone says nothing about
 * scale; and the next frame, since pictures picked from a video may share nothing with farther ones.
 */
function partnersOf(shots: readonly Shot[], at: number): Shot[] {
  const from = shots[at]!.pose!;
  let best: { readonly shot: Shot; readonly far: number } | undefined;
  let next: Shot | undefined;
  for (const shot of shots.slice(at + 1, at + 1 + FRAMES_AHEAD)) {
    const turnRad = angleBetween(from.q, shot.pose!.q);
    const far = distance(from.p, shot.pose!.p);
    if (turnRad < MIN_TURN_RAD || turnRad > MAX_TURN_RAD) continue;
    next ??= shot;
    if (far > (best?.far ?? -1)) best = { shot, far };
  }
  return next && best ? (next === best.shot ? [next] : [next, best.shot]) : [];
}

/** A shot's depth in units of its file; undefined if it does not decode. */
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
    return { pose: shot.pose!, intrinsics: intrinsicsFor(await sizedBy(shot, camera), image), data };
  } catch (error) {
    // A picture that does not decode is reported when the recording is read.
    if (isLociError(error)) return undefined;
    throw error;
  }
}

/** A camera whose intrinsics refer to the colour picture's size, unless it says otherwise. */
async function sizedBy({ colour }: Shot, camera: Pinhole | undefined): Promise<Pinhole | undefined> {
  if (!camera || camera.width !== undefined || colour === undefined) return camera;
  const bytes = await optionalBytes(colour);
  return { ...camera, ...(bytes && imageSize(bytes)) };
}

/** How many frame pairs overlap under a reading, and the share of common points with equal depth in both. */
interface Agreed {
  readonly overlapping: number;
  readonly share: number;
}

function agreement(pairs: readonly Pair[], reading: Reading): Agreed {
  let [overlapping, inside, agree] = [0, 0, 0];
  for (const pair of pairs) {
    const tally = pairAgreement(pair, reading);
    if (tally.inside === 0 || tally.inside < MIN_INSIDE * tally.asked) continue;
    overlapping++;
    inside += tally.inside;
    agree += tally.agree;
  }
  return { overlapping, share: inside === 0 ? 0 : agree / inside };
}

function pairAgreement([a, b]: Pair, reading: Reading): { asked: number; inside: number; agree: number } {
  const tally = { asked: 0, inside: 0, agree: 0 };
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
  return tally;
}

/** The depth value of a view at a point; 0 if the point is not in it. */
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
