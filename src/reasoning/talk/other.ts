import { holds, isKindOf, supports } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { nodesCalled, replaced } from "../rival-values.ts";
import { isPerson } from "../say/naming.ts";
import { nodeOf, ofThings, type Spoken } from "./spoken-of.ts";
import type { Turn } from "./turn.ts";

interface Other {
  readonly one: Spoken;
  readonly other: Expression;
}

/** What "the other one" is: of those that one was told of, all but that one; else others of its kind. */
export function otherOf(all: readonly Spoken[]): Other | undefined {
  const one = all.find(({ things }) => things.length === 1 && !isPerson(things[0]!));
  const [thing] = one?.things ?? [];
  if (!one || !thing) return undefined;
  const among = all.find(({ things }) => things.length > 1 && things.some(isOf(thing.trackId)));
  const others = among?.things.filter((other) => !isOf(thing.trackId)(other)) ?? [];
  const alike = others.filter(({ category }) => category === thing.category);
  const set = among
    ? nodeOf(ofThings(alike.length > 0 ? alike : others))
    : node("minus", [node("things", [], { category: one.name }), nodeOf(one)]);
  return { one, other: node("the", [set]) };
}

const JUST_OTHER = /^(?:and|what about|how about|and what about|or)?\s*the other(?: one)?\s*\?*$/i;

/** "And the other one?": the last question, of that. */
export function sameOfOther(text: string, { parts }: Turn, all: readonly Spoken[]): Expression | undefined {
  const found = parts.length === 1 && JUST_OTHER.test(text) ? otherOf(all) : undefined;
  if (!found) return undefined;
  const asked = parts[0]!.expression;
  // Of which one is on, the other is told to be off.
  const chosen = asked.op === "name" && asked.of[0]?.op === "filter" ? asked.of[0].of[1] : undefined;
  const attribute = chosen?.op === "is" ? chosen.with["attribute"] : undefined;
  if (attribute !== undefined) return node("attribute", [found.other], { name: attribute });
  const ones = nodesCalled("the", asked).concat(nodesCalled("known", asked));
  return ones.length > 0
    ? [...ones].reduce((whole, one) => replaced(whole, one, found.other), asked)
    : undefined;
}

function isOf(trackId: string) {
  return (thing: { readonly trackId: string }) => thing.trackId === trackId;
}

/** Whether something may be on it, or in it: something is, or things are put there. */
export function canHold({ things: [thing], isHolder }: Spoken, where: string): boolean {
  if (isHolder || !thing) return isHolder === true;
  const { category } = thing;
  return /on/i.test(where) ? supports(category) || isKindOf(category, "seat") : holds(category);
}
