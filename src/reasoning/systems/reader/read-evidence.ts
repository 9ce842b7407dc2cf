import { Belief } from "../../../belief/belief.ts";
import { lastPose } from "../../../belief/poses.ts";
import type { Evidence } from "../../../retrieval/index.ts";
import { type AnswerRecord, LIMITS, type Stored } from "../../../schema/index.ts";
import { shownOf } from "../../answer.ts";
import { ask } from "../../ask.ts";
import type { Found, SystemName, SystemOptions } from "../system.ts";
import { evidenceMemory } from "./evidence-memory.ts";
import { statedThings } from "./stated-things.ts";

/** Rounds and evidence of a trace are told up to so many. */
const MOST_ROUNDS = 64;
const MOST_SHOWN = 64;
/** Stays of one thing that its whole record has. */
const MOST_STAYS = 64;

/**
 * The answer that a system's evidence holds, read without a model: the algebra over these records alone. A state comes with
 * its thing, its other stays, its room and what bears it, as its whole record; a text is read for what it states. Every
 * system has this one reader, so that what differs between two of them is what they retrieved.
 */
export async function readEvidence(
  name: SystemName,
  question: string,
  found: Found,
  options: SystemOptions,
): Promise<AnswerRecord> {
  const began = performance.now();
  const { reader, embedder, nowUs, agentId, signal } = options;
  const records = await wholeRecords(found.items, options);
  const spoken = found.items.filter(({ record }) => record.kind !== "state" && record.text.length > 0);
  const stated = statedThings(spoken);
  const memory = await evidenceMemory([...records, ...stated.records], {
    reader,
    embedder,
    signal,
    sightings: stated.sightings,
  });
  const pose = options.pose ?? (await lastPose(new Belief(options), nowUs, agentId));
  // The evidence has no map: what can be walked is none of it.
  const { map: _map, forest: _forest, sceneId: _scene, ...plain } = options;
  const answer = await ask(question, { ...plain, reader: memory, navigate: false, ...(pose && { pose }) });
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
      shown: found.items.slice(0, MOST_SHOWN).map(shownOf),
      contextTokens: tokensOf(found),
      ms: { ...answer.trace.ms, read: performance.now() - began },
    },
  };
}

/** The retrieval of a system, in the format of every trace. */
export function roundsOf(name: SystemName, { searches }: Found): AnswerRecord["trace"]["rounds"] {
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

/** The records found, and of each state what belongs to its whole record. */
async function wholeRecords(items: readonly Evidence[], options: SystemOptions): Promise<Stored[]> {
  const { reader, signal } = options;
  const found = items.map(({ record }) => record);
  const trackIds = [...new Set(found.flatMap((record) => (record.kind === "state" ? [record.trackId] : [])))];
  if (trackIds.length === 0) return found;
  const { hits } = await reader.search(
    {
      kinds: ["state"],
      where: { owner: trackIds },
      rank: "latest",
      limit: Math.min(LIMITS.hitsPerSearch, trackIds.length * MOST_STAYS),
    },
    signal ? { signal } : {},
  );
  const states = [...found, ...hits.map(({ record }) => record)].flatMap((record) =>
    record.kind === "state" ? [record] : [],
  );
  const named = states.flatMap(({ regionId, supportedBy, insideOf }) => [regionId, supportedBy, insideOf]);
  const ids = [...trackIds, ...new Set(named.flatMap((id) => id ?? []))];
  const related = (await reader.get(ids)).flatMap((record) => record ?? []);
  const bearers = related.flatMap((record) => (record.kind === "state" ? [record.trackId] : []));
  const tracks = await reader.get([...new Set(bearers)]);
  return [...found, ...states, ...related, ...tracks.flatMap((record) => record ?? [])];
}
