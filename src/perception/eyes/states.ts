import type { Look } from "../../models/eyes/index.ts";
import { fills, isKindOf, opens, switches } from "../../ontology/index.ts";
import type { Maybe } from "../../schema/core.ts";
import type { Sight } from "./sight.ts";

/** Places of the grid a step: a closer look tells of four at once. */
const STEP = 4;
/** A state is told from this probability on, or from the same of its opposite. */
const SURE = 0.75;
/** Steps that must show a thing: what is seen by less is mostly its rim. */
const LEAST_STEPS = 4;
/** What may be such a thing as probably as this may be in its states. */
const MAY_BE = 0.2;
/**
 * A place glows whose brightest channel is at the end of its scale while another is not: what is lit is white there, what
 * shines by itself keeps its hue.
 */
const GLOW = { brightest: 250, other: 235 };
/** The share of a lamp's upper places that glow: from the one on it is on, up to the other off. */
const LIT = 0.2;
const UNLIT = 0.03;
const LEAST_UPPER_STEPS = 2;
/** The mean of the brightest channel over a screen: darker it is off, lighter on. */
const DARK_SCREEN = 0.25;
const LIGHT_SCREEN = 0.45;
const VALUES: Readonly<
  Record<string, readonly [rest: string, other: string, can: (name: string) => boolean]>
> = {
  openness: ["closed", "open", opens],
  power: ["off", "on", switches],
  fill: ["empty", "full", fills],
  making: ["made", "unmade", (name) => name === "bed" || isKindOf(name, "bed")],
};

const SCREENS = new Set(["television", "monitor"]);

/** What one frame shows of the states of things: of each state a plane of every fourth place, in 255ths. */
export interface FrameStates {
  readonly names: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly planes: Uint8Array;
  /** Two planes of the same: how much of the places around glows, and how light they are in their brightest channel. */
  readonly light: Uint8Array;
}

/** What one frame shows of one thing: of each state how likely it is in its second value, and its light. */
export interface ThingStates {
  readonly likely: readonly number[];
  /** The share of what glows above the height that was asked for; undefined where too little of it shows. */
  readonly upperGlow: number | undefined;
  readonly lightness: number;
}

/** Kept of a frame until its things are known, so it is kept small. */
export function statesIn(
  sight: Sight,
  cellOf: Int32Array,
  { width: lookWidth, closer }: Look,
  names: readonly string[],
  rgb: Uint8Array,
): FrameStates | undefined {
  if (!closer || names.length === 0) return undefined;
  const [width, height] = [Math.floor(sight.width / STEP), Math.floor(sight.height / STEP)];
  const planes = new Uint8Array(names.length * width * height);
  const cells = closer.width * closer.height;
  for (let j = 0, at = 0; j < height; j++) {
    for (let i = 0; i < width; i++, at++) {
      const look = cellOf[(j * STEP + 1) * sight.width + i * STEP + 1]!;
      const cell = (((look / lookWidth) | 0) >> 1) * closer.width + ((look % lookWidth) >> 1);
      for (let k = 0; k < names.length; k++)
        planes[k * width * height + at] = Math.round(255 * closer.state[k * cells + cell]!);
    }
  }
  return { names, width, height, planes, light: lightIn(sight.width, rgb, width, height) };
}

function lightIn(across: number, rgb: Uint8Array, width: number, height: number): Uint8Array {
  const light = new Uint8Array(2 * width * height);
  for (let j = 0, at = 0; j < height; j++) {
    for (let i = 0; i < width; i++, at++) {
      let [glowing, brightness] = [0, 0];
      for (let n = 0; n < STEP * STEP; n++) {
        const place = 3 * ((j * STEP + ((n / STEP) | 0)) * across + i * STEP + (n % STEP));
        const [r, g, b] = [rgb[place]!, rgb[place + 1]!, rgb[place + 2]!];
        const brightest = Math.max(r, g, b);
        brightness += brightest;
        if (brightest >= GLOW.brightest && Math.min(r, g, b) < GLOW.other) glowing++;
      }
      light[at] = Math.round((255 * glowing) / (STEP * STEP));
      light[width * height + at] = brightness / (STEP * STEP);
    }
  }
  return light;
}

/**
 * What a frame shows of each of its things; nothing where too little of it is seen. `upperZ`: above which height of the map
 * the part of each lies that shines, where it is a lamp.
 */
export function statesOf(
  { names, width, height, planes, light }: FrameStates,
  numbers: Uint16Array,
  { width: across, points }: Pick<Sight, "width" | "points">,
  upperZ: readonly (number | undefined)[],
): readonly (ThingStates | undefined)[] {
  const things = upperZ.length;
  const sums = new Float64Array(names.length * (things + 1));
  const [steps, upper] = [new Uint32Array(things + 1), new Uint32Array(things + 1)];
  const [glow, lightness] = [new Float64Array(things + 1), new Float64Array(things + 1)];
  const cells = width * height;
  for (let j = 0, at = 0; j < height; j++) {
    for (let i = 0; i < width; i++, at++) {
      const place = (j * STEP + 1) * across + i * STEP + 1;
      const number = numbers[place]!;
      if (number === 0) continue;
      steps[number]!++;
      for (let k = 0; k < names.length; k++)
        sums[names.length * number + k]! += planes[k * cells + at]! / 255;
      lightness[number]! += light[cells + at]! / 255;
      if (!(points[3 * place + 2]! >= (upperZ[number - 1] ?? Infinity))) continue;
      upper[number]!++;
      glow[number]! += light[at]! / 255;
    }
  }
  return upperZ.map((_, n) => {
    const count = steps[n + 1]!;
    if (count < LEAST_STEPS) return undefined;
    const above = upper[n + 1]!;
    return {
      likely: names.map((_, k) => sums[names.length * (n + 1) + k]! / count),
      upperGlow: above < LEAST_UPPER_STEPS ? undefined : glow[n + 1]! / above,
      lightness: lightness[n + 1]! / count,
    };
  });
}

/** The states that are sure, of those that such a thing can be in. */
export function saidStates(
  names: readonly string[],
  seen: ThingStates | undefined,
  label: string | undefined,
  maybe: readonly Maybe[],
): Record<string, string> {
  const out: Record<string, string> = {};
  if (!seen) return out;
  const may =
    label === undefined ? maybe.filter(({ p }) => p >= MAY_BE).map(({ category }) => category) : [label];
  names.forEach((name, k) => {
    const values = VALUES[name];
    if (!values || !may.some(values[2])) return;
    const p = (name === "power" ? powerOf(seen, label) : undefined) ?? seen.likely[k]!;
    if (p >= SURE) out[name] = values[1];
    else if (p <= 1 - SURE) out[name] = values[0];
  });
  return out;
}

/** Whether lamps and screens are on, which their light tells better than the net; undefined of all else. */
function powerOf({ upperGlow, lightness }: ThingStates, label: string | undefined): number | undefined {
  if (label === undefined) return undefined;
  if (isKindOf(label, "light") && upperGlow !== undefined)
    return upperGlow >= LIT ? 1 : upperGlow <= UNLIT ? 0 : 0.5;
  if (!SCREENS.has(label)) return undefined;
  return lightness < DARK_SCREEN ? 0 : lightness > LIGHT_SCREEN ? 1 : 0.5;
}
