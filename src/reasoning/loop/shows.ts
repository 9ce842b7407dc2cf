import { doesItShow, runPrompt } from "../../models/prompts/index.ts";
import type { Evidence } from "../../retrieval/index.ts";
import { isLociError } from "../../schema/index.ts";
import type { ClaimVerdict } from "../claims/index.ts";
import { clock } from "./live.ts";
import { recordsText } from "./record-lines.ts";
import { picturesOf } from "./tools-look.ts";
import type { Work } from "./work.ts";

const PICTURES = 2;
const EVIDENCE_TOKENS = 1_500;
const VERDICTS = { yes: "supported", no: "contradicted", unclear: "cannot-tell" } as const;

/**
 * Asks the model once more whether texts and pictures of the records show what an answer claims. What it cannot say stays
 * untold; only an abort is thrown.
 */
export async function shownByModel(
  { question, model, memory, options: { signal }, trace }: Work,
  cited: readonly Evidence[],
  claims: readonly string[],
): Promise<readonly ClaimVerdict[]> {
  const began = performance.now();
  const { images } = model.capabilities.vision ? await picturesOf(memory, cited, PICTURES) : { images: [] };
  const evidence = await recordsText(cited, memory, EVIDENCE_TOKENS);
  const input = {
    question,
    now: clock(memory.nowUs),
    claims: claims.slice(0, 12),
    evidence,
    images: images.length,
  };
  let verdicts: readonly ClaimVerdict[] = [];
  try {
    const { output } = await runPrompt(model, doesItShow, input, { images, signal });
    verdicts = output.verdicts.map((verdict) => VERDICTS[verdict]);
  } catch (error) {
    if (!isLociError(error) || error.code === "aborted") throw error;
  }
  trace.add({
    cues: claims.map((claim, n) => `${claim} ${verdicts[n] ?? "cannot-tell"}`),
    strategy: "model/does-it-show",
    broadened: memory.level,
    sufficient: verdicts.length >= claims.length && verdicts.every((verdict) => verdict === "supported"),
    ms: performance.now() - began,
  });
  return verdicts;
}
