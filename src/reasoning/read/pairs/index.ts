import type { Expression } from "../../../schema/index.ts";
import { goesOn, isPlaceholder } from "../placeholders.ts";
import type { Written } from "../tokens.ts";
import { canWrite } from "../trained/index.ts";
import { sourceOf } from "../trained/source.ts";
import { isReadable } from "./check-pair.ts";
import { type Matched, Pairs } from "./pairs.ts";

export { Pairs } from "./pairs.ts";
export { isPunctuation } from "./template.ts";

/** A reading of a question by pairs. */
export interface Paired {
  readonly parts: readonly Expression[];
  /** The probability that it is what was meant, 0–1. */
  readonly p: number;
  /** The distance of its words from the pair's, 0 for the same. */
  readonly cost: number;
  /** The words are the pair's own, except in its slots. */
  readonly isExact: boolean;
  /** It refers to the previous question. */
  readonly goesOn: boolean;
}

export interface PairContext {
  readonly nowUs: number;
  readonly people?: ReadonlySet<string> | undefined;
  readonly rooms: ReadonlySet<string>;
  /** Default: the shipped ones. */
  readonly pairs?: Pairs | undefined;
  /** There is a previous question to continue. */
  readonly isGoingOn: boolean;
}

/** A form that differs only in synonyms, or a light word, counts as exact. */
const EXACT = 0.1;
/** A higher limit for forms with an operator that the network cannot write, since its proposals say nothing there. */
const EXACT_UNKNOWN = 0.4;
/** The probability that an exact form is what was meant. */
const EXACT_P = 0.95;
/**
 * The decay of probability with distance (training/reader/try-pairs.ts): of 194 questions by people the nearest of
 * 48,300 pairs meant the same at a cost of 0 in .78, up to .1 in .5, to .3 in .3, to 1.2 in .2 of the cases.
 */
const FALLS = 4;
/** Cost of leaving out each sentence before the question. */
const REMARK = 0.04;

/** Readings of a question by the nearest pairs, the likeliest first. */
export function byPairs(sentences: readonly Written[], context: PairContext): Paired[] {
  const pairs = context.pairs ?? Pairs.shipped();
  const match = (some: readonly Written[]) =>
    pairs.matching(sourceOf(some, { people: context.people }), context);
  const whole = match(sentences);
  const found =
    whole.length > 0 && whole[0]!.cost <= EXACT ? whole : [...whole, ...bySentence(sentences, match)];
  return found
    .toSorted((a, b) => a.cost - b.cost || goingOn(b.parts) - goingOn(a.parts))
    .filter(({ parts }) => parts.every(isReadable) && (context.isGoingOn || !parts.some(goesOn)))
    .map(({ parts, cost }) => {
      const isExact = cost <= (parts.every(isWritable) ? EXACT : EXACT_UNKNOWN);
      return {
        parts,
        cost,
        p: isExact ? EXACT_P : Math.exp(-FALLS * cost),
        isExact,
        goesOn: parts.some(goesOn),
      };
    });
}

/**
 * Of two equally near forms, the one that continues a conversation is likelier there (it is excluded without a previous
 * question).
 */
function goingOn(parts: readonly Expression[]): number {
  return parts.some(goesOn) ? 1 : 0;
}

/** Whether the network could have written it. */
function isWritable({ op, of }: Expression): boolean {
  return (isPlaceholder(op) || canWrite(op)) && of.every(isWritable);
}

/** Reads each question of several sentences separately, without the remarks around them. */
function bySentence(
  sentences: readonly Written[],
  match: (some: readonly Written[]) => readonly Matched[],
): Matched[] {
  const asked = sentences.filter(({ end }) => end === "?");
  if (sentences.length < 2 || asked.length === 0) return [];
  const each = asked.map((one) => match([one])[0]);
  if (each.some((one) => one === undefined)) return [];
  const told = sentences.length - asked.length;
  return [
    {
      parts: each.flatMap((one) => one!.parts),
      cost: Math.max(...each.map((one) => one!.cost)) + REMARK * told,
      pair: each.map((one) => one!.pair).join(" "),
    },
  ];
}
