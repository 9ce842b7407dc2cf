import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Connection } from "../sqlite/connection.ts";
import { filesOf, openForReading } from "../sqlite/files.ts";
import { EmbeddedEngine } from "./engine.ts";
import { RowCache } from "./row-cache.ts";

let folder: string;
let engine: EmbeddedEngine;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-rows-"));
  engine = await EmbeddedEngine.open({ folder });
});
afterEach(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

const caption = (id: string, text: string) => ({
  kind: "caption" as const,
  id,
  source: "human" as const,
  text: [text],
  validFromUs: 1,
  validToUs: 2,
});

test("what a caller does to a record that was found, others do not find", async () => {
  await (await engine.writer()).write({ records: [caption("a", "one")] });
  const reader = await engine.reader();
  const find = async () => (await reader.search({ kinds: ["caption"], rank: "latest", limit: 5 })).hits;
  const [first] = await find();
  first!.record.text.push("two");
  first!.record.labels.push("secret");
  const [again] = await find();
  expect(again!.record).toMatchObject({ text: ["one"], labels: [] });
});

test("a new version is found as soon as it was answered, and nothing of what was forgotten", async () => {
  const writer = await engine.writer();
  const reader = await engine.reader();
  const texts = async () =>
    (await reader.search({ kinds: ["caption"], rank: "id", limit: 5 })).hits.map(
      ({ record }) => record.text[0],
    );
  await writer.write({ records: [caption("a", "one"), caption("b", "two")] });
  expect(await texts()).toEqual(["one", "two"]);
  for (let n = 0; n < 20; n++) {
    await writer.write({ records: [caption("a", `one ${n}`)] });
    expect(await texts()).toEqual([`one ${n}`, "two"]);
  }
  await writer.forget({ ids: ["b"], reason: "asked" });
  expect(await texts()).toEqual(["one 19"]);
});

test("keeps the rows used last, within its limits, and none after something was forgotten", async () => {
  await (await engine.writer()).write({ records: ["a", "b", "c", "d", "e"].map((id) => caption(id, id)) });
  const connection = new Connection(openForReading(folder), filesOf(folder).database, false);
  try {
    const cache = new RowCache({ rows: 2, chars: 1_000_000 });
    const at = { epoch: 1, forgotten: 0, record: 5, frame: 0 };
    cache.at(at);
    const rows = connection.recordRows([1, 2, 3, 4, 5]);
    const add = (row: number) => cache.add(connection, row, rows.get(row)!);
    const kept = () => [1, 2, 3, 4, 5].filter((row) => cache.of(row) !== undefined);
    for (const row of [1, 2, 3]) add(row);
    // 1 and 2 are the elder half; 1 is used, and becomes one of the younger.
    expect(cache.of(1)?.texts).toEqual(["a"]);
    add(4);
    expect(cache.of(2)).toBeUndefined();
    cache.at({ ...at, record: 6 });
    expect(kept().length).toBeGreaterThan(0);
    cache.at({ ...at, forgotten: 1 });
    expect(kept()).toEqual([]);
  } finally {
    connection.close();
  }
});

test("whoever asks before the index has a write that was answered leaves the thread to others", async () => {
  const writer = await engine.writer();
  const reader = await engine.reader();
  const held = vi.spyOn(Atomics, "wait");
  for (let round = 0; round < 3; round++) {
    const records = Array.from({ length: 3_000 }, (_, n) => caption(`${round}-${n}`, `line ${round} ${n}`));
    await writer.write({ records });
    expect(await reader.embedder("text")).toBeNull();
    expect(await reader.calibration("text")).toBeNull();
    expect(await engine.texts()).toBe(0);
    expect((await reader.search({ kinds: ["caption"], limit: 1 })).hits).toHaveLength(1);
  }
  expect(held).not.toHaveBeenCalled();
  held.mockRestore();
});
