import { type ModelAnswer, quoted, roundsText, type SearchKeys } from "../../models/prompts/index.ts";
import { LociError } from "../../schema/index.ts";
import { picturesFor } from "../evidence/index.ts";
import type { Conversation } from "./conversation.ts";
import { searchByKeys, WIDEST } from "./keys.ts";
import type { LoopMemory } from "./loop-memory.ts";
import { recordsText } from "./record-lines.ts";
import { shownByModel } from "./shows.ts";
import type { CallResult } from "./tools.ts";
import { picturesOf } from "./tools-look.ts";
import { scopeOf } from "./tools-query.ts";
import type { TraceBook } from "./trace-book.ts";
import { type CheckContext, type Checked, checkAnswer } from "./verify.ts";
import type { Work } from "./work.ts";

/** Everything one question is worked on with. */
interface LoopRun extends Work {
  readonly keys: SearchKeys;
  readonly rounds: number;
  readonly conversation: Conversation;
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
/** Rounds in which every call failed or asked for help cost nothing, up to so many. */
const FREE_FAILURES = 2;
const KEYFRAMES = 4;
const UNSURE = 0.5;
const NEW_TOKENS = 1_000;

/**
 * Rounds of searching and reading until an answer passes the checks (docs/formulas.md#loop): first by the keys, then by
 * the model's own calls. Where nothing is found the keys are widened (docs/formulas.md#rounds); where words are not
 * enough pictures are shown; unsupported claims are sent back once. Bounded in rounds and in steps
 * (docs/formulas.md#rounds).
 */
export async function runRounds(run: LoopRun): Promise<Outcome> {
  const { memory, runner, conversation, trace, question } = run;
  const { options, live } = run.options;
  // Stored views whose pictures go along with the question.
  const looked = new Set<string>(conversation.vision ? live?.recordIds : []);
  const context: CheckContext = {
    question,
    options,
    asked: run.options,
    memory,
    counts: runner.counts,
    looked,
  };
  let left = run.rounds - 1;
  let failures = 0;
  let [retried, pictured, forced, widened] = [false, false, false, false];
  await byKeys(run, "model/keys");
  if (conversation.vision) for (const id of await attachPictures(run)) looked.add(id);
  for (let step = 0; step < run.rounds + MORE_STEPS; step++) {
    const { calls, answer } = await conversation.next(left);
    if (answer === undefined) {
      if (left <= 0) {
        if (forced) break;
        forced = true;
        conversation.say("There are no more rounds. Answer now from what was found.");
        continue;
      }
      const began = performance.now();
      const results = await runner.run(calls);
      if (!results.every(isFree) || ++failures > FREE_FAILURES) left--;
      trace.searched("model/tools", memory.level, results, performance.now() - began);
      const views = conversation.vision ? viewsIn(results) : [];
      for (const id of views) looked.add(memory.known(id.replace(/ cut out$/, ""))?.id ?? id);
      conversation.tell(results, views, roundsText(left));
      if (left > 0 && results.every(isFruitless) && !results.every(isFree)) await widen(run);
      continue;
    }
    // "Never seen" requires the widest search; a second wider one does not help if the records lack the answer.
    const isWider = answer.status === "not-seen" || (answer.status === "insufficient" && !widened);
    if (isWider && left > 0 && memory.level < WIDEST) {
      widened = true;
      if (await widen(run)) continue;
    }
    if (!pictured && conversation.vision && isUnsure(answer)) {
      pictured = true;
      if (await showKeyframes(run, answer, looked)) continue;
    }
    const checked = await checkAnswer(answer, {
      ...context,
      shows: (claims, said) => shownByModel(run, citedBy(answer, memory), claims, said),
    });
    noteAnswer(trace, memory.level, answer, checked);
    if (checked.flaws.length === 0 || retried) return { answer, checked, context, notes: conversation.notes };
    retried = true;
    conversation.say(
      `The records do not bear this out:\n${quoted("flaws", [...new Set(checked.flaws)].join("\n"))}\n` +
        "Mend that and answer again, citing ids that stand above; if nothing shows it, say that it was not seen.",
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

/** Pictures that go along by themselves where looks, a material or something written is asked for; of one thing it is cut out beside. */
async function attachPictures({
  question,
  parts,
  keys,
  memory,
  conversation,
  trace,
}: LoopRun): Promise<readonly string[]> {
  const found = memory.shown();
  const lookedFor = { parts, phrases: keys.semantic, found };
  const pictures = await picturesFor(lookedFor, scopeOf(memory, question), memory.evidence);
  if (pictures.length === 0) return [];
  const viewIds = pictures.map(({ viewId }) => viewId);
  const added = memory.show(await memory.get(viewIds));
  await memory.name(pictures.flatMap(({ visible }) => visible.map(({ trackId }) => trackId)));
  conversation.attach(
    pictures.flatMap(({ id, bytes, crop, caption, visible, trackIds }) => {
      const cut = visible.filter(({ trackId }) => trackIds.includes(trackId));
      const named = cut.map((one) => `${one.id} ${one.name}`).join(", ");
      const whole = { image: { bytes }, caption };
      return crop ? [whole, { image: { bytes: crop }, caption: `${id}, cut out of it: ${named}` }] : [whole];
    }),
  );
  const cues = pictures.map(({ caption }) => `look at ${caption}`);
  trace.add({ cues, strategy: "model/look", broadened: memory.level, found: pictures.length, added });
  return viewIds;
}

/** Looks wider until something new turns up, and tells the model of it; false where there is nothing wider. */
async function widen(run: LoopRun): Promise<boolean> {
  const { memory, conversation } = run;
  while (memory.level < WIDEST) {
    memory.level++;
    const known = new Set(memory.shown().map(({ id }) => id));
    await byKeys(run, "model/broaden");
    const fresh = memory.shown().filter(({ id }) => !known.has(id));
    if (fresh.length === 0) continue;
    const text = await recordsText(fresh, memory, NEW_TOKENS);
    conversation.say(`The memory was searched more widely. New records:\n${quoted("records", text)}\nGo on.`);
    return true;
  }
  return false;
}

/** Pictures of the evidence for the answer, or of the best hits. */
async function showKeyframes(
  { memory, conversation, trace }: LoopRun,
  answer: ModelAnswer,
  looked: Set<string>,
) {
  const cited = citedBy(answer, memory);
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

const citedBy = ({ subject, cited }: ModelAnswer, memory: LoopMemory) =>
  [subject, ...cited].flatMap((id) => (id == null ? [] : (memory.known(id) ?? [])));
const isUnsure = ({ status, confidence }: ModelAnswer) =>
  status === "insufficient" || (status === "answered" && confidence < UNSURE);
const isFruitless = ({ found, images, count }: CallResult) =>
  found === 0 && images.length === 0 && count === undefined;

/** A call that found an error instead of nothing: a wrong id, an unknown tool, a call made before. */
const isFailed = ({ refused, text }: CallResult) => refused !== undefined || text.startsWith('{"error"');

/** A call that told nothing of the memory. */
const isFree = (result: CallResult) => isFailed(result) || result.isHelp === true;

/** Ids of the pictures in results, in the order of the pictures. */
function viewsIn(results: readonly CallResult[]): string[] {
  return results.flatMap(({ images, text }) => {
    if (images.length === 0) return [];
    return (JSON.parse(text) as { pictures?: string[] }).pictures ?? [];
  });
}
