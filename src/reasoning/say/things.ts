import { pathOf } from "../../belief/labels.ts";
import { isGuessed } from "../../belief/names.ts";
import { middleOf, type RoomView } from "../../belief/room-names.ts";
import { attributeOf, type KnownThing } from "../../belief/thing.ts";
import { FIT, nameFit } from "../../ontology/index.ts";
import { isChange } from "../algebra/time/so.ts";
import type { EventsValue, FloorsValue, RoomsValue, ThingsValue, WordsItem } from "../algebra/value.ts";
import { caveat } from "./completeness.ts";
import { changeText, clockText, dayAndClock } from "./figures.ts";
import { counted, countedList, isPlural, list } from "./grammar.ts";
import {
  aThing,
  isNamed,
  isPerson,
  nounOf,
  quoted,
  roomNames,
  roomText,
  textOn,
  theThing,
} from "./naming.ts";
import { positionOf, type SayContext, type Spoken, setOf } from "./said.ts";

/** Things by name: all of them, equal ones counted. */
export async function sayThings(
  { things, complete, times = 1 }: Pick<ThingsValue, "things" | "complete" | "times">,
  context: SayContext,
): Promise<Spoken> {
  const [first] = things;
  const position = await positionOf(first, context);
  const about = times > 1.05 ? ` and about ${Math.round(things.length * (times - 1))} more` : "";
  return {
    type: things.length > 1 ? "set" : "text",
    text: things.length === 1 ? withCode(first!) : `${countedWithCodes(things)}${about}${caveat(complete)}`,
    set: setOf(things.map((thing) => (isNamed(thing) ? nounOf(thing) : thing.name))),
    ...(position && { position }),
    goal: first,
  };
}

function isPlace({ spot }: KnownThing): boolean {
  return spot !== undefined;
}

/** The number that identifies a thing within its kind: a stock number, a slot, a locker. */
function codeOn(thing: KnownThing): string | undefined {
  const text = textOn(thing);
  return text !== undefined && pathOf(text) ? text : undefined;
}

function withCode(thing: KnownThing): string {
  if (isGuessed(thing)) return aThing(thing);
  const code = codeOn(thing);
  return code === undefined ? nounOf(thing) : `${nounOf(thing)} that says ${quoted(code)}`;
}

/** The most codes that are listed; the rest are counted. */
const MOST_CODES = 12;

/**
 * The most slots that are listed one by one, for a person who has to walk there; up to the second number without a
 * count.
 */
const MOST_PLACES = 60;
const FEW_PLACES = 4;

function countedWithCodes(things: readonly KnownThing[]): string {
  if (things.every(isPlace)) {
    const codes = list(things.map(nounOf), MOST_PLACES);
    return things.length > FEW_PLACES ? `${counted(things.length, things[0]!.category)}: ${codes}` : codes;
  }
  const [sure, guessed] = [things.filter((one) => !isGuessed(one)), things.filter(isGuessed)];
  if (guessed.length > 0) {
    const perhaps = `perhaps ${countedList(guessed.map(nounOf))}`;
    return sure.length === 0 ? perhaps : `${countedWithCodes(sure)}, and ${perhaps}`;
  }
  const nouns = things.map(nounOf);
  const codes = things.flatMap((thing) => codeOn(thing) ?? []);
  // Codes distinguish things only where all of one kind have them.
  if (new Set(nouns).size > 1 && codes.length > MOST_CODES) return countedList(nouns);
  const groups = [...Map.groupBy(things, nounOf)].map(([noun, members]) => {
    const own = [...new Set(members.flatMap((thing) => codeOn(thing) ?? []))].sort();
    if (own.length === 0) return undefined;
    const more = own.length > MOST_CODES ? [`${own.length - MOST_CODES} more`] : [];
    return `${counted(members.length, noun)} (${list([...own.slice(0, MOST_CODES), ...more])})`;
  });
  if (groups.every((group) => group === undefined)) return countedList(nouns);
  const kinds = [...new Set(nouns)];
  return list(groups.map((group, n) => group ?? countedList(nouns.filter((noun) => noun === kinds[n]))));
}

/** Rooms by their names; "which room" is answered by the name alone. */
export function sayRooms({ rooms, complete }: Pick<RoomsValue, "rooms" | "complete">): Spoken {
  const [first] = rooms;
  return {
    type: rooms.length > 1 ? "set" : "text",
    text: `${roomNames(rooms)}${rooms.length > 1 ? caveat(complete) : ""}`,
    set: setOf(rooms.map(({ name }) => name)),
    ...(first && whereIs(first)),
  };
}

export function whereIs(room: RoomView): Pick<Spoken, "position" | "goalPlace"> {
  const point = middleOf(room);
  return { position: { point, frame: "world", region: room.name }, goalPlace: point };
}

const ORDINALS = "ground first second third fourth fifth sixth seventh eighth ninth".split(" ");

/** A storey as people call it, counted from the lowest. */
export function storeyName(storey: number): string {
  return `${ORDINALS[storey] ?? `${storey}th`} floor`;
}

export function sayFloors({ storeys }: FloorsValue): Spoken {
  const names = storeys.map(storeyName);
  return { type: names.length > 1 ? "set" : "text", text: list(names), set: setOf(names) };
}

