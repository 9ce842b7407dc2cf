import { type Box, centreOf, distanceToBox, gapBetween, unionBoxes, type Vec3 } from "../geometry/index.ts";
import { mobilityOf } from "../ontology/index.ts";
import { codeOf, labelOf, type PlaceLabel, pathOf } from "./labels.ts";
import { printedOn } from "./matching.ts";
import type { StateRecord } from "./thing.ts";

/** Something that stays where it is and has the name of a place written on it. */
export interface Labelled {
  readonly label: PlaceLabel;
  readonly box: Box;
  /** The stay of what bears it. */
  readonly state: StateRecord;
}

/** A place that codes tell of: a slot (B-03-1), its bay (B-03) or its row (B). */
export interface CodedPlace {
  readonly code: string;
  readonly path: readonly string[];
  readonly box: Box;
  /** How many labels tell of it; none for a slot whose own was never read. */
  readonly count: number;
  /** The stay of what bears its label, or of a neighbour's. */
  readonly state: StateRecord;
}

/** Codes that begin alike are places of one system from so many on; a stock number that stuck to a cupboard is not. */
const SERIES = 4;
/** Two labels of one name that are further apart are not one place: one of them was misread. */
const SAME_M = 2;
/** Of a board that was seen from the front only its edge is known; what stands on it has its middle so far behind, metres. */
const DEPTH_M = 0.5;
/** Slots of one row have a neighbour of that row within this; a lone one was misread. */
const NEIGHBOUR_M = 3;
/** Levels of a rack where nothing tells how far they are apart: a carton and the room to lift it. */
const LEVEL_M = 0.8;

/** The place that is written on a thing, where it is one that stays; undefined where there is none. */
export function labelledBy(record: StateRecord, box: Box | undefined): Labelled | undefined {
  const mobility = mobilityOf(record.category);
  if (!box || (mobility !== "fixed" && mobility !== "furniture")) return undefined;
  const [text] = printedOn(record);
  const label = text === undefined ? undefined : labelOf(text);
  return label && { label, box, state: record };
}

/** The slots, bays and rows of a building, by the codes on what they consist of. */
export class CodedPlaces {
  readonly #slots: ReadonlyMap<string, CodedPlace>;
  readonly #levelM: number;

  constructor(labelled: readonly Labelled[]) {
    const coded = labelled.filter(({ label }) => label.kind === undefined && label.path.length > 1);
    const series = Map.groupBy(coded, ({ label }) => `${label.path.length} ${label.path[0]}`);
    const real = [...series.values()].filter((members) => members.length >= SERIES).flat();
    const byCode = Map.groupBy(real, ({ label }) => codeOf(label));
    const own = [...byCode].map(([key, members]): [string, CodedPlace] => {
      const [{ label, state }] = members as [Labelled];
      const box = together(members.map((one) => one.box));
      return [key, { code: label.name, path: label.path, box, count: members.length, state }];
    });
    this.#slots = new Map(own);
    this.#levelM = levelOf(own.map(([, place]) => place));
  }

