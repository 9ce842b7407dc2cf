import { describe, expect, it } from "vitest";
import { generateHouse } from "./generate.ts";
import { directionOf, gapM, isBetween, NEXT_TO_M, relationsOf, sameRoom } from "./relations.ts";
import { startSnapshot } from "./solids.ts";
import type { Placement } from "./types.ts";

const at = (x: number, y: number, yawRad = 0, room = "a"): Placement => ({
  centre: { x, y, z: 0.5 },
  extent: { x: 1, y: 1, z: 1 },
  yawRad,
  room,
  hidden: false,
});

describe("directions", () => {
  it("are the viewer's in the ego frame: near is in front, their left is left", () => {
    const ego = { kind: "ego", yawRad: 0 } as const;
    expect(directionOf(at(2, 0), at(4, 0), ego)).toBe("in_front_of");
    expect(directionOf(at(6, 0), at(4, 0), ego)).toBe("behind");
    expect(directionOf(at(4, 2), at(4, 0), ego)).toBe("left_of");
    expect(directionOf(at(4, 2), at(4, 0), { kind: "ego", yawRad: Math.PI })).toBe("right_of");
  });

  it("are the thing's own in the object frame: its front faces +x of its yaw", () => {
    expect(directionOf(at(0, 3), at(0, 0, Math.PI / 2), { kind: "object" })).toBe("in_front_of");
    expect(directionOf(at(0, -3), at(0, 0, Math.PI / 2), { kind: "object" })).toBe("behind");
    expect(directionOf(at(-3, 0), at(0, 0, Math.PI / 2), { kind: "object" })).toBe("left_of");
  });

  it("are left open on the diagonal and in the same place", () => {
    expect(directionOf(at(1, 1), at(0, 0), { kind: "object" })).toBeUndefined();
    expect(directionOf(at(0.01, 0), at(0, 0), { kind: "object" })).toBeUndefined();
  });
});

describe("geometry", () => {
  it("measures gaps between faces and between corners", () => {
    expect(gapM(at(0, 0), at(2, 0))).toBeCloseTo(1, 12);
    expect(gapM(at(0, 0), at(2, 2))).toBeCloseTo(Math.SQRT2, 12);
    expect(gapM(at(0, 0), at(0.5, 0.5))).toBe(0);
    // A square turned by 45° reaches out by half its diagonal.
    expect(gapM(at(0, 0), at(2, 0, Math.PI / 4))).toBeCloseTo(2 - 0.5 - Math.SQRT1_2, 12);
  });

  it("knows between and same room", () => {
    expect(isBetween(at(2, 0.1), at(0, 0), at(4, 0))).toBe(true);
    expect(isBetween(at(2, 2), at(0, 0), at(4, 0))).toBe(false);
    expect(isBetween(at(2, 0, 0, "b"), at(0, 0), at(4, 0))).toBe(false);
    expect(sameRoom(at(0, 0), at(9, 9))).toBe(true);
  });
});

it("finds in a house what one would say about it", () => {
  const house = generateHouse(2);
  const scene = startSnapshot(house);
  const relations = relationsOf(scene);
  const kinds = new Set(relations.map((r) => r.pred));
  expect([...kinds].sort()).toEqual(["attached", "in", "next_to", "on", "under"]);
  const chairs = relations.filter((r) => r.pred === "next_to" && r.subject.startsWith("chair-"));
  expect(chairs.some((r) => r.object.startsWith("dining-table-"))).toBe(true);
  for (const { pred, subject, object } of relations) {
    const a = scene.placementOf(subject)!;
    const b = scene.placementOf(object)!;
    if (pred === "next_to") expect(gapM(a, b)).toBeLessThan(NEXT_TO_M);
    if (pred === "under") expect([b.supportedBy, b.insideOf]).not.toContain(subject);
    if (pred === "in") expect(scene.placementOf(subject)?.insideOf).toBe(object);
  }
});
