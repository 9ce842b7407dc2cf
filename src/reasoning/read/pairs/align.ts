import type { Expression, Literal } from "../../../schema/index.ts";
import { nodesCalled } from "../../rival-values.ts";
import { isFunctionWord } from "../function-words.ts";
import { type Filling, fillingsAt, type Sentence, type SlotKind } from "./slots.ts";
import type { Template } from "./template.ts";

/** The distance of a question from a form, and the contents of the form's slots. */
export interface Alignment {
  readonly cost: number;
  readonly values: readonly (Expression | Literal)[];
}

/** The difference in meaning of two words, 0–1. */
export type Apart = (a: string, b: string) => number;

/** Words of one row are synonyms wherever a form has them. */
const SAME: readonly string[] = [
  "the my our your his her their this that these those",
  "a an any some",
  "is are",
  "was were",
  "has have had",
  "do does",
  "anything something",
  "anybody anyone somebody someone",
];
const CLASS: ReadonlyMap<string, string> = new Map(
  SAME.flatMap((row) => row.split(" ").map((word) => [word, row] as const)),
);
/** Words that do not change the meaning: function words and politeness. */
const LIGHT: ReadonlySet<string> = new Set(
  `the my our your his her their this that these those please kindly just now right there then so and well ok okay
   hey hi hello actually really still currently exactly again also too got do does can could would you i we me us tell
   know like say be been at of for is are maybe perhaps thanks quickly over around here`.split(/\s+/),
);
/** Words that change the meaning: they cannot be left out or exchanged. */
const BEARING: ReadonlySet<string> = new Set(
  `not no never without except besides none nothing nobody other else both each every all only left right front behind
   above below under on in between next near before after since until ago first last second third most least more less
   who whom whose what which where when why how many much often long far if unless than or off out up down from to with
   by did will was were today yesterday tomorrow ever always usually`.split(/\s+/),
);

/**
 * Costs: swapping synonyms; leaving out a light word, another small one, a content word, one that changes the meaning;
 * using the singular for the plural.
 */
const PRICE = { row: 0.05, light: 0.08, small: 0.3, own: 0.8, bearing: 1.5, number: 0.6 } as const;
/** Cost of a light word before or after the whole form: "can you tell me", "please". */
const AROUND = 0.02;
/** Words with a larger difference are unrelated. */
const MOST_APART = 0.55;

function priceOf(word: string): number {
  if (BEARING.has(word)) return PRICE.bearing;
  if (LIGHT.has(word)) return PRICE.light;
  return isFunctionWord(word) ? PRICE.small : PRICE.own;
}

function swap(a: string, b: string, apart: Apart): number {
  if (a === b) return 0;
  const row = CLASS.get(a);
  if (row !== undefined && row === CLASS.get(b)) return PRICE.row;
  if (BEARING.has(a) || BEARING.has(b) || isFunctionWord(a) || isFunctionWord(b)) return Infinity;
  const far = apart(a, b);
  return far > MOST_APART ? Infinity : PRICE.own * far;
}

interface Step {
  readonly cost: number;
  readonly from?: Step | undefined;
  readonly value?: Expression | Literal | undefined;
}

/** The cheapest alignment of a question with a form; undefined above a cost of `most`. */
export function aligned(
  { form, parts }: Template,
  said: Sentence,
  apart: Apart,
  most: number,
  filling: (kind: SlotKind, at: number, attribute?: string) => readonly Filling[] = (kind, at, attribute) =>
    fillingsAt(kind, said, at, attribute),
): Alignment | undefined {
  const words = said.words.map(({ word }) => word);
  // "Did you see Anna there?" is about the place mentioned, "did you see Anna?" about none.
  const isOfPlace = parts.some((part) => nodesCalled("there", part).length > 0);
  const priceOfForm = (word: string) => (isOfPlace && word === "there" ? PRICE.bearing : priceOf(word));
  const prices = words.map(priceOf);
  const around = words.map((word, n) => (LIGHT.has(word) ? AROUND : prices[n]!));
  let row: (Step | undefined)[] = new Array(words.length + 1);
  row[0] = { cost: 0 };
  skipWords(row, around, most);
  for (const [n, one] of form.entries()) {
    const next: (Step | undefined)[] = new Array(words.length + 1);
    const offer = (at: number, step: Step) => {
      if (step.cost <= most && step.cost < (next[at]?.cost ?? Infinity)) next[at] = step;
    };
    for (let at = 0; at <= words.length; at++) {
      const from = row[at];
      if (!from) continue;
      if (typeof one === "string") {
        offer(at, { cost: from.cost + priceOfForm(one), from });
        if (at < words.length) offer(at + 1, { cost: from.cost + swap(one, words[at]!, apart), from });
      } else if (at < words.length) {
        for (const { end, cost, value, isMany } of filling(one.kind, at, one.attribute)) {
          const number = (isMany ?? false) === (one.isMany ?? false) ? 0 : PRICE.number;
          offer(end, { cost: from.cost + cost + number, from, value });
        }
      }
    }
    skipWords(next, n === form.length - 1 ? around : prices, most);
    row = next;
    if (row.every((step) => step === undefined)) return undefined;
  }
  const last = row[words.length];
  return last && { cost: last.cost, values: valuesOf(last) };
}

/** Words of the question that the form does not have. */
function skipWords(row: (Step | undefined)[], prices: readonly number[], most: number): void {
  for (let at = 0; at < prices.length; at++) {
    const from = row[at];
    if (!from) continue;
    const cost = from.cost + prices[at]!;
    if (cost <= most && cost < (row[at + 1]?.cost ?? Infinity)) row[at + 1] = { cost, from };
  }
}

function valuesOf(last: Step): (Expression | Literal)[] {
  const values: (Expression | Literal)[] = [];
  for (let step: Step | undefined = last; step; step = step.from)
    if (step.value !== undefined) values.unshift(step.value);
  return values;
}
