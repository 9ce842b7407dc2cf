import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tokensOf } from "../../../../training/reader/linearise.ts";
import { scan } from "../../algebra/index.ts";
import { print } from "../../algebra/notation.ts";
import { sentencesOf } from "../tokens.ts";
import { proposed } from "./index.ts";
import { KIND, sourceOf } from "./source.ts";
import { openTables } from "./tables.ts";
import { expressionsOf } from "./target.ts";
import { Workspace } from "./workspace.ts";

const NOW_US = Date.UTC(2026, 0, 5, 9, 6) * 1000;
const SAID = { nowUs: NOW_US, question: "?" };
const formsOf = (question: string) =>
  proposed(sentencesOf(question), { nowUs: NOW_US }).map(({ parts }) => parts.map(print).join(" ;; "));

describe("what is read of a question's words", () => {
  it("tells names, numbers, rooms and colours", () => {
    const source = sourceOf(sentencesOf("Did Anna put 2 red mugs in the kitchen?"));
    const kinds = new Map(source.map(({ word, kinds: sum }) => [word, sum]));
    expect(kinds.get("anna")! & KIND.name).toBeTruthy();
    expect(kinds.get("2")! & KIND.number).toBeTruthy();
    expect(kinds.get("red")! & KIND.colour).toBeTruthy();
    expect(kinds.get("mugs")! & KIND.thing).toBeTruthy();
    expect(kinds.get("mugs")! & KIND.plural).toBeTruthy();
    expect(kinds.get("kitchen")! & KIND.room).toBeTruthy();
  });

  it("is bounded, and what was asked first is cut first", () => {
    const long = sentencesOf("mug ".repeat(5000));
    expect(sourceOf(long).length).toBe(72);
    expect(sourceOf(long, { earlier: [sentencesOf("Where is it?")] }).some(({ word }) => word === ">>")).toBe(
      false,
    );
    const cut = sourceOf(sentencesOf("and the blue one?"), { earlier: [long, sentencesOf("Where is it?")] });
    expect(cut.length).toBe(72);
    expect(
      cut
        .map(({ word }) => word)
        .slice(-10)
        .join(" "),
    ).toBe("where is it ? >> and the blue one ?");
  });

  it("has marks for what a question came with", () => {
    const said = sourceOf(sentencesOf("Which is nearer?"), {
      earlier: ["Where is Anna?", "Where is the mug?", "and the cup?"].map(sentencesOf),
      hasOptions: true,
      isShown: true,
    });
    expect(said.map(({ word }) => word).join(" ")).toBe(
      "where is the mug ? >> and the cup ? >> [options] [shown] which is nearer ?",
    );
    expect(said.filter(({ word }) => word.startsWith("[")).every(({ kinds }) => kinds === 0)).toBe(true);
  });
});

describe("tokens", () => {
  it.each([
    ["where is the red mug", 'place(the(things(category: "mug", colour: "red")))'],
    ["how many chairs upstairs", 'count(in(things(category: "chair"), floors(name: "upstairs")))'],
    ["does the number of mugs divide by three", 'divisible(count(things(category: "mug")), by: 3)'],
    ["is the oven on", 'is(the(things(category: "oven")), attribute: "power", value: "on")'],
    [
      "is it on the desk or on the shelf, the lamp",
      'place(the(things(category: "lamp")), among: ["on the desk","on the shelf"])',
    ],
    [
      "where is Anna and is she in the kitchen",
      'place(the(things(name: "anna"))) ;; within(the(things(name: "anna")), rooms(name: "kitchen"))',
    ],
  ])("of “%s” say the same expression", (question, notation) => {
    const source = sourceOf(sentencesOf(question));
    const parts = notation.split(" ;; ").map(scan);
    const tokens = tokensOf(parts, source);
    expect(expressionsOf(tokens, source, SAID).map(print)).toEqual(parts.map(print));
  });

  it("put in what the options name, and the question itself to be recalled", () => {
    const these = scan('or(the(things(category: "mug")), the(things(category: "cup")))');
    expect(print(expressionsOf(["count(", "these(", ")", ")"], [], { ...SAID, these })[0]!)).toBe(
      `count(${print(these)})`,
    );
    expect(() => expressionsOf(["count(", "these(", ")", ")"], [], SAID)).toThrow("no expression");
    expect(print(expressionsOf(["recall(", ")"], [], { ...SAID, question: "blah" })[0]!)).toBe(
      'recall(text: "blah")',
    );
  });

  it("read times by the reader of times", () => {
    const source = sourceOf(sentencesOf("was it open ten minutes ago"));
    const tokens = ["at(", "house(", ")", "said(", "words:", "@3", "@4", "@5", ")", ")"];
    expect(print(expressionsOf(tokens, source, SAID)[0]!)).toContain("moment(");
  });

  it.each([
    [["place("]],
    [["place(", "@0"]],
    [[")"]],
    [["things(", "category:", ")"]],
    [["things(", "category:", "@99", ")"]],
  ])("that say nothing whole are refused: %j", (tokens) => {
    const source = sourceOf(sentencesOf("where is it"));
    expect(() => expressionsOf(tokens, source, SAID)).toThrow("no expression");
  });
});

