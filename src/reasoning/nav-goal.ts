import type { SceneMap } from "../map/index.ts";
import type { NavGoal } from "../schema/index.ts";
import type { Finding } from "./finding.ts";
import type { AgentPose } from "./recall/poses.ts";

/** Where to stand to see what was found, or in the room that was; undefined where no map is known. */
export async function navGoalOf(
  finding: Finding | undefined,
  pose: AgentPose | undefined,
  open: (() => Promise<SceneMap | undefined>) | undefined,
): Promise<NavGoal | undefined> {
  if (finding?.status !== "answered") return undefined;
  const { goal, goalPlace } = finding;
  const from = pose?.position;
  if (goal?.position && goal.box) {
    const map = await open?.();
    const [view] = map?.viewpoints(goal.box, from ? { from } : {}) ?? [];
    if (!view) return undefined;
    const way = from && map?.path(from, view.positionInWorld);
    return {
      frame: "world",
      position: view.positionInWorld,
      yawRad: view.yawRad,
      lookAt: goal.position,
      trackId: goal.trackId,
      reachable: way !== undefined,
      ...(way && { pathM: way.lengthM }),
    };
  }
  if (!goalPlace) return undefined;
  const map = await open?.();
  const position = map?.nearestReachable(goalPlace, from);
  if (!position) return undefined;
  const way = from && map?.path(from, position);
  return {
    frame: "world",
    position,
    // Whoever walks in looks the way they came.
    yawRad: from ? Math.atan2(position.y - from.y, position.x - from.x) : 0,
    reachable: way !== undefined,
    ...(way && { pathM: way.lengthM }),
  };
}
