import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { executePlan } from "./execute/execute.ts";
import { keyframesOf } from "./keyframes.ts";
import { parsePlan } from "./plan/plan.ts";
import { openTestMemory, type TestMemory } from "./testing/small-memory.ts";

let memory: TestMemory;
beforeAll(async () => {
  memory = await openTestMemory();
});
afterAll(() => memory.close());

const given = async (...ids: string[]) => {
  const plan = parsePlan({ version: 1, steps: [{ as: "g", op: "given", ids }], out: "g" });
  return (await executePlan(plan, memory)).items;
};

describe("keyframes", () => {
  it("gives a view's picture with the ids of what is in it", async () => {
    const [frame, ...more] = await keyframesOf(await given("v1"), { reader: memory.reader });
    expect(more).toEqual([]);
    expect(frame).toMatchObject({ viewId: "v1", timeUs: 1e6, drawn: false });
    expect(new TextDecoder().decode(frame!.bytes)).toBe("thumb");
    expect(frame!.legend).toEqual(["1 = [stove] stove in the box 0, 0, 9, 9"]);
  });

  it("leaves out what has no picture, and keeps to the number that was asked for", async () => {
    expect(await keyframesOf(await given("blue"), { reader: memory.reader })).toEqual([]);
    expect(await keyframesOf(await given("v1"), { reader: memory.reader, most: 0 })).toEqual([]);
  });

  it("takes the numbered picture where there is one, by way of what the view shows", async () => {
    const [view] = await given("v1");
    const [stove] = await given("stove");
    const record = { ...view!.record, overlay: "0".repeat(64) } as NonNullable<typeof view>["record"];
    const reader = {
      ...memory.reader,
      get: async (ids: readonly string[]) =>
        (await memory.reader.get(ids)).map((one) => (one?.id === "v1" ? record : one)),
      blob: async (ref: string) => new TextEncoder().encode(ref === "0".repeat(64) ? "numbered" : "plain"),
    } as typeof memory.reader;
    const item = {
      ...stove!,
      record: { ...stove!.record, views: ["v1"] } as NonNullable<typeof stove>["record"],
    };
    const [frame] = await keyframesOf([item, item], { reader });
    expect(new TextDecoder().decode(frame!.bytes)).toBe("numbered");
    expect(frame!.drawn).toBe(true);
    expect(frame!.legend).toEqual(["1 = [stove] stove"]);
  });
});
