import { z } from "zod";
import { nameAlone } from "../../../belief/description.ts";
import { isKindCalled } from "../../../belief/matching.ts";
import { middleOf, type RoomView } from "../../../belief/room-names.ts";
import { attributeOf, isLiveAt, type KnownThing } from "../../../belief/thing.ts";
import { distance } from "../../../geometry/index.ts";
import { helpsAgainst, opens, roomFor, roomsLike, type Serving, switches } from "../../../ontology/index.ts";
import { categoriesOf, servingKinds } from "../../purposes/meaning.ts";
import { takesRoom, wantsCompany } from "../../purposes/wishes.ts";
import type { Call, Operator, Scope } from "../operator.ts";
import {
  type RoomsValue,
  type ThingsValue,
  theseRooms,
  theseThings,
  type UnknownValue,
  unknownValue,
  type Value,
  wordsValue,
} from "../value.ts";

/** Fit of a thing with exactly the name. */
const CALLED_SO = 0.84;
const MOST_FOUND = 16;
/** Confidence: of a thing of a suitable kind, of a room, of a thing merely near in meaning. */
const SURE = { thing: 0.7, room: 0.75, region: 0.45, meaning: 0.35 };
/** There is always a nearest in meaning; only one so clearly nearer than unrelated words counts. */
const SERVES_Z = 3;

const options = z.strictObject({ purpose: z.string().min(1).max(400), room: z.boolean().optional() });

interface Wish {
  readonly purpose: string;
  /** Only these, where they were named. */
  readonly among?: ThingsValue | RoomsValue | undefined;
  /** The question asks what to do: things that are off can be switched on, and any kind that helps will do. */
  readonly toDo?: boolean | undefined;
}

export const purposes: readonly Operator[] = [
  {
    name: "serves",
    says: "what serves a need in words, the best first: things, or rooms where a room is what it takes (room: true asks for a place)",
    takes: [{ name: "among", kinds: ["things", "rooms"], optional: true }],
    options,
    gives: ["things", "rooms"],
    reads: ["state", "region"],
    async run(call) {
      const { purpose, room } = call.options as z.infer<typeof options>;
      const wish = { purpose, among: await amongOf(call) };
      return room ? placeFor(wish, call.scope) : servingThings(wish, call.scope);
    },
  },
  {
    name: "action",
    says: "what to do about a complaint or a wish: words such as “turn on”, with the thing that it is done to",
    takes: [{ name: "among", kinds: ["things", "rooms"], optional: true }],
    options,
    gives: "words",
    reads: ["state"],
    async run(call) {
      const { purpose } = call.options as z.infer<typeof options>;
      const found = await servingThings({ purpose, among: await amongOf(call), toDo: true }, call.scope);
      if (found.kind === "unknown") return found;
      const [thing] = found.kind === "things" ? found.things : [];
      const [room] = found.kind === "rooms" ? found.rooms : [];
      const item = thing ? { words: verbFor(thing), thing } : { words: "go to", room };
      return wordsValue("action", [{ ...item, p: found.p }], found);
    },
  },
];

async function amongOf(call: Call): Promise<ThingsValue | RoomsValue | undefined> {
  return call.size > 0 ? ((await call.arg(0)) as ThingsValue | RoomsValue) : undefined;
}

/** The action that makes a thing useful: switching it on unless it is on, opening it if it is closed. */
export function verbFor(thing: KnownThing): string {
  const power = attributeOf(thing, "power")?.value;
  if (power === "off") return "turn on";
  if (attributeOf(thing, "openness")?.value === "closed") return "open";
  return power === undefined && switches(thing.category) && !opens(thing.category) ? "turn on" : "use";
}

/** "What can I use to", "where can I": things that serve the need, the nearest of the likeliest kind. */
async function servingThings(wish: Wish, scope: Scope): Promise<Value> {
  const { purpose } = wish;
  if (takesRoom(purpose) && !wish.toDo) {
    const room = await nearestRoom(roomFor(purpose), wish, scope);
    if (room) return room;
  }
  const kinds = await kindsFor(wish, scope);
  const found = await ofKinds(kinds, wish, scope);
  if (found.length > 0) return served(found, wish, scope);
  if (kinds.length > 0) return nothing(purpose);
  return (await nearestRoom(roomFor(purpose), wish, scope)) ?? byMeaning(wish, scope);
}

