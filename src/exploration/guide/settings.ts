/** What the guide of a walk may use up and show, each with its unit, range and source. */
export const GUIDE = {
  /**
   * Calls for planning and stopping in one run: four a step (two queries, a letter, a direction) for fifty steps, more than
   * the papers' 3·√S of a house. 1 and more.
   */
  calls: 200,
  /** Tokens of these calls, in and out, as billed: about 3 000 a call. 1 and more. */
  tokens: 600_000,
  /** Milliseconds of waiting for the model: twenty minutes, what a robot's battery bears. 1 and more. */
  timeMs: 1_200_000,
  /** Tokens of memories in one prompt: MemoryEQA's ten memories of a few sentences. 100 and more. */
  memoryTokens: 1_500,
  /** Places among which a model chooses; our letters go so far. 1 to 8. */
  places: 8,
  /** The same in mode paper: explore-eqa's three prompt points. */
  paperPlaces: 3,
  /** Things of the view that are named in a prompt. 1 to 64. */
  visible: 32,
  /** So many answers in a row that could not be used, or one call that reached nobody, and the model is let rest. 1 and more. */
  failures: 3,
  /** Steps of such a rest; doubled with each failure in a row. 1 and more. */
  restSteps: 2,
  /** A memory counts for a frontier within so many metres: the unknown in sight of it is counted so far as well. */
  nearM: 3,
} as const;

/** How sure an answer must be to stop, one level after the other where the answer then was none: MemoryEQA's C, D and E. */
export const STOP_LEVELS = [0.5, 0.8, 0.95] as const;
