import type { Random } from "../../geometry/index.ts";
import { strength } from "./levels.ts";

const JITTER_US = 10_000;
const OFFSET_US = 500_000;
const USUAL_DELAY_US = 20_000;
const LATE = 0.05;
const LATEST_US = 5_000_000;
const LOST = 0.02;

/** An agent's clock: a constant offset of up to half a second, plus a few milliseconds of jitter. */
export class AgentClock {
  /** Offset of the clock, positive if ahead. */
  readonly offsetUs: number;
  readonly #jitterUs: number;

  constructor(random: Random, level: number) {
    this.offsetUs = Math.round(random.range(-1, 1) * OFFSET_US * strength(level));
    this.#jitterUs = JITTER_US * strength(level);
  }

  stamp(random: Random, trueUs: number): number {
    return trueUs + this.offsetUs + Math.round(random.normal(0, this.#jitterUs));
  }
}

/** When a packet sent at a true time arrives, or undefined if it never does; 1 in 20 is seconds late. */
export function arrival(random: Random, level: number, trueUs: number): number | undefined {
  if (level === 0) return trueUs;
  const s = strength(level);
  if (random.chance(LOST * s)) return undefined;
  const late = random.chance(LATE * s) ? random.range(0.1, 1) * LATEST_US : 0;
  return trueUs + Math.round(USUAL_DELAY_US * (0.5 + random.next()) + late);
}
