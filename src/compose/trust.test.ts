import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { RecordInput } from "../schema/index.ts";
import { doubtedOf, hearsayIn, trustIn } from "../sharing/trust.ts";
import { openMemory } from "./memory.ts";

const folder = mkdtempSync(join(tmpdir(), "loci-trust-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A robot that saw twelve chairs ten times each and mislabelled every nth observation. */
function looksOf(author: string, everyNth: number): RecordInput[] {
  const common = { author, labels: [], validFromUs: 1_000, validToUs: null };
  return Array.from({ length: 12 }, (_, n) => n).flatMap((n): RecordInput[] => [
    { ...common, kind: "track", id: `track-${author}-${n}`, name: "chair", category: "chair" },
    {
      ...common,
      kind: "state",
      id: `state-${author}-${n}`,
      trackId: `track-${author}-${n}`,
      name: "chair",
      category: "chair",
    },
    ...Array.from({ length: 10 }, (_, look): RecordInput[] => {
      const [observationId, validFromUs] = [`obs-${author}-${n}-${look}`, 2_000 + look];
      const moment = { ...common, validFromUs, validToUs: validFromUs + 1 };
      const category = look % everyNth === 0 ? "vase" : "chair";
      const stateId = `state-${author}-${n}`;
      return [
        { ...moment, kind: "observation", id: observationId, sensorId: "camera" },
        {
          ...moment,
          kind: "detection",
          id: `det-${author}-${n}-${look}`,
          observationId,
          stateId,
          category,
          score: 1,
        },
      ];
    }).flat(),
  ]);
}

describe("how far a robot is believed in what it calls things", () => {
  it("is how often its looks at one thing say the same", async () => {
    const memory = await openMemory(join(folder, "memory"), { embedder: "hashing:16" });
    await memory.write({ records: [...looksOf("sound", 10), ...looksOf("false", 2)] });
    const reader = await memory.reader();
    const [sound, wrong] = [
      await trustIn(reader, "default", ["sound"]),
      await trustIn(reader, "default", ["false"]),
    ];
    expect(sound).toBeCloseTo(0.9, 6);
    expect(wrong).toBeCloseTo(0.5, 6);
    expect(await trustIn(reader, "default", ["nobody"])).toBeUndefined();
    const doubted = await hearsayIn(reader, "default", ["sound"], ["false"], new Map());
    expect(doubted).toMatchObject({ map: "second", kinds: 2 });
    // Five observations of ten said chair and five vase: with two categories and a robot that is right half of the
    // time, nothing is learned.
    expect([...doubted!.nats.get("track-false-0")!.values()]).toEqual([0, 0]);
    expect(doubted!.lookNats).toBeCloseTo(Math.log(9), 6);
    expect(await hearsayIn(reader, "default", ["sound"], ["nobody"], new Map())).toBeUndefined();
    await memory.close();
    expect(doubtedOf(sound, wrong)).toBe("second");
    expect(doubtedOf(wrong, undefined)).toBe("first");
    expect(doubtedOf(wrong, wrong)).toBeUndefined();
    expect(doubtedOf(sound, undefined)).toBeUndefined();
  });
});
