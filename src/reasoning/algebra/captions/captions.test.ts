import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Belief } from "../../../belief/belief.ts";
import { EmbeddedEngine, type MemoryReader } from "../../../memory/index.ts";
import { openHashing } from "../../../models/hashing/hashing.ts";
import { retrieve } from "../../../retrieval/index.ts";
import type { RecordInput } from "../../../schema/core.ts";
import { evaluate } from "../evaluate.ts";
import { print, scan } from "../notation.ts";
import type { Value } from "../value.ts";
import { recallOf } from "./question.ts";

/** A walk of ten minutes along x, a metre a second: a street, a hall from 200 s to 320 s, a park, a stop at the end. */
const S = 1_000_000;
const NOW_US = 600 * S;
const BACKGROUND = { mean: 0.05, sd: 0.1 };

const SAID: [number, string[]][] = [
  [20, ["A quiet street with trees on both sides.", "A red fire hydrant stands at the curb."]],
  [80, ["Two parked cars line the road.", "A wooden bench stands on the sidewalk."]],
  [180, ["A sidewalk under trees leads to glass doors."]],
  [
    210,
    ["A hallway with a tiled floor and fluorescent ceiling lights.", "Grey couches stand by the elevator."],
  ],
  [300, ["The corridor of a lobby, indoors.", "A blue recycling bin stands under the ceiling lamp."]],
  [340, ["Outdoors, on a pathway through grass and trees.", "Three cars stand on the parking lot."]],
  [440, ["A lawn with trees under a clear sky.", "A bronze statue of a horse.", "People sit on benches."]],
  [590, ["The loading dock of a building by the road."]],
];

const xAt = (t: number) => Math.min(t, 560) - Math.max(0, Math.min(t - 400, 60));
const yAt = (t: number) => Math.max(0, Math.min(t - 400, 60));
const place = (t: number) => ({ anchor: { submap: "world", p: { x: xAt(t), y: yAt(t), z: 0 } } });

const records: RecordInput[] = [
  ...SAID.map(
    ([t, text]): RecordInput => ({
      kind: "caption",
      id: `caption-${t}`,
      source: "vlm",
      author: "robot",
      text,
      validFromUs: t * S,
      validToUs: (t + 3) * S,
      ...place(t),
    }),
  ),
  ...Array.from({ length: 200 }, (_, n): RecordInput => {
    const t = n * 3;
    return {
      kind: "observation",
      id: `look-${n}`,
      sensorId: "camera",
      author: "robot",
      validFromUs: t * S,
      validToUs: (t + 3) * S,
      ...place(t),
    };
  }),
];

const embedder = openHashing(128);
const folder = mkdtempSync(join(tmpdir(), "loci-spoken-"));
let engine: EmbeddedEngine;
let reader: MemoryReader;

beforeAll(async () => {
  engine = await EmbeddedEngine.open({ folder, nowUs: () => NOW_US, create: true });
  const writer = await engine.writer();
  await writer.setEmbedder("text", embedder.info);
  const lines = [...new Set(SAID.flatMap(([, text]) => text))];
  const vectors = (await embedder.embed(lines)).flatMap((vector, n) =>
    vector ? [{ text: lines[n]!, vector }] : [],
  );
  await writer.write({ records, vectors });
  reader = await engine.reader();
});

afterAll(async () => {
  await reader.close();
  await engine.close();
  rmSync(folder, { recursive: true });
});

/** A question with its parsed expression, or without one. */
async function about(text: string, expression?: string): Promise<Value> {
  const memory = new Belief({ reader, embedder, background: BACKGROUND, nowUs: NOW_US });
  const pose = await memory.poseAt(NOW_US, "robot");
  return evaluate(recallOf(text, expression === undefined ? undefined : scan(expression)), {
    memory,
    agentId: "robot",
    pose,
    broadened: 0,
    question: text,
    retrieve: (words) => retrieve({ text: words }, { reader, embedder, nowUs: NOW_US, strategy: "auto" }),
  });
}

