import { z } from "zod";
import type { Operator } from "../operator.ts";
import type { KnownValue } from "../value.ts";

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
      return {
        kind: "number",
        value: sizeOfSet(set),
        unit: set.kind === "events" ? "times" : "things",
        p: set.p,
        complete: set.complete,
        evidence: set.evidence,
        ...(set.kind === "things" && { of: set.things }),
      };
    },
  },
];
