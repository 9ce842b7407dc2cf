import { Random } from "../../geometry/index.ts";
import { bm25Idf, wordsOf } from "../../memory/lexical.ts";
import { expectationOf } from "../../reasoning/systems/baselines/expectation.ts";
import { expand } from "../../retrieval/index.ts";
import { type AnswerInput, type AnswerRecord, answerSchema } from "../../schema/index.ts";
import { basicColour, numberIn } from "../judge/normalise.ts";
import { contextTokens } from "../metrics/text.ts";
import type { Answerer, AskedQuestion, EvidenceItem, MemoryContext } from "./strategy.ts";

/**
 * From this share of the question's words on, a record is taken to be about what was asked. People ask about what
 * they think they saw: a third of the words in one record is enough for a yes.
 */
const ABOUT_IT = 0.3;
/** Another word for one of the question's counts for so much. */
const OTHER_WORD = 0.8;
/** What whoever chose the evidence put first is so much likelier to hold the answer. */
const CHOSEN_FIRST = 0.15;
const CITED = 3;

const STOP = new Set(
  wordsOf(
    "a an the is are was were be been am do does did has have had can could will would should of to in on at by for from with and or not what which who whose where when why how many much long far tall there here it its this that these those i me my you your we our they he she them any some ever tell show please see saw seen look near nearest closest",
  ),
);

/** One line of the evidence with how well it covers the question. */
interface ScoredLine {
  readonly item: EvidenceItem;
  readonly text: string;
  readonly cover: number;
  /** How well the whole record covers it. */
  readonly whole: number;
}

/**
 * The simplest answerer that reads its evidence: the line that shares most of the question's words, weighted by
 * how rare they are, and from it what the question asks for. It reasons about nothing; it is there so that the
 * ways of choosing evidence can be compared before, and beside, anything clever.
 */
export const EXTRACTIVE_ANSWERER: Answerer = {
  id: "extractive-2",
  async answer(question, evidence, context) {
    const lines = scoreLines(question.text, evidence);
    const best = lines[0];
    const draft = draftOf(question, lines, context);
    return answerSchema.parse({
      question: question.text,
      askedAtUs: question.askedAtUs,
      strategy: "extractive",
      status: best === undefined ? "insufficient" : "answered",
      confidence: best === undefined ? 0 : Math.min(0.9, best.cover),
      evidence: lines.slice(0, CITED).map(({ item, text, cover }) => ({
        ref: item.ref,
        kind: item.kind,
        why: text,
        atUs: item.fromUs,
        agentId: item.agentId,
        score: cover,
        ...(item.trackIds[0] === undefined ? {} : { trackId: item.trackIds[0] }),
        ...(item.position === undefined ? {} : { position: item.position }),
      })),
      trace: {
        shown: evidence.map(shownOf),
        contextTokens: evidence.reduce((sum, { text }) => sum + contextTokens(text), 0),
      },
      ...draft,
    } satisfies AnswerInput);
  },
};

type Draft = Pick<AnswerInput, "type" | "text"> & Partial<AnswerInput>;

function draftOf(
  question: AskedQuestion,
  lines: readonly ScoredLine[],
  { nowUs, seed }: MemoryContext,
): Draft {
  const best = lines[0];
  if (best === undefined) return { type: "text", text: "" };
  if (question.options !== undefined) return chooseOption(question.options, lines, seed);
  const { item, text } = best;
  const about = Math.max(...lines.map(({ whole }) => whole)) >= ABOUT_IT;
  const time = { atUs: item.fromUs, agoS: (nowUs - item.fromUs) / 1e6 };
  switch (expectationOf(question.text)) {
    case "binary":
      return { type: "binary", text: about ? "yes" : "no", binary: about };
    case "count": {
      const things = new Set(
        lines.filter((line) => line.cover >= best.cover).flatMap((line) => line.item.trackIds),
      );
      const count = Math.round(things.size > 0 ? things.size : (numberIn(text) ?? 1));
      return { type: "count", text: String(count), count };
    }
    case "time":
      return { type: "time", text: `${(time.agoS / 60).toFixed(1)} minutes ago`, time };
    case "duration": {
      const about = lines.filter((line) => line.cover >= best.cover / 2).map((line) => line.item.fromUs);
      const durationS = about.reduce((longest, at) => Math.max(longest, Math.abs(at - item.fromUs)), 0) / 1e6;
      return { type: "duration", text: `${(durationS / 60).toFixed(1)} minutes`, durationS };
    }
    case "quantity": {
      const value = numberIn(text);
      return value === null
        ? { type: "text", text }
        : { type: "quantity", text, quantity: { value, unit: "m" } };
    }
    case "position":
      return item.position === undefined
        ? { type: "text", text }
        : { type: "position", text, position: { point: item.position } };
    case "text":
      return { type: "text", text: wordAskedFor(question.text, lines) ?? text };
  }
}

