import { distance, volumeOf } from "../../geometry/index.ts";
import { evidenceOf, type Finding, type Rule, type RuleContext, unknown } from "../finding.ts";
import type { Need } from "../need.ts";
import { isRoom } from "../parse/noun-phrase.ts";
import type { Thing } from "../recall/thing.ts";
import { isLiveAt } from "../recall/thing.ts";
import { agoText, countedList, listOf, metresText, placeOf, theName } from "../words/phrases.ts";
import { missing, nothingThere } from "./absence.ts";
import { frameOf } from "./frames.ts";
import { directionFrom, nearestSide } from "./geometry.ts";
import { kindName } from "./naming.ts";
import { atUs, type Resolved, resolve, roomsOf, spanOf, whateverIs } from "./resolve.ts";
import { locateRoom } from "./room-place.ts";

/** Trust in a thing that was found: how well it fits, how often it was seen, whether it is alone. */
export async function trust(
  thing: Thing,
  { ambiguous }: Pick<Resolved, "ambiguous">,
  { recall }: RuleContext,
): Promise<number> {
  const presence = (await recall.presence([thing.state.id])).get(thing.state.id);
  const support = 1 - 0.5 ** Math.max(1, presence?.seenCount ?? 1);
  return Math.min(0.97, (0.5 + 0.5 * thing.fit) * (0.7 + 0.3 * support) * (ambiguous ? 0.55 : 1));
}

/** Where is it. */
export const locate: Rule = async (need, context) => {
  const goal = need.subgoals[0]!;
  const asRoom = await locateRoom(goal, context);
  if (asRoom) return asRoom;
  const found = await resolve(goal, need, context);
  const thing = found.things[0];
  if (!thing) return missing(goal, found, need, context);
  const { recall } = context;
  const seenUs = await recall.lastSeenUs(thing);
  const gone = !isLiveAt(thing, atUs(need, recall.nowUs));
  const room = await recall.roomOf(thing);
  const place = await placeOf(thing, recall);
  if (!thing.position && !room && thing.state.supportedBy === undefined && thing.state.insideOf === undefined)
    return unknown(`I know of ${theName(thing)}, but have not seen where it is.`, "not-seen");
  const ago = agoText(recall.nowUs - seenUs);
  const many = need.quantifier === "all" && found.things.length > 1;
  const text =
    goal.property === "room"
      ? (room?.name ?? place)
      : goal.property === "floor"
        ? await floorOf(thing, context)
        : many
          ? listOf(await Promise.all(found.things.slice(0, 6).map((one) => placeOf(one, recall))))
          : gone
            ? `It was ${place}, last seen ${ago}; it is no longer there.`
            : place;
  return {
    status: "answered",
    text,
    ...(thing.position && { position: positionOf(thing, room?.name) }),
    evidence: found.things
      .slice(0, 5)
      .map((one) => evidenceOf(one, `${theName(one)}, last seen ${ago}`, seenUs)),
    confidence: (await trust(thing, found, context)) * (gone ? 0.6 : 1),
    ...(found.ambiguous && {
      contradictions: [`${found.things.length} things fit: ${listOf(found.things.slice(0, 4).map(theName))}`],
    }),
    goal: thing,
  };
};

async function floorOf(thing: Thing, { recall }: RuleContext): Promise<string> {
  const room = await recall.roomOf(thing);
  const parent = room?.record.parent;
  const [floor] = parent === undefined ? [] : await recall.options.reader.get([parent]);
  return floor?.kind === "region" ? floor.name : "ground floor";
}

export function positionOf(thing: Thing, region?: string): NonNullable<Finding["position"]> {
  return {
    point: thing.position!,
    frame: "world",
    sdM: 0.1,
    trackId: thing.trackId,
    ...(region !== undefined && { region }),
  };
}

/** What is there: on the table, left of the sofa, in the kitchen. */
export const recognise: Rule = async (need, context) => {
  const goal = need.subgoals[0]!;
  const open = goal.target.head === "object";
  if (open && /\bwho\b/.test(need.text)) return whoIs(need, context);
  if (!open && goal.relations.length === 0 && !goal.region) return whatIs(need, context);
  let things = await whateverIs(goal, need, context);
  if (!open) {
    const kinds = await resolve({ ...goal, relations: goal.relations }, need, context);
    if (kinds.things.length > 0) things = [...kinds.things];
  }
  if (/^furniture$/.test(goal.target.head)) things = things.filter(isFurniture);
  if (open && goal.target.attributes["text"] !== undefined) things = await whatSays(need, context);
  if (things.length === 0)
    return open || goal.target.head === "furniture"
      ? nothingThere(goal, need, context)
      : missing(goal, await resolve(goal, need, context), need, context);
  const all =
    need.answer === "set" ||
    need.quantifier === "all" ||
    (goal.relations.length === 0 && goal.region !== undefined);
  const shown = all ? things : things.slice(0, 1);
  const others = things.slice(1).filter(({ fit }) => fit > things[0]!.fit * 0.9);
  return {
    status: "answered",
    text: all ? countedList(things.map(kindName)) : kindName(things[0]!),
    set: [...new Set(shown.map(({ name }) => name))].slice(0, 64),
    ...(things[0]!.position && { position: positionOf(things[0]!) }),
    evidence: things.slice(0, 6).map((thing) => evidenceOf(thing, theName(thing))),
    confidence: Math.min(0.95, things[0]!.fit * (others.length > 0 && !all ? 0.6 : 0.9)),
    goal: things[0],
  };
};

const SMALL_M3 = 0.06;

