import { describe, expect, it } from "vitest";
import { type AnswerInput, answerSchema, type QuestionInput, questionSchema } from "../../schema/index.ts";
import { matchText } from "./match-text.ts";
import { quantityIn, secondsIn } from "./measures.ts";
import { normalise, numberIn, singular } from "./normalise.ts";
import { judgeByRules, letterIn } from "./rule-judge.ts";

function question(answer: QuestionInput["answer"], more: Partial<QuestionInput> = {}) {
  return questionSchema.parse({
    id: "q1",
    family: "house",
    suite: "test",
    type: "recognition",
    subtype: "test",
    text: "What is it?",
    scope: "episodic",
    askedAtUs: 1_000_000,
    difficulty: "easy",
    answerable: answer.type !== "none",
    answer,
    ...more,
  });
}

function answer(type: AnswerInput["type"], more: Partial<AnswerInput> = {}) {
  return answerSchema.parse({
    question: "What is it?",
    askedAtUs: 1_000_000,
    strategy: "test",
    type,
    status: "answered",
    text: "something",
    confidence: 0.5,
    ...more,
  });
}

const p = (x: number, y = 0, z = 0) => ({ x, y, z });

describe("words", () => {
  it.each([
    [5, "on the kitchen counter", "On the kitchen counter.", ""],
    [5, "The chair is black.", "black", "What color is the chair?"],
    [5, "two chairs", "2 chair", ""],
    [5, "a lamp", "The LAMP", ""],
    [5, "twenty-one books", "21 books", ""],
    [4, "the couch", "a sofa", ""],
    [4, "in the trash can", "inside the rubbish bin", ""],
    [4, "beside the fireplace", "next to the fireplace", ""],
    [4, "on the wooden table in the living room", "on the table", ""],
    [4, "navy blue", "blue", "What color is the door?"],
    [3, "furniture", "a chair", "What is in the corner?"],
    [3, "black", "black and white", "What color is it?"],
    [3, "red or blue", "red", "What color is it?"],
    [2, "an armchair", "a stool", "What is in the corner?"],
    [2, "red", "orange", "What color is it?"],
    [1, "on the table", "on the floor", "Where is it?"],
    [3, "under the desk by the window", "on the desk", "Where is it?"],
    [1, "a cat", "a stool", ""],
    [1, "blue chair", "red chair", "Which chair is it?"],
    [1, "closed", "open", "Is the door open or closed?"],
    [1, "not on the table", "on the table", ""],
    [1, "I don't know", "the table", ""],
    [1, "", "the table", ""],
    [2, "three red chairs", "two red chairs", ""],
    [2, "under the table in the hall", "above the table in the hall", ""],
  ])("gives %d to “%s” for “%s”", (score, said, truth, asked) => {
    expect(matchText(said, [truth], asked)).toMatchObject({ score });
  });

  it("does not take a paragraph that holds the answer for the answer", () => {
    const caption = `You see ${Array.from({ length: 60 }, (_, i) => `thing${i}`).join(" ")} and a red chair.`;
    expect(matchText(caption, ["red"], "What color is the chair?").score).toBe(2);
    const sentence =
      "a red chair stands near one tall window with long white linen curtains, two plants, four books";
    expect(matchText(sentence, ["red"], "What color is the chair?").score).toBe(3);
  });

  it("takes the best of several accepted answers", () => {
    expect(matchText("by the stairs", ["over the drawers", "by the stairs"]).score).toBe(5);
  });

  it("finds plurals and numbers", () => {
    const words = [
      "shelves",
      "glasses",
      "buses",
      "berries",
      "boxes",
      "dishes",
      "chairs",
      "glass",
      "bus",
      "knives",
      "tomatoes",
    ];
    expect(words.map(singular)).toEqual([
      "shelf",
      "glass",
      "bus",
      "berry",
      "box",
      "dish",
      "chair",
      "glass",
      "bus",
      "knife",
      "tomato",
    ]);
    expect([numberIn("about twelve"), numberIn("2.5 m"), numberIn("1,250"), numberIn("none")]).toEqual([
      12,
      2.5,
      1250,
      null,
    ]);
    expect([...normalise("The bedside tables").meaning]).toEqual(["nightstand"]);
  });
});

