import { z } from "zod";
import type { Belief } from "../../../belief/belief.ts";
import { floorOf, type RoomView } from "../../../belief/room-names.ts";
import { attributeOf, type KnownThing } from "../../../belief/thing.ts";
import { evidenceFor } from "../../../belief/trust.ts";
import {
  type Box,
  boxFromPoints,
  extentOf,
  inflate,
  polygonContains,
  type Vec3,
} from "../../../geometry/index.ts";
import { isKindOf } from "../../../ontology/index.ts";
import { FreeTop } from "../free-top.ts";
import type { Call, Operator } from "../operator.ts";
import {
  type NumberValue,
  numberValue,
  type RoomsValue,
  type ThingsValue,
  truthValue,
  unknownValue,
  type Value,
} from "../value.ts";

const USES = ["sit", "sleep"] as const;
type Use = (typeof USES)[number];

const capacityOptions = z.strictObject({ verb: z.enum(USES).optional() });
const fitsOptions = z.strictObject({ relation: z.enum(["on", "in", "through"]).optional() });

export const roomLeft: readonly Operator[] = [
  {
    name: "capacity",
    says: "how many more of a thing fit on a top or in a room; with a verb how many people can sit or sleep there",
    takes: [
      { name: "host", kinds: ["things", "rooms"] },
      { name: "thing", kinds: ["things"], optional: true },
    ],
    options: capacityOptions,
    gives: "number",
    reads: ["state"],
    async run(call) {
      const host = (await call.arg(0)) as ThingsValue | RoomsValue;
      const { verb } = call.options as z.infer<typeof capacityOptions>;
      if (verb) return peopleOn(host, verb, call.scope.memory);
      const space = await spaceOf(call, host);
      if ("kind" in space) return space;
      const n = space.free.howMany(...space.sides);
      return numberValue(n, "things", { p: 0.45, evidence: space.evidence }, { of: space.of });
    },
  },
  {
    name: "fits",
    says: "whether there is room for a thing: on a top (default), in a container or a room, through a door",
    takes: [
      { name: "host", kinds: ["things", "rooms"] },
      { name: "thing", kinds: ["things"], optional: true },
    ],
    options: fitsOptions,
    gives: "truth",
    reads: ["state"],
    async run(call) {
      const host = (await call.arg(0)) as ThingsValue | RoomsValue;
      const { relation = "on" } = call.options as z.infer<typeof fitsOptions>;
      if (host.kind === "things" && relation !== "on") return fitsWithin(call, host, relation);
      const space = await spaceOf(call, host);
      if ("kind" in space) return space;
      const { free, sides, evidence } = space;
      const instead = `about ${free.freeM2().toFixed(2)} m² are free`;
      return truthValue(free.fits(...sides), { p: 0.65, evidence }, { instead });
    },
  },
];

/** The assumed side of a small thing of unknown size. */
const SOMETHING_M = 0.2;
/** A thing on a top begins at most this far under or above it, the error of boxes. */
const SUNK_M = 0.15;
const ABOVE_M = 0.4;
/** Things that hang higher leave the floor free, and lower things can be stood on. */
const OVER_FLOOR_M = 0.8;
const FLAT_M = 0.05;

interface Space {
  readonly free: FreeTop;
  readonly sides: readonly [number, number];
  readonly of: readonly KnownThing[];
  readonly evidence: NumberValue["evidence"];
}

/** The free part of a top or of a floor, and the sides of the thing to be placed. */
async function spaceOf(call: Call, host: ThingsValue | RoomsValue): Promise<Space | Value> {
  const { memory } = call.scope;
  const asked = call.size > 1 ? ((await call.arg(1)) as ThingsValue) : undefined;
  const isHost = ({ trackId }: KnownThing) =>
    host.kind === "things" && host.things.some((one) => one.trackId === trackId);
  const thing = asked?.things.find((one) => !isHost(one));
  if (asked && !thing?.box) return unknownValue("never-seen", `no measured ${asked.phrase}`);
  const sides = thing?.box ? sidesOf(thing.box) : ([SOMETHING_M, SOMETHING_M] as const);
  const place = host.kind === "things" ? host.things[0] : undefined;
  const room = host.kind === "rooms" ? host.rooms[0] : undefined;
  const area = place?.box ?? (room && boxFromPoints(room.record.hull ?? []));
  if (!area) return unknownValue("never-seen", `no measured ${host.phrase}`);
  const there = (place ? await standingOn(place, memory) : await standingIn(room!, memory)).filter(
    ({ trackId }) => trackId !== thing?.trackId,
  );
  const taken = there.flatMap(({ box }) => (box ? [box] : []));
  const hull = room?.record.hull;
  const free = new FreeTop(
    area,
    taken,
    hull && ((point) => polygonContains({ points: hull }, { ...point, z: 0 })),
  );
  const of = thing ? [thing] : [];
  const evidence = evidenceFor([...(place ? [place] : []), ...of, ...there.slice(0, 5)]);
  return { free, sides, of, evidence };
}

async function standingOn(place: KnownThing, memory: Belief): Promise<KnownThing[]> {
  const { min, max } = place.box!;
  const near = await memory.around({ type: "box", min, max: { ...max, z: max.z + ABOVE_M } });
  return near.filter(
    ({ trackId, heldBy, box }) =>
      trackId !== place.trackId &&
      (heldBy?.trackId === place.trackId || (box !== undefined && box.min.z > max.z - SUNK_M)),
  );
}

