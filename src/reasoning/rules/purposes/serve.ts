import { distance } from "../../../geometry/index.ts";
import {
  evidenceOf,
  evidenceOfRecord,
  type Finding,
  type Rule,
  type RuleContext,
  unknown,
} from "../../finding.ts";
import type { Need } from "../../need.ts";
import { plain } from "../../parse/noun-phrase.ts";
import { isKindCalled } from "../../recall/matching.ts";
import { middleOf, namedRooms, type RoomView } from "../../recall/room-names.ts";
import { attributeOf, isLiveAt, type Thing } from "../../recall/thing.ts";
import { placeOf, theName } from "../../words/phrases.ts";
import { theKind } from "../naming.ts";
import { positionOf } from "../places.ts";
import { roomsOf } from "../resolve.ts";
import { asksWhatToDo, thingsAgainst } from "./complaints.ts";
import { type Serving, thingsFor } from "./match.ts";
import { roomsLike, roomsToDo } from "./rooms.ts";
import { stemsOf } from "./stems.ts";

/** Doings that take a room rather than a thing. */
const WHOLE_ROOM =
  /\b(?:do (?:the |my |some )?(?:washing|laundry)|(?:have|get) a (?:good )?wash|freshen up|cook (?:dinner|lunch|breakfast|for)|(?:eat|dine|dining|relax|unwind|sit|dinner|lunch|supper|meal|talk|chat|play|hang out|play games)(?: [a-z]+)? with|repair|park|entertain|host)\b/;
const COMPANY = /\b(?:somebody|someone|people|company|anybody|anyone|a person|other people|others)\b/;
const GOOD_FOR_COMPANY =
  /\b(?:good|great|nice|suited|suitable|ideal|fit|perfect|right|made|meant|best|well suited) (?:for|to)(?: having| some| keeping)? company\b|\bcompany and\b|\band (?:good for )?company\b/;
/** Fit of a thing that has the very name. */
const CALLED_SO = 0.84;
const MOST_FOUND = 16;

/** What can I use to, where can I: things that serve the need, the nearest of the likeliest kind. */
export const serves: Rule = async (need, context) => {
  const wish = wishOf(need, context);
  if (WHOLE_ROOM.test(wish)) {
    const suited = await nearestRoom(roomsToDo(wish), context);
    if (suited) return suited;
  }
  const serving = await servingOf(need, context);
  const found = await thingsOf(serving, need, context);
  if (found.length > 0) return served(found, need, context);
  // Who asks for a place is helped by the right room even where the thing itself was not seen.
  const room = need.answer === "position" ? await nearestRoom(roomsToDo(wish), context) : undefined;
  if (room && serving.kinds.length === 0) return room;
  return serving.kinds.length > 0 ? nothing() : byMeaning(wish, need, context);
};

/** A place for something: the room that has the mood or suits the doing, or the thing that it takes. */
export const place: Rule = async (need, context) => {
  const wish = wishOf(need, context);
  if (wantsCompany(wish, saidOf(need, context))) return served(await persons(context), need, context);
  const moods = roomsLike(wish);
  const byMood = await nearestRoom(moods.length > 0 ? moods : roomsLike(saidOf(need, context)), context);
  const doings = roomsToDo(wish);
  if (byMood && (doings.length === 0 || moods.length > 0) && !WHOLE_ROOM.test(wish)) return byMood;
  if (WHOLE_ROOM.test(wish) || doings.length > 0) {
    const suited = await nearestRoom(doings, context);
    const thing = WHOLE_ROOM.test(wish) ? undefined : await thingIn(suited, need, context);
    if (suited) return thing ?? suited;
  }
  const serving = await serves(need, context);
  if (serving.confidence >= 0.6 && serving.status === "answered") return serving;
  if (byMood) return byMood;
  return (await regionLike(need, context)) ?? serving;
};

/** What somebody wants: the doing as it was read, where it says anything, else all that was said. */
function wishOf(need: Need, context: RuleContext): string {
  const { verb } = need;
  if (verb === undefined || stemsOf(verb).length === 0 || REFERS.test(verb)) return saidOf(need, context);
  // Company is only read into a question that speaks of people.
  if (verb === SOMEBODY && !COMPANY.test(saidOf(need, context))) return saidOf(need, context);
  return verb;
}

