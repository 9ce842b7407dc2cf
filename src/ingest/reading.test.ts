import { describe, expect, test } from "vitest";
import { vec3 } from "../geometry/index.ts";
import type { MemoryReader } from "../memory/index.ts";
import type { FoundText } from "../models/index.ts";
import { BestLooks } from "../perception/index.ts";
import { LociError } from "../schema/index.ts";
import { Tracker } from "../tracking/index.ts";
import { BACKGROUND, look, thing } from "../tracking/testing/toy-room.ts";
import { agreedOn, readThings } from "./reading.ts";
import type { Stages } from "./stages.ts";

const EMPTY = {
  search: async () => ({ hits: [], complete: true }),
  frames: async () => [],
  get: async () => [],
  presence: async () => [],
  sightings: async () => [],
} as unknown as MemoryReader;

const line = (text: string, score = 0.9): FoundText => ({ text, score, bbox: [0, 0, 10, 10] });

describe("what several looks agree on", () => {
  test("is what two read alike, large or small, as the surer one spells it", () => {
    expect(agreedOn([[line("MlLK")], [line("milk", 0.8)], [line("Milk", 0.9)]])).toBe("Milk");
  });

  test("is nothing where each reads something else, or one alone reads anything", () => {
    expect(agreedOn([[line("MILK")], [line("MLIK")], []])).toBeUndefined();
    expect(agreedOn([[line("MILK"), line("MILK")]])).toBeUndefined();
    expect(agreedOn([])).toBeUndefined();
  });

  test("is spelled letter by letter where looks misread one each, and not where they differ in more", () => {
    expect(agreedOn([[line("EGG9")], [line("FGGS")], [line("EGGS")]])).toBe("EGGS");
    expect(agreedOn([[line("CARTOONS")], [line("CRRTOONS")], [line("CHRTOONS")]])).toBeUndefined();
    expect(agreedOn([[line("EGG9")], [line("E669")], [line("5993")]])).toBeUndefined();
    const both = [line("SHELF 1"), line("SHELF 2")];
    expect(agreedOn([both, both, [line("SHELF 1")]])).toBe("SHELF 1 SHELF 2");
  });

  test("is the whole line where others were cut off, and all lines in their order", () => {
    const whole = [line("MILK"), line("AND HONEY")];
    expect(agreedOn([whole, [line("AND HON")], [line("AND HON")], whole])).toBe("MILK AND HONEY");
  });

  test("has no quotes: names are said in them", () => {
    expect(agreedOn([[line("“Emma”")], [line('"Emma"')]])).toBe("Emma");
  });
});

describe("things that are read at the end", () => {
  async function roomSeen(says: Readonly<Record<string, string>>) {
    const tracker = await Tracker.open(EMPTY, { sceneId: "toy", background: BACKGROUND });
    const prints = new BestLooks({ plain: true });
    const things = [thing("box", "box", [3, 0.2, 0.5], [0.6, 0.6, 0.6], { colour: "white" })];
    for (const [n, y] of [-1.2, -0.8, -0.3, 0.3, 0.8, 1.2].entries()) {
      const percept = look({ timeS: 2 * n, from: vec3(1, y, 1.6), at: vec3(3, 0, 0.6), things });
      const { width, height } = percept.intrinsics;
      const rgb = { width, height, data: new Uint8Array(3 * width * height).fill(200) };
      const phrased = percept.detections.map((one) => ({ ...one, ...says }));
      const seen = { ...percept, detections: phrased, rgb, captions: [], dropped: 0 };
      prints.add(seen, (await tracker.observe(seen)).tracked);
    }
    await tracker.finish(1_020_000_000);
    return { tracker, prints } as unknown as Stages;
  }

  const readerOf = (read: () => Promise<FoundText[]>) => ({ id: "fake", read, close: async () => undefined });

  test("say it in their name, as those of a recording do, and are not read again", async () => {
    const stages = await roomSeen({});
    let reads = 0;
    const reader = readerOf(async () => {
      reads++;
      return [{ text: "FRAGILE", score: 0.9, bbox: [10, 10, 30, 20] }];
    });
    const { records } = await readThings(stages, reader);
    expect(reads).toBe(4);
    expect(records?.find(({ kind }) => kind === "state")).toMatchObject({
      category: "box",
      name: "white box that says “FRAGILE”",
    });
    expect((await readThings(stages, reader)).records).toEqual([]);
    expect(reads).toBe(4);
  });

  test("are left as they are where two looks show nothing, or the reader fails", async () => {
    let reads = 0;
    const empty = readerOf(async () => {
      reads++;
      return [];
    });
    expect((await readThings(await roomSeen({}), empty)).records).toEqual([]);
    expect(reads).toBe(2);
    const failing = readerOf(() => Promise.reject(new LociError("model-failed", "no answer")));
    expect((await readThings(await roomSeen({}), failing)).records).toEqual([]);
  });

  test("what the recording said stays", async () => {
    const stages = await roomSeen({ phrase: "white box that says “EMMA”" });
    const reader = readerOf(async () => [{ text: "ENNA", score: 0.9, bbox: [10, 10, 30, 20] }]);
    expect((await readThings(stages, reader)).records).toEqual([]);
  });
});
