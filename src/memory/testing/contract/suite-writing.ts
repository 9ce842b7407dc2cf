import { describe, expect, it } from "vitest";
import type { ErrorCode, RecordInput } from "../../../schema/index.ts";
import { blobRefOf, LIMITS } from "../../../schema/index.ts";
import type { WriteBatch } from "../../port.ts";
import { probeDump } from "./compare.ts";
import type { OpenEngine, Rig } from "./fixtures.ts";
import { at, bytesOf, collect, DIM, record, refuses, THUMB, vectorOf, withRig } from "./fixtures.ts";

const good = record("caption", "good", { text: ["a good line"], ...at(1) });
/** A batch of one valid record and one that is not: neither may be stored. */
const beside = (bad: Record<string, unknown>): WriteBatch => ({
  records: [good, { ...record("caption", "bad"), ...bad } as RecordInput],
});
const place = (p: unknown, rest: object = {}) => beside({ anchor: { submap: "world", p }, ...rest });
const edge = {
  parent: "world",
  child: "map",
  transform: { p: { x: 0, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } },
};
const TOO_BIG: readonly ErrorCode[] = ["invalid-input", "limit-exceeded"];

/** Batches that must be refused, by name: the code and the batch. "known" is an existing caption. */
const REFUSED: readonly [string, ErrorCode | readonly ErrorCode[], WriteBatch][] = [
  ["a NaN coordinate", "invalid-input", place({ x: Number.NaN, y: 0, z: 0 })],
  ["an infinite coordinate", "invalid-input", place({ x: 0, y: Number.POSITIVE_INFINITY, z: 0 })],
  ["a coordinate that is no place on Earth", "invalid-input", place({ x: 0, y: 0, z: 1e12 })],
  ["a missing coordinate", "invalid-input", place({ x: 0, y: 0 })],
  ["a negative extent", "invalid-input", place({ x: 0, y: 0, z: 0 }, { extent: { x: -1, y: 1, z: 1 } })],
  ["an extent without a place", "invalid-input", beside({ extent: { x: 1, y: 1, z: 1 } })],
  ["a reversed interval", "invalid-input", beside({ validFromUs: 10, validToUs: 9 })],
  ["an empty interval", "invalid-input", beside({ validFromUs: 10, validToUs: 10 })],
  ["a fractional time", "invalid-input", beside({ validFromUs: 0.5 })],
  ["a time past 2^53", "invalid-input", beside({ validFromUs: 2 ** 53 })],
  ["a NaN time", "invalid-input", beside({ validFromUs: Number.NaN })],
  ["a line of 10 MB", TOO_BIG, beside({ text: ["x".repeat(10_000_000)] })],
  ["an empty line", "invalid-input", beside({ text: [""] })],
  [
    "too many lines",
    TOO_BIG,
    beside({ text: Array.from({ length: LIMITS.linesPerRecord + 1 }, (_, i) => `${i}`) }),
  ],
  [
    "a record of more than a megabyte",
    TOO_BIG,
    beside({ text: Array.from({ length: 80 }, (_, i) => `${i}`.padEnd(16_000, "é")) }),
  ],
  ["an id with a space", "invalid-input", beside({ id: "not an id" })],
  ["an id of 10 kB", "invalid-input", beside({ id: "x".repeat(10_000) })],
  ["an unknown kind", "invalid-input", beside({ kind: "thought" })],
  ["a missing field", "invalid-input", beside({ source: undefined })],
  ["the same id twice", "invalid-input", { records: [good, good] }],
  ["another kind for a known id", "invalid-input", { records: [good, record("event", "known")] }],
  ["a reference to an unknown id", "unknown-id", beside({ states: ["nobody"] })],
  [
    "an owner that does not exist",
    "unknown-id",
    { records: [good, record("state", "s", { trackId: "nobody" })] },
  ],
  ["a blob that is not there", "unknown-id", beside({ image: blobRefOf(bytesOf("elsewhere")) })],
  ["a blob ref that is no hash", "invalid-input", beside({ image: "picture.png" })],
  [
    "a sighting of nothing",
    "unknown-id",
    { records: [good], sightings: [{ stateId: "nobody", timeUs: 0, outcome: "seen" }] },
  ],
  [
    "a sighting of what is no state",
    "unknown-id",
    { records: [good], sightings: [{ stateId: "known", timeUs: 0, outcome: "seen" }] },
  ],
  [
    "a sighting past 2^53",
    "invalid-input",
    { records: [good], sightings: [{ stateId: "known", timeUs: 2 ** 60, outcome: "seen" }] },
  ],
  [
    "a vector of the wrong length",
    "embedder-mismatch",
    { records: [good], vectors: [{ text: "a good line", vector: new Float32Array(DIM - 1).fill(1) }] },
  ],
  [
    "a vector with NaN",
    "invalid-input",
    { records: [good], vectors: [{ text: "a good line", vector: new Float32Array(DIM).fill(Number.NaN) }] },
  ],
  [
    "a vector of zeros",
    "invalid-input",
    { records: [good], vectors: [{ text: "a good line", vector: new Float32Array(DIM) }] },
  ],
  [
    "an image vector of the wrong length",
    "embedder-mismatch",
    {
      records: [good],
      blobs: [THUMB],
      imageVectors: [{ blob: blobRefOf(THUMB), vector: new Float32Array(3).fill(1) }],
    },
  ],
  [
    "an image vector of an unknown blob",
    "unknown-id",
    { records: [good], imageVectors: [{ blob: blobRefOf(THUMB), vector: vectorOf("x") }] },
  ],
  [
    "a vector for a line of 10 MB",
    TOO_BIG,
    { records: [good], vectors: [{ text: "x".repeat(10_000_000), vector: vectorOf("x") }] },
  ],
  [
    "a frame with a NaN transform",
    "invalid-input",
    {
      records: [good],
      frames: [{ ...edge, transform: { ...edge.transform, p: { x: Number.NaN, y: 0, z: 0 } } }],
    },
  ],
  [
    "a frame turned by a quaternion that is none",
    "invalid-input",
    {
      records: [good],
      frames: [{ ...edge, transform: { ...edge.transform, q: { w: 0, x: 0, y: 0, z: 0 } } }],
    },
  ],
  [
    "a frame that is its own parent",
    "invalid-input",
    { records: [good], frames: [{ ...edge, parent: "map" }] },
  ],
  [
    "a cycle of frames",
    "invalid-input",
    {
      records: [good],
      frames: [
        { ...edge, parent: "a", child: "b" },
        { ...edge, parent: "b", child: "a" },
      ],
    },
  ],
  [
    "two parents of one frame",
    "invalid-input",
    { records: [good], frames: [edge, { ...edge, parent: "elsewhere" }] },
  ],
  [
    "another version than expected",
    "version-conflict",
    { records: [good, { ...record("caption", "known"), expectVersion: 7 }] },
  ],
  [
    "a version expected of what is not there",
    "version-conflict",
    { records: [good, { ...record("caption", "fresh"), expectVersion: 1 }] },
  ],
  [
    "a known id expected to be new",
    "version-conflict",
    { records: [good, { ...record("caption", "known"), expectVersion: 0 }] },
  ],
  [
    "more records than a batch may hold",
    TOO_BIG,
    { records: Array.from({ length: LIMITS.recordsPerBatch + 1 }, (_, i) => record("caption", `c${i}`)) },
  ],
];

