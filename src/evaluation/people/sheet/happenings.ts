import type { WorldEvent } from "../../../world/dynamics/types.ts";
import type { Placement } from "../../../world/house/types.ts";
import { clock, type HouseFacts, span, visits } from "./facts.ts";

/** Looks so close to a happening on both sides mean that it was watched. */
const WATCHED_US = 2_000_000;
const STATES: Readonly<Record<string, (to: string) => string>> = {
  power: (to) => `was switched ${to}`,
  fill: (to) => (to === "full" ? "was filled" : "was emptied"),
  making: (to) => (to === "made" ? "was made" : "was left unmade"),
};

/** What changed in the house, in order of time, with what the robot saw of it. */
export function happeningLines(facts: HouseFacts): string[] {
  const told = facts.timeline.events
    .filter(({ type }) => !["walk", "sit", "stand"].includes(type))
    .map(
      (event) =>
        `- ${clock(event.timeUs)}: ${said(facts, event)}${byWhom(facts, event)}. ${seenOf(facts, event)}`,
    );
  return told.length === 0 ? ["- nothing"] : told;
}

function said(facts: HouseFacts, event: WorldEvent): string {
  const { type, thing: id, timeUs, endUs, from, to } = event;
  const name = `the ${facts.nameOf(id)}`;
  const place = (placement: Placement, atUs: number) => facts.fullPlace(placement, atUs);
  switch (type) {
    case "move":
      return `${name} was moved from ${place(from as Placement, timeUs - 1)} to ${place(to as Placement, endUs)}`;
    case "carry":
      return `${name} was carried (until ${clock(endUs)}) from ${place(from as Placement, timeUs - 1)} to ${place(to as Placement, endUs)}`;
    case "remove":
      return `${name} was taken out of the house; until then it was ${place(from as Placement, timeUs - 1)}`;
    case "add":
      return `${name} came new into the house, ${place(to as Placement, endUs)}`;
    case "twin-swap":
      return `${name} (first ${place(from as Placement, timeUs - 1)}) and the ${facts.nameOf(event.other!)} (first ${place(to as Placement, timeUs - 1)}) changed places`;
    case "open":
      return `${opened(facts, id)} was opened`;
    case "close":
      return `${opened(facts, id)} was closed`;
    default:
      return `${opened(facts, id)} ${STATES[event.fluent ?? ""]?.(String(to)) ?? `became ${String(to)}`}`;
  }
}

/** Which one: a door by its rooms, else by the room it is in. */
function opened(facts: HouseFacts, id: string): string {
  const opening = facts.house.openings.find(({ thing }) => thing === id);
  if (opening !== undefined)
    return `the door between the ${opening.rooms.map((room) => facts.roomName(room)).join(" and the ")}`;
  const room = facts.placement(id)?.room;
  return `the ${facts.nameOf(id)}${room === undefined ? "" : ` in the ${facts.roomName(room)}`}`;
}

function byWhom(facts: HouseFacts, { who }: WorldEvent): string {
  return who === null ? " (nobody was to be seen doing it)" : ` by ${facts.nameOf(who)}`;
}

function seenOf(facts: HouseFacts, event: WorldEvent): string {
  if (event.type !== "twin-swap") return `The robot ${sightWords(facts, event, event.thing)}.`;
  return [event.thing, event.other!]
    .map((id) => `As to ${facts.nameOf(id)}, the robot ${sightWords(facts, event, id)}.`)
    .join(" ");
}

function sightWords(facts: HouseFacts, event: WorldEvent, id: string): string {
  const { timeUs, endUs, type } = event;
  const [sinceUs, untilUs] = lasted(facts, event, id);
  const before = facts.sight.clear(id, sinceUs, timeUs - 1);
  const during = type === "carry" ? facts.sight.clear(id, timeUs, endUs) : [];
  const after = facts.sight.clear(id, endUs, untilUs);
  const [last, first] = [before.at(-1), after[0]];
  const isWatched =
    last !== undefined &&
    first !== undefined &&
    timeUs - last.timeUs <= WATCHED_US &&
    first.timeUs - endUs <= WATCHED_US;
  const isGone =
    last !== undefined && after.length === 0 && ["move", "carry", "remove", "twin-swap"].includes(type);
  return [
    last === undefined
      ? "never saw it as it was before"
      : `saw it as it was before (last ${clock(last.timeUs)})`,
    ...(during.length === 0 ? [] : [`saw it being carried (${span(during)})`]),
    ...(type === "remove"
      ? []
      : [
          after.length > 0
            ? `saw it so afterwards (${span(after)}, ${after.length} ${after.length === 1 ? "look" : "looks"})`
            : "NEVER SAW it so afterwards",
        ]),
    ...(isGone ? [goneWords(facts, (id === event.other ? event.to : event.from) as Placement, endUs)] : []),
    ...(isWatched ? ["had it in view when it happened"] : []),
  ].join("; ");
}

