import { holds, supports } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { kindOf } from "../algebra/check.ts";
import { node, print } from "../algebra/notation.ts";
import { nodesCalled } from "../rival-values.ts";
import { isPerson } from "../say/naming.ts";
import { nodeOf, ofThings, type Spoken } from "./spoken-of.ts";
import type { Turn } from "./turn.ts";
import { toldOf } from "./wanted.ts";

/** So many turns back a question is asked again. */
const MOST_TURNS = 2;
const STATES: ReadonlySet<string> = new Set(["power", "openness", "fill", "occupancy", "making"]);

/** The question before, asked of something else: of other things, another room or floor, another time; the likeliest first. */
export function againOf(
  other: Expression,
  turns: readonly Turn[],
  spoken: readonly Spoken[],
): readonly Expression[] {
  return turns
    .slice(-MOST_TURNS)
    .toReversed()
    .flatMap(({ parts }) => parts.slice(-1).flatMap(({ expression }) => asked(expression, other, spoken)));
}

function asked(before: Expression, other: Expression, spoken: readonly Spoken[]): readonly Expression[] {
  switch (kindOf(other)) {
    case "times":
      return [node("at", [before.op === "at" ? before.of[0]! : before, other])];
    case "rooms":
    case "floors":
      return ofOtherRoom(before, other);
    default: {
      if (isCalled(other, OTHER)) return ofTheOther(before, spoken);
      if (isCalled(other, MORE)) return ofMore(spoken);
      const bare = other.op === "the" ? other.of[0]! : other;
      return namedIn(before).map((one) => ofOtherThings(before, one, bare));
    }
  }
}

/** Sets of things that a question names, those that it is about first. */
function namedIn(before: Expression): readonly Expression[] {
  return distinctly([...nodesCalled("things", before), ...nodesCalled("known", before)]).filter(
    ({ with: { category, name, rooms } }) =>
      rooms === undefined && (category !== undefined || name !== undefined),
  );
}

function distinctly(nodes: readonly Expression[]): Expression[] {
  return [...new Map(nodes.map((one) => [print(one), one])).values()];
}

function ofOtherRoom(before: Expression, other: Expression): readonly Expression[] {
  const rooms = distinctly([
    ...nodesCalled(other.op, before).filter(({ with: { name } }) => name !== undefined),
    ...nodesCalled("known", before).filter(({ with: { rooms: own } }) => own !== undefined),
  ]);
  if (rooms.length > 0) return rooms.map((room) => put(before, room, other));
  return namedIn(before)
    .slice(0, 1)
    .map((set) => put(before, set, node("in", [set, other])));
}

function ofOtherThings(before: Expression, old: Expression, bare: Expression): Expression {
  const isDefinite =
    bare.op === "things" && bare.with["category"] === undefined && bare.with["name"] === undefined;
  const kind = old.with["category"];
  const set = isDefinite && kind !== undefined ? { ...bare, with: { category: kind, ...bare.with } } : bare;
  const state = isDefinite ? stateIn(before, old) : undefined;
  if (state !== undefined && bare.with[state] === undefined)
    return node("attribute", [node("the", [set])], { name: state });
  // "Which one is free? And the occupied one?"
  const chosen = nodesCalled("filter", before)[0];
  if (state !== undefined && chosen) return put(before, chosen, put(chosen.of[0]!, old, set));
  const isOne = old.op === "known" && (old.with["states"] as readonly string[]).length === 1;
  const told = Object.entries(old.with).filter(([name]) => old.op === "things" && STATES.has(name));
  const whole = set.op === "things" ? { ...set, with: { ...Object.fromEntries(told), ...set.with } } : set;
  return put(before, old, isOne ? node("the", [whole]) : whole);
}

/** What was asked to be so of one of a set: "has somebody left an iron on", "which of them is free". */
function stateIn(before: Expression, set: Expression): string | undefined {
  const own = Object.keys(set.with).find((name) => STATES.has(name));
  const chosen = nodesCalled("filter", before)[0]?.of[1];
  const attribute = chosen?.op === "is" ? chosen.with["attribute"] : undefined;
  return own ?? (typeof attribute === "string" ? attribute : undefined);
}

interface Other {
  readonly one: Spoken;
  readonly other: Expression;
}

const OTHER = /^others?$/;
const MORE = /^(?:more|another)$/;

function isCalled({ op, of: [inner], with: { words, category } }: Expression, form: RegExp): boolean {
  if (op === "the" && inner) return isCalled(inner, form);
  return category === undefined && Array.isArray(words) && words.some((word) => form.test(String(word)));
}

/** Whether there are more of the kind that was spoken of last, beside all of it that were. */
function ofMore(spoken: readonly Spoken[]): readonly Expression[] {
  const own = toldOf(spoken).flatMap(({ things }) => things);
  const [first] = own;
  if (!first) return [];
  const category = isPerson(first) ? "person" : first.category;
  const told = own.filter((one) => (isPerson(one) ? category === "person" : one.category === category));
  const set = node("things", [], { category });
  return [node("exists", [node("minus", [set, nodeOf(ofThings(told))])])];
}

/** What "the other one" is: of those that one was told of, all but that one; else others of its kind. */
export function otherOf(all: readonly Spoken[]): Other | undefined {
  const one = all.find(({ things, isHolder }) => things.length === 1 && !isHolder && !isPerson(things[0]!));
  const [thing] = one?.things ?? [];
  if (!one || !thing) return undefined;
  const isIt = (other: typeof thing) => other.trackId === thing.trackId;
  const among = all.find(({ things }) => things.length > 1 && things.some(isIt));
  const others = among?.things.filter((other) => !isIt(other)) ?? [];
  const alike = others.filter(({ category }) => category === thing.category);
  const set = among
    ? nodeOf(ofThings(alike.length > 0 ? alike : others))
    : node("minus", [node("things", [], { category: one.name }), nodeOf(one)]);
  return { one, other: node("the", [set]) };
}

function ofTheOther(before: Expression, spoken: readonly Spoken[]): readonly Expression[] {
  const found = otherOf(spoken);
  if (!found) return [];
  const { one, other } = found;
  return namedIn(before)
    .filter(({ with: { category } }) => isAlike(String(category), one))
    .map((old) => {
      const state = stateIn(before, old);
      if (state !== undefined) return node("attribute", [other], { name: state });
      const around = nodesCalled("the", before).find(({ of: [set] }) => set && print(set) === print(old));
      return put(before, around ?? old, other);
    });
}

/** Whether what was named may have been that one: things are not asked of what they are on. */
function isAlike(category: string, { things: [thing] }: Spoken): boolean {
  return (
    thing !== undefined &&
    supports(category) === supports(thing.category) &&
    holds(category) === holds(thing.category)
  );
}

/** Every place of the same node, since a question may say it twice. */
function put(whole: Expression, old: Expression, instead: Expression): Expression {
  const key = print(old);
  const walk = (one: Expression): Expression =>
    print(one) === key ? instead : { ...one, of: one.of.map(walk) };
  return walk(whole);
}
