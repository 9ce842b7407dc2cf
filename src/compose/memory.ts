import { randomFillSync } from "node:crypto";
import { NOTE_TOPIC } from "../belief/notes.ts";
import { Corrections } from "../corrections/index.ts";
import type { TransferOptions } from "../exchange/jsonl.ts";
import { contentDigest } from "../memory/dump-json.ts";
import type {
  CallOptions,
  Commit,
  KeptEngine,
  MemoryReader,
  MemoryStats,
  MemoryWriter,
  ReaderOptions,
  ReembedOptions,
  ReembedReport,
  SearchResult,
  VerifyReport,
  WriteBatch,
} from "../memory/port.ts";
import { MemoryQuery, momentUs } from "../memory/query.ts";
import type { SearchRequest } from "../memory/request.ts";
import type { TextEmbedder } from "../models/index.ts";
import {
  LIMITS,
  LociError,
  type RecordKind,
  type Stored,
  UNKNOWN_BACKGROUND,
  ulidSource,
  WORLD_FRAME,
} from "../schema/core.ts";
import type { Gone } from "../watches/index.ts";
import type { ForgetThingOptions, ForgetThingReport } from "./forget.ts";
import { linesOf } from "./lines-of.ts";
import type { OpenOptions, RememberOptions } from "./memory-options.ts";
import { openEngine } from "./open-engine.ts";

export type { OpenOptions, RememberOptions } from "./memory-options.ts";
export { linesOf };

const DEFAULT_EMBEDDER = "loci";
/** With fewer texts the measurement is unreliable; until then the embedder's own background is used. */
const CALIBRATE_FROM_TEXTS = 200;

const LOST =
  "writes that were acknowledged are missing: the log was cut or damaged, or this is an older file; verify says how many";

/** State shared by all views of one memory. */
interface Shared {
  embedder?: Promise<TextEmbedder>;
  corrections?: Corrections;
}

/** Opens the memory in a folder or at a `postgres://…` URL, creating it if needed. */
export async function openMemory(place: string, options: OpenOptions = {}): Promise<Memory> {
  const nowUs = options.nowUs ?? (() => Date.now() * 1000);
  const { engine, folder } = await openEngine(place, { ...options, nowUs });
  return new Memory(engine, folder, { ...options, nowUs });
}

/**
 * A memory: facts in, questions in words, and everything out again. It opens its embedder on first use and takes the
 * writer lock on the first write.
 */
export class Memory {
  readonly folder: string;
  readonly engine: KeptEngine;
  readonly #options: OpenOptions & { readonly nowUs: () => number };
  readonly view: ReaderOptions;
  /** Shared by all views of one memory; the first view that needs the embedder opens it. */
  readonly #shared: Shared;
  /** Called before a forgetting completes, for every cache of content read earlier. */
  readonly forgetting = new Set<(gone: Gone) => void>();
  /** Background work on this memory; ended before it is closed. */
  readonly ending = new Set<() => Promise<void>>();
  #reader: Promise<MemoryReader> | undefined;
  #writer: Promise<MemoryWriter> | undefined;
  readonly #newId: () => string;
  #calibratedAt: number | undefined;

