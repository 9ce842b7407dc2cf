import type { RunLine } from "../../schema/index.ts";

const TURNED_RAD = (2 * Math.PI) / 3;
const THERE_M = 0.5;

/**
 * How often an agent reversed: it dropped an unreached goal for one more than 120° away in direction. Relative to all
 * its goals.
 */
export function isReversed(lines: readonly RunLine[]): { readonly goals: number; readonly reversed: number } {
  let [goals, reversed] = [0, 0];
  const last = new Map<string, { readonly target: string; readonly x: number; readonly y: number }>();
  for (const line of lines) {
    if (line.kind !== "step" || line.decision.goal === undefined) continue;
    const { position } = line.decision.goal;
    const target = line.decision.target ?? `${position.x.toFixed(1)} ${position.y.toFixed(1)}`;
    const before = last.get(line.agentId);
    const here = line.pose.position;
    if (before?.target !== target) {
      goals++;
      if (before !== undefined && Math.hypot(before.x - here.x, before.y - here.y) > THERE_M) {
        const old = Math.atan2(before.y - here.y, before.x - here.x);
        const now = Math.atan2(position.y - here.y, position.x - here.x);
        const turned = Math.abs(Math.atan2(Math.sin(now - old), Math.cos(now - old)));
        if (turned > TURNED_RAD) reversed++;
      }
    }
    last.set(line.agentId, { target, x: position.x, y: position.y });
  }
  return { goals, reversed };
}
