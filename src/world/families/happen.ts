import type { Random, TimeUs } from "../../geometry/index.ts";
import { LociError } from "../../schema/index.ts";

const HOUR_US = 3_600_000_000;
const MAX_EVENTS = 20_000;
/** Pause between two events, so that each can be told apart. */
const PAUSE_US = 500_000;
/** Events that would run over the end are not started. */
const LONGEST_US = 90_000_000;
const TRIES = 6;

/**
 * Schedules events one after the other at a rate per hour; an impossible event is drawn again, a few times. Each
 * returns its end, and none begins before that, so that each starts in a settled world.
 */
export function happen(
  options: {
    readonly startUs: TimeUs;
    readonly durationUs: number;
    readonly rate: number;
    readonly random: Random;
  },
  draw: (timeUs: TimeUs, random: Random) => TimeUs | undefined,
): void {
  const { startUs, durationUs, rate, random } = options;
  const count = Math.round((durationUs / HOUR_US) * rate);
  if (!(rate >= 0) || count > MAX_EVENTS)
    throw new LociError(
      "invalid-input",
      `expected at most ${MAX_EVENTS} events in all, got a rate of ${rate}`,
    );
  const times = Array.from({ length: count }, () => startUs + Math.floor(random.next() * durationUs));
  const lastUs = startUs + durationUs - Math.min(LONGEST_US, durationUs / 4);
  let now = startUs + PAUSE_US;
  times
    .sort((a, b) => a - b)
    .forEach((timeUs, i) => {
      const atUs = Math.max(timeUs, now);
      const own = random.fork(`event/${i}`);
      for (let attempt = 0; attempt < TRIES && atUs <= lastUs; attempt++) {
        const doneUs = draw(atUs, own);
        if (doneUs === undefined) continue;
        now = doneUs + PAUSE_US;
        return;
      }
    });
}
