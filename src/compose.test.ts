import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { linesOf, type Memory, openMemory } from "./compose.ts";

let folder: string;
let memory: Memory;
const at = (x: number) => ({ x, y: 0, z: 0 });
const noon = Date.UTC(2026, 0, 5, 12) * 1000;
const minute = 60_000_000;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-compose-"));
  memory = await openMemory(folder, { embedder: "hashing:64", nowUs: () => noon });
});
afterEach(async () => {
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
});

const texts = (hits: readonly { record: { text: string[] } }[]) => hits.map(({ record }) => record.text[0]);

describe("a memory as people use it", () => {
  it("finds by any mixture of meaning, place and time, put together step by step", async () => {
    await memory.remember("red mug on the table", { at: at(0), time: noon - 10 * minute, until: null });
    await memory.remember("red mug in the sink", { at: at(50), time: noon - 5 * minute, until: null });
    await memory.remember("red mug on the shelf", {
      at: at(1),
      time: noon - 60 * minute,
      until: noon - 50 * minute,
    });
    const mugs = memory.captions().like("red mug");
    expect(await mugs.count()).toBe(3);
    expect(texts(await mugs.near(at(0), 5).find())).toHaveLength(2);
    expect(texts(await mugs.near(at(0), 5).live().find())).toEqual(["red mug on the table"]);
    expect(
      texts(
        await mugs
          .near(at(0), 5)
          .before(noon - 20 * minute)
          .find(),
      ),
    ).toEqual(["red mug on the shelf"]);
    expect(texts(await mugs.rankedBy("latest").find(1))).toEqual(["red mug in the sink"]);
    expect(texts(await memory.captions().nearest(at(40)).find(1))).toEqual(["red mug in the sink"]);
    expect(
      await memory
        .captions()
        .inBox({ min: at(-1), max: at(2) })
        .count(),
    ).toBe(2);
    expect((await mugs.explain(1)).plan).toMatchObject({ engine: "loci", rank: "fused" });
    expect(() => mugs.near(at(0), 1).nearest(at(0))).toThrow(/one place/);
    expect(() => mugs.during("not a time", null)).toThrow(/is not a time/);
  });

  it("gives each track once, however many of its stays match", async () => {
    const state = (id: string, trackId: string, x: number) => ({
      kind: "state" as const,
      id,
      trackId,
      name: "mug",
      category: "mug",
      text: ["red mug"],
      anchor: { submap: "world", p: at(x) },
      validFromUs: 0,
      validToUs: null,
    });
    const track = (id: string) => ({
      kind: "track" as const,
      id,
      name: "mug",
      category: "mug",
      validFromUs: 0,
      validToUs: null,
    });
    await memory.write({
      records: [
        track("a"),
        track("b"),
        ...Array.from({ length: 30 }, (_, i) => state(`a${String(i).padStart(2, "0")}`, "a", i)),
        state("b0", "b", 99),
      ],
    });
    expect((await memory.tracks().like("red mug").find(2)).map(({ record }) => record.trackId)).toEqual([
      "a",
      "b",
    ]);
    expect(await memory.states().like("red mug").count()).toBe(31);
  });

  it("has thresholds in z-units from the first text on, and its own background once it is large", async () => {
    for (const text of ["red mug", "green bicycle", "quarterly tax report"]) await memory.remember(text);
    expect(texts(await memory.captions().meaning("red mug", { minZ: 3 }).find())).toEqual(["red mug"]);
    expect(await (await memory.reader()).calibration("text")).toBeNull();
    await memory.write({
      records: Array.from({ length: 250 }, (_, i) => ({
        kind: "caption" as const,
        id: `n${i}`,
        source: "human" as const,
        text: [`thing ${i * 7919} of kind ${i * 104_729}`],
        validFromUs: 0,
        validToUs: 1,
      })),
    });
    expect((await (await memory.reader()).calibration("text"))?.pairs).toBe(2_000);
    expect(texts(await memory.captions().meaning("red mug", { minZ: 3 }).find())).toEqual(["red mug"]);
  });

  it("reads as somebody and as of a time, but does not write so", async () => {
    await memory.remember("the diary is in the drawer", { labels: ["private"] });
    expect(await memory.captions().count()).toBe(1);
    const guest = memory.as({ principal: { id: "guest", labels: [] } });
    expect(await guest.captions().like("diary").find()).toEqual([]);
    await expect(guest.remember("x")).rejects.toMatchObject({ code: "memory-read-only" });
    await guest.close();
    expect(await memory.captions().count()).toBe(1);
  });

  it("can be searched by meaning while the first vectors are being written", async () => {
    await Promise.all([memory.writer(), memory.embedder()]);
    let isWritten = false;
    const facts = ["red mug on the table", "lamp", "chair"].map((fact) => memory.remember(fact));
    const write = Promise.all(facts).finally(() => {
      isWritten = true;
    });
    while (!isWritten) {
      await memory.captions().like("mug").find();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await write;
    expect(texts(await memory.captions().like("mug").find(1))).toEqual(["red mug on the table"]);
  });

  it("takes a text apart into its sentences", () => {
    expect(linesOf("One thing. Another thing!\nAnd  a third")).toEqual([
      "One thing.",
      "Another thing!",
      "And a third",
    ]);
    expect(() => linesOf("   \n ")).toThrow(/no text/);
  });
});
