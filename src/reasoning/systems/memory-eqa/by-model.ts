import type { z } from "zod";
import { Belief } from "../../../belief/belief.ts";
import { poseOfRecord } from "../../../belief/poses.ts";
import type { PromptSpec } from "../../../models/prompts/index.ts";
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
import { timeText } from "../../evidence/index.ts";
import { planOf, retrieveBy } from "../find.ts";
import { backdropOf } from "../model/backdrop.ts";
import { framesShown, type ShownFrame } from "../model/keyframes.ts";
import { clipped, numbered, wordsOf } from "../model/lines.ts";
import type { ModelRun } from "../model/model-run.ts";
import { type ModelSaid, once } from "../model/said.ts";
import { facingText, standOf } from "../model/stand.ts";
import { citedIn, readWords } from "../model/words.ts";
import { findIn } from "./retrieval.ts";

/** γ: "a confidence level of C or higher" stops. */
const STOP_AT = SURE_BY_LETTER.C;
/** Steps before an answer is forced. */
const STEPS = 3;
const MOST_STEPS = 6;
const TOKENS = 4_500;
const MOST_VISIBLE = 32;
const OBSERVATION_CHARS = 2_000;
/** Where its own word says nothing of how sure it is. */
const UNRATED = 0.5;

/** o_i: the agent's place and its view there. */
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
  const steps = Math.min(MOST_STEPS, Math.max(1, run.options.rounds ?? STEPS));
  const walk: Walk = { run, visited: new Map(), known: new Set(), queries: new Map() };
  let now = await firstObservation(run);
  let sure: number | undefined;
  for (let step = 1; ; step++) {
    if (now.at) walk.visited.set(now.at.id, now.at);
    const query = await queried(stopQuery, { question: run.question, observation: now.text }, walk);
    const memories = await recalled(query, walk);
    for (const { id } of run.mode === "ours" ? memories.told : []) walk.known.add(id);
    sure = await confidence(memories, now, run);
    if (step >= steps || (sure ?? 0) >= STOP_AT) break;
    const next = await planned(now, walk);
    if (next === undefined) break;
    now = next;
  }
  return answered(now, sure, walk);
}

/** One question's way through the views of a memory. */
interface Walk {
  readonly run: ModelRun;
  /** The views it stood before, by their ids. */
  readonly visited: Map<string, Evidence>;
  /** The records that it has been given; ours continues with unknown ones. */
  readonly known: Set<string>;
  /** The queries written so far, by their prompts. */
  readonly queries: Map<string, string>;
}

/**
 * A module's query. The subject stays the same from view to view: ours has each written once, literally at every step.
 */
async function queried<I extends z.ZodType>(
  spec: PromptSpec<I, typeof plannerQuery.output>,
  input: z.input<I>,
  { run, queries }: Walk,
): Promise<string> {
  const known = run.mode === "paper" ? undefined : queries.get(spec.id);
  const query = known ?? (await run.ask(spec, input));
  queries.set(spec.id, query);
  return query;
}

/** F_A by P7 or P8, from the memory's records for q_a. */
async function answered(now: Observation, sure: number | undefined, walk: Walk): Promise<ModelSaid> {
  const { run } = walk;
  const { question, options, mode } = run;
  const query = await queried(answerQuery, { question, observation: now.text }, walk);
  const { byId, told: shown, ...memories } = await recalled(query, walk);
  const confidence = sure ?? UNRATED;
  if (options.options) {
    const given = [...options.options];
    const letter = await run.ask(answerLetter, { question, ...memories, options: given }, now.pictures);
    const words = readWords(letter, question, given);
    const text = given[letter.charCodeAt(0) - 65] ?? letter;
    return { ...words, text, cited: shown, confidence };
  }
  const cites = mode === "ours";
  const said = await run.ask(answerSentence, { question, ...memories, cites }, now.pictures);
  const { text, marks } = citedIn(said);
  const named = marks.flatMap((mark) => byId(mark) ?? []);
  run.show(named);
  const [best] = shown.toSorted((a, b) => b.score - a.score);
  const words = readWords(text, question, undefined);
  return { ...words, text, cited: cites ? named : shown, subject: cites ? named[0] : best, confidence };
}

/** F_S: P6's letter, by the model itself or by the one that was set up for it. */
async function confidence(
  { byId: _, told: __, ...memories }: Recalled,
  now: Observation,
  run: ModelRun,
): Promise<number | undefined> {
  const { question, options } = run;
  if (options.confidence === undefined)
    return SURE_BY_LETTER[await run.ask(confidenceLetter, { question, ...memories }, now.pictures)];
  const { id } = options.confidence;
  const asked = { question, ...memories, images: now.pictures };
  const sure = await options.confidence.rate(asked, options.signal);
  const said = sure === undefined ? "no letter" : `${Math.round(sure * 100)} % sure`;
  run.note({ strategy: confidenceLetter.id, cues: [`${id}: ${said}`], sufficient: sure !== undefined });
  return sure;
}

/** F_P in a memory: the view most similar to the planner's query, at a place that the agent has not visited. */
async function planned({ visible, at }: Observation, walk: Walk): Promise<Observation | undefined> {
  const { run, visited, known } = walk;
  const { question, options, mode } = run;
  const stand = (at && (await poseOfRecord(new Belief(options), at.record))) ?? (await standOf(options));
  const query = await queried(
    plannerQuery,
    {
      pose: at?.position ?? stand?.position ?? { x: 0, y: 0, z: 0 },
      ...(mode === "ours" && stand && { facing: facingText(stand) }),
      visible: [...visible],
      goal: question.slice(0, 300),
    },
    walk,
  );
  const found = await findIn(query, options);
  // Searched for a view to go to, and not shown to the model.
  run.found({ ...found, items: [] });
  const view = await viewsFor(found.items, new Set([...visited.keys(), ...known]), run);
  return view === undefined ? undefined : observationAt(view, run);
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

/** f_r(q) as a prompt has it. */
interface Recalled {
  readonly memories: string;
  readonly things?: string | undefined;
  readonly now?: string | undefined;
  readonly told: readonly Evidence[];
  byId(mark: string): Evidence | undefined;
}

/** The memory's records for a query; ours also those seen on the way, and the beliefs about the things in both. */
async function recalled(query: string, { run, visited }: Walk): Promise<Recalled> {
  const found = await findIn(query, run.options);
  if (run.mode === "paper") {
    const { text: memories, items, told } = await numbered(found.items, run.options, { tokens: TOKENS });
    run.found({ ...found, items: told });
    return { memories, told, byId: (mark) => items.get(mark) };
  }
  const all = once([...found.items, ...visited.values()]);
  const { lines, now, things, byId } = await backdropOf(all, run);
  const { text: memories, items, told } = await numbered(all, run.options, { tokens: TOKENS, ...lines });
  run.found({ ...found, items: told });
  return { memories, things, now, told, byId: (mark) => items.get(mark) ?? byId(mark) };
}

/** The pictures that came with the question; otherwise the robot's last view. */
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
  const pose = run.mode === "ours" ? await poseOfRecord(new Belief(run.options), view.record) : undefined;
  const stood = pose && `At ${timeText(pose.timeUs, run.options.nowUs)}, ${facingText(pose)}`;
  const said = [wordsOf(view), visible.join(", ")].filter((part) => part !== "").join(": ") || "nothing";
  return {
    text: clipped([...(stood === undefined ? [] : [stood]), said].join(": "), OBSERVATION_CHARS),
    visible,
    at: view,
    pictures: pictures.map(({ image }) => image),
  };
}
