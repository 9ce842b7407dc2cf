import type { Paint } from "../../solid.ts";
import { isOpen, type Shelf } from "../model.ts";
import { CHROME, metal } from "../palette.ts";
import { box, carcass, leaf } from "../part.ts";
import type { FluentValues, Look, Part } from "../types.ts";

/** Panels and doors are as thick as kitchen furniture. */
export const WALL_M = 0.02;

/** A cupboard: hollow, with boards inside, closed by one or two doors. */
export interface Cabinet {
  /** Underside and height of the hollow body within the thing. */
  readonly z: number;
  readonly height: number;
  readonly doors: 1 | 2 | 4;
  /** Boards between bottom and top. */
  readonly boards: number;
  readonly body: Paint;
  readonly front: Paint;
}

/** The body fills the thing's depth and width; doors open outwards at a right angle. */
export function cabinetParts(look: Look, state: FluentValues, cabinet: Cabinet): Part[] {
  const { x: depth, y: width } = look.size;
  const { z, height, doors, body, front } = cabinet;
  const open = isOpen(state);
  const deep = depth - WALL_M;
  const parts = carcass(-WALL_M / 2, z, deep, width, height, WALL_M, body);
  for (const level of boardLevels(cabinet)) {
    parts.push(box(-WALL_M / 2, 0, level, deep - WALL_M, width - 2 * WALL_M, WALL_M, body));
  }
  const edge = depth / 2 - WALL_M;
  const leaves =
    doors === 1
      ? [[-width / 2, width / 2, look.variant % 2 === 0 ? 1 : -1] as const]
      : pairedLeaves(width, doors);
  for (const [y0, y1, side] of leaves) {
    parts.push(leaf(edge, y0, y1, z, height, WALL_M, open, side, front));
    if (!open) parts.push(knob(edge + WALL_M, side === 1 ? y0 + 0.05 : y1 - 0.05, z + height / 2));
  }
  return parts;
}

/** The bottom and every board of a cabinet as places for things. */
export function cabinetShelves(look: Look, cabinet: Pick<Cabinet, "z" | "height" | "boards">): Shelf[] {
  const { x: depth, y: width } = look.size;
  const floors = [cabinet.z + WALL_M, ...boardLevels(cabinet).map((level) => level + WALL_M)];
  const ceilings = [...boardLevels(cabinet), cabinet.z + cabinet.height - WALL_M];
  return floors.map((z, i) => ({
    kind: "cavity" as const,
    minX: -depth / 2 + WALL_M + 0.01,
    maxX: depth / 2 - WALL_M - 0.01,
    minY: -width / 2 + WALL_M + 0.01,
    maxY: width / 2 - WALL_M - 0.01,
    z,
    heightM: ceilings[i]! - z - 0.005,
  }));
}

/** A drawer box: front, bottom and sides, pulled out by `slideM` when open. */
export function drawerParts(
  look: Look,
  state: FluentValues,
  z: number,
  height: number,
  slideM: number,
  front: Paint,
  inside: Paint,
): Part[] {
  const { x: depth, y: width } = look.size;
  const out = isOpen(state) ? slideM : 0;
  const deep = depth - 2 * WALL_M;
  const wide = width - 2 * WALL_M;
  const x = out;
  return [
    box(depth / 2 - WALL_M / 2 + out, 0, z, WALL_M, width, height, front),
    box(x, 0, z, deep, wide, 0.01, inside),
    box(x, wide / 2 - 0.005, z + 0.01, deep, 0.01, height * 0.6, inside),
    box(x, -wide / 2 + 0.005, z + 0.01, deep, 0.01, height * 0.6, inside),
    knob(depth / 2 + out, 0, z + height / 2),
  ];
}

/** Handles stand 12 mm proud of the box: less than the gap that every piece keeps to the next. */
export function knob(x: number, y: number, z: number): Part {
  return box(x + 0.006, y, z - 0.03, 0.012, 0.016, 0.06, metal(CHROME));
}

/** Pairs of doors that open away from each other. */
function pairedLeaves(width: number, doors: 2 | 4): (readonly [number, number, -1 | 1])[] {
  const wide = width / doors;
  return Array.from(
    { length: doors },
    (_, i) => [-width / 2 + i * wide, -width / 2 + (i + 1) * wide, i % 2 === 0 ? -1 : 1] as const,
  );
}

function boardLevels({ z, height, boards }: Pick<Cabinet, "z" | "height" | "boards">): number[] {
  return Array.from({ length: boards }, (_, i) => z + (height * (i + 1)) / (boards + 1));
}
