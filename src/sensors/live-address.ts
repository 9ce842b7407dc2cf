import { rosbridgeAddress } from "./rosbridge/link.ts";

/** Whether a source is a robot rather than a file. */
export function isLive(source: string): boolean {
  return /^(rosbridge|wss?):\/\//.test(source);
}

/** Throws if a live source's address can be none, before anything waits for it. */
export function checkLive(source: string): void {
  rosbridgeAddress(source);
}
