import { describe, expect, it } from "vitest";
import { blobRefOf } from "../../../schema/index.ts";
import type { DumpRow, EmbedLines, MemoryReader } from "../../port.ts";
import type { SearchRequest } from "../../request.ts";
import { type CommitNames, probeChanges, probeDump, probeSearch, probeStats } from "./compare.ts";
import type { OpenEngine, Rig } from "./fixtures.ts";
import {
  at,
  bytesOf,
  collect,
  DIM,
  EMBEDDER,
  IMAGE_EMBEDDER,
  idsOf,
  record,
  refuses,
  vectorOf,
  withRig,
} from "./fixtures.ts";
import { framesAt } from "./generate.ts";

/** Maps every time to itself: for comparing a memory with its copy, whose times must be the same. */
const SAME_TIMES: CommitNames = { get: (time: number) => time, has: () => true } as unknown as CommitNames;

const PHOTO = bytesOf("a photo");

/** A little of everything: several commits, versions, labels, frames, sightings, vectors, an image, a forgetting. */
async function everything(rig: Rig): Promise<void> {
  await rig.put([record("track", "t1", { text: ["red mug"] }), record("track", "t2", { text: ["gone"] })], {
    frames: framesAt(0),
  });
  await rig.put(
    [
      record("state", "s1", { ...at(1, 2, 3, "map-b"), text: ["red mug on table"], image: blobRefOf(PHOTO) }),
      record("state", "s2", { ...at(4), text: ["blue mug"], labels: ["private"], validToUs: 99 }),
    ],
    {
      blobs: [PHOTO, bytesOf("not named yet")],
      imageVectors: [{ blob: blobRefOf(PHOTO), vector: vectorOf("photo") }],
      sightings: [
        { stateId: "s1", timeUs: 5, outcome: "seen", observationId: "elsewhere" },
        { stateId: "s2", timeUs: 6, outcome: "absent", labels: ["private"] },
      ],
    },
  );
  await rig.put([record("state", "s1", { ...at(7, 2, 3, "map-b"), text: ["red mug moved"] })], {
    frames: framesAt(1),
  });
  await rig.writer.write({ records: [record("caption", "c", { text: ["line without a vector"] })] });
  await rig.writer.calibrate("text");
  await rig.writer.forget({ ids: ["t2"], reason: "asked to" });
}

const ASKED: readonly SearchRequest[] = [
  { rank: "id" },
  { meaning: { vector: vectorOf("red mug") } },
  { meaning: { words: "mug", vector: vectorOf("x"), minZ: -1 } },
  { meaning: { image: vectorOf("photo") } },
  { space: { type: "nearest", point: { x: 1, y: 1, z: 1 } } },
];

async function* asStream(rows: readonly DumpRow[]): AsyncGenerator<DumpRow> {
  yield* rows;
}

