import { expect, test } from "vitest";
import type { EyesInput } from "../../models/eyes/index.ts";
import { coloursOf, lampColoursOf, paintedColoursOf } from "./colours.ts";
import { turned } from "./turned.ts";

const [WIDTH, HEIGHT] = [6, 4];

function pictureWith(up: EyesInput["up"]): EyesInput {
  return {
    width: WIDTH,
    height: HEIGHT,
    rgb: Uint8Array.from({ length: 3 * WIDTH * HEIGHT }, (_, n) => n),
    depth: Float32Array.from({ length: WIDTH * HEIGHT }, (_, n) => 1 + n),
    camera: { fx: 5, fy: 4, cx: 2.6, cy: 2.2 },
    up,
    height0: 1.2,
  };
}

test.each([
  ["upright", [0.1, -0.9, 0.2], 0],
  ["on its left side", [-0.95, 0.1, 0.1], 1],
  ["upside down", [0, 0.9, 0.3], 2],
  ["on its right side", [0.95, -0.2, 0.1], 3],
  ["looking at its feet", [0.1, 0.2, 0.97], 0],
] as const)("a picture %s is turned, and every pixel keeps its ray", (_, up, quarters) => {
  const before = pictureWith(up);
  const after = turned(before);
  expect(after.quarters).toBe(quarters);
  const { input } = after;
  if (Math.abs(up[2]) < 0.9) expect(input.up[1]).toBeLessThan(-0.8);
  for (let row = 0; row < HEIGHT; row++) {
    for (let column = 0; column < WIDTH; column++) {
      const place = after.placeOf(column, row);
      const at = place.row * input.width + place.column;
      expect(input.depth![at]).toBe(before.depth![row * WIDTH + column]);
      expect(input.rgb[3 * at + 2]).toBe(before.rgb[3 * (row * WIDTH + column) + 2]);
      const { camera } = before;
      const [x, y] = [(column + 0.5 - camera.cx) / camera.fx, (row + 0.5 - camera.cy) / camera.fy];
      const turnedX = (place.column + 0.5 - input.camera.cx) / input.camera.fx;
      const turnedY = (place.row + 0.5 - input.camera.cy) / input.camera.fy;
      // Neither the elevation of a pixel nor its neighbours change.
      expect(turnedX * input.up[0] + turnedY * input.up[1]).toBeCloseTo(x * up[0] + y * up[1], 9);
      const [backX, backY] = after.back(turnedX, turnedY);
      expect(backX).toBeCloseTo(x, 9);
      expect(backY).toBeCloseTo(y, 9);
    }
  }
});

test("colours are the word of most of a thing", () => {
  const of = (...rgb: (readonly [number, number, number])[]) => coloursOf(rgb).colour;
  expect(of([200, 20, 20], [190, 30, 25], [250, 250, 250])).toBe("red");
  expect(of([245, 244, 240])).toBe("white");
  expect(of([120, 122, 121])).toBe("grey");
  expect(of([20, 22, 21])).toBe("black");
  expect(of([222, 205, 170])).toBe("beige");
  expect(of([110, 70, 40])).toBe("brown");
  expect(of([40, 60, 200])).toBe("blue");
  expect(of([40, 160, 60])).toBe("green");
  expect(of()).toBeUndefined();
});

test("a second colour is told where a good part of a thing has it", () => {
  const [red, white, blue] = [[200, 20, 20] as const, [245, 244, 240] as const, [40, 60, 200] as const];
  expect(coloursOf([red, red, red, white, white])).toEqual({ colour: "red", accent: "white" });
  expect(coloursOf([red, red, red, red, red, white, blue])).toEqual({ colour: "red" });
});

test("colours in the light of a room are those of the thing", () => {
  const of = (...rgb: (readonly [number, number, number])[]) => coloursOf(rgb).colour;
  // A white dresser and a beige door where a lamp gives them three quarters of full light.
  expect(of([180, 179, 174])).toBe("white");
  expect(of([155, 142, 116])).toBe("beige");
  // A floor lamp with a black pole.
  const [black, orange] = [[30, 30, 32] as const, [226, 122, 34] as const];
  expect(of(black, black, black, orange)).toBe("orange");
  expect(of(black, black, black, black, black, orange)).toBe("black");
  // A black kettle that shines.
  expect(of(black, black, [95, 95, 97])).toBe("black");
  // An orange curtain in the shade, and wood in the same light.
  expect(of([169, 90, 25])).toBe("orange");
  expect(of([120, 78, 40])).toBe("brown");
  // An orange cushion in lamplight, and mahogany.
  expect(of([163, 86, 40])).toBe("orange");
  expect(of([120, 60, 30])).toBe("brown");
  // A pink cushion in lamplight, a faded red rug and brown leather.
  expect(of([169, 114, 126])).toBe("pink");
  expect(of([170, 90, 100])).toBe("red");
  expect(of([150, 100, 88])).not.toBe("pink");
});

test("a lamp has no colour while it shines, whatever its pole has", () => {
  const [glow, pole, shade] = [[254, 241, 187] as const, [30, 30, 32] as const, [170, 60, 50] as const];
  expect(lampColoursOf([glow, glow, pole]).colour).toBeUndefined();
  expect(lampColoursOf([shade, shade, shade, pole]).colour).toBe("red");
});

test("what is painted white is grey where it stands in the shade, and steel that is grey is white where it shines", () => {
  const [grey, white, green] = [
    [110, 110, 110],
    [200, 200, 200],
    [30, 140, 30],
  ] as const;
  expect(coloursOf([grey, grey, white]).colour).toBe("grey");
  expect(paintedColoursOf([grey, grey, white])).toEqual({ colour: "white", accent: "grey" });
  expect(paintedColoursOf([grey, grey, grey]).colour).toBe("grey");
  expect(paintedColoursOf([green, green, white]).colour).toBe("green");
});
