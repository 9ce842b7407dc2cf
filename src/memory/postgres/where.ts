import {
  type Box,
  type FrameGraph,
  invert,
  type Transform,
  transformBox,
  type Vec3,
} from "../../geometry/index.ts";
import { RECORD_KINDS, WORLD_FRAME } from "../../schema/core.ts";
import type { CheckedRequest } from "../check-request.ts";
import type { ReaderOptions } from "../port.ts";
import { beginnings, cellRanges, widened } from "./cells.ts";
import { toText } from "./text.ts";

/** Conditions on a row, with their values; the first value is always the scene. */
export class Where {
  readonly conditions: string[];
  readonly values: unknown[];

  constructor(sceneId: number, alias = "r") {
    this.conditions = [`${alias}.scene_id = $1`];
    this.values = [sceneId];
  }

  /** A condition in which each `?` is the next of these values. */
  add(condition: string, ...values: unknown[]): this {
    let at = 0;
    this.conditions.push(condition.replace(/\?/g, () => this.value(values[at++])));
    return this;
  }

  value(value: unknown): string {
    return `$${this.values.push(value)}`;
  }

  /** A list of numbers, as the server reads it. */
  numbers(values: readonly number[]): string {
    return this.value(`{${values.join(",")}}`);
  }

  get sql(): string {
    return this.conditions.join(" AND ");
  }
}

/** The conditions of visibility: memory time, labels, world time. */
export function addVisible(where: Where, { principal, asOfMemoryUs, asOfWorldUs }: ReaderOptions): Where {
  addBelieved(where, asOfMemoryUs);
  const labels = principal?.labels ?? "*";
  if (labels !== "*") where.add("r.labels <@ ?::text[]", labels.map(toText));
  if (asOfWorldUs !== undefined)
    where.add("r.valid_from <= ? AND (r.valid_to IS NULL OR r.valid_to > ?)", asOfWorldUs, asOfWorldUs);
  return where;
}

export function addBelieved(where: Where, asOfMemoryUs: number | undefined): Where {
  return asOfMemoryUs === undefined
    ? where.add("r.superseded_at IS NULL")
    : where.add(
        "r.recorded_at <= ? AND (r.superseded_at IS NULL OR r.superseded_at > ?)",
        asOfMemoryUs,
        asOfMemoryUs,
      );
}

export function addKinds(where: Where, kinds: CheckedRequest["kinds"]): Where {
  if (kinds)
    where.add(
      "r.kind = ANY(?::smallint[])",
      kinds.map((kind) => RECORD_KINDS.indexOf(kind)),
    );
  return where;
}

/** The conditions of a request on times and names, as far as the tables can evaluate them. */
export function addKeys(where: Where, { time, where: scalar }: CheckedRequest): Where {
  if (time?.overlaps) {
    const { fromUs, toUs } = time.overlaps;
    where.add("(r.valid_to IS NULL OR r.valid_to > ?)", fromUs);
    if (toUs !== null) where.add("r.valid_from < ?", toUs);
  }
  if (time?.before !== undefined) where.add("r.valid_to <= ?", time.before);
  if (time?.after !== undefined) where.add("r.valid_from >= ?", time.after);
  for (const [key, column] of [
    ["ids", "id"],
    ["sceneId", "scene_name"],
    ["author", "author"],
    ["category", "category"],
    ["owner", "owner"],
  ] as const) {
    const list = scalar?.[key];
    if (list !== undefined) where.add(`r.${column} = ANY(?::text[])`, list.map(toText));
  }
  return where;
}

/** The bounds of a place in the coordinates of one submap. */
export interface SubmapBounds {
  readonly submap: string;
  readonly worldFromSubmap: Transform;
  readonly inWorld: Box;
  readonly inSubmap: Box;
}

/** No place is farther than this, so that bounds without an end can be turned like others. */
const NOWHERE_M = 1e10;

/** A bound of the world in the coordinates of every connected submap. */
export function boundsIn(
  { min, max }: Box,
  frames: FrameGraph,
  revision: number | undefined,
): readonly SubmapBounds[] {
  const at = revision === undefined ? {} : { revision };
  const within = ({ x, y, z }: Vec3): Vec3 => {
    const clamp = (value: number) => Math.min(Math.max(value, -NOWHERE_M), NOWHERE_M);
    return { x: clamp(x), y: clamp(y), z: clamp(z) };
  };
  const bounds = { min: within(min), max: within(max) };
  return [...new Set([WORLD_FRAME, ...frames.frames()])].flatMap((name) => {
    const worldFromSubmap = frames.resolve(WORLD_FRAME, name, at);
    if (worldFromSubmap === undefined) return [];
    const inSubmap = widened(transformBox(invert(worldFromSubmap), bounds), 0);
    return [{ submap: toText(name), worldFromSubmap, inWorld: bounds, inSubmap }];
  });
}

