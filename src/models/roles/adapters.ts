import type { Captioner } from "../captioner.ts";
import type { EncodedImage } from "../embedder.ts";
import type { LanguageModel } from "../language/language-model.ts";
import { abstraction, selectChild } from "../prompts/embodied-rag.ts";
import { confidenceLetter } from "../prompts/memory-eqa.ts";
import { sameObject } from "../prompts/r4.ts";
import { runPrompt } from "../prompts/run-prompt.ts";
import { clipCaption } from "../prompts/star.ts";
import type { Summariser } from "../summariser.ts";
import { orNull, PARALLEL } from "./or-null.ts";

const FRAMES = 6;
const THINGS = 24;
const CHILDREN = 64;
const PART_CHARS = 2_000;

/**
 * A vision model as captioner of clips of a few seconds. The caller that opened the model closes it, here and below:
 * several roles may share one.
 */
export function modelCaptioner(model: LanguageModel): Captioner {
  return {
    id: model.id,
    async caption({ room, things, images }, { signal } = {}) {
      const frames = (await images()).slice(0, FRAMES);
      if (frames.length === 0) return null;
      const input = { things: things.slice(0, THINGS), ...(room !== undefined && { room }) };
      return orNull(runPrompt(model, clipCaption, input, { images: frames, signal }));
    },
    close: async () => undefined,
  };
}

/** Embodied-RAG's abstraction of a region's parts by a language model; throws on failure, as the port requires. */
export function modelSummariser(model: LanguageModel): Summariser {
  return {
    id: model.id,
    parallel: model.parallel ?? PARALLEL,
    async summarise({ name, parts, things }, { signal } = {}) {
      const contents = things.map(({ category, count }) => `${count} ${category}`).join(", ");
      const children = [
        ...parts.map((part) => [part.name ?? "", ...part.lines].join(" ").trim()),
        contents === "" ? "" : `Things in all: ${contents}`,
      ].filter((text) => text !== "");
      const input = {
        children: (children.length > 0 ? children : ["nothing known"])
          .slice(0, CHILDREN)
          .map((text) => whole(text, PART_CHARS)),
        ...(name !== undefined && { name }),
      };
      return (await runPrompt(model, abstraction, input, { signal })).output;
    },
  };
}

/** Embodied-RAG's selector: which children of a region lead to the target, 0 to 100 each. */
export function modelSelector(model: LanguageModel) {
  return {
    async score(
      query: string,
      children: readonly { readonly id: string; readonly text: string }[],
      signal?: AbortSignal,
    ): Promise<ReadonlyMap<string, number>> {
      const shown = children
        .slice(0, CHILDREN)
        .map(({ id, text }) => ({ id, text: whole(text, PART_CHARS) }));
      const input = { query, children: shown, k: Math.min(16, Math.max(1, shown.length)) };
      const { output } = await runPrompt(model, selectChild, input, { signal });
      const known = new Set(shown.map(({ id }) => id));
      // Places that were not offered are ignored.
      return new Map(output.chosen.filter(({ id }) => known.has(id)).map(({ id, score }) => [id, score]));
    },
  };
}

/** A text that is too long, cut before the word that would be split. */
function whole(text: string, chars: number): string {
  return text.length <= chars ? text : text.slice(0, chars).replace(/\s+\S*$/, "");
}

/** R⁴'s adjudication of an observed thing against candidate things. */
export interface Matcher {
  readonly id: string;
  /** The id of the matching thing, null for a new thing, undefined if the model gave no answer. */
  same(
    seen: string,
    proposals: readonly { readonly id: string; readonly text: string }[],
    signal?: AbortSignal,
  ): Promise<string | null | undefined>;
}

const PROPOSALS = 16;

export function modelMatcher(model: LanguageModel): Matcher {
  return {
    id: model.id,
    async same(seen, proposals, signal) {
      const input = { seen, proposals: proposals.slice(0, PROPOSALS) };
      const said = await orNull(runPrompt(model, sameObject, input, { signal }));
      if (said === null) return undefined;
      // A thing that was not proposed is not a valid answer.
      return said.same === null || proposals.some(({ id }) => id === said.same) ? said.same : undefined;
    },
  };
}

/** MemoryEQA's confidence letters (P6), separate from the answering model. */
export interface ConfidenceRater {
  readonly id: string;
  /** The confidence that an answer can have, 0 to 1; undefined if the model gave none. */
  rate(
    asked: {
      readonly question: string;
      readonly memories: string;
      /** Context for the memories and, during an exploration, what is left to observe. */
      readonly things?: string | undefined;
      readonly now?: string | undefined;
      readonly left?: string | undefined;
      readonly images?: readonly EncodedImage[];
    },
    signal?: AbortSignal,
  ): Promise<number | undefined>;
}

/**
 * The probability for each of MemoryEQA's letters, A "very low" to E "very high": our interpretation. The paper stops
 * from C on.
 */
export const SURE_BY_LETTER: Readonly<Record<"A" | "B" | "C" | "D" | "E", number>> = {
  A: 0.05,
  B: 0.25,
  C: 0.5,
  D: 0.8,
  E: 0.95,
};

export function modelConfidence(model: LanguageModel): ConfidenceRater {
  return {
    id: model.id,
    async rate({ images = [], ...given }, signal) {
      const shown = model.capabilities.vision ? images.slice(0, confidenceLetter.images.most) : [];
      const asked = runPrompt(model, confidenceLetter, given, { images: shown, signal });
      const said = await orNull(asked);
      return said === null ? undefined : SURE_BY_LETTER[said];
    },
  };
}
