import type { Vec3 } from "../../geometry/index.ts";
import {
  H_LABEL_SETS,
  H_LIVE,
  Q_AUTHOR,
  Q_BITMAP,
  Q_BOX,
  Q_CATEGORY,
  Q_FLAGS,
  Q_FROM_END,
  Q_FROM_MIN,
  Q_IMAGE,
  Q_KINDS,
  Q_LABELS,
  Q_OWNER,
  Q_POINT,
  Q_RADIUS,
  Q_SCENE,
  Q_TEXT,
  Q_TO_AFTER,
  Q_TO_MAX,
  QF_AUTHOR,
  QF_BOX,
  QF_CATEGORY,
  QF_CENTRE_BOX,
  QF_IMAGE,
  QF_KIND,
  QF_LABELS,
  QF_OWNER,
  QF_PLACE,
  QF_RADIUS_BOX,
  QF_RADIUS_CENTRE,
  QF_SCENE,
  QF_TEXT,
  QF_TIME,
  S_DIM,
  S_STRIDE,
  V_FLOAT,
  V_QUANTISED,
} from "./layout.ts";
import { AREA, type MemoryView, type Space, spaceAt } from "./memory-view.ts";
import type { NumericQuery, TimeQuery, VectorQuery } from "./query.ts";

/** Offsets in a thread's io area. */
export const IO = { query: 0, cursors: 512, out: 768, labels: 1024, rest: 1024 + 8192 } as const;

const NO_FLAGS = 0;

export interface EncodedQuery {
  /** The address of the query block. */
  readonly at: number;
  readonly flags: number;
  /** The addresses of the owners' list and of each vector key, where given. */
  readonly owners: number;
  readonly vectors: Readonly<Record<Space, number>>;
  /** Whether some list is empty, so nothing matches. */
  readonly empty: boolean;
  readonly hasBounds: boolean;
  /** Names the kinds and label sets asked for: equal names, equal sets. Undefined without words, and for too many. */
  readonly visible: string | undefined;
}

const MAX_NAMED_SETS = 64;

/**
 * Writes a query where the kernels read it. Vector keys filter by presence unless `free`: under fused ranking
 * one key is enough.
 */
export function encodeQuery(view: MemoryView, query: NumericQuery, free: boolean): EncodedQuery {
  const sets = [query.scenes, query.authors, query.categories, query.owners];
  const at = view.area(AREA.io, IO.rest + vectorBytes(view) + setBytes(sets));
  let cursor = at + IO.rest;
  let flags = NO_FLAGS;
  let empty = query.ids?.length === 0 || query.labelSets?.length === 0 || query.kinds === 0;
  if (query.kinds !== undefined) {
    flags |= QF_KIND;
    view.u32[(at + Q_KINDS) >>> 2] = query.kinds;
  }
  if (query.labelSets !== undefined && hidesRows(view, at, query.labelSets)) {
    flags |= QF_LABELS;
    writeLabelSets(view, at, query.labelSets);
  }
  for (let i = 0; i < sets.length; i++) {
    const given = sets[i];
    if (given === undefined) continue;
    // 0 is "none", and a row without the field never matches.
    const set = given.includes(0) ? given.filter((name) => name !== 0) : given;
    if (set.length === 0) empty = true;
    flags |= SET_FLAGS[i]!;
    const sorted = set.length > 1 ? Uint32Array.from(set).sort() : set;
    for (let j = 0; j < sorted.length; j++) view.u32[(cursor >>> 2) + j] = sorted[j]!;
    view.u32[(at + SET_FIELDS[i]!) >>> 2] = cursor;
    view.u32[(at + SET_FIELDS[i]! + 4) >>> 2] = sorted.length;
    cursor += sorted.length * 4;
  }
  const owners = view.u32[(at + Q_OWNER) >>> 2]!;
  if (query.time !== undefined && writeTime(view, at, query.time)) flags |= QF_TIME;
  const placed = writePlace(view, at, query);
  flags |= placed;
  cursor = (cursor + 63) & ~63;
  const vectors = { text: 0, image: 0 };
  for (const space of ["text", "image"] as const) {
    const key = query[space];
    if (key === undefined) continue;
    vectors[space] = at + (space === "text" ? Q_TEXT : Q_IMAGE);
    cursor = writeVector(view, vectors[space], space, key, cursor);
    if (!free) flags |= space === "text" ? QF_TEXT : QF_IMAGE;
  }
  view.u32[(at + Q_FLAGS) >>> 2] = flags;
  view.u32[(at + Q_BITMAP) >>> 2] = 0;
  const hasBounds = (placed & ~QF_PLACE) !== 0;
  const visible = query.words && visibleName(query, (flags & QF_LABELS) !== 0);
  return { at, flags, owners, vectors, empty, hasBounds, visible };
}

function writeLabelSets(view: MemoryView, at: number, labelSets: readonly number[]): void {
  view.u32[(at + Q_LABELS) >>> 2] = at + IO.labels;
  // Filled only up to the number of label sets in use: filling shared memory is slow, and no kernel reads further.
  const sets = view.u32[H_LABEL_SETS >>> 2]!;
  const bits = (at + IO.labels) >>> 2;
  view.u32.fill(0, bits, bits + ((sets + 31) >>> 5));
  for (const set of labelSets) if (set < sets) view.u32[bits + (set >>> 5)]! |= 1 << (set & 31);
}

/** By a list of label sets: whether it leaves rows out, as counted since the rows last changed. */
interface Hiding {
  readonly rows: number;
  readonly live: number;
  readonly hides: boolean;
}
const hidings = new WeakMap<MemoryView, WeakMap<readonly number[], Hiding>>();

