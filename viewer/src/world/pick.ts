import { BufferAttribute, BufferGeometry, type Ray, Vector3 } from "three";
import { MeshBVH } from "three-mesh-bvh";
import { placeAt, type Row, showsAs } from "../data/rows.ts";

/**
 * Finds what is under the pointer. Each state is one flat triangle that spans its box: the tree only needs bounds,
 * and the exact test is ours and considers time. Twelve triangles per box would take twelve times as long to build.
 */
export class Picker {
  #rows: readonly Row[] = [];
  #bvh: MeshBVH | null = null;

  set(rows: readonly Row[]): void {
    this.#rows = rows;
    this.#bvh = null;
    if (rows.length === 0) return;
    const corners = new Float32Array(9 * rows.length);
    for (const [n, row] of rows.entries()) {
      const reach = Math.hypot(row.size[0], row.size[1]) / 2;
      const h = row.size[2] / 2;
      corners.set([row.x - reach, row.y - reach, row.z - h, row.x + reach, row.y + reach, row.z + h], 9 * n);
      // A moved thing is also found along its way.
      const other = row.before ?? row;
      corners.set([other.x, other.y, other.z + (row.before ? 0.5 : 0)], 9 * n + 6);
    }
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(corners, 3));
    this.#bvh = new MeshBVH(geometry, { targetLeafSize: 8 } as ConstructorParameters<typeof MeshBVH>[1]);
  }

  /** The nearest thing along a ray at a time; for nested ones, the smaller. */
  at(
    ray: Ray,
    time: number,
    [lowest, highest]: readonly [number, number],
  ): { row: Row; distance: number } | null {
    if (this.#bvh === null) return null;
    const index = this.#bvh.geometry.index!;
    let best: { row: Row; distance: number; score: number } | null = null;
    this.#bvh.shapecast({
      intersectsBounds: (box) => ray.intersectsBox(box),
      intersectsTriangle: (_, triangle) => {
        const row = this.#rows[Math.floor(index.getX(triangle * 3) / 3)]!;
        if (showsAs(row, time) === null || row.z < lowest || row.z > highest) return false;
        const distance = hit(ray, row, time);
        if (distance === null) return false;
        // Glass boxes contain one another: a cup on a table must not lose narrowly to the table.
        const score = distance + 0.35 * Math.max(...row.size);
        if (best === null || score < best.score) best = { row, distance, score };
        return false;
      },
    });
    return best;
  }
}

const middle = new Vector3();

/** Distance along the ray to a rotated box, or null. */
function hit(ray: Ray, row: Row, time: number): number | null {
  const { x, y, z } = placeAt(row, time);
  middle.set(x, y, z);
  const [c, s] = [Math.cos(row.yaw), Math.sin(row.yaw)];
  const turn = (v: Vector3): [number, number, number] => [c * v.x + s * v.y, -s * v.x + c * v.y, v.z];
  const from = turn(new Vector3().subVectors(ray.origin, middle));
  const along = turn(ray.direction);
  let [near, far] = [0, Infinity];
  for (let axis = 0; axis < 3; axis++) {
    const half = Math.max(row.size[axis]! / 2, 0.04);
    const inverse = 1 / along[axis]!;
    const [a, b] = [(-half - from[axis]!) * inverse, (half - from[axis]!) * inverse];
    near = Math.max(near, Math.min(a, b));
    far = Math.min(far, Math.max(a, b));
  }
  return near <= far ? near : null;
}
