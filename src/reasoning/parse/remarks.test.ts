import { expect, it, test } from "vitest";
import { parseQuestion } from "./parse-question.ts";
import { withoutRemarks } from "./remarks.ts";

const parse = (text: string) => parseQuestion(text, { nowUs: 0 })[0]!;

test.each([
  ["how many of these are in this room: trash can", "how many trash can are in this room"],
  ["how many chair(s) are in this room", "how many chairs are in this room"],
  [
    "how far apart are the nearest points of the bed and the tv, in metres",
    "how far apart are the bed and the tv",
  ],
  [
    "measuring from the closest point of each object, what is the distance between the bed and the tv (in metres)",
    "how far apart are the bed and the tv",
  ],
  ["how tall is the shelf", "how tall is the shelf"],
])("%s", (asked, plain) => {
  expect(withoutRemarks(asked)).toBe(plain);
});

it("reads lists of options, before and after the verb, as a comparison", () => {
  for (const text of [
    "Measured between their nearest points, which of these is nearest to the bed: chair, tv, ceiling light?",
    "Measuring from the closest point of each object, which of these objects (chair, tv, ceiling light) is the closest to the bed?",
  ]) {
    const need = parse(text);
    expect(need).toMatchObject({ asks: "compare", compare: { dimension: "distance", to: { head: "bed" } } });
    expect(need.subgoals.map(({ target }) => target.head)).toEqual(["chair", "tv", "ceiling light"]);
  }
});

it("reads the longest side as a size, in either wording", () => {
  for (const text of [
    "How long is the longest side of the sofa, in metres?",
    "What is the length of the longest dimension (length, width, or height) of the sofa, measured in centimetres?",
  ]) {
    const need = parse(text);
    expect(need).toMatchObject({ asks: "size", answer: "quantity" });
    expect(need.subgoals[0]).toMatchObject({ target: { head: "sofa" }, property: "longest" });
  }
});

it("takes where somebody stands and what is faced from the sentence before", () => {
  for (const text of [
    "I stand by the bed and face the tv. Is the chair to my left, to my right, or behind me (more than 135° to turn)?",
    "If I am standing by the bed and facing the tv, is the chair to my left, right, or behind?",
  ]) {
    expect(parse(text)).toMatchObject({
      asks: "direction",
      subgoals: [{ target: { head: "chair" } }],
      alternatives: ["left", "right", "behind"],
      frame: { kind: "viewer", ref: { head: "bed" }, facing: { head: "tv" } },
    });
  }
});
