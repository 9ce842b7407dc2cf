import { type ModelAnswer, quoted, type SearchKeys } from "../../models/prompts/index.ts";
import { type Evidence, serialise } from "../../retrieval/index.ts";
import { LociError } from "../../schema/index.ts";
import type { Conversation } from "./conversation.ts";
import { searchByKeys, WIDEST } from "./keys.ts";
import type { CallResult } from "./tools.ts";
import { picturesOf } from "./tools-look.ts";
import type { TraceBook } from "./trace-book.ts";
import { type CheckContext, type Checked, checkAnswer } from "./verify.ts";
import type { Work } from "./work.ts";

/** Everything one question is worked on with. */
interface LoopRun extends Work {
  readonly keys: SearchKeys;
  readonly rounds: number;
  readonly conversation: Conversation;
  /** What another paper's plan finds, put beside what the keys find. */
  readonly preset: () => Promise<{ strategy: string; items: readonly Evidence[] } | undefined>;
}

/** The model's last word, held against the records. */
export interface Outcome {
  readonly answer: ModelAnswer;
  readonly checked: Checked;
  readonly context: CheckContext;
  readonly notes: readonly string[];
}

export const ROUNDS = 3;
export const MOST_ROUNDS = 6;
/** Answers, retries and looks at pictures on top of the rounds; a model that needs more has lost its way. */
const MORE_STEPS = 6;
const KEYFRAMES = 4;
const UNSURE = 0.5;
const NEW_TOKENS = 2_000;

/**
 * Rounds of searching and reading until there is an answer that stands (docs/formulas.md#loop): first by the keys, then by the
 * model's own calls. Where nothing is found the keys are widened (docs/formulas.md#rounds); where words are not enough pictures are
 * shown; what the records do not bear out is sent back once. Bounded in rounds and in steps (docs/formulas.md#rounds).
 */
export async function runRounds(run: LoopRun): Promise<Outcome> {
  const { memory, runner, conversation, trace, question } = run;
  const { options, live } = run.options;
  // Stored views whose pictures go along with the question.
  const looked = new Set<string>(conversation.vision ? live?.recordIds : []);
  const { semantic, near, room } = run.keys;
  const about = [...semantic, near, room].filter((key) => key != null);
  const context: CheckContext = { question, options, about, memory, counts: runner.counts, looked };
  let left = run.rounds - 1;
  let [retried, pictured, forced] = [false, false, false];
  await byKeys(run, "model/keys");
  await byPreset(run);
  for (let step = 0; step < run.rounds + MORE_STEPS; step++) {
    const { calls, answer } = await conversation.next(left);
    if (answer === undefined) {
      if (left <= 0) {
        if (forced) break;
        forced = true;
        conversation.say("There are no more rounds. Answer now from what was found.");
        continue;
      }
      left--;
      const began = performance.now();
      const results = await runner.run(calls);
      trace.searched("model/tools", memory.level, results, performance.now() - began);
      const views = conversation.vision ? viewsIn(results) : [];
      for (const id of views) looked.add(id);
      conversation.tell(results, views);
      if (results.every(isFruitless)) left = await widen(run, left);
      continue;
    }
    if (isLacking(answer) && left > 0 && memory.level < WIDEST) {
      const before = memory.shown().length;
      left = await widen(run, left);
      if (memory.shown().length > before) continue;
    }
    if (!pictured && conversation.vision && isUnsure(answer)) {
      pictured = true;
      if (await showKeyframes(run, answer, looked)) continue;
    }
    const checked = checkAnswer(answer, context);
    noteAnswer(trace, memory.level, answer, checked);
    if (checked.flaws.length === 0 || retried) return { answer, checked, context, notes: conversation.notes };
    retried = true;
    conversation.say(
      "The records do not bear this out:\n" +
        `${quoted("flaws", [...new Set(checked.flaws)].join("\n"))}\n` +
        "Answer again. Cite only ids that stand above and that speak of it; if none does, say that it was not seen.",
    );
  }
  throw new LociError("model-failed", `no answer after ${run.rounds} rounds`);
}

