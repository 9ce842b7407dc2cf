import { describe, expect, it } from "vitest";
import { blobRefOf } from "../../../schema/index.ts";
import type { SearchRequest } from "../../request.ts";
import { cosineOf, unitVector } from "../../vectors.ts";
import type { OpenEngine, Rig } from "./fixtures.ts";
import { at, bytesOf, DIM, EMBEDDER, idsOf, record, refuses, vectorOf, withRig } from "./fixtures.ts";

const axis = (i: number, value = 1): Float32Array => new Float32Array(DIM).fill(0).with(i, value);
const unit = (line: string): Float32Array => unitVector(vectorOf(line), DIM, line);
const origin = { x: 0, y: 0, z: 0 };

/** Lines and images with given vectors. */
async function putVectors(rig: Rig, lines: Record<string, Float32Array>, records: Record<string, string[]>) {
  await rig.writer.write({
    records: Object.entries(records).map(([id, text]) => record("caption", id, { text })),
    vectors: Object.entries(lines).map(([text, vector]) => ({ text, vector })),
  });
}

/** Vectors, images and words, by themselves and fused. */
export function meaningSuite(open: OpenEngine): void {
  describe("search by meaning", () => {
    it("compares a vector with the best line of a record, exactly", () =>
      withRig(open, async (rig) => {
        await rig.put([
          record("caption", "a", { text: ["one", "two"] }),
          record("caption", "b", { text: ["three"] }),
          record("caption", "silent"),
        ]);
        const query = vectorOf("query").map((v) => v * 5);
        const { hits, plan } = await rig.reader.search({ meaning: { vector: query } });
        const q = unitVector(query, DIM, "query");
        const best = Math.max(cosineOf(q, unit("one")), cosineOf(q, unit("two")));
        const scores = new Map(hits.map((hit) => [hit.record.id, hit.score]));
        expect(scores).toEqual(
          new Map([
            ["a", best],
            ["b", cosineOf(q, unit("three"))],
          ]),
        );
        expect(hits.map((hit) => hit.scores)).toEqual(hits.map((hit) => ({ meaning: hit.score })));
        expect(hits[0]!.score).toBeGreaterThan(hits[1]!.score);
        expect([plan.rank, plan.engine]).toEqual(["meaning", rig.engine.name]);
        expect(plan.steps.every(({ left }) => Number.isSafeInteger(left) && left >= 0)).toBe(true);
      }));

    it("orders equal scores by id and cuts at the limit, ten by default", () =>
      withRig(open, async (rig) => {
        const ids = Array.from({ length: 12 }, (_, i) => `c-${String.fromCharCode(97 + ((i * 5) % 12))}`);
        await putVectors(rig, { same: axis(0) }, Object.fromEntries(ids.map((id) => [id, ["same"]])));
        const found = idsOf(await rig.reader.search({ meaning: { vector: axis(0) } }));
        expect(found).toEqual([...ids].sort().slice(0, 10));
        expect(idsOf(await rig.reader.search({ meaning: { vector: axis(0) }, limit: 3 }))).toEqual(
          found.slice(0, 3),
        );
        expect(await rig.reader.count({ meaning: { vector: axis(0) }, limit: 3 })).toBe(12);
      }));

    it("orders ids by plain comparison of their characters", () =>
      withRig(open, async ({ put, reader }) => {
        await put(["b", "B", "a-1", "a_1", "a10", "a9", "A:1", "A.1"].map((id) => record("caption", id)));
        const expected = ["A.1", "A:1", "B", "a-1", "a10", "a9", "a_1", "b"];
        expect(idsOf(await reader.search({ rank: "id" }))).toEqual(expected);
        expect(idsOf(await reader.search({ rank: "earliest" }))).toEqual(expected);
      }));

    it("applies cosine thresholds, the boundary included", () =>
      withRig(open, async (rig) => {
        await putVectors(
          rig,
          { x: axis(0), y: axis(1), back: axis(0, -1) },
          { a: ["x"], b: ["y"], c: ["back"] },
        );
        const found = async (minCosine: number) =>
          idsOf(await rig.reader.search({ meaning: { vector: axis(0), minCosine } }));
        expect(await found(1)).toEqual(["a"]);
        expect(await found(0)).toEqual(["a", "b"]);
        expect(await found(-1)).toEqual(["a", "b", "c"]);
        expect(await rig.reader.count({ meaning: { vector: axis(0), minCosine: 0.5 } })).toBe(1);
      }));

    it("turns thresholds in z-units into cosines by the calibration", () =>
      withRig(open, async (rig) => {
        const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`);
        await rig.put(lines.map((line, i) => record("caption", `c${i}`, { text: [line] })));
        const meaning = { vector: vectorOf("line 3") };
        await refuses("invalid-input", () => rig.reader.search({ meaning: { ...meaning, minZ: 1 } }));
        const { embedder, mean, sd, pairs } = await rig.writer.calibrate("text");
        expect(embedder).toBe(EMBEDDER.id);
        expect(pairs).toBeGreaterThan(100);
        expect(Math.abs(mean)).toBeLessThan(0.2);
        expect(sd).toBeGreaterThan(0.2);
        expect(sd).toBeLessThan(0.6);
        for (const minZ of [-1, 0, 1.5]) {
          const byZ = await rig.reader.search({ meaning: { ...meaning, minZ }, limit: 100 });
          const byCosine = await rig.reader.search({
            meaning: { ...meaning, minCosine: mean + minZ * sd },
            limit: 100,
          });
          expect(byZ.hits).toEqual(byCosine.hits);
          expect(byZ.hits.length).toBeGreaterThan(0);
          expect(byZ.hits.length).toBeLessThan(30);
        }
      }));

    it("compares images with the image vector of a record's picture", () =>
      withRig(open, async ({ writer, reader }) => {
        const blobs = ["p", "q", "plain"].map(bytesOf);
        const [p, q, plain] = blobs.map(blobRefOf);
        await writer.write({
          records: [
            record("caption", "a", { image: p! }),
            record("caption", "b", { image: q! }),
            record("caption", "c", { image: plain! }),
          ],
          blobs,
          imageVectors: [
            { blob: p!, vector: axis(0) },
            { blob: q!, vector: axis(1) },
          ],
        });
        const { hits, plan } = await reader.search({ meaning: { image: axis(1) } });
        expect(hits.map((hit) => [hit.record.id, hit.score, hit.scores])).toEqual([
          ["b", 1, { image: 1 }],
          ["a", 0, { image: 0 }],
        ]);
        expect(plan.rank).toBe("image");
        expect(idsOf(await reader.search({ meaning: { image: axis(1), minCosine: 0.5 } }))).toEqual(["b"]);
      }));

    it("matches words by their stems, whatever the case and the accents", () =>
      withRig(open, async ({ put, reader }) => {
        await put([
          record("caption", "a", { text: ["Two red MUGS", "on tables"] }),
          record("caption", "b", { text: ["Die Tür öffnet sich"] }),
          record("caption", "c", { text: ["…"] }),
        ]);
        const found = async (words: string) => idsOf(await reader.search({ meaning: { words } }));
        expect(await found("mug")).toEqual(["a"]);
        expect(await found("TABLE")).toEqual(["a"]);
        expect(await found("TUR")).toEqual(["b"]);
        expect(await found("öffnet xyz")).toEqual(["b"]);
        expect(await found("m")).toEqual([]);
        expect(await found("")).toEqual([]);
        expect(await found('" OR * NEAR(')).toEqual([]);
        expect(await found("…")).toEqual([]);
        expect(await reader.count({ meaning: { words: "mug tur" } })).toBe(2);
      }));

    it("weighs words by the records of the kinds asked for, before any other key", () =>
      withRig(open, async ({ put, reader }) => {
        await put([
          record("caption", "a", { text: ["red mug"], ...at(0) }),
          record("caption", "b", { text: ["red chair"], ...at(100) }),
          record("event", "e", { text: ["red red red alarm"] }),
        ]);
        const scoreOf = async (request: SearchRequest) =>
          (await reader.search({ meaning: { words: "red" }, ...request })).hits.find(
            (h) => h.record.id === "a",
          )!.score;
        const near = { type: "radius", centre: origin, radiusM: 1 } as const;
        const ofCaptions = await scoreOf({ kinds: ["caption"] });
        expect(await scoreOf({ kinds: ["caption"], space: near })).toBe(ofCaptions);
        expect(await scoreOf({ kinds: ["caption"], where: { ids: ["a"] } })).toBe(ofCaptions);
        expect(await scoreOf({})).not.toBe(ofCaptions);
      }));

    it("fuses several meaning keys by their standard scores, and needs all of them under another rank", () =>
      withRig(open, async (rig) => {
        await putVectors(
          rig,
          { "red mug": axis(0), "blue mug": axis(1), sofa: axis(0) },
          { a: ["red mug"], b: ["blue mug"], c: ["sofa"] },
        );
        const meaning = { vector: axis(1), words: "mug" };
        const { hits, plan } = await rig.reader.search({ meaning });
        expect(plan.rank).toBe("fused");
        // By vector b is 1 and the others 0; by words a and b score alike and c nothing.
        const [one, other] = [Math.sqrt(2), Math.sqrt(1 / 2)];
        expect(hits.map((hit) => hit.record.id)).toEqual(["b", "a", "c"]);
        const expected = [0.7 * one + 0.3 * other, -0.7 * other + 0.3 * other, -0.7 * other - 0.3 * one];
        for (const [i, hit] of hits.entries()) expect(hit.score).toBeCloseTo(expected[i]!, 12);
        expect(hits.at(-1)!.scores).toEqual({ meaning: 0 });
        expect(idsOf(await rig.reader.search({ meaning: { ...meaning, pool: 1 } }))).toEqual(["b", "a"]);
        expect(idsOf(await rig.reader.search({ meaning, rank: "meaning" }))).toEqual(["b", "a"]);
        expect(idsOf(await rig.reader.search({ meaning, rank: "latest" }))).toEqual(["a", "b"]);
        expect(await rig.reader.count({ meaning })).toBe(3);
      }));

    it("filters before it ranks: a pool is never spent on records that fail another key", () =>
      withRig(open, async (rig) => {
        const ids = Array.from({ length: 40 }, (_, i) => `far-${i}`);
        await putVectors(rig, { mug: axis(0) }, Object.fromEntries(ids.map((id) => [id, ["mug"]])));
        await rig.writer.write({ records: [record("caption", "near", { text: ["mug"], ...at(0) })] });
        const space = { type: "radius", centre: origin, radiusM: 1 } as const;
        const found = await rig.reader.search({
          meaning: { vector: axis(0), words: "mug", pool: 1 },
          space,
          limit: 1,
        });
        expect(idsOf(found)).toEqual(["near"]);
      }));
  });
}
