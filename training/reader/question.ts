import { sentencesOf } from "../../src/reasoning/read/tokens.ts";
import { MARKS, type SourceWord, sourceOf } from "../../src/reasoning/read/trained/source.ts";

/** The questions of a pair in their order, the one that is asked last: `earlier >> [options] [shown] question`. */
export function questionsIn(text: string): string[] {
  return text
    .replaceAll(MARKS.options, " ")
    .replaceAll(MARKS.shown, " ")
    .split(MARKS.before)
    .map((one) => one.trim());
}

/** What the reader sees of a pair's question. */
export function sourceIn(text: string): SourceWord[] {
  const said = questionsIn(text).map(sentencesOf);
  return sourceOf(said.at(-1)!, {
    earlier: said.slice(0, -1),
    hasOptions: text.includes(MARKS.options),
    isShown: text.includes(MARKS.shown),
  });
}
