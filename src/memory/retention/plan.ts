import type { LociRecord } from "../../schema/core.ts";
import type { MemoryReader } from "../port.ts";
import { consolidate, type Merge } from "./consolidate.ts";
import { shorterDiary } from "./diary.ts";
import { type Holdings, readHoldings } from "./gather.ts";
import { noteGivenUp } from "./given-up.ts";
import { plainerWords } from "./plainer-words.ts";
import { type Eviction, Planner } from "./planner.ts";
import {
  checkPolicy,
  DEFAULT_HOLD_LABELS,
  DEFAULT_RECENCY_US,
  EVICTABLE,
  type RetentionPolicy,
} from "./policy.ts";
import { type Protection, protectedBy } from "./protect.ts";
import { type ShrinkPicture, shrinkUntil } from "./shrink.ts";
import {
  barerCaptions,
  barerPlaces,
  barerViews,
  crowdedSightings,
  isWorded,
  type PastVersion,
  pastOf,
  SIGHTING_BYTES,
  type Slimmed,
  type SpareSighting,
  surfacesOf,
} from "./slim.ts";
import { Utilities } from "./utility.ts";

/** What a policy would give up, with the reasons; nothing is changed until it is applied. */
export interface RetentionPlan {
  readonly bytesNow: number;
  readonly maxBytes: number | null;
  readonly merges: readonly Merge[];
  readonly evictions: readonly Eviction[];
  /** Events of passing a thing that was passed again later. */
  readonly passes: readonly string[];
  /**
   * Submaps that lose their surface points, views and captions that lose overlays, picture size or wording; all with
   * their past versions.
   */
  readonly slimmed: readonly Slimmed[];
  /** Versions that brought no change. */
  readonly past: readonly PastVersion[];
  /** Looks at things between two others that saw the same. */
  readonly sightings: readonly SpareSighting[];
  /** Estimated; the space freed on disk also depends on how the engine packs its pages. */
  readonly bytesFreed: number;
  /** Bytes over the budget after everything that may be removed is gone; 0 where the budget can be met. */
  readonly bytesOver: number;
  readonly kept: Readonly<Partial<Record<Protection, number>>>;
}

/** Tools of other rooms that retention needs; without them such steps are left out. */
export interface RetentionTools {
  readonly shrink?: ShrinkPicture;
  /** Gives up no view and no caption for the bytes of the whole: what slimming frees is measured first. */
  readonly onlySlim?: boolean;
}

const FREED_MARGIN = 0.005;
const BUDGET_MARGIN = 0.01;
/** How many lines places keep where that is enough, and how many otherwise. */
const PLACE_LINES = [4, 1];

/**
 * Decides what to give up. First what is too old, then kinds over their own budget, then the whole: detections before
 * observations, whose evidence remains in states and sightings, then optional parts of records, then the evidence
 * behind first and last sightings, then views and captions by utility, lowest first, and last the paths of the robots.
 * The same memory and policy give the same plan.
 */