describe("numbers in words", () => {
  it.each([
    ["5 minutes and 41 seconds ago", 341],
    ["about 1.5 min", 90],
    ["an hour", 3_600],
    ["half an hour", 1_800],
    ["two minutes", 120],
    ["90s", 90],
    ["at 09:00:12", null],
    ["3 chairs", null],
    ["1.6 m; 4 seconds ago", 4],
  ])("finds in “%s” %s seconds", (text, seconds) => {
    expect(secondsIn(text)).toBe(seconds);
  });

  it.each([
    ["about 3 m", "m", 3],
    ["it is 120 cm long", "m", 1.2],
    ["two metres tall", "m", 2],
    ["1.0 m/s", "m/s", 1],
    ["3.6 km/h", "m/s", 1],
    ["1.0 m/s", "m", null],
    ["two meters per second", "m/s", 2],
    ["12 square metres", "m2", 12],
    ["90 degrees", "rad", Math.PI / 2],
    ["80 %", "1", 0.8],
    ["three chairs", "m", null],
  ] as const)("finds in “%s” as %s %s", (text, unit, value) => {
    const found = quantityIn(text, unit);
    if (value === null) expect(found).toBeNull();
    else expect(found).toBeCloseTo(value, 9);
  });

  it("judges them as if they were typed", () => {
    const when = question(
      { type: "time", text: "then", atUs: -340_000_000, agoS: 341 },
      { tolerance: { s: 2 } },
    );
    expect(judgeByRules(when, answer("text", { text: "5 minutes and 41 seconds ago" })).score).toBe(5);
    expect(judgeByRules(when, answer("text", { text: "at nine" })).score).toBe(1);
    const long = question({ type: "duration", text: "…", durationS: 60 }, { tolerance: { s: 5 } });
    expect(judgeByRules(long, answer("text", { text: "a minute" })).score).toBe(5);
    const tall = question({ type: "quantity", text: "2 m", quantity: { value: 2, unit: "m" } });
    expect(judgeByRules(tall, answer("text", { text: "200 cm" })).score).toBe(5);
  });
});