describe("the network", () => {
  it.each([1, 2, 3, 4, 5, 8])("multiplies %i rows as plain arithmetic does, each as it would alone", (n) => {
    const [from, into] = [16, 7];
    const space = new Workspace();
    const x = Float32Array.from({ length: n * from }, (_, i) => Math.sin(i));
    const w = Float32Array.from({ length: into * from }, (_, i) => Math.cos(i));
    const [atX, atW, atY, alone] = [
      space.keep(x),
      space.keep(w),
      space.take(n * into * 4),
      space.take(into * 4),
    ];
    space.kernels.times(atX, n, atW, into, from, atY);
    for (let r = 0; r < n; r++) {
      space.kernels.times(atX + r * from * 4, 1, atW, into, from, alone);
      for (let o = 0; o < into; o++) {
        let sum = 0;
        for (let i = 0; i < from; i++) sum += x[r * from + i]! * w[o * from + i]!;
        expect(space.floats(atY, n * into)[r * into + o]).toBeCloseTo(sum, 4);
        expect(space.floats(alone, into)[o]).toBe(space.floats(atY, n * into)[r * into + o]);
      }
    }
  });

  it("takes from the rows that are listed by how well they fit", () => {
    const [width, size, rows] = [16, 8, 7];
    const space = new Workspace();
    const row = (seed: number) => Float32Array.from({ length: width }, (_, i) => Math.sin(seed * 7 + i));
    const many = (seed: number) => Float32Array.from({ length: rows * width }, (_, i) => Math.cos(seed + i));
    const [q, k, v, listed] = [row(1), many(2), many(3), [5, 0, 6, 2, 3]];
    const list = space.take(listed.length * 4);
    const [fits, y] = [space.take(listed.length * 8), space.take(width * 4)];
    const [atQ, atK, atV] = [space.keep(q), space.keep(k), space.keep(v)];
    space.integers(list, listed.length).set(listed);
    space.kernels.attend(atQ, 1, atK, atV, list, listed.length, width, size, fits, y);
    for (let head = 0; head < width; head += size) {
      const fit = listed.map((one) => {
        let sum = 0;
        for (let i = head; i < head + size; i++) sum += q[i]! * k[one * width + i]!;
        return Math.exp(sum / Math.sqrt(size));
      });
      const total = fit.reduce((a, b) => a + b, 0);
      for (let i = head; i < head + size; i++) {
        const taken = listed.reduce((sum, one, n) => sum + (fit[n]! / total) * v[one * width + i]!, 0);
        expect(space.floats(y, width)[i]).toBeCloseTo(taken, 5);
      }
    }
  });

  it("reads plain questions, and the same way every time", () => {
    const question = "Could you tell me where the blue umbrella is, please?";
    expect(formsOf(question)[0]).toBe('place(the(things(category: "umbrella", colour: "blue")))');
    expect(formsOf(question)).toEqual(formsOf(question));
  });

  it("points at words that it has never seen", () => {
    expect(formsOf("Where is the zorkmid?")[0]).toBe('place(the(things(category: "zorkmid")))');
  });

  it("says of nonsense what it can, or nothing", () => {
    for (const text of ["", "? ? ?", "@3 ;; ) (", "x".repeat(3000), "la ".repeat(400)])
      expect(Array.isArray(proposed(sentencesOf(text), { nowUs: NOW_US }))).toBe(true);
  });

  it("refuses a file that is damaged", () => {
    const bytes = readFileSync(join(import.meta.dirname, "reader.bin"));
    bytes[bytes.length - 1]! ^= 1;
    expect(() => openTables(bytes)).toThrow("damaged");
    expect(() => openTables(bytes.subarray(4))).toThrow("does not begin");
  });
});
