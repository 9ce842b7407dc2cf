import { z } from "zod";
import { holderThing } from "../../../belief/holder.ts";
import { distinctTracks } from "../../../belief/thing.ts";
import { nameSchema } from "../../../schema/index.ts";
import { theThing } from "../../say/naming.ts";
import { node } from "../notation.ts";
import type { Call, Operator } from "../operator.ts";
import { notThere } from "../things/meant.ts";
import { placeOf } from "../things/place.ts";
import { theseThings, unknownValue, type Value } from "../value.ts";

/** The confidence in the support or container of a thing. */
const HELD_P = 0.9;
/** The confidence that a slot has its code. */
const SLOT_P = 0.95;

/**
 * A code or a name alone: the thing that bears it as text, otherwise a place of that name, otherwise a thing or person
 * of that name.
 */
export const called: readonly Operator[] = [
  {
    name: "called",
    says: "what bears a code or name: things on which it is written, places of that name, things called so",
    takes: [],
    options: z.strictObject({ name: nameSchema }),
    gives: ["things", "rooms"],
    reads: ["state", "track", "region"],
    async run({ options, value, scope }) {
      const { name } = options as { readonly name: string };
      // The board that says "B-03-1" identifies the slot; the name means the slot.
      const slot = await scope.memory.coded(name, scope.during);
      if (slot) return theseThings([slot], name, { p: SLOT_P });
      const [asText, asPlace] = [node("things", [], { text: name }), node("rooms", [], { name })];
      // "Dock 2" is a place first, and "B-03-1" the thing that bears it.
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
  {
    name: "holder",
    says: "what things stand on, lie on or are in: the shelf, slot, table, pallet, box, cupboard",
    takes: [{ name: "things", kinds: ["things"] }],
    gives: "things",
    reads: ["state", "track"],
    run: runHolder,
  },
];

/**
 * The supports or containers of things, each once; including those of things that fit as well, since the reference is
 * ambiguous.
 */
async function runHolder(call: Call): Promise<Value> {
  const set = await call.arg(0);
  if (set.kind !== "things") return set;
  const { memory, during } = call.scope;
  const those = [...set.things, ...(set.rivals ?? [])];
  const found = await Promise.all(those.map((thing) => holderThing(thing, memory, during)));
  const holders = distinctTracks(found.filter((thing) => thing !== undefined));
  if (holders.length > 0) return theseThings(holders, holders[0]!.category, { ...set, p: set.p * HELD_P });
  const [first] = set.things;
  if (!first) return set.lacking ?? notThere(set);
  return unknownValue("false-premise", `${theThing(first)} is ${await placeOf(first, memory)}`, {
    evidence: set.evidence,
    goal: first,
  });
}
