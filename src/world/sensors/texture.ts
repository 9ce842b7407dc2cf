import { TEXTURES } from "./paint-table.ts";

/**
 * Procedural patterns as the share of the second colour and a brightness, from surface coordinates in metres.
 * Integer hashes and + − × ÷ only, so every machine paints the same.
 */
export interface Pattern {
  /** 0 is the first colour, 1 the accent. */
  accent: number;
  brightness: number;
}

const NUMBER = Object.fromEntries(TEXTURES.map((name, index) => [name, index])) as Record<
  (typeof TEXTURES)[number],
  number
>;

/**
 * Fills `out` for texture `texture` at (u, v) with period `period`. `detail` is 1 when a pixel is much smaller
 * than the period and 0 when it is larger: patterns fade into their mean instead of flickering.
 */
export function patternAt(
  texture: number,
  u: number,
  v: number,
  period: number,
  detail: number,
  out: Pattern,
): void {
  out.accent = 0;
  out.brightness = 1;
  const a = u / period;
  const b = v / period;
  switch (texture) {
    case NUMBER.plain:
      out.brightness = 1 + 0.03 * (noise(u * 2.3, v * 2.3, 1) - 0.5);
      return;
    case NUMBER.wood: {
      const grain = noise(a * 0.7, b * 9, 2) * 0.7 + noise(a * 2, b * 31, 3) * 0.3;
      out.accent = mean(grain * 0.75, 0.37, detail);
      return;
    }
    case NUMBER.planks: {
      const row = Math.floor(b);
      const along = a / 7 + hash(row, 0, 4);
      const plank = Math.floor(along);
      const joint = b - row < 0.045 || along - plank < 0.007 ? 0.9 : 0;
      const grain = noise(a * 1.3, b * 7, 5) * 0.28;
      out.accent = mean(joint + grain + (hash(row, plank, 6) - 0.3) * 0.35, 0.2, detail);
      return;
    }
    case NUMBER.tiles: {
      const x = a - Math.floor(a);
      const y = b - Math.floor(b);
      const grout = x < 0.05 || y < 0.05;
      out.accent = mean(grout ? 1 : 0, 0.1, detail);
      out.brightness = 1 + (hash(Math.floor(a), Math.floor(b), 7) - 0.5) * 0.06 * detail;
      return;
    }
    case NUMBER.carpet: {
      const rough = noise(u * 40, v * 40, 8) - 0.5;
      const band = noise(a * 1.1, b * 1.1, 9);
      out.accent = mean(band > 0.55 ? 0.6 : 0, 0.25, detail);
      out.brightness = 1 + rough * 0.16;
      return;
    }
    case NUMBER.fabric: {
      const weave = (Math.floor(u * 90) + Math.floor(v * 90)) & 1 ? 0.04 : -0.04;
      out.accent = mean(noise(a * 1.5, b * 1.5, 10) * 0.3, 0.15, detail);
      out.brightness = 1 + weave * detail + (noise(u * 5, v * 5, 11) - 0.5) * 0.1;
      return;
    }
    case NUMBER.brick: {
      const row = Math.floor(b * 2);
      const x = a + (row & 1 ? 0.5 : 0);
      const mortar = x - Math.floor(x) < 0.05 || b * 2 - row < 0.1;
      out.accent = mean(mortar ? 1 : 0, 0.15, detail);
      out.brightness = 1 + (hash(Math.floor(x), row, 12) - 0.5) * 0.25 * detail;
      return;
    }
    case NUMBER.stripes:
      out.accent = mean(a - Math.floor(a) < 0.5 ? 1 : 0, 0.5, detail);
      return;
    case NUMBER.checker:
      out.accent = mean((Math.floor(a) + Math.floor(b)) & 1 ? 1 : 0, 0.5, detail);
      return;
    case NUMBER.metal:
      out.brightness = 0.96 + noise(u * 3, v * 60, 13) * 0.1;
      return;
    case NUMBER.leaves: {
      const blob = noise(a * 3, b * 3, 14) * 0.65 + noise(a * 7, b * 7, 15) * 0.35;
      out.accent = mean(blob > 0.5 ? 0.8 : 0, 0.4, detail);
      out.brightness = 0.8 + blob * 0.4;
      return;
    }
    default:
      return;
  }
}

/** One of eight muted spine colours, with the width of a book `period`: three numbers of 0…255 into `rgb`. */
export function bookColour(u: number, v: number, period: number, heightM: number, rgb: Float64Array): void {
  const book = Math.floor(u / period);
  const within = u / period - book;
  const spine = SPINES[Math.floor(hash(book, 0, 16) * SPINES.length)]!;
  const tall = heightM * (0.68 + 0.3 * hash(book, 1, 17));
  const edge = within < 0.1 || v > tall ? 0.35 : 1;
  const band = Math.abs(v - tall * 0.7) < heightM * 0.04 && hash(book, 2, 18) > 0.4 ? 1.5 : 1;
  for (let k = 0; k < 3; k++) rgb[k] = spine[k]! * edge * band;
}