/** Up to this many things are named with distinguishing features. */
const FEW_NAMED = 4;

/** "Which iron?" is not answered by "an iron". */
function saysNothing(asked: string, thing: KnownThing): boolean {
  const noun = nounOf(thing);
  return (
    nameFit(asked, thing.category) >= FIT.kind ||
    nameFit(asked, noun) >= FIT.kind ||
    ` ${noun} `.includes(` ${asked} `)
  );
}

/** "white steam iron", "storage box marked “TAXES”". */
function inFull(thing: KnownThing, isOne: boolean): string {
  const colour = attributeOf(thing, "colour")?.value;
  const text = textOn(thing);
  const noun = nounOf(thing);
  if (isNamed(thing)) return noun;
  const named = colour === undefined || noun.includes(colour) ? noun : `${colour} ${noun}`;
  return `${isOne ? "the " : ""}${named}${text === undefined ? "" : ` marked ${quoted(text)}`}`;
}

/** Words that name things or rooms: the same voice as for the things themselves. */
export async function sayNames(
  items: readonly WordsItem[],
  complete: ThingsValue["complete"],
  context: SayContext,
  asked?: string | undefined,
): Promise<Spoken> {
  const things = items.flatMap(({ thing }) => (thing ? [thing] : []));
  if (things.length === items.length) {
    const said = await sayThings({ things, complete }, context);
    if (things.some(isPlace)) return said;
    if (asked === undefined || things.length > FEW_NAMED || !things.every((one) => saysNothing(asked, one)))
      return said;
    const full = await Promise.all(
      things.map(async (thing) => {
        const room = isPerson(thing) ? undefined : await roomText(thing, context.surroundings);
        return `${inFull(thing, things.length > 1)}${room === undefined ? "" : ` ${room}`}`;
      }),
    );
    return { ...said, text: `${list(full)}${things.length > 1 ? caveat(complete) : ""}` };
  }
  const rooms = items.flatMap(({ room }) => (room ? [room] : []));
  if (rooms.length === items.length) return sayRooms({ rooms, complete });
  const words = items.map((item) => (item.thing ? nounOf(item.thing) : (item.room?.name ?? item.words)));
  return {
    type: items.length > 1 ? "set" : "text",
    text: `${items.length === 1 ? words[0]! : list([...new Set(words)])}${caveat(complete)}`,
    set: setOf(words),
    ...(items[0]?.point && { position: { point: items[0].point, frame: "world" } }),
  };
}

/** Up to this many events are reported with their times. */
const FEW = 6;

/** Events, in order of time. */
export function sayEvents({ events, things, complete }: EventsValue, { nowUs }: SayContext): Spoken {
  if (events.length === 0) return { type: "set", text: `nothing that I noticed${caveat(complete)}`, set: [] };
  const lines = events.map((event, n) => {
    const said = happening(event, things[n]);
    return events.length <= FEW ? `${said} ${whenOf(event, nowUs)}` : said;
  });
  const names = events.flatMap((event, n) => {
    const name = things[n]?.name ?? nameIn(event.text[0]);
    return name === undefined ? [] : [name];
  });
  return {
    type: "set",
    text: `${list([...new Set(lines)])}${caveat(complete)}`,
    set: setOf(names),
    goal: things.find((thing) => thing !== undefined),
  };
}

/** The time of an event; a change lies between two observations. */
export function whenOf(
  { type, validFromUs, validToUs }: EventsValue["events"][number],
  nowUs: number,
): string {
  if (isChange(type)) return changeText(validFromUs, validToUs, nowUs);
  const said = dayAndClock(validFromUs, nowUs);
  return said.startsWith("at ") ? `at ${clockText(validFromUs, false)}` : said;
}

/** Verbs for changes of state. */
const DONE: Readonly<Record<string, string>> = {
  open: "opened",
  closed: "closed",
  on: "switched on",
  off: "switched off",
  full: "filled",
  empty: "emptied",
};

export function happening(
  { type, text, detail }: EventsValue["events"][number],
  thing: KnownThing | undefined,
): string {
  const told = text[0]?.replace(/\.$/, "") ?? "";
  if (!thing) return told === "" ? type.replaceAll("-", " ") : told;
  const what = theThing(thing);
  const [is, was] = isPlural(nounOf(thing)) ? ["are", "were"] : ["is", "was"];
  const to = detail["to"];
  switch (type) {
    case "move":
      return `${what} ${was} moved`;
    case "appear":
      return `${what} ${is} new`;
    case "disappear":
      return `${what} went missing`;
    case "state-change":
      return typeof to === "string" || typeof to === "number" || typeof to === "boolean"
        ? `${what} ${DONE[String(to)] === undefined ? `${is} now ${to}` : `${was} ${DONE[String(to)]}`}`
        : `${what} changed`;
    default:
      return told === "" ? `${what}: ${type.replaceAll("-", " ")}` : told;
  }
}

function nameIn(text: string | undefined): string | undefined {
  return text
    ?.replace(/^the /i, "")
    .replace(/ (?:was|is|has|appeared|disappeared)\b.*$/, "")
    .replace(/\.$/, "");
}
