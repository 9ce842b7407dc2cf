import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { fromMatrix4, type Transform } from "../../../geometry/index.ts";
import { readText } from "../../files.ts";
import type { ReadOptions } from "../../options.ts";
import { usable } from "../../pose-track.ts";
import type { Pinhole } from "../develop.ts";
import { numbersOf, poseOfNumbers, poseOfRow, rowsOf } from "../tables.ts";
import type { Paired } from "./pairing.ts";

/** Where the pictures' poses come from: one per picture, in order, as far as they exist. */
export interface FoundPoses {
  readonly from: string;
  readonly poses: readonly (Transform | undefined)[];
  /** Cameras listed with the poses. */
  readonly cameras?: readonly (Pinhole | undefined)[] | undefined;
  readonly cameraAxes?: ReadOptions["cameraAxes"];
  readonly poseConvention?: ReadOptions["poseConvention"];
  readonly worldUp?: ReadOptions["worldUp"];
}

const TEXT_BYTES = 2 ** 26;
const LISTS = /\.(txt|csv|log|tum|dat)$/i;
/** Names that are likelier to hold camera poses come first. */
const LIKELY = [/c2w|cam(era)?_?to_?world/i, /pose/i, /traj/i, /groundtruth|gt/i, /extrinsic/i];
/** Least share of the pictures that must have a pose in a list for the list to apply. */
const LEAST_SHARE = 0.5;

/** Poses of a folder's pictures: a file beside each, or one list of them all. */
export async function posesFor(folder: string, pictures: readonly Paired[]): Promise<FoundPoses | undefined> {
  return (await listedPoses(folder, pictures)) ?? (await posesBeside(pictures));
}

async function listedPoses(folder: string, pictures: readonly Paired[]): Promise<FoundPoses | undefined> {
  const names = (await readdir(folder)).filter((name) => LISTS.test(name));
  const own = new Set(pictures.flatMap(({ beside }) => [...beside.values()].map((path) => basename(path))));
  const rank = (name: string) => LIKELY.findIndex((word) => word.test(name)) >>> 0;
  const lists = names.filter((name) => !own.has(name)).sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  for (const name of lists) {
    const poses = posesOfRows(await rowsOf(join(folder, name)), pictures);
    if (poses === undefined || poses.filter(Boolean).length < LEAST_SHARE * pictures.length) continue;
    return { from: name, poses, ...saidBy(name) };
  }
  return undefined;
}

/** What a file's name says about its conventions. */
function saidBy(name: string): Pick<FoundPoses, "cameraAxes" | "poseConvention"> {
  return {
    ...(/opengl|arkit/i.test(name) && { cameraAxes: "opengl" as const }),
    ...(/w2c|world_?to_?cam/i.test(name) && { poseConvention: "world-to-camera" as const }),
  };
}

/** Rows of a name, number or timestamp and a pose; or one pose per picture, in order; or matrices of four rows each. */
function posesOfRows(
  rows: readonly (readonly string[])[],
  pictures: readonly Paired[],
): (Transform | undefined)[] | undefined {
  const cells = rows[0]?.length ?? 0;
  if (cells === 4 && rows.length === 4 * pictures.length)
    return pictures.map((_, n) =>
      poseOfNumbers(
        rows
          .slice(4 * n, 4 * n + 4)
          .flat()
          .map(Number),
      ),
    );
  const wide = rows.find(({ length }) => [7, 8, 12, 13, 16, 17].includes(length))?.length;
  if (wide === undefined) return undefined;
  const fitting = rows.filter(({ length }) => length === wide);
  const isNamed = [8, 13, 17].includes(wide);
  const poseOf = (row: readonly string[]) => {
    const numbers = isNamed ? row.slice(1) : row;
    return numbers.length === 7 ? rigidRow(numbers) : poseOfNumbers(numbers.map(Number));
  };
  if (!isNamed) return fitting.length === pictures.length ? fitting.map(poseOf) : undefined;
  const byName = new Map(fitting.map((row) => [bare(row[0]!), row]));
  return pictures.map(({ key, stem }) => {
    const row = byName.get(bare(stem)) ?? byName.get(bare(key));
    return row && poseOf(row);
  });
}

