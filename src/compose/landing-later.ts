import { alignScene } from "./join.ts";
import type { Landing } from "./landing.ts";
import type { Memory } from "./memory.ts";

/** Joins a map that was kept apart to the one where it is recognised by now. Call it while nothing is written to it. */
export async function landLater(
  memory: Memory,
  sceneId: string,
  landing: Landing | undefined,
): Promise<void> {
  const found = await landing?.lookAgain({ isLast: true });
  if (found === undefined) return;
  const { into, map, intoFromMap: transform } = found;
  await alignScene(memory, { sceneId, into, map, transform });
}
