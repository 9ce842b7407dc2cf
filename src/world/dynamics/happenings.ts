import type { Random, TimeUs } from "../../geometry/index.ts";
import { modelOf } from "../house/models.ts";
import { leafPlacement } from "../house/plan/structure.ts";
import { FLUENTS, type FluentName, type Opening, type Placement } from "../house/types.ts";
import { cosOfStep, sinOfStep, stepOfYaw } from "../house/yaw.ts";
import { sit, standSpot, walk } from "./people.ts";
import { leavesFloorWhole, newPlace } from "./spots.ts";
import type { WorldState } from "./world-state.ts";

/** Tries to make an event happen; returns its end, or undefined if it could not. */
export type Happening = (state: WorldState, timeUs: TimeUs, random: Random) => TimeUs | undefined;

/** A thing changes its place while unobserved. */
export const moveUnseen: Happening = (state, timeUs, random) => {
  const i = pickMovable(state, random, false);
  const to = i === undefined ? undefined : newPlace(state, i, false, random);
  if (i === undefined || to === undefined) return undefined;
  const from = state.placements[i]!;
  state.move(i, to, timeUs, "move");
  state.note({ type: "move", timeUs, endUs: timeUs, thing: state.thing(i).id, who: null, from, to });
  return timeUs;
};

/** A person walks to a thing, picks it up, carries it to another place and puts it down. */
export const carry: Happening = (state, timeUs, random) => {
  const person = pickPerson(state, random);
  const i = pickMovable(state, random, true);
  if (person === undefined || i === undefined) return undefined;
  const from = state.placements[i]!;
  const to = newPlace(state, i, true, random);
  if (to === undefined || to.hidden) return undefined;
  const here = standSpot(state, person, from.centre, from.room, random);
  const there = here === undefined ? undefined : standSpot(state, person, to.centre, to.room, random);
  if (here === undefined || there === undefined) return undefined;
  const picked = walk(state, person, here, timeUs);
  if (picked === undefined) return undefined;
  const pickedUs = picked + 1_500_000;
  // The path to the new place was free a moment ago and still is: no other event runs meanwhile.
  const put = walk(state, person, there, pickedUs, i);
  if (put === undefined || put === pickedUs) return picked;
  const putUs = put + 1_000_000;
  state.move(i, to, putUs, "carry");
  state.note({
    type: "carry",
    timeUs: pickedUs,
    endUs: putUs,
    thing: state.thing(i).id,
    who: state.thing(person).id,
    from,
    to,
  });
  return putUs;
};

/** Gone for good. */
export const remove: Happening = (state, timeUs, random) => {
  const i = pickMovable(state, random, false);
  if (i === undefined) return undefined;
  const from = state.placements[i]!;
  state.move(i, undefined, timeUs, "remove");
  state.note({ type: "remove", timeUs, endUs: timeUs, thing: state.thing(i).id, who: null, from });
  return timeUs;
};

/** Something that was never here before. */
export const add: Happening = (state, timeUs, random) => {
  const coming = state.placements.flatMap((placement, i) => {
    const { type, roomAtStart } = state.thing(i);
    return placement === undefined && type === "small" && roomAtStart === "outside" && !hasBeenHere(state, i)
      ? [i]
      : [];
  });
  const i = coming.length === 0 ? undefined : random.pick(coming);
  const to = i === undefined ? undefined : newPlace(state, i, true, random);
  if (i === undefined || to === undefined) return undefined;
  state.move(i, to, timeUs, "add");
  state.note({ type: "add", timeUs, endUs: timeUs, thing: state.thing(i).id, who: null, to });
  return timeUs;
};

/** Two things of one kind but different colours swap places, which confuses a memory that stores only categories. */
export const twinSwap: Happening = (state, timeUs, random) => {
  const movable = movables(state, false);
  const pairs = movable.flatMap((i) =>
    movable.filter((j) => i < j && areTwins(state, i, j)).map((j) => [i, j] as const),
  );
  if (pairs.length === 0) return undefined;
  const [i, j] = random.pick(pairs);
  const a = state.placements[i]!;
  const b = state.placements[j]!;
  state.move(i, b, timeUs, "twin-swap");
  state.move(j, a, timeUs, "twin-swap");
  state.note({
    type: "twin-swap",
    timeUs,
    endUs: timeUs,
    thing: state.thing(i).id,
    other: state.thing(j).id,
    who: null,
    from: a,
    to: b,
  });
  return timeUs;
};

