import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Random } from "../../src/geometry/index.ts";
import { contentDigest, EmbeddedEngine } from "../../src/memory/index.ts";
import { blobRefOf, isLociError, type RecordInput } from "../../src/schema/index.ts";

/** LOCI_ATTACK_SEED repeats a run, LOCI_ATTACK_FLIPS lengthens it: the slow suite tries 300. */
const SEED = process.env["LOCI_ATTACK_SEED"] ?? "flips";
const FLIPS = Number(process.env["LOCI_ATTACK_FLIPS"] ?? 40);
/** Enough for an index to be kept beside the memory, and few for the rest. */
const [MANY, FEW] = [2_100, 60];

const base = mkdtempSync(join(tmpdir(), "loci-flips-"));
const whole = join(base, "whole");
const indexed = join(base, "indexed");
afterAll(() => rmSync(base, { recursive: true, force: true }));

const vectorOf = (text: string) => {
  const random = new Random(text);
  return Float32Array.from({ length: 16 }, () => random.normal());
};
const note = (id: string, text: string): RecordInput => ({
  kind: "caption",
  id,
  source: "human",
  text: [text],
  validFromUs: 1,
  validToUs: 2,
  anchor: { submap: "map", p: { x: id.length, y: 2, z: 0.5 } },
});

/** A memory with something of everything, an index beside it, and acknowledged commits that are only in its log. */
async function make(folder: string, rows: number): Promise<void> {
  const live = join(base, "live");
  rmSync(live, { recursive: true, force: true });
  const engine = await EmbeddedEngine.open({ folder: live });
  const writer = await engine.writer();
  await writer.setEmbedder("text", { id: "test", dim: 16 });
  await writer.setEmbedder("image", { id: "test-image", dim: 16 });
  const put = (records: RecordInput[], rest: object = {}) =>
    writer.write({
      records,
      vectors: records.flatMap(({ text = [] }) =>
        text.map((line) => ({ text: line, vector: vectorOf(line) })),
      ),
      ...rest,
    });
  await put(Array.from({ length: rows }, (_, i) => note(`n${i}`, `line ${i} about ${i % 7} chairs`)));
  const photo = new TextEncoder().encode("a photo ".repeat(500));
  const transform = { p: { x: 1, y: 2, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } };
  const things = Array.from({ length: 40 }, (_, i): RecordInput[] => [
    {
      kind: "track",
      id: `t${i}`,
      name: `thing ${i}`,
      category: `kind-${i % 5}`,
      text: [`thing ${i}`],
      validFromUs: 1,
      validToUs: null,
    },
    {
      kind: "state",
      id: `s${i}`,
      trackId: `t${i}`,
      name: `thing ${i}`,
      category: `kind-${i % 5}`,
      validFromUs: 1,
      validToUs: null,
      anchor: { submap: "map", p: { x: i, y: 1, z: 0 } },
      labels: i % 4 === 0 ? ["private"] : [],
      image: blobRefOf(photo),
      text: [],
    },
  ]);
  await put(things.flat(), {
    frames: [{ parent: "world", child: "map", transform, kind: "submap" }],
    blobs: [photo],
    imageVectors: [{ blob: blobRefOf(photo), vector: vectorOf("photo") }],
    sightings: Array.from({ length: 200 }, (_, i) => ({
      stateId: `s${i % 40}`,
      timeUs: i,
      outcome: "seen" as const,
    })),
  });
  await writer.forget({ ids: ["n0"], reason: "asked to", onlyRecords: true });
  await writer.calibrate("text");
  await engine.close();
  const again = await EmbeddedEngine.open({ folder: live, create: false });
  const last = await again.writer();
  for (let i = 0; i < 12; i++)
    await last.write({ records: [note("n1", `version ${i}`), note(`late${i}`, `late ${i}`)] });
  // As a machine that stops would leave it: nothing is under way, but nothing was closed.
  cpSync(live, folder, { recursive: true });
  await again.close();
}
beforeAll(async () => {
  await make(whole, FEW);
  await make(indexed, MANY);
}, 120_000);

