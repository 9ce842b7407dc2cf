import type { MapParts } from "../../schema/core.ts";
import { extentOf } from "./extents.ts";
import type { Partition } from "./regions.ts";
import { ALIVE } from "./voxel-columns.ts";
import type { VoxelMap } from "./voxels.ts";

/** Two cuts show the same thing where it has this share of all places that either has of it. */
const SAME = 0.3;
/** What lost this share of its places since was taken away, or forgotten: that says nothing against it. */
const GONE = 0.6;
/** A thing took over what another was shown as, if it has this share of its places. */
const HEIR = 0.1;
/** It is nothing by itself any more when this share of its places is of no thing. */
const NOTHING = 0.5;
/** Things that are remembered at most, the last ones. */
const MOST = 1_000;

interface Known {
  readonly part: number;
  /** Three numbers a voxel: voxels are numbered anew now and then. */
  readonly cells: Int32Array;
}

interface Fate {
  readonly of: Known;
  /** Places that each thing of the cut has by now. */
  readonly places: ReadonlyMap<number, number>;
  readonly hidden: number;
  readonly gone: number;
}

/** A thing of a cut: regions of it, or voxels where it is a part of one. */
export interface CutThing {
  readonly regions: readonly number[];
  readonly voxels?: readonly number[] | undefined;
  /** Points to which it reaches beside these. */
  readonly back?: readonly number[] | undefined;
}

/**
 * Numbers the things of a map through all its cuts. What an earlier cut showed and the last one does not is said to have been
 * none, with those things of which it was: more looks cut better, and what few looks showed as a thing had been a lump or a rim.
 */
export class Parts {
  #known: Known[] = [];
  readonly #next: () => number;

  constructor(next: () => number) {
    this.#next = next;
  }

  /** The numbers of the things of a new cut, and what became of earlier ones. */
  of(map: VoxelMap, cut: Partition, things: readonly CutThing[]) {
    const voxels = things.map((thing) => voxelsOf(cut, thing));
    const thingOf = new Int32Array(map.count).fill(-1);
    voxels.forEach((own, n) => {
      for (const voxel of own) thingOf[voxel] = n;
    });
    const cells = voxels.map((own) => cellsOf(map, own));
    const fates = this.#known.map((known) => fateOf(known, map, thingOf));
    const numbers = this.#inherited(fates, cells);
    const parts = cells.map((_, n) => numbers.get(n) ?? this.#next());
    const shown = new Set(parts);
    const none = fates.flatMap((fate): MapParts["none"][number][] => {
      const { of, places, hidden, gone } = fate;
      const count = of.cells.length / 3;
      if (shown.has(of.part) || gone > GONE * count) return [];
      const heirs = [...places]
        .filter(([, own]) => own >= HEIR * count)
        .sort((a, b) => b[1] - a[1])
        .map(([thing]) => parts[thing]!);
      return [{ part: of.part, heirs, isNothing: hidden > NOTHING * count }];
    });
    const left = this.#known.filter(({ part }) => !shown.has(part));
    this.#known = [...left, ...cells.map((own, n) => ({ part: parts[n]!, cells: own }))].slice(-MOST);
    const extents = voxels.map((own, n) => extentOf(map, own, things[n]!.back));
    return { parts, said: { shown: parts, none, extents } satisfies MapParts };
  }

  /** Each thing goes on as the one that it is likest, the likest first. */
  #inherited(fates: readonly Fate[], cells: readonly Int32Array[]): Map<number, number> {
    const pairs = fates.flatMap(({ of, places }) =>
      Array.from(places, ([thing, both]) => ({
        part: of.part,
        thing,
        share: both / (of.cells.length / 3 + cells[thing]!.length / 3 - both),
      })),
    );
    const out = new Map<number, number>();
    const taken = new Set<number>();
    for (const { part, thing, share } of pairs.sort((a, b) => b.share - a.share || b.part - a.part)) {
      if (share < SAME || out.has(thing) || taken.has(part)) continue;
      out.set(thing, part);
      taken.add(part);
    }
    return out;
  }
}

function voxelsOf({ seen, regions }: Partition, { regions: own, voxels }: CutThing): readonly number[] {
  return voxels ?? own.flatMap((region) => regions[region]!.members.map((n) => seen.voxels[n]!));
}

function cellsOf(map: VoxelMap, voxels: readonly number[]): Int32Array {
  const { cell } = map.columns;
  return Int32Array.from(
    voxels.flatMap((voxel) => [cell[3 * voxel]!, cell[3 * voxel + 1]!, cell[3 * voxel + 2]!]),
  );
}

function fateOf(of: Known, map: VoxelMap, thingOf: Int32Array): Fate {
  const places = new Map<number, number>();
  let [hidden, gone] = [0, 0];
  for (let k = 0; k < of.cells.length; k += 3) {
    const voxel = map.find(of.cells[k]!, of.cells[k + 1]!, of.cells[k + 2]!);
    const thing = thingOf[voxel] ?? -1;
    if (voxel < 0 || map.columns.goneAt[voxel] !== ALIVE) gone++;
    else if (thing < 0) hidden++;
    else places.set(thing, (places.get(thing) ?? 0) + 1);
  }
  return { of, places, hidden, gone };
}
