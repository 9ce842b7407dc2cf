import { type Box, centreOf, distanceToBox, inflate, type Vec3 } from "../geometry/index.ts";
import type { Labelled } from "./labelled.ts";
import { codeOf, pathOf } from "./labels.ts";
import type { CodedPlace, RackPlace } from "./rack-place.ts";
import { median, type RackBay, type RackRow, rowsOf, unionOf } from "./rack-rows.ts";
import { RACKS } from "./settings/racks.ts";

const MADE = new WeakMap<readonly Labelled[], Racks>();

/** The racks of a building, made once from the same labels. */
export function racksIn({ labelled }: { readonly labelled: readonly Labelled[] }): Racks {
  const racks = MADE.get(labelled) ?? new Racks(labelled);
  MADE.set(labelled, racks);
  return racks;
}

/** The racks of a building according to their codes: rows, their sides, bays and levels, read or inferred. */
export class Racks {
  readonly #rows: readonly RackRow[];
  readonly #levelM: number;
  readonly #slots: readonly RackPlace[];
  readonly #bays: readonly RackPlace[];
  readonly #byCode: ReadonlyMap<string, RackPlace>;

  constructor(labelled: readonly Labelled[]) {
    this.#rows = rowsOf(labelled);
    this.#levelM = levelHeight(this.#rows);
    this.#bays = this.#rows.flatMap((row) => this.#baysOf(row));
    this.#slots = this.#rows.flatMap((row) => this.#slotsOf(row));
    this.#byCode = new Map([...this.#bays, ...this.#slots].map((place) => [codeOf(place), place]));
  }

  /** The rows: all places whose code begins with one letter or number. */
  rows(): CodedPlace[] {
    return this.#rows.map(({ name, bays }) => {
      const count = bays.reduce((sum, bay) => sum + labelsOf(bay), 0);
      return {
        code: name,
        path: [name],
        box: unionOf(bays.map(({ box }) => box))!,
        count,
        state: bays[0]!.state,
      };
    });
  }

  slots(): readonly RackPlace[] {
    return this.#slots;
  }

  bays(): readonly RackPlace[] {
    return this.#bays;
  }

  /** The sides of rows. */
  racks(): RackPlace[] {
    const sides = Map.groupBy(this.#bays, ({ row, side }) => `${row} ${side}`);
    return [...sides.values()].map((bays) => {
      const [first, last] = [bays[0]!, bays.at(-1)!];
      const code = bays.length === 1 ? first.code : `${first.code} to ${last.code}`;
      const count = bays.reduce((sum, bay) => sum + bay.count, 0);
      return { ...first, kind: "rack", code, box: unionOf(bays.map(({ box }) => box))!, count };
    });
  }

  /** The highest level of a row. */
  topOf(row: string): number {
    return (this.#rows.find(({ name }) => name === row)?.levels.length ?? 1) - 1;
  }

  /** The box of a place including the goods in its slots. */
  goodsOf({ box, row }: RackPlace): Box {
    const { min, max } = inflate(box, RACKS.depthM);
    // Goods stand on every level of their row, also where only one label of a bay was read.
    const floors = this.#rows
      .filter(({ name }) => name === row)
      .flatMap(({ levels }) => levels.map(({ floorM }) => floorM));
    const [low, high] = [Math.min(box.min.z, ...floors), Math.max(box.max.z, ...floors)];
    return { min: { ...min, z: low - this.#levelM }, max: { ...max, z: high + this.#levelM } };
  }

  /** The slot that a point lies in: of those on whose level it is, the nearest. */
  at(point: Vec3): RackPlace | undefined {
    let best: { readonly slot: RackPlace; readonly m: number } | undefined;
    for (const { bays, levels } of this.#rows) {
      const level = levels.findLast(({ floorM }) => point.z >= floorM);
      if (!level || point.z > level.floorM + this.#levelM) continue;
      for (const { box, path } of bays) {
        const m = distanceToBox({ ...point, z: box.min.z }, box);
        if (m > RACKS.depthM) continue;
        // Where two slots reach the point, the one with the nearer middle has it.
        const middle = centreOf(box);
        const apart = m + RACKS.middle * Math.hypot(point.x - middle.x, point.y - middle.y);
        if (!best || apart < best.m)
          best = { slot: this.#byCode.get(codeOf(slotPath(path, level)))!, m: apart };
      }
    }
    return best?.slot;
  }

  /** The place of a code, read or inferred from its neighbours. */
  find(code: string): RackPlace | undefined {
    const path = pathOf(code);
    return path && (this.#byCode.get(codeOf({ path })) ?? this.#reckoned(path));
  }

  /** A slot on a level without a label that was read: above or below another of its bay. */
  #reckoned(path: readonly string[]): RackPlace | undefined {
    const bay = codeOf({ path: path.slice(0, -1) });
    const known = this.#slots.find((slot) => codeOf({ path: slot.path.slice(0, -1) }) === bay);
    const steps = Number(path.at(-1)) - Number(known?.path.at(-1));
    if (!known || path.length < 3 || !Number.isInteger(steps)) return undefined;
    const up = steps * this.#levelM;
    const { min, max } = known.box;
    const box = { min: { ...min, z: min.z + up }, max: { ...max, z: max.z + up } };
    return { ...known, code: path.join("-"), path, box, count: 0, level: (known.level ?? 0) + steps };
  }

  #baysOf(row: RackRow): RackPlace[] {
    return row.bays.map((bay) => {
      const box = { ...bay.box, max: { ...bay.box.max, z: bay.box.max.z + this.#levelM } };
      return {
        ...placeOf(row, bay),
        kind: "bay",
        path: bay.path,
        code: bay.path.join("-"),
        box,
        count: bay.read.size,
      };
    });
  }

  #slotsOf(row: RackRow): RackPlace[] {
    return row.bays.flatMap((bay) =>
      row.levels.map((level, n): RackPlace => {
        const { path } = slotPath(bay.path, level);
        const own = bay.read.get(level.name) ?? [];
        // A slot is the space above its board, up to the next one.
        const box = {
          min: { ...bay.box.min, z: level.floorM },
          max: { ...bay.box.max, z: level.floorM + this.#levelM },
        };
        const state = own[0]?.state ?? bay.state;
        const code = path.join("-");
        return { ...placeOf(row, bay), kind: "slot", path, code, box, count: own.length, state, level: n };
      }),
    );
  }
}

function slotPath(bay: readonly string[], { name }: { readonly name: string }) {
  return { path: name === "" ? bay : [...bay, name] };
}

function labelsOf({ read }: RackBay): number {
  return [...read.values()].reduce((sum, labels) => sum + labels.length, 0);
}

function placeOf({ name, stepsM }: RackRow, { side, alongM, acrossM, state, read }: RackBay) {
  const level: number | undefined = undefined;
  return { row: name, side, alongM, acrossM, state, stepM: stepsM[side]!, level, bayRead: read.size > 0 };
}

/** The distance between the levels of racks. */
function levelHeight(rows: readonly RackRow[]): number {
  const steps = rows.flatMap(({ levels }) =>
    levels.slice(1).map(({ floorM }, n) => floorM - levels[n]!.floorM),
  );
  return median(steps) ?? RACKS.levelM;
}

/** The corners of a place on its floor. */
export function cornersOf({ min, max }: Box): readonly [Vec3, Vec3, Vec3, Vec3] {
  return [min, { ...min, x: max.x }, { ...max, z: min.z }, { ...min, y: max.y }];
}