/** Whether the old place came into view again: only then can the robot know that the thing is no longer there. */
function goneWords(facts: HouseFacts, from: Placement, endUs: number): string {
  const { supportedBy, insideOf, room } = from;
  const host = insideOf ?? supportedBy;
  const isFurniture = host !== undefined && facts.timeline.thing(host).type !== "structure";
  const again = isFurniture
    ? facts.sight.clear(host, endUs)
    : facts.sight.inRoom(room ?? "").filter(({ timeUs }) => timeUs >= endUs);
  const what = isFurniture ? `the ${facts.nameOf(host)}` : `the ${facts.roomName(room)}`;
  if (again.length === 0) return `never saw ${what} again, so cannot know that it is gone from there`;
  return `saw ${what} again (${span(again)}), without it`;
}

/** Since when it was as the event found it, and until when it stayed as the event left it. */
function lasted(facts: HouseFacts, { timeUs, endUs, fluent }: WorldEvent, id: string): [number, number] {
  const { segments, fluents } = facts.timeline.historyOf(id);
  const times =
    fluent === undefined
      ? segments.map(({ fromUs }) => fromUs)
      : (fluents[fluent] ?? []).map((change) => change.timeUs);
  const since = times.findLast((time) => time < timeUs) ?? -Infinity;
  return [since, (times.find((time) => time > endUs) ?? Infinity) - 1];
}

/** Who was there, where and when, and when the robot saw them. */
export function personLines(facts: HouseFacts): string[] {
  const people = facts.things.filter(({ type }) => type === "person");
  if (people.length === 0) return ["Nobody was in the house."];
  return people.flatMap(({ id, name, colour }) => {
    const seen = visits(facts.sight.clear(id));
    const places = seen.map((frames) => {
      const rooms = frames.map(({ timeUs }) => facts.roomName(facts.placement(id, timeUs)?.room ?? null));
      return `${span(frames)} in the ${[...new Set(rooms)].join(", then the ")} (${frames.length} looks)`;
    });
    const start = facts.placement(id, facts.timeline.startUs)!;
    return [
      `**${name}**, a person wearing ${colour}.`,
      `- seen by the robot: ${places.length === 0 ? "never" : places.join("; ")}`,
      `- ${clock(facts.timeline.startUs)}: stands in the ${facts.roomName(start.room)}`,
      ...facts.timeline.events
        .filter(({ thing, who }) => thing === id || who === id)
        .flatMap((event) => deed(facts, id, event)),
      `- ${clock(facts.endUs)} (now): in the ${facts.roomName(facts.placement(id)?.room ?? null)}`,
      "",
    ];
  });
}

function deed(facts: HouseFacts, person: string, event: WorldEvent): string[] {
  const { type, timeUs, endUs, other, from, to } = event;
  if (type === "sit") return [`- ${clock(timeUs)}: sits down on the ${facts.nameOf(other!)}`];
  if (type === "stand") return [`- ${clock(timeUs)}: gets up from the ${facts.nameOf(other!)}`];
  if (type === "walk") {
    const [a, b] = [from as Placement, to as Placement].map(({ room }) => facts.roomName(room));
    return [
      `- ${clock(timeUs)}–${clock(endUs)}: walks ${a === b ? `about in the ${a}` : `from the ${a} to the ${b}`}`,
    ];
  }
  if (event.thing === person) return [];
  return [`- ${clock(timeUs)}: ${said(facts, event)}, by ${facts.nameOf(person)}`];
}
