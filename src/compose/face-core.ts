import type { CallOptions, Commit, MemoryStats, ReaderOptions, SearchPlan } from "../memory/port.ts";
import { type MemoryQuery, momentUs } from "../memory/query.ts";
import type { Listed } from "../reasoning/listings.ts";
import {
  type AnswerRecord,
  type AskSettings,
  type AuditEntry,
  contentId,
  type Fact,
  type ForgetInput,
  type ListQuery,
  LociError,
  mapInTurns,
  type SearchQuery,
  type Stored,
  type WriteInput,
} from "../schema/core.ts";
import type { AskCall, AskRequest, WorkCall } from "./ask.ts";
import type { FoundHit } from "./believed.ts";
import { type FacePart, stampOf } from "./face-part.ts";
import type { ForgetThingReport } from "./forget.ts";
import type { Memory } from "./memory.ts";

/** Facts in, questions and searches, records out, forgetting. */
export interface CoreFace {
  remember(fact: Fact): Promise<Stored>;
  write(batch: WriteInput, call?: CallOptions): Promise<Commit>;
  search(query: SearchQuery, call?: CallOptions): Promise<Found>;
  ask(question: string, settings?: AskSettings, call?: AskCall): Promise<AnswerRecord>;
  /** Questions that build on one another. */
  conversation(settings?: AskSettings): Talk;
  list(query: ListQuery, call?: WorkCall): Promise<Listed>;
  record(id: string): Promise<Stored | undefined>;
  /** Every version of a record, oldest first; empty where the actor may see none. */
  history(id: string): Promise<Stored[]>;
  blob(ref: string): Promise<Uint8Array | undefined>;
  stats(): Promise<MemoryStats>;
  /** Deletes records and all that was derived from them, for good; the audit keeps the author and the reason. */
  forget(selection: ForgetInput): Promise<ForgetThingReport>;
  /** A preview of forgetting: what people said of these things by name, which goes too. */
  saidByName(ids: readonly string[]): Promise<SaidLines[]>;
  /** Forgettings and corrections with their authors, newest first. */
  audit(query?: { readonly limit?: number }): Promise<AuditEntry[]>;
  close(): Promise<void>;
}

/** Lines of a note that mention a thing by its name. */
export interface SaidLines {
  readonly id: string;
  readonly lines: readonly string[];
}

/** Search hits, best first. */
export interface Found {
  readonly hits: readonly FoundHit[];
  readonly plan: SearchPlan;
}

/** A conversation: earlier questions give "and the blue one?" its meaning. */
export interface Talk {
  ask(question: string, call?: AskCall): Promise<AnswerRecord>;
}

/**
 * The implementation for a memory in this process. `counts` counts what the actor may see; `release` frees what was
 * opened for it.
 */
export function coreFace(
  part: FacePart,
  counts: () => Promise<MemoryStats>,
  release: () => Promise<void>,
): CoreFace {
  const { memory, seen } = part;
  return {
    remember: (fact) => remember(part, fact),
    write: async (batch, call) => {
      if (part.actor.labels !== "*")
        throw new LociError(
          "access-denied",
          "records as they are stored are written by whoever holds every label; send facts, captions, detections or frames",
        );
      const stamp = stampOf(part);
      const { grant } = part.actor;
      const records =
        batch.records &&
        (await mapInTurns(
          batch.records,
          (record) => ({
            ...record,
            ...defined({ sceneId: stamp.scene, author: stamp.author }),
            labels: stamp.labels(record.labels),
          }),
          grant,
        ));
      const sightings =
        batch.sightings &&
        (await mapInTurns(
          batch.sightings,
          (sighting) => ({
            ...sighting,
            ...defined({ agentId: stamp.author }),
            labels: stamp.labels(sighting.labels),
          }),
          grant,
        ));
      return memory.write({ ...defined({ records, sightings, frames: batch.frames }) }, call);
    },
    search: (query, call) =>
      withView(seen, part, query, async (view) => {
        const found = await queryOf(view, query).explain(query.limit, call);
        if (!query.believed) return found;
        const { withBelief } = await import("./believed.ts");
        return { ...found, hits: await withBelief(await view.reader(), found.hits, query.scene) };
      }),
    ask: async (question, settings = {}, call) => {
      const { askMemory } = await import("./ask.ts");
      return withView(seen, part, settings, (view) => askMemory(view, question, requestOf(settings), call));
    },
    conversation: (settings = {}) => {
      const talk = import("./ask.ts").then(({ Conversation }) => new Conversation(seen, requestOf(settings)));
      return { ask: async (question, call) => (await talk).ask(question, call) };
    },
    list: async (query, call) => {
      const { listMemory } = await import("./ask.ts");
      return withView(seen, part, query, (view) =>
        listMemory(view, query, requestOf({ now: query.now, scene: query.scene, frame: query.frame }), call),
      );
    },
    record: async (id) => (await (await seen.reader()).get([id]))[0],
    history: async (id) => (await seen.reader()).history(id),
    blob: async (ref) => (await seen.reader()).blob(ref),
    stats: counts,
    forget: async ({ ids, reason, pictures = "blacken" }) => {
      const known = await (await seen.reader()).get(ids);
      const missing = ids.find((_, n) => known[n] === undefined);
      if (missing !== undefined) throw new LociError("unknown-id", `there is no "${missing}" to forget`);
      // The actor is not told how much was deleted that it may not see.
      const said = (await saidOf(seen, ids)).reduce((sum, { lines }) => sum + lines.length, 0);
      return { ...(await memory.forget(ids, reason, { pictures, who: part.actor.id })), said };
    },
    saidByName: (ids) => saidOf(seen, ids),
    audit: async ({ limit = 100 } = {}) => (await import("./audit.ts")).readAudit(memory.folder, limit),
    close: release,
  };
}

