import { afterEach, describe, expect, it } from "vitest";
import { openOpenAiChat } from "../../models/language/openai-chat.ts";
import { markIn } from "../../models/prompts/r-eqa.ts";
import {
  refuse,
  type ScriptedServer,
  say,
  startScriptedServer,
  textOf,
} from "../../models/testing/scripted-server.ts";
import { type AnswerInput, answerSchema, type QuestionInput, questionSchema } from "../../schema/index.ts";
import { agreementOf } from "./agreement.ts";
import { type ModelJudgeOptions, modelJudge, untilLastFullStop } from "./model-judge.ts";
import { RULE_JUDGE } from "./rule-judge.ts";

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

/** A chat endpoint that gives these replies in turn (repeating the last one) and records its requests. */
async function scripted(replies: readonly (string | { status: number })[]) {
  server = await startScriptedServer();
  const { asked: requests, baseUrl } = server;
  server.otherwise = (response, request) => {
    const reply = replies[Math.min(requests.length, replies.length) - 1]!;
    (typeof reply === "object" ? refuse(reply.status) : say(reply))(response, request);
  };
  const open = (more: ModelJudgeOptions = {}) =>
    modelJudge(openOpenAiChat({ baseUrl, model: "scripted", pauseMs: 0 }), more);
  return { open, requests };
}

const asked = (more: Partial<QuestionInput> = {}) =>
  questionSchema.parse({
    id: "q1",
    family: "open-eqa",
    suite: "test",
    type: "recognition",
    subtype: "test",
    text: "What is on the wall?",
    scope: "episodic",
    askedAtUs: 0,
    difficulty: "easy",
    answerable: true,
    answer: { type: "text", text: "a painting" },
    ...more,
  });
const said = (text: string, more: Partial<AnswerInput> = {}) =>
  answerSchema.parse({
    question: "What is on the wall?",
    askedAtUs: 0,
    strategy: "test",
    type: "text",
    status: text === "" ? "insufficient" : "answered",
    text,
    confidence: 0.5,
    ...more,
  });

describe("marks", () => {
  it.each([
    ["4", 4],
    [" 4. ", 4],
    ["4/5", 4],
    ["**3**", 3],
    ["Your mark: 2", 2],
    ["The score is 5 because it matches.", 5],
    ["0", 1],
    ["-3", 1],
    ["17", 5],
  ])("reads “%s” as %d", (reply, mark) => {
    expect(markIn(reply)).toBe(mark);
  });

  it.each([
    "",
    "good",
    "I would give this 4 out of 5",
    "The 2 answers agree",
    "3.5",
    "score: 4.5",
    "four",
    "4 5",
  ])("does not guess at “%s”", (reply) => {
    expect(markIn(reply)).toBeNull();
  });

  it("cuts an unfinished sentence and nothing else", () => {
    expect(untilLastFullStop("It is red. And the oth")).toBe("It is red.");
    expect(untilLastFullStop("a painting")).toBe("a painting");
  });
});

describe("a model as judge", () => {
  it("sends question, truth, further answers and the cut response", async () => {
    const { open, requests } = await scripted(["4"]);
    const judge = open();
    const question = asked({ extra: ["a picture"] });
    expect(await judge.judge(question, said("A painting. It hangs cro"))).toEqual({
      score: 4,
      why: "model:openai:scripted says 4",
    });
    expect(requests).toHaveLength(1);
    expect(requests[0]!.body).toMatchObject({ temperature: 0.2, max_tokens: 32, seed: 1234 });
    const sent = textOf(requests[0]!);
    for (const line of ["| What is on the wall?", "| a painting", "| a picture", "| A painting."])
      expect(sent.split("\n")).toContain(line);
  });

  it("asks once more after prose, then gives up and says so", async () => {
    const first = await scripted(["It seems fine to me.", "3"]);
    expect(await first.open().judge(asked(), said("a poster"))).toEqual({
      score: 3,
      why: "model:openai:scripted says 3",
      unparsable: ["It seems fine to me."],
    });
    expect(first.requests[1]!.body.messages.at(-2)!.content).toBe("It seems fine to me.");
    await server?.close();
    const never = await scripted(["Well.", "Hmm."]);
    expect(await never.open().judge(asked(), said("a poster"))).toEqual({
      score: null,
      why: "model:openai:scripted gave no mark",
      unparsable: ["Well.", "Hmm."],
    });
    expect(never.requests).toHaveLength(2);
  });

  it("asks nobody about a missing answer or about numbers, unless told to judge all", async () => {
    const { open, requests } = await scripted(["2"]);
    expect((await open().judge(asked(), said(""))).score).toBeNull();
    const count = asked({ answer: { type: "count", text: "six", count: 6 } });
    expect((await open().judge(count, said("6", { type: "count", count: 6 }))).score).toBe(5);
    expect(requests).toHaveLength(0);
    expect(await open({ judges: "all" }).judge(count, said("six"))).toMatchObject({ score: 2 });
    expect((await open({ judges: "all" }).judge(count, said(""))).score).toBeNull();
    expect(requests).toHaveLength(1);
  });

  it("tries again after a passing failure, and reports a lasting one", async () => {
    const passing = await scripted([{ status: 503 }, "5"]);
    expect((await passing.open().judge(asked(), said("a painting"))).score).toBe(5);
    await server?.close();
    const lasting = await scripted([{ status: 400 }]);
    await expect(lasting.open().judge(asked(), said("x"))).rejects.toMatchObject({ code: "model-failed" });
  });
});

it("says how far two judges agree, and what neither could judge", async () => {
  const { open } = await scripted(["5", "4", "no idea", "no idea", "1"]);
  const sample = [
    { question: asked(), answer: said("a painting") },
    { question: asked(), answer: said("a cat") },
    { question: asked(), answer: said("a dog") },
    { question: asked(), answer: said("a bird") },
  ];
  const agreement = await agreementOf(RULE_JUDGE, open(), sample);
  expect(agreement).toMatchObject({
    judges: ["rules-1", "model:openai:scripted"],
    n: 3,
    withoutMark: 1,
    bias: { value: -1 },
  });
  expect(agreement!.same.value).toBeCloseTo(2 / 3, 12);
  expect(agreement!.withinOne.value).toBeCloseTo(2 / 3, 12);
  expect(agreement!.sameVerdict.value).toBeCloseTo(2 / 3, 12);
  expect(await agreementOf(RULE_JUDGE, RULE_JUDGE, [])).toBeNull();
});
