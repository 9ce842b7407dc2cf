import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { meant, type Noun, setOf } from "./phrases.ts";
import { type ReadContext, Sentence } from "./sentence.ts";
import { readTimes } from "./times.ts";
import type { Written } from "./tokens.ts";

const STARTS = [
  "and what about",
  "and how about",
  "what about",
  "how about",
  "and for",
  "and",
  "or",
  "also",
  "what of",
  "same for",
  "and the same for",
  "what if",
];

/** "and the blue one?", "what about yesterday?": the question before, with something changed. */
export function followUp(
  sentences: readonly Written[],
  context: ReadContext,
): { parts: Expression[]; cost: number; explained: number }[] {
  const [sentence] = sentences;
  const last = context.antecedents?.last;
  if (!last || !sentence || sentences.length > 1) return [];
  const s = new Sentence(sentence.tokens, context);
  const start = s.phraseAt(0, STARTS);
  const from = start ?? 0;
  const cost = start === undefined ? 0.6 : 0.05;
  const [time] = readTimes(s.words, from, context.nowUs);
  if (time && from + time.length === s.words.length) {
    const plain = last.op === "at" ? last.of[0]! : last;
    return [{ parts: [node("at", [plain, time.times])], cost, explained: 1 }];
  }
  const preposition = /^(?:in|on|at|for|of)$/.test(s.words[from] ?? "") ? from + 1 : from;
  return [...s.nouns(from), ...(preposition > from ? s.nouns(preposition) : [])]
    .filter(({ end, value }) => end === s.words.length && value.kind !== "self" && !value.pronoun)
    .flatMap((noun) => {
      const changed = replaced(last, noun.value);
      return changed ? [{ parts: [changed], cost: cost + noun.cost, explained: 1 }] : [];
    })
    .slice(0, 2);
}

/** The expression with another thing, room or storey in the place of the one it spoke of; undefined where it has none. */
function replaced(expression: Expression, noun: Noun): Expression | undefined {
  const { op } = expression;
  if (
    noun.kind === "things" &&
    (op === "the" || (op === "things" && Object.keys(expression.with).length > 0))
  )
    return op === "the" ? meant({ ...noun, definite: true }) : setOf(noun);
  if (noun.kind === "rooms" && (op === "rooms" || op === "floors" || op === "house")) return setOf(noun);
  if (noun.kind === "floors" && (op === "rooms" || op === "floors" || op === "house")) return setOf(noun);
  for (const [n, argument] of expression.of.entries()) {
    const changed = replaced(argument, noun);
    if (changed) return { ...expression, of: expression.of.with(n, changed) };
  }
  // "How many chairs are there? And upstairs?"
  if (op === "things" && noun.kind !== "things" && Object.keys(expression.with).length > 0)
    return node("in", [expression, setOf(noun)]);
  return undefined;
}
