import { z } from "zod";
import { nameAlone } from "../../../belief/description.ts";
import { printedOn } from "../../../belief/matching.ts";
import { middleOf, type RoomView } from "../../../belief/room-names.ts";
import { SEARCH } from "../../../belief/settings/search.ts";
import { placesOf } from "../../../belief/stays.ts";
import { attributeOf, distinctTracks, isLiveAt, type KnownThing } from "../../../belief/thing.ts";
import { evidenceFor, evidenceOfRecord, evidenceOfRooms } from "../../../belief/trust.ts";
import { extentOf, volumeOf } from "../../../geometry/index.ts";
import { isKindOf, mobilityOf, usualRooms } from "../../../ontology/index.ts";
import { usual } from "../../habits/index.ts";
import { counted, list, withArticle } from "../../say/grammar.ts";
import { nounOf } from "../../say/naming.ts";
import type { Call, Operator, Scope } from "../operator.ts";
import { thingHabits } from "../things/habit.ts";
import { placeOf } from "../things/place.ts";
import {
  type KnownValue,
  type RoomsValue,
  type ThingsValue,
  theseRooms,
  theseThings,
  unknownValue,
  type Value,
  type WordsItem,
  wordsValue,
} from "../value.ts";
import { categoryOf } from "./relating.ts";
import { roomsAt } from "./sets.ts";

const MOST_ROOMS = 12;
const MOST_SEARCHED = 64;
const MOST_THINGS = 24;
const MOST_DESCRIBED = 4;

/** Descriptions of a thing, a room or the whole in words, and where things belong. */
export const describing: readonly Operator[] = [
  {
    name: "describe",
    says: "a thing, rooms, floors or the whole place in sentences",
    takes: [{ name: "of", kinds: ["things", "rooms", "floors", "self"], optional: true }],
    options: z.strictObject({ about: z.enum(["storage"]).optional() }),
    gives: "words",
    reads: ["state", "region", "caption"],
    async run(call) {
      const x = call.size > 0 ? ((await call.arg(0)) as KnownValue) : undefined;
      if (x?.kind === "things") return describeThings(x.things, x.phrase, call.scope);
      const all = await call.scope.memory.rooms();
      const isWhole = x === undefined || (x.kind === "rooms" && x.everywhere === true);
      const rooms = isWhole ? all : await roomsAt(x, call.scope);
      if (all.length === 0) return spokenOf(call);
      if (rooms.length === 0)
        return unknownValue("never-seen", `I know of no ${x && "phrase" in x ? x.phrase : "room"} here`);
      if (call.options["about"] === "storage") return describeStorage(rooms, call.scope);
      return describeRooms(rooms, isWhole || x?.kind === "floors", call.scope);
    },
  },
  {
    name: "belongs",
    says: "the thing at its place, or another of its kind at theirs, or the room for such things: place of it is where it belongs",
    takes: [{ name: "thing", kinds: ["things"] }],
    gives: ["things", "rooms"],
    reads: ["state", "region"],
    copes: true,
    async run(call) {
      const x = await call.arg(0);
      const [thing] = x.kind === "things" ? x.things : [];
      if (thing) return placeForThing(thing, call);
      const room = await roomForKind(categoryOf(call.node.of[0]!), call.scope);
      if (room || x.kind === "unknown") return room ?? x;
      return unknownValue("never-seen", "I do not know where such things are kept");
    },
  },
];

/** Rooms with their contents, the largest things first, as a person looking around would name them. */
async function describeRooms(rooms: readonly RoomView[], isWhole: boolean, scope: Scope): Promise<Value> {
  const kinds = rooms.map(({ type }) => type);
  const number = rooms.length === 1 ? "is one room" : `are ${rooms.length} rooms`;
  const items: WordsItem[] = isWhole ? [{ words: `There ${number}: ${holding(kinds)}.`, p: 0.8 }] : [];
  const seen: KnownThing[] = [];
  for (const room of rooms.slice(0, MOST_ROOMS)) {
    const things = (await scope.memory.everything({ roomId: room.id })).toSorted(
      (a, b) => (b.box ? volumeOf(b.box) : 0) - (a.box ? volumeOf(a.box) : 0),
    );
    seen.push(...things.slice(0, 3));
    const holds = holding(things.map(({ category }) => category));
    const words = `The ${room.name} ${holds === "" ? "is empty as far as I have seen" : `has ${holds}`}.`;
    items.push({ words, p: 0.65, room, point: middleOf(room) });
  }
  const evidence = [...evidenceOfRooms(rooms), ...evidenceFor(seen)].slice(0, SEARCH.mostEvidence);
  return wordsValue("description", items, { p: 0.65, evidence });
}

/** The furniture for storage, by kind. */
async function describeStorage(rooms: readonly RoomView[], { memory }: Scope): Promise<Value> {
  const found: KnownThing[] = [];
  for (const { id } of rooms.slice(0, MOST_SEARCHED))
    for (const thing of await memory.everything({ roomId: id }))
      if (isKindOf(thing.category, "storage") && mobilityOf(thing.category) === "furniture")
        found.push(thing);
  if (found.length === 0) return unknownValue("never-seen", "I have seen nothing to keep things in");
  const kinds = [...Map.groupBy(found, ({ category }) => category)].toSorted(
    (a, b) => b[1].length - a[1].length,
  );
  const items = kinds.map(([category, [thing]]) => ({ words: category, p: 0.6, thing }));
  return wordsValue("name", items, { p: 0.6, evidence: evidenceFor(found) });
}

