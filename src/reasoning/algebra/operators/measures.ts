import { z } from "zod";
import { area, type RoomView } from "../../../belief/room-names.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import { trust } from "../../../belief/trust.ts";
import { distance, enclosingSides, type Vec3 } from "../../../geometry/index.ts";
import { hangsOn } from "../../../ontology/index.ts";
import { theThing } from "../../say/naming.ts";
import { type End, endsOf } from "../ends.ts";
import type { Call, Operator, Scope } from "../operator.ts";
import { DIMENSIONS, type Dimension, elevationOf, gapM, sizeOf } from "../things/measure.ts";
import { selfAt } from "../things/viewer.ts";
import {
  type KnownValue,
  type NumberValue,
  numberValue,
  type ThingsValue,
  together,
  unknownValue,
  type Value,
} from "../value.ts";
import { roomsOf } from "./sets.ts";

/** Rivals within this share of the value would give the same answer. */
const SAME = 0.1;
/** The confidence in rooms and their areas is that of the map. */
const ROOM_P = 0.7;
/** The assumed ratio of walking distance to straight distance where no map is available. */
const DETOUR = 1.3;

/** A number of the first of the things that are meant; rivals with another number are named. */
async function ofThing(
  set: ThingsValue,
  unit: NumberValue["unit"],
  measure: (thing: KnownThing) => Promise<number | undefined>,
  unmeasured: string,
  sure: number,
  { memory }: Scope,
): Promise<Value> {
  const [first] = set.things;
  const value = first && (await measure(first));
  if (!first || value === undefined)
    return unknownValue("not-yet", unmeasured, { evidence: set.evidence, goal: first });
  const rivals: KnownThing[] = [];
  for (const rival of set.rivals ?? []) {
    const other = await measure(rival);
    if (other === undefined || Math.abs(other - value) > SAME * Math.max(Math.abs(value), Math.abs(other)))
      rivals.push(rival);
  }
  const p = (await trust(first, memory, rivals.length === 0)) * sure;
  return numberValue(value, unit, { ...set, p }, { of: [first], rivals });
}

function nameOf(set: ThingsValue): string {
  return set.things[0] ? theThing(set.things[0]) : `the ${set.phrase}`;
}

/** The area of rooms: the total for a floor, the house or rooms of several names; for rooms of one name the largest. */
function areaOf(x: KnownValue, rooms: readonly RoomView[]): Value {
  const areas = rooms.map(area);
  const isSum = x.kind === "floors" || new Set(rooms.map(({ name }) => name)).size > 1;
  const value = isSum ? areas.reduce((sum, one) => sum + one, 0) : Math.max(0, ...areas);
  if (value === 0)
    return unknownValue("not-yet", "I do not know how large that is", { complete: x.complete });
  return numberValue(value, "m2", { ...x, p: ROOM_P * x.p });
}

/** The longer or the shorter side of a room, of several the largest one's; heights are not measured. */
function roomSide(x: KnownValue, rooms: readonly RoomView[], dimension: Dimension): Value {
  const [largest] = rooms.toSorted((a, b) => area(b) - area(a));
  const [long, short] = enclosingSides(largest?.record.hull ?? []);
  const value = dimension === "height" ? 0 : dimension === "length" || dimension === "longest" ? long : short;
  if (value === 0)
    return unknownValue("not-yet", `I do not know the ${dimension} of that`, { complete: x.complete });
  return numberValue(value, "m", { ...x, p: ROOM_P * x.p });
}

const SIDES: ReadonlySet<Dimension | undefined> = new Set(["height", "width", "depth", "length", "longest"]);

async function sizeOfAny(call: Call): Promise<Value> {
  const x = (await call.arg(0)) as KnownValue;
  const asked = call.options["dimension"] as Dimension | undefined;
  if (x.kind !== "things") {
    const rooms = await roomsOf(x, call.scope);
    return x.kind === "rooms" && SIDES.has(asked) ? roomSide(x, rooms, asked!) : areaOf(x, rooms);
  }
  const [first] = x.things;
  const isOne = call.node.of[0]!.op !== "it" && first !== undefined;
  // The size of a rug is its area, not its volume.
  const isFlat = isOne && (asked ?? "volume") === "volume" && hangsOn(first.category) === "flat";
  const dimension = isFlat ? "area" : (asked ?? "volume");
  const unit = dimension === "volume" ? "m3" : dimension === "area" ? "m2" : "m";
  const measure = (thing: KnownThing) => sizeOf(thing, dimension, call.scope.memory);
  return ofThing(x, unit, measure, `I do not know how large ${nameOf(x)} is`, 0.8, call.scope);
}

interface Measuring {
  /** Along the floor. */
  readonly way?: ((from: Vec3, to: Vec3) => number | undefined) | undefined;
  readonly middles: boolean;
}

