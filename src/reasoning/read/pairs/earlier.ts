import { type Expression, LociError } from "../../../schema/index.ts";
import { kindOf } from "../../algebra/check.ts";
import { node } from "../../algebra/notation.ts";

/**
 * What a pair of a conversation says of the question before: `previous()` is that question, `spoken()` the set of things that it
 * was about, `again(x)` the same question of other things or another room.
 */
const PLACEHOLDERS: ReadonlySet<string> = new Set(["previous", "spoken", "again"]);

export function isPlaceholder(op: string): boolean {
  return PLACEHOLDERS.has(op);
}

/** Whether it goes on from a question before. */
export function goesOn(part: Expression): boolean {
  return PLACEHOLDERS.has(part.op) || part.of.some(goesOn);
}

/** An expression with the question before in the place of what stands for it; throws where that has no such thing. */
export function withEarlier(part: Expression, before: Expression): Expression {
  if (part.op === "previous") return before;
  if (part.op === "spoken") return setIn(before) ?? fail("spoken()");
  const of = part.of.map((one) => withEarlier(one, before));
  if (part.op === "again") return again(before, of[0] ?? fail("again()"));
  return { ...part, of };
}

function isSet({ op, with: options }: Expression): boolean {
  return op === "things" && (options["category"] !== undefined || options["name"] !== undefined);
}

/** Of what these are asked is the set that they are about. */
const OF_SET: ReadonlySet<string> = new Set(["count", "exists", "none", "name"]);

/** The set that it is about, else the first set of things that it names. */
function setIn(before: Expression): Expression | undefined {
  const [set] = before.of;
  if (set && OF_SET.has(before.op) && kindOf(set) === "things" && set.op !== "the") return set;
  return leafIn(before);
}

function leafIn(before: Expression): Expression | undefined {
  return firstIn(before, (one) => isSet(one) || one.op === "known");
}

function firstIn(one: Expression, fits: (one: Expression) => boolean): Expression | undefined {
  if (fits(one)) return one;
  for (const inner of one.of) {
    const found = firstIn(inner, fits);
    if (found) return found;
  }
  return undefined;
}

/** The same question of something else; where it names several, nobody can tell in whose place. */
function again(before: Expression, other: Expression): Expression {
  const bare = other.op === "the" ? other.of[0]! : other;
  const sets = allIn(before, (one) => isSet(one) || one.op === "known");
  const isPlace = bare.op === "rooms" || bare.op === "floors";
  const rooms = allIn(before, ({ op, with: { name } }) => op === "rooms" && name !== undefined);
  const [old, ...more] = isPlace && rooms.length > 0 ? rooms : sets;
  if (!old || more.length > 0) return fail("again()");
  return put(before, old, isPlace && rooms.length === 0 ? node("in", [old, bare]) : bare);
}

/** Different nodes that fit. */
function allIn(whole: Expression, fits: (one: Expression) => boolean): Expression[] {
  const found = new Map<string, Expression>();
  const walk = (one: Expression): void => {
    if (fits(one)) found.set(JSON.stringify(one), one);
    else one.of.forEach(walk);
  };
  walk(whole);
  return [...found.values()];
}

/** Every place of the same node, since a question may say it twice. */
function put(whole: Expression, old: Expression, instead: Expression): Expression {
  const key = JSON.stringify(old);
  const walk = (one: Expression): Expression =>
    JSON.stringify(one) === key ? instead : { ...one, of: one.of.map(walk) };
  return walk(whole);
}

function fail(what: string): never {
  throw new LociError("invalid-input", `the question before has nothing for ${what}`);
}
