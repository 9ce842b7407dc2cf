import { lookup, roomKind } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { withoutAdjuncts } from "./adjuncts.ts";
import { antecedentsOf, subjectOf } from "./antecedents.ts";
import { both, leastWorth } from "./both.ts";
import { isLong, readDescription } from "./description.ts";
import { followUp } from "./follow-up.ts";
import { FRAMES } from "./frames/index.ts";
import { isFunctionWord } from "./function-words.ts";
import { isFiller } from "./pattern.ts";
import { meant, type Noun } from "./phrases.ts";
import type { Reading } from "./reading.ts";
import { type Antecedents, type ReadContext, Sentence } from "./sentence.ts";
import { mended } from "./spell.ts";
import { sentencesOf, type Written } from "./tokens.ts";
import { proposed } from "./trained/index.ts";
import { isEmpty, trimmed } from "./trim.ts";
import { asMeant } from "./usage.ts";
import { viewOf } from "./views.ts";
import { singularOf } from "./vocabulary.ts";

/** What is known beside the words of a question. */
export interface Asked {
  readonly nowUs: number;
  /** Names that this memory holds and that begin so: things, rooms, people. */
  readonly names: (prefix: string) => Promise<readonly string[]>;
  /** Names of people and pets, in small letters. */
  readonly people?: ReadonlySet<string> | undefined;
  readonly options?: readonly string[] | undefined;
  /** A picture was shown: what "this" is. */
  readonly shown?: boolean | undefined;
  /** What was asked before, the latest last. */
  readonly history?: readonly { readonly expression: Expression }[] | undefined;
}

const MOST_READINGS = 6;

/** To search by the words of a question costs so much; what is worse is no reading of it. */
const BY_WORDS = 4;
/** A word with a meaning that a reading leaves out. */
const LEFT_OUT = 1.1;

const LEFT_OUT_SMALL = 0.25;
/** A description by all that it mentions is read loosely. */
const DESCRIBED = 0.1;

/** Reads a question: the ways to understand it, the likeliest first. Always at least one, if only to search by its words. */
export async function read(question: string, asked: Asked): Promise<readonly Reading[]> {
  const written = sentencesOf(question);
  const names = await asked.names("");
  const last = asked.history?.at(-1)?.expression;
  const context: ReadContext = {
    nowUs: asked.nowUs,
    shown: asked.shown,
    people: asked.people,
    names: new Set(names.filter((name) => name.includes(" ")).map((name) => name.toLowerCase())),
    ...(last && { antecedents: { last, antecedent: subjectOf(last) } }),
  };
  const { sentences: all, notes } = mended(written, names);
  const byGrammar = readingsOf(question, all, notes, { ...context, ...optionsOf(asked.options, context) });
  const isAlone = last === undefined && !asked.shown;
  const readings = isAlone
    ? both(byGrammar, proposed(all, { ...context, leastP: leastWorth(byGrammar) }), notes, all)
    : byGrammar;
  return asMeant(readings, question).slice(0, MOST_READINGS);
}

/** The things that options name, for "which of these". */
function optionsOf(options: readonly string[] | undefined, context: ReadContext): { options?: Expression } {
  const nouns = (options ?? []).map((option) => {
    const s = new Sentence(
      sentencesOf(option).flatMap(({ tokens }) => tokens),
      context,
    );
    return s.nouns(0).find(({ end }) => end === s.words.length)?.value;
  });
  if (nouns.length < 2 || nouns.some((noun) => noun === undefined || noun.kind !== nouns[0]?.kind)) return {};
  return {
    options: node(
      "or",
      nouns.map((noun) => meant({ ...noun!, definite: true, plural: false })),
    ),
  };
}

function readingsOf(
  question: string,
  all: readonly Written[],
  notes: readonly string[],
  context: ReadContext,
): Reading[] {
  const sentences = all.filter(({ tokens }) => !isEmpty(tokens, context));
  if (sentences.length === 0) return [fallback(question, notes)];
  const follow = followUp(sentences, context);
  const described = readDescription(sentences);
  const whole = [
    ...follow,
    ...(described ? [{ parts: [described], cost: DESCRIBED, explained: 1 }] : []),
    ...(described && isLong(sentences) ? [] : readSentences(sentences, context, question)),
  ];
  const ranked = sensible(distinct(whole.toSorted((a, b) => a.cost - b.cost))).slice(0, MOST_READINGS);
  const readings = ranked
    .map((one) => ({ ...one, cost: Math.max(0, one.cost) + notes.length * 0.1, notes }))
    .filter(({ cost }) => cost < BY_WORDS);
  return [...readings, ...(readings.length < 2 ? [fallback(question, notes)] : [])];
}

