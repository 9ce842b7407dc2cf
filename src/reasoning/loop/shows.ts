import { doesItShow, runPrompt } from "../../models/prompts/index.ts";
import type { Evidence } from "../../retrieval/index.ts";
import { isLociError } from "../../schema/index.ts";
import type { ClaimVerdict } from "../claims/index.ts";
import { checkingSheet } from "./checking-sheet.ts";
import { clock } from "./live.ts";
import { picturesOf } from "./tools-look.ts";
import type { Work } from "./work.ts";

const PICTURES = 2;
const EVIDENCE_TOKENS = 1_500;
const VERDICTS = { yes: "supported", no: "contradicted", unclear: "cannot-tell" } as const;

/**
 * Asks the model once more whether fields, texts and pictures of the records support the claims of an answer; `answer`
 * is the whole of it, of which the claims are parts. Undecided claims stay undecided; only an abort is thrown.
 */
export async function shownByModel(
  { question, model, memory, options: { signal }, trace }: Work,
  cited: readonly Evidence[],
  claims: readonly string[],
  answer?: string,
): Promise<readonly ClaimVerdict[]> {
  const began = performance.now();
  const { images } = model.capabilities.vision ? await picturesOf(memory, cited, PICTURES) : { images: [] };
  const evidence = await checkingSheet(cited, memory, EVIDENCE_TOKENS);
  const input = {
    question,
    now: clock(memory.nowUs),
    ...(answer !== undefined && { answer: answer.slice(0, 2_000) }),
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
