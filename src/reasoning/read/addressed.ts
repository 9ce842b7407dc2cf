import type { Expression } from "../../schema/index.ts";
import { kindOf } from "../algebra/check.ts";
import { node } from "../algebra/notation.ts";
import { agentsAt } from "./pairs/slots.ts";
import { goesOn } from "./placeholders.ts";
import { textOf, type Written } from "./tokens.ts";
import { sourceOf } from "./trained/source.ts";

/** A question that addresses one of several robots by name, and the question without the name. */
export interface Addressed {
  readonly agent: string;
  readonly question: string;
  /** It is named in a clause that tells when: "while robot 1 was in the hall, where was robot 2?" */
  readonly isWhen?: boolean;
}

/** "Robot 2, what did you see?", "What did you see, robot-2?": undefined without an addressee. */
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

/** Words that begin a clause which tells when. */
const TELLS_WHEN: ReadonlySet<string> = new Set(["while", "whilst", "during", "as"]);

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
      const isWhen = tokens.slice(0, at).some(({ word }) => TELLS_WHEN.has(word));
      const question = textOf(sentences.with(n, { ...sentence, tokens: rest }));
      return { agent: name.value, question, isWhen };
    }
  }
  return undefined;
}

/** The number of robots named. */
export function robotsNamed(sentences: readonly Written[]): number {
  const names = sentences.flatMap(({ tokens, ...rest }) => {
    const words = sourceOf([{ ...rest, tokens: tokens.map((one) => ({ ...one, parted: false })) }]);
    return tokens.flatMap((_, at) =>
      agentsAt({ words, nowUs: 0, rooms: new Set() }, at).map(({ value }) => value),
    );
  });
  return new Set(names).size;
}

/** Whether a comma or the end of the sentence follows the name. */
function isParted(sentences: readonly Written[], n: number, end: number): boolean {
  const { tokens } = sentences[n]!;
  return end < tokens.length ? tokens[end]!.parted : n + 1 < sentences.length;
}

/** Operators about the robot's own path and place. */
const OWN: ReadonlySet<string> = new Set(["doings", "stay", "self", "travelled", "when", "seen", "often"]);

function tellsOwn({ op, of }: Expression): boolean {
  return OWN.has(op) || of.some(tellsOwn);
}

/** What is asked of one robot: its own way, or of things only those that it saw. */
export function askedOf(
  part: Expression,
  { agent, isWhen }: Pick<Addressed, "agent" | "isWhen">,
): Expression {
  const [set, ...rest] = part.of;
  if (part.op === "by" && part.with["agent"] !== undefined) return askedOfTwo(part, agent, isWhen);
  if (!tellsOwn(part) && set && set.op !== "the" && !goesOn(set) && kindOf(set) === "things")
    return { ...part, of: [node("witnessed", [set], { agent }), ...rest] };
  return node("by", [seenOnly(part, agent)], { agent });
}

/** Another robot is named in it: what is asked is of the one, and when that was of the other. */
function askedOfTwo(part: Expression, agent: string, isWhen = false): Expression {
  const [asked, times] = part.of[0]?.op === "at" ? part.of[0].of : [];
  const other = part.with["agent"];
  if (!asked || !times || other === undefined || other === agent || !tellsOwn(times)) return part;
  const [whose, then] = isWhen ? [other, agent] : [agent, other];
  return node("at", [node("by", [asked], { agent: whose }), node("by", [times], { agent: then })]);
}

/** What an operator around it binds has no kind by itself. */
function holdsIt({ op, of }: Expression): boolean {
  return op === "it" || of.some(holdsIt);
}

/** Sightings of things are those of the robot addressed. */
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
