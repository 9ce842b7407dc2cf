import { Random } from "../../geometry/index.ts";
import { LociError } from "../../schema/index.ts";
import { hasRoomToSwing, setDoor } from "../dynamics/happenings.ts";
import { standing, standSpot } from "../dynamics/people.ts";
import { onHost } from "../dynamics/spots.ts";
import { Timeline } from "../dynamics/timeline.ts";
import { WorldState } from "../dynamics/world-state.ts";
import type { House, Opening, Placement } from "../house/types.ts";
import { FLUENTS } from "../house/types.ts";
import { castOf, type Household, type TravellingThing } from "./household.ts";
import { type Activity, planDays } from "./plan-days.ts";
import { DAYLIGHT, EXCEPTIONS, NIGHT_DOOR, ROOMS_OF, type Target } from "./routines.ts";

const HOUR_US = 3_600_000_000;
const DAY_US = 24 * HOUR_US;
const MAX_DAYS = 60;
const USUAL_CHANCE = 0.88;

export interface WeeksOptions {
  readonly seed: number | string;
  /** Midnight of the first day, UTC. */
  readonly startUs: number;
  readonly days: number;
  /** At most three; default as many as live there, up to two. */
  readonly people?: number;
}

/** The truth of some weeks, and the people and things that took part in routines. */
export interface LivedWeeks {
  readonly timeline: Timeline;
  readonly household: Household;
  readonly activities: readonly Activity[];
}

type Deed = { readonly atUs: number; readonly order: number; readonly act: () => void };

/**
 * Simulates people in a house for days: they get up, eat, work, leave and return by their routine, with daily noise
 * and exceptional days; things, lamps and machines follow. Walking is not simulated: a person is in one room, then in
 * another. Same house and options, same weeks.
 */
export function liveWeeks(house: House, options: WeeksOptions): LivedWeeks {
  const { seed, startUs, days } = options;
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
    throw new LociError("invalid-input", `expected 1 to ${MAX_DAYS} days, got ${days}`);
  const random = new Random(seed).fork("weeks");
  const state = new WorldState(house, startUs);
  const people = Math.min(options.people ?? 2, 3, house.people.length);
  const household = castOf(house, people, random.fork("cast"));
  const activities = planDays(random.fork("days"), people, startUs, days);
  const deeds = [
    ...settling(state, household, startUs, random.fork("settling")),
    ...moving(state, household, activities, random.fork("people")),
    ...using(state, household, activities, random.fork("things")),
    ...switching(state, household, activities, random.fork("devices")),
    ...lighting(state, household, activities),
    ...shutting(state, startUs, days, random.fork("doors")),
  ];
  const endUs = startUs + days * DAY_US;
  for (const { act, atUs } of deeds.sort((a, b) => a.atUs - b.atUs || a.order - b.order))
    if (atUs < endUs) act();
  const events = [...state.events].sort((a, b) => a.timeUs - b.timeUs);
  return {
    timeline: new Timeline(house, startUs, days * DAY_US, events, state.histories()),
    household,
    activities,
  };
}

/** At the first midnight everything that travels is at home, everything that is switched is off, doors are open. */
function settling(state: WorldState, household: Household, startUs: number, random: Random): Deed[] {
  const off = [
    ...household.devices.map(({ id, device }) => switchDeed(state, id, device.fluent, 0, startUs)),
    ...household.lamps.map(({ id }) => switchDeed(state, id, "power", 0, startUs)),
  ];
  const home = household.things.map((thing) => ({
    atUs: startUs,
    order: 0,
    act: () => put(state, thing, thing.homes, startUs, null, random.fork(thing.id)),
  }));
  const doors = state.house.openings.filter(({ kind, thing }) => kind === "door" && thing !== undefined);
  const open = doors.map((opening) => swingDeed(state, opening, "open", startUs));
  return [...off, ...open, ...home];
}

function moving(
  state: WorldState,
  { persons, bedrooms }: Household,
  activities: readonly Activity[],
  random: Random,
): Deed[] {
  // Each person has their own spots, so that two never overlap.
  const spots = new Map<string, Placement | undefined>();
  const spotIn = (person: number, roomId: string): Placement | undefined => {
    const key = `${person}/${roomId}`;
    if (!spots.has(key)) spots.set(key, freeSpot(state, persons, person, roomId, spots, random.fork(key)));
    return spots.get(key);
  };
  return activities.map(({ person, activity, fromUs }) => ({
    atUs: fromUs,
    order: 1,
    act: () => {
      const i = persons[person]!;
      const roomId =
        activity === "away"
          ? undefined
          : activity === "sleep"
            ? bedrooms[person]
            : roomFor(state.house, ROOMS_OF[activity], person);
      const to = roomId === undefined ? undefined : spotIn(person, roomId);
      const from = state.placements[i];
      if (from === to) return;
      state.move(i, to, fromUs, activity);
      state.note({
        ...{ type: "walk", timeUs: fromUs, endUs: fromUs, thing: state.thing(i).id, who: state.thing(i).id },
        ...(from && { from }),
        ...(to && { to }),
      });
    },
  }));
}

