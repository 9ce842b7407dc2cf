import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EmbeddedEngine } from "../../memory/index.ts";
import { openHashing } from "../../models/hashing/hashing.ts";
import type { RecordInput } from "../../schema/core.ts";
import { questionsOf, sceneIn } from "../testing/toy-suite.ts";
import { type CaptionQuestion, captionRecall } from "./caption-recall.ts";
import { evidenceRecall } from "./evidence-recall.ts";
import { compareForests, formatForestReport } from "./forest-report.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-retrieval-eval-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const THINGS = "mug sofa lamp kettle mirror ladder piano statue hydrant fountain".split(" ");
const S = 1_000_000;
const captionId = (i: number) => `c${String(i).padStart(2, "0")}`;

describe("caption recall", () => {
  it("tells keys and scopes apart", async () => {
    const engine = await EmbeddedEngine.open({
      folder: join(folder, "captions"),
      nowUs: () => 1,
      create: true,
    });
    const embedder = openHashing(128);
    const writer = await engine.writer();
    await writer.setEmbedder("text", embedder.info);
    // Ten things, each seen twice: the question is about the second observation.
    const records = [...THINGS, ...THINGS].map(
      (thing, i): RecordInput => ({
        kind: "caption",
        id: captionId(i),
        source: "vlm",
        text: [`there is a ${thing}`],
        validFromUs: i * S,
        validToUs: (i + 1) * S,
      }),
    );
    const lines = [...new Set(records.flatMap(({ text }) => text ?? []))];
    const made = await embedder.embed(lines);
    const vectors = lines.map((text, i) => ({ text, vector: made[i]! }));
    await writer.write({ records, vectors });
    const reader = await engine.reader();
    const questions = THINGS.map((thing, i): CaptionQuestion => {
      const atUs = (i + 10) * S;
      return {
        text: `Where is the ${thing}?`,
        gold: [captionId(i + 10)],
        askedAtUs: atUs + S - 1,
        window: { fromUs: atUs, toUs: atUs + S },
      };
    });
    const hopeless: CaptionQuestion = { text: "Any whales?", gold: [captionId(0)], askedAtUs: 20 * S };
    const drive = { id: "one", reader, embedder, questions: [...questions, hopeless] };
    const [words, auto] = await captionRecall([drive], ["words", "auto"], "drive");
    expect(words!.recall6.n).toBe(11);
    expect(words!.recall6.value).toBeCloseTo(10 / 11);
    // The first observation has the same words and the smaller id.
    expect(words!.recall1.value).toBe(0);
    expect(auto!.recall6.value).toBeGreaterThanOrEqual(10 / 11);
    const [windowed] = await captionRecall([drive], ["fused"], "window");
    expect(windowed).toMatchObject({ scope: "window", byDrive: { one: 1 } });
    expect(windowed!.recall1).toMatchObject({ value: 1, n: 10 });
    await reader.close();
    await engine.close();
  });
});

describe("evidence recall", () => {
  it("scores what was shown, whoever answers", async () => {
    const rows = await evidenceRecall({
      scenes: [sceneIn(folder, "scene", questionsOf(8))],
      strategies: ["flat-rag", "blind"],
    });
    const of = (name: string) => rows.find(({ strategy }) => strategy === name)!;
    expect(of("flat-rag").recall6.n).toBeGreaterThan(0);
    expect(of("flat-rag").recall6.value).toBeGreaterThan(0);
    expect(of("blind")).toMatchObject({ recall6: { value: 0 }, places: 0, tokens: 0 });
  });
});

describe("forests side by side", () => {
  const node = (id: number, x: number, y: number, level: number, caption: string) =>
    `  node [\n    id ${id}\n    caption "${caption}"\n    position [\n      x ${x}\n      y ${y}\n      z 0.0\n    ]\n    level ${level}\n  ]\n`;
  const leaves = [
    node(0, 10, 50, 0, "a red mug"),
    node(1, 10.00001, 50, 0, "a red mug"),
    node(2, 10.01, 50, 0, "tall green trees"),
    node(3, 10.01001, 50, 0, "tall green trees"),
  ].join("");

  it("reads the authors' and builds ours", async () => {
    const edges = [
      [0, 4],
      [1, 4],
      [2, 5],
      [3, 5],
    ].map(([a, b]) => `  edge [\n    source ${a}\n    target ${b}\n  ]\n`);
    writeFileSync(join(folder, "graph.gml"), `graph [\n${leaves}]\n`);
    writeFileSync(
      join(folder, "reference-forest.gml"),
      `graph [\n${leaves}${node(4, 10, 50, 1, "mugs")}${node(5, 10.01, 50, 1, "trees")}${edges.join("")}]\n`,
    );
    const report = await compareForests(folder, openHashing(64));
    expect(report.leaves).toBe(4);
    const [theirs, ours] = report.forests;
    expect(theirs!.levels).toMatchObject([{ level: 1, clusters: 2, medianLeaves: 2 }]);
    expect(theirs!.levels[0]!.coherence).toBeCloseTo(1);
    expect(report.floor).toBeLessThan(0.95);
    expect(ours!.levels[0]).toMatchObject({ clusters: 2, medianLeaves: 2 });
    expect(ours!.levels[0]!.radiusM).toBeLessThan(1);
    expect(formatForestReport(report)).toContain("the authors': depth 2.0");
  });

  it("refuses what is no forest", async () => {
    writeFileSync(join(folder, "graph.gml"), "graph [\n  node [\n    id 7\n  ]\n]\n");
    await expect(compareForests(folder, openHashing(64))).rejects.toThrow("expected node 0");
    await expect(compareForests(join(folder, "nowhere"), openHashing(64))).rejects.toThrow("cannot be read");
  });
});
