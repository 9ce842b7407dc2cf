import { fromYaw } from "../../geometry/index.ts";
import { loadForest } from "../../map/index.ts";
import { type Evidence, type RetrieveOptions, retrieve, type Strategy } from "../../retrieval/index.ts";
import { type QuestionRecord, throwIfAborted } from "../../schema/core.ts";
import { recallAtK, redundancy } from "../metrics/evidence.ts";
import { type SceneMemory, type SuiteScene, windowOf } from "../runner/suite.ts";
import { windowedReader } from "../runner/windowed-reader.ts";
import { bootstrap, type Estimate, meanOf } from "../statistics.ts";

/** How much of the evidence one retrieval method showed, without an answerer. */
export interface EvidenceRecallRow {
  readonly strategy: Strategy;
  /** One of the first six records lies within five seconds of an evidence time. */
  readonly recall6: Estimate;
  readonly recallAll: number;
  /** Number of two-metre cells that the first six come from. */
  readonly places: number;
  /** 1 − distinct things / mentions, over the first six. */
  readonly redundancy: number;
  readonly tokens: number;
}

export interface EvidenceMemoryViewOptions {
  readonly scenes: readonly SuiteScene[];
  readonly strategies: readonly Strategy[];
  readonly signal?: AbortSignal;
}

const DEPTH = 6;
const CELL_M = 2;

interface Shown {
  readonly hit6: boolean;
  readonly hitAll: boolean;
  readonly places: number;
  readonly redundancy: number | null;
  readonly tokens: number;
}

/** Every strategy on every question with an evidence time; a question sees nothing after it was asked. */
export async function evidenceRecall(options: EvidenceMemoryViewOptions): Promise<EvidenceRecallRow[]> {
  const shown = new Map<Strategy, Shown[]>(options.strategies.map((strategy) => [strategy, []]));
  const signal = options.signal ?? new AbortController().signal;
  for (const scene of options.scenes) {
    throwIfAborted(signal);
    const memory = await scene.open(signal);
    try {
      const forest = await loadForest(memory.reader, {});
      for (const question of scene.questions) {
        if (question.evidenceTimesUs.length === 0) continue;
        for (const [strategy, list] of shown)
          list.push(await showOne(question, strategy, memory, forest ? { forest } : {}, signal));
      }
    } finally {
      await memory.close();
    }
  }
  return [...shown].flatMap(([strategy, list]) => (list.length === 0 ? [] : [rowOf(strategy, list)]));
}

function rowOf(strategy: Strategy, list: readonly Shown[]): EvidenceRecallRow {
  const repeated = list.flatMap((one) => one.redundancy ?? []);
  return {
    strategy,
    recall6: bootstrap(list, (some) => meanOf(some.map(({ hit6 }) => Number(hit6)))),
    recallAll: meanOf(list.map(({ hitAll }) => Number(hitAll))),
    places: meanOf(list.map(({ places }) => places)),
    redundancy: repeated.length === 0 ? 0 : meanOf(repeated),
    tokens: meanOf(list.map(({ tokens }) => tokens)),
  };
}

async function showOne(
  question: QuestionRecord,
  strategy: Strategy,
  memory: SceneMemory,
  forest: Pick<RetrieveOptions, "forest">,
  signal: AbortSignal,
): Promise<Shown> {
  const reader = windowedReader(memory.reader, windowOf(question));
  const { start } = question;
  const { items, trace } = await retrieve(
    { text: question.text },
    {
      reader,
      strategy,
      nowUs: question.askedAtUs,
      signal,
      ...forest,
      ...(memory.embedder && { embedder: memory.embedder }),
      ...(start && { pose: { p: start.position, q: fromYaw(start.yawRad) } }),
    },
  );
  const records = items.map((item) => ({
    fromUs: item.record.validFromUs,
    toUs: item.record.validToUs,
    trackIds: thingsOf(item),
  }));
  const first = items.slice(0, DEPTH);
  return {
    hit6: recallAtK(records, question.evidenceTimesUs, DEPTH) === true,
    hitAll: recallAtK(records, question.evidenceTimesUs, records.length) === true,
    places: new Set(first.flatMap(cellOf)).size,
    redundancy: redundancy(records.slice(0, DEPTH)),
    tokens: trace.tokens,
  };
}

/** The states that a record mentions: enough to tell new from repeated. */
function thingsOf({ record }: Evidence): readonly string[] {
  if (record.kind === "caption") return record.states;
  if (record.kind === "view") return record.visible.map(({ stateId }) => stateId);
  return record.kind === "state" ? [record.id] : [];
}

function cellOf({ position }: Evidence): string[] {
  if (position === undefined) return [];
  return [`${Math.floor(position.x / CELL_M)},${Math.floor(position.y / CELL_M)}`];
}
