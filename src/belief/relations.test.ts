import { expect, test } from "vitest";
import { boxFromCentre, vec3 } from "../geometry/index.ts";
import { type Anchor, holds } from "./relations.ts";
import type { KnownThing } from "./thing.ts";

const COUNTER = { box: boxFromCentre(vec3(0, 0, 0.45), vec3(2, 0.6, 0.9)) };

/** A thing of 30 cm without a known holder, at a height. */
function from(z: number): KnownThing {
  const box = boxFromCentre(vec3(0.3, 0.2, z + 0.15), vec3(0.3, 0.1, 0.3));
  return { category: "thing", trackId: "track", box, state: {} } as unknown as KnownThing;
}

test.each([
  ["wardrobe", true],
  ["door", false],
  ["person", false],
  ["painting", false],
])("what lies within the height of a %s is on it: %s", (category, isSo) => {
  const anchor = {
    box: boxFromCentre(vec3(0, 0, 1), vec3(1, 0.6, 2)),
    thing: { category, trackId: "anchor" },
  };
  expect(holds("on", from(0.9), anchor as unknown as Anchor) > 0).toBe(isSo);
});

test("what begins at a top, or a little under or over it, is on it; what begins a hand above it hangs over it", () => {
  expect(holds("on", from(0.9), COUNTER)).toBeGreaterThan(0);
  expect(holds("on", from(0.75), COUNTER)).toBeGreaterThan(0);
  expect(holds("on", from(1), COUNTER)).toBeGreaterThan(0);
  expect(holds("on", from(1.04), COUNTER)).toBe(0);
});

const boxed = (category: string, min: [number, number, number], max: [number, number, number]) => {
  const box = { min: vec3(...min), max: vec3(...max) };
  return { category, trackId: category, box, state: {} } as unknown as KnownThing;
};
const anchorOf = (thing: KnownThing): Anchor => ({ box: thing.box!, thing });

test("what carries a thing is under it, and what lies farther down hardly is", () => {
  const kettle = boxed("kettle", [0, 0, 0.9], [0.2, 0.2, 1.15]);
  const counter = boxed("kitchen counter", [-0.5, -0.2, 0], [0.8, 0.4, 0.9]);
  const rug = boxed("rug", [-1, -1, 0], [1, 1, 0.01]);
  expect(holds("under", counter, anchorOf(kettle))).toBeCloseTo(0.9);
  expect(holds("under", rug, anchorOf(kettle))).toBeLessThan(0.1);
  expect(holds("under", rug, anchorOf(boxed("bed", [-0.8, -0.8, 0], [0.8, 0.8, 0.6])))).toBeCloseTo(0.9);
});

test("nothing is put into a table, though chairs are pushed under it", () => {
  const chair = boxed("chair", [0.1, 0.1, 0], [0.5, 0.5, 0.7]);
  const table = boxed("dining table", [0, 0, 0], [1.6, 0.9, 0.75]);
  expect(holds("in", chair, anchorOf(table))).toBe(0);
  expect(holds("in", chair, anchorOf(boxed("wardrobe", [0, 0, 0], [1.6, 0.9, 2])))).toBeGreaterThan(0);
});

test("what stays where it is is in nothing that is carried about, however far that is spread", () => {
  const blanket = boxed("blanket", [-0.1, -0.1, 0], [1.7, 1, 0.9]);
  const sofa = boxed("sofa", [0, 0, 0], [1.6, 0.9, 0.8]);
  expect(holds("in", sofa, anchorOf(blanket))).toBe(0);
  expect(holds("in", boxed("phone", [0.5, 0.5, 0.4], [0.6, 0.6, 0.45]), anchorOf(blanket))).toBeGreaterThan(
    0,
  );
});

test("what has one thing under and another over it is between them, and what is over two things side by side is over both", () => {
  const [low, middle, high] = [0, 0.6, 1.2].map((z, n) => boxed(`box ${n}`, [0, 0, z], [0.5, 0.5, z + 0.4]));
  const to = (thing: KnownThing, one: KnownThing, other: KnownThing) =>
    holds("above", thing, anchorOf(one), undefined, anchorOf(other));
  expect(to(middle!, low!, high!)).toBeGreaterThan(0.5);
  expect(to(high!, low!, middle!)).toBe(0);
  expect(holds("between", middle!, anchorOf(low!), undefined, anchorOf(high!))).toBeGreaterThan(0.5);
  const [stove, sink] = [0, 0.6].map((x) => boxed(`unit at ${x}`, [x, 0, 0], [x + 0.6, 0.6, 0.9]));
  const shelf = boxed("shelf", [0, 0, 1.5], [1.2, 0.3, 1.6]);
  expect(to(shelf, stove!, sink!)).toBeGreaterThan(0.5);
  expect(to(boxed("hood", [0, 0, 1.5], [0.5, 0.3, 1.8]), stove!, sink!)).toBe(0);
});

test("what carries a thing is not beside it", () => {
  const vase = boxed("vase", [0.1, 0.1, 0.7], [0.2, 0.2, 0.9]);
  const table = boxed("table", [0, 0, 0], [1, 1, 0.7]);
  expect(holds("beside", table, anchorOf(vase))).toBeGreaterThan(0);
  const held = { ...vase, heldBy: { trackId: "table", relation: "on" } } as unknown as KnownThing;
  expect(holds("beside", table, anchorOf(held))).toBe(0);
  expect(holds("beside", held, anchorOf(table))).toBe(0);
});

test("the board of a rack is not between the goods over and under it", () => {
  const [low, high] = [0, 1].map((z) => boxed(`box at ${z}`, [0, 0, z], [0.5, 0.5, z + 0.4]));
  const inSlot = (thing: KnownThing) =>
    anchorOf({ ...thing, slot: { code: "A-01-1" } } as unknown as KnownThing);
  const board = boxed("shelf", [0, 0, 0.6], [1, 0.8, 0.65]);
  expect(holds("below", board, inSlot(low!), undefined, inSlot(high!))).toBe(0);
});
