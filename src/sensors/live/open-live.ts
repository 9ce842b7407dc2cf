import type { ReadOptions } from "../options.ts";
import type { OpenSource } from "../source.ts";

/** Whether a source is a robot rather than a file. */
export function isLive(source: string): boolean {
  return /^(rosbridge|wss?|foxglove):\/\//.test(source);
}

/** Throws if a live source's address can be none, before anything waits for it. */
export async function checkLive(source: string): Promise<void> {
  if (source.startsWith("foxglove:")) (await import("../foxglove/link.ts")).foxgloveAddress(source);
  else (await import("../rosbridge/link.ts")).rosbridgeAddress(source);
}

/** A running robot, by the protocol that its address names; ws:// is rosbridge. */
export async function openLive(source: string, options: ReadOptions): Promise<OpenSource> {
  if (source.startsWith("foxglove:"))
    return (await import("../foxglove/foxglove-source.ts")).openFoxglove(source, options);
  return (await import("../rosbridge/live-source.ts")).openRosbridge(source, options);
}
