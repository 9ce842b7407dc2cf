import type { Belief } from "../../belief/belief.ts";
import type { KnownThing } from "../../belief/thing.ts";
import { type Box, inflate, unionBoxes, type Vec3 } from "../../geometry/index.ts";
import type { Hit } from "../../memory/index.ts";
import {
  LIMITS,
  type Life,
  type LifeEvent,
  type LifeQuery,
  LociError,
  type RecordOf,
  type Sighting,
  type Stay,
  type Stored,
} from "../../schema/core.ts";

type Track = Stored<RecordOf<"track">>;

/** The most events read, including those of other things. */
const MOST_EVENTS = 5_000;
/** A move may be recorded at its origin or its destination: a position beside either counts (m). */
const BESIDE_M = 2;
const MOST_SIGHTINGS = 5_000;
const MOST_VIEWS = 500;
const PICTURES = 12;
const HAPPENINGS = ["appear", "disappear", "move", "state-change", "interaction", "door", "custom"];

/** The history of a thing: its stays, the robots that saw it, its events, its names, and its pictures. */
export async function lifeOf(thing: KnownThing, memory: Belief, query: LifeQuery = {}): Promise<Life> {
  const { reader } = memory.options;
  const [track] = await reader.get([thing.trackId]);
  if (track?.kind !== "track") throw new LociError("unknown-id", "there is no such thing to tell of");
  const stays = await memory.stays(thing.trackId);
  const stateIds = stays.map(({ state }) => state.id);
  const presence = await memory.presence(stateIds);
  const sightings = await reader.sightings({
    stateIds,
    outcomes: ["seen"],
    order: "latest",
    limit: MOST_SIGHTINGS,
  });
  const told = await Promise.all(stays.map((stay) => stayOf(stay, memory)));
  const last = stays.at(-1);
  const seenTimes = stateIds.flatMap((id) => presence.get(id) ?? []);
  return {
    id: track.id,
    name: last?.name ?? track.name,
    category: last?.category ?? track.category,
    type: track.type,
    aliases: track.aliases,
    isThere: last !== undefined && (await memory.standing(last)).status === "there",
    firstSeenUs: leastOf(seenTimes.map(({ firstSeenUs }) => firstSeenUs)),
    lastSeenUs: last ? await memory.lastSeenUs(last) : null,
    seen: seenTimes.reduce((sum, { seenCount }) => sum + seenCount, 0),
    seenBy: seenBy(sightings),
    stays: told,
    events: await eventsOf(track, stays, memory),
    names: await namesOf(stateIds, memory),
    pictures: await picturesOf(stateIds, sightings, memory, query.pictures ?? PICTURES),
    maybeSameAs: track.maybeSameAs,
  };
}

async function stayOf(thing: KnownThing, memory: Belief): Promise<Stay> {
  const { state, position } = thing;
  const presence = (await memory.presence([state.id])).get(state.id);
  const room = await memory.roomOf(thing);
  return {
    stateId: state.id,
    fromUs: state.validFromUs,
    toUs: state.validToUs,
    ...(position && { position }),
    ...(state.extent && { size: state.extent }),
    ...(room && { room: { id: room.id, name: room.name } }),
    seen: presence?.seenCount ?? 0,
    lastSeenUs: presence?.lastSeenUs ?? null,
    absentUs: presence?.firstAbsentAfterUs ?? null,
    attributes: Object.fromEntries(
      Object.entries(state.attributes).map(([name, { value, p }]) => [name, { value, p }]),
    ),
  };
}

function seenBy(sightings: readonly Sighting[]): Life["seenBy"] {
  const byAgent = Map.groupBy(sightings, ({ agentId }) => agentId);
  return Array.from(byAgent, ([agent, own]) => ({ agent, seen: own.length, lastUs: own[0]!.timeUs })).sort(
    (a, b) => b.lastUs - a.lastUs || (a.agent < b.agent ? -1 : 1),
  );
}

