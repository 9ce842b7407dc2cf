import { evidenceOf, type Finding, type Rule, type RuleContext } from "../finding.ts";
import type { Need, Subgoal } from "../need.ts";
import { plain } from "../parse/noun-phrase.ts";
import { attributeOf, isLiveAt, type Thing } from "../recall/thing.ts";
import { plural, theName } from "../words/phrases.ts";
import { missing } from "./absence.ts";
import { sizeOf } from "./geometry.ts";
import { resolve } from "./resolve.ts";

/** How many more fit on it: the free part of its top, by what stands there. */
export const capacity: Rule = async (need, context) => {
  const goal = need.subgoals[0]!;
  if (need.verb === "sit" || need.verb === "sleep" || /^(?:seat|seating)$/.test(goal.target.head))
    return seats(need, context);
  const relation = goal.relations.find(({ anchor }) => anchor !== undefined);
  const anchorGoal: Subgoal = relation?.anchor
    ? { target: relation.anchor, relations: [], ...(goal.region && { region: goal.region }) }
    : goal;
  const found = await resolve(anchorGoal, need, context);
  const place = found.things[0];
  if (!place?.box) return missing(anchorGoal, found, need, context);
  const { min, max } = place.box;
  const area = (max.x - min.x) * (max.y - min.y);
  const on = (await context.recall.around({ type: "box", min, max: { ...max, z: max.z + 0.4 } })).filter(
    (thing) =>
      thing.trackId !== place.trackId &&
      (thing.state.supportedBy === place.state.id ||
        (thing.box !== undefined && thing.box.min.z > max.z - 0.15)),
  );
  const taken = on.reduce(
    (sum, { box }) => sum + (box ? (box.max.x - box.min.x) * (box.max.y - box.min.y) : 0),
    0,
  );
  const free = Math.max(0, area - taken * 1.2);
  const alike = relation?.anchor ? await context.recall.things(goal.target) : [];
  const foot = Math.max(
    0.01,
    alike[0]?.box
      ? (alike[0].box.max.x - alike[0].box.min.x) * (alike[0].box.max.y - alike[0].box.min.y)
      : 0.06,
  );
  const n = Math.floor((free * 0.8) / foot);
  const evidence = [place, ...on.slice(0, 5)].map((thing) => evidenceOf(thing, theName(thing)));
  if (need.answer === "binary")
    return {
      status: "answered",
      binary: n > 0,
      text:
        n > 0
          ? `yes, about ${free.toFixed(1)} m² of ${theName(place)} are free`
          : `no, ${theName(place)} is full`,
      evidence,
      confidence: 0.6,
      goal: place,
    };
  return {
    status: "answered",
    count: n,
    text: `about ${n} ${n === 1 ? goal.target.head : plural(goal.target.head)}`,
    evidence,
    confidence: 0.45,
    goal: place,
  };
};

const SEATS = [
  "chair",
  "armchair",
  "sofa",
  "couch",
  "stool",
  "bench",
  "office chair",
  "beanbag",
  "ottoman",
  "recliner",
];
const BEDS = ["bed", "single bed", "bunk bed", "cot", "mattress"];
/** A person needs so much of a sofa or a bench. */
const SEAT_M = 0.65;
const DOUBLE_BED_M = 1.25;

/** How many people may sit or sleep: by the kind and the width of what is there, less what is taken. */
async function seats(need: Need, context: RuleContext): Promise<Finding> {
  const { region } = need.subgoals[0]!;
  const sleeping = need.verb === "sleep";
  const found = new Map<string, Thing>();
  let last: Awaited<ReturnType<typeof resolve>> | undefined;
  for (const name of sleeping ? BEDS : SEATS) {
    last = await resolve(
      { target: plain(name, name), relations: [], ...(region && { region }) },
      need,
      context,
    );
    if (last.room === null) break;
    for (const thing of last.things)
      if (isLiveAt(thing, context.recall.nowUs) && isFor(thing, sleeping)) found.set(thing.trackId, thing);
  }
  const goal = { target: plain("seat", "seat"), relations: [], ...(region && { region }) };
  if (last?.room === null) return missing(goal, last, need, context);
  const things = [...found.values()].filter((thing) => attributeOf(thing, "occupancy")?.value !== "occupied");
  const n = things.reduce((sum, thing) => sum + (sleeping ? sleepers(thing) : sitters(thing)), 0);
  return {
    status: "answered",
    count: n,
    text: String(n),
    evidence: things.slice(0, 12).map((thing) => evidenceOf(thing, theName(thing))),
    confidence: 0.6 * Math.max(0.5, 1 - things.length * 0.04),
  };
}

function isFor({ category }: Thing, sleeping: boolean): boolean {
  return sleeping ? /\bbed$|cot|mattress/.test(category) : !/table|cushion|cover/.test(category);
}

function sitters(thing: Thing): number {
  const said = /\b(two|three|four)-seat/.exec(thing.name)?.[1];
  if (said !== undefined) return { two: 2, three: 3, four: 4 }[said]!;
  if (!/sofa|couch|bench|settee/.test(thing.category)) return 1;
  return Math.max(1, Math.min(4, Math.round((sizeOf(thing, "width") ?? SEAT_M) / SEAT_M)));
}

function sleepers(thing: Thing): number {
  if (/single|child|cot|bunk/.test(`${thing.category} ${thing.name}`)) return 1;
  if (/double|king|queen/.test(thing.name)) return 2;
  const narrow = sizeOf(thing, "depth") ?? 1;
  return narrow > DOUBLE_BED_M ? 2 : 1;
}
