import type { MapParts } from "../../schema/core.ts";
import { settings } from "../../schema/settings.ts";
import { extentOf } from "./extents.ts";
import type { Partition } from "./regions.ts";
import { ALIVE } from "./voxel-columns.ts";
import type { VoxelMap } from "./voxels.ts";

/** Value, unit, minimum, maximum, source. */
const PARTS = settings("eyes.parts", {
  /** Least overlap of two segmentations of one thing, as a share of their union. */
  same: [0.3, "share", 0.15, 0.6, "experiment"],
  /** A thing that lost this share of its voxels was taken away or forgotten, which is no evidence against it. */
  gone: [0.6, "share", 0.3, 0.8, "experiment"],
  /** An instance is a successor of another if it has this share of its voxels. */
  heir: [0.1, "share", 0.05, 0.2, "experiment"],
  /** It has dissolved if this share of its voxels belongs to no thing. */
  nothing: [0.5, "share", 0.25, 1, "experiment"],
  /** Most instances remembered, latest first. */
  most: [1_000, "count", 500, 2_000, "limit"],
});

interface Known {
  readonly part: number;
  /** Three coordinates per voxel, because voxels are renumbered now and then. */
  readonly cells: Int32Array;
}

interface Fate {
  readonly of: Known;
  /** Number of voxels that went to each thing of the segmentation. */
  readonly places: ReadonlyMap<number, number>;
  readonly hidden: number;
  readonly gone: number;
}

/** A thing of a segmentation: its regions, or voxels if it is a part of one. */
export interface CutThing {
  readonly regions: readonly number[];
  readonly voxels?: readonly number[] | undefined;
  /** Additional points of its extent. */
  readonly back?: readonly number[] | undefined;
}

/**
 * Numbers the things of a map through all segmentations. An instance of an earlier segmentation that is missing from
 * the last one is reported as false, with its successors: more observations segment better, and what few showed as a
 * thing had been a clump or a rim.
 */
export class Parts {
  #known: Known[] = [];
  readonly #next: () => number;

  constructor(next: () => number) {
    this.#next = next;
  }

  /** The numbers of the things of a new segmentation, and what became of earlier ones. */
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
      if (shown.has(of.part) || gone > PARTS.gone * count) return [];
      const heirs = [...places]
        .filter(([, own]) => own >= PARTS.heir * count)
        .sort((a, b) => b[1] - a[1])
        .map(([thing]) => parts[thing]!);
      return [{ part: of.part, heirs, isNothing: hidden > PARTS.nothing * count }];
    });
    const left = this.#known.filter(({ part }) => !shown.has(part));
    this.#known = [...left, ...cells.map((own, n) => ({ part: parts[n]!, cells: own }))].slice(-PARTS.most);
    const extents = voxels.map((own, n) => extentOf(map, own, things[n]!.back));
    return { parts, said: { shown: parts, none, extents } satisfies MapParts };
  }

  /** Each thing continues the instance that it overlaps most, best matches first. */
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
      if (share < PARTS.same || out.has(thing) || taken.has(part)) continue;
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
