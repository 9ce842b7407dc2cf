import { isMover } from "../belief/mobility.ts";
import type { Evidence } from "../retrieval/index.ts";
import {
  type AnswerEvidence,
  type AnswerRecord,
  answerSchema,
  type Expression,
  LIMITS,
  type NavGoal,
  type ReasoningRound,
  type ShownEvidence,
} from "../schema/index.ts";
import { print } from "./algebra/notation.ts";
import { elementsOf } from "./algebra/operators/elements.ts";
import type { Value } from "./algebra/value.ts";
import { chooseOption } from "./choose.ts";
import type { Chosen } from "./choose-reading.ts";
import { confidenceOf, type Features } from "./confidence.ts";
import type { Reading } from "./read/reading.ts";
import { nodesCalled } from "./rival-values.ts";
import type { Said } from "./say/said.ts";
import { rootOf } from "./say/say.ts";

/** One part of a question with its result. */
export interface Part {
  readonly expression: Expression;
  readonly value: Value;
  readonly said: Said;
  /** The number of possible referents, where it is ambiguous. */
  readonly rivals: number;
  /** No thing has this name; this one was once mistaken for it. */
  readonly isTaken?: boolean | undefined;
}

interface Made {
  readonly asked: {
    readonly nowUs: number;
    readonly options?: readonly string[] | undefined;
    readonly embedder?: { readonly info: { readonly id: string } } | undefined;
  };
  readonly chosen: Chosen;
  readonly readings: readonly Reading[];
  readonly rounds: readonly ReasoningRound[];
  readonly shown: readonly Evidence[];
  readonly goal?: NavGoal | undefined;
  readonly ms: Readonly<Record<string, number>>;
}

const FIELDS = [
  "binary",
  "position",
  "yawRad",
  "time",
  "durationS",
  "count",
  "quantity",
  "set",
  "motion",
] as const;

/** One answer from all parts of a question: the texts joined, each typed field from the first part that has it. */
export function answerOf(question: string, parts: readonly Part[], made: Made): AnswerRecord {
  const { asked, chosen } = made;
  // Parts that can be answered are, even if another cannot.
  const main = (parts.find(({ said }) => said.status === "answered") ?? parts[0]!).said;
  const choice = asked.options ? chooseOption(main, asked.options) : undefined;
  const values: Record<string, unknown> = {};
  for (const { said } of parts.toReversed())
    for (const field of FIELDS) if (said[field] !== undefined) values[field] = said[field];
  const type = choice ? "choice" : main.type;
  const field = type === "duration" ? "durationS" : type;
  const isTyped = type === "text" || type === "choice" || values[field] !== undefined;
  const features = parts.map((part) => featuresOf(part, parts.length, made, question));
  const isGuess = parts.some(({ expression }) => expression.op === "likely");
  const sure = Math.min(...features.map(confidenceOf)) * (choice?.sure ?? 1);
  const isOpen = parts.some(({ isTaken }) => isTaken) || parts.some(isUndecided);
  const most = isOpen ? MOST_TAKEN : isGuess ? MOST_FORESIGHT : 1;
  const confidence = Math.min(most, sure);
  const asOfUs = asOfIn(parts[0]!.expression);
  const text = parts.map(({ said }) => said.text).join("; ");
  return answerSchema.parse({
    question: question.slice(0, LIMITS.queryChars),
    askedAtUs: asked.nowUs,
    strategy: "auto",
    type: isTyped ? type : "text",
    status: main.status,
    text: text.slice(0, LIMITS.lineChars),
    ...values,
    ...(choice && { choice: choice.letter }),
    ...(asOfUs !== undefined && { asOfUs }),
    confidence,
    evidence: parts.flatMap(({ said }) => said.evidence).slice(0, 64),
    contradictions: parts.flatMap(({ said }) => said.contradictions ?? []).slice(0, 16),
    ...(made.goal && { navGoal: made.goal }),
    trace: {
      rounds: made.rounds.slice(0, 64),
      plan: {
        expressions: parts.map(({ expression }) => JSON.parse(JSON.stringify(expression))),
        notation: parts.map(({ expression }) => print(expression)),
        reading: readingOf(chosen.reading),
        others: made.readings.filter((one) => one !== chosen.reading).map(readingOf),
        notes: [...chosen.reading.notes],
        features: features[0]!,
        confidence,
      },
      shown: made.shown.slice(0, 64).map(shownOf),
      ms: made.ms,
      models: asked.embedder
        ? { embedder: asked.embedder.info.id, reasoner: "rules" }
        : { reasoner: "rules" },
    },
  });
}

