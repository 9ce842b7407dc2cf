import type { RoomView } from "../../belief/room-names.ts";
import type { Viewer } from "../../belief/viewer.ts";
import { type Vec3, yawOf } from "../../geometry/index.ts";
import { bearingTo, sideOf } from "../algebra/things/viewer.ts";
import { timeText, visitsBy } from "../evidence/index.ts";
import { metresText } from "../say/figures.ts";
import type { LoopMemory } from "./loop-memory.ts";

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
  const last = (await visitsBy(memory.belief)).findLast(({ room: { id } }) => id === one.id);
  const stood = last && (await memory.belief.poseAt(last.toUs - 1));
  if (!stood) return { says: `${elsewhere}it never stood in the ${one.name}, so there is no left or right` };
  const at = timeText(stood.timeUs, memory.nowUs);
  return { viewer: stood, says: `${elsewhere}as it last stood and looked in the ${one.name}, at ${at}` };
}

const EIGHT_SIDES = [
  "front",
  "front left",
  "left",
  "back left",
  "behind",
  "back right",
  "right",
  "front right",
];

/** The side of a viewer on which a point is, and its distance: "back left 2.2 m". */
export function sideText(viewer: Viewer, at: Vec3): string {
  const m = Math.hypot(at.x - viewer.position.x, at.y - viewer.position.y);
  return `${sideOf(bearingTo(viewer, at), EIGHT_SIDES)} ${metresText(m)}`;
}
