import type { Interval } from "../geometry/index.ts";
import { hangsOn, movesItself } from "../ontology/index.ts";
import type { Belief } from "./belief.ts";
import { bears } from "./held-by.ts";
import { type Anchor, holds, isSeat } from "./relations.ts";
import type { HeldBy, KnownThing } from "./thing.ts";

/** Things that stand on a top begin at most so far above it (m). */
export const ON_TOP_M = 0.3;
/** A saucer on a tray on a table: what is higher up is not followed. */
const MOST_LEVELS = 3;

/**
 * What a thing stands on or is in: by its record, else the thing around it that it rests on by their boxes, judged as
 * "what is on it?" judges.
 */
export async function holderOf(
  thing: KnownThing,
  memory: Belief,
  during?: Interval,
): Promise<HeldBy | undefined> {
  const isFixed =
    thing.spot !== undefined || thing.agentId !== undefined || hangsOn(thing.category) !== undefined;
  if (thing.heldBy || !thing.box || isFixed) return thing.heldBy;
  const key = `holder ${thing.state.id} ${during?.fromUs} ${during?.toUs}`;
  return memory.once(key, () => restsOn(thing, memory, during));
}

/** The same as a thing: the slot that it lies in, else what it stands on or is in. */
export async function holderThing(
  thing: KnownThing,
  memory: Belief,
  during?: Interval,
): Promise<KnownThing | undefined> {
  if (thing.slot && !thing.spot) return memory.coded(thing.slot.code, during);
  const held = await holderOf(thing, memory, during);
  return held && ((await memory.thingOfState(held.stateId, 1)) ?? undefined);
}

async function restsOn(thing: KnownThing, memory: Belief, during?: Interval): Promise<HeldBy | undefined> {
  const { min, max } = thing.box!;
  const around = await memory.around({ type: "box", min: { ...min, z: min.z - ON_TOP_M }, max }, during);
  const [best] = around
    .flatMap((holder) => {
      if (!holder.box || !bears(holder) || movesItself(holder.category) || holder.trackId === thing.trackId)
        return [];
      // People stand before tables and sit on seats.
      if (movesItself(thing.category) && !isSeat(holder)) return [];
      const anchor: Anchor = { box: holder.box, thing: holder };
      const [on, inside] = [holds("on", thing, anchor), holds("in", thing, anchor)];
      const p = Math.max(on, inside);
      return p > 0 ? [{ holder, p, relation: inside > on ? ("in" as const) : ("on" as const) }] : [];
    })
    .sort((a, b) => b.p - a.p || topOf(b.holder) - topOf(a.holder));
  if (!best) return undefined;
  const { trackId, category, state } = best.holder;
  return { relation: best.relation, stateId: state.id, trackId, category };
}

function topOf({ box }: KnownThing): number {
  return box?.max.z ?? 0;
}

/** Whether one thing carries both. */
export async function sharesHolder(one: KnownThing, other: KnownThing, memory: Belief): Promise<boolean> {
  const [first, second] = [await holderOf(one, memory), await holderOf(other, memory)];
  return first !== undefined && first.trackId === second?.trackId;
}

/** A thing that carries others, with the tracks that stand on it: a mug on a tray is on the table too. */
export async function carrying(
  anchor: Anchor,
  memory: Belief,
  during?: Interval | undefined,
): Promise<Anchor> {
  if (!anchor.thing) return anchor;
  const { min, max } = anchor.box;
  const around = await memory.around({ type: "box", min, max: { ...max, z: max.z + ON_TOP_M } }, during);
  const carriers = new Set([anchor.thing.trackId]);
  for (let level = 0; level < MOST_LEVELS; level++)
    for (const { heldBy, trackId } of around)
      if (heldBy?.relation === "on" && carriers.has(heldBy.trackId)) carriers.add(trackId);
  return { ...anchor, carriers };
}