/** The one word that is asked for, from the first line that has it: a colour, a side. */
function wordAskedFor(question: string, lines: readonly ScoredLine[]): string | undefined {
  const isIt = /\bcolou?rs?\b/i.test(question)
    ? (word: string) => basicColour(word) !== undefined
    : /\b(?:which|what) (?:side|direction|way)\b/i.test(question)
      ? (word: string) => word === "left" || word === "right"
      : undefined;
  if (!isIt) return undefined;
  for (const { text, cover } of lines) {
    if (cover <= 0) break;
    const word = (text.toLowerCase().match(/[a-z]+/g) ?? []).find(isIt);
    if (word !== undefined) return word;
  }
  return undefined;
}

/** The option whose words the most fitting evidence holds; chance, from the question's own seed, decides ties. */
function chooseOption(options: readonly string[], lines: readonly ScoredLine[], seed: string): Draft {
  const scores = options.map((option) => {
    const words = contentWords(option);
    const covers = lines.map((line) => line.cover * shareOf(words, new Set(wordsOf(line.text))));
    return Math.max(0, ...covers);
  });
  const best = Math.max(...scores);
  const chosen = new Random(seed).pick(options.flatMap((_, i) => (scores[i] === best ? [i] : [])));
  return { type: "choice", text: options[chosen]!, choice: String.fromCharCode(65 + chosen) };
}

function scoreLines(question: string, evidence: readonly EvidenceItem[]): ScoredLine[] {
  const asked = askedWords(question);
  const lines = evidence.flatMap((item, rank) =>
    item.text
      .split("\n")
      .filter((text) => text.trim() !== "")
      .map((text) => ({ item, rank, text, words: new Set(wordsOf(text)) })),
  );
  const weighed = asked.map((one) => ({
    ...one,
    weight: bm25Idf(lines.length, lines.filter(({ words }) => metBy(one, words) > 0).length),
  }));
  const total = weighed.reduce((sum, { weight }) => sum + weight, 0);
  const coverOf = (words: ReadonlySet<string>) =>
    total === 0 ? 0 : weighed.reduce((sum, one) => sum + one.weight * metBy(one, words), 0) / total;
  const wholes = new Map(evidence.map((item) => [item, coverOf(new Set(wordsOf(item.text)))]));
  return lines
    .map(({ item, rank, text, words }) => ({
      item,
      text,
      cover: coverOf(words),
      whole: wholes.get(item)!,
      first: CHOSEN_FIRST / (1 + rank),
    }))
    .sort((a, b) => b.cover + b.whole * 0.5 + b.first - (a.cover + a.whole * 0.5 + a.first));
}

interface AskedWord {
  readonly word: string;
  readonly others: ReadonlySet<string>;
}

/** The words that a question turns on, each with what else it may be called. */
function askedWords(question: string): AskedWord[] {
  const said = question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const asked = new Map<string, AskedWord>();
  for (const plain of said) {
    const [word] = contentWords(plain);
    if (word === undefined || asked.has(word)) continue;
    const { same, kinds } = expand(plain);
    asked.set(word, { word, others: new Set([...same, ...kinds].flatMap((other) => wordsOf(other))) });
  }
  return [...asked.values()];
}

function metBy({ word, others }: AskedWord, words: ReadonlySet<string>): number {
  if (words.has(word)) return 1;
  for (const other of others) if (words.has(other)) return OTHER_WORD;
  return 0;
}

function contentWords(text: string): string[] {
  return wordsOf(text).filter((word) => !STOP.has(word));
}

function shareOf(words: readonly string[], within: ReadonlySet<string>): number {
  return words.length === 0 ? 0 : words.filter((word) => within.has(word)).length / words.length;
}

/** How a piece of evidence goes into the trace of an answer. */
export function shownOf(item: EvidenceItem): AnswerRecord["trace"]["shown"][number] {
  return {
    ref: item.ref,
    kind: item.kind,
    fromUs: item.fromUs,
    toUs: item.toUs,
    score: item.score,
    trackIds: [...item.trackIds],
    ...(item.position === undefined ? {} : { position: item.position }),
  };
}
