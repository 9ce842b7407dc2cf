import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EmbeddedEngine, type MemoryReader } from "../../memory/index.ts";
import { openHashing } from "../../models/hashing/hashing.ts";
import type { RecordInput } from "../../schema/core.ts";
import { ask } from "../ask.ts";

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
const folder = mkdtempSync(join(tmpdir(), "loci-captions-"));
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

const about = (question: string) =>
  ask(question, { reader, embedder, background: BACKGROUND, nowUs: NOW_US, agentId: "robot" });

describe("where, when and what captions say", () => {
  it("is where the caption was made that speaks of it", async () => {
    const answer = await about("Where did you see a red fire hydrant?");
    expect(answer).toMatchObject({ status: "answered", type: "position" });
    expect(answer.position!.point.x).toBeCloseTo(20, 6);
    expect(answer.evidence[0]).toMatchObject({ ref: "caption-20", kind: "caption" });
    expect(answer.trace.rounds[0]!.strategy).toBe("rules/captions");
  });

  it("takes the nearest of those that serve the need", async () => {
    const answer = await about("Where is the closest place to sit?");
    expect(answer.position!.point).toMatchObject({ x: xAt(440), y: yAt(440) });
    const bin = await about("Where is the nearest trash can?");
    expect(bin.position!.point.x).toBeCloseTo(300, 6);
  });

  it("knows when", async () => {
    expect((await about("When did you see the statue?")).time).toMatchObject({ atUs: 440 * S, agoS: 160 });
  });

  it("reads colours beside the name, by another word for it too", async () => {
    expect((await about("What colour were the sofas?")).text).toBe("grey");
  });

  it("adds up what stood at different places", async () => {
    expect((await about("How many cars did you see?")).count).toBe(5);
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
  ])("%s %s", async (question, yes) => {
    expect(await about(question)).toMatchObject({ status: "answered", type: "binary", binary: yes });
  });
});

describe("what one did oneself", () => {
  it("comes in and goes out where captions change from streets to halls", async () => {
    const entered = await about("When did you enter the building?");
    expect(Math.abs(entered.time!.atUs / S - 195)).toBeLessThan(20);
    const left = await about("Where did you leave the building?");
    expect(Math.abs(left.position!.point.x - 320)).toBeLessThan(15);
    const inside = await about("How long were you in the building for?");
    expect(Math.abs(inside.durationS! - 125)).toBeLessThan(25);
    expect((await about("Are you in the building?")).binary).toBe(false);
    expect((await about("How long have you been outside?")).durationS).toBeCloseTo(280, 0);
  });

  it("reads stops and turns off the poses", async () => {
    expect((await about("Are you stopped right now?")).binary).toBe(true);
    expect((await about("Did you stop at the loading dock?")).binary).toBe(true);
    expect((await about("Did you stop at the statue?")).binary).toBe(false);
    expect((await about("Which direction did you turn after leaving the building?")).text).toBe("left");
  });
});

describe("an honest status for what captions cannot answer", () => {
  it.each([
    ["Where is the helicopter?", "not-seen"],
    ["What colour is the piano?", "not-seen"],
    ["How many elephants did you see?", "not-seen"],
    ["Wo ist der Kühlschrank?", "insufficient"],
    ["消火栓はどこですか", "insufficient"],
    ["asdf qwer zxcv", "insufficient"],
    ["x".repeat(5_000), "not-seen"],
    ["Where will the cars be next week?", "insufficient"],
    ["Will it rain tomorrow?", "insufficient"],
  ])("%s: %s", async (question, status) => {
    const answer = await about(question);
    expect(answer.status).toBe(status);
    expect(answer.position).toBeUndefined();
  });
});
