import { distance, type Vec3 } from "../../geometry/index.ts";
import type { AnswerRecord, QuestionRecord, TruthAnswer } from "../../schema/index.ts";
import { POSITION_TOLERANCE_M, TIME_TOLERANCE_S, timeError } from "../metrics/errors.ts";
import { setScores } from "../metrics/sets.ts";
import type { Judge, Judgement } from "./judge.ts";
import { isSameItem, matchText } from "./match-text.ts";
import { quantityIn, secondsIn } from "./measures.ts";
import { normalise, numberIn } from "./normalise.ts";

type Mark = 1 | 2 | 3 | 4 | 5;
type TruthOf<T extends TruthAnswer["type"]> = Extract<TruthAnswer, { type: T }>;

/** A number is right within this share of the truth, unless the question says otherwise. */
const QUANTITY_SHARE = 0.1;

/**
 * The deterministic judge of docs/formulas.md#judge: typed answers by their numbers, words by a lexicon. It needs no
 * model, so that a report can be reproduced anywhere, and knows less English than people do: its agreement with a
 * language model is reported beside it.
 */
export const RULE_JUDGE: Judge = {
  id: "rules-1",
  judge: async (question, answer) => judgeByRules(question, answer),
};

/** The verdict at once, for callers that have no use for a promise. */
export function judgeByRules(question: QuestionRecord, answer: AnswerRecord): Judgement {
  return judgeTruth(question.answer, question, answer);
}

function judgeTruth(truth: TruthAnswer, question: QuestionRecord, answer: AnswerRecord): Judgement {
  switch (truth.type) {
    case "none":
      return judgeAbstention(truth, answer);
    case "binary":
      return judgeBinary(truth, answer);
    case "compound":
      return judgeCompound(truth, question, answer);
    default:
      break;
  }
  if (answer.status !== "answered") return { score: null, why: `not answered: ${answer.status}` };
  switch (truth.type) {
    case "text":
      return judgeWords(truth, question, answer);
    case "position":
      return judgePosition(truth, question, answer);
    case "time":
      return judgeTime(truth, question, answer);
    case "duration":
      return judgeDuration(truth, question, answer);
    case "count":
      return judgeCount(truth, answer);
    case "quantity":
      return judgeQuantity(truth, question, answer);
    case "choice":
      return judgeChoice(truth, question, answer);
    case "set":
      return judgeSet(truth, answer);
    case "motion":
      return judgeMotion(truth, question, answer);
    case "rubric":
      return judgeRubric(truth, answer);
  }
}

/** Abstaining correctly is right; with the wrong reason it is half right. */
function judgeAbstention(truth: TruthOf<"none">, answer: AnswerRecord): Judgement {
  if (answer.status === truth.status) return mark(5, `rightly says ${truth.status}`);
  if (answer.status === "answered") return mark(1, `answers what has no answer (${truth.status})`);
  return mark(3, `says ${answer.status}, but it is ${truth.status}`);
}

/** "No, I looked" and "no, I never saw one" are the same answer with different certainty. */
function judgeBinary(truth: TruthOf<"binary">, answer: AnswerRecord): Judgement {
  const said = answer.binary ?? (answer.status === "answered" ? polarity(answer.text) : null);
  if (said === null)
    return answer.status === "answered"
      ? mark(1, "neither yes nor no")
      : { score: null, why: `not answered: ${answer.status}` };
  if (said !== truth.value) return mark(1, `says ${said ? "yes" : "no"}`);
  const wanted = truth.status ?? "answered";
  const differs = wanted !== "answered" && answer.status !== wanted && answer.status !== "answered";
  return differs ? mark(4, `right, but ${answer.status} is ${wanted}`) : mark(5, "right");
}