  /** The rows: all that begins with one letter or number, where they lie apart. */
  rows(): CodedPlace[] {
    const rows = Map.groupBy(this.#slots.values(), ({ path }) => path[0]!);
    return [...rows].flatMap(([code, members]) => {
      const boxes = members.map((one) => one.box);
      const real = boxes.filter((box) =>
        boxes.some((other) => other !== box && gapBetween(box, other) < NEIGHBOUR_M),
      );
      const box = unionOf(real);
      return box && real.length >= SERIES
        ? [{ code, path: [code], box, count: real.length, state: members[0]!.state }]
        : [];
    });
  }

  /** The slot that a point lies in: of those of its row on whose level it is, the nearest. */
  at(point: Vec3, row?: string): CodedPlace | undefined {
    const isRow = row !== undefined && [...this.#slots.values()].some(({ path }) => path[0] === row);
    let best: { readonly slot: CodedPlace; readonly m: number } | undefined;
    for (const slot of this.#slots.values()) {
      const { min } = slot.box;
      if (isRow && slot.path[0] !== row) continue;
      if (slot.path.length < 3 || point.z < min.z || point.z > min.z + this.#levelM) continue;
      const m = distanceToBox({ ...point, z: min.z }, slot.box);
      if (m <= DEPTH_M && (!best || m < best.m)) best = { slot, m };
    }
    return best?.slot;
  }

  /** The place of a code, read or reckoned from its neighbours. */
  find(code: string): CodedPlace | undefined {
    const path = pathOf(code);
    if (!path) return undefined;
    const known = this.#slots.get(codeOf({ path }));
    if (known) return this.#raised(known);
    const wanted = codeOf({ path });
    const members = [...this.#slots.values()].filter((slot) => codeOf(slot).startsWith(`${wanted}-`));
    const box = unionOf(members.map((slot) => this.#raised(slot).box));
    if (box) return { code: path.join("-"), path, box, count: members.length, state: members[0]!.state };
    const reckoned = this.#reckoned(path);
    return reckoned && this.#raised(reckoned);
  }

  /** A slot whose label nobody read: above or below another of its bay. */
  #reckoned(path: readonly string[]): CodedPlace | undefined {
    const [bay, level] = [codeOf({ path: path.slice(0, -1) }), Number(path.at(-1))];
    if (path.length < 3 || !Number.isInteger(level)) return undefined;
    const nearest = [...this.#slots.values()]
      .filter((one) => one.path.length === path.length && codeOf({ path: one.path.slice(0, -1) }) === bay)
      .map((one) => ({ one, steps: level - Number(one.path.at(-1)) }))
      .filter(({ steps }) => Number.isInteger(steps))
      .sort((a, b) => Math.abs(a.steps) - Math.abs(b.steps))[0];
    if (!nearest) return undefined;
    const up = nearest.steps * this.#levelM;
    const { min, max } = nearest.one.box;
    const box = { min: { ...min, z: min.z + up }, max: { ...max, z: max.z + up } };
    return { code: path.join("-"), path, box, count: 0, state: nearest.one.state };
  }

  /** A slot is the room above its board, up to the next one. */
  #raised(slot: CodedPlace): CodedPlace {
    const { min, max } = slot.box;
    return { ...slot, box: { min, max: { ...max, z: Math.max(max.z, min.z + this.#levelM) } } };
  }
}

function unionOf([first, ...rest]: readonly Box[]): Box | undefined {
  return first && unionBoxes(first, ...rest);
}

/** What boxes of one name fill, without those that lie apart from most. */
function together(boxes: readonly Box[]): Box {
  const middle = medianOf(boxes.map(centreOf));
  const near = boxes.filter((box) => distanceXY(centreOf(box), middle) <= SAME_M);
  return unionOf(near.length > 0 ? near : boxes.slice(0, 1))!;
}

function medianOf(points: readonly Vec3[]): Vec3 {
  const of = (axis: "x" | "y" | "z") =>
    points.map((point) => point[axis]).sort((a, b) => a - b)[points.length >> 1]!;
  return { x: of("x"), y: of("y"), z: of("z") };
}

function distanceXY(a: Vec3, b: Vec3): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** How far the levels of a rack are apart, on the median of its bays. */
function levelOf(slots: readonly CodedPlace[]): number {
  const tall = slots.filter(({ path }) => path.length > 2);
  const bays = Map.groupBy(tall, ({ path }) => codeOf({ path: path.slice(0, -1) }));
  const steps = [...bays.values()].flatMap((bay) => {
    const sorted = bay
      .map(({ path, box }) => ({ level: Number(path.at(-1)), z: box.min.z }))
      .filter(({ level }) => Number.isInteger(level))
      .sort((a, b) => a.level - b.level);
    return sorted.slice(1).flatMap(({ level, z }, n) => {
      const below = sorted[n]!;
      const step = (z - below.z) / (level - below.level);
      return step > 0 && Number.isFinite(step) ? [step] : [];
    });
  });
  return steps.sort((a, b) => a - b)[steps.length >> 1] ?? LEVEL_M;
}
