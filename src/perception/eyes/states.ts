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
const VALUES: Readonly<
  Record<string, readonly [rest: string, other: string, can: (name: string) => boolean]>
> = {
  openness: ["closed", "open", opens],
  power: ["off", "on", switches],
  fill: ["empty", "full", fills],
  making: ["made", "unmade", (name) => name === "bed" || isKindOf(name, "bed")],
};

/** What one frame shows of the states of things: of each state a plane of every fourth place, in 255ths. */
export interface FrameStates {
  readonly names: readonly string[];
  readonly width: number;
  readonly height: number;
  readonly planes: Uint8Array;
}

/** Kept of a frame until its things are known, so it is kept small. */
export function statesIn(
  sight: Sight,
  cellOf: Int32Array,
  { width: lookWidth, closer }: Look,
  names: readonly string[],
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
  return { names, width, height, planes };
}

/** How likely each thing of a frame is in the second value of each state; none where too little of it is seen. */
export function statesOf(
  { names, width, height, planes }: FrameStates,
  numbers: Uint16Array,
  across: number,
  things: number,
): readonly (readonly number[] | undefined)[] {
  const sums = new Float64Array(names.length * (things + 1));
  const steps = new Uint32Array(things + 1);
  for (let j = 0, at = 0; j < height; j++) {
    for (let i = 0; i < width; i++, at++) {
      const number = numbers[(j * STEP + 1) * across + i * STEP + 1]!;
      if (number === 0) continue;
      steps[number]!++;
      for (let k = 0; k < names.length; k++)
        sums[names.length * number + k]! += planes[k * width * height + at]! / 255;
    }
  }
  return Array.from({ length: things }, (_, n) => {
    const count = steps[n + 1]!;
    if (count < LEAST_STEPS) return undefined;
    return names.map((_, k) => sums[names.length * (n + 1) + k]! / count);
  });
}

/** The states that are sure, of those that such a thing can be in. */
export function saidStates(
  names: readonly string[],
  likely: readonly number[] | undefined,
  label: string | undefined,
  maybe: readonly Maybe[],
): Record<string, string> {
  const out: Record<string, string> = {};
  if (!likely) return out;
  const may =
    label === undefined ? maybe.filter(({ p }) => p >= MAY_BE).map(({ category }) => category) : [label];
  names.forEach((name, k) => {
    const values = VALUES[name];
    if (!values || !may.some(values[2])) return;
    const p = likely[k]!;
    if (p >= SURE) out[name] = values[1];
    else if (p <= 1 - SURE) out[name] = values[0];
  });
  return out;
}
