import { expect, it } from "vitest";
import { madeEvent } from "../../../belief/happening.ts";

it("gives what follows from what follows an id that a record may have, and another for another moment", () => {
  const span = { fromUs: 1_767_603_692_000_000, toUs: null };
  const region = "region-3f1c9d20a7b64e5581d2c09e";
  const made = (key: string, depth: number): string =>
    depth === 0 ? key : madeEvent(made(key, depth - 1), "exit", span).id;
  expect(made(region, 4).length).toBeLessThanOrEqual(64);
  expect(made(region, 2)).toBe(made(region, 2));
  expect(made(region, 2)).not.toBe(made("region-other", 2));
  expect(madeEvent(region, "exit", span).id).not.toBe(madeEvent(region, "exit", { ...span, fromUs: 1 }).id);
});
