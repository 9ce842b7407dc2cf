import { expect, test } from "vitest";
import { oneness } from "./oneness.ts";
import type { Region } from "./pieces.ts";

/** A piece of small things whose predicted centre is the other's. */
function pieceAt(x: number, longM: number, surface: readonly [number, number, number]): Region {
  const count = 200;
  const sums = (values: readonly number[]) => Float32Array.from(values, (value) => count * value);
  return {
    members: Array.from({ length: count }, (_, n) => n),
    surface: sums(surface),
    names: sums([0.1, 0.9]),
    point: sums([x + longM / 2, 3, 1]),
    normal: sums([0, -1, 0]),
    centre: sums([0.5, 3, 1]),
    colour: sums([200, 200, 200]),
    edges: new Float32Array(3),
    low: Float32Array.of(x, 2.95, 0.9),
    high: Float32Array.of(x + longM, 3.05, 1.1),
  };
}

const MEETING = { links: 60, cut: 2, crease: 0, weighed: 0, members: 0 };
const SMALL = [0, 0.02, 0.98] as const;
const FURNITURE = [0, 0.98, 0.02] as const;

test("small things are not joined into one that is larger than any", () => {
  const [never, ever] = [pieceAt(0.5, 0.6, SMALL), pieceAt(0.5, 0.4, SMALL)];
  const one = pieceAt(0, 0.5, SMALL);
  expect(oneness(one, ever, MEETING)).toBeGreaterThan(-8);
  expect(oneness(one, never, MEETING)).toBe(-8);
  expect(oneness(never, one, MEETING)).toBe(-8);
});

test("furniture may be of any size", () => {
  expect(oneness(pieceAt(0, 0.5, FURNITURE), pieceAt(0.5, 2, FURNITURE), MEETING)).toBeGreaterThan(-8);
});
