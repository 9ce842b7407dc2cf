import { volumeOf } from "../../geometry/index.ts";
import {
  evidenceOf,
  evidenceOfRecord,
  type Finding,
  type Rule,
  type RuleContext,
  unknown,
} from "../finding.ts";
import { isRoom, plain } from "../parse/noun-phrase.ts";
import type { RoomView } from "../recall/room-names.ts";
import { isLiveAt, type Thing } from "../recall/thing.ts";
import { countedList, listOf, placeOf, theName } from "../words/phrases.ts";
import { missing } from "./absence.ts";
import { movedStays } from "./change.ts";
import { positionOf } from "./places.ts";
import { roomsOf } from "./resolve.ts";

/** The whole place, or one region of it, in words: what the forest's summaries say. */
export const describe: Rule = async (need, context) => {
  const { recall } = context;
  const goal = need.subgoals[0];
  if (need.verb === "store") return storage(context);
  const named = goal && goal.target.head !== "object" ? await roomsOf(goal.target, context) : undefined;
  if (named === null && isRoom(goal!.target))
    return { ...unknown(`I know of no ${goal!.target.phrase} here.`, "not-seen"), confidence: 0.65 };
  const rooms = named && named.length > 0 ? named : await recall.rooms();
  if (rooms.length === 0) {
    const hits = await recall.like(need.text, { kinds: ["region", "caption"], limit: 8 });
    if (hits.length === 0) return unknown("I remember nothing of this place yet.", "not-seen");
    return {
      status: "answered",
      text: hits
        .slice(0, 4)
        .map(({ record }) => record.text.at(-1) ?? "")
        .join(" "),
      evidence: hits
        .slice(0, 6)
        .map(({ record, score, position }) =>
          evidenceOfRecord(record, record.text[0] ?? record.kind, score, position),
        ),
      confidence: 0.4,
    };
  }
  if (named?.[0]) return describeRoom(named[0], context);
  const head = named
    ? ""
    : `There are ${rooms.length} rooms: ${countedList(
        rooms.map(({ name }) => name.replace(/ \d+$/, "")),
        16,
      )}. `;
  // Whoever asks which rooms there are wants their names alone.
  const summaries =
    need.verb === "rooms"
      ? []
      : rooms.slice(0, 12).map(({ record }) => record.text[1] ?? record.text[0] ?? record.name);
  return {
    status: "answered",
    text: `${head}${summaries.join(" ")}`.trim().slice(0, 4_000),
    set: rooms.map(({ name }) => name).slice(0, 64),
    evidence: rooms
      .slice(0, 12)
      .map(({ record, centre }) => evidenceOfRecord(record, record.text[0] ?? record.name, 1, centre)),
    confidence: 0.6,
  };
};

/** What a room holds, the largest first: what one would name who looks around in it. */
async function describeRoom(room: RoomView, { recall }: RuleContext): Promise<Finding> {
  const things = (await recall.everything({ roomId: room.id })).toSorted(
    (a, b) => (b.box ? volumeOf(b.box) : 0) - (a.box ? volumeOf(a.box) : 0),
  );
  const names = things.map(({ category }) => category);
  return {
    status: "answered",
    text: `The ${room.name} has ${countedList(names, 32)}.`,
    set: [...new Set(names)].slice(0, 64),
    evidence: [
      evidenceOfRecord(room.record, room.record.text[0] ?? room.name, 1, room.centre),
      ...things.slice(0, 11).map((thing) => evidenceOf(thing, theName(thing))),
    ],
    confidence: 0.65,
  };
}

/** Where a thing was, as an answer. */
async function placedAt(was: Thing, now: Thing, recall: RuleContext["recall"]): Promise<Finding> {
  return {
    status: "answered",
    text: await placeOf(was, recall),
    ...(was.position && { position: positionOf(was, (await recall.roomOf(was))?.name) }),
    evidence: [was, now].map((stay) => evidenceOf(stay, theName(stay))),
    confidence: 0.7 * (0.5 + 0.5 * now.fit),
    goal: was,
  };
}

const STORAGE = [
  "wardrobe",
  "dresser",
  "bookcase",
  "shelf",
  "rack",
  "cupboard",
  "cabinet",
  "chest",
  "sideboard",
  "nightstand",
  "fridge",
  "drawer",
  "stand",
];

/** The furniture that things are kept in. */
async function storage({ recall }: RuleContext): Promise<Finding> {
  const found = new Map<string, Thing>();
  for (const name of STORAGE)
    for (const thing of await recall.things(plain(name, name), { all: true }))
      if (thing.fit >= 0.6 && isLiveAt(thing, recall.nowUs)) found.set(thing.trackId, thing);
  const things = [...found.values()];
  if (things.length === 0) return unknown("I have seen nothing to keep things in.", "not-seen");
  const kinds = [...new Set(things.map(({ category }) => category))];
  return {
    status: "answered",
    text: listOf(kinds, 24),
    set: kinds.slice(0, 64),
    evidence: things.slice(0, 12).map((thing) => evidenceOf(thing, theName(thing))),
    confidence: 0.6,
  };
}

/** Where such a thing belongs: where others of its kind are, on what they mostly stand. */
export const belongs: Rule = async (need, context) => {
  const { recall } = context;
  const goal = need.subgoals[0]!;
  if (goal.target.head === "object") return unknown("Show me what you mean: I cannot see it.");
  const alike = (await recall.things(goal.target)).filter(({ fit }) => fit >= 0.5);
  // What is shown may be out of its place: it belongs where it was before.
  if (goal.target.deixis !== undefined && alike[0]) {
    const before = movedStays(await recall.stays(alike[0].trackId)).at(-2);
    if (before) return placedAt(before, alike[0], recall);
  }
  if (alike.length === 0)
    return missing(goal, { things: [], named: [], room: undefined, ambiguous: false }, need, context);
  const places = new Map<string, Thing[]>();
  for (const thing of alike) {
    const where = await placeOf(thing, recall);
    places.set(where, [...(places.get(where) ?? []), thing]);
  }
  const [best] = [...places].sort((a, b) => b[1].length - a[1].length);
  const thing = best![1][0]!;
  return {
    status: "answered",
    text: best![0],
    ...(thing.position && { position: positionOf(thing) }),
    evidence: best![1].slice(0, 5).map((one) => evidenceOf(one, theName(one))),
    confidence: 0.5 + 0.3 * (best![1].length / alike.length),
    goal: thing,
    set: [...places.keys()].slice(0, 8).map((where) => listOf([where])),
  };
};
