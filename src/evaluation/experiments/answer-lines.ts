import { readFile } from "node:fs/promises";
import { rowSchema } from "../runner/row.ts";
import type { SuiteRun } from "../runner/run-suite.ts";
import type { AnswerLine } from "./experiment.ts";

/** Most evidence lines per answer, to keep the report readable and its file small. */
const MOST_EVIDENCE = 6;
const LINE_CHARS = 300;

/** The answers of a run with their evidence, from its file. */
export async function answerLines(run: SuiteRun, suite: string, file: string): Promise<AnswerLine[]> {
  const wanted = new Set(run.rows.map(({ key }) => key));
  const asked = new Map(run.questions.map(({ scene, question }) => [`${scene}/${question.id}`, question]));
  const lines = new Map<string, AnswerLine>();
  for (const text of (await readFile(file, "utf8")).split("\n")) {
    const row = text === "" ? undefined : rowSchema.safeParse(parsed(text)).data;
    if (!row || !wanted.has(row.key)) continue;
    const question = asked.get(`${row.scene}/${row.questionId}`)!;
    const { answer } = row;
    lines.set(row.key, {
      config: row.strategy,
      suite,
      scene: row.scene,
      item: row.questionId,
      type: question.type,
      question: question.text + (question.options ? ` (${question.options.join(" / ")})` : ""),
      expected: question.answer.text,
      said:
        answer === null ? "" : `${answer.status === "answered" ? "" : `[${answer.status}] `}${answer.text}`,
      right: row.scores.right,
      why: row.failure ? `${row.failure.code}: ${row.failure.message}` : (row.verdict?.why ?? ""),
      evidence: (answer?.evidence ?? [])
        .slice(0, MOST_EVIDENCE)
        .map(({ kind, ref, why }) => `${kind} ${ref}: ${why}`.slice(0, LINE_CHARS)),
      trace: (answer?.trace.rounds ?? []).map(({ strategy, cues, found, sufficient }) =>
        `${strategy ?? ""} ${cues.join(" · ")} → ${found} found${sufficient ? "" : ", not enough"}`.slice(
          0,
          LINE_CHARS,
        ),
      ),
      refs: (answer?.evidence ?? []).slice(0, MOST_EVIDENCE).map(({ ref }) => ref),
    });
  }
  return [...lines.values()];
}

/** The last line may be truncated if a run was killed. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
