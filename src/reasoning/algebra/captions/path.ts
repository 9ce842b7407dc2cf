import type { Step } from "../../../belief/looks.ts";
import type { Vec3 } from "../../../geometry/index.ts";
import { wrapped } from "../things/viewer.ts";

/** Slower than this for this long is standing still. */
const STILL_MPS = 0.15;
const STOP_US = 6_000_000;
/** Headings are computed over distances of this length, so that pose noise is no turn. */
const STRIDE_M = 2;
const TURN_RAD = Math.PI / 4;
const TURN_US = 20_000_000;

/** The times it stood still, earliest first. */
export function stopsIn(path: readonly Step[]): { fromUs: number; toUs: number; position: Vec3 }[] {
  const stops: { fromUs: number; toUs: number; position: Vec3 }[] = [];
  path.forEach((step, n) => {
    const before = path[n - 1];
    if (!before || speed(before, step) > STILL_MPS) return;
    const last = stops.at(-1);
    if (last?.toUs === before.timeUs) last.toUs = step.timeUs;
    else stops.push({ fromUs: before.timeUs, toUs: step.timeUs, position: before.position });
  });
  return stops.filter(({ fromUs, toUs }) => toUs - fromUs >= STOP_US);
}

interface Turn {
  readonly timeUs: number;
  readonly direction: "left" | "right";
  readonly position: Vec3;
}

/** The turns it took, earliest first: a change of heading of 45° or more within twenty seconds. */
export function turnsIn(path: readonly Step[]): Turn[] {
  const headings: { timeUs: number; rad: number; position: Vec3 }[] = [];
  let from = path[0];
  for (const step of path) {
    if (!from || Math.hypot(step.position.x - from.position.x, step.position.y - from.position.y) < STRIDE_M)
      continue;
    headings.push({
      timeUs: step.timeUs,
      position: from.position,
      rad: Math.atan2(step.position.y - from.position.y, step.position.x - from.position.x),
    });
    from = step;
  }
  const turns: Turn[] = [];
  let sinceUs = -Infinity;
  for (const heading of headings) {
    const first = headings.find(({ timeUs }) => timeUs >= Math.max(sinceUs, heading.timeUs - TURN_US));
    const change = first ? wrapped(heading.rad - first.rad) : 0;
    if (!first || Math.abs(change) < TURN_RAD) continue;
    turns.push({
      timeUs: first.timeUs,
      direction: change > 0 ? "left" : "right",
      position: heading.position,
    });
    sinceUs = heading.timeUs;
  }
  return turns;
}

function speed(a: Step, b: Step): number {
  const s = Math.max(1e-3, (b.timeUs - a.timeUs) / 1e6);
  return Math.hypot(b.position.x - a.position.x, b.position.y - a.position.y) / s;
}
