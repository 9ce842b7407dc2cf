import { readFileSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBlock, encodeBlock, type Numbers, numbersOf, TextColumn, textsOf } from "./block.ts";

const numbers: fc.Arbitrary<Numbers> = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc.uint16Array({ maxLength: 40 }),
  fc.int16Array({ maxLength: 40 }),
  fc.uint32Array({ maxLength: 40 }),
  fc.float32Array({ maxLength: 40 }),
  fc.float64Array({ maxLength: 40 }),
);
const text = fc.string({ unit: "grapheme" });
const columns = fc.dictionary(
  fc.string({ minLength: 1 }),
  fc.oneof(numbers, fc.array(text, { maxLength: 10 })),
  { maxKeys: 12, noNullPrototype: true },
);
const header = fc.dictionary(
  fc.string().filter((name) => !["columns", "kind", "__proto__"].includes(name)),
  fc.jsonValue(),
  { noNullPrototype: true },
);

describe("a block", () => {
  it("comes back as it was, wherever its bytes lie", () => {
    fc.assert(
      fc.property(header, columns, fc.nat(9), (head, given, shift) => {
        const bytes = encodeBlock("test", head, given);
        expect(bytes.length % 8).toBe(0);
        const moved = new Uint8Array(bytes.length + shift);
        moved.set(bytes, shift);
        const block = decodeBlock(moved.subarray(shift), "test");
        expect(JSON.stringify(block.header)).toBe(JSON.stringify(head));
        expect(block.columns.size).toBe(Object.keys(given).length);
        for (const [name, values] of Object.entries(given)) {
          const found = block.columns.get(name);
          expect(found instanceof TextColumn ? found.all() : found).toEqual(values);
        }
      }),
    );
  });

  it("refuses what is cut short, whatever the place", () => {
    const bytes = encodeBlock("test", { count: 3 }, { a: new Float32Array([1, 2, 3]), b: ["x", "yz", ""] });
    for (let length = 0; length < bytes.length; length++) {
      const cut = bytes.slice(0, length);
      // The last bytes are only padding to a multiple of eight.
      if (length >= bytes.length - 5) continue;
      expect(() => decodeBlock(cut, "test"), `${length} bytes`).toThrow(/not a block/);
    }
  });

  it("refuses damage or reads within its bounds: nothing else can happen", () => {
    const bytes = encodeBlock("test", { count: 3 }, { a: new Float32Array([1, 2, 3]), b: ["x", "yz", ""] });
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { minLength: 1 }), (flips) => {
        const damaged = bytes.slice();
        for (const [at, value] of flips) damaged[at] = value;
        try {
          const block = decodeBlock(damaged, "test");
          for (const column of block.columns.values()) if (column instanceof TextColumn) column.all();
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid-input" });
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("gives columns only as what they are", () => {
    const block = decodeBlock(encodeBlock("test", {}, { a: new Float32Array(3), b: ["x"] }), "test");
    expect(numbersOf(block, "a", "f32", 3)).toHaveLength(3);
    expect(textsOf(block, "b", 1).at(0)).toBe("x");
    expect(() => numbersOf(block, "a", "u32", 3)).toThrow(/"a"/);
    expect(() => numbersOf(block, "a", "f32", 4)).toThrow(/"a"/);
    expect(() => numbersOf(block, "b", "f32")).toThrow(/"b"/);
    expect(() => textsOf(block, "a")).toThrow(/"a"/);
    expect(() => textsOf(block, "c")).toThrow(/"c"/);
    expect(() => textsOf(block, "b").at(1)).toThrow(/no text 1/);
    expect(() => decodeBlock(encodeBlock("other", {}, {}), "test")).toThrow(/other/);
  });
});

describe("the reader of blocks", () => {
  /** All transitive imports of a file. */
  function importedBy(path: string, found = new Set<string>()): Set<string> {
    for (const [, from] of readFileSync(path, "utf8").matchAll(/from "([^"]+)"/g)) {
      const isOurs = from!.startsWith(".");
      const file = isOurs ? resolve(dirname(path), from!) : from!;
      if (found.has(file)) continue;
      found.add(file);
      if (isOurs) importedBy(file, found);
    }
    return found;
  }

  it("needs nothing that a browser lacks", () => {
    const needed = importedBy(resolve(import.meta.dirname, "decode.ts"));
    expect([...needed].map((path) => basename(path)).sort()).toEqual(["block.ts", "errors.ts"]);
    for (const path of needed) expect(readFileSync(path, "utf8")).not.toMatch(/\b(?:Buffer|process)\./);
  });
});
