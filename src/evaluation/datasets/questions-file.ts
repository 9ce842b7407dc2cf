import { readFileSync, statSync } from "node:fs";
import { LociError, type QuestionRecord, questionSchema } from "../../schema/index.ts";
import type { MalformedLine } from "../runner/suite.ts";

const LARGEST_FILE_BYTES = 512 * 1024 ** 2;

/** The questions of a file, and its invalid lines. */
export interface QuestionFile {
  readonly questions: readonly QuestionRecord[];
  readonly malformed: readonly MalformedLine[];
}

/**
 * Reads `questions.jsonl`, as written beside a simulated recording: one question per line. An invalid line, or one
 * that repeats an id, is reported with its number and reason, and the others are still read.
 */
export function readQuestions(path: string): QuestionFile {
  let text: string;
  try {
    if (statSync(path).size > LARGEST_FILE_BYTES)
      throw new LociError("limit-exceeded", `${path} is larger than ${LARGEST_FILE_BYTES} bytes`);
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error instanceof LociError) throw error;
    throw new LociError("invalid-input", `the questions in ${path} cannot be read`, { cause: error });
  }
  const questions = new Map<string, QuestionRecord>();
  const malformed: MalformedLine[] = [];
  text.split("\n").forEach((line, i) => {
    if (line.trim() === "") return;
    const parsed = parseLine(line);
    const reason =
      typeof parsed === "string"
        ? parsed
        : questions.has(parsed.id)
          ? `the id ${parsed.id} was there before`
          : null;
    if (reason !== null) malformed.push({ line: i + 1, reason });
    else if (typeof parsed !== "string") questions.set(parsed.id, parsed);
  });
  return { questions: [...questions.values()], malformed };
}

function parseLine(line: string): QuestionRecord | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return "not JSON";
  }
  const parsed = questionSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  return `${issue?.path.map(String).join(".") || "question"}: ${issue?.message ?? "invalid"}`;
}
