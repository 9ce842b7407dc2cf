import { z } from "zod";
import type { Operator } from "../operator.ts";
import { type KnownValue, type NumberValue, numberValue, truthValue, wordsValue } from "../value.ts";
import { elementsOf } from "./elements.ts";
import { nothingKnown } from "./truth.ts";

/** The loss of certainty of a count for each thing counted, and its largest total. */
const ONE_MORE_OR_LESS = 0.05;
const MOST_DOUBT = 0.4;

/** Operators on the number of things. */
export const counting: readonly Operator[] = [
  {
    name: "count",
    says: "how many there are",
    takes: [{ name: "of", kinds: ["things", "rooms", "floors", "events", "times"] }],
    gives: "number",
    async run(call) {
      const set = (await call.arg(0)) as KnownValue;
      const times = (set.kind === "things" ? set.times : undefined) ?? 1;
      const value = Math.round(elementsOf(set).length * times);
      const nothing = value === 0 ? nothingKnown(set) : undefined;
      if (nothing) return nothing;
      // The more there are, the more likely one was missed or counted twice.
      const p = set.p * Math.max(MOST_DOUBT, 1 - value * ONE_MORE_OR_LESS);
      const of = set.kind === "things" ? set.things : undefined;
      return numberValue(value, set.kind === "events" ? "times" : "things", { ...set, p }, { of });
    },
  },
  {
    name: "parity",
    says: "whether a number is odd or even",
    takes: [{ name: "of", kinds: ["number"] }],
    gives: "words",
    async run(call) {
      const number = (await call.arg(0)) as NumberValue;
      const words = Math.round(number.value) % 2 === 0 ? "even" : "odd";
      return wordsValue("parity", [{ words, p: number.p }], number);
    },
  },
  {
    name: "divisible",
    says: "whether a number can be divided by another without a rest",
    takes: [{ name: "of", kinds: ["number"] }],
    options: z.strictObject({ by: z.int().min(1).max(1000) }),
    gives: "truth",
    async run(call) {
      const number = (await call.arg(0)) as NumberValue;
      return truthValue(Math.round(number.value) % (call.options["by"] as number) === 0, number);
    },
  },
];
