import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ALL_OPERATIONS } from "./table.ts";

const shapeOf = (input: z.ZodType): Record<string, z.ZodType> =>
  input instanceof z.ZodObject ? (input.shape as Record<string, z.ZodType>) : {};

describe("the table of operations", () => {
  it("addresses each operation once", () => {
    const addresses = ALL_OPERATIONS.flatMap(([, { http }]) => (http ? [`${http.method} ${http.path}`] : []));
    expect(new Set(addresses).size).toBe(addresses.length);
  });

  it.each(ALL_OPERATIONS)("%s fits together", (_, made) => {
    const { http, lead, tool, command, tell, input, answers } = made;
    const fields = Object.keys(shapeOf(input));
    const inPath = Array.from(http?.path.matchAll(/\{(\w+)\}/g) ?? [], ([, field]) => field!);
    const named = [...inPath, ...(lead ? [lead] : []), ...(tool?.arguments ?? [])];
    const placed = (command?.positional ?? []).map((said) => said.replace(/[[\]]/g, ""));
    const renamed = Object.keys(command?.options ?? {});
    expect([...named, ...placed, ...renamed].filter((field) => !fields.includes(field))).toEqual([]);
    // What an agent or a person reads has words.
    if (tool || command) expect(tell).toBeTypeOf("function");
    expect(http?.event !== undefined).toBe(answers === "stream");
    // A question in a query string can be repeated; what changes something cannot hide there.
    if (http?.method === "get") expect(http.repeats).not.toBe(false);
    expect(made.summary).not.toMatch(/\.$/);
  });
});
