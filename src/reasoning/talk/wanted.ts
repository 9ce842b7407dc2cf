import { pathOf } from "../../belief/labels.ts";
import type { KnownThing } from "../../belief/thing.ts";
import { holds, isKindOf, supports } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { isPerson } from "../say/naming.ts";
import { nodeOf, ofThings, type Spoken } from "./spoken-of.ts";

/** The possible referents of a pronoun. */
interface Wanted {
  readonly fits: (spoken: Spoken) => boolean;
  readonly form: RegExp;
}

export function isOne({ things, rooms }: Spoken): boolean {
  return things.length + rooms.length === 1;
}

export function isRoom({ rooms }: Spoken): boolean {
  return rooms.length > 0;
}

export function isOfPeople({ things }: Spoken): boolean {
  return things.length > 0 && things.every(isPerson);
}

/** Single things, no people. */
export function singleThings(all: readonly Spoken[]): readonly Spoken[] {
  return all.filter((one) => isOne(one) && !isRoom(one) && !isOfPeople(one));
}

/** Whether it can have things on it or in it: it has, or things are usually put there. */
export function canHold({ things: [thing], isHolder }: Spoken, where: string): boolean {
  if (isHolder || !thing) return isHolder === true;
  const { category } = thing;
  return /on/i.test(where) ? supports(category) || isKindOf(category, "seat") : holds(category);
}

const ONE_PERSON: Wanted = {
  form: /\b(?:he|she|him|her|his|hers)\b/i,
  fits: (one) => isOne(one) && isOfPeople(one),
};
const SOMEBODY = /\b(?:he|she|him|her|his|hers)\b/gi;
const IT = /\b(?:it|its|that|this)\b/gi;
/** Pronouns for a kind of thing: for the subject the first match counts, for the place the second. */
const OF_WHOM: readonly Wanted[] = [
  ONE_PERSON,
  { form: /\b(?:that|this|the same) (?:room|aisle)\b/i, fits: (one) => isOne(one) && isRoom(one) },
  { form: /\b(?:those|these|the) (?:\w+ )?rooms\b/i, fits: ({ rooms }) => rooms.length > 1 },
  {
    form: /\b(?:they|them|their|those|these|both|the two)\b/i,
    fits: ({ things, rooms }) => things.length > 1 || rooms.length > 1,
  },
  {
    form: /\bwhich ones?\b/i,
    fits: ({ things, rooms, isAsked }) => !isAsked || things.length + rooms.length > 1,
  },
  { form: /\b(?:it|its|that|this|the thing)\b/i, fits: (one) => isOne(one) && !isOfPeople(one) },
];
const WHERE: readonly Wanted[] = [
  { form: /\b(?:there|(?:that|this|the same) room)\b/i, fits: (one) => isOne(one) && isRoom(one) },
  { form: /\b(?:it|that|them|those|these)\b/i, fits: (one) => isOne(one) && !isRoom(one) },
];

/** Operators with a place as an argument, and its position. */
const PLACES: Readonly<Record<string, number>> = {
  within: 1,
  in: 1,
  relate: 1,
  contents: 0,
  held: 0,
  stay: 0,
  doings: 0,
};
/** Operators whose second argument is the person. */
const OF_SOMEBODY: ReadonlySet<string> = new Set(["stay", "doings"]);
/** Relations to a support or container; beside and above may take anything. */
const HOLDING: ReadonlySet<string> = new Set(["on", "in", "under"]);
/** Operators that choose among several. */
const AMONG: ReadonlySet<string> = new Set(["filter", "most", "least", "nth", "each", "all"]);

/** Operators whose argument is a person, and those whose argument is none. */
const OF_PEOPLE: ReadonlySet<string> = new Set(["carried"]);
const OF_THINGS: ReadonlySet<string> = new Set(["carrier", "holder", "held", "contents"]);

/** Whether the referent is a person by the operator that takes it; undefined where it may be either. */
function isPersonBy(parent: Expression | undefined): boolean | undefined {
  if (parent === undefined) return undefined;
  if (OF_PEOPLE.has(parent.op)) return true;
  // "Did she take it?": what she carried, and it.
  const isOfCarried = parent.op === "and" && parent.of.some(({ op }) => OF_PEOPLE.has(op));
  return isOfCarried || OF_THINGS.has(parent.op) ? false : undefined;
}

