import { describe, expect, it } from "vitest";
import type { MemoryReader } from "../../memory/index.ts";
import { expectationOf } from "../../reasoning/systems/baselines/expectation.ts";
import { evenly } from "./baselines.ts";
import { BLIND_ANSWERER } from "./blind-answerer.ts";
import { EXTRACTIVE_ANSWERER } from "./extractive-answerer.ts";
import type { AskedQuestion, EvidenceItem, MemoryContext } from "./strategy.ts";

const context: MemoryContext = {
  sceneId: "a",
  reader: {} as MemoryReader,
  nowUs: 600_000_000,
  seed: "seed",
  signal: new AbortController().signal,
};
const ask = (text: string, options?: string[]): AskedQuestion => ({
  id: "q",
  text,
  askedAtUs: 600_000_000,
  scope: "episodic",
  ...(options === undefined ? {} : { options }),
});
const item = (ref: string, text: string, atS: number, x: number, ...trackIds: string[]): EvidenceItem => ({
  ref,
  kind: "caption",
  text,
  fromUs: atS * 1e6,
  toUs: (atS + 3) * 1e6,
  agentId: "robot",
  score: 1,
  trackIds,
  position: { x, y: 0, z: 0 },
});
const evidence = [
  item("a", "a red sofa by the window\na wooden floor", 60, 1, "sofa"),
  item("b", "three green bottles on the counter", 120, 2, "bottle-1", "bottle-2", "bottle-3"),
  item("c", "a bicycle rack beside the stairs", 180, 3, "rack"),
];
const extract = (text: string, options?: string[]) =>
  EXTRACTIVE_ANSWERER.answer(ask(text, options), evidence, context);

it.each([
  ["How many chairs are there?", "count"],
  ["When did you see the bus?", "time"],
  ["How long ago did you pass the gate?", "time"],
  ["How long were you in the building?", "duration"],
  ["How long is the table?", "quantity"],
  ["How far is the door from the bed?", "quantity"],
  ["Where is my cup?", "position"],
  ["Can you take me to the restroom?", "binary"],
  ["Take me to the nearest sink.", "position"],
  ["Is the door open?", "binary"],
  ["Is the door open or closed?", "text"],
  ["What color is the sofa?", "text"],
])("expects of “%s” a %s", (text, expected) => {
  expect(expectationOf(text)).toBe(expected);
});

describe("the extractive answerer", () => {
  it("answers from the line that shares the question's rare words", async () => {
    expect(await extract("What is by the window?")).toMatchObject({
      type: "text",
      text: "a red sofa by the window",
    });
    expect(await extract("What color is the sofa?")).toMatchObject({ type: "text", text: "red" });
    expect(await extract("What color is the couch?")).toMatchObject({ type: "text", text: "red" });
    expect(await extract("Where is the bicycle rack?")).toMatchObject({ position: { point: { x: 3 } } });
    expect(await extract("When did you see the bicycle rack?")).toMatchObject({
      time: { atUs: 180e6, agoS: 420 },
    });
    expect(await extract("How many bottles are there?")).toMatchObject({ type: "count", count: 3 });
    expect(await extract("Did you see a bicycle rack?")).toMatchObject({ binary: true });
    expect(await extract("Did you see an elephant with a trumpet?")).toMatchObject({ binary: false });
    expect(await extract("What is green?", ["the sofa", "the bottles", "the stairs"])).toMatchObject({
      choice: "B",
    });
  });

  it("cites what it used and shows what it was given", async () => {
    const { evidence: cited, trace } = await extract("What color is the sofa?");
    expect(cited[0]).toMatchObject({ ref: "a", trackId: "sofa", why: "a red sofa by the window" });
    expect(trace.shown.map(({ ref }) => ref)).toEqual(["a", "b", "c"]);
    expect(trace.contextTokens).toBeGreaterThan(20);
  });

  it("says that it has nothing to go by", async () => {
    const answer = await EXTRACTIVE_ANSWERER.answer(ask("Where is it?"), [], context);
    expect(answer).toMatchObject({ status: "insufficient", text: "", confidence: 0 });
  });
});

it("guesses blindly, the same way for the same seed", async () => {
  const guess = (text: string, options?: string[]) => BLIND_ANSWERER.answer(ask(text, options), [], context);
  expect(await guess("What color is the sofa?")).toMatchObject({ text: "white" });
  expect(await guess("Is it open?")).toMatchObject({ binary: true });
  expect(await guess("Where is it?")).toMatchObject({ type: "text", text: "on the table" });
  expect(await guess("How many?")).toMatchObject({ count: 2 });
  expect(await guess("When was it?")).toMatchObject({ time: { agoS: 300 } });
  const options = ["a", "b", "c", "d"];
  expect((await guess("Which?", options)).choice).toBe((await guess("Which?", options)).choice);
  const drawn = new Set<string | undefined>();
  for (let i = 0; i < 40; i++) {
    const answer = await BLIND_ANSWERER.answer(ask("Which?", options), [], { ...context, seed: String(i) });
    drawn.add(answer.choice);
  }
  expect(drawn.size).toBe(4);
});

it("spaces evenly, ends included", () => {
  const all = Array.from({ length: 101 }, (_, i) => i);
  expect(evenly(all, 5)).toEqual([0, 25, 50, 75, 100]);
  expect(evenly(all, 1)).toEqual([50]);
  expect(evenly([1, 2], 5)).toEqual([1, 2]);
  expect([evenly(all, 0), evenly([], 3)]).toEqual([[], []]);
});