type Plain = Omit<Reading, "notes">;

function fallback(question: string, notes: readonly string[]): Reading {
  return {
    parts: [node("recall", [], { text: question.slice(0, 1_000) })],
    cost: BY_WORDS,
    explained: 0,
    notes,
  };
}

function distinct(readings: readonly Plain[]): Plain[] {
  const seen = new Set<string>();
  return readings.filter(({ parts }) => {
    const key = JSON.stringify(parts);
    return !seen.has(key) && seen.add(key);
  });
}

/** A room is no thing, where it can be read as a room. */
function sensible(readings: readonly Plain[]): readonly Plain[] {
  const isRoomThing = ({ op, of, with: { category } }: Expression): boolean =>
    (op === "things" &&
      typeof category === "string" &&
      !lookup(category) &&
      roomKind(category) !== undefined) ||
    of.some(isRoomThing);
  const kept = readings.filter(({ parts }) => !parts.some(isRoomThing));
  return kept.length > 0 ? kept : readings;
}

/** What asks, of several sentences; what was said before it is what "it" and "they" mean. */
function readSentences(sentences: readonly Written[], context: ReadContext, question: string): Plain[] {
  if (sentences.length === 1) return readSentence(sentences[0]!, context, question);
  const asking = sentences.map((one) => one.end === "?" || ASKS.has(one.tokens[0]?.word ?? ""));
  const main = asking.some(Boolean) ? asking : sentences.map((_, n) => n === sentences.length - 1);
  let readings: Plain[] = [{ parts: [], cost: 0, explained: 1 }];
  let antecedents: Antecedents | undefined = context.antecedents;
  // "I stand by the window and face the bed." is meant of what is asked then.
  let view: ((one: Expression) => Expression) | undefined;
  for (const [n, sentence] of sentences.entries()) {
    if (!main[n]) {
      view = viewOf(new Sentence(sentence.tokens, { ...context, antecedents })) ?? view;
      antecedents = antecedentsOf(sentence, { ...context, antecedents }) ?? antecedents;
      continue;
    }
    const own = readSentence(sentence, { ...context, antecedents }, question).slice(0, 3);
    if (own.length === 0) continue;
    readings = readings
      .flatMap((so) =>
        own.map((one) => ({
          parts: [...so.parts, ...one.parts.map((part) => view?.(part) ?? part)],
          cost: so.cost + one.cost,
          explained: Math.min(so.explained, one.explained),
        })),
      )
      .toSorted((a, b) => a.cost - b.cost)
      .slice(0, 4);
    const [first] = own;
    const last = first?.parts.at(-1);
    if (last) antecedents = { antecedent: subjectOf(last) ?? antecedents?.antecedent };
  }
  // A wish that is put before a question is what the question is about.
  const statement = sentences
    .filter((_, n) => !main[n])
    .map(({ tokens }) => tokens.map(({ word }) => word).join(" "))
    .join(". ");
  const needs =
    statement !== "" &&
    (readings[0]?.parts.length === 0 || (readings[0]?.cost ?? 9) > 0.9 || VAGUE.test(question.toLowerCase()));
  const wish: Plain[] = needs
    ? [
        {
          parts: [
            PLACE.test(question.toLowerCase())
              ? node("name", [node("serves", [], { purpose: statement, room: true })])
              : VAGUE.test(question.toLowerCase())
                ? node("action", [], { purpose: statement })
                : node("name", [node("serves", [], { purpose: statement })]),
          ],
          cost: VAGUE.test(question.toLowerCase()) ? 0.2 : 1,
          explained: 0.8,
        },
      ]
    : [];
  return [...readings.filter(({ parts }) => parts.length > 0), ...wish];
}

const VAGUE =
  /\b(?:what (?:should|can|could|do) i (?:do|use)|any (?:advice|ideas?|tips?|suggestions?)|got a tip|how (?:do|can|could) i (?:fix|change|solve|help) (?:that|it|this)|what to do|can you help|what now|where should i go|where (?:can|could) i go|what (?:would|do) you (?:suggest|recommend)|help me|what helps|what would help)\b/;

const PLACE = /\bwhere\b/;

const ASKS = new Set(
  "where what which who whose whom when how why is are was were do does did have has can could will would should list name count describe tell show find".split(
    " ",
  ),
);

