import { isLociError } from "../../schema/index.ts";
import type { Captioner } from "../captioner.ts";
import type { Describer } from "../describer.ts";
import { abstraction, selectChild } from "../prompts/embodied-rag.ts";
import { describeInstance } from "../prompts/r4.ts";
import { runPrompt } from "../prompts/run-prompt.ts";
import { clipCaption } from "../prompts/star.ts";
import type { Summariser } from "../summariser.ts";
import type { LanguageModel } from "./language-model.ts";

const PARALLEL = 4;
const FRAMES = 6;
const THINGS = 24;
const CHILDREN = 64;
const PART_CHARS = 2_000;

/** A language model that sees, as the one who puts things into words; null where it cannot. */
export function modelDescriber(model: LanguageModel): Describer {
  return {
    id: model.id,
    describe: (things, { signal } = {}) =>
      inParallel(things, async ({ label, image }) => {
        const crop = await image();
        if (crop === undefined) return null;
        const input = label === undefined ? {} : { label };
        return orNull(runPrompt(model, describeInstance, input, { images: [crop], signal }));
      }),
    close: () => model.close(),
  };
}

/** The same for clips of a few seconds. */
export function modelCaptioner(model: LanguageModel): Captioner {
  return {
    id: model.id,
    async caption({ room, things, images }, { signal } = {}) {
      const frames = (await images()).slice(0, FRAMES);
      if (frames.length === 0) return null;
      const input = { things: things.slice(0, THINGS), ...(room !== undefined && { room }) };
      return orNull(runPrompt(model, clipCaption, input, { images: frames, signal }));
    },
    close: () => model.close(),
  };
}

/** Embodied-RAG's abstraction of a region's parts by a language model; throws where it fails, as the port says. */
export function modelSummariser(model: LanguageModel): Summariser {
  return {
    id: model.id,
    parallel: PARALLEL,
    async summarise({ name, parts, things }, { signal } = {}) {
      const contents = things.map(({ category, count }) => `${count} ${category}`).join(", ");
      const children = [
        ...parts.map((part) => [part.name ?? "", ...part.lines].join(" ").trim()),
        contents === "" ? "" : `Things in all: ${contents}`,
      ].filter((text) => text !== "");
      const input = {
        children: (children.length > 0 ? children : ["nothing known"])
          .slice(0, CHILDREN)
          .map((text) => text.slice(0, PART_CHARS)),
        ...(name !== undefined && { name }),
      };
      return (await runPrompt(model, abstraction, input, { signal })).output;
    },
  };
}

/** Embodied-RAG's selector: which children of a region lead to what is asked for, 0 to 100 each. */
export function modelSelector(model: LanguageModel) {
  return {
    async score(
      query: string,
      children: readonly { readonly id: string; readonly text: string }[],
      signal?: AbortSignal,
    ): Promise<ReadonlyMap<string, number>> {
      const shown = children
        .slice(0, CHILDREN)
        .map(({ id, text }) => ({ id, text: text.slice(0, PART_CHARS) }));
      const input = { query, children: shown, k: Math.min(16, Math.max(1, shown.length)) };
      const { output } = await runPrompt(model, selectChild, input, { signal });
      const known = new Set(shown.map(({ id }) => id));
      // A place that was not offered is nowhere to go.
      return new Map(output.chosen.filter(({ id }) => known.has(id)).map(({ id, score }) => [id, score]));
    },
  };
}

/** What a model could not say is null, and the caller's template speaks instead; only an abort is thrown. */
async function orNull(asked: Promise<{ readonly output: string }>): Promise<string | null> {
  try {
    return (await asked).output;
  } catch (error) {
    if (!isLociError(error) || error.code === "aborted") throw error;
    return null;
  }
}

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results = new Array<R>(items.length);
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next++;
      results[at] = await work(items[at]!);
    }
  };
  await Promise.all(Array.from({ length: Math.min(PARALLEL, items.length) }, worker));
  return results;
}
