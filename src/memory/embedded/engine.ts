import { LociError } from "../../schema/core.ts";
import type { CheckedRequest } from "../check-request.ts";
import { GraphKeeper, type GraphState, type ReadyOptions } from "../hnsw/index.ts";
import type { MemoryLog } from "../log.ts";
import type {
  KeptEngine,
  MemoryReader,
  MemoryWriter,
  ReaderOptions,
  VectorSpace,
  VerifyReport,
} from "../port.ts";
import type { NumericQuery } from "../resident/query.ts";
import type { ApproximateRank } from "../resident/vector-rank.ts";
import { Connection } from "../sqlite/connection.ts";
import { SqliteEngine, type SqliteOptions } from "../sqlite/engine.ts";
import { filesOf, openForReading } from "../sqlite/files.ts";
import { hasLost } from "../sqlite/verify-sums.ts";
import { Follower, type SharedIndex } from "./follower.ts";
import { EmbeddedReader, type IndexState } from "./reader.ts";
import { RowCache } from "./row-cache.ts";
import { readSnapshot, writeSnapshot } from "./snapshot.ts";
import type { Method } from "./writer-protocol.ts";
import { WriterProxy } from "./writer-proxy.ts";

export interface EmbeddedOptions extends SqliteOptions {
  readonly onIndexing?: (rows: number) => void;
  /** Whether requests without a preference may be answered approximately; default false. */
  readonly approximate?: boolean;
  /** How many vectors a space must have before any answer is approximate; default a million. */
  readonly approximateFrom?: number;
}

/**
 * The greatest age of the last poll for another process's commits. Polling costs two system calls, more than a small
 * search; no commit is durable in less time than this.
 */
const LOOK_EVERY_MS = 0.1;

/** Below this many vectors the exact scan is quick enough. */
const APPROXIMATE_FROM = 1_000_000;

/** Building fewer rows than this is as quick as reading a snapshot. */
const SNAPSHOT_ROWS = 2_000;

/**
 * The default engine: SQLite holds the truth, and the resident index makes searches fast. Searches run on the calling
 * thread over shared memory, commits on a thread of their own. Another process may write: each search first checks for
 * its commits and follows them.
 */
export class EmbeddedEngine implements KeptEngine {
  readonly name = "loci";
  readonly capabilities = {
    durable: true,
    sharedBetweenProcesses: true,
    onlineBackup: true,
    manyWriters: false,
    erasesFiles: true,
  } as const;
  readonly folder: string;
  /** See `IndexSource`. */
  readonly rows = new RowCache();
  readonly #truth: SqliteEngine;
  readonly #options: EmbeddedOptions;
  /** For following others' commits; apart from the readers', which may be in the middle of something. */
  readonly #connection: Connection;
  #index: IndexState | undefined;
  #dataVersion = -1;
  #writer: WriterProxy | undefined;
  /** Made when a search may first be approximate. */
  readonly #graphs = new Map<VectorSpace, GraphKeeper>();
  #lookedAt = Number.NEGATIVE_INFINITY;
  #closed = false;
  #origin: "snapshot" | "built" | "not yet" = "not yet";

