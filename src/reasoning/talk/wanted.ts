import { holds, isKindOf, supports } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { isPerson } from "../say/naming.ts";
import { ofThings, type Spoken } from "./spoken-of.ts";

/** What a word that stands for something can mean. */
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

/** Whether something may be on it, or in it: something is, or things are put there. */
export function canHold({ things: [thing], isHolder }: Spoken, where: string): boolean {
  if (isHolder || !thing) return isHolder === true;
  const { category } = thing;
  return /on/i.test(where) ? supports(category) || isKindOf(category, "seat") : holds(category);
}

/** Words that stand for one of a kind of things: what is asked of is by the first of them that is said, where is by the second. */
const OF_WHOM: readonly Wanted[] = [
  { form: /\b(?:he|she|him|her|his|hers)\b/i, fits: (one) => isOne(one) && isOfPeople(one) },
  { form: /\b(?:that|this|the same) room\b/i, fits: (one) => isOne(one) && isRoom(one) },
  { form: /\b(?:those|these|the) (?:\w+ )?rooms\b/i, fits: ({ rooms }) => rooms.length > 1 },
  {
    form: /\b(?:they|them|their|those|these|both|which ones?|the two)\b/i,
    fits: ({ things, rooms }) => things.length > 1 || rooms.length > 1,
  },
  { form: /\b(?:it|its|that|this|the thing)\b/i, fits: (one) => isOne(one) && !isOfPeople(one) },
];
const WHERE: readonly Wanted[] = [
  { form: /\b(?:there|(?:that|this|the same) room)\b/i, fits: (one) => isOne(one) && isRoom(one) },
  { form: /\b(?:it|that|them|those|these)\b/i, fits: (one) => isOne(one) && !isRoom(one) },
];

/** Operators that take where something is as an argument, and which. */
const PLACES: Readonly<Record<string, number>> = {
  within: 1,
  in: 1,
  relate: 1,
  contents: 0,
  held: 0,
  stay: 0,
  doings: 0,
};
/** Operators that choose among several. */
const AMONG: ReadonlySet<string> = new Set(["filter", "most", "least", "nth", "each", "all"]);

/** Of what was spoken of, what may be meant at a place of an expression: what fits the words that stand for it, else all of the kind. */
export function likelyMeant(
  spoken: readonly Spoken[],
  text: string,
  { parent, n }: { readonly parent?: Expression | undefined; readonly n: number },
): readonly Spoken[] {
  // Who asks what else there is means all that was told.
  if (parent?.op === "minus" && n === 1) return allOf(spoken.filter(({ isHolder }) => !isHolder));
  const isPlace = parent !== undefined && n >= (PLACES[parent.op] ?? Infinity);
  const wanted = (isPlace ? WHERE : OF_WHOM).find(({ form }) => form.test(text));
  const fitting = wanted ? spoken.filter(wanted.fits) : spoken;
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
  const told = kept(fitting, ({ isHolder }) => !isHolder);
  return parent !== undefined && AMONG.has(parent.op)
    ? kept(told, ({ things, rooms }) => things.length > 1 || rooms.length > 1)
    : told;
}

/** What was told; where nothing was, what was asked of. */
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
