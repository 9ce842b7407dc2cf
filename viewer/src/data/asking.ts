import { signal } from "@preact/signals";
import type { Life, Route } from "../../../src/schema/accounts.ts";
import type { AnswerEvidence, AnswerRecord } from "../../../src/schema/answer.ts";
import { ApiProblem, call, eventsOf, getJson, postJson } from "./api.ts";
import { believedAtUs } from "./belief.ts";
import * as store from "./store.ts";

/** One question and its outcome so far. */
export interface Turn {
  readonly id: number;
  readonly question: string;
  /** The "now" of the question, in seconds after the origin; null: now. */
  readonly asOf: number | null;
  /** Whether it is answered by what the memory believed then. */
  readonly isBelief: boolean;
  readonly readings: readonly string[];
  readonly evidence: readonly AnswerEvidence[];
  readonly answer: AnswerRecord | null;
  readonly problem: string | null;
}

export const turns = signal<readonly Turn[]>([]);
export const isAsking = signal(false);
/** The turn whose evidence is highlighted. */
export const shownTurn = signal<number | null>(null);
export const draft = signal("");

/** Older turns are dropped. */
const MOST_TURNS = 50;
let talk: { id: string; asOf: number | null; believedUs: number | null } | null = null;
let asking: AbortController | null = null;
let count = 0;

/**
 * Asks within the current conversation, so that "it" is the subject of the last answer; the slider's moment is the
 * "now".
 */
export async function ask(question: string): Promise<void> {
  const text = question.trim();
  if (text === "") return;
  asking?.abort();
  const ending = new AbortController();
  asking = ending;
  const turn: Turn = {
    id: ++count,
    question: text,
    asOf: store.moment.value,
    isBelief: store.belief.value,
    readings: [],
    evidence: [],
    answer: null,
    problem: null,
  };
  turns.value = [...turns.value.filter(({ answer, problem }) => answer ?? problem), turn].slice(-MOST_TURNS);
  draft.value = "";
  isAsking.value = true;
  store.route.value = null;
  store.selected.value = null;
  show(turn.id);
  try {
    await streamAnswer(turn.id, text, turn.asOf, ending.signal);
  } catch (error) {
    if (!ending.signal.aborted) change(turn.id, { problem: (error as Error).message });
  } finally {
    if (asking === ending) isAsking.value = false;
  }
}

async function streamAnswer(
  id: number,
  question: string,
  asOf: number | null,
  signal: AbortSignal,
): Promise<void> {
  const response = await inConversation(question, asOf, signal);
  for await (const { event, data } of eventsOf(response)) {
    if (signal.aborted) return;
    const held = turns.value.find((turn) => turn.id === id);
    if (!held) return;
    const said: unknown = JSON.parse(data);
    if (event === "reading")
      change(id, { readings: [...held.readings, (said as { reading: string }).reading] });
    if (event === "evidence") change(id, { evidence: [...held.evidence, said as AnswerEvidence] });
    if (event === "problem") change(id, { problem: (said as { detail: string }).detail });
    if (event === "answer") {
      const answer = said as AnswerRecord;
      change(id, { answer, evidence: answer.evidence });
    }
  }
}

/** The conversation may have expired by the next question, and another moment starts another one. */
async function inConversation(question: string, asOf: number | null, signal: AbortSignal): Promise<Response> {
  const believedUs = believedAtUs.value;
  const begin = async () => {
    const now = {
      ...(asOf !== null && { now: store.toUs(asOf), asOfWorld: store.toUs(asOf) }),
      ...(believedUs !== null && { asOfMemory: believedUs }),
    };
    const { id } = await postJson<{ id: string }>("v1/conversations", now, signal);
    talk = { id, asOf, believedUs };
    return talk;
  };
  const send = ({ id }: { id: string }) =>
    call(`v1/conversations/${id}/questions`, { body: { question }, accept: "text/event-stream", signal });
  if (talk === null || talk.asOf !== asOf || talk.believedUs !== believedUs) return send(await begin());
  try {
    return await send(talk);
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return send(await begin());
    throw error;
  }
}

function change(id: number, part: Partial<Turn>): void {
  turns.value = turns.value.map((turn) => (turn.id === id ? { ...turn, ...part } : turn));
  if (shownTurn.value === id) show(id);
}

/** Highlights the evidence of an answer. */
export function show(id: number | null): void {
  shownTurn.value = id;
  const turn = turns.value.find((one) => one.id === id);
  store.lit.value = new Set(turn ? tracksOf(turn) : []);
}

/** The things in an answer's evidence, in order. */
export function tracksOf({ evidence, answer }: Pick<Turn, "evidence" | "answer">): string[] {
  const tracks = evidence.map((one) => one.trackId ?? trackOfState(one.ref));
  return [...new Set([...tracks, answer?.position?.trackId].filter((id): id is string => id !== undefined))];
}

function trackOfState(ref: string): string | undefined {
  return store.loaded.value?.rows.find(({ id }) => id === ref)?.track;
}

export function forgetTalk(): void {
  asking?.abort();
  talk = null;
  turns.value = [];
  isAsking.value = false;
  store.route.value = null;
  show(null);
}

const lives = new Map<string, Promise<Life>>();
const MOST_LIVES = 200;

/** The life of a thing; requested once, and again after the memory has changed. */
export function lifeOf(track: string): Promise<Life> {
  const key = `${store.loaded.value?.scene.revision} ${track}`;
  let held = lives.get(key);
  if (held === undefined) {
    held = getJson<Life>(`v1/life/${encodeURIComponent(track)}?pictures=24`);
    held.catch(() => lives.delete(key));
    lives.set(key, held);
    if (lives.size > MOST_LIVES) lives.delete(lives.keys().next().value!);
  }
  return held;
}

/** The route to a thing or a place, drawn on the map. */
export async function showWay(to: string | { x: number; y: number; z: number }): Promise<void> {
  try {
    store.route.value = await postJson<Route>("v1/route", { to });
  } catch (error) {
    store.say((error as Error).message);
  }
}

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    store.say(`${what} copied`);
  } catch {
    store.say("The browser does not let this page copy");
  }
}
