import { readFile, writeFile } from "node:fs/promises";
import { LociError, type QuestionRecord, questionSchema } from "../../schema/index.ts";

/** A question that awaits a person's acceptance. */
export interface Proposal {
  readonly question: QuestionRecord;
  /** Null until reviewed. */
  readonly accept: boolean | null;
}

const MAX_LINES = 100_000;

/** One question per line, `accept` first, so that a person sees what to change. */
export async function writeProposals(path: string, proposals: readonly Proposal[]): Promise<void> {
  const lines = proposals.map(({ accept, question }) => `${JSON.stringify({ accept, ...question })}\n`);
  await writeFile(path, lines.join(""));
}

/** The existing proposals; none if there is no file. */
export async function readProposals(path: string): Promise<Proposal[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length > MAX_LINES)
    throw new LociError("limit-exceeded", `${path} has ${lines.length} lines; at most ${MAX_LINES} are read`);
  return lines.map((line, n) => {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (cause) {
      throw new LociError("invalid-input", `${path}, line ${n + 1}: expected JSON`, { cause });
    }
    const question = questionSchema.safeParse(value);
    if (!question.success)
      throw new LociError("invalid-input", `${path}, line ${n + 1}: ${question.error.issues[0]?.message}`);
    const { accept } = value as { readonly accept?: unknown };
    return { question: question.data, accept: typeof accept === "boolean" ? accept : null };
  });
}

/** Old verdicts are kept; the same question is not proposed twice. */
export function merged(before: readonly Proposal[], made: readonly Proposal[]): Proposal[] {
  const known = new Set(before.map(({ question }) => question.text));
  return [...before, ...made.filter(({ question }) => !known.has(question.text))];
}
