import { setTimeout as sleep } from "node:timers/promises";

/** A restart or a fail-over is waited for about half a minute altogether. */
const TRIES = 12;
const FIRST_PAUSE_MS = 40;
const LONGEST_PAUSE_MS = 5_000;

/** Repeats work as long as `again` says that a retry may succeed; the pauses grow, and end. */
export async function patiently<T>(
  work: (attempt: number) => Promise<T>,
  again: (error: unknown) => boolean,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work(attempt);
    } catch (error) {
      if (attempt >= TRIES || !again(error)) throw error;
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** attempt, LONGEST_PAUSE_MS);
      // Not all at once: others wait for the same.
      await sleep(pause * (0.5 + Math.random() / 2));
    }
  }
}
