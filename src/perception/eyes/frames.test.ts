import { expect, test } from "vitest";
import type { Rgb } from "./colours.ts";
import { frameColoursOf, isFrameOnly } from "./frames.ts";

const SIZE_M = 0.025;
const [ACROSS, UP] = [24, 12];
const [GLASS, BLACK, WALL]: readonly Rgb[] = [
  [200, 215, 222],
  [30, 30, 32],
  [225, 222, 215],
];
const members = Array.from({ length: ACROSS * UP }, (_, n) => n);
/** A mirror whose upper end is out of view. */
const point = Float32Array.from(
  members.flatMap((n) => [SIZE_M * (n % ACROSS), 2, 1.1 + SIZE_M * Math.floor(n / ACROSS)]),
);

function mirrorWith(frame: Rgb): readonly Rgb[] {
  return members.map((n) => {
    const [column, row] = [n % ACROSS, Math.floor(n / ACROSS)];
    const isRim = row === 0 || column === 0 || column === ACROSS - 1;
    // Every other voxel at the rim mixes in the wall.
    return !isRim ? GLASS! : n % 2 === 0 ? frame : WALL!;
  });
}

function colourOf(frame: Rgb, longM = ACROSS * SIZE_M) {
  return frameColoursOf({ point }, { region: { members }, longM }, SIZE_M, mirrorWith(frame)).colour;
}

test("a mirror has the colour of its frame, and is white where that is", () => {
  expect(colourOf(BLACK!)).toBe("black");
  expect(colourOf([118, 88, 65])).toBe("brown");
  expect(colourOf([220, 219, 214])).toBe("white");
});

test("a piece of a mirror has none where no frame shows, since all glass is white", () => {
  expect(colourOf(BLACK!, 0.2)).toBe("black");
  expect(colourOf(GLASS!, 0.2)).toBeUndefined();
});

test("of a picture of which a strip was seen nobody knows the colour", () => {
  expect(isFrameOnly("picture", { longM: 0.7, wideM: 0.03, highM: 0.06 })).toBe(true);
  expect(isFrameOnly("picture", { longM: 0.7, wideM: 0.03, highM: 0.4 })).toBe(false);
  expect(isFrameOnly("television", { longM: 0.7, wideM: 0.03, highM: 0.06 })).toBe(false);
});