async function start(rig: Rig): Promise<void> {
  await rig.put([record("caption", "known", { text: ["known line"] })]);
}

/** Batches: what is refused, what is stored, and which versions result. */
export function writingSuite(open: OpenEngine): void {
  describe("writing", () => {
    for (const [name, code, batch] of REFUSED) {
      it(`refuses ${name} and writes nothing`, () =>
        withRig(open, async (rig) => {
          await start(rig);
          const probe = { names: new Map() };
          const before = await probeDump(rig.reader, probe);
          const { bytes: _bytes, ...statsBefore } = await rig.reader.stats();
          await refuses(code, () => rig.writer.write(batch));
          expect(await probeDump(rig.reader, probe)).toEqual(before);
          const { bytes: _again, ...statsAfter } = await rig.reader.stats();
          expect(statsAfter).toEqual(statsBefore);
          expect(await rig.reader.get(["good"])).toEqual([undefined]);
          expect(await rig.writer.knownTexts(["a good line"])).toEqual([false]);
          expect((await rig.writer.write({ records: [good] })).written).toBe(1);
        }));
    }

    it("gives back what was written, with defaults filled in", () =>
      withRig(open, async ({ put, reader }) => {
        const commitUs = await put([
          record("caption", "c", {
            text: ["line one", "zwei"],
            ...at(1.5, -2, 0.25),
            extent: { x: 1, y: 2, z: 3 },
          }),
        ]);
        const [stored] = await reader.get(["c"]);
        expect(stored).toMatchObject({
          id: "c",
          kind: "caption",
          sceneId: "default",
          author: "local",
          labels: [],
          states: [],
          text: ["line one", "zwei"],
          anchor: { submap: "world", p: { x: 1.5, y: -2, z: 0.25 } },
          extent: { x: 1, y: 2, z: 3 },
          validFromUs: 0,
          validToUs: null,
          version: 1,
          recordedAtUs: commitUs,
          supersededAtUs: null,
        });
      }));

    it("keeps awkward content as it is", () =>
      withRig(open, async ({ put, reader }) => {
        const detail = {
          "": null,
          ключ: [1.1e-300, -0.1, 2 ** 53 - 1, "\u0000\ud83e\udd16"],
          nested: { a: { b: [] } },
        };
        const text = ["'; DROP TABLE records; --", "emoji 🤖 and \u0000 zero", '%_[]*\\"\n\t'];
        await put([
          record("event", "e", { detail, text, validFromUs: -LIMITS.timeUs, validToUs: LIMITS.timeUs }),
        ]);
        expect((await reader.get(["e"]))[0]).toMatchObject({ detail, text, validFromUs: -LIMITS.timeUs });
      }));

    it("counts versions: known ids get the next one, equal content changes nothing", () =>
      withRig(open, async ({ writer, reader }) => {
        const first = await writer.write({ records: [record("caption", "a"), record("caption", "b")] });
        expect(first).toMatchObject({ written: 2, unchanged: 0, versions: [1, 1] });
        const mixed = await writer.write({
          records: [record("caption", "b"), record("caption", "a", { topic: "x" }), record("caption", "c")],
        });
        expect(mixed).toMatchObject({ written: 2, unchanged: 1, versions: [1, 2, 1] });
        const same = await writer.write({
          // Defaults written out, and fields in another order, are the same content.
          records: [
            {
              topic: "x",
              source: "template",
              kind: "caption",
              states: [],
              labels: [],
              validToUs: null,
              validFromUs: 0,
              id: "a",
            },
          ],
        });
        expect(same).toMatchObject({ written: 0, unchanged: 1, versions: [2] });
        expect((await reader.history("a")).map((row) => row.version)).toEqual([1, 2]);
        expect((await reader.stats()).versions).toBe(4);
      }));

    it("takes a batch whose records name each other, in any order", () =>
      withRig(open, async ({ writer, reader }) => {
        await writer.write({
          records: [
            record("relation", "r"),
            record("state", "s1", { supportedBy: "s2" }),
            record("state", "s2", { supportedBy: "s1" }),
            record("track", "t1"),
          ],
          sightings: [{ stateId: "s1", timeUs: 3, outcome: "seen" }],
        });
        expect((await reader.get(["r", "s1", "s2", "t1"])).every((row) => row !== undefined)).toBe(true);
      }));

    it("accepts the version that was expected", () =>
      withRig(open, async ({ writer }) => {
        await writer.write({ records: [{ ...record("caption", "a"), expectVersion: 0 }] });
        const commit = await writer.write({
          records: [{ ...record("caption", "a", { topic: "x" }), expectVersion: 1 }],
        });
        expect(commit.versions).toEqual([2]);
      }));

    it("commits at strictly increasing memory times, however fast", () =>
      withRig(open, async ({ writer }) => {
        const times: number[] = [];
        for (let i = 0; i < 20; i++)
          times.push((await writer.write({ records: [record("caption", `c${i}`)] })).commitUs);
        const steps = times.slice(1).map((time, i) => time - times[i]!);
        expect(steps.every((step) => step > 0)).toBe(true);
        expect(times.every(Number.isSafeInteger)).toBe(true);
      }));

    it("does not share buffers or objects with its callers", () =>
      withRig(open, async ({ writer, reader }) => {
        const vector = new Float32Array(DIM).with(0, 1); // of unit length, so that nothing has to copy it
        const bytes = bytesOf("shared bytes");
        const ref = blobRefOf(bytes);
        const input = record("caption", "c", { text: ["shared"], image: ref });
        const query = { meaning: { vector: new Float32Array(DIM).with(0, 1) } };
        await writer.write({
          records: [input],
          vectors: [{ text: "shared", vector }],
          blobs: [bytes],
          imageVectors: [{ blob: ref, vector }],
        });
        const before = (await reader.search(query)).hits[0]!;
        vector.fill(0xff);
        bytes.fill(0xff);
        input.text![0] = "changed";
        (await reader.get(["c"]))[0]!.text[0] = "changed";
        (await reader.blob(ref))!.fill(0xff);
        expect((await reader.search(query)).hits[0]).toEqual(before);
        expect(await reader.blob(ref)).toEqual(bytesOf("shared bytes"));
      }));

    it("has one writer at a time, or many that take turns", () =>
      withRig(open, async ({ engine, reader, writer }) => {
        if (!engine.capabilities.manyWriters) {
          await refuses("memory-busy", () => engine.writer());
          await writer.close();
          const next = await engine.writer();
          await next.write({ records: [record("caption", "c")] });
          return next.close();
        }
        const writers = [writer, await engine.writer(), await engine.writer()];
        const ids = Array.from({ length: 30 }, (_, i) => `c${String(i).padStart(2, "0")}`);
        const commits = await Promise.all(
          ids.map((id, i) =>
            writers[i % 3]!.write({ records: [record("caption", id), record("caption", "one")] }),
          ),
        );
        expect(new Set(commits.map(({ commitUs }) => commitUs)).size).toBe(ids.length);
        expect(commits.filter(({ written }) => written === 2).length).toBe(1);
        const told = (await collect(reader.changes({ live: false }))).flatMap(({ put }) =>
          put.map(({ id }) => id),
        );
        expect(told.sort()).toEqual([...ids, "one"]);
        await Promise.all(writers.slice(1).map((one) => one.close()));
      }));

    it("refuses every call once closed", () =>
      withRig(open, async ({ engine, writer, reader }) => {
        await writer.close();
        await refuses("memory-closed", () => writer.write({ records: [record("caption", "c")] }));
        await reader.close();
        await refuses("memory-closed", () => reader.get(["c"]));
        await refuses("memory-closed", () => reader.search({}));
        await engine.close();
        await refuses("memory-closed", () => engine.reader());
        await refuses("memory-closed", () => engine.writer());
      }));
  });
}
