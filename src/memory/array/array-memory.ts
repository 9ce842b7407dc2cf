import type { FrameGraph, TimeUs } from "../../geometry/index.ts";
import type { EmbedderInfo, Presence, RecordKind, Sighting, Stored } from "../../schema/index.ts";
import { blobsOf, LIMITS, LociError, RECORD_KINDS, throwIfAborted } from "../../schema/index.ts";
import type {
  Calibration,
  CallOptions,
  Change,
  Commit,
  DumpRow,
  EmbedLines,
  ForgetOptions,
  ForgetReport,
  ForgetSelection,
  IdHit,
  MemoryEngine,
  MemoryReader,
  MemoryStats,
  MemoryWriter,
  ReaderOptions,
  ReembedOptions,
  ReembedReport,
  SearchResult,
  SightingQuery,
  VectorSpace,
  Work,
  WriteBatch,
} from "../port.ts";
import type { SearchRequest } from "../request.ts";
import { unitVector } from "../vectors.ts";
import { forgetIn } from "./forget.ts";
import { backgroundOf, beginIn, changesIn, dumpOf, restoreInto, stepIn, worksIn } from "./log.ts";
import { countMatches, evaluate } from "./search.ts";
import type { ArrayState } from "./state.ts";
import { emptyState } from "./state.ts";
import { ArrayView } from "./view.ts";
import { applyWrite, checkBatch } from "./write.ts";

const REEMBED_LINES = 16;

/**
 * The memory as plain arrays: naive, slow and obviously right, written from the port alone. Every engine is compared
 * with it, and it shares no evaluation code with any of them, only the formulas that the port fixes (cosineOf, BM25,
 * geometry). It also serves where a memory has a few hundred records and a short life: the evidence of one question.
 * A reader without an as-of point is live: it sees each commit at once.
 */
export class ArrayMemory implements MemoryEngine {
  readonly name = "array";
  readonly capabilities = {
    durable: false,
    sharedBetweenProcesses: false,
    onlineBackup: false,
    manyWriters: false,
    erasesFiles: true,
  };
  readonly state: ArrayState;
  readonly #nowUs: () => TimeUs;
  readonly #waiting = new Set<() => void>();
  #closed = false;
  #writing = false;
  /** A move to another embedder that was broken off: what it had done already. */
  #reembedding: { id: string; done: Map<string, Float32Array | null> } | null = null;

  /** Empty, or with what was put together elsewhere; that is not checked again. */
  constructor(options: { nowUs?: () => TimeUs; state?: ArrayState } = {}) {
    this.state = options.state ?? emptyState();
    this.#nowUs = options.nowUs ?? (() => Date.now() * 1000);
  }

  async reader(options: ReaderOptions = {}): Promise<MemoryReader> {
    this.#assertOpen(this.#closed);
    return new ArrayReader(this, new ArrayView(this.state, options));
  }

