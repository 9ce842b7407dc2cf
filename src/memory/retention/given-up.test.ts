import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RecordInput } from "../../schema/core.ts";
import type { MemoryReader, MemoryWriter } from "../port.ts";
import type { SqliteEngine } from "../sqlite/engine.ts";
import { eachWithMemory } from "../testing/each-with-memory.ts";
import { applyRetention, GivenUpObservations, planRetention } from "./index.ts";
import { packTimes, unpackTimes } from "./times.ts";

const SECOND_US = 1_000_000;
const START_US = 1_767_603_600_000_000;

describe("times as bytes", () => {
  it("are there again, each once and in order", () => {
    const time = fc.integer({ min: -Number.MAX_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER });
    // Two of them lie no further apart than a number can say.
    const times = fc.tuple(time, fc.array(fc.integer({ min: 0, max: 2 ** 52 }), { maxLength: 50 }));
    fc.assert(
      fc.property(times, ([first, steps]) => {
        const list = [first, ...steps.map((step) => first + (first > 0 ? -step : step))];
        const sorted = [...new Set(list)].sort((a, b) => a - b);
        expect([...unpackTimes(packTimes(list, 1_000))]).toEqual(sorted);
        expect([...unpackTimes(packTimes(list, 3))]).toEqual(sorted.slice(-3));
      }),
    );
    expect(packTimes([], 10)).toHaveLength(0);
    expect(unpackTimes(new Uint8Array())).toHaveLength(0);
  });

  it("take three bytes each where somebody looks twice a second", () => {
    const times = Array.from({ length: 1_000 }, (_, n) => START_US + n * 500_000 + (n % 7));
    expect(packTimes(times, 10_000).length).toBeLessThan(3.1 * times.length);
  });

  it("are refused where bytes are missing or mean nothing", () => {
    const packed = packTimes([START_US, START_US + SECOND_US], 10);
    expect(() => unpackTimes(packed.slice(0, -1))).toThrow(/ends within one/);
    expect(() => unpackTimes(Uint8Array.from([0, ...Array(12).fill(255), 1]))).toThrow(/no time/);
  });
});

describe("looks that were given up", () => {
  let engine: SqliteEngine;
  let reader: MemoryReader;
  let writer: MemoryWriter;

  eachWithMemory((memory) => {
    ({ engine, reader, writer } = memory);
  });

  const look = (n: number, author: string, sceneId = "default", labels: string[] = []): RecordInput => ({
    kind: "observation",
    id: `${sceneId}-${author}-${n}`,
    sensorId: "camera",
    author,
    sceneId,
    labels,
    validFromUs: START_US + n * SECOND_US,
    validToUs: START_US + n * SECOND_US + 1,
  });
  const seconds = (count: number) => Array.from({ length: count }, (_, n) => n);
  const giveUpOld = async (ageS: number) =>
    applyRetention(
      writer,
      await planRetention(reader, {
        nowUs: START_US + 100 * SECOND_US,
        maxAgeUs: { observation: ageS * SECOND_US },
      }),
    );
  const isKnown = (looks: GivenUpObservations, n: number, agentId = "robot", sensorId = "camera") =>
    looks.has({ agentId, sensorId, timeUs: START_US + n * SECOND_US });

  it("are known by who looked, through what and when, and by nothing else", async () => {
    await writer.write({
      records: [...seconds(50).map((n) => look(n, "robot")), look(3, "other", "elsewhere")],
    });
    await giveUpOld(80);
    const looks = await GivenUpObservations.read(reader, "default");
    const left = new Set<number>();
    for (const n of seconds(50)) if ((await reader.get([`default-robot-${n}`]))[0]) left.add(n);
    expect(left.size).toBeLessThan(45);
    for (const n of seconds(60)) expect(isKnown(looks, n)).toBe(n < 50 && !left.has(n));
    const gone = seconds(50).find((n) => !left.has(n))!;
    expect(isKnown(looks, gone + 0.5)).toBe(false);
    expect(isKnown(looks, gone, "other")).toBe(false);
    expect(isKnown(looks, gone, "robot", "lidar")).toBe(false);
    expect((await engine.verify()).problems).toEqual([]);
  });

  it("add up from one time to the next, in one version", async () => {
    await writer.write({ records: seconds(50).map((n) => look(n, "robot")) });
    await giveUpOld(80);
    const before = await GivenUpObservations.read(reader, "default");
    await giveUpOld(60);
    const after = await GivenUpObservations.read(reader, "default");
    const count = (looks: GivenUpObservations) => seconds(50).filter((n) => isKnown(looks, n)).length;
    expect(count(before)).toBeGreaterThan(0);
    expect(count(after)).toBeGreaterThan(count(before));
    const { records, versions } = await reader.stats();
    expect(records.agent).toBe(1);
    expect(versions).toBe(1 + records.observation);
  });

  it("are told only to those who might have read them", async () => {
    await writer.write({ records: seconds(50).map((n) => look(n, "robot", "default", ["private"])) });
    await giveUpOld(80);
    const guest = await engine.reader({ principal: { id: "guest", labels: [] } });
    const gone = seconds(50).filter((n) => n < 20);
    const [owners, guests] = [
      await GivenUpObservations.read(reader, "default"),
      await GivenUpObservations.read(guest, "default"),
    ];
    expect(gone.some((n) => isKnown(owners, n))).toBe(true);
    expect(gone.some((n) => isKnown(guests, n))).toBe(false);
  });
});
