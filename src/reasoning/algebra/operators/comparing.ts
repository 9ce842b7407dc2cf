import { z } from "zod";
import { sharesHolder } from "../../../belief/holder.ts";
import { codeOf } from "../../../belief/labels.ts";
import { norm } from "../../../belief/matching.ts";
import type { RackPlace } from "../../../belief/rack-place.ts";
import { fillSaid } from "../../../belief/slots.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import { nameSchema } from "../../../schema/index.ts";
import { list } from "../../say/grammar.ts";
import { aThing, nounOf, theThing } from "../../say/naming.ts";
import type { Call, Operator, Scope } from "../operator.ts";
import { agreement, attributeAt, hasValue } from "../things/attributes.ts";
import { completenessOf } from "../things/coverage.ts";
import { onFloorOf } from "../things/floor.ts";
import { DIMENSIONS, type Dimension, sizeOf } from "../things/measure.ts";
import { verdictOf } from "../things/verdict.ts";
import {
  type KnownValue,
  type NumberValue,
  type RoomsValue,
  theseThings,
  together,
  truthValue,
  unknownValue,
  type Value,
} from "../value.ts";
import { elementsOf, idOf } from "./elements.ts";
import { marginOf } from "./margin.ts";
import { roomsAt } from "./sets.ts";

/** Lengths and areas that differ by less than this share are called equal. */
const ABOUT = 0.15;

function comparison(
  name: "greater" | "less" | "equal",
  says: string,
  holds: (a: NumberValue, b: NumberValue) => boolean,
): Operator {
  return {
    name,
    says,
    takes: [
      { name: "a", kinds: ["number"] },
      { name: "b", kinds: ["number"] },
    ],
    gives: "truth",
    async run(call) {
      const [a, b] = [(await call.arg(0)) as NumberValue, (await call.arg(1)) as NumberValue];
      const margin = marginOf(a, b);
      // A clear difference is certain; a small one may go either way.
      const sure = isCount(a) && isCount(b) ? 1 : 0.55 + 0.45 * Math.min(1, margin * 3);
      const both = together([a, b]);
      return truthValue(holds(a, b), { ...both, p: both.p * sure }, { shown: a, rivals: both.rivals });
    },
  };
}

function isCount({ unit }: NumberValue): boolean {
  return unit === "things" || unit === "times" || unit === "1";
}

function isEqual(a: NumberValue, b: NumberValue): boolean {
  return isCount(a) && isCount(b) ? a.value === b.value : marginOf(a, b) < ABOUT;
}

const SIZES: ReadonlySet<string> = new Set([...DIMENSIONS, "size"]);

/** Parts of a slot code in which the contents of racks may agree. */
const IN_RACK: Readonly<Record<string, (slot: RackPlace) => unknown>> = {
  slot: ({ code }) => code,
  bay: ({ kind, path }) => codeOf({ path: kind === "slot" && path.length > 2 ? path.slice(0, -1) : path }),
  level: ({ level }) => level,
  side: ({ row, side }) => `${row} ${side}`,
  aisle: ({ row }) => row,
  row: ({ row }) => row,
};

/** Whether two things agree in a property; undefined where it is unknown of one. */
async function agree(
  a: KnownThing,
  b: KnownThing,
  measure: string,
  scope: Scope,
): Promise<boolean | undefined> {
  const { memory } = scope;
  if (measure === "room" || measure === "place") {
    const [one, other] = [await memory.roomOf(a), await memory.roomOf(b)];
    return one && other && one.id === other.id;
  }
  const inRack = IN_RACK[measure];
  if (inRack && a.slot && b.slot) return inRack(a.slot) === inRack(b.slot);
  if (measure === "support") return sharesHolder(a, b, memory);
  if (measure === "kind" || measure === "category")
    return norm(nounOf(a)) === norm(nounOf(b)) || norm(a.category) === norm(b.category);
  if (SIZES.has(measure)) {
    const dimension = (measure === "size" ? "volume" : measure) as Dimension;
    const [p, q] = [await sizeOf(a, dimension, memory), await sizeOf(b, dimension, memory)];
    return p === undefined || q === undefined ? undefined : Math.abs(p - q) < ABOUT * Math.max(p, q);
  }
  const [p, q] = [await attributeAt(a, measure, scope), await attributeAt(b, measure, scope)];
  return p && q ? agreement(measure, p.value, q.value) >= 0.5 : undefined;
}

