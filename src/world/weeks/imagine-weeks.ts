import { Random } from "../../geometry/index.ts";
import { generateHouse } from "../house/index.ts";
import { type LivedWeeks, liveWeeks } from "./live.ts";
import { patrol, type Round } from "./patrol.ts";

const DAY_US = 86_400_000_000;
/** Monday 5 January 2026, midnight UTC. */
const MONDAY_US = Date.UTC(2026, 0, 5) * 1000;

export interface ImagineOptions {
  readonly seed: number | string;
  readonly days: number;
  /** Midnight of the first day; by default the seed chooses its weekday. */
  readonly startUs?: number | undefined;
  readonly people?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onRound?: ((done: number, all: number) => void) | undefined;
}

export interface ImaginedWeeks extends LivedWeeks {
  readonly rounds: readonly Round[];
}

/** A house, its people over some weeks, and what a robot sees of them on its rounds; nothing is rendered. */
export function imagineWeeks(options: ImagineOptions): ImaginedWeeks {
  const { seed, days, people } = options;
  const startUs = options.startUs ?? MONDAY_US + new Random(seed).fork("first day").int(0, 7) * DAY_US;
  const lived = liveWeeks(generateHouse(seed), {
    seed,
    startUs,
    days,
    ...(people !== undefined && { people }),
  });
  return { ...lived, rounds: patrol(lived.timeline, options) };
}
