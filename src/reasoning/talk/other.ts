import { holds, isKindOf, supports } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { isPerson } from "../say/naming.ts";
import { nodeOf, ofThings, type Spoken } from "./spoken-of.ts";

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
  const set = among
    ? nodeOf(ofThings(among.things.filter((other) => !isOf(thing.trackId)(other))))
    : node("minus", [node("things", [], { category: one.name }), nodeOf(one)]);
  return { one, other: node("the", [set]) };
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
