import { readFile } from "node:fs/promises";
import { type AskRequest, askMemory } from "../../../compose.ts";
import { type AnswerRecord, LociError } from "../../../schema/index.ts";
import { type MemoryOptions, type ReadAs, readerOptions, withMemory } from "../open.ts";
import { type Terminal, timeText } from "../terminal.ts";

export interface AskCommandOptions extends MemoryOptions, ReadAs {
  readonly now?: number;
  readonly options?: string[];
  readonly agent?: string;
  readonly scene?: string;
  readonly strategy?: string;
  readonly explain?: boolean;
  readonly model?: string;
  readonly image?: string[];
}

const SHOWN_EVIDENCE = 6;
const MOST_PICTURE_BYTES = 16_777_216;

/** Asks the memory; the answer first, then what it rests on. */
export async function run(options: AskCommandOptions, terminal: Terminal, question: string): Promise<void> {
  const asked = await modelOf(options);
  const answer = await withMemory(options, { create: false }, async (memory) => {
    const view = readerOptions(options);
    const seen = Object.keys(view).length > 0 ? memory.as(view) : memory;
    return askMemory(
      seen,
      question,
      {
        ...(options.now !== undefined && { now: options.now }),
        ...(options.options && { options: options.options }),
        ...(options.agent !== undefined && { agentId: options.agent }),
        ...(options.scene !== undefined && { sceneId: options.scene }),
        ...(options.strategy !== undefined && {
          strategy: options.strategy as AnswerRecord["strategy"] as never,
        }),
        ...asked,
      },
      { signal: terminal.signal },
    );
  }).finally(() => asked.model?.close());
  if (answer.trace.models["failed"] !== undefined)
    terminal.note(`the language model failed, rules answered instead: ${failureIn(answer)}`);
  terminal.result(answer, () =>
    [answerText(answer), ...evidenceLines(answer), ...(options.explain ? traceLines(answer) : [])].join("\n"),
  );
}

/** The language model and the pictures that a question is asked with. */
async function modelOf({
  model,
  image = [],
}: AskCommandOptions): Promise<Pick<AskRequest, "model" | "prices" | "images">> {
  if (model === undefined) {
    if (image.length > 0)
      throw new LociError(
        "invalid-input",
        "pictures are read by a language model only; choose one with --model",
      );
    return {};
  }
  const images = await Promise.all(image.map(readPicture));
  const { openLanguageModel, parseLanguageModelSpec } = await import("../../../index.ts");
  const spec = parseLanguageModelSpec(model, process.env);
  return { model: await openLanguageModel(spec), prices: spec.prices, ...(images.length > 0 && { images }) };
}

async function readPicture(path: string): Promise<{ bytes: Uint8Array }> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new LociError("invalid-input", `cannot read the picture ${path}`, { cause });
  });
  const isJpeg = bytes[0] === 0xff && bytes[1] === 0xd8;
  const isPng = bytes[0] === 0x89 && bytes[1] === 0x50;
  if ((!isJpeg && !isPng) || bytes.length > MOST_PICTURE_BYTES)
    throw new LociError("invalid-input", `${path} is no JPEG or PNG of at most ${MOST_PICTURE_BYTES} bytes`);
  return { bytes };
}

function failureIn({ trace }: AnswerRecord): string {
  const failed = trace.rounds.find(({ strategy }) => strategy === "model/failed");
  return failed?.rejected[0]?.reason ?? "no reason given";
}

/** The answer as a person reads it. */
export function answerText(answer: AnswerRecord): string {
  const choice = answer.choice === undefined ? "" : `${answer.choice}: `;
  const sure = `${Math.round(answer.confidence * 100)} %`;
  const status = answer.status === "answered" ? sure : `${answer.status}, ${sure}`;
  return `${choice}${answer.text || "I cannot say."}  (${status})`;
}

/** What it rests on, a line each, and where to go to see for oneself. */
export function evidenceLines(
  { evidence, contradictions, navGoal }: AnswerRecord,
  most = SHOWN_EVIDENCE,
): string[] {
  const lines = evidence.slice(0, most).map(({ why, atUs, agentId, position, ref }) => {
    const where = position
      ? ` at ${position.x.toFixed(1)}, ${position.y.toFixed(1)}, ${position.z.toFixed(1)}`
      : "";
    return `  ${timeText(atUs)}  ${why}${where}  by ${agentId}  [${ref}]`;
  });
  if (evidence.length > most) lines.push(`  and ${evidence.length - most} more`);
  for (const contradiction of contradictions) lines.push(`  but ${contradiction}`);
  if (navGoal) {
    const { position, yawRad, pathM } = navGoal;
    lines.push(
      `  go to ${position.x.toFixed(2)}, ${position.y.toFixed(2)}, facing ${((yawRad * 180) / Math.PI).toFixed(0)}°${pathM === undefined ? "" : `, ${pathM.toFixed(1)} m`}`,
    );
  }
  return lines;
}

function traceLines({ trace }: AnswerRecord): string[] {
  const needs =
    (
      trace.plan as
        | { needs?: { asks: string; answer: string; cues: string[]; fallback?: string }[] }
        | undefined
    )?.needs ?? [];
  return [
    ...needs.map(
      ({ asks, answer, cues, fallback }) =>
        `  understood as ${asks} → ${answer}: ${cues.join(" | ")}${fallback === undefined ? "" : ` (${fallback})`}`,
    ),
    ...trace.rounds.flatMap(roundLines),
    ...usageLines(trace),
    `  ${Object.entries(trace.ms)
      .map(([stage, ms]) => `${stage} ${ms.toFixed(1)} ms`)
      .join(", ")}`,
  ];
}

/** One round: what was done, what came of it, and what was turned away. */
function roundLines(round: AnswerRecord["trace"]["rounds"][number]): string[] {
  const { strategy = "", broadened, cues, found, added, sufficient, rejected, ms } = round;
  const enough = sufficient ? "enough" : "not enough";
  const took = ms === undefined ? "" : `, ${ms.toFixed(1)} ms`;
  if (!strategy.startsWith("model/"))
    return [
      `  round ${broadened + 1}: ${strategy}, ${added} searches, ${found} pieces of evidence, ${enough}${took}`,
    ];
  return [
    `  ${strategy}${broadened > 0 ? `, ${broadened} wider` : ""}: ${found} found, ${added} new, ${enough}${took}`,
    ...cues.slice(0, SHOWN_EVIDENCE).map((cue) => `      ${cue.slice(0, 160)}`),
    ...rejected.map(({ reason, count }) => `      − ${reason}${count > 1 ? ` (${count} times)` : ""}`),
  ];
}

/** What the language model was asked and what it cost. */
function usageLines({ plan, models, tokens }: AnswerRecord["trace"]): string[] {
  const usage = (plan as { usage?: { calls: number; costUsd: number } } | undefined)?.usage;
  if (usage === undefined) return [];
  const cost = usage.costUsd > 0 ? `, ${usage.costUsd.toFixed(4)} dollars` : "";
  return [`  ${models["reasoner"]}: ${usage.calls} calls, ${tokens ?? 0} tokens${cost}`];
}
