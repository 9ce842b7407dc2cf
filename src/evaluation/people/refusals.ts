import type { Form, Marked, Reason } from "./expectation.ts";
import { saysAny } from "./read-text.ts";

interface Refusal {
  /** Statuses that imply the reason, besides one with its name. */
  readonly statuses: readonly string[];
  /** Words that state it if the status does not. */
  readonly words: RegExp;
  readonly explain: string;
}

const REFUSALS: Readonly<Record<Reason, Refusal>> = {
  act: {
    statuses: ["cannot-act"],
    words:
      /\b(can(not| ?not|[’']t)|unable to|not able to|do(n[’']t| not)) (\w+ ){0,2}(act|do|move|bring|fetch|open|close|switch|turn|carry|clean|take|put|make|go|drive|pick|lift|cook|tidy|control|touch|help)\b|\bonly (answer|remember|tell|know|watch)|\bno (arms|hands)\b/i,
    explain: "declines because it cannot act",
  },
  ambiguous: {
    statuses: [],
    words: /\b(which (one|of|\w+ do)|do you mean|did you mean|more than one|several)\b.*\?/is,
    explain: "asks back which one is meant",
  },
  taste: {
    statuses: [],
    words:
      /\b(taste|opinion|subjective|prefer(ence)?|for you to (say|judge|decide)|cannot judge|can[’']t judge|do not judge|no feelings|not (something|a thing) I can judge)\b/i,
    explain: "declines because it is a matter of taste",
  },
  unknown: {
    statuses: ["not-seen", "looked-absent", "insufficient"],
    words: /(?!)/,
    explain: "says that it does not know (never seen, looked and absent, or not enough to tell)",
  },
  "false-premise": {
    statuses: ["looked-absent", "not-seen"],
    words: /\b(no|not|none|never|nothing|nobody|n[’']t|isn[’']t|instead)\b/i,
    explain: "says that the question takes for granted what is not so",
  },
};

/**
 * A status that implies the reason is enough. Otherwise the words must state it; for a false premise those that the
 * writer requires (`says`), since any answer may contain a "not". Words under `says` are required in any case.
 */
export function markRefusal(
  { refuse, says }: Form<"refuse">,
  { status: given, text }: Marked,
): string | undefined {
  const status: string = given;
  const { statuses, words } = REFUSALS[refuse];
  const missing = says?.find((any) => !saysAny(text, any));
  if (missing !== undefined) return `does not say ${missing.join(" or ")}`;
  if (status === refuse || statuses.includes(status)) return undefined;
  const isTold = words.test(text) && (refuse !== "false-premise" || says !== undefined);
  if (isTold) return undefined;
  return status === "answered" ? "answered" : `refused (${status}), but not for this reason`;
}

export function explainRefusal({ refuse, says = [] }: Form<"refuse">): string {
  return [REFUSALS[refuse].explain, ...says.map((any) => `says ${any.join(" or ")}`)].join("; ");
}
