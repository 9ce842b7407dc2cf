import { Belief } from "../../../belief/belief.ts";
import { lastPose } from "../../../belief/poses.ts";
import type { BudgetedModel } from "../../../models/index.ts";
import type { Evidence } from "../../../retrieval/index.ts";
import { cuesOf, serialise } from "../../../retrieval/index.ts";
import {
  type AnswerInput,
  type AnswerRecord,
  LIMITS,
  type NavGoal,
  type ReasoningRound,
} from "../../../schema/index.ts";
import { citedAs } from "../../answer.ts";
import { verifyClaims } from "../../claims/index.ts";
import { goalToSee } from "../../nav-goal.ts";
import { shownOf } from "../reader/read-evidence.ts";
import type { SystemName, SystemOptions } from "../system.ts";
import type { InWords } from "./words.ts";

/** The answer of a model, with the records that it names. */
export interface ModelSaid extends InWords {
  readonly text: string;
  /** The record whose place or time is the answer. */
  readonly subject?: Evidence | undefined;
  readonly cited: readonly Evidence[];
  readonly durationS?: number | undefined;
  readonly confidence: number;
  readonly notes?: readonly string[] | undefined;
}

/** The run that an answer came of, as far as its record tells of it. */
interface Ran {
  readonly name: SystemName;
  readonly question: string;
  readonly options: SystemOptions;
  readonly model: BudgetedModel;
  readonly rounds: readonly ReasoningRound[];
  readonly prompts: ReadonlySet<string>;
  readonly shown: ReadonlyMap<string, Evidence>;
  readonly began: number;
}

/** A model's word alone makes nothing surer than this; an answer without a record, no surer than that. */
const MOST_SURE = 0.95;
const UNBACKED = 0.2;
/** Factor for the confidence of an answer that its own records contradict. */
const DENIED = 0.4;
const MOST_SHOWN = 64;

/** The answer record: the model's words, the places and times of the records it names, and how it came about. */
export async function recordOf(said: ModelSaid, run: Ran): Promise<AnswerInput> {
  const { question, options } = run;
  const values = valuesOf(said, run);
  const cited = once([...(said.subject ? [said.subject] : []), ...said.cited]);
  const denied = await deniedOf(said, cited, run);
  const isBacked = cited.length > 0 || said.status !== "answered" || run.shown.size === 0;
  const goal = said.status === "answered" ? await goalOf(said.subject, run) : undefined;
  return {
    question,
    askedAtUs: options.nowUs,
    strategy: run.name,
    status: said.text === "" ? "insufficient" : said.status,
    text: said.text.slice(0, LIMITS.lineChars),
    ...values,
    confidence: Math.min(isBacked ? MOST_SURE : UNBACKED, said.confidence) * (denied.length > 0 ? DENIED : 1),
    contradictions: denied,
    evidence: cited.slice(0, MOST_SHOWN).map(citedAs),
    ...(goal && { navGoal: goal }),
    trace: await traceOf(run, said.notes ?? []),
  };
}

/**
 * Which claims of the answer the records shown deny, by their fields. No paper looks this up, so literally none is; the answer is
 * kept and worth less.
 */
async function deniedOf(said: ModelSaid, cited: readonly Evidence[], { question, options, shown }: Ran) {
  if (options.mode === "paper" || said.status !== "answered" || shown.size === 0) return [];
  const { model: _, live: __, ...plain } = options;
  const { text, binary } = said;
  const context = { ...plain, cited, shown: [...shown.values()] };
  const { claims } = await verifyClaims(question, { text, binary }, context);
  return claims
    .filter(({ verdict }) => verdict === "contradicted")
    .map(({ claim, instead }) =>
      `${claim}${instead === undefined ? "" : `: ${instead}`}`.slice(0, LIMITS.lineChars),
    );
}

/** Each record once, where it came first. */
export function once(items: readonly Evidence[]): Evidence[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}

function valuesOf(
  { type, status, binary, count, choice, durationS, subject }: ModelSaid,
  { question, options }: Ran,
): Pick<AnswerInput, "type"> & Partial<AnswerInput> {
  const text = { type: "text" } as const;
  if (status !== "answered") return text;
  switch (type) {
    case "binary":
      return binary === undefined ? text : { type, binary };
    case "count":
      return count === undefined ? text : { type, count };
    case "choice":
      return choice === undefined ? text : { type, choice };
    case "duration":
      return durationS === undefined ? text : { type, durationS };
    case "position": {
      if (subject?.position === undefined) return text;
      const trackId = subject.record.kind === "state" ? subject.record.trackId : undefined;
      return { type, position: { point: subject.position, ...(trackId !== undefined && { trackId }) } };
    }
    case "time": {
      if (subject === undefined) return text;
      const atUs = timeOf(subject, cuesOf(question).order === "first");
      return { type, time: { atUs, agoS: (options.nowUs - atUs) / 1e6 } };
    }
    default:
      return text;
  }
}

/** The time of a record: of repeated sightings the last or, if asked for, the first. */
function timeOf({ record, presence, alsoSeen = [] }: Evidence, isFirst: boolean): number {
  const times = [
    (isFirst ? presence?.firstSeenUs : presence?.lastSeenUs) ?? record.validFromUs,
    ...alsoSeen.map(({ fromUs }) => fromUs),
  ];
  return isFirst ? Math.min(...times) : Math.max(...times);
}

/** The goal: a pose from which a thing is visible; otherwise the robot's own pose when it saw the named record. */
async function goalOf(item: Evidence | undefined, { options }: Ran): Promise<NavGoal | undefined> {
  if (item?.position === undefined || options.navigate === false) return undefined;
  const { position, box, record } = item;
  if (record.kind !== "state") {
    const yawRad = record.kind === "place" ? record.yawRad : 0;
    return { frame: "world", position, yawRad };
  }
  if (!box) return undefined;
  const from = options.pose ?? (await lastPose(new Belief(options), options.nowUs, options.agentId));
  const target = { position, box, trackId: record.trackId, roomId: record.regionId };
  return goalToSee(target, from?.position, await options.map?.());
}

async function traceOf(run: Ran, notes: readonly string[]): Promise<AnswerRecord["trace"]> {
  const { options, model, shown } = run;
  const { calls, inputTokens, outputTokens, timeMs, costUsd } = model.spent();
  const items = [...shown.values()];
  const totalMs = performance.now() - run.began;
  return {
    rounds: [...run.rounds],
    plan: {
      prompts: [...run.prompts],
      usage: { calls, inputTokens, outputTokens, costUsd },
      notes: [...notes],
    },
    shown: await shownOf(items.slice(0, MOST_SHOWN), options.reader),
    ms: { model: timeMs, memory: Math.max(0, totalMs - timeMs), total: totalMs },
    contextTokens: serialise(items, { nowUs: options.nowUs, tokens: Number.MAX_SAFE_INTEGER }).tokens,
    tokens: inputTokens + outputTokens,
    models: {
      reasoner: model.id.slice(0, LIMITS.nameChars),
      ...(options.embedder && { embedder: options.embedder.info.id }),
    },
  };
}
