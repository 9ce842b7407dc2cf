import { Belief } from "../belief/belief.ts";
import { distance, fromYaw } from "../geometry/index.ts";
import type { SceneMap } from "../map/index.ts";
import { GRID } from "../map/settings.ts";
import { type Goal, type NavGoal, WORLD_FRAME } from "../schema/core.ts";
import { type AskedMap, goalIn } from "./asked-map.ts";
import { nameOfFrame, ROS_MAP, robotFrameIn } from "./robot-frames.ts";

/** A target that was not looked at for longer is called stale: a home changes within a day. */
export const STALE_AFTER_S = 86_400;

export interface GoalContext {
  readonly asked: AskedMap;
  readonly sceneId?: string | undefined;
  readonly nowUs: number;
  readonly map?: (() => Promise<SceneMap | undefined>) | undefined;
  readonly staleAfterS?: number | undefined;
}

/** A goal with what a robot needs to judge it: the map's revision, the age of the evidence and how sure the pose is. */
export async function evidencedGoal(goal: NavGoal, context: GoalContext): Promise<NavGoal> {
  const { asked, nowUs, sceneId, map, staleAfterS = STALE_AFTER_S } = context;
  const { reader } = asked;
  const graph = await reader.frames();
  const belief = new Belief({ reader, nowUs, ...(sceneId !== undefined && { sceneId }) });
  const thing = goal.trackId === undefined ? undefined : await belief.thingById(goal.trackId);
  const lookedAtUs = thing
    ? await belief.lastSeenUs(thing)
    : (await map?.())?.lookedAtUs(goal.lookAt ?? goal.position);
  const ageS = lookedAtUs === undefined ? undefined : Math.max(0, (nowUs - lookedAtUs) / 1e6);
  const name = goal.name ?? (thing ?? (await belief.roomAt(goal.position)))?.name;
  const cov = thing?.state.anchor?.cov;
  const targetSdM = cov ? Math.sqrt(Math.max(0, (cov[0]! + cov[4]!) / 2)) : 0;
  const sdM = Math.hypot(targetSdM, CELL_SD_M);
  const toTargetM = goal.lookAt ? distance(goal.lookAt, goal.position) : 0;
  return {
    ...goal,
    ...(name !== undefined && { name }),
    mapRevision: graph.revision,
    ...(lookedAtUs !== undefined && { lookedAtUs }),
    ...(ageS !== undefined && { ageS }),
    ...(ageS !== undefined && ageS > staleAfterS && { stale: `not looked at for ${lastingText(ageS)}` }),
    sdM,
    yawSdRad: toTargetM > sdM ? Math.atan2(sdM, toTargetM) : 0,
  };
}

/** A point is known to a cell of the map, evenly within it. */
const CELL_SD_M = GRID.cellM / Math.sqrt(12);

/** The time that something has lasted, to its largest unit: "9 days". */
function lastingText(s: number): string {
  const [n, unit] = s < 5_400 ? [s / 60, "minute"] : s < 129_600 ? [s / 3_600, "hour"] : [s / 86_400, "day"];
  const count = Math.round(n as number);
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/**
 * The goal as geometry_msgs/PoseWithCovarianceStamped in the frame that the robot knows: the requested one; else the
 * one that the robot's recordings called their world; else REP 105's `map` for our world, and the map's own name for
 * another.
 */
export async function rosGoal(
  goal: NavGoal,
  { asked }: Pick<GoalContext, "asked">,
  agentId: string | undefined,
): Promise<NonNullable<Goal["ros"]>> {
  const { root, reader } = asked;
  const isAsked = goal.frame !== root;
  const own =
    agentId === undefined || isAsked ? undefined : robotFrameIn(await reader.frames(), root, agentId);
  const { position, yawRad } = own
    ? goalIn(goal, { ...asked, frame: own.name, frameFromRoot: own.frameFromRoot })
    : goal;
  const { x, y, z, w } = fromYaw(yawRad);
  const variance = (goal.sdM ?? 0) ** 2;
  const covariance = Array<number>(36).fill(0);
  [covariance[0], covariance[7], covariance[35]] = [variance, variance, (goal.yawSdRad ?? 0) ** 2];
  return {
    header: {
      stamp: { sec: 0, nanosec: 0 },
      frame_id: own?.name ?? (goal.frame === WORLD_FRAME ? ROS_MAP : nameOfFrame(goal.frame)),
    },
    pose: { pose: { position, orientation: { w, x, y, z } }, covariance },
  };
}