function polarity(text: string): boolean | null {
  const words = text.toLowerCase().match(/[a-z']+/g) ?? [];
  const first = normalise(words[0] ?? "").meaning;
  if (first.has("yes")) return true;
  if (first.has("no")) return false;
  if (words.some((word) => word === "not" || word.endsWith("n't") || word === "never")) return false;
  return null;
}

/** The mean of its parts, rounded down: with a missing part it is never "right". */
function judgeCompound(
  truth: TruthOf<"compound">,
  question: QuestionRecord,
  answer: AnswerRecord,
): Judgement {
  const parts = truth.parts.map((part) => judgeTruth(part, question, answer));
  if (parts.every(({ score }) => score === null)) return { score: null, why: parts[0]!.why };
  const mean = parts.reduce((sum, { score }) => sum + (score ?? 1), 0) / parts.length;
  return mark(
    Math.floor(mean) as Mark,
    parts.map(({ score, why }) => `${score ?? "none"}: ${why}`).join("; "),
  );
}

function judgeWords(truth: TruthOf<"text">, question: QuestionRecord, answer: AnswerRecord): Judgement {
  const words = matchText(answer.text, [truth.text, ...question.extra], question.text);
  if (truth.position === undefined || answer.position === undefined || words.score === 5) return words;
  const place = placeMark([truth.position, ...(truth.accepted ?? [])], question, answer.position.point);
  // The right position with other words is right; a nearby position does not compensate for wrong words.
  return place.score === 5 && words.score < 4 ? mark(4, `${words.why}, but the right place`) : words;
}

function judgePosition(
  truth: TruthOf<"position">,
  question: QuestionRecord,
  answer: AnswerRecord,
): Judgement {
  if (answer.position !== undefined)
    return placeMark([truth.position, ...(truth.accepted ?? [])], question, answer.position.point);
  const words = matchText(answer.text, [truth.text, ...question.extra], question.text);
  return words.score === 5 ? mark(4, "right in words, without a position") : words;
}

function placeMark(truths: readonly Vec3[], question: QuestionRecord, point: Vec3): Judgement {
  const offM = Math.min(...truths.map((truth) => distance(truth, point)));
  return byError(offM, question.tolerance.m ?? POSITION_TOLERANCE_M.house, `${offM.toFixed(2)} m off`);
}

function judgeTime(truth: TruthOf<"time">, question: QuestionRecord, answer: AnswerRecord): Judgement {
  const atUs = answer.time?.atUs ?? timeInWords(answer);
  if (atUs === null) return mark(1, "no time");
  const { l1S } = timeError(atUs, { fromUs: truth.atUs, toUs: truth.atUs });
  return byError(l1S, question.tolerance.s ?? TIME_TOLERANCE_S, `${l1S.toFixed(1)} s off`);
}

/** "5 minutes ago", counted from the moment of asking. */
function timeInWords({ text, askedAtUs }: AnswerRecord): number | null {
  const agoS = /\bago\b/i.test(text) ? secondsIn(text.slice(0, text.search(/\bago\b/i))) : null;
  return agoS === null ? null : askedAtUs - Math.round(agoS * 1e6);
}

function judgeDuration(
  truth: TruthOf<"duration">,
  question: QuestionRecord,
  answer: AnswerRecord,
): Judgement {
  const saidS = answer.durationS ?? secondsIn(answer.text);
  if (saidS === null) return mark(1, "no duration");
  const offS = Math.abs(saidS - truth.durationS);
  const { s, share } = question.tolerance;
  const tolerance = Math.max(s ?? 0, (share ?? 0) * truth.durationS) || TIME_TOLERANCE_S;
  return byError(offS, tolerance, `${offS.toFixed(1)} s off`);
}

/** Within the tolerance 5, within twice 3, within four times 2. */
function byError(off: number, tolerance: number, why: string): Judgement {
  const bound = tolerance + 1e-9;
  if (off <= bound) return mark(5, why);
  return mark(off <= 2 * bound ? 3 : off <= 4 * bound ? 2 : 1, why);
}

function judgeCount(truth: TruthOf<"count">, answer: AnswerRecord): Judgement {
  const said = answer.count ?? numberIn(answer.text);
  if (said === null) return mark(1, "no number");
  const off = Math.abs(said - truth.count);
  if (off === 0) return mark(5, "right");
  // Off by one of many is a slip, off by one of two is wrong.
  return mark(off === 1 && truth.count >= 5 ? 3 : off === 1 && truth.count > 0 ? 2 : 1, `${off} off`);
}

function judgeQuantity(
  truth: TruthOf<"quantity">,
  question: QuestionRecord,
  answer: AnswerRecord,
): Judgement {
  const { unit, value } = truth.quantity;
  const said = answer.quantity?.value ?? quantityIn(answer.text, unit);
  if (answer.quantity !== undefined && answer.quantity.unit !== unit)
    return mark(1, `in ${answer.quantity.unit}, not ${unit}`);
  if (said === null) return mark(1, "no quantity");
  const off = Math.abs(said - value);
  const { m, share } = question.tolerance;
  const absolute = unit === "m" ? (m ?? 0) : 0;
  const given = m === undefined && share === undefined ? QUANTITY_SHARE : (share ?? 0);
  return byError(off, Math.max(absolute, given * Math.abs(value)), `${off.toPrecision(3)} off`);
}

function judgeChoice(truth: TruthOf<"choice">, question: QuestionRecord, answer: AnswerRecord): Judgement {
  const letter = answer.choice ?? letterIn(answer.text, question.options ?? []);
  if (letter === null) return mark(1, "none of the options");
  return letter === truth.letter ? mark(5, "right") : mark(1, `chose ${letter}`);
}

/** "B", "(b)", "B. the sofa", or the words of exactly one option. */
export function letterIn(text: string, options: readonly string[]): string | null {
  const letter = /^\s*\(?([A-Za-z])\s*(?:[).:]|$)/.exec(text)?.[1]?.toUpperCase();
  if (letter !== undefined && letter.charCodeAt(0) - 65 < options.length) return letter;
  const scores = options.map<number>((option) => matchText(text, [option]).score);
  const best = Math.max(0, ...scores);
  const first = scores.indexOf(best);
  return best >= 4 && scores.lastIndexOf(best) === first ? String.fromCharCode(65 + first) : null;
}

function judgeSet(truth: TruthOf<"set">, answer: AnswerRecord): Judgement {
  const said = answer.set ?? answer.text.split(/,|;|\band\b/i).map((item) => item.trim());
  const items = said.filter((item) => normalise(item).meaning.size > 0);
  const { precision, recall, f1 } = setScores(items, truth.items, isSameItem);
  const why = `precision ${precision.toFixed(2)}, recall ${recall.toFixed(2)}`;
  if (f1 === 1) return mark(5, why);
  if (recall === 1 && precision >= 0.5) return mark(4, why);
  return mark(f1 >= 0.5 ? 3 : f1 > 0 ? 2 : 1, why);
}

function judgeMotion(truth: TruthOf<"motion">, question: QuestionRecord, answer: AnswerRecord): Judgement {
  const said = answer.motion;
  if (said === undefined) return matchText(answer.text, [truth.text, ...question.extra], question.text);
  if (said.moving !== truth.moving) return mark(1, truth.moving ? "says it stood still" : "says it moved");
  const right: boolean[] = [];
  if (truth.direction !== undefined)
    right.push(matchText(said.direction ?? "", [truth.direction]).score >= 4);
  if (truth.turn !== undefined) right.push(said.turn === truth.turn);
  if (truth.speedMps !== undefined) {
    const share = question.tolerance.share ?? 0.25;
    right.push(Math.abs((said.speedMps ?? Infinity) - truth.speedMps) <= share * truth.speedMps);
  }
  const hits = right.filter(Boolean).length;
  if (hits === right.length) return mark(5, "right");
  return mark(hits * 2 >= right.length && hits > 0 ? 3 : 1, `${hits} of ${right.length} right`);
}

function judgeRubric(truth: TruthOf<"rubric">, answer: AnswerRecord): Judgement {
  const told = normalise(answer.text).meaning;
  const names = (fact: string) => [...normalise(fact).meaning].every((word) => told.has(word));
  const held = truth.facts.filter((phrasings) => phrasings.some(names)).length;
  const share = held / truth.facts.length;
  const why = `${held} of ${truth.facts.length} facts`;
  return mark(share >= 0.9 ? 5 : share >= 0.7 ? 4 : share >= 0.5 ? 3 : share >= 0.25 ? 2 : 1, why);
}

function mark(score: Mark, why: string): Judgement {
  return { score, why };
}
