import { RIGHT_FROM } from "./judge.ts";
import { EVERYDAY } from "./lexicon.ts";
import { basicColour, type Kinship, kinship, meaningWords, type Normalised, normalise } from "./normalise.ts";

/** How well one text answers like another, 1–5, and why (docs/formulas.md#judge). */
export interface TextMatch {
  readonly score: 1 | 2 | 3 | 4 | 5;
  readonly why: string;
}

/**
 * An answer with up to this many extra words still names the right one; a paragraph that contains it among much else
 * does not.
 */
const MORE_WORDS = 8;
const PARAGRAPH_WORDS = 40;
const KINSHIP_WEIGHT: Readonly<Record<Kinship, number>> = {
  shade: 0.75,
  kind: 0.5,
  family: 0.25,
  opposite: 0,
  none: 0,
};
/** "On the table" and "on the floor" share only the preposition. */
const RELATIONS = new Set(
  "on in near under above behind in_front_of between across_from from at side next top against around".split(
    " ",
  ),
);
const RELATION_WEIGHT = 0.25;
const NEGATIONS = ["not", "no", "never", "none", "neither", "without", "nothing"];
const GIVING_UP =
  /\b(i (do not|don'?t) know|unknown|not sure|cannot (tell|determine|answer)|can'?t tell|unsure|no idea)\b/i;

/** The best match with any accepted wording. Words of the question that the answer repeats are ignored. */
export function matchText(answer: string, accepted: readonly string[], question = ""): TextMatch {
  if (answer.trim() === "") return { score: 1, why: "no answer" };
  if (GIVING_UP.test(answer)) return { score: 1, why: "gave up" };
  const asked = normalise(question);
  let best: TextMatch = { score: 1, why: "something else" };
  for (const reference of accepted) {
    const match = matchOne(
      normalise(answer),
      normalise(reference),
      asked,
      / or /i.test(answer) && !/ or /i.test(reference),
    );
    if (match.score > best.score) best = match;
  }
  return best;
}

/**
 * Whether an item of one list matches an item of another: by any of its names, or by the everyday name of such
 * things. A list with a pot, a plate and a plant names the cooking pot, the side plate and the succulent; "table" is
 * not an everyday name for a desk.
 */
export function isSameItem(said: string, wanted: string): boolean {
  if (matchText(said, [wanted]).score >= RIGHT_FROM) return true;
  const given = meaningWords(said).filter((word) => basicColour(word) === undefined);
  const truth = meaningWords(wanted);
  const [name, kind] = [given.at(-1), truth.at(-1)];
  if (name === undefined || kind === undefined || !given.slice(0, -1).every((word) => truth.includes(word)))
    return false;
  return name === kind || (EVERYDAY.has(name) && kinship(name, kind) === "kind");
}

function matchOne(answer: Normalised, truth: Normalised, asked: Normalised, hedged: boolean): TextMatch {
  if (truth.meaning.size === 0) return { score: 1, why: "nothing to compare with" };
  const given = withoutRepeats(answer, truth, asked);
  if (isNegated(given.meaning) !== isNegated(truth.meaning)) return { score: 1, why: "says the opposite" };
  if (equal(given.exact, truth.exact) || sameBeyond(given.exact, truth.exact, asked.exact))
    return { score: 5, why: "the same" };
  if (equal(given.meaning, truth.meaning) || sameBeyond(given.meaning, truth.meaning, asked.meaning))
    return { score: 4, why: "the same in other words" };
  const free = loosely(given.meaning, truth.meaning, hedged);
  const cap = contradiction(given.meaning, truth.meaning);
  return cap !== null && cap.score < free.score ? cap : free;
}

function loosely(given: ReadonlySet<string>, truth: ReadonlySet<string>, hedged: boolean): TextMatch {
  if (isSubset(truth, given)) {
    const more = given.size - truth.size;
    if (more > PARAGRAPH_WORDS) return { score: 2, why: "somewhere in a long text" };
    if (hedged) return { score: 3, why: "one of the alternatives given" };
    return more <= Math.max(MORE_WORDS, truth.size)
      ? { score: 4, why: "and more" }
      : { score: 3, why: "among much else" };
  }
  const [onlyGiven, onlyTruth] = [[...without(given, truth)], [...without(truth, given)]];
  if (onlyGiven.length === 1 && onlyTruth.length === 1) {
    const kin = kinship(onlyGiven[0]!, onlyTruth[0]!);
    if (kin === "shade") return { score: 4, why: "a shade of it" };
    if (kin === "kind") return { score: 3, why: "a kind of it, or what it is a kind of" };
    if (kin === "family") return { score: 2, why: "of the same family" };
  }
  const recall = softShare(truth, given);
  const precision = softShare(given, truth);
  const f1 = recall + precision === 0 ? 0 : (2 * recall * precision) / (recall + precision);
  if (f1 >= 0.5) return { score: 3, why: "a part of it" };
  if (f1 >= 0.25 || recall >= 0.5) return { score: 2, why: "something of it" };
  return { score: 1, why: "something else" };
}

/** A different colour, number or direction is wrong if one is asked for, however much else agrees. */
function contradiction(given: ReadonlySet<string>, truth: ReadonlySet<string>): TextMatch | null {
  const missing = [...without(truth, given)];
  const extra = [...without(given, truth)];
  if (missing.some((word) => extra.some((other) => kinship(word, other) === "opposite")))
    return { score: truth.size <= 2 ? 1 : 2, why: "the opposite" };
  const colours = (words: readonly string[]) => words.flatMap((word) => basicColour(word) ?? []);
  const [wanted, got] = [colours(missing), colours(extra)];
  if (wanted.length > 0 && got.length > 0 && wanted.every((colour) => !got.includes(colour))) {
    const near = missing.some((word) => extra.some((other) => kinship(word, other) === "family"));
    return { score: near ? 2 : 1, why: "another colour" };
  }
  const numbers = (words: readonly string[]) => words.filter((word) => /^\d/.test(word));
  if (numbers(missing).length > 0 && numbers(extra).length > 0) return { score: 2, why: "another number" };
  return null;
}

/** Words that only repeat the question are dropped, unless they are the answer. */
function withoutRepeats(answer: Normalised, truth: Normalised, asked: Normalised): Normalised {
  const keep = (all: ReadonlySet<string>, right: ReadonlySet<string>, repeated: ReadonlySet<string>) => {
    const left = [...all].filter((word) => right.has(word) || !repeated.has(word));
    return left.length === 0 ? all : new Set(left);
  };
  return {
    exact: keep(answer.exact, truth.exact, asked.exact),
    meaning: keep(answer.meaning, truth.meaning, asked.meaning),
  };
}

/** Whether both are equal, and not empty, after removing what the question already says. */
function sameBeyond(a: ReadonlySet<string>, b: ReadonlySet<string>, asked: ReadonlySet<string>): boolean {
  const [left, right] = [without(a, asked), without(b, asked)];
  return left.size > 0 && equal(left, right);
}

/** Share of one set of words in the other; relations weigh less than what they relate. */
function softShare(of: ReadonlySet<string>, within: ReadonlySet<string>): number {
  let [met, total] = [0, 0];
  for (const word of of) {
    const weight = RELATIONS.has(word) ? RELATION_WEIGHT : 1;
    total += weight;
    met +=
      weight *
      (within.has(word)
        ? 1
        : Math.max(0, ...[...within].map((other) => KINSHIP_WEIGHT[kinship(word, other)])));
  }
  return total === 0 ? 0 : met / total;
}

function isNegated(words: ReadonlySet<string>): boolean {
  return NEGATIONS.some((word) => words.has(word));
}

function equal(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && isSubset(a, b);
}

function isSubset(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].every((word) => b.has(word));
}

function without(a: ReadonlySet<string>, b: ReadonlySet<string>): Set<string> {
  return new Set([...a].filter((word) => !b.has(word)));
}
