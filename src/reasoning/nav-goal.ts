import type { AgentPose } from "../belief/poses.ts";
import type { Box, Vec3 } from "../geometry/index.ts";
import type { SceneMap } from "../map/index.ts";
import type { NavGoal } from "../schema/index.ts";
import type { Said } from "./say/said.ts";

/** A pose from which the result is visible, or in the room found; undefined without a map. */
export async function navGoalOf(
  finding: Pick<Said, "status" | "goal" | "goalPlace"> | undefined,
  pose: AgentPose | undefined,
  open: (() => Promise<SceneMap | undefined>) | undefined,
): Promise<NavGoal | undefined> {
  if (finding?.status !== "answered") return undefined;
  const { goal } = finding;
  // A robot sent to a place stands in it.
  const goalPlace = finding.goalPlace ?? (goal?.spot && goal.position);
  const from = pose?.position;
  if (goal?.position && goal.box && !goal.spot) {
    const { position, box, trackId, state } = goal;
    return goalToSee({ position, box, trackId, roomId: state.regionId }, from, await open?.());
  }
  const map = goalPlace && (await open?.());
  const position = map && goalPlace && map.nearestReachable(goalPlace, from);
  if (!position) return undefined;
  return {
    frame: "world",
    position,
    // A robot walking in looks in its direction of travel.
    yawRad: from ? Math.atan2(position.y - from.y, position.x - from.x) : 0,
    ...wayTo(position, from, map),
  };
}

/** A pose from which a thing is visible; undefined without a map or such a pose. */
export function goalToSee(
  target: {
    readonly position: Vec3;
    readonly box: Box;
    readonly trackId: string;
    readonly roomId?: string | undefined;
  },
  from: Vec3 | undefined,
  map: SceneMap | undefined,
): NavGoal | undefined {
  const { position, box, trackId, roomId } = target;
  const [view] = map?.viewpoints(box, { roomId, ...(from && { from }) }) ?? [];
  if (!map || !view) return undefined;
  const { positionInWorld, yawRad } = view;
  return {
    frame: "world",
    position: positionInWorld,
    yawRad,
    lookAt: position,
    trackId,
    ...wayTo(positionInWorld, from, map),
  };
}

function wayTo(position: Vec3, from: Vec3 | undefined, map: SceneMap): Pick<NavGoal, "reachable" | "pathM"> {
  const way = from && map.path(from, position);
  return { reachable: way !== undefined, ...(way && { pathM: way.lengthM }) };
}
