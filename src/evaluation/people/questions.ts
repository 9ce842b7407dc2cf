import { readFile, stat } from "node:fs/promises";
import { z } from "zod";
import { LociError } from "../../schema/index.ts";
import { expectationSchema } from "./expectation.ts";

/** What a question requires; the report is broken down by these. */
export const KINDS = [
  "place",
  "attribute",
  "state",
  "list",
  "count",
  "relation",
  "negation",
  "choice",
  "order",
  "superlative",
  "comparison",
  "size",
  "distance",
  "floor",
  "route",
  "text",
  "time",
  "duration",
  "change",
  "person",
  "robot",
  "direction",
  "purpose",
  "description",
  "compound",
  "false-premise",
  "unanswerable",
  "taste",
  "command",
  "ambiguous",
] as const;

/** Its style. */
export const VOICES = [
  "plain",
  "terse",
  "polite",
  "broken",
  "indirect",
  "compound",
  "long",
  "non-native",
  "child",
  "engineer",
] as const;

const questionSchema = z.strictObject({
  id: z.string().min(1).max(64),
  question: z.string().trim().min(1).max(2_000),
  kind: z.enum(KINDS, { error: `expected kind to be one of ${KINDS.join(", ")}` }),
  voice: z.enum(VOICES, { error: `expected voice to be one of ${VOICES.join(", ")}` }).default("plain"),
  expect: expectationSchema,
  note: z.string().max(1_000).optional(),
});

export type PeopleQuestion = z.output<typeof questionSchema>;

const LARGEST_BYTES = 16 * 1024 ** 2;

/** A file of questions, and what is wrong with it, line by line. */
export interface QuestionFile {
  readonly questions: readonly PeopleQuestion[];
  readonly faults: readonly { readonly line: number; readonly reason: string }[];
}

export async function readPeopleQuestions(path: string): Promise<QuestionFile> {
  let text: string;
  try {
    if ((await stat(path)).size > LARGEST_BYTES)
      throw new LociError("limit-exceeded", `${path} is larger than ${LARGEST_BYTES} bytes`);
    text = await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof LociError) throw error;
    throw new LociError("invalid-input", `expected questions, one JSON document a line, in ${path}`, {
      cause: error,
    });
  }
  return parseQuestions(text);
}

export function parseQuestions(text: string): QuestionFile {
  const questions: PeopleQuestion[] = [];
  const faults: { line: number; reason: string }[] = [];
  const [ids, asked] = [new Set<string>(), new Set<string>()];
  text.split("\n").forEach((line, i) => {
    if (line.trim() === "") return;
    const parsed = parseLine(line);
    const reason =
      typeof parsed === "string"
        ? parsed
        : ids.has(parsed.id)
          ? `the id ${parsed.id} was there before`
          : asked.has(parsed.question.toLowerCase())
            ? "this question was there before"
            : undefined;
    if (reason !== undefined) {
      faults.push({ line: i + 1, reason });
      return;
    }
    const question = parsed as PeopleQuestion;
    ids.add(question.id);
    asked.add(question.question.toLowerCase());
    questions.push(question);
  });
  return { questions, faults };
}

function parseLine(line: string): PeopleQuestion | string {
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
