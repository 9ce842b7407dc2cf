import type { Experiment } from "./experiment.ts";
import { ablationKeys } from "./keys/ablation-keys.ts";

/** Every experiment there is, in the order of the papers' tables. */
export const EXPERIMENTS: readonly Experiment[] = [ablationKeys];
