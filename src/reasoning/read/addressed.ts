import type { Expression } from "../../schema/index.ts";
import { kindOf } from "../algebra/check.ts";
import { node } from "../algebra/notation.ts";
import { agentsAt } from "./pairs/slots.ts";
import { goesOn } from "./placeholders.ts";
import { textOf, type Written } from "./tokens.ts";
import { sourceOf } from "./trained/source.ts";

/** A question that calls one of several robots by its name, and the question without the name. */
export interface Addressed {
  readonly agent: string;
  readonly question: string;
}

/** "Robot 2, what did you see?", "What did you see, robot-2?": undefined where nobody is called. */
export function addressedTo(sentences: readonly Written[]): Addressed | undefined {
  return calledAtEnd(sentences, "first") ?? calledAtEnd(sentences, "last");
}

function calledAtEnd(sentences: readonly Written[], which: "first" | "last"): Addressed | undefined {
  const n = which === "first" ? 0 : sentences.length - 1;
  const sentence = sentences[n];
  if (!sentence) return undefined;
  const { tokens } = sentence;
  const starts = which === "first" ? [0, 1] : [tokens.length - 2, tokens.length - 1];
  for (const at of starts) {
    const words = sourceOf([{ ...sentence, tokens: tokens.map((one) => ({ ...one, parted: false })) }]);
    const [name] = at < 0 ? [] : agentsAt({ words, nowUs: 0, rooms: new Set() }, at);
    if (!name || typeof name.value !== "string") continue;
    const isApart = which === "first" ? isParted(sentences, n, name.end) : tokens[at]?.parted;
    const isWhole =
      which === "first"
        ? at === 0 || /^(?:hey|hi|hello|ok|okay)$/.test(tokens[0]!.word)
        : name.end === tokens.length;
    if (!isApart || !isWhole) continue;
    const rest = which === "first" ? tokens.slice(name.end) : tokens.slice(0, at);
    const without = sentences.with(n, { ...sentence, tokens: rest }).filter((one) => one.tokens.length > 0);
    return without.length > 0 ? { agent: name.value, question: textOf(without) } : undefined;
  }
  return undefined;
}

/** "Has robot 2 been upstairs?": the same asked of the robot itself; undefined where none is named. */
export function spokenTo(sentences: readonly Written[]): Addressed | undefined {
  for (const [n, sentence] of sentences.entries()) {
    const { tokens } = sentence;
    const words = sourceOf([{ ...sentence, tokens: tokens.map((one) => ({ ...one, parted: false })) }]);
    for (const [at, token] of tokens.entries()) {
      const [name] = agentsAt({ words, nowUs: 0, rooms: new Set() }, at);
      if (!name || typeof name.value !== "string") continue;
      const isOwner = tokens[name.end]?.word === "'s";
      const you = { ...token, word: isOwner ? "your" : "you", raw: isOwner ? "your" : "you" };
      const rest = [...tokens.slice(0, at), you, ...tokens.slice(name.end + (isOwner ? 1 : 0))];
      return { agent: name.value, question: textOf(sentences.with(n, { ...sentence, tokens: rest })) };
    }
  }
  return undefined;
}

/** Whether a comma or the end of the sentence stands after the name. */
function isParted(sentences: readonly Written[], n: number, end: number): boolean {
  const { tokens } = sentences[n]!;
  return end < tokens.length ? tokens[end]!.parted : n + 1 < sentences.length;
}

/** Operators that tell of the asked one's own way and place. */
const OWN: ReadonlySet<string> = new Set(["doings", "stay", "self", "travelled", "when", "seen", "often"]);

function tellsOwn({ op, of }: Expression): boolean {
  return OWN.has(op) || of.some(tellsOwn);
}

/** What is asked of one robot: its own way, or of things only those that it saw. */
export function askedOf(part: Expression, agent: string): Expression {
  const [set, ...rest] = part.of;
  if (!tellsOwn(part) && set && set.op !== "the" && !goesOn(set) && kindOf(set) === "things")
    return { ...part, of: [node("witnessed", [set], { agent }), ...rest] };
  return node("by", [seenOnly(part, agent)], { agent });
}

/** What an operator around it binds has no kind by itself. */
function holdsIt({ op, of }: Expression): boolean {
  return op === "it" || of.some(holdsIt);
}

/** Looks at things are those of the one that is asked. */
function seenOnly(part: Expression, agent: string): Expression {
  const of = part.of.map((one) => seenOnly(one, agent));
  const [what, ...rest] = of;
  if (
    part.op !== "doings" ||
    part.with["verb"] !== "see" ||
    !what ||
    holdsIt(what) ||
    goesOn(what) ||
    kindOf(what) !== "things"
  )
    return { ...part, of };
  const set = what.op === "the" ? what.of[0]! : what;
  return { ...part, of: [node("witnessed", [set], { agent }), ...rest] };
}
