import { type Interval, inflate, mergeIntervals } from "../../geometry/index.ts";
import type { Hit } from "../../memory/index.ts";
import { LIMITS, type Stored } from "../../schema/core.ts";
import { type Item, type ReadItem, statesOf } from "../evidence.ts";
import type { Link, StepOf } from "../plan/steps.ts";
import { byScore } from "./compiled.ts";
import type { Run, StepResult } from "./run.ts";

/** Spans of time within which captions of a sighting are looked for, and how many of them at most. */
const WINDOW_GAP_US = 10e6;
const MAX_WINDOWS = 64;
const MAX_SIGHTINGS = 10_000;
/** A thing supported by another is within this distance of its box. */
const SUPPORT_M = 0.3;

/** Follows one kind of link from each item; what several items lead to keeps the best of their scores. */
export async function join(step: StepOf<"join">, run: Run): Promise<StepResult> {
  const { items: given, weak } = await run.input(step.from);
  const items = await run.read(given);
  const along = LINKED[step.along];
  const linked = typeof along === "function" ? await along(items, run) : idsAlong(items, along.ids);
  const best = new Map<string, number>();
  const records = new Map<string, Hit>();
  for (const { id, from, hit } of linked) {
    best.set(id, Math.max(best.get(id) ?? Number.NEGATIVE_INFINITY, from.score));
    if (hit) records.set(id, hit);
  }
  const found = [...best].map(([id, score]): Item => {
    const hit = records.get(id);
    return { id, score, scores: {}, why: [step.as], ...(hit ? { hit } : {}) };
  });
  return { items: found.sort(byScore).slice(0, step.k), ...(weak ? { weak } : {}) };
}

/** Records of some kinds within a few seconds of each item. */
export async function inTime(step: StepOf<"inTime">, run: Run): Promise<StepResult> {
  const items = await run.read((await run.input(step.from)).items);
  const margin = Math.round(step.windowS * 1e6);
  const found = new Map<string, Item>();
  for (const item of items) {
    const overlaps = widened(item.hit.record, margin, run.context.nowUs);
    const hits = await run.search({ kinds: step.kinds, time: { overlaps }, rank: "earliest", limit: step.k });
    for (const hit of hits) {
      const known = found.get(hit.record.id);
      if (known === undefined || known.score < item.score)
        found.set(hit.record.id, { id: hit.record.id, score: item.score, scores: {}, why: [step.as], hit });
    }
  }
  return { items: [...found.values()].sort(byScore).slice(0, step.k) };
}

interface Linked {
  readonly id: string;
  readonly from: ReadItem;
  /** The record, if the search has read it already. */
  readonly hit?: Hit;
}

type Follow = (items: readonly ReadItem[], run: Run) => Promise<Linked[]>;

const only = <K extends Stored["kind"]>(
  kind: K,
  ids: (record: Extract<Stored, { kind: K }>) => readonly (string | undefined)[],
) => ({
  ids: (record: Stored) => (record.kind === kind ? ids(record as Extract<Stored, { kind: K }>) : []),
});

const LINKED: {
  readonly [L in Link]: { ids: (record: Stored) => readonly (string | undefined)[] } | Follow;
} = {
  "caption-state": only("caption", (caption) => caption.states),
  "caption-view": only("caption", (caption) => caption.views),
  "view-state": only("view", statesOf),
  "state-view": only("state", (state) => state.views),
  "state-track": only("state", (state) => [state.trackId]),
  "state-region": only("state", (state) => [state.regionId]),
  "state-support": only("state", (state) => [state.supportedBy, state.insideOf]),
  "place-region": only("place", (place) => [place.regionId]),
  "place-caption": only("place", (place) => place.captions),
  "region-parent": only("region", (region) => [region.parent]),
  "region-children": only("region", (region) => region.children),
  "track-state": (items, run) => owned(items, run),
  "state-supported": (items, run) => supported(items, run),
  "state-caption": (items, run) => captionsOf(items, run),
  "region-state": (items, run) => statesIn(items, run),
  "track-event": (items, run) => eventsOf(items, run),
};

function idsAlong(
  items: readonly ReadItem[],
  ids: (record: Stored) => readonly (string | undefined)[],
): Linked[] {
  return items.flatMap((from) =>
    ids(from.hit.record).flatMap((id) => (id === undefined ? [] : [{ id, from }])),
  );
}

