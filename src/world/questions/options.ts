import type { Random } from "../../geometry/index.ts";
import type { TruthAnswer } from "../../schema/index.ts";
import type { Draft } from "./draft.ts";

const OPTIONS = 4;

/** Assigns positions of the right answer so that each occurs equally often, in an unpredictable order. */
export class LetterDeck {
  readonly #random: Random;
  #cards: number[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  next(): number {
    if (this.#cards.length === 0)
      this.#cards = this.#random.shuffle(Array.from({ length: 4 * OPTIONS }, (_, i) => i % OPTIONS));
    return this.#cards.pop()!;
  }
}

export interface Chosen {
  readonly answer: TruthAnswer;
  readonly options?: readonly string[];
}

/** The same question with four options of one class; undefined when there are not enough wrong ones. */
export function withOptions(draft: Draft, deck: LetterDeck, random: Random): Chosen | undefined {
  const right = draft.answer.text;
  const same = new Set([right, ...(draft.extra ?? [])].map((text) => text.toLowerCase()));
  const wrong = [...new Set(draft.distractors ?? [])].filter((text) => !same.has(text.toLowerCase()));
  if (wrong.length < OPTIONS - 1) return undefined;
  const options = random.shuffle(wrong).slice(0, OPTIONS - 1);
  const at = deck.next();
  options.splice(at, 0, right);
  return { answer: { type: "choice", letter: String.fromCharCode(65 + at), text: right }, options };
}
