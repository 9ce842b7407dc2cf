import { z } from "zod";
import { nameSchema } from "../../../schema/index.ts";
import type { Operator } from "../operator.ts";
import {
  type KnownValue,
  lesser,
  type NumberValue,
  numberValue,
  together,
  unknownValue,
  type Value,
  wordsValue,
} from "../value.ts";
import { ofEach } from "./elements.ts";
import { marginOf } from "./margin.ts";

const SETS = ["things", "rooms", "floors", "events"] as const;
const TWO = [
  { name: "a", kinds: ["number"] },
  { name: "b", kinds: ["number"] },
] as const;
/** Measured sizes that differ by less than this share are equal; counts only where they are the same. */
const TIE = 0.02;

function unitOf({ unit }: NumberValue): NumberValue["unit"] {
  return unit === "epoch" ? "s" : unit;
}

/** A number computed from numbers: the lowest certainty and completeness of them. */
function outOf(numbers: readonly NumberValue[], value: number, unit: NumberValue["unit"]): NumberValue {
  const all = together(numbers);
  return numberValue(value, unit, all, { rivals: all.rivals });
}

function added(numbers: readonly NumberValue[]): number {
  return numbers.reduce((sum, { value }) => sum + value, 0);
}

/** The combined numbers of the members of a set; members without one are left out. */
function overSet(name: "total" | "mean", says: string): Operator {
  return {
    name,
    says,
    takes: [
      { name: "set", kinds: SETS },
      { name: "number", kinds: ["number"], bound: true },
    ],
    gives: "number",
    async run(call) {
      const set = (await call.arg(0)) as KnownValue;
      const values = (await ofEach(set, call)).map(({ value }) => value);
      const found = values.filter((value) => value.kind === "number");
      const [first] = found;
      if (!first) return values[0] ?? noneOf(set);
      const sum = added(found);
      const number = outOf(found, name === "total" ? sum : sum / found.length, unitOf(first));
      const share = set.complete.share * (found.length / values.length);
      return { ...number, complete: lesser(number.complete, { ...set.complete, share }) };
    },
  };
}

/** The option with the largest or smallest number, in the words of the question: "more chairs or more tables". */
function outstanding(name: "largest" | "smallest", sign: 1 | -1): Operator {
  return {
    name,
    says: `which of several numbers is the ${name}, by the words that the question has for each`,
    takes: [{ name: "of", kinds: ["number"], repeated: true }],
    options: z.strictObject({ among: z.array(nameSchema).min(2).max(16) }),
    gives: "words",
    async run(call) {
      const numbers = (await call.args()) as NumberValue[];
      const among = call.options["among"] as readonly string[];
      if (numbers.length !== among.length)
        return unknownValue("not-understood", `${among.length} names for ${numbers.length} numbers`);
      const order = numbers
        .map((number, n) => ({ number, words: among[n]! }))
        .toSorted((a, b) => sign * (b.number.value - a.number.value));
      const [first, second] = [order[0]!, order[1]!];
      const isCounted = first.number.unit === "things" || first.number.unit === "times";
      const margin = marginOf(first.number, second.number);
      const isTie = isCounted ? first.number.value === second.number.value : margin <= TIE;
      const sure = isCounted ? 1 : 0.55 + 0.45 * Math.min(1, margin * 3);
      const all = together(numbers);
      const p = all.p * sure;
      const items = [{ words: isTie ? "the same" : first.words, p }];
      const measured = order.map(({ number }) => number);
      return wordsValue(isTie ? "tie" : "comparison", items, { ...all, p }, { measured, rivals: all.rivals });
    },
  };
}

function noneOf({ complete }: KnownValue): Value {
  return unknownValue("never-seen", "I know of none of those", { complete });
}

/** Arithmetic on numbers, and on the numbers of a set's members. */
export const arithmetic: readonly Operator[] = [
  {
    name: "sum",
    says: "numbers added up",
    takes: [{ name: "of", kinds: ["number"], repeated: true }],
    gives: "number",
    async run(call) {
      const numbers = (await call.args()) as NumberValue[];
      const [first] = numbers;
      return first
        ? outOf(numbers, added(numbers), unitOf(first))
        : unknownValue("not-understood", "there is nothing to add up");
    },
  },
  {
    name: "difference",
    says: "how much two numbers differ",
    takes: TWO,
    gives: "number",
    async run(call) {
      const [a, b] = (await call.args()) as [NumberValue, NumberValue];
      return outOf([a, b], Math.abs(a.value - b.value), unitOf(a));
    },
  },
  {
    name: "ratio",
    says: "how many times as much the first number is as the second",
    takes: TWO,
    gives: "number",
    async run(call) {
      const [a, b] = (await call.args()) as [NumberValue, NumberValue];
      return b.value === 0
        ? unknownValue("false-premise", "there is nothing to measure it by", { complete: b.complete })
        : outOf([a, b], a.value / b.value, "1");
    },
  },
  overSet("total", "the numbers of all members of a set added up"),
  overSet("mean", "the mean of the numbers of all members of a set"),
  outstanding("largest", 1),
  outstanding("smallest", -1),
  {
    name: "each",
    says: "member by member: what there is to say of each",
    takes: [
      { name: "set", kinds: SETS },
      { name: "of it", kinds: ["number", "words", "truth", "times", "things", "rooms"], bound: true },
    ],
    gives: "words",
    async run(call) {
      const set = (await call.arg(0)) as KnownValue;
      const values = await ofEach(set, call);
      const known = values.filter(({ value }) => value.kind !== "unknown");
      if (known.length === 0) return values[0]?.value ?? noneOf(set);
      const p = Math.min(set.p, known.reduce((sum, { value }) => sum + value.p, 0) / known.length);
      const complete = { ...set.complete, share: (set.complete.share * known.length) / values.length };
      const { evidence } = together(known.map(({ value }) => value));
      const items = known.map(({ element: { kind: _, ...of }, value }) => ({
        words: "",
        p: value.p,
        value,
        ...of,
      }));
      return wordsValue("each", items, { p, complete, evidence });
    },
  },
];
