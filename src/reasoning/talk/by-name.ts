import { attributeOf } from "../../belief/thing.ts";
import { attributesOf, headOf, isKindOf, lookup, singularOf } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { print } from "../algebra/notation.ts";
import { isPerson } from "../say/naming.ts";
import { otherOf } from "./again.ts";
import { inTurn } from "./in-turn.ts";
import { nodeOf, ofRooms, ofThings, type Spoken, unique } from "./spoken-of.ts";
import { canHold, isOfPeople, isOne, isRoom, singleThings as things } from "./wanted.ts";

/** A question with its pronoun replaced by a name. */
export interface Way {
  readonly said: string;
  readonly meant: Spoken;
  /** The referent of the name. */
  readonly node: Expression;
}

/** Pronouns: their possible referents, and how a name replaces them. */
interface Pronoun {
  readonly form: RegExp;
  readonly means: (all: readonly Spoken[], found: RegExpExecArray) => readonly Spoken[];
  readonly say?: (name: string) => string;
  /** The expression asked for, if it differs from what is named. */
  readonly node?: (all: readonly Spoken[]) => Expression | undefined;
}

const rooms = (all: readonly Spoken[]) => all.filter((one) => isOne(one) && isRoom(one));

/** The first match counts. */
const PRONOUNS: readonly Pronoun[] = [
  {
    form: /\b(?:those|these|the) (?:two |three |four )?rooms\b(?= (?:is|are|has|have|was)\b)|\b(?:those|these) rooms\b/i,
    means(all) {
      const those = unique(all.flatMap((each) => each.rooms));
      return those.length > 1 ? [ofRooms(those)] : [];
    },
  },
  {
    form: /\b(?:that|this|the same) (?:room|aisle|area|hall|hallway|corridor|kitchen|bedroom|bathroom|office|garage|floor area)\b/i,
    means: rooms,
  },
  {
    form: /\b(?:that|the same) (\p{L}{3,})\b(?=\s*(?:[?.!,]|$|is\b|was\b|in\b|on\b))/iu,
    means: (all, [, kind = ""]) =>
      lookup(kind.toLowerCase())
        ? things(all).filter((one) => isKindOf(one.things[0]!.category, kind.toLowerCase()))
        : [],
  },
  {
    form: /\bthe (first|second|third|former|latter)(?: one)?\b(?=\s*(?:[?.!,]|$|is\b|was\b|then\b|in\b|on\b|there\b|has\b))/i,
    means: (all, [, which = ""]) => inTurn(all, which.toLowerCase()),
  },
  {
    form: /\bthe (\p{L}+) one\b(?! (?:in|on|at|of|with|from)\b)/iu,
    means(all, [, word = ""]) {
      const [look] = attributesOf(word.toLowerCase());
      const looking = all
        .flatMap((one) => one.things)
        .filter((thing) => look && attributeOf(thing, look.attribute)?.value === look.value);
      const such = [...new Map(looking.map((thing) => [thing.trackId, thing])).values()];
      return such.length === 1 ? [ofThings(such)] : [];
    },
  },
  {
    form: /\bthe other(?: one)?\b(?! (?:ones|side|end|way|day|two|rooms?|things?))/i,
    means: (all) => [otherOf(all)?.one ?? []].flat(),
    node: (all) => otherOf(all)?.other,
  },
  {
    form: /\b(?:he|she|him|her(?=\s*(?:[?.!]|$|\b(?:in|on|at|last|again|before|there)\b)))\b/i,
    means: (all) => all.filter((one) => isOne(one) && isOfPeople(one)),
    say: (name) => name,
  },
  {
    form: /\b(?:they|them|(?:those|these)(?=\s*[?.!]*$)|the two(?= (?:is|are|was|were|do|does|did|has|have)\b|\s*[?.!]*$))\b/i,
    means: (all) => all.filter((one) => one.things.length > 1),
  },
  { form: /\bits\b/i, means: things, say: (name) => `the ${name}'s` },
  {
    // "On it" and "in it" need a referent that things are on or in.
    form: /(?<=\b(on|in|inside|into|on top of) )(?:it|that)\b/i,
    means: (all, [, where = ""]) => things(all).filter((one) => canHold(one, where)),
  },
  {
    form: /\b(?:it|(?:that|this) one|the thing(?! (?:that|which|in|on)\b)|(?<!\b(?:before|after|was|like|than|about|of) )that(?=\s*[?.!]*$))\b/i,
    means: (all) => things(all).filter(({ isHolder }) => !isHolder),
  },
  {
    // "There" as a place: not "is there a".
    form: /\b(?:in|over|up|down) there\b|\b(?<!\b(?:is|are|was|were|be) )there\b(?! (?:is|are|was|were|a|an|any|some|another|no|many|more)\b)|\bthere(?=\s*[?.!]*$)/i,
    means: rooms,
    say: (name) => `in the ${name}`,
  },
];

