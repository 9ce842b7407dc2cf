import { toMatrix } from "../../geometry/index.ts";
import { type Look, TOP } from "../../models/eyes/index.ts";
import { fills, isKindOf, opens, switches } from "../../ontology/index.ts";
import type { Maybe } from "../../schema/core.ts";
import { settings } from "../../schema/settings.ts";
import { isGlow, saturationOf } from "./colours.ts";
import type { Sight } from "./sight.ts";

/** Value, unit, minimum, maximum, source. */
const STATES_SEEN = settings("eyes.states", {
  /** Grid cells per step: close-up inference covers four at once. */
  step: [4, "cells", 2, 8, "experiment"],
  /** Probability from which a state, or its opposite, is reported. */
  sure: [0.75, "probability", 0.375, 0.875, "experiment"],
  /**
   * Greatest probability of open for it to be reported closed: from behind and from afar an open drawer looks closed.
   * Of 92 observations of five open things in houses 73, 79 and 80 six are below .25 and two below .15; of 337 of 22
   * closed ones 272 and 252.
   */
  looksClosed: [0.15, "probability", 0.075, 0.3, "experiment"],
  /** Least steps that must show a thing: fewer show mostly its rim. */
  leastSteps: [4, "steps", 2, 8, "experiment"],
  /** Probability of an alternative category from which its states are reported too. */
  mayBe: [0.2, "probability", 0.1, 0.4, "experiment"],
  /** Share of glowing upper cells of a lamp: above the first it is on, below the second off. */
  lit: [0.2, "share", 0.1, 0.4, "experiment"],
  unlit: [0.03, "share", 0.015, 0.06, "experiment"],
  leastUpperSteps: [2, "steps", 1, 4, "experiment"],
  /**
   * Least vote for "person" in a cell; and the share of a thing's outline, at its depth, that must show a person on it.
   */
  somebody: [0.4, "share", 0.2, 0.8, "experiment"],
  occupied: [0.1, "share", 0.05, 0.2, "experiment"],
  /** Space in front of the nearest point of a seat for a person sitting on it. */
  lapM: [0.4, "m", 0.2, 0.8, "experiment"],
  /** Mean of the brightest channel over a screen: below the first it is off, above the second on. */
  darkScreen: [0.25, "share", 0.125, 0.5, "experiment"],
  lightScreen: [0.45, "share", 0.225, 0.9, "experiment"],
  /** Mean saturation of a drinking glass: above the first it contains a coloured drink, below the second it is clear. */
  colouredDrink: [0.4, "share", 0.2, 0.8, "experiment"],
  clearGlass: [0.2, "share", 0.1, 0.4, "experiment"],
  /** Share of bright and saturated pixels of a laptop whose screen is on and visible; from behind this is unknown. */
  litLaptop: [0.12, "share", 0.06, 0.24, "experiment"],
  vividBrightness: [150, "level", 75, 230, "experiment"],
  vividSaturation: [0.3, "share", 0.15, 0.6, "experiment"],
  /**
   * Greatest share of bright and saturated pixels of such an appliance that is off, if enough cells show it: ten that
   * are off and colourless have 0 in simulated houses 64, 72 to 74, 77, 79, 80 and 83, six that are on .02 to .12. More
   * does not mean on, since foreground things and its own colour are saturated too.
   */
  darkAppliance: [0.002, "share", 0.001, 0.004, "experiment"],
  darkApplianceSteps: [12, "steps", 6, 24, "experiment"],
});

const VALUES: Readonly<
  Record<string, readonly [rest: string, other: string, can: (name: string) => boolean]>
> = {
  openness: ["closed", "open", opens],
  power: ["off", "on", (name) => switches(name) && !isWarmOnly(name)],
  fill: ["empty", "full", (name) => fills(name) && showsFill(name)],
  making: ["made", "unmade", (name) => isKindOf(name, "bed")],
};

const SCREENS = new Set(["television", "monitor"]);

/** Things that show a flame, a hot plate or a light while they are on. */
const SHINING = new Set([
  "stove",
  "oven",
  "dishwasher",
  "washing machine",
  "dryer",
  "microwave",
  "coffee machine",
  "kettle",
  "fireplace",
  "candle",
]);
/**
 * Things that one can look into to see whether they are full; the content of a bag, a mug or a kettle is not visible,
 * and the network only guesses it from the category.
 */
