import { inverted } from "./inverted.ts";
import { CLOSERS, OPENERS } from "./lexicon.ts";
import { isFiller, Pattern } from "./pattern.ts";
import { type ReadContext, Sentence } from "./sentence.ts";
import type { Token } from "./tokens.ts";

/** Thanks and greetings by themselves ask nothing. */
export function isEmpty(tokens: readonly Token[], context: ReadContext): boolean {
  const s = new Sentence(tokens, context);
  if (s.words.every((word) => isFiller(word))) return true;
  return [...closers, ...openers].some((one) =>
    one.match(s).some(({ end }) => s.words.slice(end).every((word) => isFiller(word))),
  );
}

const openers = OPENERS.map((text) => new Pattern(text));

const closers = CLOSERS.map((text) => new Pattern(text));

/** A sentence without its polite beginning and end; as it is first. */
export function trimmed(
  tokens: readonly Token[],
  context: ReadContext,
): { tokens: readonly Token[]; cost: number }[] {
  const found: { tokens: readonly Token[]; cost: number }[] = [];
  let from = 0;
  const s = new Sentence(tokens, context);
  for (let step = 0; step < 4; step++) {
    while (isLeading(s.words[from] ?? "") && from < s.words.length - 1) from++;
    const end = Math.max(from, ...openers.flatMap((opener) => opener.match(s, from).map((one) => one.end)));
    if (end === from || end >= s.words.length) break;
    found.push({ tokens: tokens.slice(from), cost: 0.12 });
    from = end;
  }
  while (isLeading(s.words[from] ?? "") && from < s.words.length - 1) from++;
  const base = tokens.slice(from);
  const ends = [base];
  let rest = base;
  for (let step = 0; step < 3 && rest.length > 1; step++) {
    const own = new Sentence(rest, context);
    let cut = rest.length;
    for (let at = Math.max(1, rest.length - 6); at < rest.length; at++) {
      if (
        closers.some((closer) => closer.match(own, at).some(({ end }) => end === rest.length)) ||
        (at === rest.length - 1 && isFiller(rest[at]!.word))
      ) {
        cut = at;
        break;
      }
    }
    if (cut === rest.length) break;
    rest = rest.slice(0, cut);
    ends.push(rest);
  }
  const plain = [...ends.map((one, n) => ({ tokens: one as readonly Token[], cost: n * 0.03 })), ...found];
  return plain.flatMap((one) => {
    const turned = inverted(one.tokens);
    return turned ? [one, { tokens: turned, cost: one.cost + 0.05 }] : [one];
  });
}

/** Words before a question that only tie it to what was said. */
function isLeading(word: string): boolean {
  return isFiller(word) || /^(?:but|and|so|because|also|yeah|yes|no)$/.test(word);
}
