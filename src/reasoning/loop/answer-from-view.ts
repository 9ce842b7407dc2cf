import type { z } from "zod";
import { answerability, runPrompt, type SearchKeys } from "../../models/prompts/index.ts";
import { isLociError } from "../../schema/index.ts";
import { agreed, LEAST_AGREEING, SAMPLES } from "./agreement.ts";
import { clock, type LiveView } from "./live.ts";
import type { Work } from "./work.ts";

type Sampled = z.output<typeof answerability.output>;

/** An answer that needs no memory. */
export interface DirectAnswer extends Sampled {
  readonly answer: string;
}

const SAMPLE_TEMPERATURE = 0.7;
const NO_KEYS: SearchKeys = { semantic: [] };

/**
 * R⁴'s first step: an answer from the view or from general knowledge if samples agree on it (docs/formulas.md#answerable), and the keys to
 * search by if not. Without a view one sample is enough for the keys, and more are drawn only if it claims to know.
 */
export async function answerFromView(work: Work): Promise<{ answer?: DirectAnswer; keys: SearchKeys }> {
  const { live, options } = work.options;
  const began = performance.now();
  const images = work.model.capabilities.vision ? (live?.images ?? []) : [];
  const rejected: string[] = [];
  const samples: Sampled[] = [];
  const inView = images.length > 0 || live?.text !== undefined;
  for (let n = 0; n < SAMPLES; n++) {
    const sample = await sampleOf(work, images, n, inView, rejected);
    if (sample !== undefined) samples.push(sample);
    const claims = samples.filter((one) => isDirect(one, inView)).length;
    const hopeless = claims + (SAMPLES - 1 - n) < LEAST_AGREEING;
    // Without a view the first sample is believed when it says that the memory is needed.
    if (sample === undefined || hopeless || (!inView && claims === 0)) break;
  }
  const direct = samples.filter((sample) => isDirect(sample, inView));
  const found = agreed(direct, samples.length);
  const answer = found && isChoiceOf(found.best, options) ? found : undefined;
  work.trace.add({
    cues: [work.question],
    strategy: "model/answerability",
    found: direct.length,
    sufficient: answer !== undefined,
    rejected,
    ms: performance.now() - began,
  });
  const keys = samples.find((sample) => hasKeys(sample.keys))?.keys ?? NO_KEYS;
  if (!answer) return { keys };
  return {
    answer: { ...answer.best, answer: answer.best.answer ?? "", confidence: answer.confidence },
    keys,
  };
}

async function sampleOf(
  { question, model, options: { options, live, nowUs, signal, talk } }: Work,
  images: NonNullable<LiveView["images"]>,
  n: number,
  varied: boolean,
  rejected: string[],
): Promise<Sampled | undefined> {
  const input = {
    question,
    now: clock(nowUs),
    hasImages: images.length > 0,
    ...(talk && { talk: [...talk] }),
    ...(options && { options: [...options] }),
    ...(live?.text !== undefined && { live: live.text }),
  };
  const how = { signal, sample: n, ...((varied || n > 0) && { temperature: SAMPLE_TEMPERATURE }) };
  try {
    const { output, repaired } = await runPrompt(model, answerability, input, { ...how, images });
    if (repaired) rejected.push("unreadable answer");
    return output;
  } catch (error) {
    if (isLociError(error, "not-supported") && images.length > 0) {
      rejected.push("asked again without pictures");
      return (await runPrompt(model, answerability, { ...input, hasImages: false }, how)).output;
    }
    if (!isLociError(error, "model-failed")) throw error;
    rejected.push(error.message);
    return undefined;
  }
}

/** Claims to answer from the view or from common knowledge. */
function isDirect({ answer, basis }: Sampled, inView: boolean): boolean {
  return answer != null && (basis === "general" || (inView && basis === "view"));
}

function isChoiceOf({ choice }: Sampled, options: readonly string[] | undefined): boolean {
  if (options === undefined) return true;
  return choice != null && choice.charCodeAt(0) - 65 < options.length;
}

function hasKeys({ semantic, withinM: _, ...keys }: SearchKeys): boolean {
  return semantic.length > 0 || Object.values(keys).some((key) => key != null);
}
