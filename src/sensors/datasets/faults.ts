import { isDark, isLociError } from "../../schema/core.ts";
import { settings } from "../../schema/settings.ts";
import { optionalBytes } from "../files.ts";
import { decodeColour, decodeDepth } from "../images.ts";
import type { ReadOptions } from "../options.ts";
import type { ShotList } from "./shots.ts";

const FAULTS = settings("sensors.faults", {
  /** Frames that are looked at, spread over the recording. */
  frames: [5, "count", 3, 12, "limit"],
  /** Depth cameras indoors measure between these; a median outside is of another unit. */
  leastM: [0.15, "m", 0.05, 0.3, "datasheet"],
  mostM: [30, "m", 10, 80, "datasheet"],
  /** A usual median, for proposing a unit. */
  usualM: [2, "m", 1, 4, "recording"],
  /** Recordings shorter than this show a room from a few sides only. */
  fewFrames: [8, "count", 4, 20, "recording"],
});

/** Steps of depth images in use, in metres. */
const UNITS_M = [0.001, 0.0002, 0.0001, 0.00025, 0.01, 1];

/**
 * What is wrong with the pixels of a recording, and what to give instead: black pictures, depths without a measurement
 * or in another unit, too few frames. Looks at a few frames; a damaged one is reported when it is read.
 */
export async function findFaults(list: ShotList, options: ReadOptions): Promise<string[]> {
  const { shots } = list;
  const count = Math.min(FAULTS.frames, shots.length);
  const picked = Array.from(
    { length: count },
    (_, n) => shots[Math.floor(((n + 0.5) * shots.length) / count)]!,
  );
  const unitM = options.depthUnitM ?? list.depthUnitM;
  const looked = await Promise.all(
    picked.map(async ({ colour, depth }) => ({
      isDark: await readable(colour, async (bytes) => isDark(await decodeColour(bytes))),
      medianM: await readable(depth, async (bytes) =>
        medianOf((await decodeDepth(bytes, unitM)).data, list.noDepth, unitM),
      ),
    })),
  );
  const seen = looked.flatMap(({ isDark: dark }) => (dark === undefined ? [] : [dark]));
  const measured = looked.flatMap(({ medianM }) => (medianM === undefined ? [] : [medianM]));
  const found: string[] = [];
  if (seen.length > 0 && seen.every(Boolean))
    found.push(
      `Pictures are black (all ${seen.length} that were looked at): nothing is seen in them. Record with light and without a lens cap.`,
    );
  if (measured.length > 0 && measured.every((medianM) => medianM === 0))
    found.push(
      `Depths are empty (all ${measured.length} that were looked at): nothing gets a place. Export the depth with the pictures.`,
    );
  else found.push(...unitFault(measured, unitM));
  if (shots.length > 0 && shots.length < FAULTS.fewFrames)
    found.push(
      `Only ${shots.length} ${shots.length === 1 ? "frame" : "frames"}: things seen from few sides are found in part. Some 50 frames from all sides of a room are enough.`,
    );
  return found;
}

function unitFault(measured: readonly number[], unitM: number): string[] {
  const medianM = measured.filter((m) => m > 0).sort((a, b) => a - b)[measured.length >> 1];
  if (medianM === undefined || (medianM >= FAULTS.leastM && medianM <= FAULTS.mostM)) return [];
  const off = (other: number) => Math.abs(Math.log(((medianM / unitM) * other) / FAULTS.usualM));
  const likely = UNITS_M.reduce((a, b) => (off(b) < off(a) ? b : a));
  return [
    `Depths are in another unit: half of all points would be nearer than ${brief(medianM)} m. Give the metres in one step (--depth-unit; ${likely} would make it ${brief((medianM / unitM) * likely)} m).`,
  ];
}

function brief(metres: number): string {
  return String(Number(metres.toPrecision(2)));
}

/** The median of the measurements of a depth image; 0 without any. */
function medianOf(data: Uint16Array, noDepth: number | undefined, unitM: number): number {
  const own = data.filter((raw) => raw > 0 && raw !== noDepth).sort();
  return (own[own.length >> 1] ?? 0) * unitM;
}

/** An unreadable file counts as absent; the reader reports it when its turn comes. */
async function readable<T>(
  path: string | undefined,
  work: (bytes: Uint8Array) => Promise<T>,
): Promise<T | undefined> {
  try {
    const bytes = path && (await optionalBytes(path));
    return bytes ? await work(bytes) : undefined;
  } catch (error) {
    if (isLociError(error)) return undefined;
    throw error;
  }
}
