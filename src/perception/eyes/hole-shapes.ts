import type { DepthImage } from "../../schema/core.ts";
import { settings } from "../../schema/settings.ts";
import type { Sight } from "./sight.ts";
import type { Sayings } from "./voxels.ts";

/** Value, unit, minimum, maximum, source. */
const HOLE_SHAPES = settings("eyes.hole-shapes", {
  /** Holes are searched on every second column and row. */
  step: [2, "cells", 1, 4, "experiment"],
  /**
   * What the network calls wall, floor or ceiling by more than this is not a hole: far corridors have no depth either.
   */
  structureShare: [0.3, "share", 0.15, 0.6, "experiment"],
  /**
   * Least size in steps; the distance from it at which its surroundings are measured; and the width of its rim in
   * steps.
   */
  leastWideSteps: [10, "steps", 5, 20, "experiment"],
  leastHighSteps: [6, "steps", 3, 12, "experiment"],
  besideSteps: [4, "steps", 2, 8, "experiment"],
  rimSteps: [6, "steps", 3, 12, "experiment"],
  /** Least share of depth in a row or column for it to count as inside the depth camera's view. */
  lookedShare: [0.1, "share", 0.05, 0.2, "experiment"],
  /** Beyond the depth camera's view a hole continues up to an outline of at least this strength. */
  outline: [0.6, "share", 0.3, 0.8, "experiment"],
});

/** A hole in the depth of a frame, in cells of its grid. */
export interface Hole {
  /** All cells without depth that belong to it. */
  readonly places: readonly number[];
  /** One cell per step inside the depth camera's view, and the number of cells each stands for. */
  readonly inner: readonly number[];
  readonly cellPlaces: number;
  /** Cells with depth around it, several steps deep. */
  readonly rim: readonly number[];
  /** Left, right, top and bottom: the length, and the nearest measured cell of each row or column. */
  readonly sides: readonly { readonly length: number; readonly places: readonly number[] }[];
  readonly isWithin: (place: number) => boolean;
  /** Whether a cell is at the edge of the depth camera's view, so that the hole may continue beyond. */
  readonly isAtEdge: (place: number) => boolean;
}

interface Steps {
  readonly across: number;
  readonly down: number;
  /** 1 where there is no depth, and no wall according to the network. */
  readonly empty: Uint8Array;
  /** The depth camera's view: first and last columns and rows. */
  readonly looked: readonly [left: number, top: number, right: number, bottom: number];
}

/** The holes of a frame's depth that are large enough for a screen. */
export function holesIn(sight: Sight, depth: DepthImage, sayings: Sayings): Hole[] {
  const steps = stepsOf(sight, depth, sayings);
  const numbers = labelled(steps);
  const own: number[][] = Array.from({ length: numbers.count }, () => []);
  numbers.of.forEach((number, step) => {
    if (number > 0) own[number - 1]!.push(step);
  });
  return own.flatMap((all, n) => holeOf(sight, sayings, steps, numbers.of, n + 1, all) ?? []);
}

function stepsOf(sight: Sight, depth: DepthImage, { surface, cellOf }: Sayings): Steps {
  const [across, down] = [
    Math.floor(sight.width / HOLE_SHAPES.step),
    Math.floor(sight.height / HOLE_SHAPES.step),
  ];
  const empty = new Uint8Array(across * down);
  const [columns, rows] = [new Uint16Array(across), new Uint16Array(down)];
  const middle = sight.stride >> 1;
  for (let j = 0, at = 0; j < down; j++) {
    for (let i = 0; i < across; i++, at++) {
      const place = j * HOLE_SHAPES.step * sight.width + i * HOLE_SHAPES.step;
      // Depth beyond the maximum range counts as depth.
      const raw =
        depth.data[
          (j * HOLE_SHAPES.step * sight.stride + middle) * depth.width +
            i * HOLE_SHAPES.step * sight.stride +
            middle
        ];
      if (raw !== 0) {
        columns[i]!++;
        rows[j]!++;
      } else if (surface[cellOf[place]!]! < HOLE_SHAPES.structureShare) empty[at] = 1;
    }
  }
  const isLooked = (count: number, of: number) => count >= HOLE_SHAPES.lookedShare * of;
  const [left, right] = ends(columns, (count) => isLooked(count, down));
  const [top, bottom] = ends(rows, (count) => isLooked(count, across));
  return { across, down, empty, looked: [left, top, right, bottom] };
}

function ends(counts: Uint16Array, isLooked: (count: number) => boolean): [number, number] {
  const first = counts.findIndex(isLooked);
  return first < 0 ? [0, -1] : [first, counts.findLastIndex(isLooked)];
}

