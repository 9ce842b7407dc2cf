import { expect, it } from "vitest";
import { detectionOf } from "../testing/known-scene.ts";
import { isFluent } from "./fluents.ts";
import { Words } from "./words.ts";

/** A box of the store, with its label read or not by each observation. */
function box(...labels: (string | undefined)[]): Words {
  const words = new Words();
  for (const label of labels) {
    const phrase = label === undefined ? "brown box" : `brown box that says “${label}”`;
    words.add({ ...detectionOf("box", "brown"), phrase }, 1);
  }
  return words;
}

it("takes another label for another box, the same for the same, and one that was not read for neither", () => {
  const a = box("KX-482", undefined);
  const balance = (other: Words) => a.attributeBalance(other, isFluent);
  expect(balance(box("GG-182", "GG-182"))).toEqual({ agree: 1, conflict: 1 });
  expect(balance(box("KX-482"))).toEqual({ agree: 2, conflict: 0 });
  expect(balance(box(undefined))).toEqual({ agree: 1, conflict: 0 });
  // A label read by a good part of the observations is no contradiction.
  expect(balance(box("GG-182", "GG-182", "KX-482", "KX-482"))).toEqual({ agree: 2, conflict: 0 });
});

it("remembers what else a thing may be, as likely as its looks say in the mean", () => {
  const words = new Words();
  const look = detectionOf("thing", "white");
  words.add({ ...look, maybe: [{ category: "sink", p: 0.4 }] }, 1);
  words.add(look, 1);
  expect(words.category).toBe("thing");
  expect(words.maybe).toEqual([{ category: "sink", p: expect.closeTo(0.2, 6) }]);
  expect(words.copy().maybe).toEqual(words.maybe);
  // The majority label is not among the doubts.
  for (let n = 0; n < 3; n++) words.add(detectionOf("sink", "white"), 1);
  expect(words.maybe).toEqual([]);
});

it("takes what a nameless thing may be for a kind of it", () => {
  const background = { mean: 0, sd: 0.1 };
  const words = new Words();
  words.add({ ...detectionOf("thing", "white"), maybe: [{ category: "paper", p: 0.4 }] }, 1);
  const agreement = (category: string) => words.kindAgreement(detectionOf(category, "white"), background);
  expect([agreement("paper"), agreement("mug")]).toEqual([expect.closeTo(0.6), 0]);
  const [paper, mug] = [new Words(), new Words()];
  paper.add(detectionOf("paper", "white"), 1);
  mug.add(detectionOf("mug", "white"), 1);
  expect([words.maybeAs(paper), paper.maybeAs(words), words.maybeAs(mug), mug.maybeAs(paper)]).toEqual([
    true,
    true,
    false,
    false,
  ]);
  expect([paper, mug].map((one) => one.isLike(words, background))).toEqual([true, false]);
});

it("tells no two things apart by their second colour, and keeps it", () => {
  const striped = (accent: string) => {
    const words = new Words();
    const look = detectionOf("rug", "white");
    words.add({ ...look, attributes: { ...look.attributes, accent } }, 1);
    return words;
  };
  const [red, blue] = [striped("red"), striped("blue")];
  expect(red.attributeBalance(blue, isFluent).conflict).toBe(0);
  expect(red.copy().votesOn("accent").best()).toBe("red");
});
