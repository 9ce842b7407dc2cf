import { expect, it } from "vitest";
import { sparingly } from "./sparingly.ts";

it("counts again only where something was written, and again after a failure", async () => {
  let [written, counted] = [0, 0];
  const count = sparingly(
    () => written,
    async () => {
      counted++;
      if (written === 2) throw new Error("closed");
      return counted;
    },
  );
  expect(await Promise.all([count(), count()])).toEqual([1, 1]);
  expect(await count()).toBe(1);
  written = 1;
  expect(await count()).toBe(2);
  written = 2;
  await expect(count()).rejects.toThrow("closed");
  await expect(count()).rejects.toThrow("closed");
  expect(counted).toBe(4);
});
