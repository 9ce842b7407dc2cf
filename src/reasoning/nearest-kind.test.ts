import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { EmbeddedEngine } from "../memory/index.ts";
import { openLociText } from "../models/loci-text/loci-text.ts";
import { ask } from "./ask.ts";

const NOW_US = 60_000_000;
let folder: string;
let engine: EmbeddedEngine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-nearest-"));
  engine = await EmbeddedEngine.open({ folder, nowUs: () => NOW_US, create: true });
  const writer = await engine.writer();
  const embedder = await openLociText();
  await writer.setEmbedder("text", embedder.info);
  const kinds = ["coffee machine", "sofa", "guitar", "mirror"];
  const embedded = await embedder.embed(kinds);
  await writer.write({
    records: kinds.flatMap((category, n) => [
      {
        kind: "track" as const,
        id: `t${n}`,
        name: category,
        category,
        text: [category],
        validFromUs: 0,
        validToUs: null,
      },
      {
        kind: "state" as const,
        id: `s${n}`,
        trackId: `t${n}`,
        name: category,
        category,
        text: [category],
        anchor: { submap: "world", p: { x: n, y: 0, z: 0.5 } },
        extent: { x: 0.3, y: 0.3, z: 0.3 },
        attributes: { colour: { value: "white", p: 0.9, support: 5, lastUs: 0 } },
        validFromUs: 0,
        validToUs: null,
      },
    ]),
    vectors: kinds.map((text, n) => ({ text, vector: embedded[n]! })),
  });
  await writer.close();
});

afterAll(async () => {
  await engine.close();
  await rm(folder, { recursive: true, force: true });
});

const asked = async (question: string) =>
  ask(question, {
    reader: await engine.reader(),
    embedder: await openLociText(),
    nowUs: NOW_US,
    navigate: false,
  });

it("takes a name that the vocabulary does not have for the kind that it means, says so and is unsure", async () => {
  const answer = await asked("What colour is the percolator?");
  expect(answer).toMatchObject({ status: "answered" });
  expect(answer.text).toBe("If you mean the coffee machine, nearest to “percolator”: white");
  expect(answer.confidence).toBeLessThanOrEqual(0.5);
});

it("takes for nothing what nothing there is like", async () => {
  expect(await asked("What colour is the unicorn?")).toMatchObject({ status: "not-seen" });
  expect(await asked("Is there a percolator?")).toMatchObject({ binary: false });
});
