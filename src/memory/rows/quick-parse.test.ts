import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { RECORD_KINDS, recordSchema, sightingSchema } from "../../schema/index.ts";
import { idOf, recordDraft, SLOTS, sightingDraft, toRecord } from "../testing/contract/generate.ts";
import { quickParser } from "./quick-parse.ts";

const quickRecord = quickParser(recordSchema);
const quickSighting = quickParser(sightingSchema);

const allIds = new Set(
  RECORD_KINDS.flatMap((kind) => Array.from({ length: SLOTS }, (_, slot) => idOf(kind, slot))),
);
const record = recordDraft.map((draft) => toRecord(draft, allIds)).filter((made) => made !== undefined);

/** What tends to be wrong, or only just right. */
const odd = fc.constantFrom<unknown>(
  undefined,
  null,
  "",
  "x",
  "-x",
  "a".repeat(64),
  "a".repeat(65),
  "f".repeat(64),
  0,
  -0,
  1.5,
  -1,
  2,
  1e9,
  1e-320,
  2 ** 53 - 1,
  2 ** 53,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  true,
  [],
  ["a", "a"],
  ["b", "a"],
  [undefined],
  Array(17).fill("l"),
  new Array(3),
  {},
  { x: 0, y: 0, z: 0 },
  { x: 0, y: Number.NaN, z: 0 },
  { submap: "world", p: { x: 1, y: 2, z: 3, w: 4 } },
  { submap: "world", p: { x: 1, y: 2, z: 3 }, q: { w: 1, x: 0, y: 0, z: 0 } },
  { submap: "world", p: { x: 1, y: 2, z: 3 }, q: { w: 2, x: 0, y: 0, z: 0 } },
  { submap: "world", p: { x: 1, y: 2, z: 3 }, cov: Array(8).fill(0) },
  new Date(0),
  10n,
);
const fields = Object.keys(Object.assign({}, ...recordSchema.options.map(({ shape }) => shape)));

/** What the quick way says must be what the schema says, to the order of the keys. */
function agrees(schema: z.ZodType, quick: (value: unknown) => unknown, value: unknown): void {
  const found = quick(value);
  if (found === undefined) return;
  const truth = schema.safeParse(value);
  expect(truth.success, "taken by the quick way, refused by the schema").toBe(true);
  expect(found).toStrictEqual(truth.data);
  expect(JSON.stringify(found)).toBe(JSON.stringify(truth.data));
}

describe("the quick way of checking", () => {
  it("takes what the schema takes, as the schema gives it back", () => {
    let taken = 0;
    let all = 0;
    fc.assert(
      fc.property(record, (value) => {
        agrees(recordSchema, quickRecord, value);
        all++;
        if (quickRecord(value) !== undefined) taken++;
      }),
      { numRuns: 500 },
    );
    // Otherwise it would be of no use; attributes and details are the schema's own.
    expect(taken / all).toBeGreaterThan(0.6);
  });

  it("never takes what the schema refuses, whatever is wrong with it", () => {
    const spoiled = fc.tuple(
      record,
      fc.array(fc.tuple(fc.constantFrom(...fields, "expectVersion", "constructor", "unknown"), odd), {
        minLength: 1,
        maxLength: 3,
      }),
    );
    fc.assert(
      fc.property(spoiled, ([value, changes]) => {
        const changed: Record<string, unknown> = { ...value };
        for (const [field, put] of changes) changed[field] = put;
        agrees(recordSchema, quickRecord, changed);
      }),
      { numRuns: 4_000 },
    );
  });

  it("does the same for sightings", () => {
    const sighting = sightingDraft.map((draft) => ({ ...draft, stateId: "state-1" }) as unknown);
    fc.assert(
      fc.property(
        fc.oneof(sighting, fc.constant({})),
        fc.array(fc.tuple(fc.constantFrom(...Object.keys(sightingSchema.shape)), odd), { maxLength: 3 }),
        (value, changes) => {
          const plain = { stateId: "state-1", timeUs: 5, outcome: "seen", ...(value as object) };
          agrees(sightingSchema, quickSighting, { ...plain, ...Object.fromEntries(changes) });
        },
      ),
      { numRuns: 2_000 },
    );
    expect(quickSighting({ stateId: "s", timeUs: 5, outcome: "seen" })).toEqual(
      sightingSchema.parse({ stateId: "s", timeUs: 5, outcome: "seen" }),
    );
  });

  it("leaves what is no plain object to the schema", () => {
    class Thing {
      readonly id = "a";
    }
    for (const value of [null, undefined, 1, "x", [], new Map(), new Thing(), Object.create(null)])
      expect(quickRecord(value)).toBeUndefined();
  });

  it("is unsure of checks that it does not know, and of patterns that remember", () => {
    expect(quickParser(z.string().email())("a@b.cd")).toBeUndefined();
    expect(quickParser(z.string().regex(/a/g))("a")).toBeUndefined();
    expect(quickParser(z.number().multipleOf(2))(4)).toBeUndefined();
    expect(quickParser(z.union([z.string(), z.number()]))(4)).toBeUndefined();
    expect(quickParser(z.coerce.number())(4)).toBeUndefined();
    expect(quickParser(z.strictObject({ a: z.number() }))({ a: 1 })).toBeUndefined();
    expect(quickParser(z.object({ a: z.number() }))({ a: 1, b: 2 })).toEqual({ a: 1 });
  });

  it("gives each record lists of its own", () => {
    const given = { kind: "caption", id: "a", source: "vlm", validFromUs: 1, validToUs: null } as const;
    const [a, b] = [quickRecord(given)!, quickRecord(given)!];
    a.labels.push("changed");
    a.text.push("changed");
    expect(b).toEqual(recordSchema.parse(given));
  });
});