/** A place for an activity: the room with the mood or for the activity, or the thing that it needs. */
async function placeFor(wish: Wish, scope: Scope): Promise<Value> {
  const { purpose } = wish;
  if (wantsCompany(purpose)) return served(await persons(scope), wish, scope);
  const doings = roomFor(purpose);
  // Among rooms with the right mood, those for the activity come first.
  const moods = roomsLike(purpose).toSorted(
    (a, b) => Number(doings.includes(b)) - Number(doings.includes(a)),
  );
  const byMood = await nearestRoom(moods, wish, scope);
  if (byMood && !takesRoom(purpose)) return byMood;
  const suited = await nearestRoom(doings, wish, scope);
  if (suited) return (takesRoom(purpose) ? undefined : await thingIn(suited, wish, scope)) ?? suited;
  const things = await servingThings(wish, scope);
  if (things.kind !== "unknown" && things.p >= 0.6) return things;
  return byMood ?? (await regionLike(wish, scope)) ?? things;
}

async function kindsFor({ purpose, toDo }: Wish, { memory }: Scope): Promise<readonly Serving[]> {
  const against = toDo ? helpsAgainst(purpose) : [];
  return against.length > 0 ? against : servingKinds(purpose, memory.options.embedder);
}

interface Found {
  readonly thing: KnownThing;
  readonly rank: number;
}

/** Things of suitable kinds, among those that are meant; equally suitable kinds have the same rank. */
async function ofKinds(
  kinds: readonly Serving[],
  { among, toDo }: Wish,
  { memory }: Scope,
): Promise<Found[]> {
  const found = new Map<string, Found>();
  const weights = [...new Set(kinds.map(({ weight }) => weight))];
  for (const [rank, weight] of weights.entries()) {
    const alike = kinds.filter((kind) => kind.weight === weight);
    for (const thing of await thingsOf(alike, memory))
      if (!found.has(thing.trackId) && isLiveAt(thing, memory.nowUs) && isAmong(thing, among))
        found.set(thing.trackId, { thing, rank });
    // The likeliest kind will do; of switchable things any kind may be off.
    const first = Math.min(...Array.from(found.values(), (one) => one.rank));
    if (found.size > MOST_FOUND || (!toDo && rank > first)) break;
  }
  return [...found.values()];
}

/** Things of the kinds by the names of the vocabulary; otherwise by the names of this memory. */
async function thingsOf(kinds: readonly Serving[], memory: Scope["memory"]): Promise<KnownThing[]> {
  const exactly = await memory.ofCategory(...new Set(kinds.flatMap(categoriesOf)));
  if (exactly.length > 0) return exactly;
  const name = kinds[0]!.entry.name;
  return (await memory.things(nameAlone(name))).filter(
    ({ fit, category }) => fit >= CALLED_SO && isKindCalled(name, category),
  );
}

function isAmong(thing: KnownThing, among: Wish["among"]): boolean {
  if (!among || (among.kind === "rooms" && among.everywhere)) return true;
  return among.kind === "rooms"
    ? among.rooms.some(({ id }) => id === thing.roomId)
    : among.things.some(({ trackId }) => trackId === thing.trackId);
}

/** People, the last seen first: they do not stay where they were. */
async function persons({ memory }: Scope): Promise<Found[]> {
  const seen = await Promise.all(
    (await memory.ofCategory("person")).map(async (thing) => ({
      thing,
      atUs: await memory.lastSeenUs(thing),
    })),
  );
  return seen.toSorted((a, b) => b.atUs - a.atUs).map(({ thing }, rank) => ({ thing, rank }));
}

