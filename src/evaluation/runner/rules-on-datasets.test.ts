import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { EmbeddedEngine, type WriteBatch } from "../../memory/index.ts";
import { openHashing } from "../../models/hashing/hashing.ts";
import { evaluateDataset } from "../datasets/index.ts";
import { systemStrategy } from "./system-strategy.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-rules-"));
  mkdirSync(join(folder, "data"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** An empty memory that embeds what is written to it. */
async function makeMemory(sceneId: string) {
  const embedder = openHashing(64);
  const engine = await EmbeddedEngine.open({
    folder: join(folder, sceneId),
    nowUs: () => Date.UTC(2026, 0, 1) * 1000,
    create: true,
  });
  const writer = await engine.writer();
  await writer.setEmbedder("text", embedder.info);
  const reader = await engine.reader();
  return {
    reader,
    embedder,
    write: async (batch: WriteBatch) => {
      const lines = [...new Set((batch.records ?? []).flatMap(({ text }) => text ?? []))];
      const vectors = (await embedder.embed(lines)).flatMap((vector, n) =>
        vector ? [{ text: lines[n]!, vector }] : [],
      );
      return writer.write({ ...batch, vectors });
    },
    close: async () => {
      await reader.close();
      await engine.close();
    },
  };
}

async function wrongOf(dataset: string): Promise<{ asked: number; wrong: string[] }> {
  const out = join(folder, "rows.jsonl");
  await evaluateDataset({
    dataset,
    folder: join(folder, "data"),
    makeMemory,
    strategies: [systemStrategy("rules")],
    commit: "test",
    out,
  });
  const rows = readFileSync(out, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ strategy }) => strategy === "rules");
  return {
    asked: rows.length,
    wrong: rows
      .filter(({ scores }) => !scores.right)
      .map(({ answer, verdict }) => `${answer?.question} ${answer?.text}: ${verdict?.why}`),
  };
}

it("measures rooms of labelled boxes, also those that stand askew", async () => {
  const [c, s] = [Math.cos(0.6), Math.sin(0.6)];
  const box = (x: number, y: number, turned = false) => ({
    centroid: [x, y, 0.5],
    axesLengths: [2, 0.5, 1],
    normalizedAxes: turned ? [c, s, 0, -s, c, 0, 0, 0, 1] : [1, 0, 0, 0, 1, 0, 0, 0, 1],
    min: [x - 1.5, y - 1.5, 0],
    max: [x + 1.5, y + 1.5, 1],
  });
  const object_bbox = {
    chair: [box(0, 0), box(0.6, 0.1), box(6, 1)],
    bed: [box(0, 4, true)],
    lamp: [box(5, 5, true)],
    door: [box(-4, 0)],
    sink: [box(1, -5, true)],
    desk: [box(9, 0, true)],
  };
  const object_counts = { chair: 3, bed: 1, lamp: 1, door: 1, sink: 1, desk: 1 };
  const file = join(folder, "data", "scannet.json");
  writeFileSync(file, JSON.stringify({ scene0: { room_size: 60, object_counts, object_bbox } }));
  const { asked, wrong } = await wrongOf("vsi-bench");
  expect(wrong).toEqual([]);
  expect(asked).toBeGreaterThanOrEqual(13);
});

it("knows where things were at a time, where before, and how often they were moved", async () => {
  const day = (...steps: [number, string][]) => ({
    lines: steps.map(([, line]) => [line]),
    timestamps: steps.map(([minute]) => minute),
  });
  writeFileSync(
    join(folder, "data", "000.json"),
    JSON.stringify(
      day(
        [480, "[TELEPORT] <coffee_cup> (1) <kitchen_counter> (18) [1]"],
        [500, "[TELEPORT] <brush> (2) <sink> (19) [2]"],
        [510, "[TELEPORT] <paste> (3) <brush> (2) [3]"],
        [600, "[TELEPORT] <coffee_cup> (1) <sink> (19) [4]"],
        [700, "[TELEPORT] <coffee_cup> (1) <kitchen_cabinet> (17) [5]"],
        [900, "[TELEPORT] <brush> (2) <bathroom_cabinet> (21) [6]"],
      ),
    ),
  );
  const { asked, wrong } = await wrongOf("homer-plus");
  expect(wrong).toEqual([]);
  expect(asked).toBeGreaterThanOrEqual(8);
});
