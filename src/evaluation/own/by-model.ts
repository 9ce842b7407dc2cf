import type { MemoryReader } from "../../memory/index.ts";
import type { LanguageModel } from "../../models/index.ts";
import { questionSynthesis, questionValidity } from "../../models/prompts/memory-eqa.ts";
import { runPrompt } from "../../models/prompts/run-prompt.ts";
import type { Draft, Label } from "./by-rules.ts";
import type { SpacedView } from "./spaced-views.ts";

/** Number of views shown to a model at once (MemoryEQA's mosaic). */
const VIEWS = 9;

/** One question with a label by a vision model; null if it gave no usable one. */
export async function questionByModel(
  model: LanguageModel,
  reader: MemoryReader,
  views: readonly SpacedView[],
  label: Label,
  options: { readonly signal?: AbortSignal | undefined; readonly sample: number },
): Promise<Draft | null> {
  const images = await picturesOf(reader, views);
  const { signal, sample } = options;
  const call = { ...(signal && { signal }), sample };
  const { output } = await runPrompt(model, questionSynthesis, { label }, { ...call, images });
  const { valid } = (
    await runPrompt(model, questionValidity, { question: output.question, options: output.options }, call)
  ).output;
  if (valid === "no") return null;
  const right = output.options["ABCD".indexOf(output.answer)]!;
  return {
    label,
    text: output.question,
    right,
    wrong: output.options.filter((option) => option !== right),
    targets: [],
  };
}

async function picturesOf(reader: MemoryReader, views: readonly SpacedView[]) {
  const found = await Promise.all(views.slice(0, VIEWS).map(({ view }) => reader.blob(view.thumb)));
  return found.flatMap((bytes) => (bytes ? [{ bytes }] : []));
}
