import { describe, expect, it } from "vitest";
import type { QuestionRecord, TruthAnswer } from "../../schema/index.ts";
import { imagineHouse } from "../recorder/index.ts";
import { checkQuestion } from "./check/check-question.ts";
import { Truth } from "./check/truth.ts";
import { checkQuestions, makeQuestions, suitesOf } from "./index.ts";

/** A world of each family, small enough for a test, and questions of all of its suites. */
function asked(family: "warehouse" | "campus", minutes: number) {
  const options = { family, seed: 5, minutes, fps: 1, rooms: 4, rate: 240, out: "nowhere" } as const;
  const { world, truth } = imagineHouse(options);
  const plain: unknown = JSON.parse(JSON.stringify(truth));
  const questions = suitesOf(family).flatMap((suite) => makeQuestions(world, { suite, count: 60, seed: 1 }));
  return { plain, questions };
}

const worlds = { warehouse: asked("warehouse", 5), campus: asked("campus", 5) };

describe.each(["warehouse", "campus"] as const)("questions about a %s", (family) => {
  const { plain, questions } = worlds[family];

  it("have answers that the independent checker derives again", () => {
    const report = checkQuestions(questions, plain);
    expect(report.faults).toEqual([]);
    expect(report.count).toBeGreaterThan(50);
    expect(Math.abs(report.yes - report.no)).toBeLessThan(0.2 * (report.yes + report.no));
    const none = Object.values(report.unanswerable).reduce((sum, n) => sum + n, 0);
    expect(none / report.count).toBeGreaterThan(0.08);
    expect(none / report.count).toBeLessThan(0.17);
    for (const question of questions) expect(question.family).toBe(family);
  });

  it("are found out when their answer is another's or another number", () => {
    const truth = new Truth(plain);
    const spoilt = questions.flatMap((question) => {
      const answer = spoil(question, questions);
      return answer === undefined ? [] : [{ ...question, answer }];
    });
    expect(spoilt.length).toBeGreaterThan(30);
    const missed = spoilt.filter((question) => checkQuestion(question, truth) === undefined);
    expect(missed.map(({ subtype, text, answer }) => `${subtype}: ${text} ${answer.text}`)).toEqual([]);
  });
});

it("asks about slots, labels, deliveries and what is in view", () => {
  const kinds = new Set(worlds.warehouse.questions.map(({ subtype }) => subtype));
  for (const kind of [
    "stock/where",
    "stock/slot-of",
    "stock/in-slot",
    "stock/empty",
    "stock/count",
    "stock/zone",
  ])
    expect(kinds).toContain(kind);
  expect([...kinds].some((kind) => kind.startsWith("this/"))).toBe(true);
});

it("asks with the tolerances of the papers", () => {
  const metres = (list: readonly QuestionRecord[]) =>
    new Set(list.flatMap(({ tolerance, answer }) => (answer.type === "position" ? [tolerance.m] : [])));
  expect(metres(worlds.warehouse.questions)).toEqual(new Set([5]));
  expect(metres(worlds.campus.questions)).toEqual(new Set([15]));
});

/** An answer of the same form that is wrong here. */
function spoil(
  { subtype, answer, extra, answerable }: QuestionRecord,
  all: readonly QuestionRecord[],
): TruthAnswer | undefined {
  if (!answerable) return undefined;
  if (answer.type === "binary") return { ...answer, value: !answer.value };
  if (answer.type === "count") return { ...answer, count: answer.count + 1 };
  if (answer.type === "time") return { ...answer, atUs: answer.atUs - 90e6 };
  if (answer.type === "duration") return { ...answer, durationS: answer.durationS + 60 };
  if (answer.type === "position")
    return { ...answer, position: { ...answer.position, x: answer.position.x + 3 } };
  const right = new Set([answer.text, ...extra]);
  return all.find((other) => other.subtype === subtype && other.answerable && !right.has(other.answer.text))
    ?.answer;
}