async function saidOf(seen: Memory, ids: readonly string[]): Promise<SaidLines[]> {
  const { saidByName } = await import("./forget-said.ts");
  return (await saidByName(await seen.reader(), ids)).map(({ note, lines }) => ({ id: note.id, lines }));
}

async function remember(
  part: FacePart,
  { key, text, at, time, until, scene, ...fact }: Fact,
): Promise<Stored> {
  const { memory, seen } = part;
  const stamp = stampOf(part);
  if (fact.id !== undefined && stamp.space.length > 0)
    throw new LociError("access-denied", "ids are given by whoever holds every label; give a key instead");
  const id = key === undefined ? fact.id : contentId("fact", ...stamp.space, key);
  // The same key is the same fact, whatever the time is now.
  const known = key === undefined ? undefined : (await (await seen.reader()).get([id!]))[0];
  if (known) return known;
  return memory.remember(text, {
    ...defined({ ...fact, id, at, time, until }),
    ...defined({ sceneId: stamp.scene ?? scene, author: stamp.author ?? fact.author }),
    labels: stamp.labels(fact.labels),
  });
}

/** The memory as of the times that a query names, for the duration of the work. */
async function withView<T>(
  seen: Memory,
  { actor }: FacePart,
  times: Pick<SearchQuery, "asOfWorld" | "asOfMemory">,
  work: (view: Memory) => Promise<T>,
): Promise<T> {
  if (times.asOfWorld === undefined && times.asOfMemory === undefined) return work(seen);
  const options: ReaderOptions = {
    principal: actor,
    ...(times.asOfWorld !== undefined && { asOfWorldUs: momentUs(times.asOfWorld) }),
    ...(times.asOfMemory !== undefined && { asOfMemoryUs: momentUs(times.asOfMemory) }),
  };
  const view = seen.as(options);
  try {
    return await work(view);
  } finally {
    await view.close();
  }
}

function queryOf(memory: Memory, query: SearchQuery): MemoryQuery {
  let made: MemoryQuery = memory.records(...(query.kinds ?? []));
  if (query.text !== undefined) {
    const { by = "both" } = query;
    made =
      by === "both"
        ? made.like(query.text)
        : by === "words"
          ? made.words(query.text)
          : made.meaning(query.text);
  }
  if (query.vector) made = made.byVector(Float32Array.from(query.vector));
  if (query.box) made = made.inBox(query.box);
  if (query.near)
    made = query.within === undefined ? made.nearest(query.near) : made.near(query.near, query.within);
  if (query.from !== undefined || query.to !== undefined)
    made = made.during(query.from ?? Number.MIN_SAFE_INTEGER, query.to ?? null);
  const where = {
    ...defined({
      ids: query.ids,
      category: query.category,
      owner: query.owner,
      regionId: query.region,
      sceneId: query.scene === undefined ? undefined : [query.scene],
      author: query.author === undefined ? undefined : [query.author],
    }),
  };
  if (Object.keys(where).length > 0) made = made.where(where);
  return query.rank === undefined ? made : made.rankedBy(query.rank);
}

function requestOf({ agent, scene, asOfMemory: _, asOfWorld: __, mode, ...rest }: AskSettings): AskRequest {
  return {
    ...rest,
    agentId: agent,
    sceneId: scene,
    ...(mode && { settings: { mode } }),
  };
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** Drops undefined properties (exactOptionalPropertyTypes). */
function defined<T extends object>(values: T): Partial<Defined<T>> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<
    Defined<T>
  >;
}
