import type { Memory } from "../../compose.ts";
import { isLociError, throwIfAborted } from "../../schema/core.ts";

/** Longer than an idle agent keeps the writer. */
const WAIT_MS = 20_000;
const LOOK_MS = 200;

/** Becomes the writer, waiting a little for a holder that is about to release it. */
export async function waitForWriter(
  memory: Memory,
  { signal, onWaiting }: { readonly signal: AbortSignal; readonly onWaiting: () => void },
): Promise<void> {
  const untilMs = performance.now() + WAIT_MS;
  for (let looks = 0; ; looks++) {
    throwIfAborted(signal);
    try {
      await memory.writer();
      return;
    } catch (error) {
      if (!isLociError(error, "memory-busy") || performance.now() > untilMs) throw error;
    }
    if (looks === 0) onWaiting();
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
