import { expect, test } from "vitest";
import { overBorders } from "./borders.ts";
import type { Sight } from "./sight.ts";

const [WIDTH, HEIGHT] = [40, 30];

/** A picture with a red left half whose mask and depth begin at a row; twice as fine as its grid. */
function shown(firstRow: number) {
  const rgb = { width: 2 * WIDTH, height: 2 * HEIGHT, data: new Uint8Array(12 * WIDTH * HEIGHT).fill(200) };
  for (let at = 0; at < rgb.width * rgb.height; at++)
    if (at % rgb.width < WIDTH) rgb.data.set([150, 20, 20], 3 * at);
  const grid = new Uint16Array(WIDTH * HEIGHT);
  const depthM = new Float32Array(WIDTH * HEIGHT);
  for (let at = firstRow * WIDTH; at < grid.length; at++) {
    depthM[at] = 2;
    if (at % WIDTH < WIDTH / 2) grid[at] = 7;
  }
  overBorders(grid, { width: WIDTH, height: HEIGHT, depthM } as Sight, rgb, () => true);
  return Array.from({ length: HEIGHT }, (_, row) => grid.slice(row * WIDTH, (row + 1) * WIDTH));
}

test("a mask goes on over a border without depth where its colour does", () => {
  const rows = shown(3);
  expect(rows[0]!.filter((number) => number === 7)).toHaveLength(WIDTH / 2);
  expect(rows[0]!.slice(WIDTH / 2).every((number) => number === 0)).toBe(true);
});

test("a mask that may not go on ends where it is cut off", () => {
  const grid = new Uint16Array(WIDTH * HEIGHT).fill(7, 3 * WIDTH);
  const depthM = new Float32Array(WIDTH * HEIGHT).fill(2, 3 * WIDTH);
  const rgb = { width: WIDTH, height: HEIGHT, data: new Uint8Array(3 * WIDTH * HEIGHT).fill(90) };
  overBorders(grid, { width: WIDTH, height: HEIGHT, depthM } as Sight, rgb, (number) => number !== 7);
  expect(grid.slice(0, 3 * WIDTH).every((number) => number === 0)).toBe(true);
});

test("a large part of a picture without depth is no border", () => {
  expect(shown(10)[9]!.every((number) => number === 0)).toBe(true);
});

test("a mask ends where another colour begins", () => {
  const rgb = { width: WIDTH, height: HEIGHT, data: new Uint8Array(3 * WIDTH * HEIGHT).fill(90) };
  rgb.data.fill(200, 0, 3 * WIDTH);
  const grid = new Uint16Array(WIDTH * HEIGHT).fill(7, 3 * WIDTH);
  const depthM = new Float32Array(WIDTH * HEIGHT).fill(2, 3 * WIDTH);
  overBorders(grid, { width: WIDTH, height: HEIGHT, depthM } as Sight, rgb, () => true);
  expect([0, 1, 2].map((row) => grid[row * WIDTH + 5])).toEqual([0, 7, 7]);
});
