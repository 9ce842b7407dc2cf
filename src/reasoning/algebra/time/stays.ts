import { distance, mergeIntervals } from "../../../geometry/index.ts";
import type { MemoryView } from "../../memory-view/memory-view.ts";
import { isLiveAt, type KnownThing } from "../../memory-view/thing.ts";
import type { Scope } from "../operator.ts";
import { sightingsOf } from "./looks.ts";
import { type Span, spanOf } from "./spans.ts";

/** So far a thing must have gone to have been moved. */
const MOVED_M = 0.5;
/** Looks closer together than this are one time in view. */
const IN_VIEW_US = 30_000_000;

/** The places that a thing had, earliest first: stays without those that only go on where the one before them was. */
export async function placesOf(thing: KnownThing, memory: MemoryView): Promise<KnownThing[]> {
  const kept: KnownThing[] = [];
  for (const stay of await memory.stays(thing.trackId)) {
    if (stay.state.validFromUs > memory.nowUs) continue;
    const before = kept.at(-1);
    const known = before?.position && stay.position ? { a: before.position, b: stay.position } : undefined;
    if (!known || distance(known.a, known.b) > MOVED_M) kept.push(stay);
  }
  return kept;
}

/** Since when a thing is where it is at the moment that is meant: when it came there, or was first seen there. */
export async function placeSince(
  thing: KnownThing,
  atUs: number,
  memory: MemoryView,
): Promise<{ readonly place: KnownThing; readonly n: number } | undefined> {
  const places = await placesOf(thing, memory);
  const n = places.findLastIndex(({ state }) => state.validFromUs <= atUs);
  return n < 0 ? undefined : { place: places[n]!, n };
}

/** Until when it stayed in its last place; undefined where it still is there. */
export async function goneUs(thing: KnownThing, memory: MemoryView): Promise<number | undefined> {
  const stays = await memory.stays(thing.trackId);
  if (stays.length === 0 || stays.some((stay) => isLiveAt(stay, memory.nowUs))) return undefined;
  return Math.max(...stays.map(({ state }) => state.validToUs ?? memory.nowUs));
}

/** When a thing was first and last seen, in the time that is meant. */
export async function sightOf(
  thing: KnownThing,
  which: "first" | "last",
  scope: Scope,
): Promise<number | undefined> {
  const { memory } = scope;
  if (scope.during !== undefined) {
    const order = which === "first" ? "earliest" : "latest";
    const [look] = await sightingsOf(thing, memory, { during: spanOf(scope), order, limit: 1 });
    return look?.timeUs;
  }
  const starts = [thing, ...(await memory.stays(thing.trackId))].map(({ state }) => state);
  const presence = await memory.presence(starts.map(({ id }) => id));
  return which === "first"
    ? Math.min(...starts.map(({ id, validFromUs }) => presence.get(id)?.firstSeenUs ?? validFromUs))
    : Math.max(
        ...starts.map(({ id, validFromUs }) =>
          Math.min(presence.get(id)?.lastSeenUs ?? validFromUs, memory.nowUs),
        ),
      );
}

/** The separate times that a thing was in view. */
export async function timesInView(thing: KnownThing, scope: Scope): Promise<Span[]> {
  const looks = await sightingsOf(thing, scope.memory, { during: spanOf(scope), order: "earliest" });
  return mergeIntervals(
    looks.map(({ timeUs }) => ({ fromUs: timeUs, toUs: timeUs + 1 })),
    IN_VIEW_US,
  ).map(({ fromUs, toUs }) => ({ fromUs, toUs: toUs ?? fromUs + 1 }));
}
