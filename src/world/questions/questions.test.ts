import { describe, expect, it } from "vitest";
import { isLociError, type QuestionRecord, questionSchema, type TruthAnswer } from "../../schema/index.ts";
import { SceneSource } from "../agents/index.ts";
import { imagineHouse } from "../recorder/index.ts";
import { intrinsicsOf, Visibility, worldFromCameraOf } from "../sensors/index.ts";
import { checkQuestion } from "./check/check-question.ts";
import { Truth } from "./check/truth.ts";
import { CHI_SQUARE_LIMIT, checkQuestions, chiSquare, makeQuestions, mergeReports } from "./index.ts";
import type { SuiteName } from "./suites.ts";

const OPTIONS = {
  family: "house",
  seed: 5,
  agents: 2,
  minutes: 7.5,
  fps: 1,
  rate: 400,
  people: 2,
  rooms: 5,
  floors: 1,
  objects: 90,
  out: "nowhere",
} as const;
const { world, truth: document } = imagineHouse(OPTIONS);
const plain: unknown = JSON.parse(JSON.stringify(document));
const truth = new Truth(plain);
const make = (suite: SuiteName, count: number, rest = {}): QuestionRecord[] =>
  makeQuestions(world, { suite, count, seed: 1, withoutPaths: true, ...rest });
const suites = ["openeqa", "mt", "navqa-medium", "erag", "change", "motion", "collab", "all"] as const;
const bySuite = new Map(suites.map((suite) => [suite, make(suite, 40)]));
const questions = [...bySuite.values()].flat();

describe("makeQuestions", () => {
  it("gives answers that the independent checker derives again, in every suite", () => {
    const report = mergeReports([...bySuite.values()].map((list) => checkQuestions(list, plain)));
    expect(report.faults).toEqual([]);
    expect(report.count).toBeGreaterThan(250);
  });

  it("balances yes and no, spreads the right letter, and leaves some unanswerable", () => {
    const report = checkQuestions(questions, plain);
    expect(Math.abs(report.yes / (report.yes + report.no) - 0.5)).toBeLessThan(0.06);
    expect(chiSquare(report.letters)).toBeLessThan(CHI_SQUARE_LIMIT);
    const share = Object.values(report.unanswerable).reduce((sum, n) => sum + n, 0) / report.count;
    expect(share).toBeGreaterThan(0.09);
    expect(share).toBeLessThan(0.15);
    expect(Object.keys(report.unanswerable).sort()).toEqual(["false-premise", "looked-absent", "never-seen"]);
  });

  it("leaves as many without an answer as it is asked to", () => {
    const none = make("openeqa", 12, { unanswerable: 1 }).filter(({ answerable }) => !answerable);
    expect(none.length).toBeGreaterThan(8);
    expect(make("openeqa", 12, { unanswerable: 0 }).every(({ answerable }) => answerable)).toBe(true);
  });

  it("asks the same again from the same seed, and something else from another", () => {
    const again = make("openeqa", 40);
    expect(again).toEqual(bySuite.get("openeqa"));
    expect(make("openeqa", 40, { seed: 2 }).map(({ id }) => id)).not.toEqual(again.map(({ id }) => id));
  });

  it("draws its text from the set that is asked for", () => {
    for (const { text, paraphrases } of make("navqa-medium", 30, { wording: "dev" }))
      expect(paraphrases.dev).toContain(text);
    for (const { text, paraphrases } of bySuite.get("openeqa")!) expect(paraphrases.test).toContain(text);
  });

  it("keeps the proportions of its suites", () => {
    const openeqa = make("openeqa", 120);
    const states = openeqa.filter(({ subtype }) => subtype.startsWith("state/")).length;
    expect(states / openeqa.length).toBeCloseTo(252 / 1636, 1);
    for (const question of bySuite.get("mt")!)
      expect(question.answer.type).toBe(question.answerable ? "choice" : "none");
    expect(bySuite.get("collab")!.every(({ type }) => type === "collaborative")).toBe(true);
  });

  it("asks NaVQA's medium questions between two and seven minutes in, its long ones later", () => {
    const minutes = ({ askedAtUs }: QuestionRecord): number => (askedAtUs - world.timeline.startUs) / 60e6;
    for (const question of bySuite.get("navqa-medium")!) {
      expect(minutes(question)).toBeGreaterThan(2);
      expect(minutes(question)).toBeLessThanOrEqual(7);
    }
    for (const question of make("navqa-long", 10)) expect(minutes(question)).toBeGreaterThan(7);
  });

  it("has ids of its own for every question and fits the schema", () => {
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
    for (const question of questions) expect(questionSchema.parse(question)).toEqual(question);
  });

  it("refuses what it cannot do in one line", () => {
    const alone = { ...world, agents: world.agents.slice(0, 1) };
    for (const attempt of [
      () => makeQuestions(world, { suite: "all", count: 0, seed: 1 }),
      () => makeQuestions(alone, { suite: "collab", count: 5, seed: 1 }),
    ])
      expect(attempt).toThrowError(expect.toSatisfy((error: unknown) => isLociError(error, "invalid-input")));
  });

  it("gives least walks whose viewpoints show the target", () => {
    const active = makeQuestions(world, { suite: "openeqa", count: 14, seed: 3, scope: "active" });
    expect(active.length).toBeGreaterThan(8);
    for (const question of active.filter(({ targets }) => targets.length === 1)) {
      const { viewpoints, m, steps } = question.minPath!;
      const view = new Visibility(new SceneSource(world.timeline).at(question.askedAtUs));
      const { position, yawRad } = viewpoints.at(-1)!;
      const seen = view.look(intrinsicsOf(world.camera), worldFromCameraOf(world.camera, position, yawRad));
      const number = world.timeline.thing(question.targets[0]!).number;
      expect(seen.find(({ thing }) => thing === number)?.pixels).toBeGreaterThanOrEqual(60);
      expect(steps).toBeGreaterThanOrEqual(m / 0.25);
    }
  });
});

