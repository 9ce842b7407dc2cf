import { describe, expect, test } from "vitest";
import { drawnTerrain } from "../testing/drawn-terrain.ts";
import { doorFrontier } from "./closed-doors.ts";
import type { Terrain } from "./terrain.ts";

/** A room of four by three metres with nothing known around it. */
const ROOM = [
  "##########",
  "#........#",
  "#........#",
  "#........#",
  "#........#",
  "#........#",
  "##########",
];
/** The same with another observed room above it. */
const BOTH = ["##########", "#........#", "#........#", "#........#", ...ROOM];
const door = (min: [number, number], max: [number, number], z = 0) => ({
  id: "door",
  box: { min: { x: min[0], y: min[1], z }, max: { x: max[0], y: max[1], z: z + 2 } },
});
const frontierOf = (terrain: Terrain, leaf: ReturnType<typeof door>, isStale = false) =>
  doorFrontier(terrain, terrain.field({ x: 2, y: 1.5 }), { ...leaf, isStale });
/** In the upper wall, which lies between y = 3 and 3.5. */
const SHUT = door([2, 3.2], [2.9, 3.25]);

describe("a closed door", () => {
  test("with nothing known behind it is a border that no way leads to, with a room behind it", () => {
    const frontier = frontierOf(drawnTerrain(ROOM), SHUT)!;
    expect(frontier).toMatchObject({ id: "door", costM: Infinity, isOpening: true, isClosedDoor: true });
    expect(frontier.gainM2).toBeGreaterThan(2.5);
    const { positionInWorld, yawRad } = frontier.stand;
    expect(positionInWorld.y).toBeLessThan(3);
    expect(Math.sin(yawRad)).toBeCloseTo(1, 1);
  });

  test("that was closed long ago may be open by now: one goes and looks", () => {
    const frontier = frontierOf(drawnTerrain(ROOM), SHUT, true)!;
    expect(frontier.costM).toBeLessThan(2);
    expect(frontier.shownM2).toBeGreaterThan(0);
  });

  test("may be in a corner, beside the end of what is drawn", () => {
    expect(frontierOf(drawnTerrain(ROOM), door([0.15, 3.2], [0.9, 3.25]))?.isClosedDoor).toBe(true);
  });

  test("is none where both of its sides were seen", () => {
    expect(frontierOf(drawnTerrain(BOTH), SHUT)).toBeUndefined();
  });

  test("is none while it stands open: its free end is in the room", () => {
    expect(frontierOf(drawnTerrain(ROOM), door([2, 2.1], [2.05, 3]))).toBeUndefined();
    expect(frontierOf(drawnTerrain(ROOM), door([0.5, 1.9], [1.3, 1.95]))).toBeUndefined();
  });

  test("is none on another storey, nor as broad as a wall", () => {
    expect(frontierOf(drawnTerrain(ROOM), door([2, 3.2], [2.9, 3.25], 2.8))).toBeUndefined();
    expect(frontierOf(drawnTerrain(ROOM), door([0.7, 3.2], [4.2, 3.25]))).toBeUndefined();
  });

  test("may stand across: a thin leaf is a diagonal of its box", () => {
    // A wall at 45°, three cells thick, with observed floor below it.
    const lines = Array.from({ length: 60 }, (_, row) =>
      Array.from({ length: 60 }, (_, x) => {
        const above = 59 - row + x - 60;
        return Math.abs(above) <= 2 ? "#" : above < 0 ? "." : " ";
      }).join(""),
    );
    const frontier = frontierOf(drawnTerrain(lines, 1), door([2.7, 2.7], [3.3, 3.3]));
    expect(frontier?.stand.yawRad).toBeCloseTo(Math.PI / 4, 1);
  });
});
