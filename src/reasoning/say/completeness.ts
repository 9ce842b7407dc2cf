import type { Completeness } from "../algebra/value.ts";
import { list } from "./grammar.ts";

/** A set with this completeness counts as closed. */
const CLOSED = 0.95;
const MOST_NAMED = 4;

/**
 * The unobserved part, as the end of a sentence: "; I have yet to look in the attic". Empty where there is none. Worded
 * without "not", which a hasty reader would take for the answer.
 */
export function caveat({ share, missing }: Completeness): string {
  const named = missing.filter((part) => part.trim() !== "");
  if (share >= CLOSED || named.length === 0) return "";
  const [places, spans] = [named.filter(isPlace), named.filter((part) => !isPlace(part))];
  const parts = [
    ...(places.length > 0 ? [`I have yet to look in ${list(places, MOST_NAMED)}`] : []),
    ...(spans.length > 0 ? [`I was elsewhere ${list(spans, MOST_NAMED)}`] : []),
  ];
  return `; ${parts.join(", and ")}`;
}

/** "the attic" is one, "after 10:20" is none. */
function isPlace(part: string): boolean {
  return !/^(?:after|before|from|since|until|between|on|at|in|during|yesterday|today|last)\b/i.test(
    part.trim(),
  );
}