/** A cupboard, a drawer, a curtain. */
export const openOrClose: Happening = (state, timeUs, random) => {
  const hosts = state.house.things.flatMap((thing, i) =>
    thing.type === "furniture" && thing.fluents.includes("openness") && state.placements[i] !== undefined
      ? [i]
      : [],
  );
  if (hosts.length === 0) return undefined;
  const i = random.pick(hosts);
  const value = state.fluents[i]!.openness === "open" ? "closed" : "open";
  const placement = state.placements[i]!;
  const contents = state.contentsOf(i);
  const boxes = state.boxesIf(i, placement, { ...state.fluents[i]!, openness: value });
  if (state.clashes(boxes, new Set([i, ...contents, ...supportedBy(state, i)]))) return undefined;
  if (value === "open" && !leavesFloorWhole(state, i, placement, { ...state.fluents[i]!, openness: value }))
    return undefined;
  const by = byWhom(state, i, timeUs, random);
  const whenUs = by.timeUs;
  if (by.who !== null && state.clashes(boxes, new Set([i, ...contents, ...supportedBy(state, i)])))
    return whenUs;
  const from = state.fluents[i]!.openness!;
  slideContents(state, i, value, whenUs);
  state.setFluent(i, "openness", value, whenUs);
  state.note({
    type: value === "open" ? "open" : "close",
    timeUs: whenUs,
    endUs: whenUs,
    thing: state.thing(i).id,
    who: by.who,
    fluent: "openness",
    from,
    to: value,
  });
  return whenUs;
};

/** A door between rooms; most stand open, and no more than a third are shut at a time. */
export const swingDoor: Happening = (state, timeUs, random) => {
  const doors = state.house.openings.filter((o) => o.kind === "door" && o.thing !== undefined);
  if (doors.length === 0) return undefined;
  const opening = random.pick(doors);
  const i = state.index(opening.thing!);
  const value = state.fluents[i]!.openness === "open" ? "closed" : "open";
  const shut = doors.filter((o) => state.fluents[state.index(o.thing!)]!.openness === "closed").length;
  if (value === "closed" && (shut + 1) * 3 > doors.length) return undefined;
  if (!hasRoomToSwing(state, opening, value)) return undefined;
  const by = byWhom(state, i, timeUs, random);
  if (hasRoomToSwing(state, opening, value)) setDoor(state, opening, value, by.timeUs, by.who);
  return by.timeUs;
};

/** Whether nothing stands in the leaf's swing. */
export function hasRoomToSwing(state: WorldState, opening: Opening, value: "open" | "closed"): boolean {
  const i = state.index(opening.thing!);
  const to = leafPlacement(opening, value, state.house.starts[i]!.look.size);
  const frame = opening.frame === undefined ? [] : [state.index(opening.frame)];
  return !state.clashes(state.boxesIf(i, to, {}), new Set([i, ...frame]));
}

/** Swings the leaf of an opening, which has room to. */
export function setDoor(
  state: WorldState,
  opening: Opening,
  value: "open" | "closed",
  timeUs: TimeUs,
  who: string | null,
): void {
  const i = state.index(opening.thing!);
  const from = state.fluents[i]!.openness!;
  const type = value === "open" ? "open" : "close";
  state.move(i, leafPlacement(opening, value, state.house.starts[i]!.look.size), timeUs, type);
  state.setFluent(i, "openness", value, timeUs);
  state.note({
    type,
    timeUs,
    endUs: timeUs,
    thing: opening.thing!,
    who,
    fluent: "openness",
    from,
    to: value,
  });
}

/** Lamps, taps, beds, cups: any other state. */
export const toggle: Happening = (state, timeUs, random) => {
  const names: readonly FluentName[] = ["power", "fill", "making"];
  const choices = state.house.things.flatMap((thing, i) =>
    state.placements[i] === undefined || state.placements[i].hidden
      ? []
      : names.filter((name) => thing.fluents.includes(name)).map((name) => [i, name] as const),
  );
  if (choices.length === 0) return undefined;
  const [i, name] = random.pick(choices);
  const by = byWhom(state, i, timeUs, random);
  const from = state.fluents[i]![name]!;
  const to = FLUENTS[name].find((value) => value !== from)!;
  state.setFluent(i, name, to, by.timeUs);
  state.note({
    type: "toggle",
    timeUs: by.timeUs,
    endUs: by.timeUs,
    thing: state.thing(i).id,
    who: by.who,
    fluent: name,
    from,
    to,
  });
  return by.timeUs;
};

