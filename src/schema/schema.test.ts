import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { RECORD_KINDS } from "./constants.ts";
import { frameEdgeSchema } from "./frames.ts";
import { contentId, ulidSource } from "./ids.ts";
import { referencesOf } from "./keys.ts";
import { LIMITS } from "./limits.ts";
import { parseOrThrow } from "./parse.ts";
import { recordSchema } from "./records.ts";

const caption = { kind: "caption", id: "c1", source: "human", validFromUs: 0, validToUs: 1 } as const;

describe("records", () => {
  it.each([
    ["a NaN coordinate", { anchor: { submap: "world", p: { x: Number.NaN, y: 0, z: 0 } } }],
    [
      "an infinite coordinate",
      { anchor: { submap: "world", p: { x: 0, y: Number.POSITIVE_INFINITY, z: 0 } } },
    ],
    ["a coordinate in another unit", { anchor: { submap: "world", p: { x: 4e8, y: 0, z: 0 } } }],
    ["a reversed interval", { validFromUs: 5, validToUs: 4 }],
    ["an empty interval", { validFromUs: 5, validToUs: 5 }],
    ["a fractional time", { validFromUs: 0.5 }],
    ["a time past 2^53", { validFromUs: 2 ** 53 + 2, validToUs: null }],
    ["10 MB of text", { text: ["x".repeat(10_000_000)] }],
    ["an empty line", { text: [""] }],
    [
      "a negative size",
      { anchor: { submap: "world", p: { x: 0, y: 0, z: 0 } }, extent: { x: -1, y: 0, z: 0 } },
    ],
    ["an extent without a place", { extent: { x: 1, y: 1, z: 1 } }],
    [
      "a rotation that is none",
      { anchor: { submap: "world", p: { x: 0, y: 0, z: 0 }, q: { w: 2, x: 0, y: 0, z: 0 } } },
    ],
    ["an id with a space", { id: "a b" }],
    ["too many labels", { labels: Array.from({ length: LIMITS.labelsPerRecord + 1 }, (_, i) => `l${i}`) }],
  ])("refuse %s", (_, change) => {
    expect(recordSchema.safeParse({ ...caption, ...change }).success).toBe(false);
    expect(() => parseOrThrow(recordSchema, { ...caption, ...change }, "record")).toThrow(/^record/);
  });

  it("say the first problem in one short line, with where it is", () => {
    const bad = { ...caption, anchor: { submap: "world", p: { x: 0, y: 0, z: Number.NaN } } };
    expect(() => parseOrThrow(recordSchema, bad, "records[3]")).toThrow(
      /^records\[3\] at anchor\.p\.z: [^\n]{1,300}$/,
    );
  });

  it("keep labels as a set", () => {
    expect(recordSchema.parse({ ...caption, labels: ["b", "a", "b"] }).labels).toEqual(["a", "b"]);
  });

  it("have a stable number for each kind", () => {
    expect(RECORD_KINDS.join(" ")).toBe(
      "observation detection track state view caption place region relation event agent",
    );
  });

  it("name every record they point to", () => {
    const state = recordSchema.parse({
      kind: "state",
      id: "s",
      trackId: "t",
      name: "mug",
      category: "mug",
      validFromUs: 0,
      validToUs: null,
      views: ["v"],
      insideOf: "box",
      movedFrom: { stateId: "old", p: 1 },
    });
    expect(referencesOf(state).map(({ id }) => id)).toEqual(["t", "v", "box", "old"]);
  });
});

describe("frame edges", () => {
  const edge = {
    parent: "world",
    child: "map",
    transform: { p: { x: 0, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } },
  };
  it("refuse a frame that is its own parent and a parent for the world", () => {
    expect(frameEdgeSchema.safeParse(edge).success).toBe(true);
    expect(frameEdgeSchema.safeParse({ ...edge, parent: "map" }).success).toBe(false);
    expect(frameEdgeSchema.safeParse({ ...edge, parent: "map", child: "world" }).success).toBe(false);
    expect(
      frameEdgeSchema.safeParse({ ...edge, parent: "earth", child: "world", kind: "geodetic" }).success,
    ).toBe(true);
  });
});

describe("ids", () => {
  it("ULIDs sort by creation, even within a millisecond and when the clock steps back", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 2 ** 45 }), { minLength: 2, maxLength: 50 }),
        (clock) => {
          let tick = 0;
          const next = ulidSource({
            nowMs: () => clock[tick++]!,
            randomBytes: (n) => new Uint8Array(n).fill(255),
          });
          const ids = clock.map(() => next());
          expect(ids).toEqual([...ids].sort());
          expect(new Set(ids).size).toBe(ids.length);
          for (const id of ids) expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
        },
      ),
    );
  });

  it("imported content always gets the same id", () => {
    expect(contentId("cap", "a", 1)).toBe(contentId("cap", "a", 1));
    expect(contentId("cap", "a", 1)).not.toBe(contentId("cap", "a1"));
  });
});
