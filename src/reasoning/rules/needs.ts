import { distance, volumeOf } from "../../geometry/index.ts";
import {
  evidenceOf,
  evidenceOfRecord,
  type Finding,
  type Rule,
  type RuleContext,
  unknown,
} from "../finding.ts";
import type { Need } from "../need.ts";
import { plain } from "../parse/noun-phrase.ts";
import { middleOf, namedRooms, type RoomView } from "../recall/room-names.ts";
import { attributeOf, isLiveAt, type Thing } from "../recall/thing.ts";
import { countedList, listOf, placeOf, theName } from "../words/phrases.ts";
import { missing } from "./absence.ts";
import { roomsFor, thingsAgainst, thingsFor } from "./affordances.ts";
import { movedStays } from "./change.ts";
import { positionOf } from "./places.ts";
import { resolve, roomsOf } from "./resolve.ts";

/** Doings that take a room rather than a thing. */
const WHOLE_ROOM =
  /\b(?:do (?:the |my )?(?:washing|laundry)|have a wash|freshen up|cook (?:dinner|lunch|breakfast|for)|(?:eat|dine|relax|sit|dinner|lunch|talk) with|repair|park|entertain|host)\b/;

/** What can I use to, where can I: things that serve the need, the nearest of the likeliest kind. */
export const serves: Rule = async (need, context) => {
  const verb = need.verb ?? need.text;
  if (WHOLE_ROOM.test(verb)) {
    const suited = await suitedRoom(verb, context);
    if (suited) return suited;
  }
  const { recall } = context;
  const against = asksWhatToDo(need) ? thingsAgainst(verb) : [];
  const wanted = against.length > 0 ? against : await thingsFor(verb, recall.options.embedder);
  const room = need.subgoals[0]?.region ? await roomsOf(need.subgoals[0].region, context) : undefined;
  const found: { thing: Thing; rank: number }[] = [];
  for (const [rank, name] of wanted.entries()) {
    const things = await recall.things(plain(name, name));
    for (const thing of things)
      if (
        thing.fit >= 0.84 &&
        isLiveAt(thing, recall.nowUs) &&
        (!room || room.some(({ id }) => id === thing.roomId))
      )
        found.push({ thing, rank });
    if (found.length > 12) break;
  }
  if (found.length === 0)
    return wanted.length > 0
      ? { ...unknown("I have not seen anything for that.", "not-seen"), confidence: 0.6 }
      : byMeaning(verb, need, context);
  const from = context.pose?.position;
  const far = ({ thing }: { thing: Thing }) => (from && thing.position ? distance(from, thing.position) : 0);
  // Whoever asks what to do can only switch on what is off.
  const idle = ({ thing }: { thing: Thing }) =>
    asksWhatToDo(need) && attributeOf(thing, "power")?.value === "off" ? 0 : 1;
  found.sort((a, b) => idle(a) - idle(b) || a.rank - b.rank || far(a) - far(b));
  const best = found[0]!.thing;
  const action = asksWhatToDo(need) ? actionOn(best) : undefined;
  const others = found.filter(({ rank }) => rank <= found[0]!.rank + 1).map(({ thing }) => thing);
  return {
    status: "answered",
    ...(need.answer === "binary" && { binary: true }),
    text:
      action ?? `${need.answer === "binary" ? "yes, " : ""}${theName(best)} ${await placeOf(best, recall)}`,
    ...(best.position && { position: positionOf(best, (await recall.roomOf(best))?.name) }),
    set: [...new Set(others.map(({ name }) => name))].slice(0, 16),
    evidence: others.slice(0, 5).map((thing) => evidenceOf(thing, theName(thing))),
    confidence: 0.7,
    goal: best,
  };
};

function asksWhatToDo({ text }: Need): boolean {
  return /\b(?:what|anything) (?:can|could|should|shall|would|must|do|might) (?:i|we|you|one) (?:do|suggest|try)\b/.test(
    text,
  );
}

