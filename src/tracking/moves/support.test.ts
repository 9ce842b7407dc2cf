import { expect, it } from "vitest";
import { KnownScene } from "../testing/known-scene.ts";
import { findSupport } from "./support.ts";

it("finds what a thing is in, though its container stands on a rug", () => {
  const known = new KnownScene();
  known.thing("rug", "rug", [0, 0, 0.01], [3, 3, 0.02]);
  known.thing("chest", "toy chest", [0, 0, 0.3], [0.8, 0.6, 0.6]);
  const toy = known.thing("toy", "toy car", [0, 0, 0.1], [0.2, 0.1, 0.1]);
  findSupport(known.scene, toy);
  expect(toy.links.insideOf).toBe("state-chest");
});

it("leaves what stands on a table where it is, though the box of a counter around the corner holds it", () => {
  const known = new KnownScene();
  known.thing("counter", "kitchen counter", [0, 0, 0.45], [3, 3, 0.95]);
  const mug = known.thing("mug", "mug", [1, 1, 0.8], [0.1, 0.1, 0.1]);
  const chair = known.thing("chair", "chair", [-1, -1, 0.4], [0.4, 0.4, 0.8]);
  findSupport(known.scene, chair);
  expect(chair.links.insideOf).toBeUndefined();
  findSupport(known.scene, mug);
  expect(mug.links.insideOf).toBe("state-counter");
  known.thing("table", "table", [1.2, 1.2, 0.375], [1, 1.4, 0.75]);
  findSupport(known.scene, mug);
  expect(mug.links).toMatchObject({ insideOf: undefined, supportedBy: "state-table" });
});

it("puts a mug among papers on their table, and not into the counter whose box holds them", () => {
  const known = new KnownScene();
  known.thing("counter", "kitchen counter", [0, 0, 0.45], [3, 3, 0.95]);
  known.thing("table", "table", [1.2, 1.2, 0.375], [1, 1.4, 0.75]);
  known.thing("paper", "paper", [1, 1, 0.76], [0.4, 0.3, 0.02]);
  const mug = known.thing("mug", "mug", [1, 1, 0.81], [0.1, 0.1, 0.1]);
  findSupport(known.scene, mug);
  expect(mug.links).toMatchObject({ insideOf: undefined, supportedBy: "state-table" });
});

it("puts no chair on a counter that ends above it, though only its back was seen", () => {
  const known = new KnownScene();
  known.thing("counter", "kitchen counter", [0, 0, 0.45], [3, 3, 0.95]);
  const chair = known.thing("chair", "chair", [-1, -1, 0.7], [0.4, 0.1, 0.2]);
  findSupport(known.scene, chair);
  expect(chair.links.supportedBy).toBeUndefined();
});

it("puts a shirt on the bed of which only the covers were seen, and no shoes that stand before a whole one", () => {
  const known = new KnownScene();
  known.thing("bed", "bed", [0, 0, 0.76], [2, 1.6, 0.56]);
  const shirt = known.thing("shirt", "shirt", [0.3, 0.2, 0.58], [0.3, 0.35, 0.06]);
  findSupport(known.scene, shirt);
  expect(shirt.links.supportedBy).toBe("state-bed");
  known.thing("sofa", "sofa", [5, 5, 0.4], [2, 1, 0.8]);
  const shoes = known.thing("shoes", "shoes", [5, 5.4, 0.04], [0.3, 0.2, 0.1]);
  findSupport(known.scene, shoes);
  expect(shoes.links.supportedBy).toBeUndefined();
});
