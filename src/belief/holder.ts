import type { Interval } from "../geometry/index.ts";
import { hangsOn, mobilityOf, movesItself } from "../ontology/index.ts";
import type { Belief } from "./belief.ts";
import { bears } from "./held-by.ts";
import { type Anchor, holds, isSeat } from "./relations.ts";
import { RELATING } from "./settings/relations.ts";
import type { HeldBy, KnownThing } from "./thing.ts";

/**
 * What a thing stands on or is in: by its record, otherwise the thing that it rests on by their boxes, judged by the
 * same rule as "what is on it?".
 */
export async function holderOf(
  thing: KnownThing,
  memory: Belief,
  during?: Interval,
): Promise<HeldBy | undefined> {
  const isFixed = thing.spot !== undefined || thing.agentId !== undefined || hangs(thing);
  if (thing.heldBy || !thing.box || isFixed) return thing.heldBy;
  const key = `holder ${thing.state.id} ${during?.fromUs} ${during?.toUs}`;
  return memory.once(key, () => restsOn(thing, memory, during));
}

/**
 * A thing that hangs or lies flat stands on nothing; a television may do either, and stands where a top is under it.
 */
function hangs({ category }: KnownThing): boolean {
  const hanging = hangsOn(category);
  return hanging === "wall" ? mobilityOf(category) === "fixed" : hanging !== undefined;
}

/** The same as a thing: the slot that it lies in, otherwise what it stands on or is in. */
export async function holderThing(
  thing: KnownThing,
  memory: Belief,
  during?: Interval,
): Promise<KnownThing | undefined> {
  if (thing.slot && !thing.spot) return memory.coded(thing.slot.code, during);
  const held = await holderOf(thing, memory, during);
  // A holder's stay that was merged away is found through the thing itself.
  return held && ((await memory.thingOfState(held.stateId, 1)) ?? memory.thingById(held.trackId));
}

async function restsOn(thing: KnownThing, memory: Belief, during?: Interval): Promise<HeldBy | undefined> {
  const { min, max } = thing.box!;
  const around = await memory.around(
    { type: "box", min: { ...min, z: min.z - RELATING.onTopM }, max },
    during,
  );
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
  if (best) return heldBy(best.holder, best.relation);
  const top = mayHover(thing) ? await standsOn(thing, memory, during) : undefined;
  return top && heldBy(top, "on");
}

function heldBy({ trackId, category, state }: KnownThing, relation: HeldBy["relation"]): HeldBy {
  return { relation, stateId: state.id, trackId, category };
}

/**
 * The lower part of a small thing may be hidden: a lamp stands on a nightstand even if only its shade was seen above
 * it.
 */
function mayHover({ category }: KnownThing): boolean {
  return hangsOn(category) === undefined && mobilityOf(category) !== "furniture" && !movesItself(category);
}

function topOf({ box }: KnownThing): number {
  return box?.max.z ?? 0;
}

/**
 * For things that may also hang, such as a television: the highest surface right under it, where the thing is known to
 * stand.
 */
export async function standsOn(
  { box, position, trackId }: KnownThing,
  memory: Belief,
  during?: Interval,
): Promise<KnownThing | undefined> {
  if (!box || !position) return undefined;
  const { x, y } = position;
  const [low, high] = [Math.min(box.min.z - RELATING.hoversM, position.z), position.z];
  const column = { type: "box" as const, min: { x, y, z: low }, max: { x, y, z: high } };
  const around = await memory.around(column, during);
  const under = around.filter((other) => {
    const below = other.box;
    if (!below || other.trackId === trackId || hangsOn(other.category) !== undefined) return false;
    if (!bears(other)) return false;
    const gap = box.min.z - below.max.z;
    const covers = (axis: "x" | "y") => below.min[axis] < position[axis] && below.max[axis] > position[axis];
    return (
      covers("x") &&
      covers("y") &&
      gap > -RELATING.hoversM &&
      gap < RELATING.hoversM &&
      below.max.z < position.z
    );
  });
  return under.toSorted((a, b) => topOf(b) - topOf(a))[0];
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
  const around = await memory.around(
    { type: "box", min, max: { ...max, z: max.z + RELATING.hoversM } },
    during,
  );
  const carriers = new Set([anchor.thing.trackId]);
  for (let level = 0; level < RELATING.mostLevels; level++)
    for (const { heldBy, trackId } of around)
      if (heldBy?.relation === "on" && carriers.has(heldBy.trackId)) carriers.add(trackId);
  const resting = new Set<string>();
  for (const thing of around) {
    const isOver = !thing.heldBy && thing.position !== undefined && thing.position.z > max.z;
    if (!isOver || !mayHover(thing)) continue;
    const held = await holderOf(thing, memory, during);
    if (held?.relation === "on" && carriers.has(held.trackId)) resting.add(thing.trackId);
  }
  return { ...anchor, carriers, resting };
}
