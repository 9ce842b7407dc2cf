import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseJsonInTurns } from "./json-in-turns.ts";

const bounds = { depth: 64, containers: 1_000_000, keys: 100_000 };
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The outcome: a value, or an error. */
async function outcome(read: () => unknown): Promise<string> {
  try {
    return JSON.stringify({ value: await read() });
  } catch (error) {
    return (error as Error).name;
  }
}

describe("JSON that is read in turns", () => {
  it("is what JSON.parse makes of it, however it is sliced", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json(),
        fc.integer({ min: 1, max: 12 }),
        fc.boolean(),
        async (json, sliceBytes, wide) => {
          const text = wide ? JSON.stringify(JSON.parse(json), null, 1) : json;
          const value = await parseJsonInTurns(bytesOf(text), { ...bounds, sliceBytes });
          expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
        },
      ),
      { numRuns: 400 },
    );
  });

  it("refuses what JSON.parse refuses", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.json(),
        fc.integer({ min: 1, max: 12 }),
        fc.nat(),
        fc.constantFrom("", ",", "]", "}", "[", "{", ":", '"', "1", " ", '"a":', "\\", "null"),
        async (json, sliceBytes, at, put) => {
          const where = at % (json.length + 1);
          const text = json.slice(0, where) + put + json.slice(where + (at % 3));
          const sliced = () => parseJsonInTurns(bytesOf(text), { ...bounds, sliceBytes });
          expect([text, await outcome(sliced)]).toEqual([text, await outcome(() => JSON.parse(text))]);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it("lets others go on meanwhile", async () => {
    let turns = 0;
    let isRead = false;
    const turn = (): void => {
      turns++;
      if (!isRead) setImmediate(turn);
    };
    const text = JSON.stringify(Array.from({ length: 200_000 }, (_, n) => ({ n, text: "a red mug" })));
    turn();
    await parseJsonInTurns(bytesOf(text), bounds);
    isRead = true;
    expect(turns).toBeGreaterThan(2);
  });

  it("keeps members of any name", async () => {
    const text = '{"__proto__":{"a":[1,2,3]},"b":"ünïcode \\" ]","__proto__x":1}';
    const value = (await parseJsonInTurns(bytesOf(text), { ...bounds, sliceBytes: 2 })) as object;
    expect(Object.keys(value)).toEqual(["__proto__", "b", "__proto__x"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it.each([
    ["[".repeat(100_000), "invalid-input"],
    [`[${"{},".repeat(50)}1]`, "limit-exceeded"],
    [`{${Array.from({ length: 50 }, (_, n) => `"${n}":1`).join()}}`, "limit-exceeded"],
  ])("refuses what is too deep or has too many parts: %.12s", async (text, code) => {
    const few = { depth: 16, containers: 40, keys: 40 };
    await expect(parseJsonInTurns(bytesOf(text), few)).rejects.toMatchObject({ code });
  });
});
