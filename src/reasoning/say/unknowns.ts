import type { AnswerStatus, Expression } from "../../schema/index.ts";
import type { Reason, UnknownValue } from "../algebra/value.ts";
import { caveat } from "./completeness.ts";
import { anyOf } from "./grammar.ts";
import { phraseOr } from "./naming.ts";
import type { SayContext, Spoken } from "./said.ts";

const STATUS: Readonly<Record<Reason, AnswerStatus>> = {
  "never-seen": "not-seen",
  "not-yet": "not-seen",
  "looked-absent": "looked-absent",
  "false-premise": "false-premise",
  ambiguous: "ambiguous",
  "cannot-act": "insufficient",
  taste: "insufficient",
  "not-understood": "insufficient",
  future: "insufficient",
};

const SENTENCE: Readonly<Record<Reason, string>> = {
  "never-seen": "I have not seen that.",
  "not-yet": "I have not looked there yet.",
  "looked-absent": "I looked, and it is not there.",
  "false-premise": "That is not so.",
  ambiguous: "I cannot tell which one you mean.",
  "cannot-act": "I can only look, remember and tell: I cannot do that.",
  taste: "That is a matter of taste; I can only tell what I have seen.",
  "not-understood": "I do not understand the question.",
  future: "I remember what was, and cannot tell what will be.",
};

/** The reason why there is no answer, each in its own words; yes/no and how-many questions get a no or a 0 with it. */
export function sayUnknown(root: Expression, value: UnknownValue, context: SayContext): Spoken {
  const { reason } = value;
  const status = STATUS[reason];
  const sentence = sentenceOf(value, context);
  // If such things exist without an observed value for the state, the answer is neither no nor 0.
  const isAbsent = !value.choices && ["never-seen", "not-yet", "looked-absent"].includes(reason);
  const base = { type: "text", status, goal: value.goal } as const;
  if (isAbsent && root.op === "count") return { ...base, count: 0, text: sentence };
  const no = isAbsent ? absentMeans(root) : undefined;
  if (no !== undefined)
    return { ...base, type: "binary", binary: no, text: `${no ? "yes" : "no"}: ${sentence}` };
  return { ...base, text: sentence };
}

/** The answer in case of absence: no to "is there", yes to "is there no"; none for other questions. */
function absentMeans({ op, of }: Expression): boolean | undefined {
  if (op === "exists") return false;
  if (op === "none") return true;
  if (op !== "not" || !of[0]) return undefined;
  const inner = absentMeans(of[0]);
  return inner === undefined ? undefined : !inner;
}

function sentenceOf({ reason, says, complete }: UnknownValue, { knows }: SayContext): string {
  const given = says.trim();
  const said = sentence(given === "" ? SENTENCE[reason] : cleaned(given, knows));
  const where = reason === "not-yet" || reason === "never-seen" ? caveat(complete) : "";
  // The unobserved place is reported once.
  if (where === "" || /\byet\b|not looked/.test(said)) return said;
  return `${said.replace(/\.$/, "")}${where}.`;
}

/** With a capital and a full stop. */
function sentence(text: string): string {
  const whole = /[.!?”]$/.test(text) ? text : `${text}.`;
  return whole[0]!.toUpperCase() + whole.slice(1);
}

/** The end of the phrase that was not found. */
const ENDS =
  "(?=(?: (?:in|on|at|under|above|below|near|by|beside|behind|between|here|there|now|then|yet|before|after|since|that|upstairs|downstairs)\\b)|[.,;:]|$)";
const SEEN = new RegExp(
  `\\b(seen|find|found) (?:an?|any) (?!one\\b|other\\b|such\\b)([^.,;:“”"]+?)${ENDS}`,
  "i",
);
const NO = new RegExp(
  `\\b(there (?:is|are|was|were)|know of) no (?!one\\b|other\\b|such\\b)([^.,;:“”"]+?)${ENDS}`,
  "i",
);

/** "I have not seen a spoons thx": the phrase is a noun, or stands in quotes. */
function cleaned(text: string, knows: SayContext["knows"]): string {
  return text
    .replace(SEEN, (_, verb: string, phrase: string) => {
      const noun = phraseOr(phrase, knows);
      return `${verb} ${noun.startsWith("“") ? `anything called ${noun}` : anyOf(noun)}`;
    })
    .replace(NO, (_, verb: string, phrase: string) => {
      const noun = phraseOr(phrase, knows);
      return noun.startsWith("“") ? `${verb} nothing called ${noun}` : `${verb} no ${noun}`;
    });
}
