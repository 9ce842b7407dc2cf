import { expect, test } from "vitest";
import { fuzzSensors } from "./testing/fuzz.ts";

test("damaged recordings and pictures are an error or a skip, never anything else", async () => {
  const result = await fuzzSensors(200, "test");
  expect(result.foreign).toEqual([]);
  expect(result.read + result.refused).toBe(200);
  expect(result.refused).toBeGreaterThan(50);
});
