import { type FrameGraph, invert, transformBox } from "../../geometry/index.ts";
import { RECORD_KINDS, WORLD_FRAME } from "../../schema/core.ts";
import type { CheckedRequest } from "../check-request.ts";
import type { ReaderOptions } from "../port.ts";
import type { SpaceTest } from "../space-test.ts";
import { cellRanges, OPEN_SPAN, spanUs, widened } from "./cells.ts";
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

  get sql(): string {
    return this.conditions.join(" AND ");
  }
}

/** What a reader may see at all: memory time, labels, world time. */
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

/** Every condition of a request that the tables can tell; what it lets pass is still to be tested for its place. */
export function addKeys(
  where: Where,
  { time, where: scalar }: CheckedRequest,
  space:
    | { readonly test: SpaceTest; readonly frames: FrameGraph; readonly revision: number | undefined }
    | undefined,
): Where {
  if (time?.overlaps) addOverlap(where, time.overlaps.fromUs, time.overlaps.toUs);
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
  if (space) addPlace(where, space);
  return where;
}

/** Overlap with an interval: in each class of lengths a range of beginnings, and then the end itself. */
function addOverlap(where: Where, fromUs: number, toUs: number | null): void {
  where.add("(r.valid_to IS NULL OR r.valid_to > ?)", fromUs);
  if (toUs === null) return;
  where.add("r.valid_from < ?", toUs);
  const spans: string[] = [`r.span = ${OPEN_SPAN}`];
  for (let span = 0; span < OPEN_SPAN; span++) {
    const earliest = fromUs - spanUs(span);
    if (earliest < -Number.MAX_SAFE_INTEGER) {
      spans.push(`r.span BETWEEN ${span} AND ${OPEN_SPAN - 1}`);
      break;
    }
    spans.push(`r.span = ${span} AND r.valid_from > ${where.value(earliest)}`);
  }
  where.add(`(${spans.join(" OR ")})`);
}

/** At most this many submaps are named one by one. */
const MOST_SUBMAPS = 32;

/** Rows whose boxes may meet the bounds of a place: by cells where those are few, else by coordinates. */
function addPlace(
  where: Where,
  { test, frames, revision }: { test: SpaceTest; frames: FrameGraph; revision: number | undefined },
): void {
  const { bounds } = test;
  const at = revision === undefined ? {} : { revision };
  const submaps = [...new Set([WORLD_FRAME, ...frames.frames()])].flatMap((name) => {
    const transform = frames.resolve(WORLD_FRAME, name, at);
    return transform === undefined ? [] : [{ name: toText(name), transform }];
  });
  if (submaps.length > MOST_SUBMAPS || bounds === null) {
    where.add(
      "r.submap = ANY(?::text[])",
      submaps.map(({ name }) => name),
    );
    return;
  }
  const parts = submaps.map(({ name, transform }) => {
    const conditions = [`r.submap = ${where.value(name)}`];
    const ranges = cellRanges(bounds, transform);
    if (ranges)
      conditions.push(
        `(${ranges.map(([from, to]) => (from === to ? `r.cell = ${from}` : `r.cell BETWEEN ${from} AND ${to}`)).join(" OR ")})`,
      );
    const { min, max } = widened(transformBox(invert(transform), bounds), 0);
    // Boxes of turned submaps reach farther in the world than in their own map, but never by more than their edges.
    for (const axis of ["x", "y", "z"] as const) {
      const reach = "coalesce(r.sx + r.sy + r.sz, 0)";
      if (Number.isFinite(min[axis])) conditions.push(`r.${axis} + ${reach} >= ${where.value(min[axis])}`);
      if (Number.isFinite(max[axis])) conditions.push(`r.${axis} - ${reach} <= ${where.value(max[axis])}`);
    }
    return `(${conditions.join(" AND ")})`;
  });
  where.add(`(${parts.join(" OR ")})`);
}
