import { describe, expect, test } from "vitest";
import { nameable } from "./measured.ts";
import { boxRegions, type NamedBox } from "./testing/box-regions.ts";
import { type Whole, wholesOf } from "./wholes.ts";

const WORDS = ["other", "chair", "mug", "counter", "mirror"];
const SIZE_M = 0.025;

/** Boxes of voxels, each a piece with one word. */
function piecesOf(boxes: readonly NamedBox[]): {
  readonly pieces: Whole[];
  readonly by: Parameters<typeof wholesOf>[2];
} {
  const { regions, seen } = boxRegions(boxes, WORDS, SIZE_M);
  const by = { seen, sizeM: SIZE_M, floorZ: 0 };
  const pieces = regions.map((region, n) => ({
    ...nameable(region, by),
    region,
    regions: [n],
    score: 0.5 + n / 10,
  }));
  return { pieces, by };
}

const BACK = { word: "chair", low: [0, 0, 0.6], high: [0.4, 0.05, 0.85] };
const SEAT = { word: "chair", low: [0, 0.2, 0.4], high: [0.4, 0.4, 0.45] };
const moved = ({ word, low, high }: typeof BACK, byM: number) => ({
  word,
  low: [low[0]! + byM, ...low.slice(1)],
  high: [high[0]! + byM, ...high.slice(1)],
});

test("a back and a seat that nowhere meet are one chair, with the score of the surer one", () => {
  const { pieces, by } = piecesOf([BACK, SEAT]);
  const [chair, ...none] = wholesOf(pieces, WORDS, by);
  expect(none).toEqual([]);
  expect([...chair!.regions].sort()).toEqual([0, 1]);
  expect(chair!.score).toBe(0.6);
  expect(chair!.highM).toBeGreaterThan(0.4);
  expect(pieces[0]!.region.members.length + pieces[1]!.region.members.length).toBe(
    chair!.region.members.length,
  );
});

test("two pieces of a mirror are one, though poses are off by more than it is thick", () => {
  const glass = { word: "mirror", low: [0, 0, 1.1], high: [0.4, 0.025, 1.4] };
  const { pieces, by } = piecesOf([
    glass,
    { word: "mirror", low: [0.45, 0.025, 1.1], high: [0.6, 0.05, 1.4] },
  ]);
  expect(wholesOf(pieces, WORDS, by)).toHaveLength(1);
  const far = piecesOf([glass, { word: "mirror", low: [0.45, 0.2, 1.1], high: [0.6, 0.225, 1.4] }]);
  expect(wholesOf(far.pieces, WORDS, far.by)).toHaveLength(2);
});

test("pieces on two sides of an outline stay two, though there is room for one only", () => {
  const { pieces, by } = piecesOf([BACK, SEAT]);
  const sides = pieces.map((piece, n) => ({
    ...piece,
    region: { ...piece.region, side: { of: 7, number: n } },
  }));
  expect(wholesOf(sides, WORDS, by)).toHaveLength(2);
});

test("two chairs side by side stay two, and so does what is not called the same", () => {
  const side = piecesOf([BACK, moved(BACK, 0.6)]);
  expect(wholesOf(side.pieces, WORDS, side.by)).toHaveLength(2);
  const other = piecesOf([BACK, { ...SEAT, word: "mug" }]);
  expect(wholesOf(other.pieces, WORDS, other.by)).toHaveLength(2);
});

test("a scrap across the room is no piece of a thing, however few its places are", () => {
  const scrap = { word: "chair", low: [3, 0, 0.6], high: [3.05, 0.02, 0.63] };
  const { pieces, by } = piecesOf([BACK, scrap]);
  expect(pieces[1]!.region.members.length).toBeLessThan(0.03 * pieces[0]!.region.members.length);
  expect(wholesOf(pieces, WORDS, by)).toHaveLength(2);
});

test("a piece that goes on farther than one thing has room is another thing, by all of its length", () => {
  const long = { word: "chair", low: [0, 0.2, 0.4], high: [1.6, 0.4, 0.45] };
  const { pieces, by } = piecesOf([{ ...BACK, low: [0, 0, 0.5], high: [0.4, 0.1, 1.1] }, long]);
  expect(wholesOf(pieces, WORDS, by)).toHaveLength(2);
});

test("what could be one is two, when they are small things that have their middles in themselves", () => {
  const { pieces, by } = piecesOf([BACK, SEAT]);
  const own = pieces.map((piece) => {
    const { region } = piece;
    const surface = Float32Array.of(0, 0, region.members.length);
    return { ...piece, region: { ...region, surface, centre: region.point } };
  });
  expect(wholesOf(own, WORDS, by)).toHaveLength(2);
});

describe("a counter", () => {
  const ARM = { word: "counter", low: [0, 0, 0], high: [0.6, 1.1, 0.85] };
  const OTHER_ARM = { word: "counter", low: [0.6, 0, 0.02], high: [1.5, 0.6, 0.88] };

  test("that goes around a corner is one, though nothing of its kind is as large", () => {
    const { pieces, by } = piecesOf([ARM, OTHER_ARM]);
    const [counter, ...none] = wholesOf(pieces, WORDS, by);
    expect(none).toEqual([]);
    expect([...counter!.regions].sort()).toEqual([0, 1]);
  });

  test("takes in what may be one and meets it, under its name, and nothing across the room", () => {
    const likely = (pieces: readonly Whole[]) =>
      pieces.map((piece, n) => (n === 0 ? piece : { ...piece, votes: [0, 0, 0, 0.2] }));
    const { pieces, by } = piecesOf([ARM, OTHER_ARM]);
    expect(wholesOf(likely(pieces), WORDS, by).map(({ called }) => called)).toEqual(["kitchen counter"]);
    const across = piecesOf([ARM, moved(OTHER_ARM, 1)]);
    expect(wholesOf(likely(across.pieces), WORDS, across.by).map(({ called }) => called)).toEqual([
      undefined,
      undefined,
    ]);
  });

  test("is one with a part of which chairs hide the lower half", () => {
    const { pieces, by } = piecesOf([ARM, { ...OTHER_ARM, low: [0.6, 0, 0.4] }]);
    expect(wholesOf(pieces, WORDS, by)).toHaveLength(1);
  });

  test("is another one across the room, or at another height", () => {
    const across = piecesOf([ARM, moved(OTHER_ARM, 1)]);
    expect(wholesOf(across.pieces, WORDS, across.by)).toHaveLength(2);
    const above = piecesOf([ARM, { ...OTHER_ARM, low: [0.6, 0, 0.5], high: [1.5, 0.6, 1.3] }]);
    expect(wholesOf(above.pieces, WORDS, above.by)).toHaveLength(2);
  });
});