const SHOWS_FILL = new Set(["bathtub", "laundry basket", "glass"]);

/** What one frame shows of states: for each state a plane of every fourth cell, in 255ths. */
export interface FrameStates {
  readonly names: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly planes: Uint8Array;
  /**
   * Four planes of the same kind: share of glowing cells, brightest channel, saturation, and share of cells both
   * bright and saturated.
   */
  readonly light: Uint8Array;
  /** Probability of a person in each cell. */
  readonly people: Uint8Array;
}

/** What one frame shows of one thing: for each state the probability of its second value, and its light. */
export interface ThingStates {
  readonly likely: readonly number[];
  /** Cells of the step grid that show it. */
  readonly places: number;
  /** Share of glowing cells above the requested height; undefined if too little of it is visible. */
  readonly upperGlow: number | undefined;
  readonly lightness: number;
  readonly saturation: number;
  /** Share of cells both bright and saturated. */
  readonly vivid: number;
  /** Share of its outline that shows a person at its distance. */
  readonly people: number;
}

/** Stored for a frame until its things are known, so kept small. */
export function statesIn(
  sight: Sight,
  cellOf: Int32Array,
  look: Look,
  names: readonly string[],
  rgb: Uint8Array,
  person: number,
): FrameStates | undefined {
  if (!look.closer || names.length === 0) return undefined;
  const [width, height] = [
    Math.floor(sight.width / STATES_SEEN.step),
    Math.floor(sight.height / STATES_SEEN.step),
  ];
  const planes = new Uint8Array(names.length * width * height);
  const people = new Uint8Array(width * height);
  const told = { planes, people };
  for (let j = 0; j < height; j++) stateRow(told, sight.width, cellOf, look, names.length, person, width, j);
  return { names, width, height, planes, light: lightIn(sight.width, rgb, width, height), people };
}

function stateRow(
  { planes, people }: Pick<FrameStates, "planes" | "people">,
  across: number,
  cellOf: Int32Array,
  { width: lookWidth, category, closer }: Look,
  states: number,
  person: number,
  width: number,
  row: number,
): void {
  if (!closer) return;
  const [cells, plane] = [closer.width * closer.height, people.length];
  const { names, odds } = category;
  for (let i = 0, at = row * width; i < width; i++, at++) {
    const own = cellOf[(row * STATES_SEEN.step + 1) * across + i * STATES_SEEN.step + 1]!;
    const cell = (((own / lookWidth) | 0) >> 1) * closer.width + ((own % lookWidth) >> 1);
    for (let n = TOP * own; n < TOP * (own + 1); n++)
      if (names[n] === person) people[at] = Math.round(255 * odds[n]!);
    for (let k = 0; k < states; k++)
      planes[k * plane + at] = Math.round(255 * closer.state[k * cells + cell]!);
  }
}

function lightIn(across: number, rgb: Uint8Array, width: number, height: number): Uint8Array {
  const light = new Uint8Array(4 * width * height);
  for (let j = 0; j < height; j++) lightRow(across, rgb, width, j, light, width * height);
  return light;
}

function lightRow(
  across: number,
  rgb: Uint8Array,
  width: number,
  row: number,
  light: Uint8Array,
  plane: number,
): void {
  for (let i = 0, at = row * width; i < width; i++, at++) {
    let glowing = 0;
    let brightness = 0;
    let saturation = 0;
    let vivid = 0;
    for (let dj = 0; dj < STATES_SEEN.step; dj++) {
      const from = 3 * ((row * STATES_SEEN.step + dj) * across + i * STATES_SEEN.step);
      for (let place = from; place < from + 3 * STATES_SEEN.step; place += 3) {
        const r = rgb[place]!;
        const g = rgb[place + 1]!;
        const b = rgb[place + 2]!;
        const high = Math.max(r, g, b);
        brightness += high;
        const own = saturationOf(high, Math.min(r, g, b));
        saturation += own;
        if (high > STATES_SEEN.vividBrightness && own > STATES_SEEN.vividSaturation) vivid++;
        if (isGlow(r, g, b)) glowing++;
      }
    }
    light[at] = Math.round((255 * glowing) / (STATES_SEEN.step * STATES_SEEN.step));
    light[plane + at] = brightness / (STATES_SEEN.step * STATES_SEEN.step);
    light[2 * plane + at] = Math.round((255 * saturation) / (STATES_SEEN.step * STATES_SEEN.step));
    light[3 * plane + at] = Math.round((255 * vivid) / (STATES_SEEN.step * STATES_SEEN.step));
  }
}

