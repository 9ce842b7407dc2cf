import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { LociEncoder } from "./encoder.ts";

interface Probes {
  encoder: string;
  file: string;
  checksum: string;
  texts: string[];
  meaningless: string[];
  first: number[][];
}

const here = (name: string): URL => new URL(name, import.meta.url);
const probes = JSON.parse(readFileSync(here("../testing/fixtures/probes.json"), "utf8")) as Probes;
const file = new Uint8Array(readFileSync(here("./loci-encoder-v3.bin")));

let encoder: LociEncoder;
beforeAll(() => {
  encoder = LociEncoder.open();
});

function vector(text: string): Float32Array {
  const out = encoder.encode(text);
  if (out === null) throw new Error(`no meaning in: ${text}`);
  return out;
}

function cosine(a: string, b: string): number {
  const [x, y] = [vector(a), vector(b)];
  let sum = 0;
  for (let i = 0; i < x.length; i++) sum += x[i]! * y[i]!;
  return sum;
}

describe("same bits everywhere", () => {
  it("has the checksum that the recipe wrote for this file", () => {
    expect(createHash("sha256").update(file).digest("hex")).toBe(probes.file);
    expect(encoder.id).toBe(probes.encoder);
  });

  it("gives the committed checksum over the probe texts", () => {
    const sum = createHash("sha256");
    for (const text of probes.texts) sum.update(new Uint8Array(vector(text).buffer));
    expect(sum.digest("hex")).toBe(probes.checksum);
  });

  it("agrees with the Python reference", () => {
    for (const [i, expected] of probes.first.entries()) {
      const got = vector(probes.texts[i]!);
      for (const [j, value] of expected.entries()) expect(got[j]).toBeCloseTo(value, 6);
    }
  });

  it("gives the same vector whatever was encoded before", () => {
    const first = vector("a red mug on the table");
    encoder.encode("something else entirely, behind the door");
    expect(vector("a red mug on the table")).toEqual(first);
    expect(LociEncoder.load(file).encode("a red mug on the table")).toEqual(first);
  });
});

describe("odd input", () => {
  it("answers null where there is no meaning", () => {
    for (const text of probes.meaningless) expect(encoder.encode(text), JSON.stringify(text)).toBeNull();
  });

  it("is a finite unit vector for everything else", () => {
    const odd = [
      ...probes.texts,
      "x",
      "7",
      "zzxqv",
      "\ud800 lone surrogate",
      "a\u0000b",
      "MUG",
      "ｍｕｇ",
      "don't",
    ];
    for (const text of odd) {
      let squares = 0;
      for (const value of vector(text)) squares += value * value;
      expect(squares, text).toBeCloseTo(1, 5);
    }
  });

  it("ignores case, accents, width and punctuation", () => {
    for (const [a, b] of [
      ["The RED mug!", "red mug"],
      ["café", "cafe"],
      ["ｍｕｇ", "mug"],
      ["coffee_cup", "coffee-cup"],
      ["the door isn’t open", "door not open"],
    ] as const) {
      expect(vector(a), a).toEqual(vector(b));
    }
  });

  it("bounds the work for a long text", () => {
    const long = "the cup stands on a table ".repeat(40_000);
    expect(long.length).toBeGreaterThan(1_000_000);
    const started = performance.now();
    expect(vector(long)).toHaveLength(encoder.dim);
    vector(`${"é".repeat(1_000_000)}mug`);
    vector("x".repeat(1_000_000));
    expect(performance.now() - started).toBeLessThan(2_000);
  });
});

describe("meaning", () => {
  it("puts synonyms nearer than strangers", () => {
    expect(cosine("couch", "sofa")).toBeGreaterThan(cosine("couch", "traffic light"));
    expect(cosine("where is my cup?", "a mug on the shelf")).toBeGreaterThan(
      cosine("where is my cup?", "a ladder in the garage"),
    );
  });

  it("tells a relation from its opposite", () => {
    const asked = "what is left of the sofa?";
    expect(cosine(asked, "lamp left of sofa")).toBeGreaterThan(cosine(asked, "lamp right of sofa"));
    // A sum of words has no order, so left and right are not distinguished.
    expect(cosine("lamp left of sofa", "sofa left of lamp")).toBeCloseTo(1, 5);
  });

  it("reads a misspelt word by its letters", () => {
    expect(cosine("refridgerator", "refrigerator")).toBeGreaterThan(cosine("refridgerator", "bicycle"));
  });
});

describe("a file that is not ours", () => {
  const broken = (change: (bytes: Uint8Array) => Uint8Array): (() => unknown) => {
    return () => LociEncoder.load(change(file.slice()));
  };
  const code = expect.objectContaining({ code: "encoder-file-invalid" });

  it("is refused with a code and one line", () => {
    const set = (at: number, value: number) => (bytes: Uint8Array) => {
      bytes[at] = value;
      return bytes;
    };
    expect(broken(() => new Uint8Array(0))).toThrow(code);
    expect(broken((b) => b.subarray(0, 1000))).toThrow(code);
    expect(broken((b) => b.subarray(0, b.length - 1))).toThrow(code);
    expect(broken(set(0, 0))).toThrow(/does not start with/);
    expect(broken(set(8, 9))).toThrow(/format version/);
    expect(broken(set(file.length - 1, file.at(-1)! ^ 1))).toThrow(/checksum/);
    expect(broken(set(12, 0))).toThrow(code);
  });

  it("reads bytes that are not aligned in their buffer", () => {
    const shifted = new Uint8Array(file.length + 3);
    shifted.set(file, 3);
    expect(LociEncoder.load(shifted.subarray(3)).encode("mug")).toEqual(encoder.encode("mug"));
  });
});

describe("int8", () => {
  it("uses the whole range of every row that is not empty", () => {
    // The scale is the largest value / 127, so that value must be stored as ±127; the cost is in training/int8_cost.py.
    const head = new DataView(file.buffer, file.byteOffset);
    const [dim, keyed, grams] = [12, 16, 20].map((at) => head.getUint32(at, true)) as [
      number,
      number,
      number,
    ];
    const rows = new Int8Array(file.buffer, file.byteOffset + file.length - (keyed + grams) * dim);
    let empty = 0;
    for (let row = 0; row < keyed + grams; row++) {
      let most = 0;
      for (let j = 0; j < dim; j++) most = Math.max(most, Math.abs(rows[row * dim + j]!));
      if (most === 0) empty++;
      else expect(most).toBe(127);
    }
    expect(empty).toBeLessThan((keyed + grams) / 10);
  });
});
