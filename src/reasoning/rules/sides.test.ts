import { expect, it } from "vitest";
import { nearestSide } from "./geometry.ts";

it("takes the nearest of the sides that are offered", () => {
  const three = ["left", "right", "behind"];
  expect(nearestSide(0.1, three)).toBe("left");
  expect(nearestSide(-0.1, three)).toBe("right");
  expect(nearestSide((134 * Math.PI) / 180, three)).toBe("left");
  expect(nearestSide((136 * Math.PI) / 180, three)).toBe("behind");
  expect(nearestSide((-136 * Math.PI) / 180, three)).toBe("behind");
  expect(nearestSide(0.1, ["Left", "front"])).toBe("front");
  expect(nearestSide(-2, ["front-left", "front-right", "back-left", "back-right"])).toBe("back-right");
});

it("says nothing where the options are no sides", () => {
  expect(nearestSide(0, ["the kitchen", "left"])).toBeUndefined();
  expect(nearestSide(0, ["left"])).toBeUndefined();
});
