import { fromYaw, type Vec3 } from "../geometry/index.ts";
import type { SceneMap } from "../map/index.ts";
import type { MemoryReader } from "../memory/index.ts";
import type { TextEmbedder } from "../models/index.ts";
import {
  type ChildSelector,
  type Evidence,
  type Retrieved,
  retrieve,
  type SearchForest,
  type Strategy,
} from "../retrieval/index.ts";
import {
  type AnswerRecord,
  answerSchema,
  LIMITS,
  LociError,
  type NavGoal,
  type ReasoningRound,
  type ShownEvidence,
} from "../schema/index.ts";
import { calibrated } from "./calibration.ts";
import { chooseOption } from "./choose.ts";
import type { Finding, RuleContext } from "./finding.ts";
import { honest } from "./honesty.ts";
import { navGoalOf } from "./nav-goal.ts";
import type { Asks, Need } from "./need.ts";
import { parseQuestion } from "./parse/parse-question.ts";
import { type Pointing, pointedThing } from "./recall/pointing.ts";
import type { AgentPose } from "./recall/poses.ts";
import { Recall } from "./recall/recall.ts";
import { fromCaptions } from "./rules/captions.ts";
import { RULES } from "./rules/table.ts";
import { another, asksForAnother, grounded, isAboutThis, unrecognised } from "./rules/this.ts";
import { secondReading } from "./second-reading.ts";

