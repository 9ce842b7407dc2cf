import type { AnswerRecord } from "../../../schema/index.ts";
import { numberAt } from "../../read/amounts.ts";
import { sentencesOf } from "../../read/tokens.ts";
import { type Expectation, expectationOf } from "../baselines/expectation.ts";

/** The content of a model's plain words, as far as the question asks for it. */
export interface InWords {
  readonly type: AnswerRecord["type"];
  readonly status: AnswerRecord["status"];
  readonly binary?: boolean;
  readonly count?: number;
  readonly choice?: string;
}

const UNSEEN =
  /\b(?:have not|haven't|has not|hasn't|had not|was not|were not|never|did not|didn't)\s+(?:been\s+)?(?:seen?|saw|observed?|find|found|mentioned)\b|\bnot\s+(?:seen|observed|mentioned)\b|\bno (?:record|memory|mention)\b/i;
const UNABLE =
  /\b(?:cannot|can't|could not|unable to|not able to)\s+(?:tell|say|know|answer|determine|be determined)\b|\bdo(?:es)? not (?:know|say|tell)\b|\bdon't know\b|\bunknown\b|\bnot enough\b|\binsufficient\b/i;
const NONE = /\b(?:none|no|zero)\b/i;

/**
 * Reads a plain answer by the type of the question: yes or no, a number, a letter. Places and times are never read from
 * words.
 */
export function readWords(
  text: string,
  question: string,
  options: readonly string[] | undefined,
  expected: Expectation = expectationOf(question),
): InWords {
  if (options) {
    const choice = letterOf(text, options);
    if (choice !== undefined) return { type: "choice", status: "answered", choice };
  }
  if (UNSEEN.test(text) && expected !== "binary") return { type: "text", status: "not-seen" };
  if (UNABLE.test(text)) return { type: "text", status: "insufficient" };
  if (options) return { type: "text", status: "insufficient" };
  if (expected === "binary") {
    const said = /^\W*(yes|no)\b/i.exec(text)?.[1]?.toLowerCase();
    if (said === undefined) return { type: "text", status: UNSEEN.test(text) ? "not-seen" : "answered" };
    return { type: "binary", status: "answered", binary: said === "yes" };
  }
  if (expected === "count") {
    const count = numberIn(text);
    return count === undefined
      ? { type: "text", status: "answered" }
      : { type: "count", status: "answered", count };
  }
  const fromRecords = expected === "position" || expected === "time";
  return { type: fromRecords ? expected : "text", status: "answered" };
}

/** The letter of the option that is meant: said as a letter, or in the option's own words. */
export function letterOf(said: string, options: readonly string[]): string | undefined {
  const letter = /^\W?([A-Za-z])(?:[).:\s]|$)/.exec(said.trim())?.[1]?.toUpperCase();
  if (letter !== undefined && letter.charCodeAt(0) - 65 < options.length) return letter;
  const at = options.findIndex((option) => plain(option) === plain(said));
  return at < 0 ? undefined : String.fromCharCode(65 + at);
}

/** Marks such as "[2]" or "[1, 4]" that a text ends with or holds, and the text without them. */
export function citedIn(text: string): { readonly text: string; readonly marks: readonly string[] } {
  const marks = [...text.matchAll(/\[([\w ,]{1,80})\]/g)].flatMap(([, inside]) => inside!.split(/[ ,]+/));
  const rest = text
    .replaceAll(/\s*\[[\w ,]{1,80}\]/g, "")
    .replaceAll(/\s+([.,;])/g, "$1")
    .trim();
  return { text: rest === "" ? text.trim() : rest, marks: [...new Set(marks.filter((mark) => mark !== ""))] };
}

function numberIn(text: string): number | undefined {
  const words = sentencesOf(text).flatMap(({ tokens }) => tokens.map(({ word }) => word));
  for (const at of words.keys()) {
    const number = numberAt(words, at);
    if (number) return Math.max(0, Math.round(number.value));
  }
  return NONE.test(text) ? 0 : undefined;
}

const plain = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
