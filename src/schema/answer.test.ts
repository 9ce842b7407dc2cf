import { expect, it } from "vitest";
import { type AnswerInput, answerSchema } from "./answer.ts";
import { parseOrThrow } from "./parse.ts";

const cup: AnswerInput = {
  question: "Where is the red cup?",
  askedAtUs: 90_000_000,
  strategy: "r4",
  type: "position",
  status: "answered",
  text: "On the kitchen counter.",
  position: { point: { x: 1, y: 2, z: 0.9 }, sdM: 0.1, trackId: "track-cup", region: "kitchen" },
  time: { atUs: 30_000_000, agoS: 60 },
  confidence: 0.9,
  evidence: [
    {
      ref: "state-cup",
      kind: "state",
      why: "a red cup stood there",
      atUs: 30_000_000,
      agentId: "robot",
      score: 0.7,
    },
  ],
};

it("fills in what may be left out and survives JSON", () => {
  const answer = answerSchema.parse(cup);
  expect(answer.trace).toEqual({ rounds: [], shown: [], ms: {}, models: {} });
  expect(answer.position?.frame).toBe("world");
  expect(answerSchema.parse(JSON.parse(JSON.stringify(answer)))).toEqual(answer);
});

it("asks for the field of its type once it is answered, and only then", () => {
  const { position: _, ...without } = cup;
  expect(() => parseOrThrow(answerSchema, without, "the answer")).toThrow(
    "the answer at type: an answered question has the field of its type",
  );
  expect(answerSchema.parse({ ...without, status: "not-seen" }).status).toBe("not-seen");
  expect(answerSchema.safeParse({ ...without, type: "text", text: "" }).success).toBe(false);
  expect(answerSchema.safeParse({ ...without, type: "duration", durationS: 3 }).success).toBe(true);
  expect(answerSchema.safeParse({ ...without, type: "binary", binary: false }).success).toBe(true);
  expect(answerSchema.safeParse({ ...without, type: "count", count: 0 }).success).toBe(true);
});

it("refuses numbers that are none, and letters that are no options", () => {
  for (const wrong of [
    { confidence: Number.NaN },
    { confidence: 1.1 },
    { count: 1.5 },
    { choice: "AB" },
    { durationS: Number.POSITIVE_INFINITY },
    { trace: { ms: { search: -1 } } },
    { evidence: [{ ...cup.evidence![0]!, atUs: 0.5 }] },
  ]) {
    expect(answerSchema.safeParse({ ...cup, ...wrong }).success, JSON.stringify(wrong)).toBe(false);
  }
});
