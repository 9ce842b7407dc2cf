import type { SourceFormat } from "../recording.ts";

/** Whether a format is a running robot: it does not wait, cannot be read twice and has no end of its own. */
export function isLiveFormat(format: SourceFormat): boolean {
  return format === "rosbridge" || format === "foxglove";
}