/** The height of a grid cell in the map; NaN without depth. */
function heightsOf({
  width,
  depthM,
  intrinsics: { fx, fy, cx, cy },
  mapFromCamera: { p, q },
}: Pick<Sight, "width" | "depthM" | "intrinsics" | "mapFromCamera">): (place: number) => number {
  const [, , , , , , across, down, along] = toMatrix(q);
  return (place) => {
    const depth = depthM[place]!;
    if (depth === 0) return NaN;
    const [x, y] = [((place % width) + 0.5 - cx) / fx, (((place / width) | 0) + 0.5 - cy) / fy];
    return (across * x + down * y + along) * depth + p.z;
  };
}

/**
 * What a frame shows of each of its things; nothing if too little is visible. `upperZ`: for lamps, the height in the
 * map above which they shine.
 */
export function statesOf(
  frame: FrameStates,
  numbers: Uint16Array,
  sight: Pick<Sight, "width" | "depthM" | "intrinsics" | "mapFromCamera">,
  upperZ: readonly (number | undefined)[],
): readonly (ThingStates | undefined)[] {
  const { names, width, height, planes, light } = frame;
  const { width: across } = sight;
  const heightAt = heightsOf(sight);
  const things = upperZ.length;
  const sums = new Float64Array(names.length * (things + 1));
  const [steps, upper] = [new Uint32Array(things + 1), new Uint32Array(things + 1)];
  const [glow, lightness] = [new Float64Array(things + 1), new Float64Array(things + 1)];
  const [saturation, vivid] = [new Float64Array(things + 1), new Float64Array(things + 1)];
  const cells = width * height;
  for (let j = 0, at = 0; j < height; j++) {
    for (let i = 0; i < width; i++, at++) {
      const place = (j * STATES_SEEN.step + 1) * across + i * STATES_SEEN.step + 1;
      const number = numbers[place]!;
      if (number === 0) continue;
      steps[number]!++;
      for (let k = 0; k < names.length; k++)
        sums[names.length * number + k]! += planes[k * cells + at]! / 255;
      lightness[number]! += light[cells + at]! / 255;
      saturation[number]! += light[2 * cells + at]! / 255;
      vivid[number]! += light[3 * cells + at]! / 255;
      const aboveZ = upperZ[number - 1];
      if (aboveZ === undefined || !(heightAt(place) >= aboveZ)) continue;
      upper[number]!++;
      glow[number]! += light[at]! / 255;
    }
  }
  const people = peopleOn(frame, numbers, sight, things);
  return upperZ.map((_, n) => {
    const count = steps[n + 1]!;
    if (count < STATES_SEEN.leastSteps) return undefined;
    const above = upper[n + 1]!;
    return {
      likely: names.map((_, k) => sums[names.length * (n + 1) + k]! / count),
      places: count,
      upperGlow: above < STATES_SEEN.leastUpperSteps ? undefined : glow[n + 1]! / above,
      lightness: lightness[n + 1]! / count,
      saturation: saturation[n + 1]! / count,
      vivid: vivid[n + 1]! / count,
      people: people[n + 1]!,
    };
  });
}