/**
 * Whether any row has a label set that is not among these. A reader passes the same list until its rights change, so
 * the result is computed once for a state of the index; where nothing is hidden no row is checked. Rows only ever grow
 * in number and live rows only ever leave, so the two numbers together name a state.
 */
function hidesRows(view: MemoryView, at: number, labelSets: readonly number[]): boolean {
  const [rows, live] = [view.rows, view.u32[H_LIVE >>> 2]!];
  const known = hidings.get(view) ?? new WeakMap<readonly number[], Hiding>();
  hidings.set(view, known);
  const last = known.get(labelSets);
  if (last?.rows === rows && last.live === live) return last.hides;
  writeLabelSets(view, at, labelSets);
  view.u32[(at + Q_FLAGS) >>> 2] = QF_LABELS;
  const hides = view.kernel.visibleCount(at) < live;
  known.set(labelSets, { rows, live, hides });
  return hides;
}

function visibleName({ kinds, labelSets: given }: NumericQuery, hides: boolean): string | undefined {
  const labelSets = hides ? given : undefined;
  if (labelSets !== undefined && labelSets.length > MAX_NAMED_SETS) return undefined;
  return `${kinds ?? "any"} ${labelSets === undefined ? "any" : nameOfSets(labelSets)}`;
}

/** A reader passes the same list until its rights change. */
const setNames = new WeakMap<readonly number[], string>();

function nameOfSets(sets: readonly number[]): string {
  const known = setNames.get(sets) ?? sets.join(",");
  setNames.set(sets, known);
  return known;
}

const SET_FLAGS = [QF_SCENE, QF_AUTHOR, QF_CATEGORY, QF_OWNER];
const SET_FIELDS = [Q_SCENE, Q_AUTHOR, Q_CATEGORY, Q_OWNER];

function setBytes(sets: readonly (readonly number[] | undefined)[]): number {
  let bytes = 128;
  for (const set of sets) bytes += (set?.length ?? 0) * 4;
  return bytes;
}

function vectorBytes(view: MemoryView): number {
  let bytes = 0;
  for (const space of ["text", "image"] as const) {
    const stride = view.u32[(spaceAt(space) + S_STRIDE) >>> 2]!;
    bytes += stride * 5 + 128;
  }
  return bytes;
}

function writeTime(view: MemoryView, at: number, { overlaps, before, after }: TimeQuery): boolean {
  view.f64[(at + Q_FROM_MIN) >>> 3] = after ?? Number.NEGATIVE_INFINITY;
  view.f64[(at + Q_FROM_END) >>> 3] = overlaps?.toUs ?? Number.POSITIVE_INFINITY;
  view.f64[(at + Q_TO_AFTER) >>> 3] = overlaps?.fromUs ?? Number.NEGATIVE_INFINITY;
  view.f64[(at + Q_TO_MAX) >>> 3] = before ?? Number.POSITIVE_INFINITY;
  return overlaps !== undefined || before !== undefined || after !== undefined;
}

/** For queries without a time key: the walk by time reads these too. */
export function openTime(view: MemoryView, at: number): void {
  writeTime(view, at, {});
}

function writePlace(view: MemoryView, at: number, { place }: NumericQuery): number {
  if (place === undefined) return 0;
  switch (place.type) {
    case "box":
      writeBox(view, at, place.min, place.max, 0);
      return QF_PLACE | QF_BOX;
    case "shape":
      writeBox(view, at, place.bounds.min, place.bounds.max, 0);
      if (place.from) writePoint(view, at, place.from);
      return QF_PLACE | QF_CENTRE_BOX;
    case "within": {
      const { point, radiusM, metric } = place;
      writePoint(view, at, point);
      if (radiusM === Number.POSITIVE_INFINITY) return QF_PLACE;
      view.f64[(at + Q_RADIUS) >>> 3] = radiusM;
      // Wider than the sphere, so that rounding never leaves a match outside of its own bound.
      writeBox(view, at, point, point, radiusM * (1 + 1e-12) + 1e-7);
      return QF_PLACE | (metric === "box" ? QF_RADIUS_BOX : QF_RADIUS_CENTRE);
    }
  }
}

function writePoint(view: MemoryView, at: number, { x, y, z }: Vec3): void {
  const i = (at + Q_POINT) >>> 3;
  view.f64[i] = x;
  view.f64[i + 1] = y;
  view.f64[i + 2] = z;
}

function writeBox(view: MemoryView, at: number, min: Vec3, max: Vec3, by: number): void {
  const i = (at + Q_BOX) >>> 3;
  view.f64[i] = min.x - by;
  view.f64[i + 1] = min.y - by;
  view.f64[i + 2] = min.z - by;
  view.f64[i + 3] = max.x + by;
  view.f64[i + 4] = max.y + by;
  view.f64[i + 5] = max.z + by;
}

function writeVector(view: MemoryView, at: number, space: Space, key: VectorQuery, cursor: number): number {
  const base = spaceAt(space);
  const stride = view.u32[(base + S_STRIDE) >>> 2]!;
  if (key.vector.length !== view.u32[(base + S_DIM) >>> 2]!)
    throw new RangeError(`${space} vector of another length`);
  view.u32[(at + V_QUANTISED) >>> 2] = cursor;
  view.u32[(at + V_FLOAT) >>> 2] = cursor + stride;
  view.f32.set(key.vector, (cursor + stride) >>> 2);
  view.kernel.prepareVector(at, base, view.variant === "relaxed-offset" ? 1 : 0);
  return (cursor + stride * 5 + 63) & ~63;
}
