import type { LanguageModel } from "../../models/index.ts";
import { exploreDirection, exploreWorth } from "../../models/prompts/memory-eqa.ts";
import { runPrompt } from "../../models/prompts/run-prompt.ts";
import { isLociError } from "../../schema/index.ts";
import { encodePng, type Frame } from "../../sensors/index.ts";
import type { Frontier } from "../ground/frontiers.ts";
import { inPicture, LETTERS, viewWith } from "./marks.ts";

/** Scores the frontiers in view by whether they are worth going to, 0–1 for each that it saw. */
export interface DirectionJudge {
  judge(
    frame: Frame,
    frontiers: readonly Frontier[],
    asked: {
      readonly question: string;
      readonly memories: string;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<ReadonlyMap<string, number>>;
}

/** explore-eqa letters three places, two to ten metres away (its released code). */
const MOST_LETTERS = 3;
/**
 * The value of a place that is not chosen, of the chosen one, and the factor for both where nothing this way would
 * help.
 */
const OTHERS = 0.2;
const CHOSEN = 1;
const NOT_WORTH = 0.333;

/**
 * A vision model as judge of directions, by explore-eqa's prompts: lettered places are drawn on the picture, the
 * model names one, and says whether anything this way would help. If the model fails, there are no scores, and the
 * run continues.
 */
export function visionJudge(model: LanguageModel): DirectionJudge {
  return {
    async judge(frame, frontiers, { question, memories, signal }) {
      const near = inPicture(
        frame,
        frontiers.map((frontier) => ({ frontier, at: frontier.middle })),
      ).slice(0, MOST_LETTERS);
      const places = near.map(({ place }, n) => ({ ...place, letter: LETTERS[n]! }));
      const shown = viewWith(frame, places);
      if (shown === undefined) return new Map();
      try {
        const images = [{ bytes: await encodePng({ ...shown.picture, channels: 3 }) }];
        const letters = places.map(({ letter }) => letter);
        const asked = { question, letters, pictures: ["what is ahead"], memories };
        const direction = await runPrompt(model, exploreDirection, asked, { images, signal });
        const worth = await runPrompt(model, exploreWorth, { question, memories }, { images, signal });
        const scale = worth.output === "yes" ? 1 : NOT_WORTH;
        return new Map(
          places.map(({ letter, frontier }) => [
            frontier.id,
            scale * (letter === direction.output.letter ? CHOSEN : OTHERS),
          ]),
        );
      } catch (error) {
        if (isLociError(error, "model-failed") || isLociError(error, "model-unavailable")) return new Map();
        throw error;
      }
    },
  };
}
