import { z } from "zod";
import type { Call, Operator, Scope } from "../operator.ts";
import { meant, meantTogether } from "../things/meant.ts";
import { asTheyWere } from "../things/meant-then.ts";
import { hangs } from "../things/standing.ts";
import { type KnownValue, type NumberValue, type UnknownValue, unknownValue, type Value } from "../value.ts";
import { type Element, elementsOf, ofEach, ofElements } from "./elements.ts";
import { marginOf } from "./margin.ts";

const SETS = ["things", "rooms", "floors", "events"] as const;
/** Values that differ by less than this share are equal. */
const TIE = 0.02;

interface Measured {
  readonly element: Element;
  readonly number: NumberValue;
}

/** Members with their numbers, ascending; those without a number are left out and counted. */
async function measured(
  set: KnownValue,
  call: Call,
): Promise<{ readonly sorted: Measured[]; readonly without: number; readonly unknown?: UnknownValue }> {
  const all = await ofEach(set, call);
  const found = all.flatMap(({ element, value }) =>
    value.kind === "number" ? [{ element, number: value }] : [],
  );
  const unknown = all.map(({ value }) => value).find((value) => value.kind === "unknown");
  return {
    sorted: found.sort((a, b) => a.number.value - b.number.value),
    without: all.length - found.length,
    ...(unknown && { unknown }),
  };
}

/** The first few of an order, with how clear their lead is. */
function chosen(set: KnownValue, order: readonly Measured[], n: number, without: number): Value {
  const picked = order.slice(0, n);
  const [last, next] = [picked.at(-1)!, order[n]];
  const margin = next === undefined ? 1 : marginOf(last.number, next.number);
  const ties = order.slice(n).filter(({ number }) => marginOf(last.number, number) <= TIE);
  const all = picked.length + ties.length;
  const share = set.complete.share * (1 - without / (order.length + without));
  const sure =
    Math.min(set.p, ...picked.map(({ number }) => number.p)) * (0.55 + 0.45 * Math.min(1, margin * 3));
  const elements = picked.map(({ element }) => element);
  // Two rooms with equally many chairs both have the most, unless a number was asked for.
  const value = ofElements(
    set,
    set.kind === "things" ? elements : order.slice(0, all).map((one) => one.element),
  );
  const rivals = ties.flatMap(({ element }) => (element.kind === "thing" ? [element.thing] : []));
  return {
    ...value,
    p: sure,
    complete: { ...set.complete, share },
    ...(rivals.length > 0 && { rivals }),
    ...(value.kind === "things" && { elsewhere: undefined }),
  };
}

function extreme(name: "most" | "least", sign: 1 | -1): Operator {
  return {
    name,
    says: `those of a set for which a number is ${name === "most" ? "largest" : "smallest"}`,
    takes: [
      { name: "set", kinds: SETS },
      { name: "number", kinds: ["number"], bound: true },
    ],
    options: z.strictObject({ n: z.int().min(1).max(100).optional() }),
    gives: "first",
    copes: true,
    async run(call) {
      const set = await call.arg(0, await nearestFirst(call.node.of[1]!, sign, call.scope));
      if (set.kind === "unknown") return set;
      const { sorted, without, unknown } = await measured(standing(set, call.node.of[1]!), call);
      if (sorted.length === 0) return nothingToCompare(set, unknown);
      // There is no "most" where all have none.
      if (sign === 1 && sorted.at(-1)!.number.value === 0) return noneOfThose(sorted.at(-1)!.number);
      const order = sign === 1 ? sorted.toReversed() : sorted;
      return chosen(set, order, (call.options["n"] as number | undefined) ?? 1, without);
    },
  };
}

/** The tallest or largest thing in a room is one that stands in it, not a door or a curtain. */
function standing(set: KnownValue, { op }: { readonly op: string }): KnownValue {
  if (set.kind !== "things" || set.phrase !== "thing" || op !== "size") return set;
  const things = set.things.filter((thing) => !hangs(thing.category));
  return things.length > 0 ? { ...set, things } : set;
}

/** Of ten thousand chairs only the nearest are read where the nearest is asked for. */
async function nearestFirst(
  measure: { readonly op: string; readonly of: readonly unknown[] },
  sign: 1 | -1,
  { enough, pose }: Scope,
) {
  return sign === -1 && measure.op === "distance" && measure.of.length === 1 && pose
    ? { enough: { ...enough, near: pose.position } }
    : undefined;
}

/**
 * A question about another time often describes the thing as it is now: "the rucksack on the bench, where was it
 * before?"
 */
async function meantThen(then: Value, call: Call): Promise<Value> {
  const { during, ...now } = call.scope;
  if (then.kind !== "unknown" || during === undefined || then.reason === "ambiguous") return then;
  const set = await call.arg(0, { during: undefined, enough: { ...now.enough, few: true } });
  const thing = set.kind === "things" ? await meant(set, now) : set;
  return (thing.kind === "things" && (await asTheyWere(thing, during, call.scope))) || then;
}

/** No member could be compared: the answer names the missing property. */
function nothingToCompare(set: KnownValue, unknown?: UnknownValue): Value {
  const phrase = "phrase" in set ? set.phrase : "thing";
  if (set.kind === "things" && set.phrase === "robot" && unknown) return unknown;
  return elementsOf(set).length === 0
    ? (set.kind === "things" && set.lacking) ||
        unknownValue("never-seen", `I have not seen any ${phrase}`, { complete: set.complete })
    : unknownValue("not-yet", `I know too little of any ${phrase} to compare`, { complete: set.complete });
}

function noneOfThose({ complete }: NumberValue): Value {
  return unknownValue("never-seen", "I have seen none of those anywhere", { complete });
}

/** Operators that select from a set. */
export const choosing: readonly Operator[] = [
  extreme("most", 1),
  extreme("least", -1),
  {
    name: "nth",
    says: "the n-th of a set in ascending order of a number; -1 is the last",
    takes: [
      { name: "set", kinds: SETS },
      { name: "number", kinds: ["number"], bound: true },
    ],
    options: z.strictObject({ n: z.int() }),
    gives: "first",
    async run(call) {
      const set = (await call.arg(0)) as KnownValue;
      const { sorted, without } = await measured(set, call);
      if (sorted.length === 0) return nothingToCompare(set);
      const n = call.options["n"] as number;
      const one = sorted.at(n > 0 ? n - 1 : n);
      if (!one || n === 0)
        return unknownValue("false-premise", `there are only ${sorted.length}`, { complete: set.complete });
      return chosen(set, [one], 1, without);
    },
  },
  {
    name: "the",
    says: "the one that is meant, or so many of them",
    takes: [{ name: "set", kinds: SETS }],
    options: z.strictObject({ number: z.int().min(1).max(100).optional() }),
    gives: "first",
    copes: true,
    async run(call) {
      const number = call.options["number"] as number | undefined;
      const few = (number ?? 1) <= 1;
      const set = await call.arg(0, few ? { enough: { ...call.scope.enough, few } } : undefined);
      if (set.kind === "things" && few) return meantThen(await meant(set, call.scope), call);
      if (set.kind === "things")
        return meantTogether(set, number!, call.scope, () =>
          call.arg(0, { enough: { ...call.scope.enough, doubtful: true } }),
        );
      if (set.kind === "unknown" || elementsOf(set).length > 0) return set;
      const phrase = "phrase" in set ? set.phrase : "such time";
      return unknownValue("never-seen", `I know of no ${phrase} here`, { complete: set.complete });
    },
  },
];
