import type { Box } from "../../geometry/index.ts";
import { FreeTop } from "../algebra/free-top.ts";
import { evidenceOf, type Finding, type Rule, type RuleContext } from "../finding.ts";
import type { Need, Subgoal } from "../need.ts";
import { plain } from "../parse/noun-phrase.ts";
import { attributeOf, isLiveAt, type Thing } from "../recall/thing.ts";
import { plural, theName } from "../words/phrases.ts";
import { missing } from "./absence.ts";
import { sizeOf } from "./geometry.ts";
import { trust } from "./places.ts";
import { resolve } from "./resolve.ts";

/** How much of a top is left, and what still fits on it, by what stands there. */
export const capacity: Rule = async (need, context) => {
  const goal = need.subgoals[0]!;
  if (need.verb === "sit" || need.verb === "sleep" || /^(?:seat|seating)$/.test(goal.target.head))
    return seats(need, context);
  const hostGoal = hostOf(need);
  const found = await resolve(hostGoal, need, context);
  const place = found.things[0];
  if (!place?.box) return missing(hostGoal, found, need, context);
  const asked = hostGoal === goal ? undefined : await resolve({ ...goal, relations: [] }, need, context);
  const thing = asked?.things.find(({ trackId }) => trackId !== place.trackId);
  if (need.answer === "binary" && asked && !thing) return missing(goal, asked, need, context);
  const on = await standingOn(place, context, thing);
  const top = new FreeTop(
    place.box,
    on.flatMap(({ box }) => (box ? [box] : [])),
  );
  const evidence = [place, ...(thing ? [thing] : []), ...on.slice(0, 5)].map((one) =>
    evidenceOf(one, theName(one)),
  );
  const [width, depth] = thing?.box ? sidesOf(thing.box) : [SOMETHING_M, SOMETHING_M];
  if (need.answer === "binary") {
    const fits = top.fits(width, depth);
    const says = `about ${top.freeM2().toFixed(2)} m² of ${theName(place)} are free`;
    return {
      status: "answered",
      binary: fits !== need.negated,
      text: fits ? `yes, ${says}` : `no, ${says}`,
      evidence,
      confidence: 0.65 * (thing ? await trust(thing, asked!, context) : 1),
      goal: place,
    };
  }
  const n = top.howMany(width, depth);
  return {
    status: "answered",
    count: n,
    text: `about ${n} ${n === 1 ? goal.target.head : plural(goal.target.head)}`,
    evidence,
    confidence: 0.45,
    goal: place,
  };
};

const OVER_M = 0.06;
const LEAST_SHARE = 0.6;
/** A side of something small of which nothing is known. */
const SOMETHING_M = 0.2;
/** What stands on a top begins no lower under it, and no higher above it, than boxes are measured wrongly. */
const SUNK_M = 0.15;
const ABOVE_M = 0.4;

/** What should carry it: the second thing of the question, or what the first is to stand on; itself where it is alone. */
function hostOf({ subgoals: [first, second] }: Need): Subgoal {
  const anchor = first!.relations.find((relation) => relation.anchor !== undefined)?.anchor;
  return second ?? (anchor ? { target: anchor, relations: [] } : first!);
}

async function standingOn(place: Thing, { recall }: RuleContext, but: Thing | undefined): Promise<Thing[]> {
  const { min, max } = place.box!;
  const near = await recall.around({ type: "box", min, max: { ...max, z: max.z + ABOVE_M } });
  return near.filter(
    ({ trackId, state, box }) =>
      trackId !== place.trackId &&
      trackId !== but?.trackId &&
      (state.supportedBy === place.state.id || (box !== undefined && box.min.z > max.z - SUNK_M)),
  );
}

/** The sides that a thing needs: boxes are measured too large rather than too small, and along the axes of the map. */
function sidesOf({ min, max }: Box): [number, number] {
  const own = (side: number) => Math.max(side * LEAST_SHARE, side - OVER_M);
  return [own(max.x - min.x), own(max.y - min.y)];
}

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