/** The keys at the present width, as a round of its own. */
async function byKeys(
  { keys, question, memory, runner, trace }: LoopRun,
  strategy: string,
): Promise<CallResult[]> {
  const began = performance.now();
  const results = await searchByKeys(keys, question, memory, runner);
  trace.searched(strategy, memory.level, results, performance.now() - began);
  return results;
}

/** A paper's plan as a round of its own, where one was asked for. */
async function byPreset({ preset, question, memory, trace }: LoopRun): Promise<void> {
  const began = performance.now();
  const found = await preset();
  if (found === undefined) return;
  trace.add({
    cues: [question],
    strategy: `model/${found.strategy}`,
    found: found.items.length,
    added: memory.show(found.items),
    ms: performance.now() - began,
  });
}

/** Looks wider until something new turns up; tells the model of it. Returns the rounds that are left. */
async function widen(run: LoopRun, rounds: number): Promise<number> {
  const { memory, conversation } = run;
  let left = rounds;
  while (left > 0 && memory.level < WIDEST) {
    left--;
    memory.level++;
    const known = new Set(memory.shown().map(({ id }) => id));
    await byKeys(run, "model/broaden");
    const fresh = memory.shown().filter(({ id }) => !known.has(id));
    if (fresh.length === 0) continue;
    const { text } = serialise(fresh, { nowUs: memory.nowUs, tokens: NEW_TOKENS });
    conversation.say(`The memory was searched more widely. New records:\n${quoted("records", text)}\nGo on.`);
    return left;
  }
  return 0;
}

/** Pictures of what the answer rests on, or of what was found best. */
async function showKeyframes(
  { memory, conversation, trace }: LoopRun,
  answer: ModelAnswer,
  looked: Set<string>,
) {
  const cited = [answer.subject, ...answer.cited].flatMap((id) =>
    id == null ? [] : (memory.known(id) ?? []),
  );
  const { items, images } = await picturesOf(memory, [...cited, ...memory.shown()], KEYFRAMES);
  const fresh = items.map(({ id }, n) => ({ id, image: images[n]! })).filter(({ id }) => !looked.has(id));
  if (fresh.length === 0) return false;
  const added = memory.show(items);
  for (const { id } of fresh) looked.add(id);
  conversation.say("Words were not enough. Look at the pictures, then answer again.");
  conversation.show(
    fresh.map(({ image }) => image),
    fresh.map(({ id }) => id),
  );
  trace.add({
    cues: fresh.map(({ id }) => `look at ${id}`),
    strategy: "model/look",
    broadened: memory.level,
    found: fresh.length,
    added,
  });
  return true;
}

function noteAnswer(
  trace: TraceBook,
  broadened: number,
  answer: ModelAnswer,
  { cited, flaws }: Checked,
): void {
  trace.add({
    cues: answer.text === "" ? [] : [answer.text],
    strategy: "model/answer",
    broadened,
    found: cited.length,
    sufficient: flaws.length === 0 && (answer.status === "answered" || answer.status === "ambiguous"),
    rejected: flaws,
  });
}

const isLacking = ({ status }: ModelAnswer) => status === "not-seen" || status === "insufficient";
const isUnsure = ({ status, confidence }: ModelAnswer) =>
  status === "insufficient" || (status === "answered" && confidence < UNSURE);
const isFruitless = ({ found, images, count }: CallResult) =>
  found === 0 && images.length === 0 && count === undefined;

/** Ids of the pictures in results, in the order of the pictures. */
function viewsIn(results: readonly CallResult[]): string[] {
  return results.flatMap(({ images, text }) => {
    if (images.length === 0) return [];
    return (JSON.parse(text) as { pictures?: string[] }).pictures ?? [];
  });
}