describe("a question as captions are asked it", () => {
  it.each([
    ["How many cars did you see?", `count(things(category: "car"))`, /answer: "count", about: "car"/],
    [
      "When did you last see a cat?",
      `when(the(things(category: "cat")), which: "last")`,
      /"times", order: "last"/,
    ],
    [
      "Where is the nearest bench?",
      `place(least(things(category: "bench"), distance(it())))`,
      /"place", nearest: true/,
    ],
    ["Did you not stop?", `none(doings(verb: "stop"))`, /"truth", negated: true, verb: "stop"/],
    [
      "Which way did you turn after leaving?",
      `at(motion(doings(verb: "turn")), after(when(doings(verb: "exit"))))`,
      /verb: "turn", beside: "after", besideVerb: "exit"/,
    ],
    ["Did you stop?", undefined, /text: "did you stop", answer: "truth", verb: "stop"/],
  ])("%s", (text, expression, expected) => {
    expect(print(recallOf(text, expression === undefined ? undefined : scan(expression)))).toMatch(expected);
  });
});

describe("where, when and what captions say", () => {
  it("is where the caption was made that speaks of it", async () => {
    const value = await about("Where did you see a red fire hydrant?");
    expect(value).toMatchObject({ kind: "words", about: "place", items: [{ atUs: 20 * S }] });
    expect(value.kind === "words" && value.items[0]!.point!.x).toBeCloseTo(20, 6);
    expect(value.evidence[0]).toMatchObject({ ref: "caption-20", kind: "caption" });
  });

  it("takes the nearest of those that serve the need", async () => {
    const value = await about(
      "Where is the closest place to sit?",
      `place(least(serves(purpose: "sit"), distance(it())))`,
    );
    expect(value).toMatchObject({ items: [{ point: { x: xAt(440), y: yAt(440) } }] });
  });

  it("knows when", async () => {
    const value = await about("When did you see the statue?", `when(the(things(category: "statue")))`);
    expect(value).toMatchObject({ kind: "times", spans: [{ fromUs: 440 * S }] });
  });

  it("reads colours beside the name, by another word for it too", async () => {
    const value = await about(
      "What colour were the sofas?",
      `attribute(things(category: "sofa"), name: "colour")`,
    );
    expect(value).toMatchObject({ about: "colour", items: [{ words: "grey" }] });
  });

  it("adds up what stood at different places", async () => {
    const value = await about("How many cars did you see?", `count(things(category: "car"))`);
    expect(value).toMatchObject({ kind: "number", value: 5, unit: "things" });
  });
});

describe("yes and no", () => {
  it.each([
    ["Did you see a bench?", true],
    ["Did you see a recycling bin?", true],
    ["Did you see a motorboat?", false],
    ["Have you seen an escalator?", false],
    ["Was the street busy?", false],
    ["Was the street quiet?", true],
  ])("%s %s", async (question, truth) => {
    expect(await about(question)).toMatchObject({ kind: "truth", truth });
  });
});

describe("what one did oneself", () => {
  it("comes in and goes out where captions change from streets to halls", async () => {
    const entered = await about("When did you enter the building?");
    expect(Math.abs((entered.kind === "times" ? entered.spans[0]!.fromUs : 0) / S - 195)).toBeLessThan(20);
    const left = await about("Where did you leave the building?");
    expect(Math.abs((left.kind === "words" ? left.items[0]!.point!.x : 0) - 320)).toBeLessThan(15);
    const inside = await about("How long were you in the building for?");
    expect(Math.abs((inside.kind === "number" ? inside.value : 0) - 125)).toBeLessThan(25);
    expect(await about("Are you in the building?")).toMatchObject({ truth: false });
    expect(await about("How long have you been outside?")).toMatchObject({ value: 280, unit: "s" });
  });

  it("reads stops and turns off the poses", async () => {
    expect(await about("Are you stopped right now?")).toMatchObject({ truth: true });
    const stopAt = (where: string) =>
      about(
        `Did you stop at the ${where}?`,
        `exists(doings(the(things(category: "${where}")), verb: "stop"))`,
      );
    expect(await stopAt("loading dock")).toMatchObject({ truth: true });
    expect(await stopAt("statue")).toMatchObject({ truth: false });
    const turned = await about(
      "Which direction did you turn after leaving the building?",
      `at(motion(doings(verb: "turn")), after(when(doings(verb: "exit"))))`,
    );
    expect(turned).toMatchObject({ about: "motion", items: [{ words: "left" }] });
  });
});

describe("what captions cannot answer", () => {
  it.each([
    ["Where is the helicopter?", "never-seen"],
    ["What colour is the piano?", "never-seen"],
    ["How many elephants did you see?", "never-seen"],
    ["x".repeat(5_000), "never-seen"],
    ["Where will the cars be next week?", "future"],
    ["Will it rain tomorrow?", "future"],
  ])("%s: %s", async (question, reason) => {
    expect(await about(question)).toMatchObject({ kind: "unknown", reason });
  });
});
