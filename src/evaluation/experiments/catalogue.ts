import type { Experiment } from "./experiment.ts";
import { ablationModules } from "./going/ablation-modules.ts";
import { collaboration } from "./going/collaboration.ts";
import { search } from "./going/search.ts";
import { secondQuestion } from "./going/second-question.ts";
import { ablationKeys } from "./keys/ablation-keys.ts";
import { abstention } from "./memory/abstention.ts";
import { crossConditioned } from "./memory/cross-conditioned.ts";
import { episodic } from "./memory/episodic.ts";
import { moved } from "./memory/moved.ts";
import { robustness } from "./memory/robustness.ts";
import { swapModels } from "./memory/swap-models.ts";
import { forest } from "./retrieval/forest.ts";
import { longHorizon } from "./retrieval/long-horizon.ts";
import { redundancy } from "./retrieval/redundancy.ts";
import { sampling } from "./retrieval/sampling.ts";
import { ablationStrategies } from "./retrieval/strategies.ts";
import { sweepK } from "./retrieval/sweep-k.ts";
import { scale } from "./scale/scale.ts";

/** Every experiment there is, in the order of the papers' tables. */
export const EXPERIMENTS: readonly Experiment[] = [
  ablationKeys,
  ablationModules,
  ablationStrategies,
  sweepK,
  sampling,
  redundancy,
  longHorizon,
  forest,
  collaboration,
  secondQuestion,
  scale,
  robustness,
  moved,
  swapModels,
  crossConditioned,
  abstention,
  episodic,
  search,
];
