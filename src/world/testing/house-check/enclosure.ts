import type { HouseSnapshot } from "../../house/types.ts";
import type { Fault } from "./fault.ts";
import { rayHits, type Upright } from "./upright.ts";

const DIRECTIONS = [-1, 0, 1]
  .flatMap((x) => [-1, 0, 1].flatMap((y) => [-1, 0, 1].map((z) => [x, y, z] as const)))
  .filter(([x, y, z]) => x !== 0 || y !== 0 || z !== 0);

/**
 * A hidden thing is surrounded by its container: from its middle and its corners no ray gets out, in 26
 * directions each. What is inside something open is not hidden, and is at least within its sides.
 */
export function enclosure(scene: HouseSnapshot, solids: ReadonlyMap<string, readonly Upright[]>): Fault[] {
  const faults: Fault[] = [];
  for (const { id } of scene.house.things) {
    const placement = scene.placementOf(id);
    if (placement === undefined) continue;
    const { insideOf, hidden, centre, extent, yawRad } = placement;
    if (insideOf === undefined) {
      if (hidden) faults.push({ code: "exposed", thing: id, detail: "hidden but inside nothing" });
      continue;
    }
    const walls = solids.get(insideOf) ?? [];
    const closed = scene.fluentOf(insideOf, "openness") === "closed";
    if (closed !== hidden)
      faults.push({
        code: "record",
        thing: id,
        detail: `hidden is ${hidden} in ${insideOf}, which is ${closed ? "closed" : "open"}`,
      });
    if (!within(centre, walls))
      faults.push({ code: "not-inside", thing: id, detail: `outside the box of ${insideOf}` });
    if (!hidden) continue;
    const c = Math.cos(yawRad);
    const s = Math.sin(yawRad);
    const points = [
      [0, 0, 0],
      ...[-1, 1].flatMap((i) => [-1, 1].flatMap((j) => [-1, 1].map((k) => [i, j, k]))),
    ] as [number, number, number][];
    const escapes = points.some(([i, j, k]) => {
      const x = (i * extent.x * 0.98) / 2;
      const y = (j * extent.y * 0.98) / 2;
      const px = centre.x + x * c - y * s;
      const py = centre.y + x * s + y * c;
      const pz = centre.z + (k * extent.z * 0.98) / 2;
      return DIRECTIONS.some(([dx, dy, dz]) => !walls.some((wall) => rayHits(px, py, pz, dx, dy, dz, wall)));
    });
    if (escapes) faults.push({ code: "exposed", thing: id, detail: `can be seen from outside ${insideOf}` });
  }
  return faults;
}

function within({ x, y, z }: { x: number; y: number; z: number }, walls: readonly Upright[]): boolean {
  if (walls.length === 0) return false;
  return (
    x >= Math.min(...walls.map((w) => w.x - w.ax)) &&
    x <= Math.max(...walls.map((w) => w.x + w.ax)) &&
    y >= Math.min(...walls.map((w) => w.y - w.ay)) &&
    y <= Math.max(...walls.map((w) => w.y + w.ay)) &&
    z >= Math.min(...walls.map((w) => w.low)) &&
    z <= Math.max(...walls.map((w) => w.high))
  );
}
