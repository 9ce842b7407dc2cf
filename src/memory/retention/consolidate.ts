import { distance, type Vec3 } from "../../geometry/index.ts";
import { LIMITS, type RecordInput, type RecordOf } from "../../schema/core.ts";
import { type Candidate, plain } from "./gather.ts";

/** Captions merge when the tracks they speak of are this alike … */
const MIN_JACCARD = 0.8;
/** … the place is the same … */
const SAME_PLACE_M = 2;
/** … and one follows the other: then one span covers both, and no list of spans is needed. */
const GAP_US = 5_000_000;
const MAX_LINES = 24;

/** Several captions as one. */
export interface Merge {
  readonly into: RecordInput & { readonly kind: "caption" };
  /** Records that go; the id of the first one lives on. */
  readonly forgotten: readonly string[];
  readonly bytesFreed: number;
}

export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const one of a) if (b.has(one)) shared++;
  const union = a.size + b.size - shared;
  return union === 0 ? 0 : shared / union;
}

/**
 * Runs of captions by one author, in order of time, that have the same content about the same place
 * (docs/formulas.md#retention).
 */
export function consolidate(candidates: readonly Candidate[], isKept: (id: string) => boolean): Merge[] {
  const captions = candidates.filter(({ kind, record }) => kind === "caption" && !isKept(record.id));
  const merges: Merge[] = [];
  const byAuthor = Map.groupBy(captions, ({ record }) => `${record.author}/${record.sceneId}`);
  for (const own of byAuthor.values()) {
    const ordered = [...own].sort((a, b) => a.record.validFromUs - b.record.validFromUs);
    let run: Candidate[] = [];
    for (const candidate of ordered) {
      if (run.length > 0 && !goesOn(run, candidate)) {
        if (run.length > 1) merges.push(merged(run));
        run = [];
      }
      run.push(candidate);
    }
    if (run.length > 1) merges.push(merged(run));
  }
  return merges;
}

function goesOn(run: readonly Candidate[], next: Candidate): boolean {
  const first = run[0]!;
  const [a, b] = [run.at(-1)!.record, next.record] as [RecordOf<"caption">, RecordOf<"caption">];
  const isSame =
    a.source === b.source &&
    a.topic === b.topic &&
    a.regionId === b.regionId &&
    `${a.labels}` === `${b.labels}`;
  if (!isSame || next.record.validFromUs - (a.validToUs ?? a.validFromUs) > GAP_US) return false;
  if (a.validToUs === null || b.validToUs === null) return false;
  return isNear(first.position, next.position) && jaccard(first.tracks, next.tracks) > MIN_JACCARD;
}

function isNear(a: Vec3 | undefined, b: Vec3 | undefined): boolean {
  return a !== undefined && b !== undefined && distance(a, b) <= SAME_PLACE_M;
}

function merged(run: readonly Candidate[]): Merge {
  const records = run.map(({ record }) => record as RecordOf<"caption">);
  const first = records[0]!;
  const unique = (lists: readonly (readonly string[])[], most: number) =>
    [...new Set(lists.flat())].slice(0, most);
  const path = records.flatMap((record) => record.path ?? []).slice(0, LIMITS.refsPerRecord);
  return {
    into: {
      ...plain(first),
      validToUs: Math.max(...records.map(({ validToUs }) => validToUs!)),
      text: unique(
        records.map(({ text }) => text),
        MAX_LINES,
      ),
      states: unique(
        records.map(({ states }) => states),
        LIMITS.refsPerRecord,
      ),
      views: unique(
        records.map(({ views }) => views),
        LIMITS.refsPerRecord,
      ),
      ...(path.length > 0 && { path }),
    },
    forgotten: records.slice(1).map(({ id }) => id),
    bytesFreed: run.slice(1).reduce((sum, { bytes }) => sum + bytes, 0),
  };
}
