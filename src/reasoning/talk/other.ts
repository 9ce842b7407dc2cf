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
  const set = among
    ? nodeOf(ofThings(among.things.filter((other) => !isOf(thing.trackId)(other))))
    : node("minus", [node("things", [], { category: one.name }), nodeOf(one)]);
  return { one, other: node("the", [set]) };
}

/** Of what things are on or in, the one spoken of before the last. */
function otherHolder(all: readonly Spoken[], where: string): Other | undefined {
  const ones = all.filter(
    (each) => each.things.length === 1 && !isPerson(each.things[0]!) && canHold(each, where),
  );
  const other = ones.find(({ things }) => !isOf(things[0]!.trackId)(ones[0]!.things[0]!));
  return other && { one: ones[0]!, other: nodeOf(other) };
}

const JUST_OTHER =
  /^(?:and|what about|how about|and what about|or)?\s*(?:(on|in|inside|on top of) )?the other(?: one)?\s*\?*$/i;

/** "And the other one?": the last question, of that. */
export function sameOfOther(text: string, { parts }: Turn, all: readonly Spoken[]): Expression | undefined {
  const said = parts.length === 1 ? JUST_OTHER.exec(text) : null;
  const found = said && ((said[1] && otherHolder(all, said[1])) || otherOf(all));
  const asked = parts[0]!.expression;
  const ones = nodesCalled("the", asked).concat(nodesCalled("known", asked));
  return found && ones.length > 0
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
