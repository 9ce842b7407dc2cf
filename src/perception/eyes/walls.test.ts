import { describe, expect, test } from "vitest";
import type { Region } from "./pieces.ts";
import { areTooLong, isLump, isWall } from "./walls.ts";

/** A piece of a hundred places: shares of structure, furniture and small things, votes for two names, a box and how it lies. */
function piece({
  kind = [0.1, 0.1, 0.8] as readonly number[],
  votes = [0.1, 0.1] as readonly number[],
  sizeM = [0.3, 0.1, 0.3] as readonly number[],
  normal = [0, -1, 0] as readonly number[],
  beside = 0,
  flush = 0,
  fromM = 0,
}): Region {
  const count = 100;
  const of = (values: readonly number[]) => Float32Array.from(values, (value) => value * count);
  return {
    members: Array.from({ length: count }, (_, n) => n),
    surface: of(kind),
    names: of(votes),
    point: of([0, 0, 0]),
    normal: of(normal),
    centre: of([0, 0, 0]),
    colour: of([0, 0, 0]),
    edges: of([0, beside, flush]),
    low: Float32Array.from([fromM, 0, 0]),
    high: Float32Array.from([fromM + sizeM[0]!, sizeM[1]!, sizeM[2]!]),
  };
}

describe("a piece of a wall", () => {
  const wall = { kind: [0.3, 0.4, 0.3], beside: 0.4, flush: 0.35 };
  test("goes on as a wall in its plane", () => {
    expect(isWall(piece(wall))).toBe(true);
  });

  test.each([
    ["a door, of which the eyes are sure", { ...wall, votes: [0.7, 0.1] }],
    ["a shelf board, which is level", { ...wall, normal: [0, 0, 1] }],
    ["a book that leans on a wall and meets it in a crease", { ...wall, flush: 0.1 }],
    ["a cupboard that nobody takes for a wall", { ...wall, kind: [0.05, 0.9, 0.05] }],
    ["a plant, which faces everywhere", { ...wall, normal: [0, -0.5, 0] }],
  ] as const)("is not %s", (_, given) => {
    expect(isWall(piece(given))).toBe(false);
  });
});

describe("small things", () => {
  test("are never longer than a metre and a fifth together", () => {
    const [left, right] = [piece({}), piece({ fromM: 1 })];
    expect(areTooLong(left, right)).toBe(true);
    expect(areTooLong(left, piece({ fromM: 0.4 }))).toBe(false);
    const sofa = { kind: [0, 0.9, 0.1] };
    expect(areTooLong(piece(sofa), piece({ ...sofa, fromM: 1 }))).toBe(false);
  });

  test("that are large both ways are a lump, unless their name is sure", () => {
    const tiles = { sizeM: [1.1, 0.3, 0.8] };
    expect(isLump(piece(tiles))).toBe(true);
    expect(isLump(piece({ ...tiles, votes: [0.5, 0.1] }))).toBe(false);
    expect(isLump(piece({ sizeM: [1.1, 0.3, 0.3] }))).toBe(false);
    expect(isLump(piece({ ...tiles, kind: [0.1, 0.8, 0.1] }))).toBe(false);
  });
});