export interface AskOptions {
  readonly reader: MemoryReader;
  readonly embedder?: TextEmbedder | undefined;
  readonly background?: { readonly mean: number; readonly sd: number } | undefined;
  /** When the question is asked; nothing after it is used. */
  readonly nowUs: number;
  readonly sceneId?: string | undefined;
  /** Whose "I" and "you" it is. */
  readonly agentId?: string | undefined;
  /** Where the asked one stands; default: where it was last seen to look from. */
  readonly pose?: { readonly position: Vec3; readonly yawRad: number } | undefined;
  readonly options?: readonly string[] | undefined;
  /** What "this" is, for questions that come with a picture. */
  readonly pointed?: Pointing | undefined;
  /** What is in view at this moment, by states: tried before the rest of the memory (A-R9). */
  readonly inView?: { readonly stateIds: readonly string[] } | undefined;
  readonly strategy?: Strategy | undefined;
  /** The regions of the scene, opened when a strategy descends them, and who chooses among their branches. */
  readonly forest?: (() => Promise<SearchForest | undefined>) | undefined;
  readonly selector?: ChildSelector | undefined;
  /** The map of the scene, opened when a rule needs it. */
  readonly map?: (() => Promise<SceneMap | undefined>) | undefined;
  /** Also find where to stand to see what was found: costs a look at the whole map. */
  readonly navigate?: boolean | undefined;
  readonly rounds?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Rules that need lengths of ways or what was looked at. */
const WITH_MAP: ReadonlySet<Asks> = new Set(["nearest"]);
const ROUNDS = 3;

/**
 * Answers a question from the memory without a language model: parsed into needs, each carried out by a rule over
 * targeted searches, broadened up to three rounds while nothing is found (A-R10, A-R11), and put into one answer
 * with its evidence. Always an answer: what cannot be known is said so, in one of three ways.
 */
export async function ask(question: string, options: AskOptions): Promise<AnswerRecord> {
  const text = question.trim();
  if (text === "") throw new LociError("invalid-input", "a question has at least one word; got an empty one");
  const began = performance.now();
  const recall = new Recall(options);
  const parsed = parseQuestion(text, { nowUs: options.nowUs, options: options.options });
  const parsedMs = performance.now() - began;
  const pointed = options.pointed && (await pointedThing(recall, options.pointed));
  if (pointed) recall.point(pointed);
  const needs = pointed ? parsed.map((need) => grounded(need, pointed)) : parsed;
  const pose = await poseOf(options, recall);
  const rounds: ReasoningRound[] = [];
  const findings: { need: Need; finding: Finding }[] = [];
  const shown: Evidence[] = [];
  const asking: Asking = { question: text.toLowerCase(), options, recall, pose, rounds, shown };
  for (const need of needs) findings.push({ need, finding: await answerNeed(need, asking) });
  const again = await secondReading(
    text,
    { nowUs: options.nowUs, options: options.options },
    findings,
    (need) =>
      answerNeed(pointed ? grounded(need, pointed) : need, { ...asking, options: { ...options, rounds: 1 } }),
  );
  const honestly = (again ?? findings).map(({ need, finding }) => ({
    need,
    finding: honest(text, need, finding),
  }));
  const reasonedMs = performance.now() - began - parsedMs;
  const goal =
    options.navigate === false ? undefined : await navGoalOf(honestly.at(0)?.finding, pose, options.map);
  return assemble(text, honestly, {
    options,
    rounds,
    shown,
    ...(goal && { goal }),
    ms: { parse: parsedMs, reason: reasonedMs, total: performance.now() - began },
  });
}

interface Asking {
  readonly question: string;
  readonly options: AskOptions;
  readonly recall: Recall;
  readonly pose: AgentPose | undefined;
  readonly rounds: ReasoningRound[];
  readonly shown: Evidence[];
}

/** Rounds of looking wider until something is found, then captions for what no thing answers. */
async function answerNeed(need: Need, asking: Asking): Promise<Finding> {
  const { options, recall, pose, rounds, shown } = asking;
  const map = WITH_MAP.has(need.asks) ? await options.map?.() : undefined;
  if (options.pointed && !recall.isPointed && isAboutThis(need)) return unrecognised(need);
  const direct = await fromLiveView(need, asking);
  if (direct) return direct;
  let finding: Finding | undefined;
  // A memory of captions alone has nothing that the rules about things could look at.
  const spokenOnly = options.embedder !== undefined && (await isSpokenOnly(recall));
  const most = spokenOnly ? 0 : Math.min(6, options.rounds ?? ROUNDS);
  for (let broadened = 0; broadened < most; broadened++) {
    const startedMs = performance.now();
    const before = recall.searches;
    const context: RuleContext = {
      recall,
      question: asking.question,
      agentId: options.agentId,
      pose,
      broadened,
      ...(map && {
        pathM: (from, to) => {
          const near = map.nearestReachable(to, from);
          return near ? map.path(from, near)?.lengthM : undefined;
        },
      }),
    };
    const rule = asksForAnother(need) ? another : RULES[need.asks];
    finding = need.fallback === undefined ? await rule(need, context) : undefined;
    const sufficient =
      finding !== undefined && (finding.status === "answered" || finding.status === "ambiguous");
    rounds.push({
      cues: need.cues.map((cue) => cue.slice(0, LIMITS.lineChars)).filter((cue) => cue !== ""),
      strategy: `rules/${need.asks}`,
      broadened,
      found: finding?.evidence.length ?? 0,
      added: recall.searches - before,
      sufficient,
      rejected: [],
      ms: performance.now() - startedMs,
    });
    if (sufficient || need.fallback !== undefined || finding?.status === "looked-absent") break;
  }
  const lacking = finding === undefined || finding.status === "not-seen" || finding.status === "insufficient";
  if (!lacking) return finding!;
  const spoken = await retrieveFor(need, asking);
  if (spoken === undefined)
    return (
      finding ?? {
        status: "insufficient",
        text: "I do not understand the question.",
        evidence: [],
        confidence: 0.2,
      }
    );
  shown.push(...spoken.items);
  if (spokenOnly) rounds.push(roundOfCaptions(need, spoken));
  // Things are better evidence than words: captions speak only where no thing is known, or nothing was understood.
  if (!spokenOnly && finding !== undefined) return finding;
  return fromCaptions(need, spoken.items, spoken.weak, {
    recall,
    pose,
    agentId: options.agentId,
    broadened: 0,
  });
}

/** Questions that what is in view may answer by itself. */
const IN_VIEW: ReadonlySet<Asks> = new Set([
  "recognise",
  "attribute",
  "state",
  "exist",
  "locate",
  "direction",
  "size",
  "distance",
]);
/** A-R9: from the live view alone only if this sure. */
const DIRECT_FROM = 0.7;

/** Answers from what is in view, if that is enough; a "no" is not: what is out of view may be elsewhere. */
async function fromLiveView(need: Need, asking: Asking): Promise<Finding | undefined> {
  const { options, recall, pose, rounds } = asking;
  const inView = options.inView?.stateIds ?? [];
  if (inView.length === 0 || !IN_VIEW.has(need.asks) || need.times.length > 0 || need.fallback !== undefined)
    return undefined;
  const startedMs = performance.now();
  const before = recall.searches;
  const finding = await recall.among(inView, () =>
    RULES[need.asks](need, { recall, agentId: options.agentId, pose, broadened: 0 }),
  );
  const isNo = need.asks === "exist" && finding.binary === need.negated;
  const sufficient = finding.status === "answered" && finding.confidence >= DIRECT_FROM && !isNo;
  rounds.push({
    cues: need.cues.map((cue) => cue.slice(0, LIMITS.lineChars)).filter((cue) => cue !== ""),
    strategy: "rules/live",
    broadened: 0,
    found: finding.evidence.length,
    added: recall.searches - before,
    sufficient,
    rejected: [],
    ms: performance.now() - startedMs,
  });
  return sufficient ? finding : undefined;
}

function roundOfCaptions({ cues }: Need, { items, weak }: Retrieved): ReasoningRound {
  return {
    cues: cues.map((cue) => cue.slice(0, LIMITS.lineChars)).filter((cue) => cue !== ""),
    strategy: "rules/captions",
    broadened: 0,
    found: items.length,
    added: items.length,
    sufficient: !weak,
    rejected: [],
  };
}

async function isSpokenOnly(recall: Recall): Promise<boolean> {
  if ((await recall.search({ kinds: ["state"], limit: 1 })).length > 0) return false;
  return (await recall.search({ kinds: ["caption"], limit: 1 })).length > 0;
}

async function retrieveFor(need: Need, { options, pose }: Asking): Promise<Retrieved | undefined> {
  if (!options.embedder || (await options.reader.embedder("text")) === null) return undefined;
  const forest = await options.forest?.();
  return retrieve(
    { text: need.text },
    {
      reader: options.reader,
      embedder: options.embedder,
      nowUs: options.nowUs,
      strategy: options.strategy ?? "auto",
      ...(forest && { forest }),
      ...(options.selector && { selector: options.selector }),
      ...(options.background && { background: options.background }),
      ...(pose && { pose: { p: pose.position, q: fromYaw(pose.yawRad) } }),
    },
  );
}

async function poseOf(options: AskOptions, recall: Recall): Promise<AgentPose | undefined> {
  if (options.pose) {
    return {
      agentId: options.agentId ?? "local",
      timeUs: options.nowUs,
      ...options.pose,
      observationId: "asked",
    };
  }
  const where = options.agentId === undefined ? {} : { author: [options.agentId] };
  const [last] = await recall.search({
    kinds: ["observation"],
    where,
    time: { overlaps: { fromUs: -LIMITS.timeUs, toUs: options.nowUs + 1 } },
    rank: "latest",
    limit: 1,
  });
  return last ? recall.poseAt(last.record.validFromUs, options.agentId) : undefined;
}

/** One answer out of the findings of all parts of a question. */
function assemble(
  question: string,
  findings: readonly { need: Need; finding: Finding }[],
  made: {
    options: AskOptions;
    rounds: ReasoningRound[];
    shown: readonly Evidence[];
    goal?: NavGoal;
    ms: Record<string, number>;
  },
): AnswerRecord {
  const { need, finding: first } = findings[0]!;
  const { options } = made;
  const choice = options.options ? chooseOption(first, options.options) : undefined;
  const type = options.options ? (choice ? "choice" : "text") : need.answer;
  const confidence = Math.min(...findings.map(({ finding }) => finding.confidence)) * (choice?.sure ?? 1);
  const values: Record<string, unknown> = {};
  for (const { finding } of findings.toReversed()) {
    for (const key of [
      "binary",
      "position",
      "yawRad",
      "time",
      "durationS",
      "count",
      "quantity",
      "set",
      "motion",
    ] as const) {
      if (finding[key] !== undefined) values[key] = finding[key];
    }
  }
  const asOfUs = need.times.find(({ kind }) => kind === "as-of")?.fromUs;
  const field = type === "duration" ? "durationS" : type;
  const typed = type === "text" || type === "choice" || values[field] !== undefined;
  const text = findings.map(({ finding }) => finding.text).join("; ");
  return answerSchema.parse({
    question: question.slice(0, LIMITS.queryChars),
    askedAtUs: options.nowUs,
    strategy: options.strategy ?? "auto",
    type: typed ? type : "text",
    status: text === "" && first.status === "answered" ? "insufficient" : first.status,
    text: text.slice(0, LIMITS.lineChars),
    ...values,
    ...(choice && { choice: choice.letter }),
    ...(asOfUs !== undefined && { asOfUs }),
    confidence: calibrated(need.asks, confidence),
    evidence: findings.flatMap(({ finding }) => finding.evidence).slice(0, 64),
    contradictions: findings.flatMap(({ finding }) => finding.contradictions ?? []).slice(0, 16),
    ...(made.goal && { navGoal: made.goal }),
    trace: {
      rounds: made.rounds.slice(0, 64),
      plan: { needs: findings.map((one) => JSON.parse(JSON.stringify(one.need))), confidence },
      shown: made.shown.slice(0, 64).map(shownOf),
      ms: made.ms,
      models: options.embedder
        ? { embedder: options.embedder.info.id, reasoner: "rules" }
        : { reasoner: "rules" },
    },
  });
}

function shownOf({ id, kind, record, score, position }: Evidence): ShownEvidence {
  return {
    ref: id,
    kind,
    fromUs: record.validFromUs,
    toUs: record.validToUs,
    score,
    trackIds: [],
    ...(position && { position }),
  };
}
