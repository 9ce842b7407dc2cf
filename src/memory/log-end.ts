import type { TimeUs } from "../geometry/index.ts";
import type { MemoryReader } from "./port.ts";

/**
 * Memory time up to which a reader has everything there is: changes after it are new. It may be that of a commit that
 * the reader cannot see, so it is not told to callers.
 */
export async function logEndOf(reader: MemoryReader): Promise<TimeUs | null> {
  return reader.logEndUs ? reader.logEndUs() : (await reader.stats()).lastCommitUs;
}