function isFurniture({ box, category }: Thing): boolean {
  if (
    /window|door$|curtain|picture|mirror|rug|carpet|mat$|lamp|plant|poster|sign|radiator|painting/.test(
      category,
    )
  )
    return false;
  return box !== undefined && volumeOf(box) > SMALL_M3;
}

/** Things that have the words on them. */
async function whatSays(need: Need, context: RuleContext): Promise<Thing[]> {
  const goal = need.subgoals[0]!;
  const text = goal.target.attributes["text"]!;
  const found = (await context.recall.written({ ...goal.target, attributes: { text } })).filter(
    ({ fit }) => fit >= 1,
  );
  const rooms = goal.region ? await roomsOf(goal.region, context) : undefined;
  return rooms ? found.filter(({ roomId }) => rooms.some(({ id }) => id === roomId)) : found;
}

/** "who is in the kitchen": people, by where they were seen last. */
async function whoIs(need: Need, context: RuleContext): Promise<Finding> {
  const goal = need.subgoals[0]!;
  const someone = { ...goal, target: { ...goal.target, head: "person", phrase: "person" } };
  const found = await resolve(someone, { ...need, quantifier: "all" }, context);
  if (found.things.length === 0) {
    const where = found.room ? ` in the ${found.room.name}` : "";
    return {
      ...unknown(`I saw nobody${where}.`, found.room === null ? "not-seen" : "looked-absent"),
      confidence: 0.65,
    };
  }
  return {
    status: "answered",
    text: listOf([...new Set(found.things.map(kindName))]),
    set: [...new Set(found.things.map(kindName))].slice(0, 64),
    ...(found.things[0]!.position && { position: positionOf(found.things[0]!) }),
    evidence: found.things.slice(0, 6).map((one) => evidenceOf(one, theName(one))),
    confidence: await trust(found.things[0]!, { ambiguous: false }, context),
    goal: found.things[0],
  };
}

/** "what is the white machine over the counter": its name. */
async function whatIs(need: Need, context: RuleContext): Promise<Finding> {
  const goal = need.subgoals[0]!;
  const found = await resolve(goal, need, context);
  const thing = found.things[0];
  if (!thing) return missing(goal, found, need, context);
  return {
    status: "answered",
    text: kindName(thing),
    evidence: found.things.slice(0, 4).map((one) => evidenceOf(one, theName(one))),
    confidence: await trust(thing, found, context),
    ...(thing.position && { position: positionOf(thing) }),
    goal: thing,
  };
}

/** On which side of something, or of oneself. */
export const direction: Rule = async (need, context) => {
  const goal = need.subgoals[0]!;
  const found = await resolve({ ...goal, relations: [] }, need, context);
  const thing = found.things[0];
  if (!thing?.position) return missing(goal, found, need, context);
  const frame = await frameOf(need.frame ?? { kind: "ego" }, need, context);
  if (!frame) return unknown("I do not know from where you mean.");
  const { word, angleRad } = directionFrom(frame, thing.position);
  // Where only some sides are offered, the nearest of them is meant.
  const side = nearestSide(angleRad, need.alternatives) ?? nearestSide(angleRad, need.options ?? []);
  return {
    status: "answered",
    text: (side ?? word) === "front" ? "in front" : (side ?? word),
    evidence: [evidenceOf(thing, theName(thing))],
    confidence: await trust(thing, found, context),
    goal: thing,
  };
};

/** How far two things are apart, surface to surface; one alone is measured from whoever asks. */
export const nearest: Rule = async (need, context) => {
  const goal = need.subgoals[0]!;
  const found = await resolve(
    {
      ...goal,
      target: { ...goal.target, mods: goal.target.mods.filter((mod) => !/^(?:nearest|closest)$/.test(mod)) },
    },
    need,
    context,
  );
  const from = context.pose?.position;
  const live = found.things.filter((thing) => thing.position && isLiveAt(thing, context.recall.nowUs));
  if (live.length === 0) return missing(goal, found, need, context);
  if (!from) return unknown("I do not know where you are.");
  const ways = live
    .map((thing) => ({
      thing,
      m: context.pathM?.(from, thing.position!) ?? distance(from, thing.position!) * 1.3,
    }))
    .sort((a, b) => a.m - b.m);
  const best = ways[0]!;
  const room = await context.recall.roomOf(best.thing);
  return {
    status: "answered",
    text: `${await placeOf(best.thing, context.recall)}, ${metresText(best.m)} away`,
    position: positionOf(best.thing, room?.name),
    evidence: ways
      .slice(0, 4)
      .map(({ thing, m }) => evidenceOf(thing, `${theName(thing)}, ${metresText(m)} to walk`)),
    confidence:
      (await trust(best.thing, { ambiguous: false }, context)) *
      (ways[1] && ways[1].m < best.m * 1.1 ? 0.7 : 1),
    goal: best.thing,
  };
};

/** Which room is this. */
export const room: Rule = async (need, context) => {
  const goal = need.subgoals[0];
  // "… and in which room is it?" asks for the room of a thing.
  if (goal && !/^(?:object|room|place|here|it)$/.test(goal.target.head) && !isRoom(goal.target))
    return locate({ ...need, subgoals: [{ ...goal, property: "room" }] }, context);
  const past = spanOf(need, context.recall.nowUs)?.fromUs;
  const pose = past === undefined ? context.pose : await context.recall.poseAt(past, context.agentId);
  const here = pose && (await context.recall.roomAt(pose.position));
  if (!here) return unknown("I do not know where I am.");
  return {
    status: "answered",
    text: here.name,
    evidence: [],
    confidence: 0.8,
    ...(here.centre && { position: { point: here.centre, region: here.name } }),
  };
};
