import { expect, it } from "vitest";
import { type Expression, LociError } from "../schema/index.ts";
import { scan } from "./algebra/notation.ts";
import { unknownValue, type Value } from "./algebra/value.ts";
import { chooseReading } from "./choose-reading.ts";
import type { Reading } from "./read/reading.ts";
import { numberOf, thing, thingsOf } from "./testing/made-values.ts";

const reading = (text: string, cost: number): Reading => ({
  parts: [scan(text)],
  cost,
  p: 1,
  notes: [],
});

/** Evaluates by a table, and notes what was tried. */
function table(values: Readonly<Record<string, Value | Error>>) {
  const tried: string[] = [];
  return {
    tried,
    carryOut: async ({ op }: Expression) => {
      tried.push(op);
      const value = values[op]!;
      if (value instanceof Error) throw value;
      return value;
    },
  };
}

const seen = thingsOf([thing("mug")]);
const never = unknownValue("never-seen", "");

it("takes the best reading where it comes out well, and looks no further", async () => {
  const { tried, carryOut } = table({ a: seen, b: seen });
  const chosen = await chooseReading([reading("a()", 0), reading("b()", 1)], carryOut);
  expect(chosen).toMatchObject({ rank: 0, others: 0 });
  expect(tried).toEqual(["a"]);
});

it("takes the reading whose things exist, and leaves no word unexplained for it", async () => {
  const { carryOut } = table({ a: never, b: seen });
  expect((await chooseReading([reading("a()", 0), reading("b()", 0.5)], carryOut))?.rank).toBe(1);
  expect((await chooseReading([reading("a()", 0), reading("b()", 1.5)], carryOut))?.rank).toBe(0);
});

it("takes a reading that comes to an answer before one of what was looked for and is not there", async () => {
  const { carryOut } = table({ a: unknownValue("looked-absent", ""), b: seen });
  expect((await chooseReading([reading("a()", 0.1), reading("b()", 0.65)], carryOut))?.rank).toBe(1);
  expect((await chooseReading([reading("a()", 0.1), reading("b()", 1)], carryOut))?.rank).toBe(0);
});

it("takes a reading by its very words, though what it takes for granted is known to be elsewhere", async () => {
  const evidence = [
    { ref: "state-1", kind: "state" as const, why: "mug", atUs: 0, agentId: "robot-1", score: 1 },
  ];
  const elsewhere = unknownValue("looked-absent", "", { evidence });
  const { carryOut } = table({ a: elsewhere, b: seen });
  const exact = { ...reading("a()", 0.1), isExact: true };
  expect((await chooseReading([exact, reading("b()", 0.55)], carryOut))?.rank).toBe(0);
  expect((await chooseReading([reading("a()", 0.1), reading("b()", 0.55)], carryOut))?.rank).toBe(1);
});

it("counts near readings that say something else", async () => {
  const { carryOut } = table({
    a: numberOf(2, "things"),
    b: numberOf(3, "things"),
    c: numberOf(2, "things"),
  });
  const near = [reading("a()", 0), reading("b()", 0.1), reading("c()", 0.2), reading("b()", 0.2)];
  expect((await chooseReading(near, carryOut))?.others).toBe(1);
});

it("passes over what the algebra does not have; an error of ours is not hidden", async () => {
  const { carryOut } = table({
    a: new LociError("invalid-input", "there is no operator a"),
    b: seen,
    c: new Error("bug"),
  });
  expect((await chooseReading([reading("a()", 0), reading("b()", 2)], carryOut))?.rank).toBe(1);
  await expect(chooseReading([reading("c()", 0)], carryOut)).rejects.toThrow("bug");
  expect(await chooseReading([], carryOut)).toBeUndefined();
});
