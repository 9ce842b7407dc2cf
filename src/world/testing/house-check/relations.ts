import { relationsOf } from "../../house/relations.ts";
import type { HouseSnapshot, Placement } from "../../house/types.ts";
import type { Fault } from "./fault.ts";
import { flatDepthM, type Upright, upright } from "./upright.ts";

/**
 * Derives "on" and "next_to" a second time, from solids and by walking along edges, and compares. Neighbours
 * within a millimetre of the limit may be told either way.
 */
export function relationFaults(
  scene: HouseSnapshot,
  solids: ReadonlyMap<string, readonly Upright[]>,
): Fault[] {
  const faults: Fault[] = [];
  const stated = relationsOf(scene);
  const near = new Set(stated.filter((r) => r.pred === "next_to").map((r) => `${r.subject} ${r.object}`));
  for (const { pred, subject, object } of stated) {
    if (pred !== "on") continue;
    const own = solids.get(subject) ?? [];
    const low = Math.min(...own.map((o) => o.low));
    const touching = (solids.get(object) ?? []).some(
      (t) => Math.abs(t.high - low) <= 0.0125 && own.some((o) => flatDepthM(o, t) > 0),
    );
    if (!touching)
      faults.push({
        code: "relation",
        thing: subject,
        detail: `said to be on ${object}, which it does not touch`,
      });
  }
  const seen = scene.house.things.flatMap((thing) => {
    const placement = scene.placementOf(thing.id);
    return placement === undefined ||
      placement.hidden ||
      thing.type === "structure" ||
      thing.type === "person"
      ? []
      : [{ id: thing.id, placement }];
  });
  for (const a of seen) {
    for (const b of seen) {
      if (
        a.id >= b.id ||
        a.placement.room !== b.placement.room ||
        tied(a.placement, b.id) ||
        tied(b.placement, a.id)
      )
        continue;
      const gap = walkedGapM(a.placement, b.placement);
      if (Math.abs(gap - 0.5) < 1e-3) continue;
      if (gap < 0.5 !== near.has(`${a.id} ${b.id}`))
        faults.push({
          code: "relation",
          thing: a.id,
          detail: `next_to ${b.id} is told wrongly at ${gap.toFixed(3)} m`,
        });
    }
  }
  return faults;
}

function tied({ supportedBy, insideOf }: Placement, id: string): boolean {
  return supportedBy === id || insideOf === id;
}

/** Closest of edge pairs, each pair by the distances of end points to the other edge; 0 when they overlap. */
function walkedGapM(a: Placement, b: Placement): number {
  const up = Math.max(
    0,
    Math.max(
      a.centre.z - a.extent.z / 2 - (b.centre.z + b.extent.z / 2),
      b.centre.z - b.extent.z / 2 - (a.centre.z + a.extent.z / 2),
    ),
  );
  if (
    up >= 0.6 ||
    Math.hypot(a.centre.x - b.centre.x, a.centre.y - b.centre.y) -
      Math.hypot(a.extent.x, a.extent.y) / 2 -
      Math.hypot(b.extent.x, b.extent.y) / 2 >=
      0.6
  )
    return 1;
  const ua = upright("", { centre: a.centre, size: a.extent, yawRad: a.yawRad });
  const ub = upright("", { centre: b.centre, size: b.extent, yawRad: b.yawRad });
  let flat = Infinity;
  if (flatDepthM(ua, ub) >= 0) flat = 0;
  else
    for (const [p, q] of edges(ua))
      for (const [r, s] of edges(ub))
        flat = Math.min(flat, toEdge(p, r, s), toEdge(q, r, s), toEdge(r, p, q), toEdge(s, p, q));
  return Math.hypot(flat, up);
}

type P = readonly [number, number];

function edges({ x, y, hx, hy, c, s }: Upright): [P, P][] {
  const at = (i: number, j: number): P => [x + i * hx * c - j * hy * s, y + i * hx * s + j * hy * c];
  const ring = [at(1, 1), at(-1, 1), at(-1, -1), at(1, -1)];
  return ring.map((p, i) => [p, ring[(i + 1) % 4]!]);
}

function toEdge([x, y]: P, [ax, ay]: P, [bx, by]: P): number {
  const dx = bx - ax;
  const dy = by - ay;
  const t = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}
