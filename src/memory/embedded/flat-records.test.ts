import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect, it } from "vitest";
import { flatten, rebuild } from "./flat-records.ts";

const travel = (records: readonly unknown[]) => {
  const flat = flatten(records);
  return flat && rebuild(structuredClone(flat));
};

it("brings plain records over as cloning would, to the order of their keys", () => {
  const leaf = fc.oneof(
    fc.string(),
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.array(fc.string(), { maxLength: 3 }),
  );
  const key = fc.constantFrom("id", "text", "anchor", "p", "x", "constructor", "length");
  const record = fc.dictionary(key, fc.oneof(leaf, fc.dictionary(key, leaf, { maxKeys: 3 })), { maxKeys: 4 });
  fc.assert(
    fc.property(fc.array(record, { maxLength: 8 }), (records) => {
      // Objects without a prototype are not plain; cloning gives them one.
      const plain = structuredClone(records);
      const back = travel(plain);
      // Of node, since a field may be called "constructor".
      expect(isDeepStrictEqual(back, plain)).toBe(true);
      expect(JSON.stringify(back)).toBe(JSON.stringify(plain));
      back?.forEach((one, i) => {
        expect(one).not.toBe(plain[i]);
      });
    }),
    { numRuns: 500 },
  );
});

it("leaves to cloning whatever is not plain", () => {
  class Thing {
    readonly id = "a";
  }
  const circle: Record<string, unknown> = { id: "a" };
  circle["self"] = circle;
  let deep: unknown = 1;
  for (let i = 0; i < 100_000; i++) deep = { deep };
  const sparse = ["a", "b"];
  delete sparse[0];
  for (const odd of [
    null,
    "text",
    [],
    new Thing(),
    circle,
    { deep },
    { at: new Date(0) },
    { path: [{ x: 1 }] },
    { list: sparse },
    { list: Object.assign(["a"], { more: 1 }) },
    { call: () => 1 },
    { big: 1n },
    JSON.parse('{"__proto__": 1}'),
    Object.create({ inherited: 1 }),
  ])
    expect(flatten([{ id: "a" }, odd])).toBeUndefined();
  expect(flatten(Array.from({ length: 40 }, (_, i) => ({ [`key${i}`]: 1 })))).toBeUndefined();
  expect(travel([])).toEqual([]);
});
