import { answerFromCaptions } from "../../../models/prompts/r-eqa.ts";
import type { Evidence } from "../../../retrieval/index.ts";
import { recordsBy } from "../find.ts";
import { backdropOf } from "../model/backdrop.ts";
import { framesShown, type ShownFrame } from "../model/keyframes.ts";
import { type LinesOptions, numbered } from "../model/lines.ts";
import type { ModelRun } from "../model/model-run.ts";
import type { ModelSaid } from "../model/said.ts";
import { citedIn, readWords } from "../model/words.ts";
import type { Found } from "../system.ts";

export interface CaptionsOptions {
  /** How often an answer of this agent is right, by its paper; the prompt asks for no confidence. */
  readonly rightP: number;
  /** How the captions are put down. */
  readonly lines?: LinesOptions | undefined;
  /** Whether pictures of the captions go along, for a model that sees. */
  readonly withPictures?: boolean | undefined;
}

/** Captions that a prompt may hold, tokens. */
const TOKENS = 4_500;

/**
 * R-EQA's agents: one answer of a model from captions and examples, LLM(w, c, q). Without captions it is the blind
 * agent, LLM(w, q). Ours numbers the captions, adds the beliefs about the things in them, and asks for the numbers and
 * things that the answer rests on; literally that is everything shown.
 */
export async function answerFrom(
  run: ModelRun,
  found: Found | undefined,
  { rightP, lines: how, withPictures = false }: CaptionsOptions,
): Promise<ModelSaid> {
  const { question, options, mode } = run;
  const cites = mode === "ours" && found !== undefined;
  const backdrop = cites ? await backdropOf(found.items, run) : undefined;
  const lines =
    found && (await numbered(found.items, options, { tokens: TOKENS, ...how, ...backdrop?.lines }));
  const shown = lines?.told ?? [];
  if (found) run.found({ ...found, items: shown });
  const pictures = withPictures && run.vision ? await viewsOf(shown, run) : [];
  const answer = await run.ask(
    answerFromCaptions,
    {
      question,
      ...(lines && { captions: lines.text }),
      ...(backdrop && { now: backdrop.now, things: backdrop.things }),
      cites,
      ...(options.options && { options: [...options.options] }),
      pictures: pictures.length,
    },
    pictures.map(({ image }) => image),
  );
  const { text, marks } = citedIn(answer);
  const named = marks.flatMap((mark) => lines?.items.get(mark) ?? backdrop?.byId(mark) ?? []);
  run.show(named);
  const words = readWords(text, question, options.options);
  const cited = cites ? named : shown;
  // Where no caption is named, the place or time comes from the one most similar to the question.
  const [best] = shown.toSorted((a, b) => b.score - a.score);
  return { ...words, text, cited, subject: cites ? named[0] : best, confidence: rightP };
}

/** The picture of each caption: the view that it was written of. */
async function viewsOf(captions: readonly Evidence[], { options }: ModelRun): Promise<ShownFrame[]> {
  const ids = captions.flatMap(({ record }) => (record.kind === "caption" ? (record.views[0] ?? []) : []));
  const views = await recordsBy(ids, options);
  return framesShown(
    views.toSorted((a, b) => a.record.validFromUs - b.record.validFromUs),
    options,
  );
}
