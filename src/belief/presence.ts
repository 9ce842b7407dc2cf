import type { Interval } from "../geometry/index.ts";
import type { Presence } from "../schema/core.ts";
import type { EventRecord } from "./happening.ts";
import { isFixed, isMover } from "./mobility.ts";
import { PRESENCE } from "./settings/presence.ts";
import { isLiveAt, type KnownThing, type StateRecord } from "./thing.ts";

/**
 * Whether a thing is where it was last seen: `there`; `gone`, because its place was observed and it was missing;
 * `taken`, because something was seen to carry it off; `unknown`, because its stay ended without an observation, or
 * because it moves by itself and is out of sight.
 */
export type PresenceStatus = "there" | "gone" | "taken" | "unknown";

/** What is not where it was last seen. */
export const AWAY: ReadonlySet<PresenceStatus> = new Set(["gone", "taken"]);

/** Whether a thing is there, and the evidence for it. */
export interface Standing {
  readonly status: PresenceStatus;
  /** The last sighting, at or before the time that is meant. */
  readonly lastSeenUs: number;
  /** The first observation of its place without it. */
  readonly missedUs?: number | undefined;
  /** The track that carried it off. */
  readonly by?: string | undefined;
}

/** The part of a memory that tells whether a thing is there. */
interface Observed {
  readonly nowUs: number;
  presence(stateIds: readonly string[]): Promise<ReadonlyMap<string, Presence>>;
  events(types: readonly string[], during: Interval): Promise<readonly EventRecord[]>;
}

/** Whether a thing is there at a time. Every reader calls this function, so that all agree. */
export async function standingOf(
  thing: KnownThing,
  memory: Observed,
  atUs = memory.nowUs,
): Promise<Standing> {
  const presence = (await memory.presence([thing.state.id])).get(thing.state.id);
  const lastSeenUs = Math.min(atUs, presence?.lastSeenUs ?? thing.state.validFromUs);
  if (isLiveAt(thing, atUs)) {
    const isOutOfSight = isMover(thing.category) && atUs - lastSeenUs > PRESENCE.inSightUs;
    return { status: isOutOfSight ? "unknown" : "there", lastSeenUs };
  }
  const by = await carrierOf(thing, memory, atUs);
  if (by !== undefined) return { status: "taken", lastSeenUs, by };
  const missedUs = missedAtUs(thing.state, presence);
  const isMissed = missedUs !== undefined && missedUs <= atUs;
  return isMissed ? { status: "gone", lastSeenUs, missedUs } : { status: "unknown", lastSeenUs };
}

/**
 * The first observation of the place of a stay without the thing. Undefined while the stay goes on; for things that move by
 * themselves, which are not missed when they leave; and for what was never known to be there.
 */
export function missedAtUs(
  state: Pick<StateRecord, "category" | "validFromUs" | "validToUs">,
  presence: Presence | undefined,
): number | undefined {
  const isOver = state.validToUs !== null && !isMover(state.category);
  return isOver && !isGlimpsed(state, presence) ? (presence?.firstAbsentAfterUs ?? undefined) : undefined;
}

/** Whether something that stays where it is was seen in passing only: it was misread, and is not gone. */
export function isGlimpsed(
  { category, validFromUs }: Pick<StateRecord, "category" | "validFromUs">,
  seen: Presence | undefined,
): boolean {
  const lastedUs = (seen?.lastSeenUs ?? validFromUs) - validFromUs;
  const isSeldom = (seen?.seenCount ?? 0) < PRESENCE.fixedLooks;
  return isFixed(category) && (isSeldom || lastedUs < PRESENCE.fixedUs);
}

/** The track that was seen to move together with a thing when its last stay ended. */
async function carrierOf(
  { state, trackId }: KnownThing,
  memory: Observed,
  atUs: number,
): Promise<string | undefined> {
  const fromUs = state.validFromUs;
  const events = await memory.events(["interaction"], { fromUs, toUs: atUs + 1 });
  const own = events.findLast(({ detail }) => String(detail["trackId"]) === trackId);
  const by = own?.detail["by"];
  return typeof by === "string" ? by : undefined;
}
