import { expect, it } from "vitest";
import { z } from "zod";
import { checkInTurns } from "./check-in-turns.ts";

const schema = z.strictObject({
  name: z.string().default("none"),
  looks: z
    .array(z.strictObject({ at: z.int(), boxes: z.array(z.union([z.int(), z.string().max(3)])).max(200) }))
    .max(1_000)
    .default([]),
  tags: z.array(z.string()).min(1).readonly().optional(),
  even: z
    .array(z.int())
    .refine((all) => all.length % 2 === 0, "an even number of them")
    .optional(),
});
const look = (boxes: readonly unknown[], at: unknown = 1) => ({ at, boxes });
const boxes = (n: number) => Array.from({ length: n }, (_, i) => (i % 2 ? i : "ab"));
const looks = (n: number) => Array.from({ length: n }, () => look(boxes(3)));

it.each([
  ["nothing", undefined],
  ["an empty object", {}],
  ["long lists, lists in lists", { looks: [...looks(99), look(boxes(150))], tags: Array(80).fill("a") }],
  ["a wrong member", { looks: [...looks(99), look([1, 2.5])] }],
  ["a wrong member first", { looks: [look([1], "x"), ...looks(99)] }],
  ["a wrong member of a list in a list", { looks: [...looks(70), look([...boxes(100), "long"])] }],
  ["a key that is unknown", { looks: looks(80), more: 1 }],
  ["a list that is judged as a whole", { even: Array(101).fill(1) }],
  ["no list where one is due", { looks: 7, tags: [] }],
  ["something wrong beside a list", { looks: looks(80), name: 4 }],
])("%s is checked as in one go", async (_, value) => {
  let turns = 0;
  const inTurns = await checkInTurns(schema, value, () => void turns++);
  const inOneGo = schema.safeParse(value);
  expect(inTurns.success).toBe(inOneGo.success);
  if (inTurns.success) expect(inTurns.data).toEqual(inOneGo.data);
  else expect(inTurns.error.issues).toEqual(inOneGo.error?.issues);
  if (Array.isArray((value as { looks?: unknown } | undefined)?.looks)) expect(turns).toBeGreaterThan(64);
});

it("refuses what is longer than allowed before it looks at a member, and tells little of what is wrong all over", async () => {
  const go = (value: unknown) => checkInTurns(schema, value, () => undefined);
  await expect(go({ looks: Array(1_001).fill(0) })).rejects.toThrow("json.looks: Too big");
  await expect(go({ looks: [look(Array(201).fill({}))] })).rejects.toThrow("json.looks.0.boxes: Too big");
  const { error } = (await go({ looks: Array(1_000).fill(0) })) as { error: z.ZodError };
  expect(error.issues.length).toBe(32);
});
