import { Belief } from "../../../belief/belief.ts";
import { lastPose } from "../../../belief/poses.ts";
import type { MemoryReader } from "../../../memory/index.ts";
import { type Evidence, statesOf } from "../../../retrieval/evidence.ts";
import {
  type AnswerInput,
  type AnswerRecord,
  answerSchema,
  LIMITS,
  type ShownEvidence,
  type Stored,
} from "../../../schema/index.ts";
import { shownOf as shownItem } from "../../answer.ts";
import { ask } from "../../ask.ts";
import type { Found, Keys, SystemOptions } from "../system.ts";
import { evidenceMemory } from "./evidence-memory.ts";
import { statedThings } from "./stated-things.ts";

/** Rounds of a trace are told up to so many. */
const MOST_ROUNDS = 64;
/** Stays of one thing that its whole record has. */
const MOST_STAYS = 64;

/**
 * The answer in a system's evidence, read without a model: the algebra over these records alone. A state comes with its
 * thing, its other stays, its room and its support, as its whole record; a text is parsed for its statements. Every
 * system has this one reader, so that two systems differ only in what they retrieve.
 */
export async function readEvidence(
  name: string,
  question: string,
  found: Found,
  options: SystemOptions,
): Promise<AnswerRecord> {
  if (found.items.length === 0) return nothingFound(name, question, found, options);
  const began = performance.now();
  const { reader, embedder, nowUs, agentId, signal } = options;
  const whole = await wholeRecords(found.items, options);
  const records = options.keys ? whole.map((record) => told(record, options.keys ?? {})) : whole;
  const spoken = found.items.filter(({ record }) => record.kind !== "state" && record.text.length > 0);
  const stated = statedThings(spoken);
  const memory = await evidenceMemory([...records, ...stated.records], {
    reader,
    embedder,
    signal,
    sightings: stated.sightings,
    withLooks: options.keys?.time !== false,
  });
  const pose = options.pose ?? (await lastPose(new Belief(options), nowUs, agentId));
  // The evidence has no map, so routes are not part of it.
  const { map: _map, forest: _forest, sceneId: _scene, ...plain } = options;
  const own = { ...plain, reader: memory, navigate: false, ...(pose && { pose }) };
  const answer = await inTalk(question, own);
  const evidence = answer.evidence.map((one) => {
    const said = stated.saidBy.get(one.ref);
    if (!said) return one;
    const { trackId: _track, ...rest } = one;
    return { ...rest, ref: said.record.id, kind: said.record.kind };
  });
  return {
    ...answer,
    strategy: name,
    evidence: [...new Map(evidence.map((one) => [one.ref, one])).values()],
    trace: {
      ...answer.trace,
      rounds: [...roundsOf(name, found), ...answer.trace.rounds].slice(0, MOST_ROUNDS),
      shown: await shownOf(found.items, reader),
      contextTokens: tokensOf(found),
      ms: { ...answer.trace.ms, read: performance.now() - began },
    },
  };
}

/** In a conversation the very things that were mentioned; where the evidence does not have their ids, by name. */
async function inTalk(question: string, options: SystemOptions): Promise<AnswerRecord> {
  if (options.asked === undefined) return ask(question, options);
  const answer = await ask(options.asked, options);
  // An answer about the very thing, even if nothing more is known of it, is not about another of its name.
  if (answer.status === "answered" || answer.evidence.length > 0) return answer;
  const byName = await ask(question, { ...options, history: undefined });
  return byName.status === "answered" ? byName : answer;
}

/** Without any evidence there is no answer: not even no. */
function nothingFound(name: string, question: string, found: Found, { nowUs }: SystemOptions): AnswerRecord {
  return answerSchema.parse({
    question: question.slice(0, LIMITS.queryChars),
    askedAtUs: nowUs,
    strategy: name,
    type: "text",
    status: "insufficient",
    text: "I found nothing about this.",
    confidence: 0,
    trace: { rounds: roundsOf(name, found), models: { reasoner: "rules" } },
  } satisfies AnswerInput);
}

/** The retrieval of a system, in the format of every trace. */
export function roundsOf(name: string, { searches }: Found): AnswerRecord["trace"]["rounds"] {
  return searches.map(({ cue, retrieved }) => ({
    cues: cue === "" ? [] : [cue.slice(0, LIMITS.lineChars)],
    strategy: `${name}/${retrieved.plan.title}`.slice(0, LIMITS.nameChars),
    broadened: 0,
    found: retrieved.items.length,
    added: retrieved.items.length,
    sufficient: !retrieved.weak,
    rejected: [],
    ms: retrieved.trace.totalMs,
  }));
}

function tokensOf({ searches }: Found): number {
  return searches.reduce((sum, { retrieved }) => sum + retrieved.trace.tokens, 0);
}

/** A record as far as the keys tell of it: without space no place and no support, without time no duration. */
function told(record: Stored, { space = true, time = true }: Partial<Keys>): Stored {
  if (record.kind !== "state") return record;
  const { anchor, extent, regionId, supportedBy, insideOf, ...rest } = record;
  const placed = space ? record : rest;
  return time ? placed : { ...placed, validFromUs: -LIMITS.timeUs, validToUs: null };
}

/** The records found, and for each state the rest of its whole record. */
export async function wholeRecords(items: readonly Evidence[], options: SystemOptions): Promise<Stored[]> {
  const { reader } = options;
  const found = items.map(({ record }) => record);
  const trackIds = [...new Set(found.flatMap((record) => (record.kind === "state" ? [record.trackId] : [])))];
  if (trackIds.length === 0) return found;
  // Earlier stays belong to the key of time.
  const stays = options.keys?.time === false ? [] : await staysOf(trackIds, options);
  const states = [...found, ...stays].flatMap((record) => (record.kind === "state" ? [record] : []));
  const named = states.flatMap(({ regionId, supportedBy, insideOf }) => [regionId, supportedBy, insideOf]);
  const ids = [...trackIds, ...new Set(named.flatMap((id) => id ?? []))];
  const related = (await reader.get(ids)).flatMap((record) => record ?? []);
  const bearers = related.flatMap((record) => (record.kind === "state" ? [record.trackId] : []));
  const tracks = await reader.get([...new Set(bearers)]);
  return [...found, ...states, ...related, ...tracks.flatMap((record) => record ?? [])];
}

async function staysOf(trackIds: readonly string[], { reader, signal }: SystemOptions): Promise<Stored[]> {
  const limit = Math.min(LIMITS.hitsPerSearch, trackIds.length * MOST_STAYS);
  const { hits } = await reader.search(
    { kinds: ["state"], where: { owner: trackIds }, rank: "latest", limit },
    signal ? { signal } : {},
  );
  return hits.map(({ record }) => record);
}

/** The reader's input, with the tracks that each text mentions. */
export async function shownOf(items: readonly Evidence[], reader: MemoryReader): Promise<ShownEvidence[]> {
  const shown = items.slice(0, LIMITS.hitsPerSearch);
  const ids = [...new Set(shown.flatMap(({ record }) => statesOf(record)))];
  const states = ids.length === 0 ? [] : await reader.get(ids);
  const trackOf = new Map(states.flatMap((one) => (one?.kind === "state" ? [[one.id, one.trackId]] : [])));
  return shown.map((item) => {
    const mentioned = statesOf(item.record).flatMap((id) => trackOf.get(id) ?? []);
    return { ...shownItem(item), trackIds: mentioned.slice(0, LIMITS.refsPerRecord) };
  });
}
