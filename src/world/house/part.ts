import type { Paint } from "../solid.ts";
import type { Part } from "./types.ts";
import { yawOfStep } from "./yaw.ts";

/**
 * Building blocks of things. Coordinates are the thing's own: x to the front, y to the left, z from its bottom; x, y
 * give the centre of a part, z its underside.
 */
export function box(
  x: number,
  y: number,
  z: number,
  sizeX: number,
  sizeY: number,
  sizeZ: number,
  paint: Paint,
  step = 0,
): Part {
  return part("box", x, y, z, sizeX, sizeY, sizeZ, paint, step);
}

/** An upright round pillar or disc. */
export function round(x: number, y: number, z: number, diameter: number, height: number, paint: Paint): Part {
  return part("cylinder", x, y, z, diameter, diameter, height, paint, 0);
}

/** An upright pillar with an oval section. */
export function oval(
  x: number,
  y: number,
  z: number,
  sizeX: number,
  sizeY: number,
  height: number,
  paint: Paint,
): Part {
  return part("cylinder", x, y, z, sizeX, sizeY, height, paint, 0);
}

export function ball(
  x: number,
  y: number,
  z: number,
  sizeX: number,
  sizeY: number,
  sizeZ: number,
  paint: Paint,
): Part {
  return part("ellipsoid", x, y, z, sizeX, sizeY, sizeZ, paint, 0);
}

/** Four square legs under a rectangle, `inset` from its edges. */
export function legs(
  sizeX: number,
  sizeY: number,
  height: number,
  thick: number,
  paint: Paint,
  inset = 0.02,
): Part[] {
  const x = sizeX / 2 - inset - thick / 2;
  const y = sizeY / 2 - inset - thick / 2;
  return [
    box(x, y, 0, thick, thick, height, paint),
    box(x, -y, 0, thick, thick, height, paint),
    box(-x, y, 0, thick, thick, height, paint),
    box(-x, -y, 0, thick, thick, height, paint),
  ];
}

/**
 * A hollow box open to the front: bottom, top, back and two sides, filling the given outer size, centred at x. Its
 * content is enclosed once something covers the front.
 */
export function carcass(
  x: number,
  z: number,
  sizeX: number,
  sizeY: number,
  sizeZ: number,
  wall: number,
  paint: Paint,
): Part[] {
  const inner = sizeZ - 2 * wall;
  return [
    box(x, 0, z, sizeX, sizeY, wall, paint),
    box(x, 0, z + sizeZ - wall, sizeX, sizeY, wall, paint),
    box(x - sizeX / 2 + wall / 2, 0, z + wall, wall, sizeY, inner, paint),
    box(x, sizeY / 2 - wall / 2, z + wall, sizeX, wall, inner, paint),
    box(x, -sizeY / 2 + wall / 2, z + wall, sizeX, wall, inner, paint),
  ];
}

/**
 * A leaf that closes the front of a carcass whose front edge is at `x`: shut it lies on the edge, open it stands
 * at a right angle at its hinge (`side` +1 left, −1 right), fully in front of the body.
 */
export function leaf(
  x: number,
  y0: number,
  y1: number,
  z: number,
  height: number,
  thick: number,
  open: boolean,
  side: -1 | 1,
  paint: Paint,
): Part {
  const width = y1 - y0;
  if (!open) return box(x + thick / 2, (y0 + y1) / 2, z, thick, width, height, paint);
  const hinge = side === 1 ? y1 - thick / 2 : y0 + thick / 2;
  return box(x + width / 2, hinge, z, width, thick, height, paint);
}

function part(
  shape: Part["shape"],
  x: number,
  y: number,
  z: number,
  sizeX: number,
  sizeY: number,
  sizeZ: number,
  paint: Paint,
  step: number,
): Part {
  return {
    shape,
    centre: { x, y, z: z + sizeZ / 2 },
    size: { x: sizeX, y: sizeY, z: sizeZ },
    yawRad: yawOfStep(step),
    paint,
  };
}
