import { kinColour } from "../../ontology/index.ts";
import { LIMITS } from "../../schema/core.ts";
import { evidenceOf, type Finding, type Rule, type RuleContext, unknown } from "../finding.ts";
import type { Need, Subgoal } from "../need.ts";
import { STATES } from "../parse/lexicon.ts";
import { norm } from "../recall/matching.ts";
import { attributeOf, isLiveAt, type Thing } from "../recall/thing.ts";
import { agoText, listOf, metresText, theName } from "../words/phrases.ts";
import { missing, nothingThere } from "./absence.ts";
import { travelled } from "./diary.ts";
import { gapM, sizeOf } from "./geometry.ts";
import { positionOf, trust } from "./places.ts";
import { atUs, type Resolved, resolve, roomsOf, whateverIs } from "./resolve.ts";

/** What colour, what material, what is written on it. */
export const attribute: Rule = async (need, context) => {
  const goal = need.subgoals[0]!;
  const found = await resolve(goal, need, context);
  const thing = found.things[0];
  if (!thing) return missing(goal, found, need, context);
  const property = goal.property ?? "colour";
  const shown = need.quantifier === "all" ? found.things : [thing];
  const values = [...new Set(shown.flatMap((one) => propertyOf(one, property) ?? []))];
  if (values.length === 0)
    return {
      ...unknown(`I cannot tell the ${property} of ${theName(thing)}.`),
      evidence: [evidenceOf(thing, theName(thing))],
    };
  const p = attributeOf(thing, property)?.p ?? 0.8;
  const base = {
    status: "answered" as const,
    evidence: shown
      .slice(0, 5)
      .map((one) => evidenceOf(one, `${theName(one)}: ${propertyOf(one, property) ?? "unknown"}`)),
    confidence: (await trust(thing, found, context)) * (0.4 + 0.6 * p),
    goal: thing,
  };
  if (need.answer === "binary") {
    const yes = values.some((value) => need.alternatives.some((asked) => norm(asked) === norm(value)));
    return { ...base, binary: yes !== need.negated, text: yes ? "yes" : `no, it is ${values[0]}` };
  }
  const option = need.alternatives.find((asked) =>
    values.some((value) => norm(asked) === norm(value) || kinColour(norm(asked), norm(value))),
  );
  return { ...base, text: option ?? listOf(values, 3), set: values.slice(0, 16) };
};