/** Copies, embedders, and coming back after a close. */
export function lifecycleSuite(open: OpenEngine): void {
  describe("dump and restore", () => {
    it("makes an equal memory, times and versions as they were", () =>
      withRig(open, async (rig) => {
        await everything(rig);
        const rows = await collect(rig.reader.dump());
        await withEmpty(open, async (copy) => {
          const writer = await copy.engine.writer();
          expect(await writer.restore(asStream(rows))).toEqual({ rows: rows.length });
          const reader = await copy.engine.reader();
          const probe = { names: SAME_TIMES };
          expect(await probeDump(reader, probe)).toEqual(await probeDump(rig.reader, probe));
          expect(await probeStats(reader, probe)).toEqual(await probeStats(rig.reader, probe));
          expect(await probeChanges(reader, probe)).toEqual(await probeChanges(rig.reader, probe));
          for (const request of ASKED) {
            expect(await probeSearch(reader, request, probe)).toEqual(
              await probeSearch(rig.reader, request, probe),
            );
          }
          const { lastCommitUs } = await rig.reader.stats();
          const next = await writer.write({ records: [record("state", "s1", { name: "cup" })] });
          expect(next.versions).toEqual([3]);
          expect(next.commitUs).toBeGreaterThan(lastCommitUs!);
        });
      }));

    it("restores only into an empty memory", () =>
      withRig(open, async (rig) => {
        await rig.put([record("caption", "c")]);
        const rows = await collect(rig.reader.dump());
        await refuses(["memory-exists", "invalid-input"], () => rig.writer.restore(asStream(rows)));
        expect(await rig.reader.count({})).toBe(1);
      }));

    it("dumps for a principal only what it may see", () =>
      withRig(open, async (rig) => {
        await everything(rig);
        const rows = await collect((await rig.holding([])).dump());
        const ids = rows.flatMap((row) => (row.type === "record" ? [row.record.id] : []));
        expect(ids.sort()).toEqual(["c", "s1", "s1", "t1"]);
        expect(rows.filter((row) => row.type === "sighting").length).toBe(1);
        expect(JSON.stringify(rows)).not.toMatch(/blue mug|private|not named/);
        await withEmpty(open, async (copy) => {
          const writer = await copy.engine.writer();
          await writer.restore(asStream(rows));
          expect(await (await copy.engine.reader()).count({})).toBe(3);
        });
      }));
  });

  describe("embedders", () => {
    it("takes no vector before its embedder is declared, and no query either", () =>
      withEmpty(open, async ({ engine }) => {
        const writer = await engine.writer();
        const reader = await engine.reader();
        const batch = { vectors: [{ text: "x", vector: vectorOf("x") }] };
        await refuses("embedder-mismatch", () => writer.write(batch));
        await refuses("embedder-mismatch", () => reader.search({ meaning: { vector: vectorOf("x") } }));
        expect((await reader.stats()).embedder).toBeNull();
        expect([await reader.embedder("text"), await reader.embedder("image")]).toEqual([null, null]);
        await writer.setEmbedder("text", { id: "first thought", dim: 3 });
        await writer.setEmbedder("text", EMBEDDER);
        await writer.write(batch);
        await writer.setEmbedder("text", EMBEDDER);
        await refuses("embedder-mismatch", () => writer.setEmbedder("text", { id: "another", dim: DIM }));
        await refuses("embedder-mismatch", () =>
          writer.setEmbedder("text", { id: EMBEDDER.id, dim: DIM + 1 }),
        );
        await writer.setEmbedder("image", IMAGE_EMBEDDER);
        expect(await reader.stats()).toMatchObject({ embedder: EMBEDDER, imageEmbedder: IMAGE_EMBEDDER });
        expect([await reader.embedder("text"), await reader.embedder("image")]).toEqual([
          EMBEDDER,
          IMAGE_EMBEDDER,
        ]);
      }));

    it("knows which lines have a vector, and needs none for those", () =>
      withRig(open, async ({ put, writer, reader }) => {
        await put([record("caption", "a", { text: ["known"] })]);
        await writer.write({ records: [record("caption", "b", { text: ["known", "bare"] })] });
        expect(await writer.knownTexts(["bare", "known", "never"])).toEqual([false, true, false]);
        expect(await reader.count({ meaning: { vector: vectorOf("known") } })).toBe(2);
        await writer.write({ vectors: [{ text: "bare", vector: vectorOf("bare") }] });
        expect((await reader.search({ meaning: { vector: vectorOf("bare") } })).hits[0]!.score).toBeCloseTo(
          1,
          6,
        );
      }));

    it("moves to another embedder, resumably, with the old one in use until the end", () =>
      withRig(open, async ({ put, writer, reader }) => {
        const lines = Array.from({ length: 300 }, (_, i) => `line ${i}`);
        await put(lines.map((line, i) => record("caption", `c${i}`, { text: [line] })));
        await put([record("caption", "mute", { text: ["…"] })]);
        const wide = { id: "wide", dim: DIM * 2 };
        const embed: EmbedLines = async (some) =>
          some.map((line) => (line === "…" ? null : vectorOf(`wide ${line}`, wide.dim)));
        const abort = new AbortController();
        let done = 0;
        const broken: EmbedLines = async (some, signal) => {
          done += some.length;
          if (done > 100) abort.abort();
          return embed(some, signal);
        };
        await refuses("aborted", () => writer.reembed(wide, broken, { signal: abort.signal }));
        expect((await reader.stats()).embedder).toEqual(EMBEDDER);
        expect(idsOf(await reader.search({ meaning: { vector: vectorOf("line 7") }, limit: 1 }))).toEqual([
          "c7",
        ]);
        const asked: string[] = [];
        const report = await writer.reembed(wide, async (some, signal) => {
          asked.push(...some);
          return embed(some, signal);
        });
        expect(report.withoutMeaning).toBe(1);
        expect(asked.length + report.resumedFrom).toBe(lines.length + 1);
        expect(await reader.stats()).toMatchObject({ embedder: wide, vectors: lines.length });
        const { hits } = await reader.search({
          meaning: { vector: vectorOf("wide line 7", wide.dim) },
          limit: 1,
        });
        expect([hits[0]!.record.id, hits[0]!.record.version]).toEqual(["c7", 1]);
        expect(hits[0]!.score).toBeCloseTo(1, 6);
        await refuses("embedder-mismatch", () => reader.search({ meaning: { vector: vectorOf("line 7") } }));
      }));
  });

  describe("opening again", () => {
    it("finds everything where it was", async (context) => {
      await withRig(open, async (rig) => {
        const { reopen } = rig.opened;
        if (reopen === undefined) return context.skip("this engine keeps nothing");
        await everything(rig);
        const probe = { names: SAME_TIMES };
        const ask = async (reader: MemoryReader) => ({
          dump: await probeDump(reader, probe),
          stats: await probeStats(reader, probe),
          changes: await probeChanges(reader, probe),
          searches: await Promise.all(ASKED.map((request) => probeSearch(reader, request, probe))),
        });
        const before = await ask(rig.reader);
        await rig.engine.close();
        const again = await reopen();
        expect(await ask(await again.reader())).toEqual(before);
        const writer = await again.writer();
        await writer.setEmbedder("text", EMBEDDER);
        expect((await writer.write({ records: [record("state", "s1", { name: "cup" })] })).versions).toEqual([
          3,
        ]);
        await again.close();
      });
    });
  });
}

/** An empty memory without embedders. */
async function withEmpty(open: OpenEngine, test: (opened: Awaited<ReturnType<OpenEngine>>) => Promise<void>) {
  const opened = await open({ dim: DIM });
  try {
    await test(opened);
  } finally {
    await opened.cleanUp();
  }
}