/** Its events: those that name it; where there are too many to read, those at its places. */
async function eventsOf(track: Track, stays: readonly KnownThing[], memory: Belief): Promise<LifeEvent[]> {
  const box = around(stays.flatMap(({ box: own, position }) => own ?? (position ? [at(position)] : [])));
  const own = new Set([track.id, ...stays.map(({ state }) => state.id)]);
  const happenings = { kinds: ["event" as const], where: { category: HAPPENINGS } };
  const isCrowded = box !== undefined && (await memory.count(happenings)) > MOST_EVENTS;
  const hits = await memory.search({
    ...happenings,
    ...(isCrowded && { space: { type: "box", ...inflate(box, BESIDE_M) } }),
    rank: "earliest",
    limit: MOST_EVENTS,
  });
  return hits.filter(({ record }) => record.kind === "event" && isOf(record, own)).map(eventOf);
}

function isOf({ who, detail }: RecordOf<"event">, own: ReadonlySet<string>): boolean {
  const { trackId, from, to } = detail;
  return (
    who.some((id) => own.has(id)) || [trackId, from, to].some((id) => typeof id === "string" && own.has(id))
  );
}

export function eventOf({ record, position }: Hit): LifeEvent {
  const { id, type, validFromUs, validToUs, text, p, author } = record as Stored<RecordOf<"event">>;
  return {
    id,
    type,
    fromUs: validFromUs,
    toUs: validToUs,
    text: text[0] ?? type,
    p,
    by: author,
    ...(position && { position }),
  };
}

/** Its names, from one version to the next. */
async function namesOf(stateIds: readonly string[], memory: Belief): Promise<Life["names"]> {
  const names: Life["names"] = [];
  for (const id of stateIds)
    for (const version of await memory.options.reader.history(id)) {
      if (version.kind !== "state") continue;
      const { name, category, recordedAtUs } = version;
      names.push({ sinceUs: recordedAtUs, name, category });
    }
  names.sort((a, b) => a.sinceUs - b.sinceUs);
  return names.filter(
    ({ name, category }, n) => name !== names[n - 1]?.name || category !== names[n - 1]?.category,
  );
}

/** Kept views of its sightings, latest first. */
async function picturesOf(
  stateIds: readonly string[],
  sightings: readonly Sighting[],
  memory: Belief,
  most: number,
): Promise<Life["pictures"]> {
  const looks = [...new Set(sightings.flatMap(({ observationId }) => observationId ?? []))].slice(
    0,
    MOST_VIEWS,
  );
  if (looks.length === 0 || most === 0) return [];
  const hits = await memory.search({ kinds: ["view"], where: { owner: looks }, rank: "latest", limit: most });
  const observations = await memory.options.reader.get(
    hits.flatMap(({ record }) => (record.kind === "view" ? [record.observationId] : [])),
  );
  const sizes = new Map(
    observations.flatMap((one) =>
      one?.kind === "observation" && one.intrinsics ? [[one.id, one.intrinsics]] : [],
    ),
  );
  return hits.flatMap(({ record }) => {
    if (record.kind !== "view") return [];
    const shown = record.visible.find(({ stateId }) => stateIds.includes(stateId));
    const size = sizes.get(record.observationId);
    const [left = 0, top = 0, right = 0, bottom = 0] = shown?.bbox ?? [];
    return [
      {
        viewId: record.id,
        image: record.thumb,
        atUs: record.validFromUs,
        by: record.author,
        ...(shown && size && { box: shares([left, top, right, bottom], size) }),
      },
    ];
  });
}

function shares(
  [left, top, right, bottom]: readonly [number, number, number, number],
  { width, height }: { readonly width: number; readonly height: number },
): [number, number, number, number] {
  return [left / width, top / height, right / width, bottom / height];
}

function around([first, ...rest]: readonly Box[]): Box | undefined {
  return first && unionBoxes(first, ...rest);
}

const at = (point: Vec3): Box => ({ min: point, max: point });

function leastOf(times: readonly (number | null)[]): number | null {
  const known = times.filter((time) => time !== null);
  return known.length === 0 ? null : Math.min(LIMITS.timeUs, ...known);
}
