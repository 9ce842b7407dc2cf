import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeQuestion } from "../datasets/dataset.ts";
import { questionsByRules } from "./by-rules.ts";
import type { KnownThing } from "./known-things.ts";
import { merged, readProposals, writeProposals } from "./proposals.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-own-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const thing = (n: number, more: Partial<KnownThing>): KnownThing => ({
  trackId: `t${n}`,
  stateId: `s${n}`,
  category: "thing",
  colour: undefined,
  room: undefined,
  volumeM3: undefined,
  called: undefined,
  isShown: true,
  ...more,
});

describe("questions by rules", () => {
  const things = [
    thing(1, { category: "sofa", called: "sofa", colour: "blue", room: "living room", volumeM3: 2 }),
    thing(2, { category: "lamp", called: "lamp", room: "living room", volumeM3: 0.1 }),
    thing(3, { category: "bed", called: "bed", room: "bedroom", volumeM3: 1 }),
    thing(4, { category: "sink", called: "sink", room: "kitchen", volumeM3: 0.2 }),
    thing(5, { category: "stove", called: "stove", room: "kitchen", volumeM3: 0.4 }),
    thing(6, { category: "chair", room: "kitchen" }),
    thing(7, { category: "chair", room: "kitchen" }),
    thing(8, { category: "mug", called: "mug", colour: "red", isShown: false }),
  ];
  const drafts = questionsByRules(things, "seed");

  it("have three wrong answers that differ from the right one, of every label", () => {
    for (const { right, wrong } of drafts) expect(new Set([right, ...wrong]).size).toBe(4);
    expect(new Set(drafts.map(({ label }) => label))).toEqual(
      new Set(["attribute", "comparison", "counting", "relationship"]),
    );
  });

  it("are true of what is known, and only about what the views show", () => {
    const of = (text: string) => drafts.find((draft) => draft.text === text);
    expect(of("What colour is the sofa?")?.right).toBe("blue");
    expect(of("How many chairs are there in the kitchen?")?.right).toBe("2");
    expect(of("Which of these is in the same room as the sofa?")?.right).toBe("the lamp");
    expect(drafts.some(({ text }) => text.includes("mug"))).toBe(false);
  });

  it("do not name what cannot be told apart", () => {
    expect(drafts.filter(({ text }) => text.includes("undefined"))).toEqual([]);
    expect(drafts.some(({ text }) => text.startsWith("What colour is the chair"))).toBe(false);
  });
});

describe("proposals", () => {
  const question = makeQuestion({
    id: "q1",
    family: "own",
    suite: "own",
    type: "counting",
    subtype: "counting",
    text: "How many?",
    answer: { type: "count", text: "2", count: 2 },
    askedAtUs: 0,
  });

  it("keep what a person said, through the file and a second making", async () => {
    const path = join(folder, "questions.jsonl");
    await writeProposals(path, [{ question, accept: true }]);
    const again = merged(await readProposals(path), [
      { question, accept: null },
      { question: { ...question, id: "q2", text: "How few?" }, accept: null },
    ]);
    expect(again.map(({ accept, question: { text } }) => [text, accept])).toEqual([
      ["How many?", true],
      ["How few?", null],
    ]);
  });

  it("begin with none where there is no file", async () => {
    expect(await readProposals(join(folder, "nothing.jsonl"))).toEqual([]);
  });
});
