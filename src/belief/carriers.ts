import { distance, gapBetween, type Vec3 } from "../geometry/index.ts";
import type { Belief } from "./belief.ts";
import type { EventRecord } from "./happening.ts";
import { type Step, stepsOf } from "./looks.ts";
import { CARRIERS } from "./settings/presence.ts";
import type { Span } from "./span.ts";
import type { KnownThing } from "./thing.ts";

/** A thing that was seen in one place and then in another. */
export interface Move {
  /** The thing in its new place. */
  readonly thing: KnownThing;
  readonly fromUs: number;
  readonly toUs: number;
}

/**
 * The person who probably brought a thing to its new place: the only one who was seen to walk up to it between the last
 * sighting at the old place and the first at the new one.
 */
export async function carrierIn(
  { thing, fromUs, toUs }: Move,
  memory: Belief,
): Promise<KnownThing | undefined> {
  const { position } = thing;
  if (!position || toUs - fromUs > CARRIERS.longestUs) return undefined;
  const came: KnownThing[] = [];
  for (const person of (await peopleOf(memory)).slice(0, CARRIERS.mostPeople)) {
    const steps = await stepsOf(person, memory, { fromUs, toUs: toUs + CARRIERS.justUs });
    if (walkedUpTo(position, steps)) came.push(person);
  }
  return came.length === 1 ? came[0] : undefined;
}

/** Somebody who may have changed the state of a thing, with the probability that they did. */
export interface Doer {
  readonly person: KnownThing;
  readonly p: number;
}

/**
 * Who probably changed the state of a thing: the people who were seen within reach of it between the last look at the old state and
 * the first at the new one. Of several any may have.
 */
export async function doersOf(
  { validFromUs, validToUs }: Pick<EventRecord, "validFromUs" | "validToUs">,
  thing: KnownThing,
  memory: Belief,
): Promise<readonly Doer[]> {
  const span = { fromUs: validFromUs, toUs: validToUs ?? validFromUs + 1 };
  if (span.toUs - span.fromUs > CARRIERS.whileUs) return [];
  const near = (await peopleNear(thing, span, memory)).filter(({ trackId }) => trackId !== thing.trackId);
  return near.map((person) => ({ person, p: CARRIERS.doneP / near.length }));
}

/** The people who were seen within reach of a thing in a span, or just before or after it. */
export async function peopleNear(
  { box, position }: Pick<KnownThing, "box" | "position">,
  { fromUs, toUs }: Span,
  memory: Belief,
): Promise<KnownThing[]> {
  const whole = box ?? (position && { min: position, max: position });
  const near: KnownThing[] = [];
  const span = { fromUs: fromUs - CARRIERS.justUs, toUs: toUs + CARRIERS.justUs };
  for (const person of whole ? await peopleOf(memory) : []) {
    const steps = await stepsOf(person, memory, span);
    const isNear = ({ position: at }: Step) => gapBetween({ min: at, max: at }, whole!) < CARRIERS.reachM;
    if (steps.some(isNear)) near.push(person);
  }
  return near;
}

/** All people that were seen. */
export function peopleOf(memory: Belief): Promise<KnownThing[]> {
  return memory.once("people", () =>
    memory.things({ head: "person", mods: [], attributes: {}, phrase: "person" }, { all: true }),
  );
}

function walkedUpTo(place: Vec3, steps: readonly Step[]): boolean {
  const away = steps.map(({ position }) => distance({ ...position, z: place.z }, place));
  const nearest = Math.min(...away);
  const n = away.indexOf(nearest);
  return nearest <= CARRIERS.atM && Math.max(...away.slice(0, n + 1)) - nearest >= CARRIERS.cameM;
}
