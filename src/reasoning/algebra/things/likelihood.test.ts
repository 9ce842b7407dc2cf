import { expect, test } from "vitest";
import type { KnownThing } from "../../../belief/thing.ts";
import { thing } from "../../testing/made-values.ts";
import { likelihoods, type Mention } from "./likelihood.ts";
import { sharesAround } from "./surroundings.ts";

function at(category: string, x: number, y = 0): KnownThing {
  return { ...thing(category), position: { x, y, z: 1 } };
}

/** The probability of each, with everything that is known around them. */
function sharesOf(
  candidates: readonly KnownThing[],
  mentions: readonly Mention[],
  others: readonly KnownThing[],
): number[] {
  const all = [...candidates, ...others];
  return likelihoods(candidates, mentions, { all, shareOf: sharesAround(all) });
}

const mirrors = [at("mirror", 0), at("mirror", 6), at("mirror", 12)];

test("the nearer to what is mentioned the likelier, and nothing is ruled out", () => {
  const guitar = at("guitar", 6, 1);
  const p = sharesOf(mirrors, [{ anchors: [guitar], kinds: [] }], [guitar]);
  expect(p.reduce((sum, one) => sum + one, 0)).toBeCloseTo(1, 9);
  expect(p[1]!).toBeGreaterThan(Math.max(p[0]!, p[2]!));
  expect(Math.min(...p)).toBeGreaterThan(0.01);
});

test("all that is mentioned counts together, and one that is far away does not decide", () => {
  const [plant, lamp, piano] = [at("plant", 6, 1), at("lamp", 6, -1), at("piano", 0, 1)];
  const mentions = [plant, lamp, piano].map((one) => ({ anchors: [one], kinds: [] }));
  const p = sharesOf(mirrors, mentions, [plant, lamp, piano]);
  expect(p.indexOf(Math.max(...p))).toBe(1);
});

test("what nobody saw still tells by the kind of room", () => {
  const around = [at("toilet", 11, 1), at("shower", 13, 1), at("fridge", 6, 1), at("oven", 5, 1)];
  const p = sharesOf(mirrors, [{ anchors: [], kinds: ["bathroom"] }], around);
  expect(p.indexOf(Math.max(...p))).toBe(2);
  const named = sharesOf(mirrors, [{ anchors: [], kinds: ["kitchen"] }], around);
  expect(named.indexOf(Math.max(...named))).toBe(1);
});

test("a look that is otherwise makes less likely, and enough else outweighs it", () => {
  const [right, wrong] = [at("vase", 0), { ...at("vase", 6), fit: 0.2 }];
  const alone = sharesOf([right, wrong], [], []);
  expect(alone[0]).toBeGreaterThan(0.8);
  const beside = [at("piano", 6, 0.2), at("guitar", 6, -0.2)];
  const told = sharesOf(
    [right, wrong],
    beside.map((one) => ({ anchors: [one], kinds: [] })),
    beside,
  );
  expect(told[1]).toBeGreaterThan(0.8);
});

test("what stands right beside it would have been mentioned", () => {
  const piano = at("piano", 0, 0.5);
  const p = sharesOf(mirrors, [], [piano]);
  expect(p[0]!).toBeLessThan(p[1]!);
});
