import { LociError } from "../../schema/errors.ts";
import type { ReadOptions } from "../options.ts";
import type { OpenSource } from "../source.ts";

/** Whether a source is a robot rather than a file. */
export function isLive(source: string): boolean {
  return /^(rosbridge|wss?|foxglove):\/\//.test(source);
}

/** Throws if it is an address of a kind that is not spoken, which would else be looked for as a file. */
export function checkScheme(source: string): void {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(source)?.[1];
  if (scheme === undefined || isLive(source)) return;
  throw new LociError(
    "invalid-input",
    `expected foxglove://HOST:PORT, rosbridge://HOST:PORT (or ws://, wss://), a file or a folder, got "${source.slice(0, 128)}"`,
  );
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