const AXES = ["x", "y", "z"] as const;

/** A source of rows: the clauses before them in a statement, and the index condition that selects them. */
export interface Source {
  readonly before: string;
  /** Absent where all rows are scanned. */
  readonly by?: string;
}

/** Rows in the cells that the bounds meet. */
export function byPlaces(where: Where, places: readonly SubmapBounds[], levels: number | undefined): Source {
  const submaps: string[] = [];
  const [firsts, lasts]: [number[], number[]] = [[], []];
  for (const { submap, inWorld, worldFromSubmap } of places)
    for (const [first, last] of cellRanges(inWorld, worldFromSubmap, levels)) {
      submaps.push(submap);
      firsts.push(first);
      lasts.push(last);
    }
  const { before } = byNone(where, places);
  const ranges = `${where.numbers(firsts)}::bigint[], ${where.numbers(lasts)}::bigint[]`;
  const inCell = "r.cell BETWEEN c.first AND c.last";
  if (places.length === 1)
    return {
      before: `unnest(${ranges}) AS c (first, last)`,
      by: `r.submap = ${where.value(places[0]!.submap)} AND ${inCell}`,
    };
  return {
    before: `${before}unnest(${where.value(submaps)}::text[], ${ranges}) AS c (submap, first, last)`,
    by: `r.submap = c.submap AND ${inCell}`,
  };
}

/** Rows by the class of their length and when they began. */
export function byTimes(
  where: Where,
  { fromUs, toUs }: { readonly fromUs: number; readonly toUs: number | null },
  places: readonly SubmapBounds[] | undefined,
): Source {
  const { spans, afters } = beginnings(fromUs);
  const { before } = byNone(where, places);
  const lists = `${where.numbers(spans)}::smallint[], ${where.numbers(afters)}::bigint[]`;
  return {
    before: `${before}unnest(${lists}) AS t (span, after)`,
    by: `r.span = t.span AND r.valid_from BETWEEN t.after AND ${where.value(toUs ?? Number.MAX_SAFE_INTEGER)}`,
  };
}

/** All rows, held against the bounds in their submap. */
export function byNone(where: Where, places: readonly SubmapBounds[] | undefined): Source {
  if (places === undefined) return { before: "" };
  if (places.length === 1) {
    const { submap, inSubmap } = places[0]!;
    where.add("r.submap = ?", submap);
    for (const axis of AXES)
      where.add(
        `r.${axis} + r.reach >= ? AND r.${axis} - r.reach <= ?`,
        inSubmap.min[axis],
        inSubmap.max[axis],
      );
    return { before: "" };
  }
  const names = `${where.value(places.map(({ submap }) => submap))}::text[]`;
  const lists = [names, ...boundLists(where, places)];
  where.conditions.push("r.submap = g.submap", ...WITHIN);
  return { before: `unnest(${lists.join(", ")}) AS g (submap, ${BOUNDS}), ` };
}

/**
 * The statement that reads these columns of the rows that pass. Where an index leads to them the server gets no other
 * choice: the fence prevents other joins, and start times are compared in a form without an index.
 */
export function selectFrom({ before, by }: Source, where: Where, columns: string): string {
  if (by === undefined) return `SELECT ${columns} FROM ${before}record r WHERE ${where.sql}`;
  const passing = where.sql.replaceAll("r.valid_from", "r.valid_from + 0");
  return `SELECT ${columns} FROM ${before} CROSS JOIN LATERAL
    (SELECT ${columns} FROM record r WHERE ${by} AND ${passing} OFFSET 0) r`;
}

const BOUNDS = AXES.flatMap((axis) => [`least_${axis}`, `most_${axis}`]).join(", ");
/** Boxes of turned submaps reach farther in the world than in their own map, but never by more than their edges. */
const WITHIN = AXES.map(
  (axis) => `r.${axis} + r.reach >= g.least_${axis} AND r.${axis} - r.reach <= g.most_${axis}`,
);

function boundLists(where: Where, places: readonly SubmapBounds[]): string[] {
  return AXES.flatMap((axis) =>
    (["min", "max"] as const).map(
      (side) => `${where.numbers(places.map(({ inSubmap }) => inSubmap[side][axis]))}::float8[]`,
    ),
  );
}