/** A property of a thing in words; what is printed on it stands in its name. */
function propertyOf(thing: Thing, property: string): string | undefined {
  const known = attributeOf(thing, property)?.value;
  if (known !== undefined) return known;
  if (property === "text")
    return [thing.name, ...thing.state.text]
      .map((line) => /says? [“"]([^”"]+)[”"]/.exec(line)?.[1])
      .find((said) => said !== undefined);
  if (property === "name" || property === "brand") return thing.name;
  if (property === "size") {
    const volume = sizeOf(thing, "size");
    return volume === undefined ? undefined : volume > 0.5 ? "large" : volume > 0.05 ? "medium" : "small";
  }
  if (property === "owner") return /\b([A-Z][a-z]+)['’]s\b/.exec(thing.name)?.[1];
  return undefined;
}

/** Is it open: now, or at a time, by the changes that were seen. */
export const state: Rule = async (need, context) => {
  const goal = need.subgoals[0]!;
  const found = await resolve(goal, need, context);
  const thing = found.things[0];
  if (!thing) return missing(goal, found, need, context);
  const asked = need.alternatives
    .map((word) => STATES[word] ?? STATES[word.split(" ")[0]!])
    .filter((one) => one !== undefined);
  const fluent = asked[0]?.attribute ?? goal.property ?? "openness";
  const shown = need.quantifier === "one" ? [thing] : found.things;
  const values: { thing: Thing; value: string; p: number; seenUs: number }[] = [];
  for (const one of shown) {
    const value = await valueAt(one, fluent, atUs(need, context.recall.nowUs), context);
    if (value) values.push({ thing: one, ...value });
  }
  const [first] = values;
  if (!first)
    return {
      ...unknown(
        `I have not noticed whether ${theName(thing)} is ${listOf(need.alternatives.slice(0, 2)) || "so"}.`,
      ),
      evidence: [evidenceOf(thing, theName(thing))],
    };
  const base = {
    status: "answered" as const,
    evidence: values
      .slice(0, 5)
      .map((one) =>
        evidenceOf(
          one.thing,
          `${theName(one.thing)} was ${one.value} ${agoText(context.recall.nowUs - one.seenUs)}`,
          one.seenUs,
        ),
      ),
    confidence: (await trust(thing, found, context)) * (0.4 + 0.6 * first.p),
    goal: thing,
  };
  if (need.answer === "binary") {
    const wanted = asked[0]?.value ?? need.alternatives[0];
    const yes =
      need.quantifier === "any"
        ? values.some(({ value }) => value === wanted)
        : values.every(({ value }) => value === wanted);
    return { ...base, binary: yes !== need.negated, text: yes ? "yes" : `no, it is ${first.value}` };
  }
  const option = need.alternatives.find((word) => (STATES[word]?.value ?? word) === first.value);
  return { ...base, text: option ?? first.value };
};

/** A fluent at a moment: the value now, walked back over the changes that came after it. */
async function valueAt(
  thing: Thing,
  fluent: string,
  timeUs: number,
  { recall }: RuleContext,
): Promise<{ value: string; p: number; seenUs: number } | undefined> {
  const now = thing.state.attributes[fluent];
  if (now === undefined) return undefined;
  const changes = (await recall.events(["state-change"], { fromUs: timeUs, toUs: LIMITS.timeUs })).filter(
    ({ who, detail }) => who.includes(thing.state.id) && detail["attribute"] === fluent,
  );
  const next = changes.find(({ validFromUs }) => validFromUs > timeUs);
  const value = next ? String(next.detail["from"] ?? now.value) : String(now.value);
  return { value, p: now.p, seenUs: Math.min(timeUs, now.lastUs) };
}

/** Is there one; "no" only after looking. */
export const exist: Rule = async (need, context) => {
  const goal = need.subgoals[0]!;
  if (goal.target.head === "object" && goal.relations.length > 0) return anything(need, context);
  const found = await resolve(goal, need, context);
  const past = need.times.length > 0;
  const live = found.things.filter((thing) => past || isLiveAt(thing, context.recall.nowUs));
  const thing =
    live[0] ??
    (/\b(?:seen|saw|see|notice|spot|find)\b/.test(need.text) && !past ? found.things[0] : undefined);
  if (thing) {
    const seenUs = await context.recall.lastSeenUs(thing);
    return {
      status: "answered",
      binary: !need.negated,
      text: need.negated ? "no" : `yes, ${theName(thing)}, seen ${agoText(context.recall.nowUs - seenUs)}`,
      evidence: live
        .slice(0, 4)
        .concat(live.length === 0 ? [thing] : [])
        .map((one) => evidenceOf(one, theName(one), seenUs)),
      confidence: await trust(thing, { ambiguous: false }, context),
      ...(thing.position && { position: positionOf(thing) }),
      goal: thing,
    };
  }
  const absent = await missing(goal, found, need, context);
  return {
    ...absent,
    binary: need.negated,
    text: need.negated ? `yes: ${absent.text}` : `no: ${absent.text}`,
  };
};

/** Is anything there: on the table, behind the door. */
async function anything(need: Need, context: RuleContext): Promise<Finding> {
  const goal = need.subgoals[0]!;
  const [thing] = await whateverIs(goal, need, context);
  if (!thing) {
    const nothing = await nothingThere(goal, need, context);
    return { ...nothing, ...(nothing.status !== "false-premise" && { binary: need.negated }) };
  }
  return {
    status: "answered",
    binary: !need.negated,
    text: need.negated ? `no, ${theName(thing)}` : `yes, ${theName(thing)}`,
    evidence: [evidenceOf(thing, theName(thing))],
    confidence: await trust(thing, { ambiguous: false }, context),
    goal: thing,
  };
}

/** How many different ones there are. */
export const count: Rule = async (need, context) => {
  const goal = need.subgoals[0]!;
  if (
    goal.target.head === "room" ||
    (goal.target.head.endsWith("room") && (await context.recall.roomsNamed(goal.target)).length > 0)
  )
    return countRooms(goal, context);
  const open = goal.target.head === "object" && goal.relations.length > 0;
  const found: Resolved = open
    ? { things: await whateverIs(goal, need, context), named: [], room: undefined, ambiguous: false }
    : await resolve(goal, need, context);
  const timeUs = atUs(need, context.recall.nowUs);
  const present = found.things.filter((thing) => isLiveAt(thing, timeUs));
  const best = present[0]?.fit ?? 0;
  const counted = present.filter(({ fit }) => fit >= Math.max(0.45, best * 0.6));
  if (goal.property === "room" && counted.length > 0) return countWith(counted, context);
  if (counted.length === 0) {
    const absent = open ? await nothingThere(goal, need, context) : await missing(goal, found, need, context);
    if (absent.status === "not-seen" && found.room === null) return absent;
    return {
      ...absent,
      count: 0,
      status: absent.status === "looked-absent" ? "answered" : absent.status,
      text: absent.status === "looked-absent" ? "0" : absent.text,
    };
  }
  const times = found.times ?? 1;
  const n = Math.round(counted.length * times);
  return {
    status: "answered",
    count: n,
    text: times > 1 ? `about ${n}` : String(n),
    evidence: counted.slice(0, 20).map((thing) => evidenceOf(thing, theName(thing))),
    confidence: 0.85 * (0.5 + 0.5 * best) * Math.max(0.4, 1 - counted.length * 0.05),
  };
};

/** In how many rooms there is one. */
async function countWith(things: readonly Thing[], { recall }: RuleContext): Promise<Finding> {
  const rooms = new Map<string, Thing>();
  for (const thing of things) {
    const room = await recall.roomOf(thing);
    if (room) rooms.set(room.id, thing);
  }
  return {
    status: "answered",
    count: rooms.size,
    text: String(rooms.size),
    evidence: [...rooms.values()].slice(0, 12).map((thing) => evidenceOf(thing, theName(thing))),
    confidence: 0.65,
  };
}

async function countRooms(goal: Subgoal, { recall }: RuleContext): Promise<Finding> {
  const rooms = goal.target.head === "room" ? await recall.rooms() : await recall.roomsNamed(goal.target);
  return {
    status: "answered",
    count: rooms.length,
    text: String(rooms.length),
    evidence: [],
    confidence: 0.6,
  };
}

/** How tall, wide, large. */
export const size: Rule = async (need, context) => {
  const goal = need.subgoals[0]!;
  const property = goal.property ?? "size";
  if (/room$|kitchen|garage|hall/.test(goal.target.head)) {
    const rooms = await roomsOf(goal.target, context);
    const extent = rooms?.[0]?.record.extent;
    if (extent)
      return {
        status: "answered",
        text: `${(extent.x * extent.y).toFixed(0)} m²`,
        quantity: { value: extent.x * extent.y, unit: "m2" },
        evidence: [],
        confidence: 0.5,
      };
  }
  const found = await resolve(goal, need, context);
  const thing = found.things[0];
  if (!thing) return missing(goal, found, need, context);
  const value = property === "height" ? await heightOf(thing, context) : sizeOf(thing, property);
  if (value === undefined) return unknown(`I do not know how large ${theName(thing)} is.`);
  const volume = property === "size";
  return {
    status: "answered",
    text: volume ? `${value.toFixed(2)} m³` : metresText(value),
    quantity: { value, unit: volume ? "m3" : "m" },
    evidence: [evidenceOf(thing, theName(thing))],
    confidence: (await trust(thing, found, context)) * 0.8,
    goal: thing,
  };
};

/** What hangs does not reach down to the floor. */
const HANGS =
  /picture|mirror|window|ceiling|pendant|clock|curtain|sign|poster|painting|hood|cupboard|wall|board|hook|rail|television|tv$|handle|switch|blind|photo|banner|flag/;
const NEARLY_DOWN_M = 1;

/** Height of a thing. What stands on the floor reaches down to it, though its foot was hidden. */
export async function heightOf(thing: Thing, { recall }: RuleContext): Promise<number | undefined> {
  const seen = sizeOf(thing, "height");
  if (!thing.box || thing.state.supportedBy || thing.state.insideOf || HANGS.test(thing.category))
    return seen;
  const room = await recall.roomOf(thing);
  const floorZ = room?.record.hull && Math.min(...room.record.hull.map(({ z }) => z));
  const above = floorZ === undefined ? Infinity : thing.box.min.z - floorZ;
  return above < NEARLY_DOWN_M && above > 0.05 ? thing.box.max.z - floorZ! : seen;
}

/** How far two things are apart, surface to surface; one alone is measured from whoever is asked. */
export const distanceBetween: Rule = async (need, context) => {
  if (need.verb === "travel" || (need.subgoals.length === 1 && need.subgoals[0]!.target.head === "object"))
    return travelled(need, context);
  const [a, b] = await Promise.all(need.subgoals.slice(0, 2).map((goal) => resolve(goal, need, context)));
  const first = a?.things[0];
  if (!first) return missing(need.subgoals[0]!, a!, need, context);
  const second = b?.things[0];
  if (b && !second) return missing(need.subgoals[1]!, b, need, context);
  const { pose } = context;
  const m = second
    ? gapM(first, second)
    : pose && first.position
      ? Math.hypot(first.position.x - pose.position.x, first.position.y - pose.position.y)
      : undefined;
  if (m === undefined) return unknown("I do not know from where to measure.");
  return {
    status: "answered",
    text: metresText(m),
    quantity: { value: m, unit: "m" },
    evidence: [first, ...(second ? [second] : [])].map((thing) => evidenceOf(thing, theName(thing))),
    confidence:
      Math.min(await trust(first, a!, context), second ? await trust(second, b!, context) : 1) * 0.9,
    goal: first,
  };
};

/** What others will do is not to be seen in a memory. */
const MOST_FORESIGHT = 0.65;

/** Will it still be there: what stays and what wanders (SPEC §4.5: τ by kind). */
export const predict: Rule = async (need, context) => {
  const goal = need.subgoals[0]!;
  const found = await resolve(goal, need, context);
  const thing = found.things[0];
  if (!thing) return missing(goal, found, need, context);
  const volume = sizeOf(thing, "size") ?? 0.01;
  const tauS = /person|man|woman|child|dog|cat/.test(thing.category)
    ? 60
    : volume > 0.15
      ? 30 * 86_400
      : 86_400;
  const p = isLiveAt(thing, context.recall.nowUs)
    ? Math.exp(-((context.recall.nowUs - (await context.recall.lastSeenUs(thing))) / 1e6) / tauS)
    : 0.05;
  return {
    status: "answered",
    binary: p >= 0.5,
    text: p >= 0.5 ? "yes, probably" : "probably not",
    quantity: { value: p, unit: "1" },
    evidence: [evidenceOf(thing, `${theName(thing)}, p = ${p.toFixed(2)}`)],
    confidence: Math.min(MOST_FORESIGHT, Math.max(p, 1 - p)),
    goal: thing,
  };
};

/** Whether a thing fits an asked value at all; used by comparisons of colour and material. */
export function sameValue(a: Thing, b: Thing, property: string): boolean | undefined {
  const [first, second] = [attributeOf(a, property), attributeOf(b, property)];
  return first && second ? norm(first.value) === norm(second.value) : undefined;
}
