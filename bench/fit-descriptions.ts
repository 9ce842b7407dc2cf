/**
 * Fits WEIGHTS of src/reasoning/algebra/things/likelihood.ts: which of several things of a kind somebody describes.
 * Houses of our own simulator; a speaker in view of the thing names others in its room within a few metres, large ones
 * rather than small ones; the memory holds only some kinds of things, and not all of a kind, and no rooms, as after a
 * short visit. Conditional logit by Newton's method with a ridge: the same seeds give the same weights. Prints the
 * weights by the first seeds, and on the second seeds how many are found by them, by those that are in use, by the
 * nearest to what else is named, and by chance.
 *
 *     node bench/fit-descriptions.ts 600-679 680-719
 */

import { holds, RELATIONS } from "../src/belief/relations.ts";
import type { KnownThing } from "../src/belief/thing.ts";
import { distance, Random, type Vec3 } from "../src/geometry/index.ts";
import { typicalSizeM } from "../src/ontology/index.ts";
import { type Mention, termsOf, WEIGHTS } from "../src/reasoning/algebra/things/likelihood.ts";
import { kindsFor, sharesAround } from "../src/reasoning/algebra/things/surroundings.ts";
import { generateHouse } from "../src/world/house/index.ts";

/** How far a speaker looks around what is described, and how many things are named. */
const VIEW_M = 3;
const NAMED = 3;
/** Which share of the kinds of things a memory holds, from a glimpse to a tour, and of the things of such a kind. */
const KINDS_HELD = { least: 0.1, most: 0.7 };
const THINGS_HELD = 0.7;
/** Things of each house that are described. */
const EACH = 40;
const RIDGE = 1;
const STEPS = 30;

const NAMES = ["near", "relation", "room", "silence"] as const;

interface Case {
  readonly terms: readonly (readonly number[])[];
  readonly meant: number;
}

/** Relations that a speaker would say, where they hold; else nearness, which has a term of its own. */
const SAID = RELATIONS.filter((one) => ["on", "in", "under", "above", "below"].includes(one));

function casesOf(seed: number): Case[] {
  const house = generateHouse(seed);
  const random = new Random(`descriptions/${seed}`);
  const all = house.things.flatMap((thing, n) => {
    const { placement } = house.starts[n]!;
    if (thing.type === "structure" || thing.type === "person" || placement.hidden || placement.room === null)
      return [];
    return [thingAt(thing.id, thing.category, placement.centre, placement.extent, placement.room)];
  });
  const cases: Case[] = [];
  for (let n = 0; n < EACH; n++) {
    const made = caseIn(all, random);
    if (made) cases.push(made);
  }
  return cases;
}

function caseIn(all: readonly KnownThing[], random: Random): Case | undefined {
  const target = all[random.int(0, all.length)]!;
  const kinds = [...new Set(all.map(({ category }) => category))];
  const share = KINDS_HELD.least + (KINDS_HELD.most - KINDS_HELD.least) * random.next();
  const held = new Set(kinds.filter((kind) => kind === target.category || random.next() < share));
  const memory = all.filter(
    (one) => one === target || (held.has(one.category) && random.next() < THINGS_HELD),
  );
  const candidates = memory.filter(({ category }) => category === target.category);
  if (candidates.length < 2) return undefined;
  const mentions = namedBeside(target, all, random).map((other): Mention => {
    const anchors = memory.filter(({ category }) => category === other.category);
    const relation = SAID.find((one) => holds(one, target, { box: other.box!, thing: other }) > 0);
    const score = (one: KnownThing) =>
      Math.max(0, ...anchors.map((anchor) => holds(relation!, one, { box: anchor.box!, thing: anchor })));
    return {
      anchors,
      kinds: kindsFor(other.category),
      ...(relation && { judge: (one) => ({ score: score(one), hint: 0 }) }),
    };
  });
  const terms = termsOf(candidates, mentions, { all: memory, shareOf: sharesAround(memory) });
  return {
    terms: terms.map((one) => NAMES.map((name) => one[name])),
    meant: candidates.indexOf(target),
  };
}

/** What a speaker names: others in the same room and in view, each kind once, the larger the likelier. */
function namedBeside(target: KnownThing, all: readonly KnownThing[], random: Random): KnownThing[] {
  const near = all.filter(
    (one) =>
      one.category !== target.category &&
      one.roomId === target.roomId &&
      distance(one.position!, target.position!) < VIEW_M,
  );
  return near
    .map((one) => ({ one, lot: random.next() ** (1 / (typicalSizeM(one.category) ?? 0.3)) }))
    .sort((a, b) => b.lot - a.lot)
    .filter(({ one }, n, order) => order.findIndex((other) => other.one.category === one.category) === n)
    .slice(0, NAMED)
    .map(({ one }) => one);
}

