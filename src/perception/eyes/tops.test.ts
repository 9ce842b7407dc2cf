import { expect, test } from "vitest";
import { boxRegions, type NamedBox } from "./testing/box-regions.ts";
import { topsIn } from "./tops.ts";

const SIZE_M = 0.025;
const WORDS = ["other", "table", "chair"];
const TOP: NamedBox = { word: "other", low: [0, 0, 0.5], high: [0.45, 0.4, 0.525] };
const SOFA: NamedBox = { word: "other", low: [0.4, -0.5, 0], high: [2, 0.5, 0.8] };

interface Seen {
  readonly looks?: number;
  readonly furniture?: number;
  readonly level?: number;
  readonly close?: number;
  readonly atWall?: number;
}

/** Whether the first region is a top, where the others are reported furniture. */
function isTop([top, ...others]: readonly NamedBox[], seen: Seen = {}): boolean {
  const { regions, seen: surface } = boxRegions([top!, ...others], WORDS, SIZE_M);
  const { looks = 3, furniture = 0.9, level = 1, close = 12, atWall = 0 } = seen;
  regions.forEach((region, n) => {
    const count = region.members.length;
    region.surface[1] = furniture * count;
    region.normal[2] = n === 0 ? level * count : 0;
    region.edges[1] = atWall * count;
    if (n === 0) region.names[0] = 0.2 * region.names[0]!;
  });
  const places = surface.point.length / 3;
  const cut = {
    seen: { ...surface, looks: new Float32Array(places).fill(looks) } as never,
    regions,
    regionOf: new Int32Array(),
    nearlyOne: new Float32Array(),
    closeness: new Float32Array(regions.length).fill(close),
  };
  return topsIn(cut, new Set([...regions.keys()].slice(1)), WORDS, SIZE_M, 0).length === 1;
}

test("a level plate of furniture as high as a seat, which no other furniture has, is the top of a side table", () => {
  expect(isTop([TOP])).toBe(true);
  expect(isTop([TOP, SOFA])).toBe(true);
});

test("it is none within the bounds of what is shown, on the floor, as high as a counter, or of another size", () => {
  const at = (low: number[], high: number[]): NamedBox => ({ ...TOP, low, high });
  expect(isTop([TOP, { ...SOFA, low: [0.1, -0.5, 0] }])).toBe(false);
  expect(isTop([at([0, 0, 0.1], [0.45, 0.4, 0.125])])).toBe(false);
  expect(isTop([at([0, 0, 0.9], [0.45, 0.4, 0.925])])).toBe(false);
  expect(isTop([at([0, 0, 0.5], [1.2, 0.6, 0.525])])).toBe(false);
  expect(isTop([at([0, 0, 0.5], [0.45, 0.15, 0.525])])).toBe(false);
});

test("nor where it slopes, is a small thing, goes along a wall, has gaps, was hardly looked at or is called a chair", () => {
  for (const seen of [{ level: 0.7 }, { furniture: 0.5 }, { atWall: 0.3 }, { close: 4 }, { looks: 1 }])
    expect(isTop([TOP], seen)).toBe(false);
  expect(isTop([{ ...TOP, word: "chair" }])).toBe(false);
  expect(isTop([{ ...TOP, word: "table" }])).toBe(true);
});
