import { Random } from "../../geometry/index.ts";
import { LociError } from "../../schema/index.ts";
import type { House } from "../house/types.ts";
import {
  add,
  carry,
  type Happening,
  moveUnseen,
  openOrClose,
  remove,
  swingDoor,
  toggle,
  twinSwap,
  wander,
} from "./happenings.ts";
import { enter } from "./people.ts";
import { Timeline } from "./timeline.ts";
import type { TimelineOptions } from "./types.ts";
import { WorldState } from "./world-state.ts";

const HOUR_US = 3_600_000_000;
const MAX_EVENTS = 20_000;
/** Pause between two events, so that each can be told apart. */
const PAUSE_US = 500_000;
/** Walks about the house, per person and hour. */
const WALKS_PER_HOUR = 12;
const TRIES = 6;

/** Moves are split by `carriedShare`; other events by how often they occur in a lived-in house. */
const KINDS: readonly (readonly [Happening, number])[] = [
  [openOrClose, 0.16],
  [swingDoor, 0.1],
  [toggle, 0.18],
  [remove, 0.05],
  [add, 0.05],
  [twinSwap, 0.06],
];
const MOVES = 0.4;

/**
 * Simulates a seeded time span in a house. Events follow each other and never overlap, so that each starts in a
 * settled world: nothing is placed on an occupied spot, and no door swings through a person.
 */
export function makeTimeline(house: House, options: TimelineOptions): Timeline {
  const { seed, startUs, durationUs, rate, carriedShare, people } = checked(house, options);
  const random = new Random(seed).fork("timeline");
  const state = new WorldState(house, startUs);
  const persons = house.things.flatMap((thing, i) => (thing.type === "person" ? [i] : [])).slice(0, people);
  for (const person of persons) enter(state, person, startUs, random.fork(`enter/${person}`));
  const kinds = [...KINDS.map(([kind]) => kind), carry, moveUnseen];
  const weights = [...KINDS.map(([, weight]) => weight), MOVES * carriedShare, MOVES * (1 - carriedShare)];
  let now = startUs + PAUSE_US;
  const endUs = startUs + durationUs;
  plannedTimes(random.fork("times"), startUs, durationUs, rate, people * WALKS_PER_HOUR).forEach(
    ({ timeUs, walks }, i) => {
      const at = Math.max(timeUs, now);
      // A carry takes a minute at most; events that would run over the end are not started.
      if (at > endUs - Math.min(60_000_000, durationUs / 4)) return;
      const own = random.fork(`event/${i}`);
      for (let attempt = 0; attempt < TRIES; attempt++) {
        const done = (walks ? wander : own.weighted(kinds, weights))(state, at, own);
        if (done === undefined) continue;
        now = done + PAUSE_US;
        return;
      }
    },
  );
  const events = [...state.events].sort((a, b) => a.timeUs - b.timeUs || a.endUs - b.endUs);
  return new Timeline(house, startUs, durationUs, events, state.histories());
}

function checked(house: House, options: TimelineOptions): Required<TimelineOptions> {
  const { seed, startUs, durationUs, rate = 30, carriedShare = 0.4 } = options;
  const people = options.people ?? Math.min(1, house.people.length);
  const bad = (what: string, got: unknown): LociError =>
    new LociError("invalid-input", `expected ${what}, got ${String(got)}`);
  if (typeof seed === "number" ? !Number.isFinite(seed) : seed.length === 0)
    throw bad("a finite number or a text as seed", JSON.stringify(seed));
  if (!Number.isSafeInteger(startUs)) throw bad("startUs in whole microseconds", startUs);
  if (!Number.isSafeInteger(durationUs) || durationUs <= 0)
    throw bad("durationUs in whole microseconds above 0", durationUs);
  if (!(rate >= 0 && rate <= 3_600)) throw bad("a rate of 0 to 3600 events an hour", rate);
  if (!(carriedShare >= 0 && carriedShare <= 1)) throw bad("carriedShare from 0 to 1", carriedShare);
  if (!Number.isInteger(people) || people < 0 || people > house.people.length)
    throw bad(`people from 0 to ${house.people.length}, who live here`, people);
  const count = (durationUs / HOUR_US) * (rate + people * WALKS_PER_HOUR);
  if (count > MAX_EVENTS)
    throw bad(`at most ${MAX_EVENTS} events in all (shorter or at a lower rate)`, Math.round(count));
  return { seed, startUs, durationUs, rate, carriedShare, people };
}

function plannedTimes(
  random: Random,
  startUs: number,
  durationUs: number,
  rate: number,
  walkRate: number,
): { timeUs: number; walks: boolean }[] {
  const hours = durationUs / HOUR_US;
  const draw = (perHour: number, walks: boolean) => {
    const expected = perHour * hours;
    const count = Math.floor(expected) + (random.chance(expected - Math.floor(expected)) ? 1 : 0);
    return Array.from({ length: count }, () => ({
      timeUs: startUs + Math.floor(random.next() * durationUs),
      walks,
    }));
  };
  // At rate 0 nothing happens but people's walks, and in an empty house not even those.
  return [...draw(rate, false), ...draw(rate === 0 ? 0 : walkRate, true)].sort(
    (a, b) => a.timeUs - b.timeUs || Number(a.walks) - Number(b.walks),
  );
}