/** What another question of the same kind has as its answer: of the same form, plausible, and wrong here. */
function borrowed({ subtype, answer, extra }: QuestionRecord): TruthAnswer | undefined {
  const right = new Set([answer.text, ...extra]);
  return questions.find(
    (other) => other.subtype === subtype && other.answerable && !right.has(other.answer.text),
  )?.answer;
}

/** Another answer of the same form. */
function wrong(answer: TruthAnswer): TruthAnswer {
  switch (answer.type) {
    case "binary":
      return { ...answer, value: !answer.value };
    case "count":
      return { ...answer, count: answer.count + 1 };
    case "quantity":
      return { ...answer, quantity: { ...answer.quantity, value: answer.quantity.value * 1.3 + 1 } };
    case "duration":
      return { ...answer, durationS: answer.durationS + 60 };
    case "time":
      return { ...answer, atUs: answer.atUs - 90e6 };
    case "position":
      return { ...answer, position: { ...answer.position, x: answer.position.x + 20 } };
    case "text":
      return { type: "text", text: "a flying carpet" };
    case "choice":
      return { ...answer, letter: answer.letter === "A" ? "B" : "A" };
    case "set":
      return { ...answer, items: [...answer.items, "unicorn"] };
    case "motion":
      return { ...answer, direction: "up", turn: "none" };
    case "none":
      return { ...answer, status: answer.status === "not-seen" ? "looked-absent" : "not-seen" };
    case "rubric":
      return { ...answer, facts: [...answer.facts, ["ballroom"]] };
    case "compound":
      return { ...answer, parts: answer.parts.map((part) => wrong(part)) as typeof answer.parts };
  }
}

describe("the checker", () => {
  it("finds every answer that was made wrong", () => {
    const missed = questions.filter((question) => {
      const answer = wrong(question.answer);
      return checkQuestion({ ...question, answer }, truth) === undefined;
    });
    expect(missed.map(({ subtype, text }) => `${subtype}: ${text}`)).toEqual([]);
  });

  it("finds answers that belong to another question of the same kind", () => {
    const texts = questions.filter(({ answer, answerable }) => answerable && answer.type === "text");
    const swapped = texts.flatMap((question) => {
      const answer = borrowed(question);
      return answer?.type === "text" ? [{ ...question, answer }] : [];
    });
    expect(swapped.length).toBeGreaterThan(20);
    expect(swapped.filter((question) => checkQuestion(question, truth) === undefined)).toEqual([]);
  });

  it("finds options moved, words in both sets, evidence from the future and targets that were never seen", () => {
    const choice = questions.find(({ options }) => options !== undefined)!;
    const spoilt: QuestionRecord[] = [
      { ...choice, options: [...choice.options!].reverse() },
      { ...choice, paraphrases: { dev: [choice.text], test: [choice.text] } },
      { ...choice, evidenceTimesUs: [choice.askedAtUs + 1] },
      { ...choice, askedAtUs: world.timeline.startUs, evidenceTimesUs: [world.timeline.startUs] },
    ];
    for (const question of spoilt) expect(checkQuestion(question, truth)).toBeDefined();
    expect(checkQuestion(choice, truth)).toBeUndefined();
  });

  it("finds words that fit two things", () => {
    const question = questions.find(({ about }) => (about["referents"] as unknown[]).length === 1)!;
    const referents = (question.about["referents"] as { nouns: string[] }[]).map(({ nouns: _, ...rest }) => ({
      ...rest,
      nouns: ["lamp"],
      colour: undefined,
      room: undefined,
      says: undefined,
    }));
    const about = { ...question.about, referents: JSON.parse(JSON.stringify(referents)) };
    expect(checkQuestion({ ...question, about }, truth)).toMatch(/could mean/);
  });
});
