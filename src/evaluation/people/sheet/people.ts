import type { WorldEvent } from "../../../world/dynamics/types.ts";
import type { HouseThing, Placement } from "../../../world/house/types.ts";
import type { Sight } from "../../../world/questions/sight.ts";
import { clock, type PlaceFacts, span, visits } from "./facts.ts";
import { said } from "./happenings.ts";

/** The people, where and when they were there, and when each robot saw them. */
export function personLines(facts: PlaceFacts): string[] {
  const people = facts.things.filter(({ type }) => type === "person");
  if (people.length === 0) return [`Nobody was in the ${facts.family}.`];
  return people.flatMap((person) => [
    `**${person.name}**, a person wearing ${person.colour}.`,
    ...moverLines(facts, person),
  ]);
}

/** Forklifts: the same as for people, and the text on them. */
export function vehicleLines(facts: PlaceFacts): string[] {
  const vehicles = facts.things.filter(({ type }) => type === "vehicle");
  return vehicles.flatMap((vehicle) => [
    `**${facts.nameOf(vehicle.id)}**, ${vehicle.colour}, with “${vehicle.text}” on its side; nobody is to be seen on it.`,
    ...moverLines(facts, vehicle),
  ]);
}

function moverLines(facts: PlaceFacts, { id }: HouseThing): string[] {
  const start = facts.roomAt(id, facts.timeline.startUs);
  const last = facts.sight.clear(id).at(-1);
  return [
    ...facts.robots.map(({ name, sight }) => `- seen by ${name}: ${seenWords(facts, sight, id)}`),
    ...(facts.robots.length === 1 || last === undefined
      ? []
      : [
          `- seen last by ${last.agentId} at ${clock(last.timeUs)}, in ${facts.theRoom(facts.roomAt(id, last.timeUs))}`,
        ]),
    `- ${clock(facts.timeline.startUs)}: stands in ${facts.theRoom(start)}`,
    ...facts.timeline.events
      .filter(({ thing, who }) => thing === id || who === id)
      .flatMap((event) => deed(facts, id, event)),
    `- ${clock(facts.endUs)} (now): in ${facts.theRoom(facts.roomAt(id))}`,
    "",
  ];
}

function seenWords(facts: PlaceFacts, sight: Sight, id: string): string {
  const seen = visits(sight.clear(id)).map((frames) => {
    const rooms = frames.map(({ timeUs }) => facts.theRoom(facts.roomAt(id, timeUs)));
    return `${span(frames)} in ${[...new Set(rooms)].join(", then ")} (${frames.length} looks)`;
  });
  return seen.length === 0 ? "never" : seen.join("; ");
}

function deed(facts: PlaceFacts, mover: string, event: WorldEvent): string[] {
  const { type, timeUs, endUs, other, from, to } = event;
  if (type === "sit") return [`- ${clock(timeUs)}: sits down on the ${facts.nameOf(other!)}`];
  if (type === "stand") return [`- ${clock(timeUs)}: gets up from the ${facts.nameOf(other!)}`];
  if (type === "walk") {
    const [a, b] = [from as Placement, to as Placement].map(({ room }) => facts.theRoom(room));
    const goes = facts.timeline.thing(mover).type === "person" ? "walks" : "drives";
    return [`- ${clock(timeUs)}–${clock(endUs)}: ${goes} ${a === b ? `about in ${a}` : `from ${a} to ${b}`}`];
  }
  if (event.thing === mover) return [];
  return [
    `- ${clock(timeUs)}: ${said(facts, event)}, by ${facts.the(mover)}${watchers(facts, mover, event)}`,
  ];
}

/** Which of several robots saw them while they carried something. */
function watchers(facts: PlaceFacts, mover: string, { type, timeUs, endUs }: WorldEvent): string {
  if (facts.robots.length === 1 || type !== "carry") return "";
  const seen = facts.robots.flatMap(({ name, sight }) => {
    const frames = sight.clear(mover, timeUs, endUs);
    return frames.length === 0 ? [] : [`${name} ${span(frames)}`];
  });
  return ` (in view meanwhile of ${seen.length === 0 ? "no robot" : seen.join(", ")})`;
}
