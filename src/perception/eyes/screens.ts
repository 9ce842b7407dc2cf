import { settings } from "../../schema/settings.ts";
import type { FilledHole } from "./holes.ts";
import type { Sight } from "./sight.ts";
import type { Sayings } from "./voxels.ts";

/** Votes added for a hole in the depth, by word and by categories: a flat, upright hole is usually a screen. */
const SCREEN = "monitor";
const SCREEN_KINDS: readonly string[] = ["monitor", "television"];
/** Value, unit, minimum, maximum, source. */
const SCREENS = settings("eyes.screens", {
  screenShare: [0.8, "share", 0.6, 0.9, "experiment"],
  glassShare: [0.5, "share", 0.25, 1, "experiment"],
  /** Wider than this, or than this many times the height, means two screens side by side. */
  twoWideM: [1.3, "m", 0.65, 2.6, "experiment"],
  twoAspect: [2.6, "ratio", 1.3, 5.2, "experiment"],
});

/** Glass has no depth either: with this vote of the network it is glass. */
const GLASS: readonly string[] = ["window", "mirror"];

type Names = Pick<Sayings, "names" | "odds">;

/**
 * The network's output with a screen's name for filled holes. The content of a screen, its lit part and the dark
 * around it, looks like several things to the network: it becomes one, with one centre and no inner outlines.
 */
export function withScreens(
  sayings: Sayings,
  holes: readonly FilledHole[],
  { width, intrinsics: { fx, fy } }: Pick<Sight, "width" | "intrinsics">,
  words: readonly string[],
  kinds: readonly string[],
): Sayings {
  const { top, cellOf, cells, closer } = sayings;
  const names = { names: sayings.names.slice(), odds: sayings.odds.slice() };
  const near = closer && { ...closer, names: closer.names.slice(), odds: closer.odds.slice() };
  const [offset, boundary] = [sayings.offset.slice(), sayings.boundary.slice()];
  const glass = GLASS.map((word) => words.indexOf(word));
  const isGlass = (cell: number) =>
    glass.includes(sayings.names[top * cell]!) && sayings.odds[top * cell]! >= SCREENS.glassShare;
  const told = new Set(
    holes.flatMap(({ places, measured }) => [...places, ...measured].map((place) => cellOf[place]!)),
  );
  const screen = [words.indexOf(SCREEN)];
  const screenKinds = SCREEN_KINDS.map((kind) => kinds.indexOf(kind));
  const toldCloser = new Set<number>();
  for (const cell of told) {
    if (isGlass(cell)) continue;
    tell(names, top, cell, screen);
    if (near) toldCloser.add(near.cellOf[cell]!);
  }
  if (near) for (const cell of toldCloser) tell(near, top, cell, screenKinds);
  for (const places of holes.flatMap(screensIn)) {
    const [x, y] = [0, 1].map(
      (k) => places.reduce((sum, at) => sum + (k === 0 ? at % width : (at / width) | 0), 0) / places.length,
    );
    for (const place of places) {
      const cell = cellOf[place]!;
      offset[cell] = (x! - (place % width)) / fx;
      offset[cells + cell] = (y! - ((place / width) | 0)) / fy;
      boundary[cell] = 0;
    }
  }
  return { ...sayings, ...names, offset, boundary, closer: near };
}

/** The cells of each screen in a hole: of one, or of two equal ones. */
function screensIn(hole: FilledHole): (readonly number[])[] {
  const { places, measured, acrossM, wideM, highM, isWhollyHigh } = hole;
  const isTwo = wideM > SCREENS.twoWideM || (isWhollyHigh && wideM > SCREENS.twoAspect * highM);
  if (!isTwo) return [[...places, ...measured]];
  const [least, most] = acrossM.reduce(
    ([low, high], at) => [Math.min(low, at), Math.max(high, at)] as const,
    [Infinity, -Infinity] as const,
  );
  const middle = (least + most) / 2;
  return [places.filter((_, n) => acrossM[n]! < middle), places.filter((_, n) => acrossM[n]! >= middle)];
}

/** Puts names before a cell's own, which share the remaining probability. */
function tell({ names, odds }: Names, top: number, cell: number, told: readonly number[]): void {
  if (told.includes(-1)) return;
  const own = Array.from({ length: top }, (_, n) => [names[top * cell + n]!, odds[top * cell + n]!] as const);
  const all = [
    ...told.map((name) => [name, SCREENS.screenShare / told.length] as const),
    ...own
      .filter(([name]) => !told.includes(name))
      .map(([name, p]) => [name, (1 - SCREENS.screenShare) * p] as const),
  ];
  for (let n = 0; n < top; n++) [names[top * cell + n], odds[top * cell + n]] = all[n] ?? [0, 0];
}