/** "It" without a referent: the time of day, the weather. */
const NOTHING = /\b(?:what time|how late) is it\b|\bis it (?:true|possible|raining|cold|warm|late|likely)\b/i;
/** "And the other one, what is it next to?" */
const FIRST_NAMED = /^(?:and )?(the other(?: one)?)\s*,\s*(.*)\bit\b(.*)$/i;

/** The versions of a question with its pronouns replaced, by what was mentioned, the last turn's first. */
export function waysToSay(question: string, spoken: readonly (readonly Spoken[])[]): readonly Way[] {
  const text = question.replace(FIRST_NAMED, "$2$1$3");
  const last = spoken[0] ?? [];
  // Where the last turn was about a room and nothing in it, "it" may be that room.
  const isAboutRoom = last.length > 0 && last.every((one) => one.things.length === 0);
  const all = spoken.flat();
  for (const { form, means, say = called, node } of PRONOUNS) {
    const found = form.exec(text);
    if (!found) continue;
    const isIt = /^(?:it|that)$/i.test(found[0]);
    const rest = text.replace(form, " ");
    const fitting = [...(isAboutRoom && isIt ? rooms(last) : []), ...means(all, found)].filter(
      (one) => !isNamedIn(rest, one),
    );
    if (fitting.length === 0) continue;
    if (NOTHING.test(text) || hasOwn(text.slice(0, found.index))) return [];
    return fitting.map((each) => {
      const meant = plainly(each, text);
      return { said: text.replace(form, say(meant.name)), meant, node: node?.(all) ?? nodeOf(each) };
    });
  }
  return [];
}

/** A thing that the question also names is not the referent of its pronoun: "who put that one on the bench?" */
function isNamedIn(text: string, { things: [thing, ...more] }: Spoken): boolean {
  if (!thing || more.length > 0 || isPerson(thing)) return false;
  const said = text.toLowerCase();
  return [thing.category, headOf(thing.category)?.name ?? thing.category].some((noun) =>
    new Set(said.split(/[^\p{L}-]+/u)).has(noun.toLowerCase()),
  );
}

function called(name: string): string {
  return `the ${name}`;
}

/** With the shortest name that the question does not use otherwise: "sofa" for a three-seat sofa. */
function plainly(spoken: Spoken, text: string): Spoken {
  const [thing, ...more] = spoken.things;
  const head = thing && more.length === 0 && !isPerson(thing) ? headOf(thing.category)?.name : undefined;
  return head === undefined || text.toLowerCase().includes(head) ? spoken : { ...spoken, name: head };
}

/** Whether a clause before the pronoun names its referent: "and the bed, is it made?" */
function hasOwn(before: string): boolean {
  const clause = /^(.*)(?:[,;.?!]|\band\b|\bif\b|\bor\b)/is.exec(before)?.[1] ?? "";
  const words = clause.split(/[^\p{L}]+/u);
  return words.some((word, n) => n > 0 && lookup(singularOf(word.toLowerCase())) !== undefined);
}

/** An expression with the referent in the place of the set read for its name. */
export function withMeant(part: Expression, { meant: { name, rooms: own }, node: put }: Way): Expression {
  const wanted = singularOf(name).toLowerCase();
  const isRooms = own.length > 0;
  const isBare = wanted === "thing" || (own.length > 1 && wanted === "room");
  const names = (one: Expression) => {
    if (one.op !== (isRooms ? "rooms" : "things")) return false;
    const options = Object.keys(one.with).length;
    const said = String(one.with[isRooms ? "name" : "category"] ?? one.with["name"] ?? "").toLowerCase();
    return isBare ? options === 0 : options === 1 && said === wanted;
  };
  const walk = (one: Expression): Expression =>
    names(one) || (one.op === "the" && one.of[0] && names(one.of[0]))
      ? put
      : { ...one, of: one.of.map(walk) };
  return walk(part);
}

/** Whether the referent is in the expressions now; people and rooms of one name are recognised by it. */
export function isPutIn(
  before: readonly Expression[],
  after: readonly Expression[],
  { things: [first], name }: Spoken,
): boolean {
  if (before.some((part, n) => print(part) !== print(after[n]!))) return true;
  const isNamed = !first || isPerson(first);
  return isNamed && before.some((part) => print(part).toLowerCase().includes(name.toLowerCase()));
}