/** The share of each thing's box in the picture that shows people at its distance or slightly nearer. */
function peopleOn(
  { width, height, people }: FrameStates,
  numbers: Uint16Array,
  { width: across, depthM }: Pick<Sight, "width" | "depthM">,
  things: number,
): Float64Array {
  const out = new Float64Array(things + 1);
  if (!people.some((p) => p >= 255 * STATES_SEEN.somebody)) return out;
  const placeOf = (i: number, j: number) => (j * STATES_SEEN.step + 1) * across + i * STATES_SEEN.step + 1;
  const boxes = Array.from({ length: things + 1 }, () => ({
    left: Infinity,
    right: -1,
    top: Infinity,
    bottom: -1,
    nearM: Infinity,
    farM: 0,
  }));
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      const place = placeOf(i, j);
      const box = boxes[numbers[place]!]!;
      if (numbers[place] === 0 || depthM[place] === 0) continue;
      box.left = Math.min(box.left, i);
      box.right = Math.max(box.right, i);
      box.top = Math.min(box.top, j);
      box.bottom = Math.max(box.bottom, j);
      box.nearM = Math.min(box.nearM, depthM[place]!);
      box.farM = Math.max(box.farM, depthM[place]!);
    }
  }
  boxes.forEach(({ left, right, top, bottom, nearM, farM }, number) => {
    let [all, somebody] = [0, 0];
    for (let j = top; j <= bottom; j++) {
      for (let i = left; i <= right; i++) {
        const z = depthM[placeOf(i, j)]!;
        all++;
        if (
          z >= nearM - STATES_SEEN.lapM &&
          z <= farM &&
          people[j * width + i]! >= 255 * STATES_SEEN.somebody
        )
          somebody++;
      }
    }
    out[number] = all > 0 ? somebody / all : 0;
  });
  return out;
}

/**
 * The certain states among those possible for the thing or its alternatives: a question about a dishwasher may mean
 * what is named a counter.
 */
export function saidStates(
  names: readonly string[],
  seen: ThingStates | undefined,
  label: string | undefined,
  maybe: readonly Maybe[],
): Record<string, string> {
  const out: Record<string, string> = {};
  if (!seen) return out;
  const may = maybe.filter(({ p }) => p >= STATES_SEEN.mayBe).map(({ category }) => category);
  names.forEach((name, k) => {
    const values = VALUES[name];
    const who = [...(label === undefined ? [] : [label]), ...may].find((one) => values?.[2](one));
    if (!values || who === undefined) return;
    const p = lightOf(name, seen, who) ?? seen.likely[k]!;
    if (p >= STATES_SEEN.sure) out[name] = values[1];
    else if (p <= (name === "openness" ? STATES_SEEN.looksClosed : 1 - STATES_SEEN.sure))
      out[name] = values[0];
  });
  if (label !== undefined && isSeat(label)) {
    if (seen.people >= STATES_SEEN.occupied) out["occupancy"] = "occupied";
    else if (seen.people === 0) out["occupancy"] = "free";
  }
  return out;
}

/** Furniture to sit or lie on, where a person on it is visible. */
function isSeat(label: string): boolean {
  return isKindOf(label, "seat") || isKindOf(label, "bed");
}

/** Things that get warm when on, without showing it. */
function isWarmOnly(name: string): boolean {
  return ["radiator", "heater"].some((kind) => isKindOf(name, kind));
}

function showsFill(name: string): boolean {
  return [...SHOWS_FILL].some((kind) => isKindOf(name, kind));
}

/** A state that light shows better than the network; undefined if light says nothing. */
function lightOf(state: string, seen: ThingStates, label: string): number | undefined {
  if (state === "power") return powerOf(seen, label);
  // Water is clear and so invisible; other drinks have a colour, and clear glass has none.
  if (state !== "fill" || !isKindOf(label, "glass")) return undefined;
  return seen.saturation >= STATES_SEEN.colouredDrink
    ? 1
    : seen.saturation <= STATES_SEEN.clearGlass
      ? 0
      : 0.5;
}

/**
 * Whether lamps, screens and appliances are on, which light shows better than the network; undefined for other
 * things.
 */
function powerOf({ upperGlow, lightness, vivid, places }: ThingStates, label: string): number | undefined {
  if (isKindOf(label, "light") && upperGlow !== undefined)
    return upperGlow >= STATES_SEEN.lit ? 1 : upperGlow <= STATES_SEEN.unlit ? 0 : 0.5;
  if (label === "laptop" && vivid >= STATES_SEEN.litLaptop) return 1;
  if (SHINING.has(label) && vivid <= STATES_SEEN.darkAppliance && places >= STATES_SEEN.darkApplianceSteps)
    return 0;
  if (!SCREENS.has(label)) return undefined;
  return lightness < STATES_SEEN.darkScreen ? 0 : lightness > STATES_SEEN.lightScreen ? 1 : 0.5;
}