/** Everything that can be asked of a memory, as one text; and what verify says of it. */
async function probe(folder: string): Promise<{ answers: string; problems: string[] }> {
  const engine = await EmbeddedEngine.open({ folder, create: false });
  try {
    const reader = await engine.reader();
    const other = await engine.reader({ principal: { id: "eve", labels: [] } });
    const ids = async (request: object) =>
      (await reader.search({ limit: 50, ...request })).hits.map(({ record, score }) => [record.id, score]);
    const { bytes: _bytes, ...stats } = await reader.stats();
    const answers = JSON.stringify([
      await contentDigest(reader),
      await contentDigest(other),
      await ids({ meaning: { vector: vectorOf("line 5 about 5 chairs") } }),
      await ids({ meaning: { words: "late chairs thing" } }),
      await ids({ space: { type: "nearest", point: { x: 3, y: 3, z: 0 } } }),
      await ids({ where: { category: ["kind-1"] }, rank: "id" }),
      await ids({ meaning: { image: vectorOf("photo") }, rank: "image" }).catch(() => []),
      await reader.presence(["s1", "s2"]),
      await reader.sightings({ limit: 50 }),
      stats,
    ]);
    return { answers, problems: (await engine.verify()).problems };
  } finally {
    await engine.close().catch(() => undefined);
  }
}

async function judge(folder: string, clean: string): Promise<"found" | "refused" | "no effect" | string> {
  try {
    const { answers, problems } = await probe(folder);
    if (problems.length > 0) return "found";
    return answers === clean ? "no effect" : "SILENT: other answers, and verify finds nothing";
  } catch (error) {
    return isLociError(error) ? "refused" : `WITHOUT A CODE: ${(error as Error).stack}`;
  }
}

async function flips(from: string, files: readonly string[], count: number): Promise<void> {
  const random = new Random(`${SEED} ${files}`);
  const hit = join(base, "hit");
  const copy = () => {
    rmSync(hit, { recursive: true, force: true });
    cpSync(from, hit, { recursive: true });
  };
  copy();
  const { answers: clean, problems } = await probe(hit);
  expect(problems).toEqual([]);
  expect(readdirSync(from)).toEqual(expect.arrayContaining([...files]));
  const tally: Record<string, number> = {};
  const wrong: string[] = [];
  for (let flip = 0; flip < count; flip++) {
    copy();
    const name = files[random.int(0, files.length)]!;
    const bytes = readFileSync(join(hit, name));
    const [at, bit] = [random.int(0, bytes.length), random.int(0, 8)];
    bytes[at]! ^= 1 << bit;
    writeFileSync(join(hit, name), bytes);
    const verdict = await judge(hit, clean);
    if (!["found", "refused", "no effect"].includes(verdict))
      wrong.push(`${name} byte ${at} bit ${bit}: ${verdict}`);
    const key = `${name}: ${verdict.split(":")[0]}`;
    tally[key] = (tally[key] ?? 0) + 1;
  }
  console.log(`flips, seed ${SEED}:`, tally);
  expect(wrong).toEqual([]);
}

describe(`${FLIPS} bits turned over anywhere (seed ${SEED})`, () => {
  it(
    "in the truth, its log and its note are found by verify, or change no answer",
    { timeout: 900_000 },
    () =>
      flips(
        whole,
        ["memory.db", "memory.db", "memory.db-wal", "head", "memory.db-shm"],
        Math.ceil(FLIPS * 0.85),
      ),
  );

  it("in the index are found, or change no answer", { timeout: 900_000 }, () =>
    flips(indexed, ["index.bin"], Math.ceil(FLIPS * 0.15)),
  );

  it("a log that is cut or lost is missed, however whole the rest looks", { timeout: 120_000 }, async () => {
    const hit = join(base, "cut");
    for (const cut of [0, 0.3, 0.9]) {
      rmSync(hit, { recursive: true, force: true });
      cpSync(whole, hit, { recursive: true });
      const log = join(hit, "memory.db-wal");
      truncateSync(log, Math.floor(readFileSync(log).length * cut));
      const { problems } = await probe(hit);
      expect(problems.join()).toMatch(/commits that were acknowledged are missing/);
      // Whoever goes on writing does not hide it; whoever accepts it says so.
      const engine = await EmbeddedEngine.open({ folder: hit, create: false });
      await (await engine.writer()).write({ records: [note("after", "after the loss")] });
      expect((await engine.verify()).problems.join()).toMatch(/commits were lost/);
      await engine.close();
      const again = await EmbeddedEngine.open({ folder: hit, create: false });
      expect((await again.verify({ repair: true })).repaired.join()).toMatch(
        /taken as it is: \d+ commits were lost/,
      );
      expect((await again.verify()).problems).toEqual([]);
      await again.close();
    }
  });
});