/** The present state, as an answer to a question about the future. */
export function ahead(said: Said): Said {
  const now = said.status === "answered" ? ` Now: ${said.text}` : "";
  const { evidence, goal } = said;
  return {
    status: "insufficient",
    type: "text",
    text: `I remember what was, and cannot tell what will be.${now}`,
    evidence,
    goal,
  };
}

/** Other people's future actions are not in a memory. */
const MOST_FORESIGHT = 0.7;
/** A single sighting does not decide what a thing is, nor a place which of two others was right. */
const MOST_TAKEN = 0.5;

/** Asked whether it is here or there, and told a place that is neither. */
export function isUndecided({ expression, said }: Pick<Part, "expression" | "said">): boolean {
  const { among } = expression.with;
  if (expression.op !== "place" || !Array.isArray(among) || said.status !== "answered") return false;
  const text = said.text.toLowerCase();
  return !among.some((one) => text.includes(String(one).toLowerCase()));
}

function readingOf({ parts, p, cost }: Reading) {
  return { notation: parts.map(print), p, cost };
}

function featuresOf(
  { expression, value, said, rivals }: Part,
  parts: number,
  { chosen, readings, rounds }: Made,
  question: string,
): Features {
  const { reading, others, rank } = chosen;
  const has = (op: string) => nodesCalled(op, expression).length > 0;
  return {
    op: said.status === "answered" ? rootOf(expression).op : said.status,
    answered: said.status === "answered",
    p: value.p,
    share: value.complete.share,
    rivals: Math.max(0, rivals - 1),
    cost: reading.cost,
    readP: reading.p,
    others,
    passedOver: rank,
    mended: reading.notes.length,
    broadened: Math.max(0, ...rounds.map(({ broadened }) => broadened)),
    parts,
    listed: said.set?.length ?? 1,
    words: question.split(/\s+/).length,
    copied: longestName(expression),
    isNone: isNothing(value),
    evidence: value.evidence.length,
    margin: marginOf(reading, readings),
    asks: {
      changes: has("changes"),
      doings: has("doings") || has("stay"),
      relations: has("relate"),
      rest: has("minus"),
      which: /\bwhich\b/i.test(question),
      movers: nodesCalled("things", expression).some(isOfMovers),
    },
  };
}

/** A person or vehicle will be elsewhere by then. */
function isOfMovers({ with: { category, name } }: Expression): boolean {
  return name !== undefined || (typeof category === "string" && isMover(category));
}

/** Whether an answer is empty: the number 0, no things, no events. */
function isNothing(value: Value): boolean {
  if (value.kind === "number") return value.value === 0;
  if (value.kind === "words")
    return value.items.every(({ thing, room, words }) => !thing && !room && NONE.test(words));
  return (
    (value.kind === "things" || value.kind === "events" || value.kind === "rooms") &&
    elementsOf(value).length === 0
  );
}

const NONE = /^(?:none|neither|nothing)\b/;

/** The extra cost of the next reading with other words. */
function marginOf(reading: Reading, readings: readonly Reading[]): number {
  const form = reading.parts.map(print).join("; ");
  const others = readings.filter(({ parts }) => parts.map(print).join("; ") !== form);
  return Math.min(1, Math.max(0, Math.min(1, ...others.map(({ cost }) => cost - reading.cost))));
}

function longestName({ of, with: options }: Expression): number {
  const own = Object.values(options)
    .flat()
    .map((one) => (typeof one === "string" ? one.split(" ").length : 0));
  return Math.max(0, ...own, ...of.map(longestName));
}

/** The moment that is meant, where the question names one. */
function asOfIn({ op, of }: Expression): number | undefined {
  const [, time] = of;
  const atUs = op === "at" && time?.op === "moment" ? time.with["atUs"] : undefined;
  return typeof atUs === "number" ? Math.round(atUs) : undefined;
}

/** The evidence shown to the answering model, for the trace. */
export function shownOf({ id, kind, record, score, position }: Evidence): ShownEvidence {
  return {
    ref: id,
    kind,
    fromUs: record.validFromUs,
    toUs: record.validToUs,
    score,
    trackIds: record.kind === "state" ? [record.trackId] : [],
    ...(position && { position }),
  };
}

/** A record in the form in which an answer cites it. */
export function citedAs({ id, kind, record, score, position, presence }: Evidence): AnswerEvidence {
  const name = "name" in record ? record.name : undefined;
  const viewId = "views" in record ? record.views[0] : kind === "view" ? id : undefined;
  return {
    ref: id,
    kind,
    why: (record.text[0] || name || kind).slice(0, LIMITS.lineChars),
    atUs: presence?.lastSeenUs ?? record.validFromUs,
    agentId: record.author,
    score,
    ...(record.kind === "state" && { trackId: record.trackId }),
    ...(position && { position }),
    ...(viewId !== undefined && { viewId }),
  };
}