/** "x y z qx qy qz qw"; seven numbers that are not position and rotation are rejected. */
function rigidRow(row: readonly string[]): Transform | undefined {
  const length = Math.hypot(...row.slice(3).map(Number));
  return Math.abs(length - 1) < 0.02 ? poseOfRow(row) : undefined;
}

function bare(name: string): string {
  const stem = basename(name).replace(/\.(png|jpe?g|webp|tiff?)$/i, "");
  return /^\d+$/.test(stem) ? String(Number(stem)) : stem;
}

const MOST_BESIDE = 100_000;

/** One small file per picture: a matrix in rows, a phone recorder's format, or OpenCV's. */
async function posesBeside(pictures: readonly Paired[]): Promise<FoundPoses | undefined> {
  for (const ending of [".pose.txt", ".txt", ".mat", ".csv"]) {
    const files = pictures.slice(0, MOST_BESIDE).map(({ beside }) => beside.get(ending));
    if (files.filter(Boolean).length < LEAST_SHARE * pictures.length) continue;
    const read = await Promise.all(
      files.map(async (file) => file && besideOf((await readText(file, TEXT_BYTES)) ?? "", ending)),
    );
    const found = read.filter((one) => one !== undefined && one !== "");
    if (found.filter((one) => one?.pose).length < LEAST_SHARE * pictures.length) continue;
    const cameras = read.map((one) => (one ? one.camera : undefined));
    const isOpenCv = read.some((one) => one !== undefined && one !== "" && one.takesWorld);
    return {
      from: `N${ending}`,
      ...(isOpenCv && { poseConvention: "world-to-camera" as const }),
      poses: read.map((one) => (one ? one.pose : undefined)),
      ...(cameras.some(Boolean) && { cameras }),
      ...(ending === ".mat" && { worldUp: "y" as const }),
    };
  }
  return undefined;
}

interface Beside {
  readonly pose?: Transform | undefined;
  readonly camera?: Pinhole | undefined;
  /** The pose maps the world into the camera. */
  readonly takesWorld?: boolean | undefined;
}

function besideOf(text: string, ending: string): Beside | undefined {
  if (text.startsWith("%YAML")) return ofOpenCv(text);
  const numbers = numbersOf(text);
  // ARCore recorders write a matrix in column order, then its inverse and others.
  if (ending === ".mat" && numbers.length >= 16 && numbers.length % 16 === 0)
    return { pose: poseOfNumbers(transposed(numbers.slice(0, 16))) };
  if (numbers.length === 7) return { pose: rigidRow(numbers.map(String)) };
  return [12, 16].includes(numbers.length) ? { pose: poseOfNumbers(numbers) } : undefined;
}

function transposed(m: readonly number[]): number[] {
  return m.map((_, n) => m[4 * (n % 4) + Math.floor(n / 4)]!);
}

/**
 * OpenCV's text format: RMatrix and TVector, or R and t, map the world into the camera. A mirroring one belongs to a
 * camera whose y axis points up.
 */
function ofOpenCv(text: string): Beside | undefined {
  const values = (name: string) => {
    const match = new RegExp(
      `^${name}:[^:]*?(?:data:\\s*\\[([^\\]]*)\\]|(-?[\\d.][\\d.eE+-]*)\\s*$)`,
      "ms",
    ).exec(text.replace(/!!opencv-matrix\s+rows:\s*\d+\s+cols:\s*\d+\s+dt:\s*\w/g, ""));
    return match ? numbersOf(match[1] ?? match[2] ?? "") : undefined;
  };
  const r = values("RMatrix") ?? values("R");
  const t = values("TVector") ?? values("t");
  const [fx, fy, cx, cy] = ["fx", "fy", "cx", "cy"].map((name) => values(name)?.[0]);
  const camera = fx && fy && cx !== undefined && cy !== undefined ? { fx, fy, cx, cy } : undefined;
  if (r?.length !== 9 || t?.length !== 3) return camera && { camera };
  const [a, b, c, d, e, f, g, h, i] = r as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const y = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0 ? -1 : 1;
  const rows = [r.slice(0, 3), r.slice(3, 6).map((v) => y * v), r.slice(6)];
  const place = [t[0]!, y * t[1]!, t[2]!];
  try {
    return {
      takesWorld: true,
      camera,
      pose: usable(fromMatrix4([...rows.flatMap((row, k) => [...row, place[k]!]), 0, 0, 0, 1])),
    };
  } catch {
    return { camera };
  }
}
