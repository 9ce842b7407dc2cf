import { areKin, attributesOf, longestName } from "../../ontology/index.ts";
import { numberIn } from "../judge/normalise.ts";

/** The type of an answer by its form alone. */
export type AnswerForm = "count" | "parity" | "side" | "truth" | "thing" | "other";

const SIDES: Readonly<Record<string, readonly string[]>> = {
  left: ["left", "to the left", "on the left"],
  right: ["right", "to the right", "on the right"],
  front: ["front", "forward", "forwards", "ahead", "straight", "straight ahead", "in front"],
  behind: ["behind", "back", "backward", "backwards", "behind me", "turn around"],
};

/** Synonyms of a side; undefined for other words. */
export function sideWords(answer: string): readonly string[] | undefined {
  const said = answer.trim().toLowerCase();
  return Object.values(SIDES).find((words) => words.includes(said));
}

export function formOf(answer: string): AnswerForm {
  const said = answer.trim().toLowerCase();
  if (said === "yes" || said === "no") return "truth";
  if (said === "odd" || said === "even") return "parity";
  if (sideWords(said)) return "side";
  if (said.split(/\s+/).length === 1 && Number.isInteger(numberIn(said))) return "count";
  const tokens = said.split(/\s+/);
  return longestName(tokens, 0)?.length === tokens.length ? "thing" : "other";
}

/** Words for what labelled boxes do not contain. */
const LOOKS: ReadonlySet<string> = new Set([
  ..."colour material shape pattern openness power fill making lock cleanliness tidiness wetness".split(" "),
  ..."brightness age condition temperature occupancy state texture finish weight".split(" "),
]);
const ABOUT_LOOKS =
  /\b(?:colou?rs?|shaped?|shapes?|made|material|messy|tidy|neat|clean|dirty|open|opened|closed|shut|turned on|turned off|switched|lit|full|empty|organi[sz]ed|folded|straight up|stripes?|pattern|wet|dry|new|old|broken|comfortable|same|similar|writing|written|says?|reflection|currently|dark|bright|light|sunny)\b/;
/** Names of the vocabulary that cannot have a box here. */
const NO_THING: ReadonlySet<string> = new Set(
  "can clock floor wall ceiling fire sky emergency exit room hand light".split(" "),
);
const WAY_OUT = /\b(?:exit|leave|get out|go out|walk out|way out|escape)\b/;

/** The things that a question names, by their canonical names. */
export function namedIn(question: string): string[] {
  const said = question.toLowerCase().replace(/\bo'? ?clock\b/g, " ");
  const tokens = said.split(/[^a-z0-9'-]+/).filter((token) => token !== "");
  const named: string[] = WAY_OUT.test(said) ? ["door"] : [];
  for (let at = 0; at < tokens.length; ) {
    const found = longestName(tokens, at);
    if (found && !NO_THING.has(found.entry.name) && found.entry.name !== "emergency exit")
      named.push(found.entry.name);
    at += found?.length ?? 1;
  }
  return named;
}

export interface Labels {
  /** All that the boxes of any room are labelled with. */
  readonly all: readonly string[];
  /** Those of this room. */
  readonly here: readonly string[];
}

/**
 * Why labelled boxes alone cannot answer a question; undefined if they can. Decided by the form of question and
 * answer, before anything is asked. The answer must be a number, a side, odd or even, yes or no, or the label of a
 * box in the room. The question must not name an appearance, material or state, or anything never labelled; and for a
 * number, a side, yes or no it must name something.
 */
export function whyNot(question: string, answer: string, { all, here }: Labels): string | undefined {
  const form = formOf(answer);
  const isLabelled = (name: string, labels: readonly string[]) => labels.some((label) => areKin(label, name));
  if (form === "other") return "its answer is no number, side, yes or no, or thing";
  if (form === "thing" && !isLabelled(answer, here)) return "its answer has no box";
  if (ABOUT_LOOKS.test(question.toLowerCase()) || namesLook(question))
    return "it is about looks, materials or states, which boxes do not have";
  const named = namedIn(question);
  if (named.some((name) => !isLabelled(name, all))) return "it names things that are never labelled";
  if (form !== "thing" && named.length === 0) return "it names nothing that could have a box";
  if (form === "side" && !named.some((name) => isLabelled(name, here)))
    return "what it asks the way to has no box";
  return undefined;
}

function namesLook(question: string): boolean {
  const words = question.toLowerCase().split(/[^a-z]+/);
  return words.some(
    (word) =>
      !/^(?:on|off|out|down|up|left|right|standing|sitting|lying)$/.test(word) &&
      attributesOf(word).some(({ attribute }) => LOOKS.has(attribute)),
  );
}