function thingAt(id: string, category: string, position: Vec3, extent: Vec3, roomId: string): KnownThing {
  const half = { x: extent.x / 2, y: extent.y / 2, z: extent.z / 2 };
  return {
    state: { id, category, name: category, text: [], attributes: {} } as unknown as KnownThing["state"],
    trackId: id,
    name: category,
    category,
    position,
    box: {
      min: { x: position.x - half.x, y: position.y - half.y, z: position.z - half.z },
      max: { x: position.x + half.x, y: position.y + half.y, z: position.z + half.z },
    },
    worldFromSubmap: undefined,
    heldBy: undefined,
    roomId,
    fit: 1,
  };
}

/** Newton steps of the conditional logit with a ridge. */
function fitted(cases: readonly Case[]): number[] {
  const size = NAMES.length;
  let weights = NAMES.map(() => 0);
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map((w) => -RIDGE * w);
    const curvature = weights.map((_, i) => weights.map((__, j) => (i === j ? RIDGE : 0)));
    for (const { terms, meant } of cases) {
      const p = shares(terms, weights);
      const mean = weights.map((_, i) => terms.reduce((sum, row, n) => sum + p[n]! * row[i]!, 0));
      for (let i = 0; i < size; i++) {
        gradient[i]! += terms[meant]![i]! - mean[i]!;
        for (let j = 0; j < size; j++)
          curvature[i]![j]! +=
            terms.reduce((sum, row, n) => sum + p[n]! * row[i]! * row[j]!, 0) - mean[i]! * mean[j]!;
      }
    }
    const move = solved(curvature, gradient);
    weights = weights.map((w, i) => w + move[i]!);
  }
  return weights;
}

function shares(terms: Case["terms"], weights: readonly number[]): number[] {
  const logs = terms.map((row) => row.reduce((sum, x, i) => sum + x * weights[i]!, 0));
  const most = Math.max(...logs);
  const raw = logs.map((log) => Math.exp(log - most));
  const sum = raw.reduce((total, one) => total + one, 0);
  return raw.map((one) => one / sum);
}

/** Gauss with pivots. */
function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, n) => [...row, right[n]!]);
  for (let i = 0; i < rows.length; i++) {
    const pivot = rows.slice(i).reduce((a, b) => (Math.abs(b[i]!) > Math.abs(a[i]!) ? b : a));
    rows.splice(rows.indexOf(pivot), 1);
    rows.splice(i, 0, pivot);
    for (const row of rows) {
      if (row === pivot) continue;
      const by = row[i]! / pivot[i]!;
      for (let j = i; j <= rows.length; j++) row[j]! -= by * pivot[j]!;
    }
  }
  return rows.map((row, i) => row[rows.length]! / row[i]!);
}

/** How many are found, ties by lot. */
function found(cases: readonly Case[], score: (row: readonly number[]) => number): number {
  const hits = cases.map(({ terms, meant }) => {
    const scores = terms.map(score);
    const best = Math.max(...scores);
    return scores[meant] === best ? 1 / scores.filter((one) => one === best).length : 0;
  });
  return (100 * hits.reduce((sum, one) => sum + one, 0)) / cases.length;
}

function meanLog(cases: readonly Case[], some: readonly number[]): number {
  return (
    cases.reduce((sum, { terms, meant }) => sum + Math.log(shares(terms, some)[meant]!), 0) / cases.length
  );
}

function seedsIn(range: string): number[] {
  const [from = 0, to = from] = range.split("-").map(Number);
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}

const [first = "600-679", second = "680-719"] = process.argv.slice(2);
const [learnt, tried] = [seedsIn(first).flatMap(casesOf), seedsIn(second).flatMap(casesOf)];
const weights = fitted(learnt);
const inUse = NAMES.map((name) => WEIGHTS[name]);
const by = (some: readonly number[]) => (row: readonly number[]) =>
  row.reduce((sum, x, i) => sum + x * some[i]!, 0);
console.log(
  `${learnt.length} descriptions of houses ${first}: ${NAMES.map((name, i) => `${name} ${weights[i]!.toFixed(2)}`).join(", ")}`,
);
console.log(
  `${tried.length} of houses ${second}: found by these ${found(tried, by(weights)).toFixed(1)} % (mean log ${meanLog(tried, weights).toFixed(3)}), by those in use ${found(tried, by(inUse)).toFixed(1)} (${meanLog(tried, inUse).toFixed(3)}), by nearness alone ${found(tried, by([1, 0, 0, 0])).toFixed(1)}, chance ${found(tried, () => 0).toFixed(1)}`,
);