  async writer(): Promise<MemoryWriter> {
    this.#assertOpen(this.#closed);
    if (this.#writing) throw new LociError("memory-busy", "this memory has a writer; close it first");
    this.#writing = true;
    let closed = false;
    const open = async <T>(act: () => T | Promise<T>): Promise<T> => {
      this.#assertOpen(closed || this.#closed);
      return act();
    };
    return {
      write: (batch) => open(() => this.#write(batch)),
      begin: (work) => open(() => beginIn(this.state, work)),
      finish: (id) => open(() => void this.state.works.delete(id)),
      setEmbedder: (space, embedder) => open(() => this.#setEmbedder(space, embedder)),
      knownTexts: (texts) => open(() => texts.map((text) => Boolean(this.state.texts.get(text)))),
      // It keeps no log, so it does not know the origin of a batch.
      disown: () => open(() => 0),
      forget: (selection, options) => open(() => this.#forget(selection, options)),
      reembed: (embedder, embed, options) => open(() => this.#reembed(embedder, embed, options ?? {})),
      restore: (rows) => open(async () => ({ rows: await restoreInto(this.state, rows) })),
      calibrate: (space) => open(() => this.#calibrate(space)),
      close: async () => {
        if (!closed) this.#writing = false;
        closed = true;
      },
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.wake();
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** The ids known now, of one kind or all, in the order of first writing. */
  knownIds(kind?: RecordKind): string[] {
    return [
      ...new Set(this.state.rows.filter((r) => kind === undefined || r.kind === kind).map((r) => r.id)),
    ];
  }

  /** Resolves at the next commit, abort or close. */
  async nextWake(signal: AbortSignal | undefined): Promise<void> {
    if (signal?.aborted || this.#closed) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        this.#waiting.delete(done);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      this.#waiting.add(done);
      signal?.addEventListener("abort", done);
    });
  }

  wake(): void {
    for (const done of [...this.#waiting]) done();
  }

  /** Strictly increasing, whatever the clock does. */
  #commitUs(): TimeUs {
    return Math.max(this.#nowUs(), this.state.lastCommitUs + 1);
  }

  #write(batch: WriteBatch): Commit {
    const commit = applyWrite(this.state, checkBatch(this.state, batch), this.#commitUs());
    stepIn(this.state, batch.work, commit.commitUs);
    this.wake();
    return commit;
  }

  async #forget(selection: ForgetSelection, options?: ForgetOptions): Promise<ForgetReport> {
    if (selection.instead) this.#write(selection.instead);
    const report = await forgetIn(this.state, selection, this.#commitUs(), options);
    this.wake();
    return report;
  }

  #setEmbedder(space: VectorSpace, embedder: EmbedderInfo): void {
    const { embedders, texts, imageVectors, calibrations } = this.state;
    const current = embedders[space];
    if (current?.id === embedder.id && current.dim === embedder.dim) return;
    const used = space === "text" ? [...texts.values()].some((v) => v !== null) : imageVectors.size > 0;
    if (used) {
      throw new LociError(
        "embedder-mismatch",
        `this memory's ${space} vectors are of ${current?.id} (${current?.dim}), not ${embedder.id} (${embedder.dim}): reembed it`,
      );
    }
    embedders[space] = { ...embedder };
    calibrations.delete(space);
  }

  /** Lines are collected first; the vectors are swapped at the end, so an abort leaves the old ones. */
  async #reembed(embedder: EmbedderInfo, embed: EmbedLines, options: ReembedOptions): Promise<ReembedReport> {
    const { state } = this;
    if (this.#reembedding?.id !== embedder.id) this.#reembedding = { id: embedder.id, done: new Map() };
    const { done } = this.#reembedding;
    const resumedFrom = done.size;
    const lines = [...state.texts.keys()];
    const left = lines.filter((line) => !done.has(line));
    for (let at = 0; at < left.length; at += REEMBED_LINES) {
      throwIfAborted(options.signal);
      const some = left.slice(at, at + REEMBED_LINES);
      const vectors = await embed(some, options.signal);
      throwIfAborted(options.signal);
      some.forEach((line, i) => {
        const vector = vectors[i];
        done.set(line, vector ? unitVector(vector, embedder.dim, "reembed").slice() : null);
      });
      options.onProgress?.(done.size, lines.length);
    }
    for (const line of lines) state.texts.set(line, done.get(line)!);
    state.embedders.text = { ...embedder };
    state.calibrations.delete("text");
    this.#reembedding = null;
    const withoutMeaning = lines.filter((line) => state.texts.get(line) === null).length;
    return { embedded: lines.length - withoutMeaning, resumedFrom, withoutMeaning };
  }

  #calibrate(space: VectorSpace): Calibration {
    const calibration = backgroundOf(this.state, space);
    // Nothing measured is no calibration.
    if (calibration.pairs === 0) this.state.calibrations.delete(space);
    else this.state.calibrations.set(space, calibration);
    return calibration;
  }

  #assertOpen(closed: boolean): void {
    if (closed) throw new LociError("memory-closed", "this memory is closed; open it again");
  }
}

/** One principal's way in. */
class ArrayReader implements MemoryReader {
  readonly #memory: ArrayMemory;
  readonly #view: ArrayView;
  #closed = false;

  constructor(memory: ArrayMemory, view: ArrayView) {
    this.#memory = memory;
    this.#view = view;
  }

  async get(ids: readonly string[]): Promise<(Stored | undefined)[]> {
    const records = this.#open().records();
    return ids.map((id) => structuredClone(records.find((record) => record.id === id)));
  }

  /** By labels and memory time; asOfWorldUs plays no part, since a version's world time is its content. */
  async history(id: string): Promise<Stored[]> {
    const versions = this.#open().versions();
    return structuredClone(versions.filter((row) => row.id === id).sort((a, b) => a.version - b.version));
  }

  async search(request: SearchRequest, options?: CallOptions): Promise<SearchResult> {
    const view = this.#open();
    throwIfAborted(options?.signal);
    const { hits, checked } = evaluate(view, request);
    const steps = [
      { step: "scan", left: view.records().length },
      { step: "rank", left: hits.length },
    ];
    return { hits, plan: { engine: this.#memory.name, driver: "scan", rank: checked.rank, steps } };
  }

  async searchIds(request: SearchRequest, options?: CallOptions): Promise<IdHit[]> {
    const { hits } = await this.search(request, options);
    return hits.map(({ record, score, scores }) => ({ id: record.id, score, scores }));
  }

  async searchMany(requests: readonly SearchRequest[], options?: CallOptions): Promise<SearchResult[]> {
    if (requests.length > LIMITS.searchesPerCall) {
      throw new LociError("limit-exceeded", `at most ${LIMITS.searchesPerCall} searches a call`);
    }
    return Promise.all(requests.map((request) => this.search(request, options)));
  }

  async count(request: SearchRequest, options?: CallOptions): Promise<number> {
    const view = this.#open();
    throwIfAborted(options?.signal);
    return countMatches(view, request);
  }

  async sightings(query: SightingQuery): Promise<Sighting[]> {
    return structuredClone(this.#open().sightings(query));
  }

  async presence(stateIds: readonly string[]): Promise<Presence[]> {
    const view = this.#open();
    return stateIds.map((id) => view.presence(id));
  }

  async frames(): Promise<FrameGraph> {
    return this.#open().graph();
  }

  /** A blob is as visible as the records that name it; one that no record names is the owner's alone. */
  async blob(ref: string): Promise<Uint8Array | undefined> {
    const view = this.#open();
    const named = view.seesAll || view.versions().some((row) => blobsOf(row).includes(ref));
    return named ? view.state.blobs.get(ref)?.slice() : undefined;
  }

  async calibration(space: VectorSpace): Promise<Calibration | null> {
    return this.#open().state.calibrations.get(space) ?? null;
  }

  async embedder(space: VectorSpace): Promise<EmbedderInfo | null> {
    return this.#open().state.embedders[space];
  }

  /**
   * Covers what this reader can see: records as it finds them, versions by labels and memory time, and lines, vectors
   * and blobs that those versions use. A reader that holds every label gets the totals of everything stored. Only such
   * readers get the bytes, which measure hidden records too; for others 0 stands for "unknown".
   */
  async stats(): Promise<MemoryStats> {
    const view = this.#open();
    const { state } = view;
    const [records, versions, sightings] = [view.records(), view.versions(), view.sightingRows()];
    const texts = view.seesAll ? [...state.texts.keys()] : [...new Set(versions.flatMap((row) => row.text))];
    const blobs = view.seesAll ? [...state.blobs.keys()] : [...new Set(versions.flatMap(blobsOf))];
    const commits = [...versions, ...sightings, ...view.edges()].map((row) => row.recordedAtUs);
    if (view.seesAll) commits.push(...state.forgotten.map((row) => row.atUs));
    const bytes = [...state.blobs.values()].reduce(
      (sum, b) => sum + b.length,
      JSON.stringify(state.rows).length,
    );
    return {
      records: Object.fromEntries(
        RECORD_KINDS.map((kind) => [kind, records.filter((r) => r.kind === kind).length]),
      ) as Record<RecordKind, number>,
      versions: versions.length,
      sightings: sightings.length,
      frames: view.edges().length,
      texts: texts.length,
      vectors:
        texts.filter((text) => state.texts.get(text)).length +
        blobs.filter((ref) => state.imageVectors.has(ref)).length,
      blobs: blobs.length,
      bytes: view.seesAll ? bytes : 0,
      firstUs: extreme(
        Math.min,
        records.map((r) => r.validFromUs),
      ),
      lastUs: extreme(
        Math.max,
        records.map((r) => r.validToUs ?? r.validFromUs),
      ),
      embedder: state.embedders.text,
      imageEmbedder: state.embedders.image,
      mapRevision: view.revision(),
      lastCommitUs: extreme(Math.max, commits),
    };
  }

  async unfinished(): Promise<Work[]> {
    const { state, options } = this.#open();
    const held = options.principal?.labels ?? "*";
    return worksIn(state).filter(
      ({ labels }) => held === "*" || labels.every((label) => held.includes(label)),
    );
  }

  async *changes(options: { afterUs?: TimeUs; signal?: AbortSignal; live?: boolean }): AsyncIterable<Change> {
    const { signal, live = true } = options;
    for (let afterUs = options.afterUs ?? Number.NEGATIVE_INFINITY; ; ) {
      // Nothing may be awaited between finding no change and waiting for one, or a commit goes unnoticed.
      const fresh = changesIn(this.#open(), afterUs);
      for (const change of fresh) {
        if (signal?.aborted) return;
        yield change;
        afterUs = change.commitUs;
      }
      if (fresh.length > 0) continue;
      if (!live) return;
      await this.#memory.nextWake(signal);
      if (signal?.aborted || this.#closed || this.#memory.closed) return;
    }
  }

  async *dump(): AsyncIterable<DumpRow> {
    yield* dumpOf(this.#open());
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#memory.wake();
  }

  #open(): ArrayView {
    if (this.#closed || this.#memory.closed) throw new LociError("memory-closed", "this reader is closed");
    return this.#view;
  }
}

function extreme(pick: (...values: number[]) => number, values: readonly number[]): number | null {
  return values.length === 0 ? null : pick(...values);
}
