import type { Box } from "../../geometry/index.ts";
import { RECORDS } from "../settings/records.ts";

/** An entry of the hash: anything with a box in the world. */
export interface Hashed {
  readonly worldBox: Box;
}

interface Entry<T> {
  readonly item: T;
  /** Keys of its cells; empty when it is too large and kept in a list of its own. */
  readonly cells: number[];
  visit: number;
}

/**
 * Things by the cells of the world that their boxes touch: a query costs its cells and their contents, whatever else
 * the memory holds.
 */
export class SpatialHash<T extends Hashed> {
  readonly #cellM: number;
  readonly #cells = new Map<number, Entry<T>[]>();
  readonly #large: Entry<T>[] = [];
  readonly #all = new Map<T, Entry<T>>();
  #visit = 0;

  constructor(cellM: number) {
    this.#cellM = cellM;
  }

  get size(): number {
    return this.#all.size;
  }

  values(): Iterable<T> {
    return this.#all.keys();
  }

  has(item: T): boolean {
    return this.#all.has(item);
  }

  add(item: T): void {
    if (this.#all.has(item)) this.remove(item);
    const entry: Entry<T> = { item, cells: [], visit: 0 };
    this.#all.set(item, entry);
    const range = this.#rangeOf(item.worldBox);
    if (range.count > RECORDS.maxCells) {
      this.#large.push(entry);
      return;
    }
    for (const key of keysOf(range)) {
      entry.cells.push(key);
      const cell = this.#cells.get(key);
      if (cell) cell.push(entry);
      else this.#cells.set(key, [entry]);
    }
  }

  remove(item: T): void {
    const entry = this.#all.get(item);
    if (!entry) return;
    this.#all.delete(item);
    if (entry.cells.length === 0) takeOut(this.#large, entry);
    for (const key of entry.cells) {
      const cell = this.#cells.get(key)!;
      takeOut(cell, entry);
      if (cell.length === 0) this.#cells.delete(key);
    }
  }

  /** Everything whose cells touch the box: a superset of what touches the box itself, each once. */
  near(box: Box): T[] {
    const range = this.#rangeOf(box);
    if (range.count > RECORDS.maxQueryCells) return [...this.#all.keys()];
    const visit = ++this.#visit;
    const found: T[] = this.#large.map(({ item }) => item);
    for (const key of keysOf(range)) {
      for (const entry of this.#cells.get(key) ?? []) {
        if (entry.visit === visit) continue;
        entry.visit = visit;
        found.push(entry.item);
      }
    }
    return found;
  }

  #rangeOf({ min, max }: Box): CellRange {
    const cell = (value: number) => Math.floor(value / this.#cellM);
    const [x0, y0, z0] = [cell(min.x), cell(min.y), cell(min.z)];
    const [x1, y1, z1] = [cell(max.x), cell(max.y), cell(max.z)];
    return { x0, y0, z0, x1, y1, z1, count: (x1 - x0 + 1) * (y1 - y0 + 1) * (z1 - z0 + 1) };
  }
}

interface CellRange {
  readonly x0: number;
  readonly y0: number;
  readonly z0: number;
  readonly x1: number;
  readonly y1: number;
  readonly z1: number;
  readonly count: number;
}

/** 21 + 21 + 10 bits: cells repeat after 2,000 km and 1 km of height, which costs time and never an answer. */
function* keysOf({ x0, y0, z0, x1, y1, z1 }: CellRange): Generator<number> {
  for (let x = x0; x <= x1; x++) {
    for (let y = y0; y <= y1; y++) {
      for (let z = z0; z <= z1; z++) {
        yield ((x & 0x1fffff) * 0x200000 + (y & 0x1fffff)) * 0x400 + (z & 0x3ff);
      }
    }
  }
}

function takeOut<T>(list: T[], item: T): void {
  const at = list.indexOf(item);
  if (at < 0) return;
  list[at] = list.at(-1)!;
  list.pop();
}
