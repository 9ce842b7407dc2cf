import { describe, expect, it, test } from "vitest";
import { kindsOf } from "./choose.ts";
import { chunksOf } from "./chunk.ts";
import { coreOf } from "./core.ts";
import { exemplarFeatures, readExemplars } from "./exemplars.ts";
import { featuresOf } from "./features.ts";
import { KINDS } from "./kinds.ts";
import { formOf, readByForm } from "./read.ts";

const NOW_US = Date.UTC(2026, 0, 5, 12, 0) * 1000;
const AMONG = ["the sofa", "the lamp"].map((phrase) => ({
  target: { head: phrase.slice(4), mods: [], attributes: {}, plural: false, phrase },
  relations: [],
}));
const read = (question: string) => readByForm(formOf(question), { nowUs: NOW_US, among: [] });

/** Ways of asking that are in no exemplar, and the same in plain words. */
const CASES: [string, string][] = [
  ["Would you mind telling me what somebody has put on the piano?", "what is on the piano"],
  ["I say, whereabouts might the brass globe have got to?", "where is the brass globe"],
  ["Off you pop to the brass globe, please.", "go to the brass globe"],
  ["The harp: what hue would that be?", "what colour is the harp"],
  ["Be so kind as to tell me how high the harp stands.", "how tall is the harp"],
  ["Out of what material was the harp built?", "what is the harp made of"],
  ["What would be the gap, in metres, between the harp and the globe?", "how far is the harp from the globe"],
  ["Compared with the globe, would you say the harp is bigger?", "is the harp bigger than the globe"],
  ["Is the globe smaller than the harp?", "is the globe bigger than the harp"],
  ["Does the piano have the vase on it?", "is the vase on the piano"],
  [
    "Is it the harp rather than the globe that the vase is nearer to?",
    "is the vase closer to the harp than to the globe",
  ],
  ["Was it after the harp that you noticed the globe?", "did you see the harp before the globe"],
  ["When did your eyes last rest on the harp?", "when did you last see the harp"],
  ["The harp has been shifted. Who did it?", "who moved the harp"],
  ["At 10:15, which way was Anna headed?", "which way was anna moving at 10:15"],
  ["Two minutes ago, was Omar making for the harp?", "was omar walking towards the harp two minutes ago"],
  ["Over the last hour, how much ground have you covered?", "how far did you travel over the last hour"],
  [
    "Coming out of the attic into the study, what would I have to my left?",
    "entering the study from the attic, what is on the left",
  ],
  [
    "How many folks could find a seat in the study as it stands?",
    "how many free seats are there in the study",
  ],
];

describe("a question by its form", () => {
  it.each(CASES)("%s", (question, plain) => {
    expect(read(question)?.plain).toBe(plain);
  });

  it("says which way a comparison goes", () => {
    expect(read("Is the globe smaller than the harp?")?.drafts[0]?.compare).toMatchObject({ op: "less" });
    expect(read("Would the harp be bigger than the globe?")?.drafts[0]?.compare).toMatchObject({
      op: "more",
    });
  });

  it("makes two needs of a question that asks two things", () => {
    const drafts = read("Tell me two things about the harp: its colour, and which room it is in.")?.drafts;
    expect(drafts?.map(({ asks }) => asks)).toEqual(["attribute", "locate"]);
  });

  it("offers the options as things", () => {
    const form = formOf("Of these, which would you call the biggest?");
    const reading = readByForm(form, { nowUs: NOW_US, among: AMONG });
    expect(reading?.drafts[0]?.subgoals).toHaveLength(2);
  });

  it("leaves empty what it does not find", () => {
    expect(read("Is bigger than?")?.drafts[0]?.asks).not.toBe("compare");
    expect(read("")?.share ?? 0).toBeLessThan(0.3);
  });
});

test("a question is cut into what fills its places and the words between", () => {
  const question =
    "Could you tell me whether the red mug that says “TEA” in the kitchen was left of Anna at 10:15?";
  const { text, names } = coreOf(question);
  const filled = chunksOf(text, names).filter(({ kind }) => kind !== "word" && kind !== "pause");
  expect(filled.map(({ kind, from, to }) => `${kind}: ${text.slice(from, to)}`)).toEqual([
    'thing: the red mug that says "tea" in the kitchen',
    "side: left",
    "name: anna",
    "when: at 10:15",
  ]);
});

test("the weights are those of the exemplars: run scripts/train-forms.ts when this fails", () => {
  const exemplars = readExemplars();
  let right = 0;
  let all = 0;
  for (const [kind, questions] of exemplars) {
    expect(questions.length, kind).toBeGreaterThanOrEqual(10);
    if (kind !== "other/rules") expect(KINDS[kind], kind).toBeDefined();
    for (const question of questions.filter((_, n) => n % 7 === 0)) {
      all++;
      if (kindsOf(exemplarFeatures(question, 0))[0]!.kind === kind) right++;
    }
  }
  expect(right / all).toBeGreaterThan(0.95);
  const features = featuresOf(chunksOf("what is on the vase"), false);
  expect(kindsOf(features).reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1);
});