/** A landscape under glass: sky, hills of the two paints, a sun; (x, y) are 0…1 within the frame, y up. */
export function pictureColour(
  x: number,
  y: number,
  main: ArrayLike<number>,
  at: number,
  rgb: Float64Array,
): void {
  const border = x < 0.06 || x > 0.94 || y < 0.06 || y > 0.94;
  if (border) {
    rgb[0] = 62;
    rgb[1] = 48;
    rgb[2] = 36;
    return;
  }
  const hill = 0.3 + 0.28 * noise(x * 3.1, 0.5, 19 + (main[at]! | 0));
  const front = 0.16 + 0.2 * noise(x * 4.7, 3.5, 20 + (main[at + 1]! | 0));
  const sunX = x - 0.7;
  const sunY = y - 0.74;
  const sun = sunX * sunX + sunY * sunY < 0.008;
  for (let k = 0; k < 3; k++) {
    if (y < front) rgb[k] = main[at + 3 + k]! * 0.6;
    else if (y < hill) rgb[k] = main[at + 3 + k]!;
    else if (sun) rgb[k] = 250 - 30 * k;
    else rgb[k] = main[at + k]! * 0.5 + (170 + 20 * k) * 0.5;
  }
}

/** What a window shows: the sky above, a hazy garden below the horizon; `slope` is the upward part of a unit ray. */
export function skyColour(slope: number, rgb: Float64Array): void {
  if (slope >= 0) {
    rgb[0] = 214 - 95 * slope;
    rgb[1] = 231 - 55 * slope;
    rgb[2] = 246 - 10 * slope;
  } else {
    const down = -slope < 0.35 ? -slope / 0.35 : 1;
    rgb[0] = 178 - 70 * down;
    rgb[1] = 200 - 60 * down;
    rgb[2] = 168 - 88 * down;
  }
}

/** A screen that is on: a bright page with a bar and lines of text; off: near black. Sizes in 0…1, y up. */
export function screenColour(
  x: number,
  y: number,
  main: ArrayLike<number>,
  at: number,
  rgb: Float64Array,
): void {
  const edge = x < 0.03 || x > 0.97 || y < 0.05 || y > 0.95;
  const on = main[at + 7]! > 0;
  for (let k = 0; k < 3; k++) rgb[k] = main[at + k]!;
  if (edge) {
    for (let k = 0; k < 3; k++) rgb[k] = 24;
    return;
  }
  if (!on) {
    const sheen = 1 + 0.9 * (x * 0.5 + y * 0.5);
    for (let k = 0; k < 3; k++) rgb[k] = 17 * sheen + 3 * k;
    return;
  }
  const line = Math.floor(y * 12);
  const inLine = y * 12 - line > 0.35 && x > 0.12 && x < 0.35 + 0.5 * hash(line, 3, 21);
  if (y > 0.84) for (let k = 0; k < 3; k++) rgb[k] = main[at + 3 + k]!;
  else if (inLine) for (let k = 0; k < 3; k++) rgb[k] = main[at + k]! * 0.45;
}

function mean(value: number, average: number, detail: number): number {
  const mixed = average + (value - average) * detail;
  return mixed < 0 ? 0 : Math.min(mixed, 1);
}

/** Uniform in [0, 1) from two cell numbers and a salt. */
function hash(x: number, y: number, salt: number): number {
  let h = Math.imul(x | 0, 374761393) ^ Math.imul(y | 0, 668265263) ^ Math.imul(salt, 974634777);
  h = Math.imul(h ^ (h >>> 13), 1274126177);
  h ^= h >>> 16;
  return (h >>> 0) / 4294967296;
}

/** Smooth value noise in [0, 1). */
function noise(x: number, y: number, salt: number): number {
  const cellX = Math.floor(x);
  const cellY = Math.floor(y);
  const fx = x - cellX;
  const fy = y - cellY;
  const sx = fx * fx * (3 - 2 * fx);
  const sy = fy * fy * (3 - 2 * fy);
  const low = hash(cellX, cellY, salt) * (1 - sx) + hash(cellX + 1, cellY, salt) * sx;
  const high = hash(cellX, cellY + 1, salt) * (1 - sx) + hash(cellX + 1, cellY + 1, salt) * sx;
  return low * (1 - sy) + high * sy;
}

const SPINES: readonly (readonly [number, number, number])[] = [
  [150, 46, 42],
  [38, 70, 120],
  [44, 98, 62],
  [196, 160, 66],
  [92, 58, 106],
  [206, 196, 176],
  [64, 64, 70],
  [176, 96, 48],
];
