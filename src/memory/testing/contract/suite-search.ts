import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../schema/index.ts";
import type { SearchRequest } from "../../request.ts";
import type { OpenEngine, Rig } from "./fixtures.ts";
import { at, DIM, idsOf, record, refuses, vectorOf, withRig } from "./fixtures.ts";

const origin = { x: 0, y: 0, z: 0 };
const upright = { w: 1, x: 0, y: 0, z: 0 };

/** Place, time and scalar conditions, and refused requests; the property tests combine them. */
export function searchSuite(open: OpenEngine): void {
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
        const named = await Promise.all(requests.map((request) => rig.reader.searchIds(request)));
        expect(named).toEqual(
          each.map(({ hits }) => hits.map(({ record, score, scores }) => ({ id: record.id, score, scores }))),
        );
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
        await refuses("aborted", () => reader.searchIds({}, { signal }));
        await refuses("aborted", () => reader.searchMany([{}], { signal }));
        await refuses("aborted", () => reader.count({}, { signal }));
      }));
  });
}