async function standingIn(room: RoomView, memory: Belief): Promise<KnownThing[]> {
  const floorZ = floorOf(room);
  return (await memory.everything({ roomId: room.id })).filter(
    ({ box }) => box && box.min.z < floorZ + OVER_FLOOR_M && extentOf(box).z > FLAT_M,
  );
}

const OVER_M = 0.06;
const LEAST_SHARE = 0.6;

/** The side that a thing needs: boxes are measured too large rather than too small. */
function own(side: number): number {
  return Math.max(side * LEAST_SHARE, side - OVER_M);
}

/** Along the axes of the map. */
function sidesOf(box: Box): readonly [number, number] {
  const { x, y } = extentOf(box);
  return [own(x), own(y)];
}

/** In a container: every side of the thing has a longer one. Through a door: the thing may be rotated. */
async function fitsWithin(call: Call, host: ThingsValue, relation: "in" | "through"): Promise<Value> {
  const asked = call.size > 1 ? ((await call.arg(1)) as ThingsValue) : undefined;
  const place = host.things[0];
  const thing = asked?.things.find(({ trackId }) => trackId !== place?.trackId);
  if (!place?.box || !thing?.box)
    return unknownValue("never-seen", `no measured ${place?.box ? (asked?.phrase ?? "thing") : host.phrase}`);
  const sides = ({ x, y, z }: Vec3) => [x, y, z].toSorted((a, b) => b - a);
  const [wide, needed] = [sides(extentOf(place.box)), sides(extentOf(thing.box)).map(own)];
  const truth =
    relation === "in"
      ? needed.every((side, n) => side <= wide[n]!)
      : needed[1]! <= wide[0]! && needed[2]! <= wide[1]!;
  const text = (lengths: readonly number[]) => `${lengths.map((side) => side.toFixed(2)).join(" × ")} m`;
  const room =
    relation === "in" ? `there is room for ${text(wide)}` : `the opening is ${text(wide.slice(0, 2))}`;
  const instead = `it is ${text(needed)}, and ${room}`;
  return truthValue(truth, { p: 0.6, evidence: evidenceFor([place, thing]) }, { instead });
}

/** The largest distance of a chair from its table. */
const AT_TABLE_M = 0.5;
/** The width of a sofa or a bench per person. */
const SEAT_M = 0.65;
const DOUBLE_BED_M = 1.25;
const MOST_ROOMS = 64;

/** How many people may sit or sleep: by the kind and width of the furniture, without what is taken. */
async function peopleOn(host: ThingsValue | RoomsValue, use: Use, memory: Belief): Promise<Value> {
  const there =
    host.kind === "rooms"
      ? await placesFor(host, use, memory)
      : use === "sit"
        ? await seatsAt(host.things, memory)
        : host.things;
  const free = there.filter((thing) => attributeOf(thing, "occupancy")?.value !== "occupied");
  const value = free.reduce((sum, thing) => sum + (use === "sleep" ? sleepers(thing) : sitters(thing)), 0);
  const p = 0.6 * Math.max(0.5, 1 - free.length * 0.04);
  return numberValue(value, "things", { p, complete: host.complete, evidence: evidenceFor(free) });
}

/** Seats themselves, and at tables those around them. */
async function seatsAt(things: readonly KnownThing[], memory: Belief): Promise<KnownThing[]> {
  const found = new Map<string, KnownThing>();
  for (const thing of things) {
    const isTable = thing.box && isKindOf(thing.category, "table");
    const near = isTable ? await memory.around({ type: "box", ...inflate(thing.box, AT_TABLE_M) }) : [thing];
    for (const one of near) if (!isTable || isKindOf(one.category, "seat")) found.set(one.trackId, one);
  }
  return [...found.values()];
}

async function placesFor({ rooms }: RoomsValue, use: Use, memory: Belief): Promise<KnownThing[]> {
  const found = new Map<string, KnownThing>();
  const kind = use === "sleep" ? "bed" : "seat";
  for (const { id } of rooms.slice(0, MOST_ROOMS))
    for (const thing of await memory.everything({ roomId: id }))
      if (isKindOf(thing.category, kind)) found.set(thing.trackId, thing);
  return [...found.values()];
}

function sitters({ name, category, box }: KnownThing): number {
  const said = /\b(two|three|four)-seat/.exec(name)?.[1];
  if (said !== undefined) return { two: 2, three: 3, four: 4 }[said]!;
  if (!isKindOf(category, "sofa") && !isKindOf(category, "bench")) return 1;
  const { x, y } = box ? extentOf(box) : { x: SEAT_M, y: SEAT_M };
  return Math.max(1, Math.min(4, Math.round(Math.max(x, y) / SEAT_M)));
}

function sleepers({ name, category, box }: KnownThing): number {
  if (/single|child|cot|bunk/.test(`${category} ${name}`)) return 1;
  if (/double|king|queen/.test(name)) return 2;
  const { x, y } = box ? extentOf(box) : { x: 1, y: 1 };
  return Math.min(x, y) > DOUBLE_BED_M ? 2 : 1;
}
