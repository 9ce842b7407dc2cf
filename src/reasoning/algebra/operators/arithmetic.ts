import { z } from "zod";
import { nameSchema } from "../../../schema/index.ts";
import type { Call, Operator } from "../operator.ts";
import { lesser } from "../things/coverage.ts";
import { type KnownValue, type NumberValue, unknownValue, type Value } from "../value.ts";
import { elementsOf, ofElements } from "./elements.ts";
import { marginOf } from "./margin.ts";

const NONE = z.strictObject({});
const SETS = ["things", "rooms", "floors", "events"] as const;
const TWO = [
  { name: "a", kinds: ["number"] },
  { name: "b", kinds: ["number"] },
] as const;
/** No more members are measured for one question. */
const MOST_MEASURED = 400;
/** Measured sizes that differ by less than this share are as good as equal; counts only where they are. */
const TIE = 0.02;

function unitOf({ unit }: NumberValue): NumberValue["unit"] {
  return unit === "epoch" ? "s" : unit;
}

/** A number out of numbers: as sure as the least sure of them, as closed as the least closed. */
function outOf(numbers: readonly NumberValue[], value: number, unit: NumberValue["unit"]): NumberValue {
  const rivals = numbers.flatMap((one) => one.rivals ?? []);
  return {
    kind: "number",
    value,
    unit,
    p: Math.min(...numbers.map(({ p }) => p)),
    complete: lesser(...numbers.map(({ complete }) => complete)),
    evidence: numbers.flatMap(({ evidence }) => evidence).slice(0, 20),
    ...(rivals.length > 0 && { rivals }),
  };
}

function added(numbers: readonly NumberValue[]): number {
  return numbers.reduce((sum, { value }) => sum + value, 0);
}

async function numbersOf(call: Call): Promise<NumberValue[]> {
  const all = await Promise.all(Array.from({ length: call.size }, (_, n) => call.arg(n)));
  return all as NumberValue[];
}

/** The number of each member of a set, put together; members without one are left out. */
function overSet(name: "total" | "mean", says: string): Operator {
  return {
    name,
    says,
    takes: [
      { name: "set", kinds: SETS },
      { name: "number", kinds: ["number"], bound: true },
    ],
    options: NONE,
    gives: "number",
    reads: [],
    async run(call) {
      const set = (await call.arg(0)) as KnownValue;
      const found: NumberValue[] = [];
      let lacking: Value | undefined;
      for (const part of elementsOf(set).slice(0, MOST_MEASURED)) {
        const number = await call.arg(1, { it: ofElements(set, [part]) });
        if (number.kind === "number") found.push(number);
        else lacking ??= number;
      }
      const [first] = found;
      if (!first)
        return lacking ?? unknownValue("never-seen", "I know of none of those", { complete: set.complete });
      const sum = added(found);
      const share = found.length / elementsOf(set).length;
      const number = outOf(found, name === "total" ? sum : sum / found.length, unitOf(first));
      const complete = lesser(number.complete, { ...set.complete, share: set.complete.share * share });
      return { ...number, complete, of: undefined };
    },
  };
}

/** The option whose number comes out on top, in the words of the question: "more chairs or more tables". */
function outstanding(name: "largest" | "smallest", sign: 1 | -1): Operator {
  return {
    name,
    says: `which of several numbers is the ${name}, by the words that the question has for each`,
    takes: [{ name: "of", kinds: ["number"], repeated: true }],
    options: z.strictObject({ among: z.array(nameSchema).min(2).max(16) }),
    gives: "words",
    reads: [],
    async run(call) {
      const numbers = await numbersOf(call);
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
      const { p, complete, evidence, rivals } = outOf(numbers, 0, "1");
      return {
        kind: "words",
        about: isTie ? "tie" : "comparison",
        items: [{ words: isTie ? "the same" : first.words, p: p * sure }],
        measured: order.map(({ number }) => number),
        p: p * sure,
        complete,
        evidence,
        ...(rivals && { rivals }),
      };
    },
  };
}

/** Numbers out of numbers, and what each member of a set gives. */
export const arithmetic: readonly Operator[] = [
  {
    name: "sum",
    says: "numbers added up",
    takes: [{ name: "of", kinds: ["number"], repeated: true }],
    options: NONE,
    gives: "number",
    reads: [],
    async run(call) {
      const numbers = await numbersOf(call);
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
    options: NONE,
    gives: "number",
    reads: [],
    async run(call) {
      const [a, b] = (await numbersOf(call)) as [NumberValue, NumberValue];
      return outOf([a, b], Math.abs(a.value - b.value), unitOf(a));
    },
  },
  {
    name: "ratio",
    says: "how many times as much the first number is as the second",
    takes: TWO,
    options: NONE,
    gives: "number",
    reads: [],
    async run(call) {
      const [a, b] = (await numbersOf(call)) as [NumberValue, NumberValue];
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
    options: NONE,
    gives: "words",
    reads: [],
    async run(call) {
      const set = (await call.arg(0)) as KnownValue;
      const values: { readonly part: ReturnType<typeof elementsOf>[number]; readonly value: Value }[] = [];
      for (const part of elementsOf(set).slice(0, MOST_MEASURED))
        values.push({ part, value: await call.arg(1, { it: ofElements(set, [part]) }) });
      const known = values.filter(({ value }) => value.kind !== "unknown");
      if (known.length === 0)
        return (
          values[0]?.value ??
          unknownValue("never-seen", "I know of none of those", { complete: set.complete })
        );
      const p = Math.min(set.p, known.reduce((sum, { value }) => sum + value.p, 0) / known.length);
      return {
        kind: "words",
        about: "each",
        items: known.map(({ part, value }) => ({
          words: "",
          p: value.p,
          value,
          ...(part.kind === "thing" && { thing: part.thing }),
          ...(part.kind === "event" && { thing: part.thing }),
          ...(part.kind === "room" && { room: part.room }),
          ...(part.kind === "floor" && { storey: part.storey }),
        })),
        p,
        complete: { ...set.complete, share: (set.complete.share * known.length) / values.length },
        evidence: known.flatMap(({ value }) => value.evidence).slice(0, 20),
      };
    },
  },
];