/** What to do with a thing so that it serves: switch it on if it is off, open it if it is closed. */
function actionOn(thing: Thing): string {
  const is = (name: string) => attributeOf(thing, name)?.value;
  if (is("power") === "off") return `turn on ${theName(thing)}`;
  if (is("openness") === "closed") return `open ${theName(thing)}`;
  return `use ${theName(thing)}`;
}

const SERVES_Z = 3;

/** No row for the need: whatever the encoder finds near it. */
async function byMeaning(verb: string, need: Parameters<Rule>[0], context: RuleContext) {
  const hits = await context.recall.like(verb, {
    kinds: ["state"],
    limit: 5,
    time: { overlaps: { fromUs: context.recall.nowUs, toUs: context.recall.nowUs + 1 } },
  });
  const best = hits[0];
  const goal = need.subgoals[0]!;
  if (best?.record.kind !== "state") return missing(goal, await resolve(goal, need, context), need, context);
  const { background } = context.recall.options;
  const cosine = best.scores.meaning;
  // Something is always the nearest; only what is clearly nearer than unrelated words are says anything.
  if (background && (cosine === undefined || (cosine - background.mean) / background.sd < SERVES_Z))
    return { ...unknown("I have not seen anything for that.", "not-seen"), confidence: 0.6 };
  return {
    status: "answered" as const,
    ...(need.answer === "binary" && { binary: true }),
    text: best.record.name,
    ...(best.position && { position: { point: best.position, trackId: best.record.trackId } }),
    evidence: hits
      .slice(0, 4)
      .map(({ record, score, position }) =>
        evidenceOfRecord(record, record.text[0] ?? record.kind, score, position),
      ),
    confidence: 0.35,
  };
}

/** A place for something: the regions whose words and things fit it best. */
export const place: Rule = async (need, context) => {
  const { recall } = context;
  const suited = await suitedRoom(`${need.verb ?? ""}`, context);
  if (suited) return suited;
  const serving = await serves(need, context);
  const cue = need.subgoals[0]?.target.phrase ?? need.text;
  const hits = await recall.like(`${cue} ${need.verb ?? ""}`, { kinds: ["region"], limit: 8 });
  const [best] = hits.filter(
    ({ record }) => record.kind === "region" && record.type !== "map" && record.type !== "site",
  );
  if (serving.confidence >= 0.6 || !best) return serving;
  const { record, position } = best;
  const name = record.kind === "region" ? record.name : "there";
  return {
    status: "answered",
    text: `the ${name}`,
    ...(position && { position: { point: position, region: name } }),
    evidence: hits
      .slice(0, 4)
      .map((hit) => evidenceOfRecord(hit.record, hit.record.text[0] ?? "region", hit.score, hit.position)),
    confidence: 0.45,
  };
};

/** The room that an activity or a mood belongs to, the nearest of its kind. */
async function suitedRoom(wish: string, { recall, pose }: RuleContext): Promise<Finding | undefined> {
  if (/\b(?:somebody|someone|people|company|anybody|other people)\b/.test(wish) && !/\bgood for\b/.test(wish))
    return undefined;
  const rooms = await recall.rooms();
  for (const name of roomsFor(wish)) {
    const fitting = namedRooms(rooms, plain(name, name)).filter(
      ({ record }) => (record.hull?.length ?? 0) >= 3,
    );
    const far = (room: RoomView) => (pose ? distance(pose.position, middleOf(room)) : 0);
    const [best] = fitting.toSorted((a, b) => far(a) - far(b));
    if (!best) continue;
    return {
      status: "answered",
      text: `the ${best.name}`,
      position: { point: middleOf(best), region: best.name },
      set: [...new Set(fitting.map((room) => room.name))].slice(0, 8),
      evidence: [evidenceOfRecord(best.record, best.record.text[0] ?? best.name, 1, middleOf(best))],
      confidence: 0.75,
    };
  }
  return undefined;
}

/** The whole place, or one region of it, in words: what the forest's summaries say. */
export const describe: Rule = async (need, context) => {
  const { recall } = context;
  const goal = need.subgoals[0];
  if (need.verb === "store") return storage(context);
  const named = goal && goal.target.head !== "object" ? await roomsOf(goal.target, context) : undefined;
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