/** Numbers the holes from 1, without the strips of one or two steps beside foreground things. */
function labelled({ across, empty, looked }: Steps): { of: Uint16Array; count: number } {
  const [left, top, right, bottom] = looked;
  const core = new Uint8Array(empty.length);
  const isEmpty = (i: number, j: number) =>
    i < left || i > right || j < top || j > bottom || empty[j * across + i] === 1;
  for (let j = top; j <= bottom; j++)
    for (let i = left; i <= right; i++) {
      let all = empty[j * across + i]!;
      for (let dj = -1; dj <= 1 && all; dj++)
        for (let di = -1; di <= 1 && all; di++) if (!isEmpty(i + di, j + dj)) all = 0;
      core[j * across + i] = all;
    }
  const of = new Uint16Array(empty.length);
  let count = 0;
  const queue: number[] = [];
  for (let at = 0; at < core.length; at++) {
    if (core[at] === 0 || of[at] !== 0) continue;
    of[at] = ++count;
    queue.push(at);
    for (let next = queue.pop(); next !== undefined; next = queue.pop())
      for (const beside of [next - 1, next + 1, next - across, next + across])
        if (core[beside] === 1 && of[beside] === 0) {
          of[beside] = count;
          queue.push(beside);
        }
  }
  // Restores what erosion removed, where it is empty.
  const grown = of.slice();
  for (let j = top; j <= bottom; j++)
    for (let i = left; i <= right; i++) {
      const at = j * across + i;
      if (empty[at] === 0 || of[at] !== 0) continue;
      for (let dj = -1; dj <= 1; dj++)
        for (let di = -1; di <= 1; di++) {
          const [x, y] = [i + di, j + dj];
          if (x >= left && x <= right && y >= top && y <= bottom && of[y * across + x] !== 0)
            grown[at] = of[y * across + x]!;
        }
    }
  return { of: grown, count };
}

function holeOf(
  sight: Sight,
  { boundary, cellOf }: Sayings,
  { across, down, empty, looked }: Steps,
  numbers: Uint16Array,
  number: number,
  own: readonly number[],
): Hole | undefined {
  let [x0, x1, y0, y1] = [across, -1, down, -1];
  for (const at of own) {
    const [i, j] = [at % across, (at / across) | 0];
    [x0, x1, y0, y1] = [Math.min(x0, i), Math.max(x1, i), Math.min(y0, j), Math.max(y1, j)];
  }
  if (x1 - x0 + 1 < HOLE_SHAPES.leastWideSteps || y1 - y0 + 1 < HOLE_SHAPES.leastHighSteps) return undefined;
  const placeOf = (step: number) =>
    ((step / across) | 0) * HOLE_SHAPES.step * sight.width + (step % across) * HOLE_SHAPES.step;
  const { rim, sides } = rimOf(sight, across, looked, own, numbers, number, placeOf);
  if (rim.length < 3) return undefined;
  const beyond = goingOn(across, down, looked, own, (step) => {
    const cell = cellOf[placeOf(step)]!;
    return empty[step] === 1 && boundary[cell]! < HOLE_SHAPES.outline;
  });
  const within = new Set([...own, ...beyond]);
  const places: number[] = [];
  for (const step of within)
    for (let dj = 0; dj < HOLE_SHAPES.step; dj++)
      for (let di = 0; di < HOLE_SHAPES.step; di++) {
        const place = placeOf(step) + dj * sight.width + di;
        if (sight.depthM[place] === 0) places.push(place);
      }
  return {
    places,
    inner: own.map(placeOf),
    cellPlaces: HOLE_SHAPES.step * HOLE_SHAPES.step,
    rim,
    sides,
    isAtEdge: (place) => {
      const [i, j] = [
        ((place % sight.width) / HOLE_SHAPES.step) | 0,
        (place / sight.width / HOLE_SHAPES.step) | 0,
      ];
      return i <= looked[0] || j <= looked[1] || i >= looked[2] || j >= looked[3];
    },
    isWithin: (place) => {
      const [i, j] = [
        ((place % sight.width) / HOLE_SHAPES.step) | 0,
        (place / sight.width / HOLE_SHAPES.step) | 0,
      ];
      return numbers[j * across + i] === number;
    },
  };
}

/** Measurements around a hole: for each row to its left and right, for each column above and below. */
function rimOf(
  { depthM, sound }: Sight,
  across: number,
  [left, top, right, bottom]: Steps["looked"],
  own: readonly number[],
  numbers: Uint16Array,
  number: number,
  placeOf: (step: number) => number,
): Pick<Hole, "rim" | "sides"> {
  const rim = new Set<number>();
  const sides = [-1, 1, -across, across].map((way) => {
    const places: number[] = [];
    let length = 0;
    for (const step of own) {
      if (numbers[step + way] === number) continue;
      length++;
      const [i, j] = [step % across, (step / across) | 0];
      const [di, dj] = Math.abs(way) === 1 ? [way, 0] : [0, Math.sign(way)];
      let first = 0;
      for (let n = 1; n <= (first || HOLE_SHAPES.besideSteps) + (first && HOLE_SHAPES.rimSteps - 1); n++) {
        const [x, y] = [i + n * di, j + n * dj];
        if (x < left || x > right || y < top || y > bottom || numbers[step + n * way] === number) break;
        const place = placeOf(step + n * way);
        if (depthM[place] === 0 || sound[place] === 0) continue;
        rim.add(place);
        if (first === 0) places.push(place);
        first ||= n;
      }
    }
    return { length, places };
  });
  return { rim: [...rim], sides };
}

/** The steps beyond the depth camera's view that continue a hole, straight on from its own. */
function goingOn(
  across: number,
  down: number,
  [left, top, right, bottom]: Steps["looked"],
  own: readonly number[],
  isOn: (step: number) => boolean,
): number[] {
  const out: number[] = [];
  for (const step of own) {
    const [i, j] = [step % across, (step / across) | 0];
    for (let x = i - 1; i === left && x >= 0 && isOn(j * across + x); x--) out.push(j * across + x);
    for (let x = i + 1; i === right && x < across && isOn(j * across + x); x++) out.push(j * across + x);
    for (let y = j - 1; j === top && y >= 0 && isOn(y * across + i); y--) out.push(y * across + i);
    for (let y = j + 1; j === bottom && y < down && isOn(y * across + i); y++) out.push(y * across + i);
  }
  return out;
}
