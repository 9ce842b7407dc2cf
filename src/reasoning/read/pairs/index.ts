import type { Expression } from "../../../schema/index.ts";
import { goesOn, isPlaceholder } from "../placeholders.ts";
import type { Written } from "../tokens.ts";
import { canWrite } from "../trained/index.ts";
import { sourceOf } from "../trained/source.ts";
import { isReadable } from "./check-pair.ts";
import { type Matched, Pairs } from "./pairs.ts";

export { Pairs } from "./pairs.ts";
export { isPunctuation } from "./template.ts";

/** A question read by pairs. */
export interface Paired {
  readonly parts: readonly Expression[];
  /** How likely that is what was meant, 0–1. */
  readonly p: number;
  /** The words are the pair's own, but for what stands in its slots. */
  readonly isExact: boolean;
  /** It says something of the question before. */
  readonly goesOn: boolean;
}

export interface PairContext {
  readonly nowUs: number;
  readonly people?: ReadonlySet<string> | undefined;
  readonly rooms: ReadonlySet<string>;
  /** Default: the shipped ones. */
  readonly pairs?: Pairs | undefined;
  /** There is a question before, to go on from. */
  readonly isGoingOn: boolean;
}

/** A form that differs by no more than words of one meaning, or a light one, is the pair's own. */
const EXACT = 0.1;
/** One that names an operator which the network cannot write may differ by more: what the network makes of it says nothing. */
const EXACT_UNKNOWN = 0.4;
/** How likely what is a pair's own is what it means. */
const EXACT_P = 0.95;
/**
 * How fast what is further off gets unlikely (training/reader/try-pairs.ts): of 194 questions by people the nearest of 48,300 pairs meant the same at a cost of 0 in .78,
 * up to .1 in .5, to .3 in .3, to 1.2 in .2 of the cases.
 */
const FALLS = 4;
/** To leave out the sentences before the question costs so much for each. */
const REMARK = 0.04;

/** Readings of a question by the pairs nearest to it, the likeliest first. */
export function byPairs(sentences: readonly Written[], context: PairContext): Paired[] {
  const pairs = context.pairs ?? Pairs.shipped();
  const match = (some: readonly Written[]) =>
    pairs.matching(sourceOf(some, { people: context.people }), context);
  const whole = match(sentences);
  const found =
    whole.length > 0 && whole[0]!.cost <= EXACT ? whole : [...whole, ...bySentence(sentences, match)];
  return found
    .toSorted((a, b) => a.cost - b.cost)
    .filter(({ parts }) => parts.every(isReadable) && (context.isGoingOn || !parts.some(goesOn)))
    .map(({ parts, cost }) => {
      const isExact = cost <= (parts.every(isWritable) ? EXACT : EXACT_UNKNOWN);
      return { parts, p: isExact ? EXACT_P : Math.exp(-FALLS * cost), isExact, goesOn: parts.some(goesOn) };
    });
}

/** Whether the network could have written it. */
function isWritable({ op, of }: Expression): boolean {
  return (isPlaceholder(op) || canWrite(op)) && of.every(isWritable);
}

/** Each question of several sentences by itself; what is only told around them is left out. */
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
