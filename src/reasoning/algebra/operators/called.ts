import { z } from "zod";
import { nameSchema } from "../../../schema/index.ts";
import { node } from "../notation.ts";
import type { Operator } from "../operator.ts";
import { unknownValue, type Value } from "../value.ts";

/** A code or a name alone: what bears it as text, else a place of that name, else a thing or person that is called so. */
export const called: readonly Operator[] = [
  {
    name: "called",
    says: "what bears a code or name: things on which it is written, places of that name, things called so",
    takes: [],
    options: z.strictObject({ name: nameSchema }),
    gives: ["things", "rooms"],
    reads: ["state", "track", "region"],
    async run({ options, value }) {
      const { name } = options as { readonly name: string };
      const [asText, asPlace] = [node("things", [], { text: name }), node("rooms", [], { name })];
      // "Dock 2" is a place first, and "B-03-1" what bears it.
      const ways = [
        ...(name.includes(" ") ? [asPlace, asText] : [asText, asPlace]),
        node("things", [], { name }),
        node("things", [], { category: name }),
      ];
      const found: Value[] = [];
      for (const way of ways) {
        const one = await value(way);
        if (one.kind === "things" && one.things.length > 0) return one;
        if (one.kind === "rooms" && one.rooms.length > 0) return one;
        found.push(one);
      }
      return found[0]?.kind === "things"
        ? { ...found[0], phrase: name }
        : unknownValue("never-seen", `I saw nothing called ${name}`);
    },
  },
  {
    name: "held",
    says: "what is on or in a thing, or in a place: the contents of a shelf, slot, dock or aisle",
    takes: [{ name: "holder", kinds: ["things", "rooms"] }],
    gives: "things",
    reads: ["state", "track"],
    async run(call) {
      const holder = call.node.of[0]!;
      const { kind } = await call.arg(0);
      if (kind === "rooms") return call.value(node("in", [node("things"), holder]));
      return call.value(node("contents", [node("the", [holder])]));
    },
  },
];
