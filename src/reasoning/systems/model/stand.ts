import { Belief } from "../../../belief/belief.ts";
import { lastPose } from "../../../belief/poses.ts";
import type { Viewer } from "../../../belief/viewer.ts";
import { clock } from "../../loop/live.ts";
import type { SystemOptions } from "../system.ts";

/** Where the asked one stands: as it says, else where it last looked from. */
export async function standOf(options: SystemOptions): Promise<Viewer | undefined> {
  return options.pose ?? (await lastPose(new Belief(options), options.nowUs, options.agentId));
}

/**
 * "(2.4, 2.0, 1.5), facing 38° from east, turning left counts up": without names from the memory, since it is not
 * quoted.
 */
export async function standText(options: SystemOptions): Promise<string> {
  const stand = await standOf(options);
  if (!stand) return "an unknown place";
  const { x, y, z } = stand.position;
  return `(${x.toFixed(1)}, ${y.toFixed(1)}, ${z.toFixed(1)}), ${facingText(stand)}`;
}

/** "facing 38° from east, turning left counts up". */
export function facingText({ yawRad }: Pick<Viewer, "yawRad">): string {
  return `facing ${Math.round((yawRad * 180) / Math.PI)}° from east, turning left counts up`;
}

/** "It is now 2026-01-05 09:05:59 UTC; the robot is at …": facts that no caption contains. */
export async function nowText(options: SystemOptions): Promise<string> {
  return `It is now ${clock(options.nowUs)}; the robot is at ${await standText(options)}.`;
}