async function owned(items: readonly ReadItem[], run: Run): Promise<Linked[]> {
  const tracks = new Map(ofKind(items, "track").map((item) => [item.id, item]));
  if (tracks.size === 0) return [];
  const hits = await run.search({
    kinds: ["state"],
    where: { owner: [...tracks.keys()] },
    rank: "latest",
    limit: LIMITS.hitsPerSearch,
  });
  return hits.flatMap((hit) =>
    hit.record.kind === "state" ? [{ id: hit.record.id, from: tracks.get(hit.record.trackId)!, hit }] : [],
  );
}

/** States on or in one of these, searched for around its box, all of them. */
async function supported(items: readonly ReadItem[], run: Run): Promise<Linked[]> {
  const linked: Linked[] = [];
  for (const from of items) {
    if (from.hit.box === undefined) continue;
    const space = { type: "box", ...inflate(from.hit.box, SUPPORT_M) } as const;
    const hits = await run.search({ kinds: ["state"], space, rank: "id", limit: LIMITS.hitsPerSearch });
    for (const hit of hits) {
      const { record } = hit;
      if (record.kind === "state" && (record.supportedBy === from.id || record.insideOf === from.id))
        linked.push({ id: record.id, from, hit });
    }
  }
  return linked;
}

/** Captions that name a state, found through the times at which it was seen. */
async function captionsOf(items: readonly ReadItem[], run: Run): Promise<Linked[]> {
  const states = new Map(ofKind(items, "state").map((item) => [item.id, item]));
  if (states.size === 0) return [];
  const sightings = await run.context.reader.sightings({
    stateIds: [...states.keys()],
    outcomes: ["seen"],
    order: "latest",
    limit: MAX_SIGHTINGS,
  });
  const spans: Interval[] =
    sightings.length > 0
      ? sightings.map(({ timeUs }) => ({ fromUs: timeUs, toUs: timeUs + 1 }))
      : [...states.values()].map(({ hit }) => ({
          fromUs: hit.record.validFromUs,
          toUs: hit.record.validToUs,
        }));
  const windows = mergeIntervals(spans, WINDOW_GAP_US);
  if (windows.length > MAX_WINDOWS) run.note(`only the latest ${MAX_WINDOWS} of ${windows.length} sightings`);
  const linked: Linked[] = [];
  for (const overlaps of windows.slice(-MAX_WINDOWS)) {
    const hits = await run.search({ kinds: ["caption"], time: { overlaps }, rank: "latest", limit: 1_000 });
    for (const hit of hits)
      for (const id of statesOf(hit.record)) {
        const from = states.get(id);
        if (from) linked.push({ id: hit.record.id, from, hit });
      }
  }
  return linked;
}

async function statesIn(items: readonly ReadItem[], run: Run): Promise<Linked[]> {
  const regions = new Map(ofKind(items, "region").map((item) => [item.id, item]));
  if (regions.size === 0) return [];
  const hits = await run.search({
    kinds: ["state"],
    where: { regionId: [...regions.keys()] },
    rank: "latest",
    limit: LIMITS.hitsPerSearch,
  });
  return hits.flatMap((hit) => {
    const from =
      hit.record.kind === "state" && hit.record.regionId ? regions.get(hit.record.regionId) : undefined;
    return from ? [{ id: hit.record.id, from, hit }] : [];
  });
}

/** Events that name a track or one of its states. */
async function eventsOf(items: readonly ReadItem[], run: Run): Promise<Linked[]> {
  const named = new Map<string, ReadItem>();
  for (const item of items) {
    named.set(item.id, item);
    if (item.hit.record.kind === "state") named.set(item.hit.record.trackId, item);
  }
  const hits = await run.search({ kinds: ["event"], rank: "latest", limit: LIMITS.hitsPerSearch });
  return hits.flatMap((hit) => {
    const who = hit.record.kind === "event" ? hit.record.who : [];
    const id = who.find((name) => named.has(name));
    return id === undefined ? [] : [{ id: hit.record.id, from: named.get(id)!, hit }];
  });
}

function ofKind(items: readonly ReadItem[], kind: Stored["kind"]): ReadItem[] {
  return items.filter(({ hit }) => hit.record.kind === kind);
}

function widened(record: Stored, marginUs: number, nowUs: number): Interval {
  return {
    fromUs: record.validFromUs - marginUs,
    toUs: (record.validToUs ?? Math.max(nowUs, record.validFromUs) + 1) + marginUs,
  };
}