/**
 * Between two points: the gap of two things, or between their centres; along the floor if one walks; horizontal from a
 * position.
 */
function metres(a: End, b: End, { way, middles }: Measuring): number {
  if (way) return way(b.point, a.point) ?? DETOUR * distance(a.point, b.point);
  if (a.thing && b.thing) return (middles ? undefined : gapM(a.thing, b.thing)) ?? distance(a.point, b.point);
  return Math.hypot(a.point.x - b.point.x, a.point.y - b.point.y);
}

async function wayLengths({ map: open }: Scope) {
  const map = await open?.();
  return (from: Vec3, to: Vec3) => {
    const near = map?.nearestReachable(to, from);
    return near && map?.path(from, near)?.lengthM;
  };
}

/** The distances within a set of things: of two the gap, of more the largest. */
async function apartM(set: ThingsValue, { options, scope }: Call): Promise<Value> {
  const how = { middles: options["middles"] === true };
  const spots = await endsOf(set, scope);
  const gaps = spots.flatMap((one, n) => spots.slice(n + 1).map((other) => metres(one, other, how)));
  if (gaps.length === 0) return unknownValue("not-yet", `I do not know where ${nameOf(set)} is`);
  const { things } = set;
  const gap = how.middles && things.length === 2 ? gapM(things[0]!, things[1]!) : undefined;
  return numberValue(Math.max(...gaps), "m", { ...set, p: set.p * 0.9 }, { gapM: gap, of: things });
}

async function distanceOf(call: Call): Promise<Value> {
  const { scope } = call;
  const a = (await call.arg(0)) as KnownValue;
  const b = call.size > 1 ? ((await call.arg(1)) as KnownValue) : undefined;
  // "How far apart are the two chairs": from one to the other.
  const { op, with: told } = call.node.of[0]!;
  if (!b && op === "the" && Number(told["number"] ?? 1) > 1 && a.kind === "things" && a.things.length > 1)
    return apartM(a, call);
  // The robot's own position, now or then.
  const here = b ? undefined : await selfAt(scope);
  const to = b ? await endsOf(b, scope) : here ? [{ point: here.position }] : [];
  if (to.length === 0) return unknownValue("not-yet", "I do not know from where to measure");
  const way = call.options["walking"] === true ? await wayLengths(scope) : undefined;
  const how: Measuring = { way, middles: call.options["middles"] === true };
  const least = (from: End) => Math.min(...to.map((one) => metres(from, one, how)));
  if (a.kind === "things") {
    const measure = async (thing: KnownThing) => thing.position && least({ point: thing.position, thing });
    const value = await ofThing(a, "m", measure, `I do not know where ${nameOf(a)} is`, 0.9, scope);
    if (value.kind !== "number" || !b) return value;
    const [one] = value.of ?? [];
    const others = b.kind === "things" ? b.things : [];
    const gap = how.middles && one && others.length === 1 ? gapM(one, others[0]!) : undefined;
    const { complete } = value;
    return { ...value, ...together([value, b]), complete, gapM: gap, of: [one!, ...others.slice(0, 1)] };
  }
  const spots = await endsOf(a, scope);
  if (spots.length === 0) return unknownValue("not-yet", "I do not know where that is");
  const both = together(b ? [a, b] : [a]);
  return numberValue(Math.min(...spots.map(least)), "m", { ...both, p: both.p * 0.9 });
}

/** Numbers with units; each kind of number comes from one place. */
export const measures: readonly Operator[] = [
  {
    name: "size",
    says: "how large: height, width, depth, length, volume, area, longest side; of rooms their area, or the sides of the rectangle around them",
    takes: [{ name: "of", kinds: ["things", "rooms", "floors"] }],
    options: z.strictObject({ dimension: z.enum(DIMENSIONS).optional() }),
    gives: "number",
    run: sizeOfAny,
  },
  {
    name: "distance",
    says: "metres between two, or from the asked one: the gap between them, from middle to middle, or walking along the floor",
    takes: [
      { name: "a", kinds: ["things", "rooms", "self"] },
      { name: "b", kinds: ["things", "rooms", "self"], optional: true },
    ],
    options: z.strictObject({ walking: z.boolean().optional(), middles: z.boolean().optional() }),
    gives: "number",
    reads: ["region"],
    run: distanceOf,
  },
  {
    name: "elevation",
    says: "how high above its floor a thing is",
    takes: [{ name: "of", kinds: ["things"] }],
    gives: "number",
    async run(call) {
      const x = (await call.arg(0)) as ThingsValue;
      const measure = (thing: KnownThing) => elevationOf(thing, call.scope.memory);
      return ofThing(x, "m", measure, `I do not know how high ${nameOf(x)} is`, 0.9, call.scope);
    },
  },
];
