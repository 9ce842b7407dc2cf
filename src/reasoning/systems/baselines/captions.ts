import { answerFromCaptions } from "../../../models/prompts/r-eqa.ts";
import { findBy } from "../find.ts";
import type { LinesOptions } from "../model/lines.ts";
import { answerByModel } from "../model/model-run.ts";
import { answerFrom } from "../r-eqa/from-captions.ts";
import { readEvidence } from "../reader/read-evidence.ts";
import type { Found, System, SystemOptions } from "../system.ts";

/** So much of a history is told, tokens; beyond it the newest stays. */
const HISTORY_TOKENS = 5_000;
/** Uniform captions in R-EQA (Table 1, mean of its captioners); of a whole history the paper says nothing. */
const UNIFORM_P = 0.38;

/** Ten captions evenly spread over time, for any question: R-EQA's uniform agent; ours shows their pictures too. */
export const uniform: System = narrated("uniform", { tokens: HISTORY_TOKENS }, true);

/** Every caption in order of time, as far as a model's window goes. */
export const wholeHistory: System = narrated(
  "whole-history",
  { tokens: HISTORY_TOKENS, keep: "newest" },
  false,
);

function narrated(name: "uniform" | "whole-history", lines: LinesOptions, pictured: boolean): System {
  const system: System = {
    name,
    prompts: [answerFromCaptions.id],
    answer: (question, options) => {
      const { model } = options;
      const offline = async (asked: string) =>
        readEvidence(name, asked, await narration(name, asked, options), options);
      if (!model) return offline(question);
      return answerByModel(
        system,
        question,
        { ...options, model },
        {
          offline,
          work: async (run) => {
            const withPictures = pictured && run.mode === "ours";
            const found = await narration(name, run.question, options, name === "whole-history");
            return answerFrom(run, found, { rightP: UNIFORM_P, lines, withPictures });
          },
        },
      );
    },
  };
  return system;
}

/** Captions where there are any; a memory of boxes alone is told by its states. */
async function narration(
  plan: "uniform" | "whole-history",
  question: string,
  options: SystemOptions,
  isWhole = false,
): Promise<Found> {
  const tokens = plan === "whole-history" && !isWhole ? { tokens: HISTORY_TOKENS } : {};
  const found = await findBy(plan, question, options, tokens);
  return found.items.length > 0 ? found : findBy(plan, question, options, { ...tokens, kinds: ["state"] });
}
