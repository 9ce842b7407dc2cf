import type { z } from "zod";
import type { BudgetedModel, EncodedImage } from "../../models/index.ts";
import type { PromptSpec } from "../../models/prompts/index.ts";
import { runPrompt } from "../../models/prompts/run-prompt.ts";
import { isLociError, throwIfAborted } from "../../schema/index.ts";
import { encodePng, type Frame, type Stand } from "../../sensors/index.ts";
import type { Terrain } from "../ground/terrain.ts";
import { type Mark, planWith, viewWith } from "./marks.ts";
import type { Note } from "./notes.ts";
import { GUIDE } from "./settings.ts";

/** Most doublings of the pause after failures: a permanently failing model is called every few dozen steps. */
const MOST_DOUBLINGS = 4;

/** Calls the model of an exploration; after a failure the rules take that step, and the run continues. */
export class Asking {
  readonly #model: BudgetedModel;
  #failures = 0;
  #restsUntil = -1;

  constructor(model: BudgetedModel) {
    this.#model = model;
  }

  /** The model's answer; undefined if it gave no usable one, and the note says why. */
  async ask<I extends z.ZodType, O extends z.ZodType>(
    note: Note,
    prompt: PromptSpec<I, O>,
    input: z.input<I>,
    {
      step,
      asked: { signal },
    }: { readonly step: number; readonly asked: { readonly signal?: AbortSignal | undefined } },
    images: readonly EncodedImage[] = [],
  ): Promise<z.output<O> | undefined> {
    throwIfAborted(signal);
    if (step < this.#restsUntil) {
      note.say({
        fallback: `${this.#model.id} failed before; it is asked again at step ${this.#restsUntil}`,
      });
      return undefined;
    }
    note.asked(prompt);
    try {
      const { output } = await runPrompt(this.#model, prompt, input, {
        images: images.slice(0, prompt.images.most),
        signal,
        onUsage: (usage) => note.used(usage),
      });
      this.#failures = 0;
      return output;
    } catch (error) {
      if (!isFailure(error)) throw error;
      this.#failures++;
      if (error.code !== "model-failed" || this.#failures >= GUIDE.failures)
        this.#restsUntil = step + GUIDE.restSteps * 2 ** Math.min(this.#failures - 1, MOST_DOUBLINGS);
      note.say({ fallback: `${error.code}: ${error.message}` });
      return undefined;
    }
  }

  /** The offered places on pictures: the view, if some are in it, and the plan from above. */
  async lettered(
    frame: Frame | undefined,
    terrain: Terrain,
    at: Stand,
    marks: readonly Mark[],
  ): Promise<{ images: EncodedImage[]; shown: string[] }> {
    if (!this.#model.capabilities.vision) return { images: [], shown: [] };
    const view = frame && viewWith(frame, marks);
    const plan = planWith(terrain, at, marks);
    const pictures = [...(view ? [view.picture] : []), plan];
    return {
      images: await Promise.all(
        pictures.map(async (picture) => ({ bytes: await encodePng({ ...picture, channels: 3 }) })),
      ),
      shown: [
        ...(view ? [`what is ahead, with ${view.letters.join(", ")}`] : []),
        "the plan from above: white floor, black walls and furniture, grey unknown, you are the red arrow",
      ],
    };
  }
}

function isFailure(error: unknown) {
  return (
    isLociError(error, "model-failed") ||
    isLociError(error, "model-unavailable") ||
    isLociError(error, "limit-exceeded") ||
    isLociError(error, "not-supported")
  );
}