function freeSpot(
  state: WorldState,
  persons: readonly number[],
  person: number,
  roomId: string,
  taken: ReadonlyMap<string, Placement | undefined>,
  random: Random,
): Placement | undefined {
  const room = state.house.rooms.find(({ id }) => id === roomId)!;
  const [a, , c] = room.polygon.points as [{ x: number; y: number }, unknown, { x: number; y: number }];
  const others = [...taken].flatMap(([key, spot]) =>
    key.endsWith(`/${roomId}`) && spot ? [spot.centre] : [],
  );
  for (let attempt = 0; attempt < 12; attempt++) {
    const near = { x: random.range(a.x, c.x), y: random.range(a.y, c.y), z: room.floorZM };
    const spot = standSpot(state, persons[person]!, near, roomId, random);
    if (spot === undefined) continue;
    if (others.every(({ x, y }) => (x - spot.x) * (x - spot.x) + (y - spot.y) * (y - spot.y) > 0.7))
      return standing(state, persons[person]!, spot, 0);
  }
  return undefined;
}

function using(
  state: WorldState,
  household: Household,
  activities: readonly Activity[],
  random: Random,
): Deed[] {
  return household.things.flatMap((thing) =>
    activities
      .filter(({ person }) => thing.owner === undefined || thing.owner === person)
      .flatMap((activity) =>
        thing.uses
          .filter((use) => use.activity === activity.activity)
          .flatMap((use): Deed[] => {
            const own = random.fork(`${thing.id}/${activity.fromUs}/${use.at}/${String(use.to)}`);
            if (!own.chance(use.chance ?? USUAL_CHANCE)) return [];
            const atUs = use.at === "begin" ? activity.fromUs + 1_000_000 : activity.toUs - 1_000_000;
            const who = state.house.things[household.persons[activity.person]!]!.id;
            const act = () => put(state, thing, targetsOf(thing, use.to, own), atUs, who, own);
            return [{ atUs, order: 2, act }];
          }),
      ),
  );
}

/** Usually in its usual place; now and then it is left in another of the kind. Nothing is out of the house. */
function targetsOf(thing: TravellingThing, to: Target, random: Random): readonly string[] {
  if (to === "away") return [];
  if (to === "home") return thing.homes;
  const hosts = thing.hostsFor(to);
  return random.chance(EXCEPTIONS.forgotten) ? random.shuffle(hosts) : hosts;
}

/** On the first of these with room for it; where there is none, it stays where it is. */
function put(
  state: WorldState,
  thing: TravellingThing,
  hosts: readonly string[],
  timeUs: number,
  who: string | null,
  random: Random,
): void {
  const i = state.index(thing.id);
  const from = state.placements[i];
  const here = from?.insideOf ?? from?.supportedBy;
  let to: Placement | undefined;
  for (const host of hosts) {
    if (host === here) return;
    to = placeOn(state, i, host, random);
    if (to !== undefined) break;
  }
  if (to === undefined && (hosts.length > 0 || from === undefined)) return;
  state.move(i, to, timeUs, to === undefined ? "remove" : "move");
  state.note({
    ...{ type: to === undefined ? "remove" : from === undefined ? "add" : "move", timeUs, endUs: timeUs },
    ...{ thing: thing.id, who },
    ...(from && { from }),
    ...(to && { to }),
  });
}

function placeOn(state: WorldState, i: number, host: string, random: Random): Placement | undefined {
  for (let attempt = 0; attempt < 10; attempt++) {
    const place = onHost(state, i, state.index(host), true, random);
    if (place !== undefined && !place.hidden) return place;
  }
  return undefined;
}

