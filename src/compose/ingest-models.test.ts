import { describe, expect, it } from "vitest";
import type { ModelRoles } from "../models/index.ts";
import { LociError } from "../schema/core.ts";
import type { Proposal } from "../tracking/index.ts";
import { ingestModels } from "./ingest-models.ts";

/** One model for every role that gives these replies in turn; an error is thrown. */
function roles(...replies: (string | Error)[]): ModelRoles & { asked: string[] } {
  const asked: string[] = [];
  const model = {
    id: "fake:one",
    capabilities: { vision: true, tools: true },
    spent: () => ({ calls: 0, inputTokens: 0, outputTokens: 0, timeMs: 0, costUsd: 0 }),
    usage: () => ({ ...model.spent(), role: "adjudicator" as const, model: "fake:one", failures: 0 }),
    async generate(request: { messages: readonly object[] }) {
      asked.push(JSON.stringify(request.messages));
      const reply = replies[(asked.length - 1) % replies.length]!;
      if (reply instanceof Error) throw reply;
      return {
        text: reply,
        toolCalls: [],
        usage: { inputTokens: 1, outputTokens: 1 },
        finish: "stop" as const,
      };
    },
    close: async () => undefined,
  };
  return {
    asked,
    get: () => model,
    usage: () => [],
    check: async () => undefined,
    close: async () => undefined,
  };
}

const proposal = (stateId: string, overlap: number): Proposal => ({
  detection: { phrase: "a red mug", category: "mug" } as Proposal["detection"],
  known: { stateId, name: "mug", category: "mug" },
  score: 0.6,
  meaning: 0.6,
  place: 0.3,
  kindAgreement: 0.5,
  overlap,
});
const unavailable = new LociError("model-unavailable", "no server");

describe("models behind the stages of an ingest", () => {
  it("decide where the score leaves it open, and the rule decides where they do not say", async () => {
    // By the rule, the first pair would match and the second would not.
    const pairs = [proposal("known-1", 0.9), proposal("known-2", 0)];
    const decide = async (...replies: (string | Error)[]) =>
      (await ingestModels(roles(...replies), undefined))?.adjudicator?.decide(pairs);
    expect(await decide(unavailable)).toEqual([true, false]);
    expect(await decide('{"same": null, "confidence": 1}')).toEqual([false, false]);
    expect(await decide(unavailable, '{"same": "known-2", "confidence": 1}')).toEqual([true, true]);
    // A thing that was not proposed is not a valid answer.
    expect(await decide('{"same": "known-9", "confidence": 1}')).toEqual([true, false]);
  });

  it("are told what geometry says, since they see neither place nor size", async () => {
    const fake = roles('{"same": null, "confidence": 1}');
    await (await ingestModels(fake, undefined))?.adjudicator?.decide([proposal("known-1", 0.25)]);
    expect(fake.asked[0]).toContain("place fits 0.30 of 1, boxes overlap by 0.25");
  });

  it("say nothing after an abort, without being asked", async () => {
    const fake = roles("a thing");
    const models = await ingestModels(fake, AbortSignal.abort());
    const image = async () => ({ bytes: Uint8Array.of(0xff, 0xd8) });
    expect(await models?.describer?.describe([{ image }, { image }])).toEqual([null, null]);
    expect(await models?.captioner?.caption({ things: [], images: async () => [await image()] })).toBeNull();
    expect(await models?.adjudicator?.decide([proposal("known-1", 0.9)])).toEqual([true]);
    const part = { lines: ["a stove and a table"], leaves: 1 };
    const request = {
      type: "cluster" as const,
      leaves: 1,
      parts: [part],
      things: [{ category: "stove", count: 1 }],
    };
    expect((await models?.summariser?.summarise(request))?.name).toMatch(/\w/);
    expect(fake.asked).toEqual([]);
  });
});
