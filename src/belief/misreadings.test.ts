import { expect, it } from "vitest";
import { isMisread } from "./misreadings.ts";

const S = 1_000_000;

/** A memory that saw a lamp at these seconds. */
function seenAt(...seconds: readonly number[]) {
  const sightings = async () => seconds.map((s) => ({ timeUs: s * S }));
  return { recordsOf: async () => ["lamp"], options: { reader: { sightings } } } as never;
}

const flip = (fromS: number, toS: number, attribute = "power") =>
  ({ type: "state-change", detail: { attribute }, validFromUs: fromS * S, validToUs: toS * S }) as never;
const LAMP = {} as never;

it("is a flip in full view of which few looks tell", async () => {
  const few = seenAt(96, 97, 98, 99, 101, 102);
  expect(await isMisread(flip(99, 101), LAMP, few)).toBe(true);
  expect(await isMisread(flip(99, 101), LAMP, seenAt(95, 96, 97, 98, 99, 101, 102, 103, 104, 105))).toBe(
    false,
  );
  // Between two visits anything may happen, and who sits down was seen to come.
  expect(await isMisread(flip(90, 101), LAMP, few)).toBe(false);
  expect(await isMisread(flip(99, 101, "occupancy"), LAMP, few)).toBe(false);
  expect(await isMisread(flip(99, 101), LAMP, seenAt(99, 101))).toBe(false);
});