async function areSame(call: Call): Promise<Value> {
  const measure = call.options["measure"] as string;
  const known = (await call.args()) as KnownValue[];
  const { p, evidence, complete, rivals } = together(known);
  let same: boolean | undefined;
  if (measure === "identity") {
    const [one = [], other = []] = known.map((value) => elementsOf(value).map(idOf));
    same = one.some((id) => other.includes(id));
  } else if (measure === "floor") {
    const rooms = (await Promise.all(known.map((one) => roomsAt(one, call.scope)))).flat();
    const size = known.reduce((sum, one) => sum + elementsOf(one).length, 0);
    same =
      size < 2 || rooms.length < size ? undefined : new Set(rooms.map(({ storey }) => storey)).size === 1;
  } else {
    const [first, ...rest] = known.flatMap((one) => (one.kind === "things" ? one.things : []));
    const each = await Promise.all(rest.map((other) => agree(first!, other, measure, call.scope)));
    same = each.includes(false) ? false : each.length === 0 || each.includes(undefined) ? undefined : true;
  }
  if (same === undefined) {
    const says = `I know too little of them to tell whether they have the same ${measure}`;
    return unknownValue("not-yet", says, { evidence });
  }
  return truthValue(same, { p: p * 0.95, complete, evidence }, { rivals });
}

/** The confidence in what is on a floor. */
const FLOOR_P = 0.75;
/** The most obstacles that are named. */
const MOST_NAMED = 4;

/** Whether the floor of an aisle or a room is clear: no portable things or vehicles on it. */
async function isClear(set: RoomsValue, isWanted: boolean, scope: Scope): Promise<Value> {
  const there = await onFloorOf(set.rooms, scope);
  const complete = await completenessOf(set.rooms, scope);
  const shown = theseThings(there, "thing", { p: FLOOR_P, complete });
  const evidence = there.length > 0 ? shown.evidence : set.evidence;
  const names = list(there.map(aThing), MOST_NAMED);
  const instead = there.length > 0 && isWanted ? { instead: `there is ${names}` } : {};
  const basis = { p: FLOOR_P * set.p, complete, evidence };
  return truthValue((there.length === 0) === isWanted, basis, { shown, ...instead });
}

/** Predicates of a thing, and comparisons of two. */
export const comparing: readonly Operator[] = [
  comparison("greater", "whether the first number is larger", (a, b) => a.value > b.value),
  comparison("less", "whether the first number is smaller", (a, b) => a.value < b.value),
  comparison("equal", "whether two numbers are the same, lengths about so", isEqual),
  {
    name: "is",
    says: "whether a thing has that value of an attribute, is of that kind or size; whether the floor of a room is clear",
    takes: [{ name: "of", kinds: ["things", "rooms", "self"] }],
    options: z.strictObject({ attribute: nameSchema, value: z.union([nameSchema, z.boolean(), z.number()]) }),
    gives: "truth",
    reads: ["event"],
    async run(call) {
      const { attribute } = call.options as { readonly attribute: string };
      const value = String(call.options["value"]).toLowerCase();
      const set = (await call.arg(0)) as KnownValue;
      const wanted = set.kind === "rooms" ? fillSaid([value]) : undefined;
      if (set.kind === "rooms" && wanted) return isClear(set, wanted === "empty", call.scope);
      if (set.kind !== "things")
        return unknownValue("not-understood", `I cannot tell whether that is ${value}`);
      const name = set.things[0] ? theThing(set.things[0]) : "it";
      const judge = (thing: KnownThing) => hasValue(thing, attribute, value, call.scope);
      return verdictOf(set, judge, `I have not noticed whether ${name} is ${value}`, call.scope);
    },
  },
  {
    name: "same",
    says: "whether they agree in a measure: room, floor, support, kind, size, in racks slot, bay, level, side or aisle, or an attribute",
    takes: [
      { name: "a", kinds: ["things", "rooms"] },
      { name: "b", kinds: ["things", "rooms"], optional: true },
    ],
    options: z.strictObject({ measure: nameSchema }),
    gives: "truth",
    reads: ["event"],
    run: areSame,
  },
];