/** A person goes to another room, or sits down. */
export const wander: Happening = (state, timeUs, random) => {
  const person = pickPerson(state, random);
  if (person === undefined) return undefined;
  const seats = state.house.things.flatMap((thing, i) =>
    ["sofa", "armchair"].includes(thing.category) &&
    state.fluents[i]!.occupancy === "free" &&
    state.placements[i] !== undefined
      ? [i]
      : [],
  );
  if (seats.length > 0 && random.chance(0.3)) return sit(state, person, random.pick(seats), timeUs, random);
  const room = random.pick(state.house.rooms);
  const [a, , c] = room.polygon.points as [{ x: number; y: number }, unknown, { x: number; y: number }];
  const near = { x: random.range(a.x, c.x), y: random.range(a.y, c.y), z: room.floorZM };
  const spot = standSpot(state, person, near, room.id, random);
  return spot === undefined ? undefined : walk(state, person, spot, timeUs);
};

/** The contents of a drawer move with it. */
function slideContents(state: WorldState, i: number, value: string, timeUs: TimeUs): void {
  const slide = modelOf(state.thing(i).category).slideM ?? 0;
  if (slide === 0) return;
  const step = stepOfYaw(state.placements[i]!.yawRad);
  const out = value === "open" ? slide : -slide;
  for (const content of state.contentsOf(i)) {
    const placement = state.placements[content]!;
    const centre = {
      ...placement.centre,
      x: placement.centre.x + out * cosOfStep(step),
      y: placement.centre.y + out * sinOfStep(step),
    };
    state.move(content, { ...placement, centre }, timeUs, value === "open" ? "open" : "close");
  }
}

/** Half of the time a person walks there and does it visibly; otherwise it happens while unobserved. */
function byWhom(
  state: WorldState,
  i: number,
  timeUs: TimeUs,
  random: Random,
): { who: string | null; timeUs: TimeUs } {
  const person = random.chance(0.5) ? pickPerson(state, random) : undefined;
  const { centre, room } = state.placements[i] as Placement;
  const spot = person === undefined ? undefined : standSpot(state, person, centre, room, random);
  const there = spot === undefined ? undefined : walk(state, person!, spot, timeUs);
  if (there === undefined) return { who: null, timeUs };
  return { who: state.thing(person!).id, timeUs: there + 500_000 };
}

function pickPerson(state: WorldState, random: Random): number | undefined {
  const here = state.house.things.flatMap((thing, i) =>
    thing.type === "person" && state.placements[i] !== undefined ? [i] : [],
  );
  return here.length === 0 ? undefined : random.pick(here);
}

function pickMovable(state: WorldState, random: Random, inSight: boolean): number | undefined {
  const choices = movables(state, inSight);
  return choices.length === 0 ? undefined : random.pick(choices);
}

function movables(state: WorldState, inSight: boolean): number[] {
  return state.house.things.flatMap((thing, i) => {
    const placement = state.placements[i];
    return thing.movable &&
      thing.type === "small" &&
      placement !== undefined &&
      !(inSight && placement.hidden)
      ? [i]
      : [];
  });
}

function areTwins(state: WorldState, i: number, j: number): boolean {
  const a = state.thing(i);
  const b = state.thing(j);
  if (a.category !== b.category || a.colour === b.colour) return false;
  const p = state.placements[i]!.extent;
  const q = state.placements[j]!.extent;
  return (
    p.x === q.x && p.y === q.y && p.z === q.z && !state.placements[i]!.hidden && !state.placements[j]!.hidden
  );
}

function supportedBy(state: WorldState, i: number): number[] {
  const { id } = state.thing(i);
  return state.placements.flatMap((placement, j) => (placement?.supportedBy === id ? [j] : []));
}

/** A thing that was taken away does not come back as new. */
function hasBeenHere(state: WorldState, i: number): boolean {
  return state.events.some((event) => event.type === "add" && event.thing === state.thing(i).id);
}
