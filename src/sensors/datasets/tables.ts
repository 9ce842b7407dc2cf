import { fromMatrix4, type Transform } from "../../geometry/index.ts";
import { LociError } from "../../schema/index.ts";
import { lines } from "../files.ts";
import { usable } from "../pose-track.ts";
import type { Pinhole } from "./develop.ts";

const ROWS = 5_000_000;

/** The rows of a table with blanks or commas between the cells; lines that begin with # are comments. */
export async function rowsOf(path: string): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const line of lines(path)) {
    const text = line.trim();
    if (text === "" || text.startsWith("#")) continue;
    if (rows.length >= ROWS) throw new LociError("limit-exceeded", `more than ${ROWS} rows in ${path}`);
    rows.push(text.split(/[\s,]+/));
  }
  return rows;
}

/** Numbers of a text, row after row. */
export function numbersOf(text: string): number[] {
  return text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number);
}

/** Seconds since any epoch, as whole microseconds; undefined if not a number. */
export function secondsToUs(text: string): number | undefined {
  // Nanoseconds since the epoch do not fit a double as seconds, so whole and fraction are parsed separately.
  const match = /^(-?\d+)(?:\.(\d+))?$/.exec(text);
  if (!match) {
    const us = Math.round(Number(text) * 1e6);
    return text !== "" && Number.isSafeInteger(us) ? us : undefined;
  }
  const us =
    Number(match[1]) * 1e6 +
    (text.startsWith("-") ? -1 : 1) * Math.floor(Number(`0.${match[2] ?? 0}`) * 1e6 + 1e-6);
  return Number.isSafeInteger(us) ? us : undefined;
}

/** A timestamp whose unit follows from its magnitude: seconds, milli-, micro- or nanoseconds of this century. */
export function epochToUs(text: string): number | undefined {
  const digits = /^(\d+)(\.\d+)?$/.exec(text)?.[1]?.length;
  if (digits === 10) return secondsToUs(text);
  if (digits === 13) return Math.round(Number(text) * 1e3);
  if (digits === 16) return Math.round(Number(text));
  if (digits === 19) return Number(BigInt(text.split(".")[0]!) / 1000n);
  return undefined;
}

/** Sixteen numbers, or the first three rows of them; undefined if not a rigid motion (lost tracking). */
export function poseOfNumbers(numbers: readonly number[]): Transform | undefined {
  const matrix = numbers.length === 12 ? [...numbers, 0, 0, 0, 1] : numbers;
  try {
    return usable(fromMatrix4(matrix));
  } catch {
    return undefined;
  }
}

/** "x y z qx qy qz qw", the usual trajectory format. */
export function poseOfRow([x, y, z, qx, qy, qz, qw]: readonly string[]): Transform | undefined {
  return usable({
    p: { x: Number(x), y: Number(y), z: Number(z) },
    q: { w: Number(qw), x: Number(qx), y: Number(qy), z: Number(qz) },
  });
}

/** The matrix of a calibration, 3×3, 3×4 or 4×4, or just four numbers. */
export function pinholeOf(text: string): Pinhole | undefined {
  const m = numbersOf(text);
  const [fx, fy, cx, cy] =
    m.length === 4
      ? m
      : m.length === 9
        ? [m[0], m[4], m[2], m[5]]
        : m.length === 12 || m.length === 16
          ? [m[0], m[5], m[2], m[6]]
          : [];
  if (!(fx! > 0 && fy! > 0) || !Number.isFinite(cx! + cy!)) return undefined;
  return { fx: fx!, fy: fy!, cx: cx!, cy: cy! };
}