export async function planRetention(
  reader: MemoryReader,
  policy: RetentionPolicy,
  { shrink, onlySlim = false }: RetentionTools = {},
): Promise<RetentionPlan> {
  checkPolicy(policy);
  const { bytes: bytesNow } = await reader.stats();
  const holdings = await readHoldings(reader);
  const holdLabels = policy.holdLabels ?? DEFAULT_HOLD_LABELS;
  const isHeld = ({ labels }: LociRecord) => labels.some((label) => holdLabels.includes(label));
  const kept = await protectedBy(reader, holdings, holdLabels);
  const merges =
    policy.consolidate === false ? [] : consolidate(holdings.candidates, (id) => kept.kept.has(id));
  const merged = new Set(merges.flatMap(({ forgotten }) => forgotten));
  // A caption that others were merged into is written anew already.
  const anew = new Set(merges.map(({ into }) => into.id));
  const isFixed = (record: LociRecord) => isHeld(record) || anew.has(record.id);
  const candidates = holdings.candidates.filter(({ record }) => !merged.has(record.id));
  const planner = new Planner(
    candidates,
    kept,
    new Utilities(candidates, policy.nowUs, policy.recencyUs ?? DEFAULT_RECENCY_US),
    holdings.uses,
  );
  planner.freed += merges.reduce((sum, merge) => sum + merge.bytesFreed, 0);
  planner.dropOlderThan(policy.maxAgeUs ?? {}, policy.nowUs);
  for (const kind of EVICTABLE) {
    const most = policy.maxBytesOf?.[kind];
    if (most !== undefined)
      planner.dropUntil([kind], planner.bytesOf(kind) - most, `${kind}s over their bytes`);
  }
  const over = policy.maxBytes === undefined ? 0 : withMargin(bytesNow - policy.maxBytes, policy.maxBytes);
  planner.dropUntil(["detection", "observation"], over - planner.freed, "memory over its bytes");
  const slim = await slimUntil(over, reader, planner, { ...holdings, candidates }, isFixed);
  if (planner.freed < over) {
    planner.release("evidence");
    planner.dropUntil(["detection", "observation"], over - planner.freed, "memory over its bytes");
  }
  const slimmed = new Map(slim.slimmed.map((one) => [one.record.id, one]));
  if (shrink !== undefined) await shrinkUntil(over, reader, planner, shrink, slimmed, isFixed);
  if (planner.freed < over) {
    const worded = candidates.filter(({ record }) => planner.isLeft(record.id) && !isFixed(record));
    for (const one of await plainerWords(reader, worded, holdings, (id) => slimmed.get(id))) {
      slimmed.set(one.record.id, one);
      planner.slim(one.record.id, one.bytes);
      planner.reword(one.record.id, one.record.text);
    }
  }
  const passes: string[] = [];
  if (planner.freed < over) {
    const { repeated, reworded } = await shorterDiary(reader, holdings, isHeld);
    for (const { id, bytes } of repeated) {
      passes.push(id);
      planner.freed += bytes;
    }
    for (const one of reworded) {
      slimmed.set(one.record.id, one);
      planner.freed += one.bytes;
    }
  }
  if (!onlySlim) planner.dropUntil(EVICTABLE, over - planner.freed, "memory over its bytes");
  if (!onlySlim && planner.freed < over) {
    planner.release("way too");
    planner.dropUntil(["observation"], over - planner.freed, "memory over its bytes");
  }
  const gone = new Set(planner.evictions.map(({ id }) => id));
  const looks = candidates.flatMap(({ record }) =>
    record.kind === "observation" && gone.has(record.id) ? [record] : [],
  );
  return {
    bytesNow,
    maxBytes: policy.maxBytes ?? null,
    merges,
    evictions: planner.evictions,
    passes,
    ...slim,
    slimmed: [
      ...[...slimmed.values()].filter((one) => !isWorded(one) || planner.isLeft(one.record.id)),
      ...(await noteGivenUp(reader, looks)),
    ],
    bytesFreed: planner.freed,
    bytesOver: Math.max(0, Math.round(bytesNow - planner.freed - (policy.maxBytes ?? Infinity))),
    kept: planner.keptCounts(),
  };
}

/** Slims records that stay, the least important parts first, until enough bytes are free. */
async function slimUntil(
  goal: number,
  reader: MemoryReader,
  planner: Planner,
  { candidates, stateIds }: Holdings,
  isFixed: (record: LociRecord) => boolean,
): Promise<Pick<RetentionPlan, "slimmed" | "past" | "sightings">> {
  const slimmed: Slimmed[] = [];
  const take = (some: readonly Slimmed[]) => {
    for (const one of some) {
      if (planner.freed >= goal) return;
      slimmed.push(one);
      planner.slim(one.record.id, one.bytes);
    }
  };
  if (planner.freed < goal) take(await surfacesOf(reader, isFixed));
  const anew = new Set(slimmed.map(({ record }) => record.id));
  const past = planner.freed < goal ? (await pastOf(reader, isFixed)).filter(({ id }) => !anew.has(id)) : [];
  planner.freed += past.reduce((sum, { bytes }) => sum + bytes, 0);
  if (planner.freed < goal) {
    const views = candidates.filter(
      ({ kind, record }) => kind === "view" && planner.isLeft(record.id) && !isFixed(record),
    );
    take(await barerViews(reader, views));
    const captions = candidates.filter(
      ({ kind, record }) => kind === "caption" && planner.isLeft(record.id) && !isFixed(record),
    );
    take(await barerCaptions(reader, captions));
  }
  const sightings = planner.freed < goal ? await crowdedSightings(reader, stateIds) : [];
  planner.freed += sightings.length * SIGHTING_BYTES;
  for (const lines of PLACE_LINES) {
    if (planner.freed >= goal) break;
    const places = await barerPlaces(reader, isFixed, lines);
    const isEnough = planner.freed + places.reduce((sum, { bytes }) => sum + bytes, 0) >= goal;
    if (isEnough || lines === PLACE_LINES.at(-1)) take(places);
  }
  const places = new Set(slimmed.flatMap(({ record }) => (record.kind === "place" ? [record.id] : [])));
  return { slimmed, past: past.filter(({ id }) => !places.has(id)), sightings };
}

/** Adds a small margin: estimates are off by a few per cent, and a second round costs a second copy. */
function withMargin(over: number, maxBytes: number): number {
  return over <= 0 ? over : over * (1 + FREED_MARGIN) + maxBytes * BUDGET_MARGIN;
}
