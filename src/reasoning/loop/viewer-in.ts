import { ownSteps, type Visit, visitsOf } from "../../belief/looks.ts";
import type { RoomView } from "../../belief/room-names.ts";
import type { Viewer } from "../../belief/viewer.ts";
import { yawOf } from "../../geometry/index.ts";
import { LIMITS } from "../../schema/core.ts";
import { timeText } from "../evidence/index.ts";
import type { LoopMemory } from "./loop-memory.ts";

/** When the robot was in which room, until now. */
export async function visitsBy({ belief, nowUs }: LoopMemory): Promise<Visit[]> {
  const steps = await ownSteps({ memory: belief }, { fromUs: -LIMITS.timeUs, toUs: nowUs + 1 });
  return visitsOf(steps, belief);
}

/** Whose left and right are meant in a room: the robot's where it stands in it, else where it last stood in it. */
export async function viewerIn(
  one: RoomView,
  memory: LoopMemory,
): Promise<{ readonly viewer?: Viewer | undefined; readonly says: string }> {
  const { pose } = memory.options;
  const here = pose && (await memory.belief.roomAt(pose.p));
  if (pose && here?.id === one.id)
    return { viewer: { position: pose.p, yawRad: yawOf(pose.q) }, says: "as the robot stands and looks now" };
  const elsewhere = here ? `the robot is in the ${here.name}; ` : "";
  const last = (await visitsBy(memory)).findLast(({ room: { id } }) => id === one.id);
  const stood = last && (await memory.belief.poseAt(last.toUs - 1));
  if (!stood) return { says: `${elsewhere}it never stood in the ${one.name}, so there is no left or right` };
  const at = timeText(stood.timeUs, memory.nowUs);
  return { viewer: stood, says: `${elsewhere}as it last stood and looked in the ${one.name}, at ${at}` };
}