function readSentence(sentence: Written, context: ReadContext, question: string): Plain[] {
  const asks = sentence.end === "?";
  const s = new Sentence(sentence.tokens, context, asks);
  const found: Plain[] = [];
  for (const bare of withoutAdjuncts(s)) {
    const about = bare.antecedent ? { ...context, antecedents: { antecedent: bare.antecedent } } : context;
    for (const { tokens, cost } of trimmed(bare.tokens, context)) {
      const own = new Sentence(tokens, about, asks);
      for (const one of matched(own))
        found.push({
          parts: one.parts.map(bare.wrap),
          cost: bare.cost + cost + one.cost,
          explained: one.explained,
        });
      if (!found.some((one) => one.cost < 0.25))
        for (const one of compound(own, context, question))
          found.push({
            parts: one.parts.map(bare.wrap),
            cost: bare.cost + cost + one.cost,
            explained: one.explained,
          });
    }
  }
  const ranked = found.toSorted((a, b) => a.cost - b.cost);
  if ((ranked[0]?.cost ?? 9) > 0.4) ranked.push(...partly(s, sentence, context));
  return distinct(ranked.toSorted((a, b) => a.cost - b.cost)).slice(0, MOST_READINGS);
}

/** Every frame that fits the whole sentence, or all but its last words. */
function matched(s: Sentence): Plain[] {
  const found: Plain[] = [];
  if (s.words.length === 0) return found;
  const content = s.words.filter((word) => !isFunctionWord(word) && !isFiller(word)).length;
  const starts = startsOf(s);
  for (const frame of FRAMES) {
    if (!starts.some((word) => frame.pattern.startsWith(word))) continue;
    for (const { end, cost, value } of frame.pattern.match(s)) {
      const left = s.words.slice(end).filter((word) => !isFiller(word));
      // "on" and "not" at the end are no mere fillers.
      const missing = left.filter((word) => !isFunctionWord(word) || /^(?:on|off|not|no)$/.test(word)).length;
      const extra = missing * LEFT_OUT + (left.length - missing) * LEFT_OUT_SMALL;
      if (extra > 2.5) continue;
      const expression = frame.build(value, s, end);
      if (expression)
        found.push({
          parts: [expression],
          cost: frame.cost + cost + extra,
          explained: content === 0 ? 1 : 1 - missing / content,
        });
    }
  }
  return found.toSorted((a, b) => a.cost - b.cost).slice(0, MOST_READINGS);
}

/** The words that a frame may begin with: the first, and what fillers stand before. */
function startsOf({ words }: Sentence): string[] {
  const starts: string[] = [];
  for (const word of words.slice(0, 4)) {
    starts.push(word);
    if (!isFiller(word)) break;
  }
  return starts;
}

/** "Where is the mug and what colour is it": two questions, the second about what the first speaks of. */
function compound(s: Sentence, context: ReadContext, question: string): Plain[] {
  const found: Plain[] = [];
  for (let at = 2; at < s.words.length - 1; at++) {
    const joins = /^(?:and|or|but|also|plus|then)$/.test(s.words[at]!);
    const from = joins ? at + 1 : at;
    const next = s.words[from] ?? "";
    const skip =
      next === "if" && /^(?:so|yes)$/.test(s.words[from + 1] ?? "")
        ? from + 2
        : /^(?:also|then)$/.test(next)
          ? from + 1
          : from;
    if (!joins && !s.tokens[at]!.parted) continue;
    if (!ASKS.has(s.words[skip] ?? "") && !/^(?:in|at|on)$/.test(s.words[skip] ?? "")) continue;
    const [first] = trimmed(s.tokens.slice(0, at), context)
      .flatMap((one) =>
        matched(new Sentence(one.tokens, context)).map((read) => ({ ...read, cost: read.cost + one.cost })),
      )
      .toSorted((a, b) => a.cost - b.cost);
    if (!first || first.cost > 1.2) continue;
    const antecedents = {
      ...context.antecedents,
      ...antecedentsOf({ tokens: s.tokens.slice(0, at), end: "" }, context),
    };
    const antecedent = subjectOf(first.parts[0]!) ?? antecedents.antecedent;
    const rest = { tokens: s.tokens.slice(skip), end: "?" as const };
    const [second] = readSentence(
      rest,
      { ...context, antecedents: { ...antecedents, antecedent } },
      question,
    );
    if (second && second.cost < 1.5)
      found.push({
        parts: [...first.parts, ...second.parts],
        cost: first.cost + second.cost + 0.05,
        explained: Math.min(first.explained, second.explained),
      });
  }
  return found;
}

