import { askMemory } from "../../../compose.ts";
import type { AnswerRecord } from "../../../schema/index.ts";
import { type MemoryOptions, type ReadAs, readerOptions, withMemory } from "../open.ts";
import { type Terminal, timeText } from "../terminal.ts";

export interface AskCommandOptions extends MemoryOptions, ReadAs {
  readonly now?: number;
  readonly options?: string[];
  readonly agent?: string;
  readonly scene?: string;
  readonly strategy?: string;
  readonly explain?: boolean;
}

const SHOWN_EVIDENCE = 6;

/** Asks the memory; the answer first, then what it rests on. */
export async function run(options: AskCommandOptions, terminal: Terminal, question: string): Promise<void> {
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
      },
      { signal: terminal.signal },
    );
  });
  terminal.result(answer, () =>
    [answerText(answer), ...evidenceLines(answer), ...(options.explain ? traceLines(answer) : [])].join("\n"),
  );
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
    ...trace.rounds.map(
      ({ strategy, broadened, found, added, sufficient, ms }) =>
        `  round ${broadened + 1}: ${strategy}, ${added} searches, ${found} pieces of evidence, ${sufficient ? "enough" : "not enough"}, ${ms?.toFixed(1)} ms`,
    ),
    `  ${Object.entries(trace.ms)
      .map(([stage, ms]) => `${stage} ${ms.toFixed(1)} ms`)
      .join(", ")}`,
  ];
}
