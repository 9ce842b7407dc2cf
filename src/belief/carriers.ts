import { distance, type Vec3 } from "../geometry/index.ts";
import type { Belief } from "./belief.ts";
import { type Step, stepsOf } from "./looks.ts";
import type { KnownThing } from "./thing.ts";

/** A person who puts a thing down comes this near to its place, metres on the floor. */
const AT_M = 1.5;
/**
 * A person must come nearer by this much to have brought the thing, metres; one who stood there all the time did not.
 */
const CAME_M = 1;
/** In a longer time another person may have come and gone (µs). */
const LONGEST_US = 120_000_000;
/** An observation this much later still shows the person who put the thing down (µs). */
const JUST_US = 2_000_000;
const MOST_PEOPLE = 24;

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
  if (!position || toUs - fromUs > LONGEST_US) return undefined;
  const came: KnownThing[] = [];
  for (const person of (await peopleOf(memory)).slice(0, MOST_PEOPLE)) {
    const steps = await stepsOf(person, memory, { fromUs, toUs: toUs + JUST_US });
    if (walkedUpTo(position, steps)) came.push(person);
  }
  return came.length === 1 ? came[0] : undefined;
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
  return nearest <= AT_M && Math.max(...away.slice(0, n + 1)) - nearest >= CAME_M;
}
