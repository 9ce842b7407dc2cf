import type { WorldEvent } from "../../../world/dynamics/types.ts";
import type { Placement } from "../../../world/house/types.ts";
import type { Sight } from "../../../world/questions/sight.ts";
import { clock, type PlaceFacts, type SheetRobot, span } from "./facts.ts";

/** Observations this close to an event on both sides mean that it was watched. */
const WATCHED_US = 2_000_000;
const STATES: Readonly<Record<string, (to: string) => string>> = {
  power: (to) => `was switched ${to}`,
  fill: (to) => (to === "full" ? "was filled" : "was emptied"),
  making: (to) => (to === "made" ? "was made" : "was left unmade"),
};

/** The events, in order of time, with what each robot saw of them. */
export function happeningLines(facts: PlaceFacts): string[] {
  const told = facts.timeline.events
    .filter(({ type }) => !["walk", "sit", "stand"].includes(type))
    .map(
      (event) =>
        `- ${clock(event.timeUs)}: ${said(facts, event)}${byWhom(facts, event)}. ${seenOf(facts, event)}`,
    );
  return told.length === 0 ? ["- nothing"] : told;
}

export function said(facts: PlaceFacts, event: WorldEvent): string {
  const { type, thing: id, timeUs, endUs, from, to } = event;
  const name = facts.the(id);
  const place = (placement: Placement, atUs: number) => facts.fullPlace(placement, atUs);
  switch (type) {
    case "move":
      return `${name} was moved from ${place(from as Placement, timeUs - 1)} to ${place(to as Placement, endUs)}`;
    case "carry":
      return `${name} was carried (until ${clock(endUs)}) from ${place(from as Placement, timeUs - 1)} to ${place(to as Placement, endUs)}`;
    case "remove":
      return `${name} was taken out of the ${facts.family}; until then it was ${place(from as Placement, timeUs - 1)}`;
    case "add":
      return `${name} came new into the ${facts.family}, ${place(to as Placement, endUs)}`;
    case "twin-swap":
      return `${name} (first ${place(from as Placement, timeUs - 1)}) and ${facts.the(event.other!)} (first ${place(to as Placement, timeUs - 1)}) changed places`;
    case "open":
      return `${opened(facts, id)} was opened`;
    case "close":
      return `${opened(facts, id)} was closed`;
    default:
      return `${opened(facts, id)} ${STATES[event.fluent ?? ""]?.(String(to)) ?? `became ${String(to)}`}`;
  }
}

/** Identifies a door by its rooms, other things by the room they are in. */
function opened(facts: PlaceFacts, id: string): string {
  const opening = facts.house.openings.find(({ thing }) => thing === id);
  if (opening !== undefined)
    return `the door between ${opening.rooms.map((room) => facts.theRoom(room)).join(" and ")}`;
  const room = facts.placement(id)?.room;
  return `${facts.the(id)}${room === undefined ? "" : ` in ${facts.theRoom(room)}`}`;
}

function byWhom(facts: PlaceFacts, { who }: WorldEvent): string {
  return who === null ? " (nobody was to be seen doing it)" : ` by ${facts.the(who)}`;
}

function seenOf(facts: PlaceFacts, event: WorldEvent): string {
  const ids = event.type === "twin-swap" ? [event.thing, event.other!] : [event.thing];
  return ids
    .flatMap((id) =>
      facts.robots.map((robot) => {
        const words = `${robot.name} ${sightWords(facts, robot, event, id)}.`;
        if (ids.length > 1) return `As to ${facts.nameOf(id)}, ${words}`;
        return facts.robots.length > 1 ? words : words.replace("the", "The");
      }),
    )
    .join(" ");
}

function sightWords(facts: PlaceFacts, { sight }: SheetRobot, event: WorldEvent, id: string): string {
  const { timeUs, endUs, type } = event;
  const [sinceUs, untilUs] = lasted(facts, event, id);
  const before = sight.clear(id, sinceUs, timeUs - 1);
  const during = type === "carry" ? sight.clear(id, timeUs, endUs) : [];
  const after = sight.clear(id, endUs, untilUs);
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
    ...(isGone
      ? [goneWords(facts, sight, (id === event.other ? event.to : event.from) as Placement, endUs)]
      : []),
    ...(isWatched ? ["had it in view when it happened"] : []),
  ].join("; ");
}

/** Whether the old place came into view again: only then can the robot know that the thing has gone. */
function goneWords(facts: PlaceFacts, sight: Sight, from: Placement, endUs: number): string {
  const { supportedBy, insideOf, room } = from;
  const host = insideOf ?? supportedBy;
  const isFurniture = host !== undefined && facts.timeline.thing(host).type !== "structure";
  const again = isFurniture
    ? sight.clear(host, endUs)
    : sight.inRoom(room ?? "").filter(({ timeUs }) => timeUs >= endUs);
  const what = isFurniture ? facts.the(host) : facts.theRoom(room);
  if (again.length === 0) return `never saw ${what} again, so cannot know that it is gone from there`;
  return `saw ${what} again (${span(again)}), without it`;
}

/** How long it was in the state before the event, and in the state after it. */
function lasted(facts: PlaceFacts, { timeUs, endUs, fluent }: WorldEvent, id: string): [number, number] {
  const { segments, fluents } = facts.timeline.historyOf(id);
  const times =
    fluent === undefined
      ? segments.map(({ fromUs }) => fromUs)
      : (fluents[fluent] ?? []).map((change) => change.timeUs);
  const since = times.findLast((time) => time < timeUs) ?? -Infinity;
  return [since, (times.find((time) => time > endUs) ?? Infinity) - 1];
}
