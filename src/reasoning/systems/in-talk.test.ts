import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../retrieval/testing/small-memory.ts";
import { askInTalk } from "../ask.ts";
import { standalone } from "../talk/standalone.ts";
import type { Turn } from "../talk/turn.ts";
import { answerBy } from "./index.ts";

let memory: TestMemory;
beforeAll(async () => {
  memory = await openTestMemory();
});
afterAll(() => memory.close());

const optionsOf = (history: readonly Turn[] = []) => {
  const { reader, embedder, nowUs } = memory;
  return { reader, embedder, nowUs, history };
};
const turnOf = async (question: string) => (await askInTalk(question, optionsOf())).turn;

describe("a question of a conversation", () => {
  it.each(["r4", "star"])("is answered by %s as it is meant", async (system) => {
    const history = [await turnOf("Where is the stove?")];
    const answer = await answerBy(system, "Which room is it in?", optionsOf(history));
    expect(answer).toMatchObject({ question: "Which room is it in?", strategy: system, status: "answered" });
    expect(answer.text).toMatch(/kitchen/);
    expect(answer.evidence.map(({ ref }) => ref)).toContain("stove");
    // It searched for the intended thing.
    expect(answer.trace.rounds[0]?.cues.join(" ")).toMatch(/stove/);
  });

  it.each(["r4", "star"])("is not answered by %s of another thing of that name", async (system) => {
    const history = [await turnOf("Where is the red mug?")];
    // The other mug is blue; the thing mentioned has no observed colour beside its name.
    expect((await answerBy(system, "What colour is it?", optionsOf(history))).text).not.toMatch(/blue/);
    expect((await answerBy(system, "What colour is the mug?", optionsOf())).text).toMatch(/blue/);
  });

  it("stands alone with a name for its pronoun, with the question before it, or as it is", async () => {
    const history = [await turnOf("Where is the red mug?")];
    const words = (question: string) => standalone(question, optionsOf(history));
    expect(await words("What is it made of?")).toBe("What is the mug made of?");
    expect(await words("And the bowl?")).toBe("Where is the red mug? And the bowl?");
    expect(await words("How many beds are in the house?")).toBe("How many beds are in the house?");
    expect(await standalone("What is it made of?", optionsOf())).toBe("What is it made of?");
  });
});
