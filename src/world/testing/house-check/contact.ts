import type { HouseSnapshot, HouseThing, Placement } from "../../house/types.ts";
import type { Fault } from "./fault.ts";
import { depthM, flatDepthM, flatDistanceM, type Upright } from "./upright.ts";

export const LIMIT_M = 0.01;
/** Rounding of sums. */
const EPS_M = 1e-6;

/** No two things share space beyond a centimetre; a person may touch the seat and what they carry. */
export function interpenetrations(
  scene: HouseSnapshot,
  solids: ReadonlyMap<string, readonly Upright[]>,
): Fault[] {
  const { things } = scene.house;
  const structure = new Set(things.filter((t) => t.type === "structure").map((t) => t.id));
  const carried = new Map(things.map((t) => [t.id, scene.placementOf(t.id)?.supportedBy]));
  const people = new Set(things.filter((t) => t.type === "person").map((t) => t.id));
  const steps = new Set(things.filter((t) => t.category === "staircase").map((t) => t.id));
  // Hands and seats are soft, people pass each other and climb stairs; carried things are never in the way.
  const excused = (a: string, b: string): boolean => {
    if (people.has(carried.get(a) ?? "") || people.has(carried.get(b) ?? "")) return true;
    if (!people.has(a) && !people.has(b)) return false;
    return (
      carried.get(a) === b ||
      carried.get(b) === a ||
      (people.has(a) && people.has(b)) ||
      steps.has(a) ||
      steps.has(b)
    );
  };
  const all = [...solids.values()].flat().sort((a, b) => a.x - a.ax - (b.x - b.ax));
  const faults = new Map<string, Fault>();
  const active: Upright[] = [];
  for (const solid of all) {
    const left = solid.x - solid.ax;
    let kept = 0;
    for (const other of active) {
      if (other.x + other.ax <= left + LIMIT_M) continue;
      active[kept++] = other;
      if (other.id === solid.id || (structure.has(other.id) && structure.has(solid.id))) continue;
      if (Math.abs(other.y - solid.y) >= other.ay + solid.ay - LIMIT_M) continue;
      if (excused(other.id, solid.id)) continue;
      const depth = depthM(other, solid);
      if (depth <= LIMIT_M + EPS_M) continue;
      const key = `${other.id}/${solid.id}`;
      if (!faults.has(key))
        faults.set(key, {
          code: "interpenetrates",
          thing: solid.id,
          detail: `${depth.toFixed(3)} m into ${other.id}`,
        });
    }
    active.length = kept;
    active.push(solid);
  }
  return [...faults.values()];
}

/** Every thing really touches what it says carries it, and holds together itself. */
export function floating(scene: HouseSnapshot, solids: ReadonlyMap<string, readonly Upright[]>): Fault[] {
  const faults: Fault[] = [];
  const typeOf = new Map(scene.house.things.map((thing) => [thing.id, thing]));
  const of = (category: string) =>
    scene.house.things.flatMap((t) => (t.category === category ? (solids.get(t.id) ?? []) : []));
  const grounds = of("floor");
  const stairs = of("staircase");
  for (const thing of scene.house.things) {
    const own = solids.get(thing.id);
    const placement = scene.placementOf(thing.id);
    if (own === undefined || own.length === 0 || placement === undefined || thing.type === "structure")
      continue;
    if (!holdsTogether(own))
      faults.push({ code: "falls-apart", thing: thing.id, detail: "its solids do not touch each other" });
    const carrier = placement.supportedBy === undefined ? undefined : typeOf.get(placement.supportedBy);
    if (carrier === undefined) {
      faults.push({ code: "floats", thing: thing.id, detail: "nothing is said to carry it" });
      continue;
    }
    if (carrier.type === "person") continue;
    // A walking person is between two floors, or on the stairs, half of the time.
    if (thing.type === "person" && carrier.type === "structure") {
      if (!standsOn(own, grounds, stairs))
        faults.push({ code: "floats", thing: thing.id, detail: "not on any floor" });
      continue;
    }
    const support = solids.get(carrier.id) ?? [];
    if (!carries(placement, own, carrier, support))
      faults.push({ code: "floats", thing: thing.id, detail: `no contact with ${carrier.id}` });
  }
  return faults;
}

function standsOn(own: readonly Upright[], grounds: readonly Upright[], stairs: readonly Upright[]): boolean {
  const low = Math.min(...own.map((o) => o.low));
  if (stairs.some((step) => own.some((o) => flatDepthM(o, step) > -0.6))) return true;
  return grounds.some(
    (floor) => Math.abs(floor.high - low) <= LIMIT_M && own.some((o) => flatDepthM(o, floor) > 0),
  );
}

function carries(
  placement: Placement,
  own: readonly Upright[],
  carrier: HouseThing,
  support: readonly Upright[],
): boolean {
  const low = Math.min(...own.map((o) => o.low));
  const high = Math.max(...own.map((o) => o.high));
  if (carrier.category === "wall" || carrier.category === "facade" || carrier.category === "door frame") {
    // Hung: side by side with it, no further than a centimetre and a half (a hinge's gap).
    return own.some((o) =>
      support.some((w) => Math.min(o.high, w.high) > Math.max(o.low, w.low) && flatDepthM(o, w) >= -0.015),
    );
  }
  if (carrier.category === "ceiling")
    return support.some(
      (c) => Math.abs(c.low - high) <= LIMIT_M + EPS_M && own.some((o) => flatDepthM(o, c) > 0),
    );
  const tops = support.filter((t) => Math.abs(t.high - low) <= LIMIT_M + EPS_M);
  // Three of five points of the base, or its middle and one more for what stands on legs or a rim.
  const c = Math.cos(placement.yawRad);
  const s = Math.sin(placement.yawRad);
  let on = 0;
  for (const [i, j] of [
    [0, 0],
    [0.6, 0.6],
    [0.6, -0.6],
    [-0.6, 0.6],
    [-0.6, -0.6],
  ] as const) {
    const x = (i * placement.extent.x) / 2;
    const y = (j * placement.extent.y) / 2;
    const wx = placement.centre.x + x * c - y * s;
    const wy = placement.centre.y + x * s + y * c;
    if (tops.some((t) => flatDistanceM(wx, wy, t) === 0)) on++;
  }
  return on >= 3;
}

function holdsTogether(own: readonly Upright[]): boolean {
  const reached = new Set([0]);
  const queue = [0];
  while (queue.length > 0) {
    const a = own[queue.pop()!]!;
    own.forEach((b, i) => {
      if (!reached.has(i) && depthM(a, b) >= -LIMIT_M) {
        reached.add(i);
        queue.push(i);
      }
    });
  }
  return reached.size === own.length;
}
