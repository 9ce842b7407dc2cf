import { sightingsOf } from "../../../belief/looks.ts";
import { isMover } from "../../../belief/mobility.ts";
import type { Span } from "../../../belief/span.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import { mergeIntervals } from "../../../geometry/index.ts";
import type { Scope } from "../operator.ts";
import { spanOf } from "./spans.ts";

/** Sightings closer together than this are one time in view. */
const IN_VIEW_US = 30_000_000;

/** The most sightings of a thing that are searched for those of one robot. */
const MOST_LOOKS = 4_000;

/** Whether one of several robots is asked: then its own sightings count. */
async function isOneOfSeveral({ agentId, memory }: Scope): Promise<boolean> {
  if (agentId === undefined) return false;
  const agents = await memory.agents();
  return agents.length > 1 && agents.includes(agentId);
}

/** When a thing was first and last seen, in the time that is meant. */
export async function sightOf(
  thing: KnownThing,
  which: "first" | "last",
  scope: Scope,
): Promise<number | undefined> {
  const { memory } = scope;
  const isOne = await isOneOfSeveral(scope);
  // Stray looks at a person or vehicle are left out, look by look.
  if (scope.during !== undefined || isOne || isMover(thing.category)) {
    const order = which === "first" ? "earliest" : "latest";
    const looks = await sightingsOf(thing, memory, {
      during: spanOf(scope),
      order,
      limit: isOne ? MOST_LOOKS : 1,
    });
    const look = isOne ? looks.find(({ agentId }) => agentId === scope.agentId) : looks[0];
    if (look || scope.during !== undefined || isOne) return look?.timeUs;
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
  const isOne = await isOneOfSeveral(scope);
  const own = isOne ? looks.filter(({ agentId }) => agentId === scope.agentId) : looks;
  return mergeIntervals(
    own.map(({ timeUs }) => ({ fromUs: timeUs, toUs: timeUs + 1 })),
    IN_VIEW_US,
  ).map(({ fromUs, toUs }) => ({ fromUs, toUs: toUs ?? fromUs + 1 }));
}