/** The possible referents at a place of an expression: those that fit the pronoun, otherwise all of the kind. */
export function likelyMeant(
  spoken: readonly Spoken[],
  text: string,
  { parent, n }: { readonly parent?: Expression | undefined; readonly n: number },
): readonly Spoken[] {
  // "What else is there?" means everything that was listed.
  if (parent?.op === "minus" && n === 1) {
    const own = spoken.filter(({ isHolder }) => !isHolder);
    // A set in the question was not listed: "who is the one in green?"
    const told = own.filter(({ isAsked, things }) => !isAsked || things.length === 1);
    return allOf(told.length > 0 ? told : own);
  }
  const isPerson = isPersonBy(parent);
  const ofKind = spoken.filter(
    (one) => isRoom(one) || isPerson === undefined || isOfPeople(one) === isPerson,
  );
  if (ofKind.length < spoken.length && ofKind.some((one) => isOne(one) && !isRoom(one)))
    return likelyMeant(ofKind, text.replace(isPerson ? IT : SOMEBODY, " "), { parent, n });
  const isBeside = parent?.op === "relate" && !HOLDING.has(String(parent.with["relation"]));
  const place = parent && PLACES[parent.op];
  const isWho = parent !== undefined && OF_SOMEBODY.has(parent.op) && n > 0;
  const isPlace = place !== undefined && n >= place && !isBeside && !isWho;
  const wanted = (isPlace ? WHERE : OF_WHOM).find(({ form }) => form.test(text));
  // "What was she carrying?" can only refer to a person.
  if (wanted === ONE_PERSON && !spoken.some(wanted.fits)) return [];
  const isAmong = !isPlace && parent !== undefined && AMONG.has(parent.op);
  // "Which has a cushion on it?": "it" is each of them.
  const several = isAmong ? spoken.filter(({ things, rooms }) => things.length > 1 || rooms.length > 1) : [];
  const meant = wanted ? spoken.filter(wanted.fits) : spoken;
  const fitting = several.length > 0 ? several : meant.length > 0 ? meant : spoken;
  const where = String(parent?.with["relation"] ?? (parent?.op === "contents" ? "in" : ""));
  const kept = (all: readonly Spoken[], is: (one: Spoken) => boolean) => {
    const some = all.filter(is);
    return some.length > 0 ? some : all;
  };
  if (isPlace)
    return kept(
      fitting,
      (one) => isRoom(one) || (where === "" ? one.isHolder === true : canHold(one, where)),
    );
  return kept(fitting, ({ isHolder }) => !isHolder);
}

/** Operators whose place is a room or a floor. */
const OF_ROOMS: ReadonlySet<string> = new Set(["in", "within", "stay", "doings", "neighbours", "size"]);

/** The places mentioned, the likeliest first: supports of things, or rooms where only those fit. */
export function placesSpoken(
  spoken: readonly Spoken[],
  parent: Expression | undefined,
): readonly Expression[] {
  // "At the bottom of that bay": of the bay of a slot or of its contents.
  if (parent?.op === "relate" && parent.of[0]?.with["category"] === "slot") {
    const bays = spoken.flatMap(({ things }) => (things.length === 1 ? (bayOf(things[0]!) ?? []) : []));
    if (bays.length > 0) return [...new Set(bays)].map((name) => node("called", [], { name }));
  }
  const ofRooms = parent !== undefined && OF_ROOMS.has(parent.op) && parent.with["relation"] === undefined;
  const fitting = spoken.filter(
    (one) => isOne(one) && (isRoom(one) || (!ofRooms && (canHold(one, "on") || canHold(one, "in")))),
  );
  // "Was she in the office?" refers to the office, wherever she was instead.
  return fitting.toSorted((a, b) => farness(a) - farness(b)).map(nodeOf);
}

/** The rank of a place: named or listed, then alternatives, then the places of named things. */
function farness({ isShown, isAsked, isHolder, ago = 0 }: Spoken): number {
  return 3 * ago + (isShown ? 1 : isAsked && isHolder ? 2 : 0);
}

/** The code of the bay that a slot is in, or in which a thing lies. */
function bayOf({ slot, name, category }: KnownThing): string | undefined {
  const path = slot?.path ?? (isKindOf(category, "shelf") || category === "slot" ? pathOf(name) : undefined);
  return path && path.length > 2 ? path.slice(0, -1).join("-") : undefined;
}

/** The answer's things; without any, the question's. */
export function toldOf(spoken: readonly Spoken[]): readonly Spoken[] {
  const own = spoken.filter(({ isHolder }) => !isHolder);
  const told = own.filter(({ isAsked }) => !isAsked);
  return told.length > 0 ? told : own;
}

/** All things as one set. */
function allOf(spoken: readonly Spoken[]): readonly Spoken[] {
  const things = spoken.flatMap((one) => one.things);
  const each = [...new Map(things.map((thing) => [thing.trackId, thing])).values()];
  return each.length > 0 ? [ofThings(each)] : spoken.slice(0, 1);
}