describe("typed answers", () => {
  it("knows yes from no, and why no", () => {
    const yes = question({ type: "binary", text: "yes", value: true });
    expect(judgeByRules(yes, answer("binary", { binary: true })).score).toBe(5);
    expect(judgeByRules(yes, answer("binary", { binary: false })).score).toBe(1);
    expect(judgeByRules(yes, answer("text", { text: "Yeah, there is." })).score).toBe(5);
    expect(judgeByRules(yes, answer("text", { text: "There isn't any." })).score).toBe(1);
    expect(judgeByRules(yes, answer("text", { text: "Perhaps." })).score).toBe(1);
    expect(judgeByRules(yes, answer("text", { text: "", status: "not-seen" })).score).toBeNull();
    const no = question({ type: "binary", text: "no", value: false, status: "looked-absent" });
    const said = (status: AnswerInput["status"]) => answer("binary", { binary: false, status });
    expect(judgeByRules(no, said("looked-absent")).score).toBe(5);
    expect(judgeByRules(no, said("not-seen")).score).toBe(4);
  });

  it("judges places by the tolerance and by any accepted one", () => {
    const sink = question(
      { type: "position", text: "in the bathroom", position: p(0), accepted: [p(10)] },
      { tolerance: { m: 1 } },
    );
    const at = (x: number) => judgeByRules(sink, answer("position", { position: { point: p(x) } })).score;
    expect([at(1), at(1.9), at(3.9), at(4.1), at(10.5)]).toEqual([5, 3, 2, 1, 5]);
    expect(judgeByRules(sink, answer("text", { text: "in the bathroom" })).score).toBe(4);
  });

  it("lets the right place stand for other words, but not a place nearby", () => {
    const cup = question({ type: "text", text: "on the counter", position: p(0) }, { tolerance: { m: 1 } });
    const at = (x: number) =>
      judgeByRules(cup, answer("text", { text: "by the window", position: { point: p(x) } })).score;
    expect([at(0.5), at(1.5)]).toEqual([4, 1]);
  });

  it("judges times, durations, counts and quantities", () => {
    const when = question({ type: "time", text: "a minute ago", atUs: 0, agoS: 60 });
    const at = (s: number) => judgeByRules(when, answer("time", { time: { atUs: s * 1e6, agoS: 0 } })).score;
    expect([at(120), at(121), at(300), at(481)]).toEqual([5, 3, 2, 1]);
    const long = question({ type: "duration", text: "100 s", durationS: 100 }, { tolerance: { share: 0.2 } });
    const lasts = (s: number) => judgeByRules(long, answer("duration", { durationS: s })).score;
    expect([lasts(120), lasts(121), lasts(61), lasts(300)]).toEqual([5, 3, 3, 1]);
    const many = question({ type: "count", text: "six", count: 6 });
    const counts = (n: number) => judgeByRules(many, answer("count", { count: n })).score;
    expect([counts(6), counts(5), counts(4)]).toEqual([5, 3, 1]);
    expect(judgeByRules(many, answer("text", { text: "There are six." })).score).toBe(5);
    const two = question({ type: "count", text: "two", count: 2 });
    expect(judgeByRules(two, answer("count", { count: 3 })).score).toBe(2);
    const tall = question({ type: "quantity", text: "2 m", quantity: { value: 2, unit: "m" } });
    const is = (value: number, unit: "m" | "m2" = "m") =>
      judgeByRules(tall, answer("quantity", { quantity: { value, unit } })).score;
    expect([is(2.2), is(2.3), is(2.7), is(3), is(2, "m2")]).toEqual([5, 3, 2, 1, 1]);
  });

  it("reads a letter, or the words of one option", () => {
    const options = ["the red chair", "the sofa", "the lamp"];
    const which = question({ type: "choice", text: "the sofa", letter: "B" }, { options });
    expect(judgeByRules(which, answer("choice", { choice: "B" })).score).toBe(5);
    expect(judgeByRules(which, answer("text", { text: "the couch" })).score).toBe(5);
    expect(judgeByRules(which, answer("choice", { choice: "C" })).score).toBe(1);
    expect(["b", "(B)", "B. the sofa", "Z", "a sofa", "something"].map((t) => letterIn(t, options))).toEqual([
      "B",
      "B",
      "B",
      null,
      "B",
      null,
    ]);
  });

  it("judges sets by F1, in other words too", () => {
    const what = question({ type: "set", text: "…", items: ["cup", "sofa", "lamp"] });
    const said = (...set: string[]) => judgeByRules(what, answer("set", { set })).score;
    expect(said("lamp", "couch", "cup")).toBe(5);
    expect(said("lamp", "sofa", "cup", "book")).toBe(4);
    expect(said("lamp", "sofa")).toBe(3);
    expect(said("lamp", "book", "bed", "door")).toBe(2);
    expect(said("book")).toBe(1);
    expect(judgeByRules(what, answer("text", { text: "A cup, a sofa and a lamp" })).score).toBe(5);
  });

  it("takes the plain name of a thing on a list for the thing, and no other kind of it", () => {
    const listed = (items: string[], set: string[]) =>
      judgeByRules(question({ type: "set", text: "…", items }), answer("set", { set })).score;
    expect(listed(["cooking pot", "electric kettle"], ["blue pot", "white kettle"])).toBe(5);
    expect(listed(["flower vase", "succulent"], ["green potted plant", "vase"])).toBe(5);
    expect(listed(["side plate", "water glass"], ["plate", "glass"])).toBe(5);
    expect(listed(["herb pot"], ["pot"])).toBe(1);
    expect(listed(["side plate"], ["dinner plate"])).toBe(1);
    expect(listed(["desk"], ["table"])).toBe(1);
  });

  it("judges motion by what was asked of it", () => {
    const bus = question({
      type: "motion",
      text: "left",
      moving: true,
      direction: "left",
      turn: "clockwise",
    });
    const said = (motion: AnswerInput["motion"]) => judgeByRules(bus, answer("motion", { motion })).score;
    expect(said({ moving: true, direction: "to the left", turn: "clockwise" })).toBe(5);
    expect(said({ moving: true, direction: "left", turn: "none" })).toBe(3);
    expect(said({ moving: true, direction: "right", turn: "none" })).toBe(1);
    expect(said({ moving: false })).toBe(1);
  });

  it("counts the facts of a rubric", () => {
    const facts = [["bed"], ["desk", "writing table"], ["sofa"], ["bathroom"]];
    const home = question({ type: "rubric", text: "…", facts });
    const said = (text: string) => judgeByRules(home, answer("text", { text })).score;
    expect(said("A bed, a desk, a couch, and a washroom.")).toBe(5);
    expect(said("Two beds and a desk.")).toBe(3);
    expect(said("A garden.")).toBe(1);
  });

  it("rewards saying that there is no answer, most for the right reason", () => {
    const none = question({ type: "none", text: "not seen", status: "not-seen" });
    const said = (status: AnswerInput["status"]) => judgeByRules(none, answer("text", { status })).score;
    expect([said("not-seen"), said("insufficient"), said("answered")]).toEqual([5, 3, 1]);
  });

  it("gives nothing for silence where there is an answer", () => {
    const what = question({ type: "text", text: "a cup" });
    expect(judgeByRules(what, answer("text", { status: "insufficient", text: "a cup" })).score).toBeNull();
  });

  it("never calls a compound right with a part missing", () => {
    const both = question({
      type: "compound",
      text: "3 m, a minute ago",
      parts: [
        { type: "quantity", text: "3 m", quantity: { value: 3, unit: "m" } },
        { type: "time", text: "a minute ago", atUs: 0, agoS: 60 },
      ],
    });
    const tall = { quantity: { value: 3, unit: "m" } } as const;
    expect(judgeByRules(both, answer("quantity", { ...tall, time: { atUs: 0, agoS: 60 } })).score).toBe(5);
    expect(judgeByRules(both, answer("quantity", tall)).score).toBe(3);
  });
});
