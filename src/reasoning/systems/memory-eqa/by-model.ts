import { Belief } from "../../../belief/belief.ts";
import { lastPose } from "../../../belief/poses.ts";
import {
  answerLetter,
  answerQuery,
  answerSentence,
  confidenceLetter,
  plannerQuery,
  stopQuery,
} from "../../../models/prompts/memory-eqa.ts";
import { SURE_BY_LETTER } from "../../../models/roles/adapters.ts";
import type { Evidence } from "../../../retrieval/index.ts";
import { planOf, retrieveBy } from "../find.ts";
import { framesShown, type ShownFrame } from "../model/keyframes.ts";
import { numbered, wordsOf } from "../model/lines.ts";
import type { ModelRun } from "../model/model-run.ts";
import type { ModelSaid } from "../model/said.ts";
import { citedIn, readWords } from "../model/words.ts";
import { findIn } from "./retrieval.ts";

/** γ: "a confidence level of C or higher" stops. */
const STOP_AT = SURE_BY_LETTER.C;
/** Steps before an answer is forced. */
const STEPS = 3;
const MOST_STEPS = 6;
const TOKENS = 5_000;
const MOST_VISIBLE = 32;
const OBSERVATION_CHARS = 2_000;
/** Where its own word says nothing of how sure it is. */
const UNRATED = 0.5;

/** o_i: where the agent stands and what it sees there. */
interface Observation {
  readonly text: string;
  readonly visible: readonly string[];
  readonly at: Evidence | undefined;
  readonly pictures: readonly ShownFrame["image"][];
}

/**
 * MemoryEQA's loop (eq. 2), o_{i+1} = F_P(o_i, f_r(q_p)) while F_S(o_i, f_r(q_s)) = 0, else F_A(o_i, f_r(q_a), q). The paper
 * drives; a question to a memory goes from view to view in it: the planner's query finds where to look next.
 */
export async function recallAndAnswer(run: ModelRun): Promise<ModelSaid> {
  const { question, options } = run;
  const steps = Math.min(MOST_STEPS, Math.max(1, options.rounds ?? STEPS));
  const visited = new Set<string>();
  let now = await firstObservation(run);
  let sure: number | undefined;
  for (let step = 1; ; step++) {
    if (now.at) visited.add(now.at.id);
    const query = await run.ask(stopQuery, { question, observation: now.text });
    const { text: memories } = await recalled(query, run);
    sure = await confidence(memories, now, run);
    if (step >= steps || (sure ?? 0) >= STOP_AT) break;
    const next = await planned(now, visited, run);
    if (next === undefined) break;
    now = next;
  }
  return answered(now, sure, run);
}

/** F_A by P7 or P8, from what the memory holds for q_a. */
async function answered(now: Observation, sure: number | undefined, run: ModelRun): Promise<ModelSaid> {
  const { question, options, mode } = run;
  const query = await run.ask(answerQuery, { question, observation: now.text });
  const { text: memories, items, told: shown } = await recalled(query, run);
  const confidence = sure ?? UNRATED;
  if (options.options) {
    const given = [...options.options];
    const letter = await run.ask(answerLetter, { question, memories, options: given }, now.pictures);
    const words = readWords(letter, question, given);
    const text = given[letter.charCodeAt(0) - 65] ?? letter;
    return { ...words, text, cited: shown, confidence };
  }
  const cites = mode === "ours";
  const said = await run.ask(answerSentence, { question, memories, cites }, now.pictures);
  const { text, marks } = citedIn(said);
  const named = marks.flatMap((mark) => items.get(mark) ?? []);
  const [best] = shown.toSorted((a, b) => b.score - a.score);
  const words = readWords(text, question, undefined);
  return { ...words, text, cited: cites ? named : shown, subject: cites ? named[0] : best, confidence };
}

/** F_S: P6's letter, by the model itself or by the one that was set up for it. */
async function confidence(memories: string, now: Observation, run: ModelRun): Promise<number | undefined> {
  const { question, options } = run;
  if (options.confidence === undefined)
    return SURE_BY_LETTER[await run.ask(confidenceLetter, { question, memories }, now.pictures)];
  const { id } = options.confidence;
  const sure = await options.confidence.rate({ question, memories, images: now.pictures }, options.signal);
  const said = sure === undefined ? "no letter" : `${Math.round(sure * 100)} % sure`;
  run.note({ strategy: confidenceLetter.id, cues: [`${id}: ${said}`], sufficient: sure !== undefined });
  return sure;
}

/** F_P in a memory: the view most like what the planner wants to know of, where the agent has not been yet. */
async function planned(
  { visible, at }: Observation,
  visited: ReadonlySet<string>,
  run: ModelRun,
): Promise<Observation | undefined> {
  const { question, options } = run;
  const pose =
    at?.position ?? (await lastPose(new Belief(options), options.nowUs, options.agentId))?.position;
  const query = await run.ask(plannerQuery, {
    pose: pose ?? { x: 0, y: 0, z: 0 },
    visible: [...visible],
    goal: question.slice(0, 300),
  });
  const { told } = await recalled(query, run);
  const views = await viewsFor(told, visited, run);
  return views === undefined ? undefined : observationAt(views, run);
}

/** The view itself, or the one of a caption. */
async function viewsFor(
  found: readonly Evidence[],
  visited: ReadonlySet<string>,
  run: ModelRun,
): Promise<Evidence | undefined> {
  const ids = found
    .toSorted((a, b) => b.score - a.score)
    .flatMap(({ record }) =>
      record.kind === "view" ? [record.id] : record.kind === "caption" ? record.views : [],
    )
    .filter((id) => !visited.has(id));
  if (ids.length === 0) return undefined;
  const plan = planOf("memory-eqa/view", { op: "given", ids: ids.slice(0, 1) });
  return (await retrieveBy("memory-eqa", { text: run.question }, run.options, { plan })).items[0];
}

async function recalled(query: string, run: ModelRun) {
  const found = await findIn(query, run.options);
  const lines = await numbered(found.items, run.options, { tokens: TOKENS });
  run.found({ ...found, items: lines.told });
  return lines;
}

/** What came along with the question; else what the robot saw last. */
async function firstObservation(run: ModelRun): Promise<Observation> {
  const { live } = run.options;
  const pictures = run.liveImages;
  if (pictures.length > 0 || live?.text !== undefined)
    return { text: live?.text ?? "the pictures that go along", visible: [], at: undefined, pictures };
  const plan = planOf(
    "memory-eqa/now",
    { op: "recent", kinds: ["view"], k: 1 },
    { op: "before", time: "now" },
  );
  const { items } = await retrieveBy("memory-eqa", { text: run.question }, run.options, { plan });
  if (items[0] === undefined) return { text: "nothing", visible: [], at: undefined, pictures: [] };
  return observationAt(items[0], run);
}

async function observationAt(view: Evidence, run: ModelRun): Promise<Observation> {
  const { reader } = run.options;
  run.show([view]);
  const ids = view.record.kind === "view" ? view.record.visible.map(({ stateId }) => stateId) : [];
  const states = ids.length === 0 ? [] : await reader.get(ids.slice(0, MOST_VISIBLE));
  const visible = [...new Set(states.flatMap((one) => (one?.kind === "state" ? [one.name] : [])))];
  const pictures = run.vision ? await framesShown([view], run.options) : [];
  const text = [wordsOf(view), visible.join(", ")].filter((part) => part !== "").join(": ");
  return {
    text: (text || "nothing").slice(0, OBSERVATION_CHARS),
    visible,
    at: view,
    pictures: pictures.map(({ image }) => image),
  };
}
