import { LIMITS } from "../../schema/core.ts";
import { type AskOptions, readingsOf } from "../ask.ts";

/**
 * A question of a conversation reworded to stand alone, for search by words or readers without the conversation: with
 * names for its pronouns; with the previous question where it continues that; otherwise unchanged.
 */
export async function standalone(question: string, options: AskOptions): Promise<string> {
  const last = options.history?.at(-1);
  if (last === undefined) return question;
  const [reading] = await readingsOf(question, options);
  const before = typeof last === "string" ? last : last.question;
  const said = reading?.said ?? (reading?.goesOn ? `${before} ${question}` : question);
  return said.length > LIMITS.queryChars ? question : said;
}
