import { z } from "zod";
import type { Operator } from "../operator.ts";
import type { KnownValue, NumberValue } from "../value.ts";
import { nothingKnown } from "./truth.ts";

/** How much less sure a count is for each of the counted, and how unsure at most. */
const ONE_MORE_OR_LESS = 0.05;
const MOST_DOUBT = 0.4;

const NONE = z.strictObject({});

/** How many elements a set has, without regard to whether it is closed. */
export function sizeOfSet(value: KnownValue): number {
  switch (value.kind) {
    case "things":
      return value.things.length * (value.times ?? 1);
    case "rooms":
      return value.rooms.length;
    case "floors":
      return value.storeys.length;
    case "events":
      return value.events.length;
    case "times":
      return value.spans.length;
    default:
      return 1;
  }
}

/** Operators that look at how many there are. */
export const counting: readonly Operator[] = [
  {
    name: "count",
    says: "how many there are",
    takes: [{ name: "of", kinds: ["things", "rooms", "floors", "events", "times"] }],
    options: NONE,
    gives: "number",
    reads: [],
    async run(call) {
      const set = (await call.arg(0)) as KnownValue;
      const value = Math.round(sizeOfSet(set));
      const nothing = value === 0 ? nothingKnown(set) : undefined;
      if (nothing) return nothing;
      return {
        kind: "number",
        value,
        unit: set.kind === "events" ? "times" : "things",
        // The more there are, the likelier one was missed or taken for two.
        p: set.p * Math.max(MOST_DOUBT, 1 - value * ONE_MORE_OR_LESS),
        complete: set.complete,
        evidence: set.evidence,
        ...(set.kind === "things" && { of: set.things }),
      };
    },
  },
  {
    name: "parity",
    says: "whether a number is odd or even",
    takes: [{ name: "of", kinds: ["number"] }],
    options: NONE,
    gives: "words",
    reads: [],
    async run(call) {
      const { value, p, complete, evidence } = (await call.arg(0)) as NumberValue;
      const words = Math.round(value) % 2 === 0 ? "even" : "odd";
      return { kind: "words", about: "parity", items: [{ words, p }], p, complete, evidence };
    },
  },
  {
    name: "divisible",
    says: "whether a number can be divided by another without a rest",
    takes: [{ name: "of", kinds: ["number"] }],
    options: z.strictObject({ by: z.int().min(1).max(1000) }),
    gives: "truth",
    reads: [],
    async run(call) {
      const { value, p, complete, evidence } = (await call.arg(0)) as NumberValue;
      const truth = Math.round(value) % (call.options["by"] as number) === 0;
      return { kind: "truth", truth, p, complete, evidence };
    },
  },
];