/** The whole question in its own words. */
function saidOf({ text }: Need, { question }: RuleContext): string {
  return question?.replace(/[’']/g, "'").replace(/\bcan't\b/g, "can not") ?? text;
}
const SOMEBODY = "a place where somebody is";
const REFERS =
  /^(?:with |for |about |do |fix |change |solve |handle |help )*(?:that|this|it|me|grab|recommend|suggest)$/;

async function servingOf(need: Need, context: RuleContext): Promise<Serving> {
  const against = toDo(need, context) ? thingsAgainst(saidOf(need, context)) : [];
  if (against.length > 0) return { kinds: against, score: 1 };
  return thingsFor(wishOf(need, context), context.recall.options.embedder);
}

interface Found {
  readonly thing: Thing;
  readonly rank: number;
}

/** Things of the kinds that serve, in the room that is named if there is one. */
async function thingsOf({ kinds }: Serving, need: Need, context: RuleContext): Promise<Found[]> {
  const { recall } = context;
  const region = need.subgoals[0]?.region;
  const rooms = region ? await roomsOf(region, context) : undefined;
  const found = new Map<string, Found>();
  const all = toDo(need, context);
  for (const [rank, names] of kinds.entries()) {
    const exactly = await recall.ofCategory(...names);
    const alike =
      exactly.length > 0
        ? exactly
        : (await recall.things(plain(names[0]!, names[0]!))).filter(
            ({ fit, category }) => fit >= CALLED_SO && isKindCalled(names[0]!, category),
          );
    for (const thing of alike)
      if (
        !found.has(thing.trackId) &&
        isLiveAt(thing, recall.nowUs) &&
        (!rooms || rooms.some(({ id }) => id === thing.roomId))
      )
        found.set(thing.trackId, { thing, rank });
    // The next likely kind stands beside the likeliest; what is off may be any of them.
    const first = Math.min(...Array.from(found.values(), (one) => one.rank));
    if (found.size > MOST_FOUND || (!all && rank > first)) break;
  }
  return [...found.values()];
}

/** People, those seen last first: they do not stay where they were. */
async function persons({ recall }: RuleContext): Promise<Found[]> {
  const people = await recall.ofCategory("person");
  const seen = await Promise.all(
    people.map(async (thing) => ({ thing, atUs: await recall.lastSeenUs(thing) })),
  );
  return seen.toSorted((a, b) => b.atUs - a.atUs).map(({ thing }, rank) => ({ thing, rank }));
}

/** The answer that a thing is: the likeliest kind, in the room one would do it in, the nearest. */
async function served(found: readonly Found[], need: Need, context: RuleContext): Promise<Finding> {
  if (found.length === 0) return nothing();
  const { recall } = context;
  const from = context.pose?.position;
  const isToDo = toDo(need, context);
  const suited = roomsToDo(wishOf(need, context));
  const elsewhere = new Set<Thing>();
  for (const { thing } of suited.length > 0 ? found.slice(0, MOST_FOUND) : []) {
    const room = await recall.roomOf(thing);
    if (!room || !suited.some((name) => namedRooms([room], plain(name, name)).length > 0))
      elsewhere.add(thing);
  }
  const away = (thing: Thing) => (elsewhere.has(thing) ? 1 : 0);
  // Whoever asks what to do can only switch on what is off.
  const idle = (thing: Thing) => (isToDo && attributeOf(thing, "power")?.value === "off" ? 0 : 1);
  const far = ({ position }: Thing) => (from && position ? distance(from, position) : 0);
  const ordered = [...found].sort(
    (a, b) =>
      idle(a.thing) - idle(b.thing) ||
      a.rank - b.rank ||
      away(a.thing) - away(b.thing) ||
      far(a.thing) - far(b.thing),
  );
  const best = ordered[0]!.thing;
  const others = ordered.filter(({ rank }) => rank <= ordered[0]!.rank + 1).map(({ thing }) => thing);
  const where = need.answer === "text" ? "" : ` ${await placeOf(best, recall)}`;
  return {
    status: "answered",
    ...(need.answer === "binary" && { binary: true }),
    text: isToDo ? actionOn(best) : `${need.answer === "binary" ? "yes, " : ""}${theKind(best)}${where}`,
    ...(best.position && { position: positionOf(best, (await recall.roomOf(best))?.name) }),
    set: [...new Set(others.map(({ name }) => name))].slice(0, 16),
    evidence: others.slice(0, 5).map((thing) => evidenceOf(thing, theName(thing))),
    confidence: 0.7,
    goal: best,
  };
}

/** A thing for it in the room that suits, if that room has one. */
async function thingIn(
  suited: Finding | undefined,
  need: Need,
  context: RuleContext,
): Promise<Finding | undefined> {
  const region = suited?.position?.region;
  if (region === undefined) return undefined;
  const found = await thingsOf(await servingOf(need, context), need, context);
  const names = new Map((await context.recall.rooms()).map(({ id, name }) => [id, name]));
  const here = found.filter(({ thing }) => names.get(thing.roomId ?? "") === region);
  return here.length > 0 ? served(here, need, context) : undefined;
}

function toDo(need: Need, context: RuleContext): boolean {
  return asksWhatToDo({ text: saidOf(need, context), answer: need.answer });
}

function wantsCompany(wish: string, text: string): boolean {
  if (!COMPANY.test(wish) || GOOD_FOR_COMPANY.test(text)) return false;
  const others = roomsLike(wish.replace(COMPANY, " "));
  return others.length === 0 && !WHOLE_ROOM.test(wish);
}

function nothing(): Finding {
  return { ...unknown("I have not seen anything for that.", "not-seen"), confidence: 0.6 };
}

/** What to do with a thing so that it serves: switch it on if it is off, open it if it is closed. */
function actionOn(thing: Thing): string {
  const is = (name: string) => attributeOf(thing, name)?.value;
  if (is("power") === "off") return `turn on ${theKind(thing)}`;
  if (is("openness") === "closed") return `open ${theKind(thing)}`;
  return `use ${theKind(thing)}`;
}

const SERVES_Z = 3;

/** No line for the need: whatever the encoder finds near it. */
async function byMeaning(wish: string, need: Need, { recall }: RuleContext): Promise<Finding> {
  const hits = await recall.like(wish, {
    kinds: ["state"],
    limit: 5,
    time: { overlaps: { fromUs: recall.nowUs, toUs: recall.nowUs + 1 } },
  });
  const best = hits[0];
  if (best?.record.kind !== "state") return nothing();
  const { background } = recall.options;
  const cosine = best.scores.meaning;
  // Something is always the nearest; only what is clearly nearer than unrelated words are says anything.
  if (background && (cosine === undefined || (cosine - background.mean) / background.sd < SERVES_Z))
    return nothing();
  return {
    status: "answered",
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

/** The region whose words are most like the wish. */
async function regionLike(need: Need, context: RuleContext): Promise<Finding | undefined> {
  const hits = await context.recall.like(wishOf(need, context), { kinds: ["region"], limit: 8 });
  const [best] = hits.filter(
    ({ record }) => record.kind === "region" && record.type !== "map" && record.type !== "site",
  );
  if (best?.record.kind !== "region") return undefined;
  const { record, position } = best;
  return {
    status: "answered",
    text: `the ${record.name}`,
    ...(position && { position: { point: position, region: record.name } }),
    evidence: hits
      .slice(0, 4)
      .map((hit) => evidenceOfRecord(hit.record, hit.record.text[0] ?? "region", hit.score, hit.position)),
    confidence: 0.45,
  };
}

/** The nearest room of the first kind that there is. */
async function nearestRoom(
  names: readonly string[],
  { recall, pose }: RuleContext,
): Promise<Finding | undefined> {
  const rooms = await recall.rooms();
  for (const name of names) {
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
      goalPlace: middleOf(best),
      set: [...new Set(fitting.map((room) => room.name))].slice(0, 8),
      evidence: [evidenceOfRecord(best.record, best.record.text[0] ?? best.name, 1, middleOf(best))],
      confidence: 0.75,
    };
  }
  return undefined;
}
