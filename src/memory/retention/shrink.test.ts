import { describe, expect, it } from "vitest";
import { Random } from "../../geometry/index.ts";
import { blobRefOf, type RecordInput, type RecordOf } from "../../schema/core.ts";
import type { MemoryReader, MemoryWriter } from "../port.ts";
import type { SqliteEngine } from "../sqlite/engine.ts";
import { eachWithMemory } from "../testing/each-with-memory.ts";
import { applyRetention, explainPlan, keepWithin, planRetention } from "./index.ts";

const SECOND_US = 1_000_000;
const VIEWS = 60;
const PICTURE_BYTES = 12_000;

let engine: SqliteEngine;
let reader: MemoryReader;
let writer: MemoryWriter;

eachWithMemory((memory) => {
  ({ engine, reader, writer } = memory);
});

/** Its first bytes, a hundredth of its side squared of them: small enough, and it is told from which picture it is. */
const shrink = async (bytes: Uint8Array, sidePx: number) => {
  const length = Math.round(sidePx ** 2 / 10);
  return bytes.length <= length ? undefined : bytes.slice(0, length);
};

const pictureOf = (n: number) => {
  const random = new Random(`picture-${n}`);
  return Uint8Array.from({ length: PICTURE_BYTES }, () => random.int(0, 256));
};

/** A thing that is switched on or off before every look at it: each view is one side of a change. */
async function rememberChanges(labelsOf: (n: number) => string[] = () => []): Promise<void> {
  const lamp = { name: "lamp", category: "lamp", validFromUs: 0, validToUs: null };
  const anchor = { submap: "world", p: { x: 0, y: 0, z: 1 } };
  const records: RecordInput[] = [
    { kind: "track", id: "track-0", ...lamp },
    { kind: "state", id: "state-0", trackId: "track-0", text: ["a lamp"], anchor, ...lamp },
  ];
  for (let n = 0; n < VIEWS; n++) {
    const timeUs = 10 * (n + 1) * SECOND_US;
    const at = { validFromUs: timeUs, validToUs: timeUs + 1 };
    records.push(
      { kind: "observation", id: `obs-${n}`, sensorId: "camera", anchor, ...at },
      {
        kind: "view",
        id: `view-${n}`,
        observationId: `obs-${n}`,
        thumb: blobRefOf(pictureOf(n)),
        text: [`look ${n} at a lamp`, `a lamp, for the ${n}th time`],
        visible: [{ stateId: "state-0", bbox: [0, 0, 9, 9], depthM: 1, fraction: 1 }],
        labels: labelsOf(n),
        anchor,
        ...at,
      },
      {
        kind: "event",
        id: `switched-${n}`,
        type: "state-change",
        who: ["state-0"],
        validFromUs: timeUs - SECOND_US,
        validToUs: timeUs - SECOND_US + 1,
      },
    );
  }
  const blobs = Array.from({ length: VIEWS }, (_, n) => pictureOf(n));
  await writer.write({ records, blobs });
}

const nowUs = 10_000 * SECOND_US;

async function views(): Promise<RecordOf<"view">[]> {
  const { hits } = await reader.search({ kinds: ["view"], limit: 1_000, rank: "id" });
  return hits.map(({ record }) => record as RecordOf<"view">);
}

async function pictureBytes(): Promise<number[]> {
  const found = await views();
  return Promise.all(found.map(async ({ thumb }) => (await reader.blob(thumb))!.length));
}

describe("pictures under a budget", () => {
  it("become smaller before the views on either side of a change could go", async () => {
    await rememberChanges();
    const maxBytes = Math.round((await reader.stats()).bytes * 0.35);
    const without = await planRetention(reader, { nowUs, maxBytes });
    expect(without.bytesOver).toBeGreaterThan(0);
    const report = await keepWithin(reader, writer, { nowUs, maxBytes }, { shrink });
    expect(report.isWithinBudget).toBe(true);
    expect(await views()).toHaveLength(VIEWS);
    const sizes = await pictureBytes();
    expect(Math.max(...sizes)).toBeLessThan(PICTURE_BYTES);
    expect((await engine.verify()).problems).toEqual([]);
    expect(explainPlan(report.plans[0]!)).toMatch(/views with smaller pictures: \d+/);
  });

  it("are still those of their own view, also where it is put into other words", async () => {
    await rememberChanges();
    const report = await keepWithin(reader, writer, { nowUs, maxBytes: 200_000 }, { shrink });
    expect(report.plans.some(({ slimmed }) => slimmed.length > 0)).toBe(true);
    for (const { id, thumb, text, visible, validFromUs } of await views()) {
      const n = Number(id.slice("view-".length));
      const picture = (await reader.blob(thumb))!;
      expect(picture).toEqual(pictureOf(n).slice(0, picture.length));
      expect(text).toContain(`a lamp, for the ${n}th time`);
      expect(text).not.toContain(`look ${n} at a lamp`);
      expect(visible).toHaveLength(1);
      expect(validFromUs).toBe(10 * (n + 1) * SECOND_US);
    }
  });

  it("shrink only as many as it takes, the least useful first, and never what is on hold", async () => {
    await rememberChanges((n) => (n === 0 ? ["hold"] : []));
    const { bytes } = await reader.stats();
    const plan = await planRetention(reader, { nowUs, maxBytes: Math.round(bytes * 0.7) }, { shrink });
    await applyRetention(writer, plan);
    const sizes = new Map<string, number>();
    for (const { id, thumb } of await views()) sizes.set(id, (await reader.blob(thumb))!.length);
    const whole = [...sizes.values()].filter((length) => length === PICTURE_BYTES);
    expect(whole.length).toBeGreaterThan(5);
    expect(whole.length).toBeLessThan(VIEWS - 5);
    expect(sizes.get("view-0")).toBe(PICTURE_BYTES);
    // All show the same: of these the older ones are worth less.
    expect(sizes.get("view-1")).toBeLessThan(PICTURE_BYTES);
    expect(sizes.get(`view-${VIEWS - 1}`)).toBe(PICTURE_BYTES);
  });

  it("stay as they are where they cannot be made smaller", async () => {
    await rememberChanges();
    const policy = { nowUs, maxBytes: 200_000 };
    const plan = await planRetention(reader, policy, { shrink: async () => undefined });
    expect(plan).toEqual(await planRetention(reader, policy));
  });
});

describe("captions under a budget", () => {
  it("keep their way to the centimetre, without standing still", async () => {
    const path = [1.00049, 1.00051, 1.0123, 1.0123, 2.5].map((x) => ({ x, y: -0.333_333, z: 1.5 }));
    const records = Array.from({ length: 40 }, (_, n): RecordInput => {
      const span = { validFromUs: n * SECOND_US, validToUs: n * SECOND_US + 1 };
      return { kind: "caption", id: `walk-${n}`, source: "template", text: ["a hall"], path, ...span };
    });
    await writer.write({ records });
    const maxBytes = (await reader.stats()).bytes - 5_000;
    const { slimmed } = await planRetention(reader, { nowUs, maxBytes, consolidate: false });
    const at = (x: number) => ({ x, y: -0.33, z: 1.5 });
    expect(slimmed.length).toBeGreaterThan(10);
    for (const { record } of slimmed) expect(record).toMatchObject({ path: [at(1), at(1.01), at(2.5)] });
  });
});
