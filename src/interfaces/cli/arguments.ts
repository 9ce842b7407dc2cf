import { InvalidArgumentError } from "commander";
import type { Interval, Vec3 } from "../../index.ts";

const UNITS_US: Record<string, number> = { s: 1e6, m: 60e6, h: 3600e6, d: 86_400e6 };

/** "1.5,2,0.8" → metres. */
export function parsePoint(text: string): Vec3 {
  const parts = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const [x, y, z] = parts;
  if (parts.length !== 3 || !parts.every(Number.isFinite)) {
    throw new InvalidArgumentError(`expected x,y,z in metres such as 1.5,2,0.8, got "${text}".`);
  }
  return { x: x!, y: y!, z: z! };
}

/** "0,0 5,0 5,4" → the corners of a floor, metres. */
export function parseFence(text: string): { x: number; y: number }[] {
  const corners = text
    .trim()
    .split(/[\s;]+/)
    .map((corner) => corner.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part))));
  if (corners.length < 3 || !corners.every((corner) => corner.length === 2 && corner.every(Number.isFinite)))
    throw new InvalidArgumentError(`expected three corners or more such as "0,0 5,0 5,4", got "${text}".`);
  return corners.map(([x, y]) => ({ x: x!, y: y! }));
}

/** "1.5,2,90deg" or "1.5,2,0.3,1.57" → a standing position and a heading: radians unless it says deg. */
export function parsePose(text: string): { position: Vec3; yawRad: number } {
  const parts = text.split(",").map((part) => part.trim());
  const [, turn = "", unit] = /^(-?[\d.]+)(deg|°)?$/.exec(parts.at(-1) ?? "") ?? [];
  const numbers = [...parts.slice(0, -1), turn].map((part) => (part === "" ? Number.NaN : Number(part)));
  if ((numbers.length !== 3 && numbers.length !== 4) || !numbers.every(Number.isFinite))
    throw new InvalidArgumentError(`expected X,Y[,Z],YAW in metres and radians (or 90deg), got "${text}".`);
  const yaw = numbers.at(-1)!;
  return {
    position: { x: numbers[0]!, y: numbers[1]!, z: numbers.length === 4 ? numbers[2]! : 0 },
    yawRad: unit === undefined ? yaw : (yaw * Math.PI) / 180,
  };
}

/** A whole number that names a house. */
export function parseSeed(text: string): string {
  if (!/^\d{1,15}$/.test(text.trim()))
    throw new InvalidArgumentError(`expected a whole number such as 7, got "${text}".`);
  return text.trim();
}

/** "now", "-10m" (ten minutes ago), ISO 8601, or whole microseconds since the epoch. */
export function parseMoment(text: string): number {
  const trimmed = text.trim();
  const nowUs = Date.now() * 1000;
  if (trimmed === "now") return nowUs;
  const relative = /^([+-]\d+(?:\.\d+)?)([smhd])$/.exec(trimmed);
  if (relative) return Math.round(nowUs + Number(relative[1]) * UNITS_US[relative[2]!]!);
  if (/^-?\d{6,}$/.test(trimmed)) {
    if (!Number.isSafeInteger(Number(trimmed)))
      throw new InvalidArgumentError(`"${text}" is past 2^53 microseconds.`);
    return Number(trimmed);
  }
  const us = /^\d{4}-/.test(trimmed) ? new Date(trimmed).getTime() * 1000 : Number.NaN;
  if (!Number.isSafeInteger(us)) {
    throw new InvalidArgumentError(
      `expected a time such as 2026-01-31T09:00, -10m, now or microseconds, got "${text}".`,
    );
  }
  return us;
}

/** As `parseMoment`; words such as "yesterday" stay words, to be read by the memory's own clock. */
export function parseSaidMoment(text: string): number | string {
  return /^\s*(?:now$|[+-]?\d+(?:\.\d+)?[smhd]?\s*$|\d{4}-)/.test(text) ? parseMoment(text) : text.trim();
}

/** "a..b" with either end left out for open. */
export function parseSpan(text: string): Interval {
  const [from, to, ...rest] = text.split("..");
  if (from === undefined || to === undefined || rest.length > 0) {
    throw new InvalidArgumentError(`expected FROM..TO such as -1h..now, got "${text}".`);
  }
  const fromUs = from === "" ? Number.MIN_SAFE_INTEGER : parseMoment(from);
  const toUs = to === "" ? null : parseMoment(to);
  if (toUs !== null && toUs <= fromUs) throw new InvalidArgumentError(`"${text}" ends before it starts.`);
  return { fromUs, toUs };
}

/** A number above zero. */
export function parsePositive(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value) || value <= 0) {
    throw new InvalidArgumentError(`expected a number above 0, got "${text}".`);
  }
  return value;
}

/** A share above 0, at most 1: "0.05". */
export function parseShare(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value > 0 && value <= 1))
    throw new InvalidArgumentError(`expected a share above 0 and at most 1, such as 0.05, got "${text}".`);
  return value;
}

/** "80,60" → one pixel as a box without size; "10,20,90,80" → left, top, right, bottom. */
export function parsePixels(text: string): readonly [number, number, number, number] {
  const numbers = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const [left, top, right = left, bottom = top] = numbers;
  const isWhole =
    (numbers.length === 2 || numbers.length === 4) && numbers.every((n) => n >= 0 && n < 65_536);
  if (!isWhole || right! < left! || bottom! < top!)
    throw new InvalidArgumentError(`expected X,Y or LEFT,TOP,RIGHT,BOTTOM in pixels, got "${text}".`);
  return [left!, top!, right!, bottom!];
}

/** "585,585,320,240" → focal lengths and centre, in pixels. */
export function parseIntrinsics(text: string): { fx: number; fy: number; cx: number; cy: number } {
  const numbers = text.split(",").map((part) => (part.trim() === "" ? Number.NaN : Number(part)));
  const [fx, fy, cx, cy] = numbers;
  if (numbers.length !== 4 || !numbers.every(Number.isFinite) || !(fx! > 0 && fy! > 0))
    throw new InvalidArgumentError(`expected fx,fy,cx,cy in pixels such as 585,585,320,240, got "${text}".`);
  return { fx: fx!, fy: fy!, cx: cx!, cy: cy! };
}

/** A whole number from 1. */
export function parseCount(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 1)
    throw new InvalidArgumentError(`expected a whole number from 1, got "${text}".`);
  return value;
}

/** The longest side of a kept picture. */
export function parsePictureSide(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || value < 64 || value > 4096)
    throw new InvalidArgumentError(`expected 64 to 4096 pixels, got "${text}".`);
  return value;
}

export function parsePort(text: string): number {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value > 65_535)
    throw new InvalidArgumentError(`expected a port from 0 to 65535, got "${text}".`);
  return value;
}

/** "a,b,c" → a list without empty entries. */
export function parseList(text: string): string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

/** An option that may be given several times, in the order given. */
export function collect(value: string, before: string[] = []): string[] {
  return [...before, value];
}
