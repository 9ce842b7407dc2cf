import { attributeOf } from "../../belief/thing.ts";
import { attributesOf } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { isPerson } from "../say/naming.ts";
import { isOf, isOne } from "./score.ts";
import { keyOf, nodeOf, ofThings, type Spoken, uniqueThings } from "./spoken.ts";

const ORDINALS: readonly string[] = ["first", "second", "third", "fourth"];

/** Words that select one of several by its position. */
export const IN_TURN = /^(?:first|second|third|fourth|last|former|latter)$/;

/** The word for "the first ones": sets of things that were mentioned one after the other. */
export const SEVERAL = "ones";

/** The n-th of the sets of one kind mentioned in order: "the curtains in the hall" before "the curtains in here". */
export function setsInTurn(all: readonly Spoken[], which: string): readonly Spoken[] {
  const sets = all.filter(({ things }) => things.length > 1);
  const kind = sets[0]?.things[0]?.category;
  const alike = sets.filter(({ things }) => things.every(({ category }) => category === kind));
  return nth([...new Map(alike.map((one) => [keyOf(one), one])).values()].toReversed(), which);
}

/** The n-th of the last list; otherwise of the things of one kind mentioned in order. */
export function inTurn(all: readonly Spoken[], which: string): readonly Spoken[] {
  const several = all[0]?.things.length === 1 ? undefined : all.find(({ things }) => things.length > 1);
  const own = all.filter((one) => isOne(one) && isOf("thing", one));
  const kind = own.find(({ isHolder }) => !isHolder)?.things[0]?.category;
  const alike = own.filter(({ things: [thing] }) => thing?.category === kind).toReversed();
  const told = several ? several.things : uniqueThings(alike.flatMap(({ things }) => things));
  return nth(
    told.map((thing) => ofThings([thing])),
    which,
  );
}

function nth(each: readonly Spoken[], which: string): readonly Spoken[] {
  const isLast = which === "latter" || which === "last";
  const n = isLast ? each.length - 1 : which === "former" ? 0 : ORDINALS.indexOf(which);
  const one = each.length > 1 ? each[n] : undefined;
  return one ? [one] : [];
}

/** "The red one": the only one that looks so, of those mentioned together last. */
export function looking(all: readonly Spoken[], word: string): readonly Spoken[] {
  const [look] = attributesOf(word);
  if (!look) return [];
  for (const { things } of all) {
    const such = things.filter((thing) => attributeOf(thing, look.attribute)?.value === look.value);
    if (such.length === 1) return [ofThings(such)];
  }
  return [];
}

export interface Other {
  /** The one that was spoken of last. */
  readonly one: Spoken;
  readonly other: Expression;
}

/**
 * The meaning of "the other one": of those mentioned together with one, all but that one; otherwise others of its kind.
 */
export function otherOf(all: readonly Spoken[]): Other | undefined {
  const one = all.find(({ things, isHolder }) => things.length === 1 && !isHolder);
  const [thing] = one?.things ?? [];
  if (!one || !thing) return undefined;
  const isIt = (other: typeof thing) => other.trackId === thing.trackId;
  const among = all.find(({ things }) => things.length > 1 && things.some(isIt));
  const others = among?.things.filter((other) => !isIt(other)) ?? [];
  const alike = others.filter(({ category }) => category === thing.category);
  const category = isPerson(thing) ? "person" : one.name;
  const set = among
    ? nodeOf(ofThings(alike.length > 0 ? alike : others))
    : node("minus", [node("things", [], { category }), nodeOf(one)]);
  return { one, other: node("the", [set]) };
}

/** The answer's things; without any, the question's. */
export function toldOf(spoken: readonly Spoken[]): readonly Spoken[] {
  const own = spoken.filter(({ isHolder }) => !isHolder);
  const told = own.filter(({ role }) => role !== "asked");
  return told.length > 0 ? told : own;
}

/** Everything that was told, as one set: "what else is there?" */
export function allTold(spoken: readonly Spoken[]): readonly Spoken[] {
  const own = spoken.filter(({ isHolder }) => !isHolder);
  // A set in the question was not listed: "who is the one in green?"
  const told = own.filter(({ role, things }) => role !== "asked" || things.length === 1);
  const things = uniqueThings((told.length > 0 ? told : own).flatMap((one) => one.things));
  return things.length > 0 ? [ofThings(things)] : own.slice(0, 1);
}

/** "Both of them": the last two of one sort that were mentioned apart. */
export function lastBoth(all: readonly Spoken[]): readonly Spoken[] {
  const single = all.filter((one) => isOne(one) && !one.isHolder && one.things.length === 1);
  const things = uniqueThings(single.flatMap((one) => one.things));
  const alike = things.filter((one) => isPerson(one) === isPerson(things[0]!)).slice(0, 2);
  return alike.length === 2 ? [{ ...ofThings(alike), role: "asked" }] : [];
}
