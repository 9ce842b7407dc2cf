import { Random } from "../../geometry/index.ts";
import { bm25Idf, wordsOf } from "../../memory/words.ts";
import { type AnswerInput, type AnswerRecord, answerSchema } from "../../schema/index.ts";
import { numberIn } from "../judge/normalise.ts";
import { contextTokens } from "../metrics/text.ts";
import { expectationOf } from "./expectation.ts";
import type { Answerer, AskedQuestion, EvidenceItem, MemoryContext } from "./strategy.ts";

/** From this share of the question's words on, evidence is taken to be about what was asked. */
const ABOUT_IT = 0.5;
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
}

/**
 * The simplest answerer that reads its evidence: the line that shares most of the question's words, weighted by
 * how rare they are, and from it what the question asks for. It reasons about nothing; it is there so that the
 * ways of choosing evidence can be compared before, and beside, anything clever.
 */
export const EXTRACTIVE_ANSWERER: Answerer = {
  id: "extractive-1",
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
  const { item, text, cover } = best;
  const time = { atUs: item.fromUs, agoS: (nowUs - item.fromUs) / 1e6 };
  switch (expectationOf(question.text)) {
    case "binary":
      return { type: "binary", text: cover >= ABOUT_IT ? "yes" : "no", binary: cover >= ABOUT_IT };
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
      return { type: "text", text };
  }
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
  const asked = [...new Set(contentWords(question))];
  const lines = evidence.flatMap((item) =>
    item.text
      .split("\n")
      .filter((text) => text.trim() !== "")
      .map((text) => ({ item, text, words: new Set(wordsOf(text)) })),
  );
  const weight = new Map(
    asked.map((word) => [word, bm25Idf(lines.length, lines.filter(({ words }) => words.has(word)).length)]),
  );
  const total = [...weight.values()].reduce((sum, w) => sum + w, 0);
  return lines
    .map(({ item, text, words }) => {
      const met = asked.reduce((sum, word) => sum + (words.has(word) ? weight.get(word)! : 0), 0);
      return { item, text, cover: total === 0 ? 0 : met / total };
    })
    .sort((a, b) => b.cover - a.cover);
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