  constructor(
    engine: KeptEngine,
    folder: string,
    options: OpenOptions & { readonly nowUs: () => number },
    view: ReaderOptions = {},
    shared: Shared = {},
  ) {
    this.engine = engine;
    this.folder = folder;
    this.#options = options;
    this.view = view;
    this.#shared = shared;
    this.#newId = ulidSource({
      nowMs: () => Math.floor(options.nowUs() / 1000),
      randomBytes: options.randomBytes ?? ((n) => randomFillSync(new Uint8Array(n))),
    });
  }

  /** A read-only view as another principal or as of another time; closing it closes its reader only. */
  as(view: ReaderOptions): Memory {
    return new Memory(this.engine, this.folder, this.#options, view, this.#shared);
  }

  tracks(): MemoryQuery<"state"> {
    return new MemoryQuery(this.#context, ["state"], { onePerOwner: true });
  }

  states(): MemoryQuery<"state"> {
    return new MemoryQuery(this.#context, ["state"]);
  }

  captions(): MemoryQuery<"caption"> {
    return new MemoryQuery(this.#context, ["caption"]);
  }

  views(): MemoryQuery<"view"> {
    return new MemoryQuery(this.#context, ["view"]);
  }

  places(): MemoryQuery<"place"> {
    return new MemoryQuery(this.#context, ["place"]);
  }

  regions(): MemoryQuery<"region"> {
    return new MemoryQuery(this.#context, ["region"]);
  }

  events(): MemoryQuery<"event"> {
    return new MemoryQuery(this.#context, ["event"]);
  }

  /** Records of any of these kinds; of all kinds without any. */
  records<K extends RecordKind = RecordKind>(...kinds: K[]): MemoryQuery<K> {
    return new MemoryQuery(this.#context, kinds.length === 0 ? undefined : kinds);
  }

  /**
   * Stores a text with a place and a time, for callers that have only text: captions, notes, body state, task
   * episodes. Each sentence becomes a line that is found on its own.
   */
  async remember(text: string, options: RememberOptions = {}): Promise<Stored> {
    const lines = linesOf(text);
    const fromUs = options.time === undefined ? this.#options.nowUs() : momentUs(options.time);
    const toUs =
      options.until === undefined ? fromUs + 1 : options.until === null ? null : momentUs(options.until);
    const id = options.id ?? this.#newId();
    await this.write({
      records: [
        {
          kind: "caption",
          id,
          source: "human",
          text: lines,
          validFromUs: fromUs,
          validToUs: toUs,
          ...(options.at ? { anchor: { submap: options.frame ?? WORLD_FRAME, p: options.at } } : {}),
          topic: options.topic ?? NOTE_TOPIC,
          ...(options.author === undefined ? {} : { author: options.author }),
          ...(options.sceneId === undefined ? {} : { sceneId: options.sceneId }),
          labels: [...(options.labels ?? [])],
        },
      ],
    });
    const [stored] = await (await this.reader()).get([id]);
    if (stored === undefined)
      throw new LociError("unknown-id", `"${id}" was written but is not visible to this reader`);
    return stored;
  }

  /** Writes a batch after applying people's corrections; embeds lines that have no vector yet. */
  async write(written: WriteBatch, options: CallOptions = {}): Promise<Commit> {
    const writer = await this.writer();
    const batch = await this.corrections.honour(written);
    const given = new Set(batch.vectors?.map(({ text }) => text));
    const lines = [...new Set(batch.records?.flatMap((record) => record.text ?? []))].filter(
      (line) => !given.has(line),
    );
    const known = await writer.knownTexts(lines);
    const unknown = lines.filter(
      (line, i) => !known[i] && line.length > 0 && line.length <= LIMITS.lineChars,
    );
    if (unknown.length === 0) return writer.write(batch);
    const embedder = await this.embedder();
    await writer.setEmbedder("text", embedder.info);
    const vectors = await embedder.embed(unknown, options);
    const made = unknown.flatMap((text, i) => {
      const vector = vectors[i];
      return vector ? [{ text, vector }] : [];
    });
    const commit = await writer.write({ ...batch, vectors: [...(batch.vectors ?? []), ...made] });
    await this.#calibrateAfter(made.length, writer);
    return commit;
  }

  /**
   * Measures the similarity background again each time the number of texts has doubled (docs/formulas.md#background).
   */
  async #calibrateAfter(added: number, writer: MemoryWriter): Promise<void> {
    const texts = await this.engine.texts();
    // A measurement by an earlier process counts too.
    this.#calibratedAt ??= (await (await this.reader()).calibration("text")) === null ? 0 : texts - added;
    if (texts < CALIBRATE_FROM_TEXTS || texts < 2 * this.#calibratedAt) return;
    this.#calibratedAt = texts;
    await writer.calibrate("text");
  }

  /** Measures the similarity background again for the current content. */
  async calibrate(): Promise<void> {
    const texts = await this.engine.texts();
    if (texts < CALIBRATE_FROM_TEXTS) return;
    this.#calibratedAt = texts;
    await (await this.writer()).calibrate("text");
  }

  /** Ingests and syncs that were begun and not finished, and whether writes are missing, in words. */
  async unfinished(): Promise<string[]> {
    const works = await (await this.reader()).unfinished();
    const begun = works.map(
      ({ what, steps }) =>
        `the ${what} is not finished (${steps} writes so far): the memory holds a part of it`,
    );
    return this.engine.hasLost() ? [LOST, ...begun] : begun;
  }

  async search(request: SearchRequest, options: CallOptions = {}): Promise<SearchResult> {
    return (await this.reader()).search(request, options);
  }

  async stats(): Promise<MemoryStats> {
    return (await this.reader()).stats();
  }

  async verify(
    options: { repair?: boolean; deep?: boolean } = {},
  ): Promise<VerifyReport & { digest?: string; digestWithoutClock?: string; rows?: number }> {
    if (this.#isView)
      throw new LociError(
        "not-supported",
        "only the owner verifies a memory: it counts what others may not see",
      );
    const report = await this.engine.verify(options.repair ? { repair: true } : {});
    if (!options.deep) return report;
    const { sha256, sha256WithoutClock, rows } = await contentDigest(await this.reader());
    return { ...report, digest: sha256, digestWithoutClock: sha256WithoutClock, rows };
  }

  /**
   * Forgets the records that a query finds, or these ids, with all that was derived from them. Pictures that also
   * show other things are blackened at that place or deleted.
   */
  async forget(
    what: MemoryQuery | readonly string[],
    reason: string,
    options: ForgetThingOptions = {},
  ): Promise<ForgetThingReport> {
    const ids =
      what instanceof MemoryQuery
        ? (await what.find(LIMITS.hitsPerSearch)).map(({ record }) => record.id)
        : what;
    const { forgetIn } = await import("./forget.ts");
    return forgetIn(this, { ids, reason }, options);
  }

  /** Re-embeds every text with another embedder; may be interrupted and run again. */
  async reembed(choice: string | TextEmbedder, options: ReembedOptions = {}): Promise<ReembedReport> {
    const embedder = await this.#openEmbedder(choice);
    try {
      const writer = await this.writer();
      const report = await writer.reembed(
        embedder.info,
        (lines, signal) => embedder.embed(lines, signal ? { signal } : {}),
        options,
      );
      await writer.calibrate("text");
      return report;
    } finally {
      await embedder.close();
    }
  }

  async exportJsonl(path: string, options: TransferOptions = {}): Promise<{ rows: number }> {
    const { exportJsonl } = await import("../exchange/jsonl.ts");
    return exportJsonl(await this.reader(), path, options);
  }

  async importJsonl(path: string, options: TransferOptions = {}): Promise<{ rows: number }> {
    const { importJsonl } = await import("../exchange/jsonl.ts");
    this.corrections.reload();
    return importJsonl(await this.writer(), path, options);
  }

  /** Makes a consistent copy in another folder while this memory stays in use. */
  async backup(folder: string, onProgress?: (done: number, total: number) => void): Promise<void> {
    if (this.engine.backup === undefined)
      throw new LociError(
        "not-supported",
        "a memory on PostgreSQL is backed up by the server (pg_dump, pg_basebackup; docs/scale.md), or copied: loci copy",
      );
    await this.engine.backup(folder, onProgress);
  }

  /** People's corrections of its things and places; applied to every write. */
  get corrections(): Corrections {
    this.#shared.corrections ??= new Corrections({
      open: () => this.engine.reader(),
      write: (batch) => this.write(batch),
      newId: this.#newId,
    });
    return this.#shared.corrections;
  }

  reader(): Promise<MemoryReader> {
    this.#reader ??= this.engine.reader(this.view);
    return this.#reader;
  }

  writer(): Promise<MemoryWriter> {
    if (this.#isView)
      throw new LociError("memory-read-only", "a memory seen as somebody or as of a time only reads");
    if (this.#writer === undefined) {
      const taken = this.engine.writer();
      this.#writer = taken;
      // Another process may have released the writer's lock by the next call.
      taken.catch(() => {
        this.#writer = undefined;
      });
    }
    return this.#writer;
  }

  /** Cosine of unrelated texts: measured in this memory, else the embedder's own, else a guess (docs/formulas.md#background). */
  async background(): Promise<{ readonly mean: number; readonly sd: number }> {
    const measured = await (await this.reader()).calibration("text");
    return measured ?? (await this.embedder()).background ?? UNKNOWN_BACKGROUND;
  }

  embedder(): Promise<TextEmbedder> {
    this.#shared.embedder ??= this.#openEmbedder(this.#options.embedder ?? DEFAULT_EMBEDDER);
    return this.#shared.embedder;
  }

  /** Loaded on first use; the default embedder skips the registry and its checks. */
  async #openEmbedder(choice: string | TextEmbedder): Promise<TextEmbedder> {
    if (typeof choice !== "string") return choice;
    if (choice === DEFAULT_EMBEDDER) return (await import("../models/loci-text/loci-text.ts")).openLociText();
    const { openEmbedder, parseEmbedderSpec } = await import("../models/index.ts");
    return openEmbedder(parseEmbedderSpec(choice, this.#options.environment ?? {}));
  }

  async close(): Promise<void> {
    for (const end of this.ending) await end();
    if (this.#isView) return (await this.#reader)?.close();
    await (await this.#shared.embedder?.catch(() => undefined))?.close();
    await this.engine.close();
  }

  get #isView(): boolean {
    return Object.keys(this.view).length > 0;
  }

  get #context() {
    return {
      reader: () => this.reader(),
      nowUs: this.#options.nowUs,
      background: async () => (await this.embedder()).background,
      embedText: async (text: string, options: CallOptions = {}) => {
        const written = await (await this.reader()).embedder("text");
        // No vectors yet: only BM25 can rank.
        if (written === null) return null;
        const embedder = await this.embedder();
        if (written.id !== embedder.info.id) {
          throw new LociError(
            "embedder-mismatch",
            `this memory's vectors are by ${written.id}, not ${embedder.info.id}; choose that embedder, or move the memory with reembed`,
          );
        }
        return (await embedder.embed([text], options))[0] ?? null;
      },
    };
  }
}
