import type { KnownThing } from "../../belief/thing.ts";
import { LIMITS, type RecordOf, type Sighting, type Stored } from "../../schema/core.ts";
import type { EvidenceContext } from "./context.ts";

export type ViewRecord = Stored<RecordOf<"view">>;

/** A kept view that shows a thing, and where in it. */
export interface Shown {
  readonly view: ViewRecord;
  readonly stateId: string;
  /** Left, top, right, bottom in pixels of the camera. */
  readonly bbox: readonly [number, number, number, number];
  /** Its visible area, px². */
  readonly worth: number;
}

/** The most sightings of things without views that are traced to a view. */
const MOST_SIGHTINGS = 5_000;
/** The most of them whose views are searched at once. */
const MOST_LOOKS = 500;
const MOST_VIEWS = 500;
const GET = 500;

/**
 * The best kept views of things by track, best first: those that their stays name, otherwise those of their sightings.
 * Stays name their views where ingest kept them; memories written otherwise have only the sightings.
 */
export async function bestViewsOf(
  things: readonly KnownThing[],
  context: EvidenceContext,
  most: number,
): Promise<ReadonlyMap<string, readonly Shown[]>> {
  const { memory } = context;
  const records = new Map<string, readonly string[]>();
  const named = new Map<string, string[]>();
  for (const thing of things) {
    const stays = thing.spot ? [] : await memory.stays(thing.trackId);
    records.set(thing.trackId, [thing.state.id, ...stays.map(({ state }) => state.id)]);
    // The stay that is meant comes first: it shows the present place.
    const own = [thing, ...stays.toReversed()].flatMap(({ state }) => state.views);
    named.set(thing.trackId, [...new Set(own)].slice(0, MOST_VIEWS));
  }
  const views = await readViews([...new Set([...named.values()].flat())], context);
  const found = new Map<string, readonly Shown[]>();
  for (const thing of things) {
    const stateIds = await recordsOf(thing, records.get(thing.trackId)!, context);
    const shown = named.get(thing.trackId)!.flatMap((id) => showing(views.get(id), stateIds));
    if (shown.length > 0) found.set(thing.trackId, shown.slice(0, most));
  }
  const lacking = things.filter(({ trackId, spot }) => !found.has(trackId) && !spot);
  if (lacking.length > 0) await byLooks(lacking, records, most, found, context);
  return found;
}

/** Its own records, and those merged into them where the view may name one of these. */
async function recordsOf(
  thing: KnownThing,
  stays: readonly string[],
  { memory }: EvidenceContext,
): Promise<ReadonlySet<string>> {
  return new Set([...stays, ...(thing.spot ? [] : await memory.recordsOf(thing))]);
}

async function byLooks(
  lacking: readonly KnownThing[],
  records: ReadonlyMap<string, readonly string[]>,
  most: number,
  found: Map<string, readonly Shown[]>,
  context: EvidenceContext,
): Promise<void> {
  const { memory } = context;
  const stateIds = lacking.flatMap(({ trackId }) => records.get(trackId)!);
  const looks: readonly Sighting[] = await memory.options.reader.sightings({
    stateIds: [...new Set(stateIds)],
    outcomes: ["seen"],
    order: "latest",
    limit: MOST_SIGHTINGS,
  });
  const known = looks.filter(({ timeUs }) => timeUs <= memory.nowUs);
  const observations = [...new Set(known.flatMap(({ observationId }) => observationId ?? []))];
  const views: ViewRecord[] = [];
  for (let from = 0; from < observations.length && views.length < MOST_VIEWS; from += MOST_LOOKS) {
    const owner = observations.slice(from, from + MOST_LOOKS);
    const hits = await memory.search({
      kinds: ["view"],
      where: { owner },
      rank: "latest",
      limit: MOST_VIEWS,
    });
    for (const { record } of hits) if (record.kind === "view") views.push(record);
  }
  for (const thing of lacking) {
    const own = await recordsOf(thing, records.get(thing.trackId)!, context);
    const seen = views.flatMap((view) => showing(view, own));
    const shown = seen.length > 0 ? seen : await takenAround(thing, own, context);
    if (shown.length > 0)
      found.set(thing.trackId, shown.toSorted((a, b) => b.worth - a.worth).slice(0, most));
  }
}

/** The range at which cameras show things (m); views from farther off are not searched. */
const SIGHT_M = 8;

/** Views from nearby that show a thing without a named view: for memories written by other programs. */
async function takenAround(
  { position }: KnownThing,
  stateIds: ReadonlySet<string>,
  { memory }: EvidenceContext,
): Promise<Shown[]> {
  if (!position) return [];
  const space = { type: "radius", centre: position, radiusM: SIGHT_M } as const;
  const time = { overlaps: { fromUs: -LIMITS.timeUs, toUs: memory.nowUs + 1 } };
  const hits = await memory.search({ kinds: ["view"], space, time, rank: "latest", limit: MOST_VIEWS });
  return hits.flatMap(({ record }) => (record.kind === "view" ? showing(record, stateIds) : []));
}

/** Views by their ids, as far as they may be read and are not from after now. */
export async function readViews(
  ids: readonly string[],
  { memory }: EvidenceContext,
): Promise<Map<string, ViewRecord>> {
  const found = new Map<string, ViewRecord>();
  for (let from = 0; from < ids.length; from += GET)
    for (const record of await memory.options.reader.get(ids.slice(from, from + GET)))
      if (record?.kind === "view" && record.validFromUs <= memory.nowUs) found.set(record.id, record);
  return found;
}

function showing(view: ViewRecord | undefined, stateIds: ReadonlySet<string>): Shown[] {
  const shown = view?.visible.filter(({ stateId }) => stateIds.has(stateId)) ?? [];
  return shown.map(({ stateId, bbox, fraction }) => ({
    view: view!,
    stateId,
    bbox,
    worth: Math.max(0, bbox[2] - bbox[0]) * Math.max(0, bbox[3] - bbox[1]) * fraction,
  }));
}
