import { boxGap, distance, type OrientedBox, Random, type Vec3 } from "../../geometry/index.ts";
import { contentId, type QuestionInput, type QuestionRecord } from "../../schema/index.ts";
import { AFTER_ALL_US, makeQuestion } from "./dataset.ts";

interface BoxedThing {
  readonly trackId: string;
  readonly category: string;
  readonly box: OrientedBox;
}

/** Questions of each kind per room, so that crowded rooms do not outweigh the others. */
const PER_KIND = 4;
const OPTIONS = 4;
/** The nearest must be nearer by this margin, or the question has no clear answer (docs/formulas.md#questions). */
const NEAREST_MARGIN_M = 0.5;
/** Directions this close to the border between two of them are not asked. */
const DIRECTION_MARGIN_RAD = (10 * Math.PI) / 180;
/** Behind is beyond 135° to either side. */
const BEHIND_RAD = (135 * Math.PI) / 180;
const APART_M = 0.8;
const TRIES = 200;

type Draft = Pick<QuestionInput, "type" | "subtype" | "text" | "answer" | "targets"> & Partial<QuestionInput>;

/**
 * The five kinds of question that follow from boxes: number, size, distance, side, nearest. Named things must be the
 * only one of their category. The same room always gives the same questions.
 */
export function roomQuestions(
  sceneId: string,
  things: readonly BoxedThing[],
  disputed: ReadonlySet<string>,
): QuestionRecord[] {
  const random = new Random(sceneId);
  const kinds = Map.groupBy(things, ({ category }) => category);
  const unique = [...kinds.values()].flatMap((group) => (group.length === 1 ? group : [])).sort(byCategory);
  const several = [...kinds.values()].filter(
    (group) => group.length > 1 && !disputed.has(group[0]!.category),
  );
  const single = unique.filter(({ category }) => !disputed.has(category));
  return [
    ...take(random.fork("count"), several.map(countQuestion)),
    ...take(random.fork("size"), single.map(sizeQuestion)),
    ...sample(random.fork("distance"), (r) => distanceQuestion(r, single)),
    ...sample(random.fork("nearest"), (r) => nearestQuestion(r, single)),
    ...sample(random.fork("direction"), (r) => directionQuestion(r, single)),
  ].map((draft) =>
    makeQuestion({
      id: contentId("vsi", sceneId, draft.subtype, draft.text),
      family: "vsi-bench",
      suite: "vsi-bench",
      askedAtUs: AFTER_ALL_US,
      ...draft,
    }),
  );
}

function countQuestion(group: readonly BoxedThing[]): Draft {
  const { category } = group[0]!;
  return {
    type: "counting",
    subtype: "object-count",
    text: `How many of these are there: ${category}?`,
    answer: { type: "count", text: String(group.length), count: group.length },
    targets: group.map(({ trackId }) => trackId),
  };
}

function sizeQuestion({ category, box, trackId }: BoxedThing): Draft {
  const value = Math.max(...box.lengths);
  return {
    type: "attribute",
    subtype: "object-size",
    text: `How long is the longest side of the ${category}, in metres?`,
    answer: { type: "quantity", text: `${value.toFixed(2)} m`, quantity: { value, unit: "m" } },
    tolerance: { share: 0.1 },
    targets: [trackId],
  };
}

function distanceQuestion(random: Random, things: readonly BoxedThing[]): Draft | null {
  if (things.length < 2) return null;
  const [a, b] = random.shuffle(things) as [BoxedThing, BoxedThing];
  const value = boxGap(a.box, b.box);
  if (value < 0.3) return null;
  return {
    type: "spatial",
    subtype: "absolute-distance",
    text: `Measured between their nearest points, how far is the ${a.category} from the ${b.category}, in metres?`,
    answer: { type: "quantity", text: `${value.toFixed(2)} m`, quantity: { value, unit: "m" } },
    tolerance: { share: 0.1, m: 0.1 },
    targets: [a.trackId, b.trackId],
  };
}

function nearestQuestion(random: Random, things: readonly BoxedThing[]): Draft | null {
  if (things.length < OPTIONS + 1) return null;
  const [anchor, ...rest] = random.shuffle(things) as [BoxedThing, ...BoxedThing[]];
  const options = rest.slice(0, OPTIONS);
  const gaps = options.map(({ box }) => boxGap(anchor.box, box));
  const [first, second] = [...gaps].sort((x, y) => x - y) as [number, number];
  if (second - first < NEAREST_MARGIN_M) return null;
  const best = gaps.indexOf(first);
  return {
    type: "comparison",
    subtype: "relative-distance",
    text: `Measured between their nearest points, which of these is nearest to the ${anchor.category}?`,
    answer: { type: "choice", text: options[best]!.category, letter: String.fromCharCode(65 + best) },
    options: options.map(({ category }) => category),
    targets: [anchor.trackId, ...options.map(({ trackId }) => trackId)],
  };
}

function directionQuestion(random: Random, things: readonly BoxedThing[]): Draft | null {
  if (things.length < 3) return null;
  const [standing, facing, asked] = random.shuffle(things) as [BoxedThing, BoxedThing, BoxedThing];
  const [from, to, where] = [standing, facing, asked].map(({ box }) => box.centre) as [Vec3, Vec3, Vec3];
  const flat = (v: Vec3) => ({ ...v, z: 0 });
  const near = [
    distance(flat(from), flat(to)),
    distance(flat(from), flat(where)),
    distance(flat(to), flat(where)),
  ];
  if (Math.min(...near) < APART_M) return null;
  const bearing = Math.atan2(where.y - from.y, where.x - from.x) - Math.atan2(to.y - from.y, to.x - from.x);
  const turn = Math.atan2(Math.sin(bearing), Math.cos(bearing));
  const borders = [0, BEHIND_RAD, -BEHIND_RAD];
  if (borders.some((border) => Math.abs(turn - border) < DIRECTION_MARGIN_RAD)) return null;
  const side = Math.abs(turn) > BEHIND_RAD ? "behind" : turn > 0 ? "left" : "right";
  const options = random.shuffle(["left", "right", "behind"]);
  return {
    type: "spatial",
    subtype: "relative-direction",
    text: `I stand by the ${standing.category} and face the ${facing.category}. Is the ${asked.category} to my left, to my right, or behind me (more than 135° to turn)?`,
    answer: { type: "choice", text: side, letter: String.fromCharCode(65 + options.indexOf(side)) },
    options,
    targets: [standing.trackId, facing.trackId, asked.trackId],
  };
}

function take(random: Random, drafts: readonly Draft[]): Draft[] {
  return random.shuffle(drafts).slice(0, PER_KIND);
}

/** Up to this many different ones, within a bounded number of tries. */
function sample(random: Random, make: (random: Random) => Draft | null): Draft[] {
  const found = new Map<string, Draft>();
  for (let i = 0; i < TRIES && found.size < PER_KIND; i++) {
    const draft = make(random);
    if (draft !== null) found.set(draft.text, draft);
  }
  return [...found.values()];
}

function byCategory(a: BoxedThing, b: BoxedThing): number {
  return a.category < b.category ? -1 : 1;
}
