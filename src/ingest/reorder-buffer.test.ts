import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ReorderBuffer } from "./reorder-buffer.ts";

const at = (ms: number, sensorId = "camera") => ({ timeUs: ms * 1000, agentId: "robot", sensorId });

test("frames that overtook each other come out in order of time", () => {
  const buffer = new ReorderBuffer<ReturnType<typeof at>>();
  const out = [0, 200, 100, 400, 300, 1200].flatMap((ms) => buffer.push(at(ms)));
  expect([...out, ...buffer.flush()].map(({ item }) => item.timeUs / 1000)).toEqual([
    0, 100, 200, 300, 400, 1200,
  ]);
});

test("what comes after its turn is given at once, with how late it is", () => {
  const buffer = new ReorderBuffer<ReturnType<typeof at>>();
  for (const ms of [0, 1000, 2000]) buffer.push(at(ms));
  expect(buffer.push(at(300))).toEqual([{ item: at(300), lateUs: 700_000 }]);
});

test("sensors do not wait for each other", () => {
  const buffer = new ReorderBuffer<ReturnType<typeof at>>();
  buffer.push(at(0, "left"));
  expect(buffer.push(at(9000, "right"))).toEqual([]);
  expect(buffer.push(at(600, "left"))).toHaveLength(1);
});

test("nothing is lost, doubled or kept waiting past the bound, whatever the order", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { maxLength: 200 }), (times) => {
      const buffer = new ReorderBuffer<ReturnType<typeof at>>();
      const out = times.flatMap((ms) => buffer.push(at(ms)));
      expect(times.length - out.length).toBeLessThanOrEqual(64);
      const all = [...out, ...buffer.flush()];
      const sorted = (list: number[]) => [...list].sort((a, b) => a - b);
      expect(sorted(all.map(({ item }) => item.timeUs / 1000))).toEqual(sorted(times));
      const onTime = all.filter(({ lateUs }) => lateUs === 0).map(({ item }) => item.timeUs);
      expect(onTime).toEqual(sorted(onTime));
    }),
  );
});
