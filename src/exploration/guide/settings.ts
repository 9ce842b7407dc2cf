/** Budgets and display limits of the guide, each with unit, range and source. */
export const GUIDE = {
  /**
   * Calls for planning and stopping in one run: four per step (two queries, a letter, a direction) for fifty steps,
   * more than the papers' 3·√S of a house. 1 and more.
   */
  calls: 200,
  /** Billed tokens of these calls, input and output: about 3 000 per call. 1 and more. */
  tokens: 600_000,
  /** Milliseconds of waiting for the model: twenty minutes, within a robot's battery life. 1 and more. */
  timeMs: 1_200_000,
  /** Tokens of memories in one prompt: MemoryEQA's ten memories of a few sentences. 100 and more. */
  memoryTokens: 1_500,
  /** Places among which a model chooses; there are no more letters. 1 to 8. */
  places: 8,
  /** The same in mode paper: explore-eqa's three prompt points. */
  paperPlaces: 3,
  /** Things in view that are named in a prompt. 1 to 64. */
  visible: 32,
  /** Unusable answers in a row, or one failed connection, after which the model is paused. 1 and more. */
  failures: 3,
  /** Steps of such a pause; doubled with each failure in a row. 1 and more. */
  restSteps: 2,
  /** A memory counts for a frontier within this many metres, the range of the frontier's gain. */
  nearM: 3,
} as const;

/** Confidence required to stop, raised after each answer that turned out empty: MemoryEQA's C, D and E. */
export const STOP_LEVELS = [0.5, 0.8, 0.95] as const;