/** A memory of captions alone: the words of the captions. */
async function spokenOf({ scope: { memory, question } }: Call): Promise<Value> {
  const hits = await memory.like(question, { kinds: ["region", "caption"], limit: 8 });
  if (hits.length === 0) return unknownValue("never-seen", "I remember nothing of this place yet");
  const items = hits.slice(0, 4).map(({ record }) => ({ words: record.text.at(-1) ?? "", p: 0.4 }));
  const evidence = hits.map(({ record, score, position }) =>
    evidenceOfRecord(record, record.text[0] ?? record.kind, score, position),
  );
  return wordsValue("description", items, { p: 0.4, evidence });
}

async function describeThings(things: readonly KnownThing[], phrase: string, scope: Scope): Promise<Value> {
  if (things.length === 0) return unknownValue("never-seen", `I have not seen a ${phrase}`);
  const items = await Promise.all(
    things.slice(0, MOST_DESCRIBED).map(async (thing) => ({
      words: await sentenceOf(thing, scope),
      p: thing.fit,
      thing,
      ...(thing.position && { point: thing.position }),
    })),
  );
  return wordsValue("description", items, { p: 0.7 * things[0]!.fit, evidence: evidenceFor(things) });
}

/** The sentence that describes a thing. */
async function sentenceOf(thing: KnownThing, { memory }: Scope): Promise<string> {
  const states = ["openness", "power", "fill", "occupancy"].flatMap(
    (name) => attributeOf(thing, name)?.value ?? [],
  );
  const looks = ["colour", "material", "pattern"].flatMap((name) => attributeOf(thing, name)?.value ?? []);
  const name = nounOf(thing);
  const own = looks.filter((look) => !name.includes(look)).join(" ");
  const isPerson = thing.category === "person";
  const parts = [
    isPerson ? name : `${withArticle(`${own} ${name}`.trim())} ${await placeOf(thing, memory)}`,
    ...(isPerson ? [await placeOf(thing, memory)] : []),
    ...(thing.box && !isPerson ? [sizeText(extentOf(thing.box))] : []),
    ...states,
    ...printedOn(thing.state).map((text) => `that says “${text}”`),
  ];
  const sentence = parts.join(", ");
  return `${sentence[0]!.toUpperCase()}${sentence.slice(1)}.`;
}

function sizeText({ x, y, z }: { readonly x: number; readonly y: number; readonly z: number }): string {
  const cm = (m: number) => Math.round(m * 100);
  return `${cm(Math.max(x, y))} × ${cm(Math.min(x, y))} cm and ${cm(z)} cm high`;
}

/** A habit of this many days and this share of the time tells where a thing belongs. */
const HABIT = { days: 3, share: 0.5 };

async function placeForThing(thing: KnownThing, call: Call): Promise<ThingsValue> {
  const { memory } = call.scope;
  // The thing shown may be out of its place: it belongs where it was before.
  if (call.node.of[0]!.op === "shown") {
    const before = (await placesOf(thing, memory)).at(-2);
    if (before) return theseThings([before], before.category, { p: 0.7 * (0.5 + 0.5 * thing.fit) });
  }
  const habits = await thingHabits(thing, "words", memory);
  const { places, observedDays } = usual(habits.model);
  const [often] = places;
  const best = often && habits.latest.get(often.placeKey);
  if (best && observedDays >= HABIT.days && often.share >= HABIT.share)
    return theseThings([best], best.category, { p: often.share });
  const alike = (await memory.ofCategory(thing.category)).filter((one) => isLiveAt(one, memory.nowUs));
  const where = new Map<KnownThing, string>();
  for (const one of distinctTracks([thing, ...alike])) where.set(one, await placeOf(one, memory));
  const groups = Map.groupBy(where.keys(), (one) => where.get(one)!);
  const [most] = [...groups.values()].toSorted((a, b) => b.length - a.length);
  const [one] = most!;
  const p = 0.5 + (0.3 * most!.length) / Math.max(1, alike.length);
  return theseThings([one!], one!.category, { p, evidence: evidenceFor(most!) });
}

/** The most likely of the rooms for a thing of this kind. */
async function roomForKind(category: string, { memory }: Scope): Promise<RoomsValue | undefined> {
  for (const kind of usualRooms(category)) {
    const rooms = await memory.roomsNamed(nameAlone(kind));
    if (rooms.length > 0)
      return theseRooms(rooms, kind, { p: 0.4 }, { habit: { observedDays: 0, isGuess: true } });
  }
  return undefined;
}

/** "2 chairs, a lamp and a table": names with their counts, the order of the first of each. */
function holding(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return list(
    Array.from(counts, ([name, n]) => counted(n, name)),
    MOST_THINGS,
  );
}