/** Only a part of the sentence is understood: from where it begins to ask, or what is left of a noun phrase. */
function partly(s: Sentence, sentence: Written, context: ReadContext): Plain[] {
  const found: Plain[] = [];
  const content = (words: readonly string[]) =>
    words.filter((word) => !isFunctionWord(word) && !isFiller(word)).length;
  for (let from = 1; from < s.words.length - 1; from++) {
    if (!ASKS.has(s.words[from]!) && !/^(?:that|whether|if)$/.test(s.words[from - 1]!)) continue;
    const before = antecedentsOf({ tokens: s.tokens.slice(0, from), end: "" }, context);
    const named =
      before?.antecedent && usesPronoun(s.words.slice(from)) ? JSON.stringify(before.antecedent) : "";
    const lost = content(s.words.slice(0, from).filter((word) => !named.includes(singularOf(word))));
    const about = before ? { ...context, antecedents: { ...context.antecedents, ...before } } : context;
    const inner = withoutAdjuncts(new Sentence(s.tokens.slice(from), about, s.asks)).flatMap((bare) =>
      trimmed(bare.tokens, about).flatMap(({ tokens, cost }) =>
        matched(new Sentence(tokens, about, s.asks)).map((one) => ({
          ...one,
          parts: one.parts.map(bare.wrap),
          cost: one.cost + bare.cost + cost,
        })),
      ),
    );
    for (const one of inner)
      found.push({
        ...one,
        cost: one.cost + (isNewPart(s, from) ? Math.min(0.45, 0.12 * lost) : Math.min(0.9, 0.3 * lost)) + 0.1,
        explained: one.explained * (1 - lost / (2 * Math.max(1, content(s.words)))),
      });
  }
  // "The curtain of the bathroom, she is closed?": what it is about is put first.
  for (let from = 2; from < s.words.length - 1; from++) {
    if (!s.tokens[from]!.parted || !usesPronoun(s.words.slice(from))) continue;
    const topic = s.nouns(0).find(({ end, value }) => end === from && value.kind !== "self");
    if (!topic) continue;
    const antecedents = { ...context.antecedents, antecedent: meant({ ...topic.value, definite: true }) };
    for (const one of readSentence(
      { tokens: s.tokens.slice(from), end: sentence.end },
      { ...context, antecedents },
      "",
    ))
      found.push({ ...one, cost: one.cost + topic.cost + 0.05 });
  }
  for (let to = s.words.length - 1; to > 2; to--) {
    if (!s.tokens[to]?.parted && !/^(?:because|so|as|since|for|but|i|and|cause)$/.test(s.words[to]!))
      continue;
    // What asks something of its own is no mere addition.
    const asksMore = s.words.slice(to, to + 3).some((word) => ASKS.has(word));
    const lost = content(s.words.slice(to)) + (asksMore ? 5 : 0);
    for (const one of trimmed(s.tokens.slice(0, to), context).flatMap(({ tokens, cost }) =>
      matched(new Sentence(tokens, context, s.asks)).map((read) => ({ ...read, cost: read.cost + cost })),
    ))
      found.push({ ...one, cost: one.cost + 0.15 * lost + 0.1 });
  }
  const [noun] = s.nouns(0).filter(({ end, value }) => end === s.words.length && value.kind !== "self");
  if (noun)
    found.push({
      parts: [alone(noun.value, sentence.end)],
      cost: noun.cost + (noun.value.grade ? 0.02 : 0.6),
      explained: 1,
    });
  return found;
}

/** Whether something new begins here: after a comma, or "so tell me", "but". */
function isNewPart(s: Sentence, at: number): boolean {
  return s.tokens.slice(Math.max(0, at - 3), at + 1).some(({ parted }) => parted);
}

function usesPronoun(words: readonly string[]): boolean {
  return words.some((word) => /^(?:it|they|them|he|him|she|her|there)$/.test(word));
}

/** A noun phrase by itself: where it is; with a question mark and no article, whether there is one. */
function alone(noun: Noun, end: Written["end"]): Expression {
  if (noun.quantity === "all") return node("name", [noun.set]);
  if (noun.quantity === "any" && end === "?") return node("exists", [noun.set]);
  if (noun.grade) return node("name", [meant(noun)]);
  return node("place", [meant(noun)]);
}