/** The likeliest kind, in the room for the activity, the nearest first. */
async function served(
  found: readonly Found[],
  { purpose, toDo }: Wish,
  { memory, pose }: Scope,
): Promise<Value> {
  if (found.length === 0) return nothing(purpose);
  const suited = await roomsCalled(roomFor(purpose), memory);
  const elsewhere = new Set<KnownThing>();
  for (const { thing } of suited.length > 0 ? found.slice(0, MOST_FOUND) : []) {
    const room = await memory.roomOf(thing);
    if (!room || !suited.some(({ id }) => id === room.id)) elsewhere.add(thing);
  }
  const idle = (thing: KnownThing) => (toDo && mayBeOff(thing) ? 0 : 1);
  const away = (thing: KnownThing) => (elsewhere.has(thing) ? 1 : 0);
  const far = ({ position }: KnownThing) => (pose && position ? distance(pose.position, position) : 0);
  const ordered = found.toSorted(
    (a, b) =>
      idle(a.thing) - idle(b.thing) ||
      a.rank - b.rank ||
      away(a.thing) - away(b.thing) ||
      far(a.thing) - far(b.thing),
  );
  const last = ordered[0]!.rank;
  const things = ordered.filter(({ rank }) => rank <= last).map(({ thing }) => thing);
  return theseThings(things.slice(0, MOST_FOUND), purpose, { p: SURE.thing });
}

/** A switchable thing that was not seen on: cameras do not see whether a radiator is warm. */
function mayBeOff(thing: KnownThing): boolean {
  const power = attributeOf(thing, "power")?.value;
  return power === "off" || (power === undefined && switches(thing.category));
}

/** A suitable thing in the suitable room, if that room has one. */
async function thingIn(suited: RoomsValue, wish: Wish, scope: Scope): Promise<Value | undefined> {
  const found = await ofKinds(await kindsFor(wish, scope), wish, scope);
  const here = found.filter(({ thing }) => thing.roomId === suited.rooms[0]!.id);
  return here.length > 0 ? served(here, wish, scope) : undefined;
}

function nothing(purpose: string): UnknownValue {
  return unknownValue("never-seen", `nothing for that (${purpose})`);
}

/** Without an entry for the need: the things nearest to it by embedding. */
async function byMeaning({ purpose, among }: Wish, { memory }: Scope): Promise<Value> {
  const hits = await memory.like(purpose, {
    kinds: ["state"],
    limit: 5,
    time: { overlaps: { fromUs: memory.nowUs, toUs: memory.nowUs + 1 } },
  });
  const { background } = memory.options;
  const cosine = hits[0]?.scores.meaning;
  const isNear =
    !background || (cosine !== undefined && (cosine - background.mean) / background.sd >= SERVES_Z);
  const found = isNear ? await memory.thingOfState(hits[0]?.record.id ?? "", 1) : undefined;
  return found && isAmong(found, among)
    ? theseThings([found], purpose, { p: SURE.meaning })
    : nothing(purpose);
}

/** The region whose words are nearest to the wish. */
async function regionLike({ purpose }: Wish, { memory }: Scope): Promise<RoomsValue | undefined> {
  const rooms = await memory.rooms();
  for (const { record } of await memory.like(purpose, { kinds: ["region"], limit: 8 })) {
    const room = rooms.find(({ id }) => id === record.id);
    if (room) return theseRooms([room], purpose, { p: SURE.region });
  }
  return undefined;
}

/** The nearest room of the first kind that exists, then others of that kind. */
async function nearestRoom(
  names: readonly string[],
  { purpose, among }: Wish,
  { memory, pose }: Scope,
): Promise<RoomsValue | undefined> {
  for (const name of names) {
    const fitting = (await roomsCalled([name], memory)).filter(
      ({ id }) => among?.kind !== "rooms" || among.rooms.some((room) => room.id === id),
    );
    const far = (room: RoomView) => (pose ? distance(pose.position, middleOf(room)) : 0);
    const rooms = fitting.toSorted((a, b) => far(a) - far(b));
    if (rooms.length > 0) return theseRooms(rooms, purpose, { p: SURE.room });
  }
  return undefined;
}

async function roomsCalled(names: readonly string[], memory: Scope["memory"]): Promise<RoomView[]> {
  const found = new Map<string, RoomView>();
  for (const name of names)
    for (const room of await memory.roomsNamed(nameAlone(name)))
      if ((room.record.hull?.length ?? 0) >= 3) found.set(room.id, room);
  return [...found.values()];
}