function switching(
  state: WorldState,
  { devices }: Household,
  activities: readonly Activity[],
  random: Random,
): Deed[] {
  return devices.flatMap(({ id, device }) => {
    const days = Map.groupBy(
      activities.filter(({ activity }) => activity === device.activity),
      ({ day }) => day,
    );
    return [...days].flatMap(([day, own]): Deed[] => {
      const today = random.fork(`${id}/${device.activity}/${day}`);
      if ((device.onlyWeekend === true && !own[0]!.isWeekend) || !today.chance(device.chance)) return [];
      // From the first person who begins to the last who ends.
      const fromUs = Math.min(...own.map((a) => a.fromUs)) + Math.round((device.delayHours ?? 0) * HOUR_US);
      const lengthUs = Math.round((device.hours ?? 0) * HOUR_US * today.range(0.7, 1.3));
      const toUs = device.hours === undefined ? Math.max(...own.map((a) => a.toUs)) : fromUs + lengthUs;
      return [switchDeed(state, id, device.fluent, 1, fromUs), switchDeed(state, id, device.fluent, 0, toUs)];
    });
  });
}

/** The lamp of a room is on while an awake person is in it and it is dark. */
function lighting(state: WorldState, household: Household, activities: readonly Activity[]): Deed[] {
  return household.lamps.flatMap(({ id, roomId }): Deed[] => {
    const spans = activities.flatMap(({ activity, person, fromUs, toUs }) => {
      if (activity === "sleep" || activity === "away") return [];
      return roomFor(state.house, ROOMS_OF[activity], person) === roomId ? darkParts(fromUs, toUs) : [];
    });
    return joined(spans).flatMap(([fromUs, toUs]) => [
      switchDeed(state, id, "power", 1, fromUs),
      switchDeed(state, id, "power", 0, toUs),
    ]);
  });
}

function darkParts(fromUs: number, toUs: number): [number, number][] {
  const midnight = Math.floor(fromUs / DAY_US) * DAY_US;
  const sunrise = midnight + DAYLIGHT.fromHour * HOUR_US;
  const sunset = midnight + DAYLIGHT.toHour * HOUR_US;
  const parts: [number, number][] = [
    [fromUs, Math.min(toUs, sunrise)],
    [Math.max(fromUs, sunset), toUs],
  ];
  return parts.filter(([from, to]) => to > from);
}

function joined(spans: readonly [number, number][]): [number, number][] {
  const out: [number, number][] = [];
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    const last = out.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else out.push([from, to]);
  }
  return out;
}

/** One door is shut overnight. */
function shutting(state: WorldState, startUs: number, days: number, random: Random): Deed[] {
  const types = new Map(state.house.rooms.map(({ id, type }) => [id, type]));
  const opening = state.house.openings.find(
    ({ kind, thing, rooms }) =>
      kind === "door" &&
      thing !== undefined &&
      rooms.some((id) => id !== null && NIGHT_DOOR.includes(types.get(id)!)),
  );
  if (opening === undefined) return [];
  return Array.from({ length: days }, (_, day): Deed[] => {
    const today = random.fork(`day-${day}`);
    const at = (hour: number) => startUs + day * DAY_US + Math.round((hour + today.normal(0, 0.3)) * HOUR_US);
    const swing = (value: "open" | "closed", hour: number) => swingDeed(state, opening, value, at(hour));
    return [swing("open", 8), ...(today.chance(0.9) ? [swing("closed", 19.5)] : [])];
  }).flat();
}

function swingDeed(state: WorldState, opening: Opening, value: "open" | "closed", atUs: number): Deed {
  const act = () => {
    if (state.fluents[state.index(opening.thing!)]!.openness === value) return;
    if (hasRoomToSwing(state, opening, value)) setDoor(state, opening, value, atUs, null);
  };
  return { atUs, order: 0, act };
}

function switchDeed(
  state: WorldState,
  id: string,
  fluent: keyof typeof FLUENTS,
  value: 0 | 1,
  atUs: number,
): Deed {
  const act = () => {
    const i = state.index(id);
    const from = state.fluents[i]![fluent];
    const to = FLUENTS[fluent][value];
    if (from === undefined || from === to) return;
    state.setFluent(i, fluent, to, atUs);
    state.note({ type: "toggle", timeUs: atUs, endUs: atUs, thing: id, who: null, fluent, from, to });
  };
  return { atUs, order: 3, act };
}

/** The best room for it; where there are several of a kind, each person has their own. */
export function roomFor(house: House, types: readonly string[], person: number): string | undefined {
  for (const type of types) {
    const rooms = house.rooms.filter((room) => room.type === type);
    if (rooms.length > 0) return rooms[person % rooms.length]!.id;
  }
  return undefined;
}
