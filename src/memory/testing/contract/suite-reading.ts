import { describe, expect, it } from "vitest";
import { fromYaw } from "../../../geometry/index.ts";
import type { FrameEdgeInput } from "../../../schema/index.ts";
import { blobRefOf, RECORD_KINDS } from "../../../schema/index.ts";
import type { OpenEngine } from "./fixtures.ts";
import { at, bytesOf, idsOf, record, refuses, vectorOf, withRig } from "./fixtures.ts";

const submap = (child: string, x: number, revision: number, yawRad = 0): FrameEdgeInput => ({
  parent: "world",
  child,
  transform: { p: { x, y: 0, z: 0 }, q: fromYaw(yawRad) },
  kind: "submap",
  revision,
});
const nearOrigin = { type: "radius", centre: { x: 0, y: 0, z: 0 }, radiusM: 1 } as const;

/** Versions, both times, sightings and frames. */
export function readingSuite(open: OpenEngine): void {
  describe("reading", () => {
    it("gets by id in the order asked, undefined where there is none", () =>
      withRig(open, async ({ put, reader }) => {
        await put([record("caption", "a"), record("event", "b")]);
        const found = await reader.get(["b", "nobody", "a", "b"]);
        expect(found.map((row) => row?.id)).toEqual(["b", undefined, "a", "b"]);
        expect(await reader.get([])).toEqual([]);
        expect(await reader.history("nobody")).toEqual([]);
      }));

    it("keeps every version with the memory time in which it was believed", () =>
      withRig(open, async ({ put, reader }) => {
        const t1 = await put([record("caption", "a", { text: ["first"] })]);
        const t2 = await put([record("caption", "a", { text: ["second"] })]);
        expect(
          (await reader.history("a")).map((r) => [r.version, r.text[0], r.recordedAtUs, r.supersededAtUs]),
        ).toEqual([
          [1, "first", t1, t2],
          [2, "second", t2, null],
        ]);
      }));

    it("reads what the memory believed at any time, boundaries included", () =>
      withRig(open, async ({ put, as }) => {
        const t1 = await put([record("caption", "a", { text: ["old words"] })]);
        const t2 = await put([record("caption", "a", { text: ["new words"] }), record("caption", "b")]);
        const lineAt = async (asOfMemoryUs: number) => {
          const reader = await as({ asOfMemoryUs });
          const [a] = await reader.get(["a"]);
          const old = await reader.search({ meaning: { words: "old" } });
          const records = (await reader.stats()).records.caption;
          return [
            a?.text[0],
            idsOf(old),
            await reader.count({}),
            records,
            (await reader.history("a")).length,
          ];
        };
        expect(await lineAt(t1 - 1)).toEqual([undefined, [], 0, 0, 0]);
        expect(await lineAt(t1)).toEqual(["old words", ["a"], 1, 1, 1]);
        expect(await lineAt(t2 - 1)).toEqual(["old words", ["a"], 1, 1, 1]);
        expect(await lineAt(t2)).toEqual(["new words", [], 2, 2, 2]);
        expect(await lineAt(t2 + 1_000_000)).toEqual(["new words", [], 2, 2, 2]);
      }));

    it("reads what was so in the world at any time, ends excluded", () =>
      withRig(open, async ({ put, as }) => {
        await put([
          record("caption", "past", { validFromUs: 10, validToUs: 20 }),
          record("caption", "open", { validFromUs: 20, validToUs: null }),
        ]);
        const at = async (asOfWorldUs: number) => {
          const reader = await as({ asOfWorldUs });
          const got = (await reader.get(["past", "open"])).map((row) => row?.id);
          return [
            idsOf(await reader.search({ rank: "id" })),
            got.filter((id) => id !== undefined),
            await reader.count({}),
          ];
        };
        expect(await at(9)).toEqual([[], [], 0]);
        expect(await at(10)).toEqual([["past"], ["past"], 1]);
        expect(await at(19)).toEqual([["past"], ["past"], 1]);
        expect(await at(20)).toEqual([["open"], ["open"], 1]);
      }));

    it("reads both times at once", () =>
      withRig(open, async ({ put, as }) => {
        const t1 = await put([
          record("state", "s1", { validFromUs: 0, validToUs: null }),
          record("track", "t1"),
        ]);
        await put([record("state", "s1", { validFromUs: 0, validToUs: 50 })]);
        const seen = async (asOfMemoryUs: number | undefined) => {
          const options = asOfMemoryUs === undefined ? {} : { asOfMemoryUs };
          return idsOf(await (await as({ asOfWorldUs: 60, ...options })).search({ kinds: ["state"] }));
        };
        expect(await seen(t1)).toEqual(["s1"]);
        expect(await seen(undefined)).toEqual([]);
      }));

    it("shows a live reader each commit at once", () =>
      withRig(open, async ({ put, reader }) => {
        expect(await reader.count({})).toBe(0);
        await put([record("caption", "a", { text: ["word"] })]);
        expect(await reader.count({ meaning: { words: "word" } })).toBe(1);
        await put([record("caption", "a", { text: ["other"] })]);
        expect(await reader.count({ meaning: { words: "word" } })).toBe(0);
      }));

    it("keeps a reader as-of a memory time as it was, whatever is written", () =>
      withRig(open, async ({ put, as, writer }) => {
        const t1 = await put([record("caption", "a", { text: ["word"] })]);
        const reader = await as({ asOfMemoryUs: t1 });
        await put([record("caption", "a", { text: ["other"] }), record("caption", "b", { text: ["word"] })]);
        await writer.write({ frames: [submap("m", 5, 4)] });
        const { hits } = await reader.search({ meaning: { words: "word" } });
        expect(hits.map((hit) => hit.record.text)).toEqual([["word"]]);
        expect((await reader.stats()).mapRevision).toBe(0);
      }));

    it("gives blobs by the hash of their content, once", () =>
      withRig(open, async ({ writer, reader }) => {
        const [a, b] = [bytesOf("blob a"), Uint8Array.from([0, 255, 0, 1])];
        const image = blobRefOf(a);
        await writer.write({ records: [record("caption", "x", { image })], blobs: [a, a, b] });
        await writer.write({ records: [record("caption", "y", { image })], blobs: [a] });
        expect(await reader.blob(image)).toEqual(a);
        expect(await reader.blob(blobRefOf(b))).toEqual(b);
        expect(await reader.blob("0".repeat(64))).toBeUndefined();
        expect((await reader.stats()).blobs).toBe(2);
      }));

    it("counts what there is", () =>
      withRig(open, async ({ put, writer, reader }) => {
        expect(await reader.stats()).toMatchObject({
          versions: 0,
          sightings: 0,
          frames: 0,
          firstUs: null,
          lastUs: null,
          mapRevision: 0,
        });
        await put([
          record("track", "t1", { text: ["one", "two"], validFromUs: 5 }),
          record("state", "s1", { text: ["one"], validFromUs: 7 }),
        ]);
        const t2 = (
          await writer.write({
            records: [record("state", "s1", { text: ["three"], validFromUs: 7 })],
            sightings: [{ stateId: "s1", timeUs: 8, outcome: "seen" }],
            frames: [submap("m", 0, 3)],
          })
        ).commitUs;
        const stats = await reader.stats();
        expect(stats).toMatchObject({
          versions: 3,
          sightings: 1,
          frames: 1,
          texts: 3,
          vectors: 2,
          blobs: 0,
          firstUs: 5,
          mapRevision: 3,
          lastCommitUs: t2,
          embedder: { id: "test-text" },
          imageEmbedder: { id: "test-image" },
        });
        const zeros = Object.fromEntries(RECORD_KINDS.map((kind) => [kind, 0]));
        expect(stats.records).toEqual({ ...zeros, track: 1, state: 1 });
        expect(stats.bytes).toBeGreaterThan(0);
      }));
  });

  describe("sightings and presence", () => {
    const look = (timeUs: number, outcome: "seen" | "absent" | "occluded" | "replaced", stateId = "s1") => ({
      stateId,
      timeUs,
      outcome,
    });

    it("appends sightings and finds them by state, time and outcome", () =>
      withRig(open, async ({ put, reader }) => {
        const anchor = { submap: "world", p: { x: 1, y: 2, z: 3 } };
        await put([record("track", "t1"), record("state", "s1"), record("state", "s2")], {
          sightings: [{ ...look(30, "seen"), anchor }, look(10, "absent"), look(20, "seen", "s2")],
        });
        await put([], { sightings: [look(-5, "occluded")] });
        const times = async (query: Parameters<typeof reader.sightings>[0]) =>
          (await reader.sightings(query)).map((s) => s.timeUs);
        expect(await times({})).toEqual([-5, 10, 20, 30]);
        expect(await times({ order: "latest", limit: 2 })).toEqual([30, 20]);
        expect(await times({ stateIds: ["s1"] })).toEqual([-5, 10, 30]);
        expect(await times({ stateIds: ["s1", "s2"], outcomes: ["seen"] })).toEqual([20, 30]);
        expect(await times({ during: { fromUs: 10, toUs: 30 } })).toEqual([10, 20]);
        expect(await times({ during: { fromUs: 11, toUs: null } })).toEqual([20, 30]);
        expect(await times({ stateIds: [] })).toEqual([]);
        expect(await times({ stateIds: ["nobody"] })).toEqual([]);
        expect((await reader.sightings({ order: "latest", limit: 1 }))[0]).toEqual({
          ...look(30, "seen"),
          agentId: "local",
          labels: [],
          anchor,
        });
      }));

    it("folds presence: four stamps and how often", () =>
      withRig(open, async ({ put, reader, as }) => {
        const t1 = await put([record("track", "t1"), record("state", "s1"), record("state", "s2")], {
          sightings: [
            look(5, "absent"),
            look(10, "absent"),
            look(20, "seen"),
            look(25, "absent"),
            look(30, "seen"),
          ],
        });
        await put([], {
          sightings: [look(35, "occluded"), look(40, "absent"), look(50, "absent"), look(15, "seen")],
        });
        const presence = {
          stateId: "s1",
          firstSeenUs: 15,
          lastSeenUs: 30,
          lastAbsentBeforeUs: 10,
          firstAbsentAfterUs: 40,
          seenCount: 3,
        };
        const never = {
          firstSeenUs: null,
          lastSeenUs: null,
          lastAbsentBeforeUs: null,
          firstAbsentAfterUs: null,
          seenCount: 0,
        };
        expect(await reader.presence(["s2", "s1", "nobody"])).toEqual([
          { stateId: "s2", ...never },
          presence,
          { stateId: "nobody", ...never },
        ]);
        const then = await (await as({ asOfMemoryUs: t1 })).presence(["s1"]);
        expect(then).toEqual([{ ...presence, firstSeenUs: 20, firstAbsentAfterUs: null, seenCount: 2 }]);
      }));

    it("makes no version of a state that was only seen again", () =>
      withRig(open, async ({ put, reader }) => {
        await put([record("track", "t1"), record("state", "s1")]);
        for (let i = 0; i < 5; i++) await put([], { sightings: [look(i, "seen")] });
        expect((await reader.history("s1")).length).toBe(1);
      }));
  });

  describe("frames", () => {
    it("places records by the submap's pose and re-anchors them by a new revision", () =>
      withRig(open, async ({ put, writer, as, reader }) => {
        const t0 = await put([record("caption", "a", at(1, 0, 0, "m")), record("caption", "w", at(10))], {
          frames: [submap("m", -1, 0)],
        });
        expect(idsOf(await reader.search({ space: nearOrigin }))).toEqual(["a"]);
        await writer.write({ frames: [submap("m", 99, 1)] });
        expect(idsOf(await reader.search({ space: nearOrigin }))).toEqual([]);
        const [hit] = (await reader.search({ space: { ...nearOrigin, centre: { x: 100, y: 0, z: 0 } } }))
          .hits;
        expect(hit).toMatchObject({
          position: { x: 100, y: 0, z: 0 },
          scores: { distanceM: 0 },
          record: { version: 1 },
        });
        expect(idsOf(await (await as({ mapRevision: 0 })).search({ space: nearOrigin }))).toEqual(["a"]);
        expect(idsOf(await (await as({ asOfMemoryUs: t0 })).search({ space: nearOrigin }))).toEqual(["a"]);
        expect((await reader.stats()).mapRevision).toBe(1);
        expect((await reader.frames()).resolve("world", "m")?.p.x).toBe(99);
        expect((await (await as({ asOfMemoryUs: t0 })).frames()).resolve("world", "m")?.p.x).toBe(-1);
      }));

    it("turns boxes with their submap", () =>
      withRig(open, async ({ put, reader }) => {
        await put([record("caption", "long", { ...at(0, 0, 0, "m"), extent: { x: 4, y: 1, z: 1 } })], {
          frames: [submap("m", 0, 0, Math.PI / 2)],
        });
        const [hit] = (await reader.search({ rank: "id" })).hits;
        expect(hit!.box!.max.x).toBeCloseTo(0.5, 12);
        expect(hit!.box!.max.y).toBeCloseTo(2, 12);
      }));

    it("gives a record no place while its submap is not connected to the world", () =>
      withRig(open, async ({ put, writer, reader }) => {
        await put([record("caption", "lost", { ...at(0, 0, 0, "m"), text: ["lost mug"] })]);
        const nearest = { space: { type: "nearest", point: { x: 0, y: 0, z: 0 } } } as const;
        expect(idsOf(await reader.search(nearest))).toEqual([]);
        const [hit] = (await reader.search({ meaning: { words: "mug" } })).hits;
        expect(hit!.record.id).toBe("lost");
        expect([hit!.position, hit!.box]).toEqual([undefined, undefined]);
        await writer.write({ frames: [submap("m", 2, 0)] });
        expect((await reader.search(nearest)).hits[0]).toMatchObject({
          position: { x: 2, y: 0, z: 0 },
          score: 2,
        });
      }));

    it("takes keys in a stated frame, and refuses one that it cannot place", () =>
      withRig(open, async ({ put, reader, as }) => {
        await put([record("caption", "a", at(6, 2))], { frames: [submap("robot", 5, 1, Math.PI / 2)] });
        const ahead = { type: "nearest", point: { x: 2, y: -1, z: 0 }, frame: "robot" } as const;
        const { hits } = await reader.search({ space: ahead });
        expect(hits[0]!.score).toBeCloseTo(0, 9);
        await refuses("invalid-input", () => reader.search({ space: { ...ahead, frame: "nobody" } }));
        await refuses("invalid-input", () => reader.count({ space: { ...ahead, frame: "nobody" } }));
        const before = await as({ mapRevision: 0 });
        await refuses("invalid-input", () => before.search({ space: ahead }));
      }));

    it("searches without an embedder having been used", () =>
      withRig(open, async ({ put, reader }) => {
        await put([record("caption", "a", at(0))]);
        expect(await reader.count({ meaning: { vector: vectorOf("x") } })).toBe(0);
      }));
  });
}
