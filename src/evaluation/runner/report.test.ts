import { describe, expect, it } from "vitest";
import { type AnswerInput, answerSchema, type QuestionInput } from "../../schema/index.ts";
import { judgeByRules } from "../judge/rule-judge.ts";
import { questionOf } from "../testing/toy-suite.ts";
import { reportOf } from "./report.ts";
import { formatReport } from "./report-text.ts";
import type { Row } from "./row.ts";
import type { SuiteRun } from "./run-suite.ts";
import { scoreAnswer } from "./score.ts";

type Said = Partial<AnswerInput> & Pick<AnswerInput, "type">;

function answerOf(said: Said) {
  return answerSchema.parse({
    question: "What is it?",
    askedAtUs: 0,
    strategy: "test",
    status: "answered",
    text: "something",
    confidence: 0.5,
    ...said,
  });
}

function rowOf(
  scene: string,
  strategy: string,
  question: ReturnType<typeof questionOf>,
  said: Said | null,
): Row {
  const answer = said === null ? null : answerOf(said);
  const verdict = answer === null ? null : judgeByRules(question, answer);
  return {
    format: 1,
    key: `${scene}/${strategy}/${question.id}`,
    suite: "test",
    scene,
    seed: "1",
    questionId: question.id,
    strategy,
    commit: "test",
    configuration: "c",
    models: {},
    judge: "rules-1",
    answer,
    verdict,
    ...(answer === null
      ? { failure: { stage: "answer" as const, code: "bug" as const, message: "broken" } }
      : {}),
    scores: scoreAnswer(
      question,
      answer,
      verdict,
      { floorAreaM2: 36 },
      { tracksOf: (id) => [`track-${id}`] },
    ),
    machine: { at: "", answerMs: 2, judgeMs: 0, memoryBytes: 600, memorySpanUs: 60e6 },
  };
}

function runOf(
  questions: readonly { readonly scene: string; readonly question: ReturnType<typeof questionOf> }[],
  answers: Readonly<Record<string, (id: string) => Said | null>>,
): SuiteRun {
  const strategies = Object.keys(answers);
  return {
    suite: "test",
    commit: "test",
    judge: "rules-1",
    strategies,
    settings: { good: { answerer: "oracle" } },
    notes: ["noise 0.5"],
    seeds: ["1"],
    questions,
    malformedQuestions: [{ scene: "a", line: 3, reason: "not JSON" }],
    rows: questions.flatMap(({ scene, question }) =>
      strategies.map((strategy) => rowOf(scene, strategy, question, answers[strategy]!(question.id))),
    ),
    asked: 0,
    reused: 0,
    torn: 0,
    malformed: [],
    malformedTotal: 0,
    foreign: 0,
    wallMs: 0,
  };
}

const text = (id: string, more: Partial<QuestionInput> = {}) => ({
  scene: "a",
  question: questionOf({ id, answer: { type: "text", text: "red" }, ...more }),
});

describe("blind-answerable questions", () => {
  it("are those that several blind answerers got clearly above chance", () => {
    const binary = { type: "binary", text: "yes", value: true } as const;
    const { questions } = reportOf(
      runOf(
        [
          text("known", { blindAnswerable: 0.2 }),
          text("open", { blindAnswerable: 0.1 }),
          text("coin", { answer: binary, blindAnswerable: 0.6 }),
          text("obvious", { answer: binary, blindAnswerable: 0.7 }),
        ],
        { blind: () => ({ type: "text", text: "red", binary: true }) },
      ),
    );
    expect(questions).toMatchObject({ blindAnswerable: 2, blindBy: "several blind answerers" });
  });

  it("are else those that the blind baseline knew, but not its luck with yes or no", () => {
    const report = reportOf(
      runOf([text("a"), text("b"), text("c", { answer: { type: "binary", text: "yes", value: true } })], {
        blind: (id) => ({ type: "text", text: id === "a" ? "red" : "blue", binary: true }),
        other: () => ({ type: "text", text: "red", binary: true }),
      }),
    );
    expect(report.questions).toMatchObject({ total: 3, blindAnswerable: 1 });
    const [blind, other] = report.results;
    expect([blind!.overall.n, blind!.withoutBlindAnswerable!.n]).toEqual([3, 2]);
    expect(blind!.withoutBlindAnswerable!.success.value).toBe(50);
    expect(other!.withoutBlindAnswerable!.success.value).toBe(100);
  });
});

it("weighs by question and by type, and tells abstaining from answering anyway", () => {
  const none = { type: "none", text: "not seen", status: "not-seen" } as const;
  const questions = [
    text("a"),
    text("b"),
    text("c"),
    text("d", { type: "counting", answer: { type: "count", text: "2", count: 2 } }),
    text("e", { type: "existence", answer: none }),
    text("f", { type: "existence", answer: none }),
  ];
  const report = reportOf(
    runOf(questions, {
      one: (id) =>
        id === "e" || id === "c"
          ? { type: "text", status: "not-seen", text: "" }
          : { type: "text", text: "red", count: 5 },
    }),
  );
  const [one] = report.results;
  expect(one!.abstention).toEqual({
    unanswerable: 2,
    rightlyAbstained: 1,
    answeredAnyway: 1,
    answerable: 4,
    wronglyAbstained: 1,
  });
  expect(one!.overall.success.value).toBeCloseTo(50, 9);
  expect(one!.macro.success).toBeCloseTo((200 / 3 + 0 + 50) / 3, 9);
  expect(one!.byType["attribute"]).toMatchObject({ n: 3, answered: 2, unanswered: 1 });
  expect(one!.byAnswer["count"]!.figures["countOff"]).toEqual({ value: 3, median: 3, n: 1 });
});

