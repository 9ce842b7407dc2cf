import { LociEncoder } from "../../models/loci-encoder/encoder.ts";
import type { Expression } from "../../schema/index.ts";
import { kindOf } from "../algebra/check.ts";
import { node } from "../algebra/notation.ts";
import { NO_OPTIONS, type Operator } from "../algebra/operator.ts";
import { operators } from "../algebra/table.ts";
import type { Kind } from "../algebra/value.ts";
import { isFunctionWord } from "./function-words.ts";
import { fillingsAt, type Sentence } from "./pairs/slots.ts";
import { canWrite } from "./trained/index.ts";

/** An operator that may be meant, with the question's names as its arguments. */
export interface Suggested {
  readonly parts: readonly Expression[];
  readonly p: number;
}

/**
 * How often the operator with the nearest description is part of the correct reading, by its similarity: of 3,945 pairs
 * .08 below .3, .15 below .4, .22 below .5 and .28 above. Above `least` it is tried where nothing else was understood.
 */
const NEAR = { least: 0.4, p: 0.22, nearer: 0.5, nearerP: 0.28 } as const;
const MOST = 2;
/**
 * The least similarity to the description of an operator that the network does not know. Of four such operators (weight,
 * temperature, charge, humidity) 10 of 11 questions about them reach it, and 3 of 2,506 questions by people about
 * other things; the probability is that of an exact form.
 */
const UNKNOWN = { least: 0.5, p: 0.95 } as const;

/**
 * The operators whose descriptions are nearest in meaning to a question, applied to the things it names: the last
 * resort before a search by words.
 */
export function bySays(said: Sentence): Suggested[] {
  return nearest(said, operators(), NEAR.least).map(({ part, near }) => ({
    parts: [part],
    p: near < NEAR.nearer ? NEAR.p : NEAR.nearerP,
  }));
}

/**
 * The same of the operators that a program has added and the network therefore never writes: whatever it proposes
 * instead, however certain, says nothing against them.
 */
export function byUnknownSays(said: Sentence): Suggested[] {
  const unknown = operators().filter(({ name }) => !canWrite(name));
  if (unknown.length === 0) return [];
  return nearest(said, unknown, UNKNOWN.least).map(({ part }) => ({ parts: [part], p: UNKNOWN.p }));
}

function nearest(
  said: Sentence,
  among: readonly Operator[],
  least: number,
): { readonly part: Expression; readonly near: number }[] {
  const { rest, sets } = partsOf(said);
  const meant = encoderOf().encode(rest.join(" "));
  if (!meant) return [];
  const found = among.flatMap((operator) => {
    const line = lineOf(operator);
    const near = line ? dot(meant, line) : 0;
    const part = near < least ? undefined : applied(operator, sets);
    return part ? [{ part, near }] : [];
  });
  return found.sort((a, b) => b.near - a.near).slice(0, MOST);
}

interface Named {
  readonly kind: Kind;
  readonly set: Expression;
  /** A definite name ("the suitcase", a room), not a bare noun that may be an attribute. */
  readonly isSure: boolean;
  readonly words: readonly string[];
}

/** The names in a question, in order, and the other words; bare nouns only where nothing else is named. */
function partsOf(said: Sentence): { readonly rest: readonly string[]; readonly sets: readonly Named[] } {
  const rest: string[] = [];
  const named: Named[] = [];
  for (let at = 0; at < said.words.length; ) {
    const found = namedAt(said, at);
    if (found) named.push(found);
    else rest.push(said.words[at]!.word);
    at += found?.words.length ?? 1;
  }
  const sure = named.filter(({ isSure }) => isSure);
  const bare = named.filter(({ isSure }) => !isSure);
  if (sure.length === 0) return { rest, sets: bare };
  return { rest: [...rest, ...bare.flatMap(({ words }) => words)], sets: sure };
}

function namedAt(said: Sentence, at: number): Named | undefined {
  const { word } = said.words[at]!;
  const [room] = fillingsAt("rooms", said, at);
  const [thing] = isFunctionWord(word) ? [] : fillingsAt("things", said, at).filter(({ cost }) => cost === 0);
  const found = room ?? thing;
  if (!found) return undefined;
  const set = found.value as Expression;
  const isThe = /^(?:the|my|our|this|that)$/.test(said.words[at - 1]?.word ?? "");
  return {
    kind: room ? "rooms" : "things",
    set: !room && isThe && !found.isMany ? node("the", [set]) : set,
    isSure: room !== undefined || isThe,
    words: said.words.slice(at, found.end).map((one) => one.word),
  };
}

/** The operator applied to the names, if it accepts them. */
function applied({ name, takes, options, gives }: Operator, sets: readonly Named[]): Expression | undefined {
  if (!(options ?? NO_OPTIONS).safeParse({}).success || takes.some(({ bound }) => bound)) return undefined;
  const left = [...sets];
  const of: Expression[] = [];
  for (const { kinds, optional, repeated } of takes) {
    const at = left.findIndex(({ kind }) => kinds.includes(kind));
    if (at >= 0) of.push(left.splice(at, 1)[0]!.set);
    else if (!optional && !repeated) return undefined;
  }
  // An operator without arguments, or one that leaves names unused, is not meant.
  if (of.length === 0 || left.length > 0 || gives === "first") return undefined;
  const whole = node(name, of);
  const kind = kindOf(whole);
  return kind === "things" || kind === "rooms" || kind === "events" ? node("name", [whole]) : whole;
}

let encoder: LociEncoder | undefined;
const lines = new WeakMap<Operator, Float32Array | null>();

function encoderOf(): LociEncoder {
  encoder ??= LociEncoder.open();
  return encoder;
}

function lineOf(operator: Operator): Float32Array | null {
  const known = lines.get(operator);
  if (known !== undefined) return known;
  const line = encoderOf().encode(operator.says);
  lines.set(operator, line);
  return line;
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
