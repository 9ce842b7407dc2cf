import type { Vec3 } from "../../geometry/index.ts";
import type { EncodedQuery } from "./encode-query.ts";
import { C_X, C_Y, C_Z, G_COARSE, G_FINE, H_LIVE, Q_FLAGS, Q_HELD, QF_KIND, QF_LABELS } from "./layout.ts";
import { AREA, type MemoryView } from "./memory-view.ts";
import type { NumericQuery } from "./query.ts";

/** Nanoseconds of one step of each way to find candidates, measured on a Neoverse-N1; only ratios matter. */
const COST = {
  cell: 60,
  entry: 4,
  row: 20,
  far: 70,
  column: 3.5,
  posting: 16,
  id: 150,
  /** Once: where listing by place takes no longer, asking about time does not pay. */
  timeEstimate: 10_000,
} as const;
/** A box of this few cells is always cheapest by the grid, without an estimate. */
const TINY_CELLS = 48;
const MAX_CELLS = 20_000;

type Driver = "ids" | "owner" | "grid" | "time" | "words" | "columns";

/** A way to list the rows that pass, with its cost in nanoseconds and about how many rows it yields. */
export interface Way {
  readonly driver: Driver;
  readonly costNs: number;
  readonly rows: number;
  readonly fine?: boolean;
}

/** The cheapest way to list all rows that pass the column conditions of a query. */
export function cheapestWay(
  view: MemoryView,
  query: NumericQuery,
  encoded: EncodedQuery,
  terms: readonly number[] | undefined,
): Way {
  const { kernel } = view;
  const live = view.u32[H_LIVE >>> 2]!;
  if (query.ids !== undefined)
    return { driver: "ids", costNs: query.ids.length * COST.id, rows: query.ids.length };
  const fineCells = encoded.hasBounds ? kernel.cellsCovered(encoded.at, G_FINE) : Infinity;
  if (fineCells <= TINY_CELLS)
    return { driver: "grid", costNs: fineCells * COST.cell, rows: fineCells, fine: true };
  const ways: Way[] = [{ driver: "columns", costNs: view.rows * COST.column, rows: live }];
  let share = visibleShare(view, encoded, live);
  if (query.owners !== undefined) {
    // Chains are short in practice; a long one is noticed during the walk.
    ways.push({ driver: "owner", costNs: query.owners.length * COST.id, rows: query.owners.length * 8 });
    share *= 0.01;
  }
  for (const set of [query.scenes, query.authors, query.categories]) if (set !== undefined) share *= 0.3;
  let quick = false;
  if (encoded.hasBounds) {
    const rows = kernel.boxEstimate(encoded.at);
    const held = view.f64[(encoded.at + Q_HELD) >>> 3]!;
    const grid = gridWay(kernel.cellsCovered(encoded.at, G_COARSE), held, fineCells, rows);
    ways.push(grid);
    share *= rows / Math.max(1, live);
    // Ranks by time need to know what share of the rows a time has.
    quick = grid.costNs < COST.timeEstimate && query.rank !== "latest" && query.rank !== "earliest";
  }
  if (query.time !== undefined && !quick) {
    const rows = kernel.timeEstimate(encoded.at);
    ways.push({ driver: "time", costNs: rows * COST.row, rows });
    share *= rows / Math.max(1, live);
  }
  if (terms !== undefined) {
    let postings = 0;
    for (const term of terms) postings += kernel.postingsOf(term) >>> 0;
    ways.push({ driver: "words", costNs: postings * COST.posting, rows: postings });
  }
  const best = ways.reduce((a, b) => (b.costNs < a.costNs ? b : a));
  return { ...best, rows: Math.min(best.rows, Math.ceil(share * live)) };
}

/**
 * Coarse cells reject rows outside of a box quickly (`held` is their number of rows); fine cells have fewer such rows,
 * but each of these rows, and each of many cells, is elsewhere in memory.
 */
function gridWay(coarseCells: number, held: number, fineCells: number, rows: number): Way {
  if (coarseCells > MAX_CELLS) return { driver: "grid", costNs: Infinity, rows };
  const coarse = coarseCells * COST.cell + held * COST.entry + rows * COST.row;
  const fine = fineCells > MAX_CELLS ? Infinity : fineCells * COST.cell + rows * COST.far;
  return fine < coarse
    ? { driver: "grid", costNs: fine, rows, fine: true }
    : { driver: "grid", costNs: coarse, rows, fine: false };
}

/** The part of all rows that is of the kinds and label sets asked for. */
function visibleShare(view: MemoryView, { at, flags }: EncodedQuery, live: number): number {
  if (!(flags & (QF_KIND | QF_LABELS)) || live === 0) return 1;
  return view.kernel.visibleCount(at) / live;
}

/** Lists the rows that pass into the list area; returns how many. `words` is not a way to list here. */
export function listCandidates(
  view: MemoryView,
  query: NumericQuery,
  encoded: EncodedQuery,
  way: Way,
): number {
  const list = view.area(AREA.list, Math.max(4096, view.rows * 4 + 64));
  const { kernel } = view;
  let count: number;
  switch (way.driver) {
    case "ids":
      count = kernel.filterList(encoded.at, list, lookUpIds(view, query.ids!, list));
      break;
    case "owner": {
      const limit = 1024 + (view.rows >>> 3);
      count = kernel.ownerList(encoded.at, encoded.owners, query.owners!.length, list, limit);
      if (count < 0) count = kernel.scanColumns(encoded.at, list);
      break;
    }
    case "grid":
      count = kernel.gridList(encoded.at, list, way.fine ? 1 : 0);
      break;
    case "time":
      count = kernel.timeList(encoded.at, list);
      break;
    default:
      count = kernel.scanColumns(encoded.at, list);
  }
  return count >>> 0;
}

function lookUpIds(view: MemoryView, ids: readonly string[], list: number): number {
  const text = view.area(AREA.heap, 4096);
  const seen = new Set<number>();
  for (const id of ids) {
    if (id.length > 64) continue;
    for (let i = 0; i < id.length; i++) view.u8[text + i] = id.charCodeAt(i);
    const slot = view.kernel.findId(text, id.length);
    if (slot >= 0) seen.add(slot);
  }
  let count = 0;
  for (const slot of seen) view.u32[(list >>> 2) + count++] = slot;
  return count;
}

/** Keeps the entries of the list whose centre a shape accepts. */
export function applyShape(view: MemoryView, count: number, accepts: (centre: Vec3) => boolean): number {
  const list = view.area(AREA.list, 4096) >>> 2;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    const slot = view.u32[list + i]!;
    const centre = { x: view.columnF(slot, C_X), y: view.columnF(slot, C_Y), z: view.columnF(slot, C_Z) };
    if (accepts(centre)) view.u32[list + kept++] = slot;
  }
  return kept;
}

/** Adds flags to a query that is written already, or takes them off. */
export function setFlags(view: MemoryView, encoded: EncodedQuery, flags: number): void {
  view.u32[(encoded.at + Q_FLAGS) >>> 2] = flags;
}
