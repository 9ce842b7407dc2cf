import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { WORDINGS } from "../../src/world/questions/wording/index.ts";
import { questionsIn } from "./question.ts";

const SLOT = "(?:the |a |an |my )?[a-z0-9]+(?: [a-z0-9]+){0,2}";
const UNREAD = join(import.meta.dirname, "..", "..", "bench", "people", "unread");

/** A question as its words alone. */
export function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9{} ]+/g, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** The questions of a pair, plain. */
export function plainQuestions(pair: string): string[] {
  return questionsIn(pair.split("\t")[0]!).map(plain);
}

/** The wordings that a test asks in, and what plain questions of that form look like. */
export function testWordings(): { readonly wording: string; readonly form: RegExp }[] {
  return Object.values(WORDINGS)
    .flatMap(({ test }) => test)
    .map((wording) => ({ wording, form: new RegExp(`^${plain(wording).replace(/\{\w+\}/g, SLOT)}$`) }));
}

/** The questions of people that nobody may read, plain. */
export function unreadQuestions(): string[] {
  return readdirSync(UNREAD)
    .filter((file) => file.endsWith(".jsonl"))
    .flatMap((file) => readFileSync(join(UNREAD, file), "utf8").trim().split("\n"))
    .map((line) => plain((JSON.parse(line) as { question: string }).question));
}
