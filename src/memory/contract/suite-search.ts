import { describe, expect, it } from "vitest";
import { blobRefOf, LIMITS } from "../../schema/index.ts";
import type { SearchRequest } from "../request.ts";
import { cosineOf, unitVector } from "../vectors.ts";
import type { OpenEngine, Rig } from "./fixtures.ts";
import { at, bytesOf, DIM, EMBEDDER, idsOf, record, refuses, vectorOf, withRig } from "./fixtures.ts";

const axis = (i: number, value = 1): Float32Array => new Float32Array(DIM).fill(0).with(i, value);
const unit = (line: string): Float32Array => unitVector(vectorOf(line), DIM, line);
const origin = { x: 0, y: 0, z: 0 };
const upright = { w: 1, x: 0, y: 0, z: 0 };

/** Lines and images whose vectors are given by hand. */
async function putVectors(rig: Rig, lines: Record<string, Float32Array>, records: Record<string, string[]>) {
  await rig.writer.write({
    records: Object.entries(records).map(([id, text]) => record("caption", id, { text })),
    vectors: Object.entries(lines).map(([text, vector]) => ({ text, vector })),
  });
}

/** Each key by itself, mixtures, ranking and refusals; the property tests do the rest. */
export function searchSuite(open: OpenEngine): void {
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

    it("fuses several meaning keys by reciprocal rank, and needs all of them under another rank", () =>
      withRig(open, async (rig) => {
        await putVectors(
          rig,
          { "red mug": axis(0), "blue mug": axis(1), sofa: axis(0) },
          { a: ["red mug"], b: ["blue mug"], c: ["sofa"] },
        );
        const meaning = { vector: axis(1), words: "mug" };
        const { hits, plan } = await rig.reader.search({ meaning });
        expect(plan.rank).toBe("fused");
        // By vector: b, then a and c tie and go by id. By words: a and b tie.
        expect(hits.map((hit) => [hit.record.id, hit.score])).toEqual(
          [
            ["b", 1 / 61 + 1 / 62],
            ["a", 1 / 62 + 1 / 61],
            ["c", 1 / 63],
          ].sort((x, y) => (y[1] as number) - (x[1] as number) || (x[0]! < y[0]! ? -1 : 1)),
        );
        expect(hits.at(-1)!.scores).toEqual({ meaning: 0 });
        expect(idsOf(await rig.reader.search({ meaning: { ...meaning, pool: 1 } }))).toEqual(["a", "b"]);
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

  describe("search by place", () => {
    const row = (rig: Rig) =>
      rig.put([
        record("caption", "p0", at(0)),
        record("caption", "p2", at(2)),
        record("caption", "big", { ...at(6), extent: { x: 4, y: 4, z: 4 } }),
        record("caption", "up", at(0, 0, 9)),
        record("caption", "placeless"),
      ]);
    const cases: readonly [string, SearchRequest, string[]][] = [
      [
        "box, touching included",
        { space: { type: "box", min: { x: 2, y: 0, z: 0 }, max: { x: 4, y: 1, z: 1 } } },
        ["big", "p2"],
      ],
      ["box of a single point", { space: { type: "box", min: origin, max: origin } }, ["p0"]],
      [
        "radius to the box, boundary included",
        { space: { type: "radius", centre: origin, radiusM: 4 } },
        ["p0", "p2", "big"],
      ],
      [
        "radius to the centre",
        { space: { type: "radius", centre: origin, radiusM: 4, metric: "centre" } },
        ["p0", "p2"],
      ],
      ["radius of zero", { space: { type: "radius", centre: { x: 2, y: 0, z: 0 }, radiusM: 0 } }, ["p2"]],
      [
        "nearest, without end",
        { space: { type: "nearest", point: { x: 2, y: 0, z: 0 } } },
        ["p2", "big", "p0", "up"],
      ],
      [
        "nearest by the centre",
        { space: { type: "nearest", point: { x: 3.5, y: 0, z: 0 }, metric: "centre", maxM: 3 } },
        ["p2", "big"],
      ],
      ["nearest within a distance", { space: { type: "nearest", point: origin, maxM: 2 } }, ["p0", "p2"]],
      ["two nearest", { space: { type: "nearest", point: origin }, limit: 2 }, ["p0", "p2"]],
      [
        "cone by the centre",
        { space: { type: "cone", apex: origin, axis: { x: 1, y: 0, z: 0 }, halfAngleRad: 0.5, rangeM: 6 } },
        ["p0", "p2", "big"],
      ],
      [
        "cone upwards",
        {
          space: {
            type: "cone",
            apex: { x: 0, y: 0, z: 1 },
            axis: { x: 0, y: 0, z: 1 },
            halfAngleRad: 0.5,
            rangeM: 10,
          },
        },
        ["up"],
      ],
      [
        "region over the floor",
        {
          space: {
            type: "region",
            points: [
              { x: -1, y: -1 },
              { x: 1, y: -1 },
              { x: 1, y: 1 },
              { x: -1, y: 1 },
            ],
          },
        },
        ["p0", "up"],
      ],
      [
        "region between heights",
        {
          space: {
            type: "region",
            points: [
              { x: -1, y: -1 },
              { x: 1, y: -1 },
              { x: 0, y: 2 },
            ],
            minZ: 0,
            maxZ: 2,
          },
        },
        ["p0"],
      ],
      [
        "frustum looking up",
        {
          space: {
            type: "frustum",
            worldFromCamera: { p: { x: 0, y: 0, z: -1 }, q: upright },
            tanHalfWidth: 1,
            tanHalfHeight: 1,
            nearM: 0.5,
            farM: 20,
          },
        },
        ["p0", "up"],
      ],
    ];
    for (const [name, request, expected] of cases) {
      it(`finds by ${name}`, () =>
        withRig(open, async (rig) => {
          await row(rig);
          expect(idsOf(await rig.reader.search(request))).toEqual(expected);
          expect(await rig.reader.count(request)).toBe(request.limit === undefined ? expected.length : 4);
        }));
    }

    it("ranks by distance where there is a point to measure from, and reports it", () =>
      withRig(open, async (rig) => {
        await row(rig);
        const { hits, plan } = await rig.reader.search({
          space: { type: "nearest", point: { x: 1, y: 0, z: 0 } },
        });
        expect(plan.rank).toBe("distance");
        expect(hits.map((hit) => [hit.record.id, hit.score, hit.scores.distanceM])).toEqual([
          ["p0", 1, 1],
          ["p2", 1, 1],
          ["big", 3, 3],
          ["up", Math.sqrt(82), Math.sqrt(82)],
        ]);
        expect(hits[2]).toMatchObject({
          position: { x: 6, y: 0, z: 0 },
          box: { min: { x: 4, y: -2, z: -2 } },
        });
        const boxed = await rig.reader.search({ space: { type: "box", min: origin, max: origin } });
        expect(boxed.plan.rank).toBe("latest");
        expect(boxed.hits[0]!.scores).toEqual({});
      }));
  });

  describe("search by time and plain conditions", () => {
    it("knows overlap, before and after, all half-open", () =>
      withRig(open, async ({ put, reader }) => {
        await put([
          record("caption", "a", { validFromUs: 0, validToUs: 10 }),
          record("caption", "b", { validFromUs: 10, validToUs: 20 }),
          record("caption", "c", { validFromUs: 20, validToUs: null }),
        ]);
        const found = async (time: SearchRequest["time"]) =>
          idsOf(await reader.search({ time: time!, rank: "id" }));
        expect(await found({ overlaps: { fromUs: 9, toUs: 10 } })).toEqual(["a"]);
        expect(await found({ overlaps: { fromUs: 10, toUs: 21 } })).toEqual(["b", "c"]);
        expect(await found({ overlaps: { fromUs: 1000, toUs: null } })).toEqual(["c"]);
        expect(await found({ before: 10 })).toEqual(["a"]);
        expect(await found({ before: 9 })).toEqual([]);
        expect(await found({ after: 10 })).toEqual(["b", "c"]);
        expect(await found({ after: 1, before: 20 })).toEqual(["b"]);
        expect(idsOf(await reader.search({}))).toEqual(["c", "b", "a"]);
        expect(idsOf(await reader.search({ rank: "earliest", limit: 1 }))).toEqual(["a"]);
        expect((await reader.search({ rank: "latest" })).hits.map((hit) => hit.score)).toEqual([20, 10, 0]);
      }));

    it("knows kinds, ids, scenes, authors, categories, owners, regions and attributes", () =>
      withRig(open, async ({ put, reader }) => {
        const open = (value: string | number | boolean) => ({ open: { value, p: 1, support: 1, lastUs: 0 } });
        await put([
          record("region", "room"),
          record("track", "t1", { category: "mug", sceneId: "home" }),
          record("state", "s1", { category: "mug", author: "r2", regionId: "room", attributes: open(true) }),
          record("state", "s2", { category: "door", regionId: "room", attributes: open("true") }),
          record("relation", "rel", { author: "r2" }),
          record("caption", "note", { topic: "mug" }),
        ]);
        const found = async (where: SearchRequest["where"], rest: SearchRequest = {}) =>
          idsOf(await reader.search({ ...rest, where: where!, rank: "id" }));
        expect(await found({}, { kinds: ["state", "track"] })).toEqual(["s1", "s2", "t1"]);
        expect(await found({}, { kinds: [] })).toEqual([]);
        expect(await found({ ids: ["s2", "nobody", "t1"] })).toEqual(["s2", "t1"]);
        expect(await found({ ids: [] })).toEqual([]);
        expect(await found({ sceneId: ["home"] })).toEqual(["t1"]);
        expect(await found({ author: ["r2"] })).toEqual(["rel", "s1"]);
        expect(await found({ category: ["mug"] })).toEqual(["note", "s1", "t1"]);
        expect(await found({ category: ["room", "door"] })).toEqual(["room", "s2"]);
        expect(await found({ owner: ["t1"] })).toEqual(["s1", "s2"]);
        expect(await found({ owner: ["s1"] })).toEqual(["rel"]);
        expect(await found({ regionId: ["room"] })).toEqual(["s1", "s2"]);
        expect(await found({ attributes: { open: true } })).toEqual(["s1"]);
        expect(await found({ attributes: { open: "true" } })).toEqual(["s2"]);
        expect(await found({ attributes: { open: true, colour: "red" } })).toEqual([]);
        expect(await found({ author: ["r2"], category: ["mug"] })).toEqual(["s1"]);
      }));
  });

  describe("calls", () => {
    it("answers many searches as it answers each", () =>
      withRig(open, async (rig) => {
        await rig.put([
          record("caption", "a", { text: ["red mug"], ...at(1) }),
          record("caption", "b", at(2)),
        ]);
        const requests: SearchRequest[] = [
          {},
          { meaning: { words: "mug" } },
          { space: { type: "nearest", point: origin } },
          { meaning: { vector: vectorOf("red mug") }, limit: 1 },
        ];
        const many = await rig.reader.searchMany(requests);
        const each = await Promise.all(requests.map((request) => rig.reader.search(request)));
        expect(many.map((result) => result.hits)).toEqual(each.map((result) => result.hits));
        expect(await rig.reader.searchMany([])).toEqual([]);
        await refuses("invalid-input", () => rig.reader.searchMany([{}, { limit: 0 }]));
        const tooMany = Array.from({ length: LIMITS.searchesPerCall + 1 }, () => ({}));
        await refuses(["limit-exceeded", "invalid-input"], () => rig.reader.searchMany(tooMany));
      }));

    it("refuses requests that make no sense", () =>
      withRig(open, async ({ reader }) => {
        const bad: SearchRequest[] = [
          { limit: 0 },
          { limit: 1.5 },
          { limit: LIMITS.hitsPerSearch + 1 },
          { kinds: ["thought" as "event"] },
          { space: { type: "radius", centre: { x: Number.NaN, y: 0, z: 0 }, radiusM: 1 } },
          { space: { type: "radius", centre: origin, radiusM: -1 } },
          { space: { type: "box", min: { x: 1, y: 0, z: 0 }, max: origin } },
          { time: { overlaps: { fromUs: 5, toUs: 5 } } },
          { time: { before: Number.NaN } },
          { rank: "meaning" },
          { rank: "fused" },
          { rank: "distance" },
          { meaning: { words: "x".repeat(LIMITS.queryChars + 1) } },
          { meaning: { words: "x", minCosine: 0.5 } },
          { meaning: { vector: new Float32Array(DIM).fill(Number.NaN) } },
          { meaning: { vector: new Float32Array(DIM) } },
        ];
        for (const request of bad) {
          await refuses("invalid-input", () => reader.search(request));
          await refuses("invalid-input", () => reader.count(request));
        }
        await refuses("embedder-mismatch", () =>
          reader.search({ meaning: { vector: new Float32Array(DIM + 1).fill(1) } }),
        );
        await refuses("embedder-mismatch", () =>
          reader.search({ meaning: { image: new Float32Array(2).fill(1) } }),
        );
      }));

    it("stops when the call is aborted", () =>
      withRig(open, async ({ reader }) => {
        const signal = AbortSignal.abort();
        await refuses("aborted", () => reader.search({}, { signal }));
        await refuses("aborted", () => reader.searchMany([{}], { signal }));
        await refuses("aborted", () => reader.count({}, { signal }));
      }));
  });
}
