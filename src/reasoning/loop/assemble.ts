import { answerability, answerWithContext, doesItShow, type SearchKeys } from "../../models/prompts/index.ts";
import { type Evidence, serialise } from "../../retrieval/index.ts";
import { type AnswerInput, LIMITS, type NavGoal } from "../../schema/index.ts";
import { print } from "../algebra/notation.ts";
import { citedAs, shownOf } from "../answer.ts";
import { goalToSee } from "../nav-goal.ts";
import type { DirectAnswer } from "./answer-from-view.ts";
import type { Outcome } from "./rounds.ts";
import { asSaid, valuesOf } from "./values.ts";
import type { Work } from "./work.ts";

/** The parts of an answer. */
interface Made extends Work {
  readonly keys?: SearchKeys;
  /** Another judge's confidence in the result. */
  readonly sure?: number | undefined;
}

/** Claims that a trace tells of. */
const MOST_CLAIMS = 16;
/** The highest confidence on a language model's own word. */
const MOST_SURE = 0.95;
/**
 * Factor for the confidence where flaws remained after a second try, and the maximum without any record as evidence.
 */
const FLAWED = 0.4;
const UNBACKED = 0.2;
/** Fields are measured; texts and pictures were judged by a model. */
const SUPPORTED = { fields: 1, text: 0.9, picture: 0.9, none: 1 } as const;

/** The answer of the loop: the model's words, the records' numbers, and how it came about. */
export async function assemble(
  { answer, checked, context, notes }: Outcome,
  made: Made,
): Promise<AnswerInput> {
  const values = valuesOf(answer, checked, context);
  const flawed = checked.flaws.length > 0;
  if (!flawed) asSaid(values, answer.text);
  const backed = checked.cited.length > 0 || answer.status !== "answered";
  const stated =
    Math.min(MOST_SURE, made.sure ?? answer.confidence) * (flawed ? FLAWED : SUPPORTED[checked.support]);
  const confidence = backed ? stated : Math.min(UNBACKED, stated);
  // A letter and a yes that the words deny are both worth nothing.
  if (flawed && checked.flaws.includes("contradicts itself")) delete values.binary;
  const notLooked = answer.status === "looked-absent" && checked.flaws.includes("absence not observed");
  const said = answer.status === "unknowable" ? "insufficient" : answer.status;
  const status = notLooked ? (checked.cited.length === 0 ? "not-seen" : "insufficient") : said;
  const wanted = made.options.options ? "choice" : answer.type;
  const field = wanted === "duration" ? "durationS" : wanted;
  const typed = wanted === "text" || (field in values && values[field as keyof typeof values] !== undefined);
  const subject = answer.subject == null ? undefined : made.memory.known(answer.subject);
  const goal = await navGoalOf(subject ?? checked.cited[0], made);
  const text = answer.text || (values.choice === undefined ? "" : optionText(made, values.choice));
  return {
    ...frameOf(made),
    type: typed ? wanted : "text",
    status: text === "" && status === "answered" ? "insufficient" : status,
    text: text.slice(0, LIMITS.lineChars),
    ...values,
    confidence,
    evidence: checked.cited.map(citedAs),
    contradictions: answer.contradictions,
    ...(goal && status === "answered" && { navGoal: goal }),
    trace: await traceOf(made, notes, checked),
  };
}

/** The answer that needed no memory. */
export async function directAnswer(direct: DirectAnswer, made: Made): Promise<AnswerInput> {
  const ids = direct.basis === "view" ? (made.options.live?.recordIds ?? []) : [];
  const found = await made.memory.get(ids);
  const seen = ids.flatMap((id) => found.find((item) => item.id === id) ?? []);
  const { binary, count, choice } = direct;
  const isChoice = made.options.options !== undefined && choice != null;
  const type = isChoice ? "choice" : binary != null ? "binary" : count != null ? "count" : "text";
  return {
    ...frameOf(made),
    type,
    status: "answered",
    text: direct.answer.slice(0, LIMITS.lineChars),
    ...(binary != null && { binary }),
    ...(count != null && { count }),
    ...(isChoice && { choice }),
    confidence: Math.min(MOST_SURE, direct.confidence),
    evidence: seen.map(citedAs),
    trace: await traceOf(made, []),
  };
}

function frameOf({ question, options }: Made): Pick<AnswerInput, "question" | "askedAtUs" | "strategy"> {
  return { question, askedAtUs: options.nowUs, strategy: "r4" };
}

async function traceOf(
  made: Made,
  notes: readonly string[],
  checked?: Outcome["checked"],
): Promise<NonNullable<AnswerInput["trace"]>> {
  const { model, memory, runner, options, keys, began, trace } = made;
  const { calls, inputTokens, outputTokens, timeMs, costUsd } = model.spent();
  const shown = memory.shown();
  const totalMs = performance.now() - began;
  const isShown = trace.rounds.some(({ strategy }) => strategy === "model/does-it-show");
  const plan = {
    ...asRead(made),
    ...(keys && { keys }),
    calls: runner.log(),
    usage: { calls, inputTokens, outputTokens, costUsd },
    ...(checked && { support: checked.support, claims: checked.claims.slice(0, MOST_CLAIMS) }),
    prompts: [answerability, answerWithContext, ...(isShown ? [doesItShow] : [])].map(
      ({ id, version }) => `${id}@${version}`,
    ),
    notes,
  };
  return {
    rounds: trace.rounds,
    plan: JSON.parse(JSON.stringify(plan)),
    shown: shown.slice(0, 64).map(shownOf),
    ms: { model: timeMs, memory: Math.max(0, totalMs - timeMs), total: totalMs },
    contextTokens: serialise(shown, { nowUs: options.nowUs, tokens: Number.MAX_SAFE_INTEGER }).tokens,
    tokens: inputTokens + outputTokens,
    models: {
      reasoner: model.id.slice(0, LIMITS.nameChars),
      ...(made.sure !== undefined && options.confidence && { confidence: options.confidence.id }),
      ...(options.embedder && { embedder: options.embedder.info.id }),
    },
  };
}

/** The question's expression for evaluation without a model, so that a reader of the trace can compare the two. */
function asRead({ parts }: Made) {
  return { expressions: parts, notation: parts.map(print) };
}

/** Where to stand to see the thing; none where no map is known. */
async function navGoalOf(
  item: Evidence | undefined,
  { options, memory }: Made,
): Promise<NavGoal | undefined> {
  if (item?.record.kind !== "state" || !item.position || !item.box) return undefined;
  const { position, box, record } = item;
  return goalToSee(
    { position, box, trackId: record.trackId, roomId: record.regionId },
    memory.options.pose?.p,
    await options.map?.(),
  );
}

function optionText({ options }: Made, letter: string): string {
  return options.options?.[letter.charCodeAt(0) - 65] ?? "";
}