  private constructor(truth: SqliteEngine, options: EmbeddedOptions) {
    this.#truth = truth;
    this.#options = options;
    this.folder = options.folder;
    this.#connection = new Connection(
      openForReading(options.folder),
      filesOf(options.folder).database,
      false,
    );
  }

  static async open(options: EmbeddedOptions): Promise<EmbeddedEngine> {
    return new EmbeddedEngine(await SqliteEngine.open(options), options);
  }

  async reader(options: ReaderOptions = {}): Promise<MemoryReader> {
    return new EmbeddedReader(await this.#truth.reader(options), this);
  }

  async writer(): Promise<MemoryWriter> {
    if (this.#closed) throw new LociError("memory-closed", "this memory is closed; open it again");
    const { follower } = this.current();
    const writer = await WriterProxy.open(
      { folder: this.folder, shared: follower.shared },
      {
        nowUs: this.#options.nowUs ?? (() => Date.now() * 1000),
        onDone: (method, index) => this.#changed(method, index),
        onClose: () => {
          if (this.#writer === writer) this.#writer = undefined;
        },
      },
    );
    this.#writer = writer;
    return writer;
  }

  /** Grows with every write that was answered, whether the index has it or not. */
  generation(): number {
    const { generation } = (this.#writer && this.#index) ?? this.current();
    return generation;
  }

  async texts(): Promise<number> {
    await this.behind();
    return this.current().follower.index.stats().texts;
  }

  /** How the index was opened when it was first needed. */
  get indexOrigin(): "snapshot" | "built" | "not yet" {
    return this.#origin;
  }

  /** The index as new as the truth. While this process writes, the writer's thread keeps it so. */
  current(): IndexState {
    if (this.#index === undefined) {
      this.#dataVersion = this.#seenVersion();
      this.#index = { follower: this.#load(), generation: 0, settings: 0 };
    } else if (this.#writer !== undefined) {
      if (!this.#writer.awaitIndex()) this.#index.follower.catchUp();
    } else if (performance.now() - this.#lookedAt > LOOK_EVERY_MS) {
      this.#lookedAt = performance.now();
      const version = this.#seenVersion();
      if (version !== this.#dataVersion) {
        this.#dataVersion = version;
        const { follower, generation, settings } = this.#index;
        this.#index = {
          follower: this.#follow(follower),
          generation: generation + 1,
          settings: settings + 1,
        };
      }
    }
    return this.#index;
  }

  /** See `IndexSource`. */
  behind(): Promise<void> | undefined {
    return this.#writer?.behind();
  }

  /** The truth has a commit before the index does; the writer's thread answers the next call when both have it. */
  async indexed(): Promise<void> {
    await this.#writer?.knownTexts([]).catch(() => undefined);
  }

  /** See `IndexSource`. */
  approximate(request: CheckedRequest, query: NumericQuery, follower: Follower): ApproximateRank | undefined {
    if (!(request.approximate ?? this.#options.approximate ?? false)) return undefined;
    if (request.where !== undefined) return undefined;
    return this.#graph(query.text === undefined ? "image" : "text").hook(query, follower);
  }

  /**
   * Waits until purely semantic searches that may be approximate are so, building what is missing, or says why they
   * will not be. Waiting is optional: until then they are exact.
   */
  approximateReady(space: VectorSpace = "text", options: ReadyOptions = {}): Promise<GraphState> {
    return this.#graph(space).ready(() => this.current().follower, options);
  }

  #graph(space: VectorSpace): GraphKeeper {
    let graph = this.#graphs.get(space);
    if (graph === undefined) {
      graph = new GraphKeeper(this.folder, space, this.#options.approximateFrom ?? APPROXIMATE_FROM);
      this.#graphs.set(space, graph);
    }
    return graph;
  }

  log(): Promise<MemoryLog> {
    return this.#truth.log();
  }

  hasLost(): boolean {
    return hasLost(this.#connection);
  }

  async backup(target: string, onProgress?: (done: number, total: number) => void): Promise<void> {
    await this.#truth.backup(target, onProgress);
  }

  async verify(options: { repair?: boolean } = {}): Promise<VerifyReport> {
    return this.#truth.verify(options);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#writer?.close();
    for (const graph of this.#graphs.values()) await graph.close();
    await this.#truth.close();
    this.#connection.close();
  }

  #load(): Follower {
    const kept = readSnapshot(this.#connection, this.folder);
    if (kept !== undefined && !kept.isStale()) {
      kept.catchUp();
      this.#origin = "snapshot";
      return kept;
    }
    const built = Follower.build(this.#connection, this.#options.onIndexing);
    this.#origin = "built";
    if (built.index.stats().live >= SNAPSHOT_ROWS) writeSnapshot(this.#connection, built, this.folder);
    return built;
  }

  #follow(follower: Follower): Follower {
    if (follower.isStale()) return Follower.build(this.#connection, this.#options.onIndexing);
    follower.catchUp();
    return follower;
  }

  #changed(method: Method, index: SharedIndex | undefined): void {
    if (method === "knownTexts") return;
    const { follower, generation, settings } = this.#index!;
    this.#index = {
      follower: index === undefined ? follower : Follower.attach(this.#connection, index),
      generation: generation + 1,
      // Record writes change no settings, and they are the ones that arrive ten times a second.
      settings: method === "write" && index === undefined ? settings : settings + 1,
    };
  }

  /** Changes whenever another connection, of this process or another, has committed. */
  #seenVersion(): number {
    return Number(this.#connection.row("PRAGMA data_version")?.[0]);
  }
}
