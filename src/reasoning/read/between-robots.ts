import { agentsAt } from "./pairs/slots.ts";
import { type Token, textOf, type Written } from "./tokens.ts";
import { sourceOf } from "./trained/source.ts";

/** Verbs before the subject of a question. */
const BEFORE_SUBJECT: ReadonlySet<string> = new Set("did was is has does had were".split(" "));
/** Words of a question about which of several that the robots' names answer. */
const ASKS_WHICH: ReadonlySet<string> = new Set(["who", "which", "whose", "whom"]);
/** What follows "which" where the robots are meant: "which robot", "which one", "which of you". */
const OF_ROBOTS: ReadonlySet<string> = new Set(["robot", "bot", "unit", "one", "of"]);
const WHICH_OF_YOU = ["which", "of", "you"];

interface Named {
  readonly from: number;
  readonly end: number;
}

/**
 * "Who saw the mug last, robot 1 or robot 2?", "was it robot 1 or robot 2 that saw it?": the same question about which of them,
 * without their names. Undefined where no robots are given as alternatives.
 */
export function betweenRobots(sentences: readonly Written[]): string | undefined {
  for (const [n, sentence] of sentences.entries()) {
    const named = alternatives(sentence);
    if (!named) continue;
    const asked = withoutNames(sentence.tokens, named);
    if (asked.length === 0) return undefined;
    return textOf(sentences.with(n, { tokens: asked, end: "?" }));
  }
  return undefined;
}

/** The words from the first name to the last of the alternatives. */
function alternatives({ tokens, end }: Written): Named | undefined {
  const words = sourceOf([{ tokens: tokens.map((one) => ({ ...one, parted: false })), end }]);
  if (words.length < tokens.length) return undefined;
  const names: (Named & { readonly agent: string })[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const [name] = agentsAt({ words, nowUs: 0, rooms: new Set() }, at);
    if (!name || typeof name.value !== "string") continue;
    const owned = tokens[name.end]?.word === "'s" ? 1 : 0;
    names.push({ from: at, end: name.end + owned, agent: name.value });
    at = name.end + owned - 1;
  }
  const [first, second] = names;
  if (!first || !second || first.agent === second.agent) return undefined;
  const between = tokens.slice(first.end, second.from).map(({ word }) => word);
  return between.length === 1 && between[0] === "or" ? { from: first.from, end: second.end } : undefined;
}

/** The question with "which of you" as its subject. */
function withoutNames(tokens: readonly Token[], { from, end }: Named): readonly Token[] {
  // The first word of the sentence comes to stand within it.
  const before = tokens.slice(0, from).map((one, n) => (n === 0 ? { ...one, raw: one.word } : one));
  const after = tokens.slice(end);
  const [auxiliary] = before.slice(-1);
  const isSubject = after.length > 0 && auxiliary !== undefined && BEFORE_SUBJECT.has(auxiliary.word);
  if (isSubject) return which(auxiliary.word === "did" ? after : [auxiliary, ...after]);
  const isClaim = after.length > 0 && before.at(-1)?.word === "it";
  if (isClaim) return which(/^(?:that|who|which)$/.test(after[0]!.word) ? after.slice(1) : after);
  const rest = [...before, ...after];
  const at = rest.findIndex(({ word }) => ASKS_WHICH.has(word));
  if (at < 0) return which([word("was"), word("the"), ...rest]);
  if (rest[at]!.word === "whose") return [...rest.slice(0, at), ...which(rest.slice(at + 2))];
  if (rest[at]!.word === "which")
    return OF_ROBOTS.has(rest[at + 1]?.word ?? "") ? rest : rest.toSpliced(at, 1, ...which([]));
  return [...rest.slice(0, at), ...which(rest.slice(at + 1))];
}

function which(rest: readonly Token[]): readonly Token[] {
  return [...WHICH_OF_YOU.map(word), ...rest.map((one, n) => (n === 0 ? { ...one, parted: false } : one))];
}

function word(of: string): Token {
  return { word: of, raw: of, quoted: false, parted: false };
}