it("compares on the same questions, draws scenes where there are enough, and keeps failures in", () => {
  const questions = Array.from({ length: 5 }, (_, s) =>
    Array.from({ length: 4 }, (_, i) => ({ scene: `s${s}`, question: text(`q${i}`).question })),
  ).flat();
  const report = reportOf(
    runOf(questions, {
      blind: () => ({ type: "text", text: "blue" }),
      good: (id) => (id === "q3" ? null : { type: "text", text: "red" }),
    }),
  );
  expect(report.intervalsDraw).toBe("scenes");
  expect(report.comparisons).toMatchObject([
    { strategy: "good", against: "blind", match: { value: 75, low: 75, high: 75, notBetter: 0, n: 20 } },
  ]);
  expect(report.failures).toMatchObject({ total: 5, byCode: { "answer: bug": 5 } });
  expect(report.results[1]!.overall).toMatchObject({ failed: 5, match: { value: 75 }, matchOfJudged: 100 });
  expect(report.machine).toMatchObject({
    bytesPerMinute: 600,
    latency: { good: { total: { p50Ms: 2, n: 15 } } },
  });
  const printed = formatReport(report);
  expect(printed).toContain("good against blind: +75.0 points of match [75.0, 75.0], paired");
  expect(printed).toContain("5 answers failed (counted as 0 %): 5 × answer: bug");
  expect(printed).toContain("a, line 3: not JSON");
  expect(printed).toContain("blind by itself, good by oracle\nnoise 0.5");
});

it("scores ways only where somebody had to go, and nothing for who did not answer", () => {
  const minPath = { m: 4, steps: 10, viewpoints: [] };
  const active = text("a", { scope: "active", minPath, targets: ["cup"] }).question;
  const said = answerOf({
    type: "text",
    text: "red",
    trace: {
      pathM: 8,
      steps: 9,
      shown: [{ ref: "x", kind: "state", fromUs: 0, toUs: null, score: 1, trackIds: ["track-cup"] }],
    },
  });
  const scores = scoreAnswer(
    active,
    said,
    { score: 5, why: "" },
    { floorAreaM2: 36 },
    { tracksOf: (id) => [`track-${id}`] },
  );
  expect(scores).toMatchObject({
    splM: 0.5,
    splSteps: 1,
    normalisedSteps: 0.5,
    trackRecall: { "1": 1, all: 1 },
  });
  expect(scores.recall).toEqual({});
  expect(scoreAnswer(active, null, null, {}, {})).toMatchObject({
    match: 0,
    right: false,
    splM: 0,
    splSteps: 0,
  });
  const episodic = scoreAnswer({ ...active, scope: "episodic" }, said, { score: 5, why: "" }, {}, {});
  expect(episodic.splM).toBeUndefined();
  // An answer from what was recorded on the way includes that way.
  const { pathM: _, ...trace } = said.trace;
  const recorded = scoreAnswer(active, { ...said, trace }, { score: 5, why: "" }, {}, { walkedM: 16 });
  expect(recorded.splM).toBe(0.25);
});

it("grounds an answer in evidence around the place where it is seen, and nowhere else", () => {
  const question = questionOf({
    id: "q",
    answer: { type: "text", text: "red" },
    about: { goal: { x: 4, y: 0, z: 1 } },
  });
  const scored = (position?: { x: number; y: number; z: number }) => {
    const evidence = [{ ref: "r", kind: "state" as const, why: "seen", atUs: 0, agentId: "robot", score: 1 }];
    const answer = answerSchema.parse({
      question: "q",
      askedAtUs: 0,
      strategy: "x",
      status: "answered",
      confidence: 1,
      type: "text",
      text: "red",
      evidence: evidence.map((one) => ({ ...one, ...(position && { position }) })),
    });
    const { grounded, consistent } = scoreAnswer(question, answer, { score: 4, why: "" }, {}, {});
    return [grounded, consistent];
  };
  expect(scored({ x: 2, y: 1, z: 0 })).toEqual([1, 0.75]);
  expect(scored({ x: 0, y: 1, z: 0 })).toEqual([0, 0]);
  expect(scored()).toEqual([0, 0]);
});

it("measures walking errors and sets", () => {
  const place: QuestionInput["answer"] = {
    type: "position",
    text: "there",
    position: { x: 0, y: 0, z: 0 },
    accepted: [{ x: 9, y: 0, z: 0 }],
  };
  const answer = answerOf({ type: "position", position: { point: { x: 8, y: 0, z: 0 } } });
  const where = text("a", { answer: place }).question;
  expect(
    scoreAnswer(where, answer, null, {}, { geodesicM: (_, to) => (to.x === 9 ? 2 : null) }),
  ).toMatchObject({
    l2M: 1,
    geodesicM: 2,
    match: 0,
  });
  const things = text("b", { answer: { type: "set", text: "…", items: ["sofa", "cup"] } }).question;
  expect(scoreAnswer(things, answerOf({ type: "set", set: ["couch"] }), null, {}, {})).toMatchObject({
    setPrecision: 1,
    setRecall: 0.5,
  });
});
