import type { Interval } from "../geometry/index.ts";
import type { Belief } from "./belief.ts";
import { type Anchor, holds } from "./relations.ts";
import type { KnownThing } from "./thing.ts";

function holderId({ state }: KnownThing): string | undefined {
  return state.insideOf ?? state.supportedBy;
}

/** What a thing stands on or is in, by what tracking found. */
export async function holderOf(thing: KnownThing, memory: Belief): Promise<KnownThing | undefined> {
  const id = holderId(thing);
  return id === undefined ? undefined : memory.thingOfState(id, 1);
}

/** Whether one thing carries both, by what tracking found them to stand on or by where they are. */
export async function sharesHolder(one: KnownThing, other: KnownThing, memory: Belief): Promise<boolean> {
  const [first, second] = [await holderOf(one, memory), await holderOf(other, memory)];
  if (first && first.trackId === second?.trackId) return true;
  const carries = (holder: KnownThing, thing: KnownThing) => {
    if (holderId(thing) === holder.state.id) return true;
    const anchor: Anchor | undefined = holder.box && { box: holder.box, thing: holder };
    return anchor !== undefined && Math.max(holds("on", thing, anchor), holds("in", thing, anchor)) > 0;
  };
  return [first, second].some((holder) => holder && carries(holder, one) && carries(holder, other));
}

/** Things that stand on a top begin at most so far above it. */
export const ON_TOP_M = 0.3;
/** A saucer on a tray on a table: what is higher up is not followed. */
const MOST_LEVELS = 3;

/** A thing that carries others, with what tracking found to stand on it: a mug on a tray is on the table too. */
export async function carrying(
  anchor: Anchor,
  memory: Belief,
  during?: Interval | undefined,
): Promise<Anchor> {
  if (!anchor.thing) return anchor;
  const { min, max } = anchor.box;
  const around = await memory.around({ type: "box", min, max: { ...max, z: max.z + ON_TOP_M } }, during);
  const stays = await memory.stays(anchor.thing.trackId);
  const carriers = new Set([anchor.thing, ...stays].map(({ state }) => state.id));
  for (let level = 0; level < MOST_LEVELS; level++)
    for (const { state } of around)
      if (state.supportedBy !== undefined && carriers.has(state.supportedBy)) carriers.add(state.id);
  return { ...anchor, carriers };
}
