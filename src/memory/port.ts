import type { Box, FrameEdge, FrameGraph, Interval, TimeUs, Vec3 } from "../geometry/index.ts";
import type {
  EmbedderInfo,
  FrameEdgeInput,
  Presence,
  RecordInput,
  RecordKind,
  Sighting,
  SightingInput,
  Stored,
} from "../schema/core.ts";
import type { MemoryLog, Origin } from "./log.ts";
import type { RankBy, SearchRequest } from "./request.ts";

/**
 * The memory engine port. Every engine passes the same contract suite (`testing/contract/`); what one cannot do is a
 * field of `capabilities`, never a method that throws. Readers are apart from writers: any number of readers,
 * one writer a memory, or many where `capabilities` say so.
 */
export interface MemoryEngine {
  readonly name: string;
  readonly capabilities: EngineCapabilities;
  reader(options?: ReaderOptions): Promise<MemoryReader>;
  /** Takes the one writer's place, or one among many, or refuses at once with `memory-busy` or `memory-read-only`. */
  writer(): Promise<MemoryWriter>;
  close(): Promise<void>;
}

/** What the code around a memory needs of its engine beyond answers: whether it is sound, and when to look again. */
export interface KeptEngine extends MemoryEngine {
  /** Another number whenever the memory may have changed; cheap to ask. */
  generation(): number;
  /** How many texts there are. */
  texts(): Promise<number>;
  /** Checks everything; with `repair` it makes again what can be made again. */
  verify(options?: { repair?: boolean }): Promise<VerifyReport>;
  /** Whether writes that were acknowledged are known to be missing: the log was cut, or the file is an older one. */
  hasLost(): boolean;
  /** The log that other memories receive; close it after use. */
  log(): Promise<MemoryLog>;
  /** A consistent copy of the files in another folder while writing continues; only where `onlineBackup`. */
  backup?(folder: string, onProgress?: (done: number, total: number) => void): Promise<void>;
  /** Waits until purely semantic searches may be approximate, where the engine has a way. */
  approximateReady?(
    space?: VectorSpace,
    options?: { signal?: AbortSignal; onProgress?: (done: number, total: number) => void },
  ): Promise<{ readonly ready: true } | { readonly ready: false; readonly reason: string }>;
}

/** What was checked and found; `problems` are about the truth and cannot be repaired automatically. */
export interface VerifyReport {
  readonly checked: {
    readonly records: number;
    readonly sightings: number;
    readonly vectors: number;
    readonly blobs: number;
  };
  readonly problems: string[];
  readonly repaired: string[];
}

export interface EngineCapabilities {
  /** Survives a crash of the process or the machine. */
  readonly durable: boolean;
  /** Another process may read while this one writes. */
  readonly sharedBetweenProcesses: boolean;
  /** `backup` makes a consistent copy while the writer continues. */
  readonly onlineBackup: boolean;
  /** Any number of writers, of any number of processes, take turns; else there is one writer at a time. */
  readonly manyWriters: boolean;
  /**
   * Forgotten content is out of every file when `forget` resolves; otherwise a server's logs and backups may still have
   * it.
   */
  readonly erasesFiles: boolean;
}

/** The identity of a reader. A record is visible iff the principal holds all of its labels; "*" holds every label. */
export interface Principal {
  readonly id: string;
  readonly labels: readonly string[] | "*";
}

/** The owner of the memory, whose reads are unrestricted. */
export const OWNER: Principal = { id: "owner", labels: "*" };

export interface ReaderOptions {
  readonly principal?: Principal;
  /** Only what was so in the world at this time. */
  readonly asOfWorldUs?: TimeUs;
  /** Only what the memory believed at this time; also fixes the map revision to that time. */
  readonly asOfMemoryUs?: TimeUs;
  /** World positions by this frame-graph revision instead of the latest one. */
  readonly mapRevision?: number;
}

/** A reader never reveals more than its principal may see: not in hits, counts, statistics or errors. */
export interface MemoryReader {
  get(ids: readonly string[]): Promise<(Stored | undefined)[]>;
  /** Every version of one record, oldest first. */
  history(id: string): Promise<Stored[]>;
  search(request: SearchRequest, options?: CallOptions): Promise<SearchResult>;
  /** The same search without the records: for loops that run once a detection. */
  searchIds(request: SearchRequest, options?: CallOptions): Promise<IdHit[]>;
  searchMany(requests: readonly SearchRequest[], options?: CallOptions): Promise<SearchResult[]>;
  /** How many records pass the filters of a request; its rank and limit play no part. */
  count(request: SearchRequest, options?: CallOptions): Promise<number>;
  sightings(query: SightingQuery): Promise<Sighting[]>;
  presence(stateIds: readonly string[]): Promise<Presence[]>;
  frames(): Promise<FrameGraph>;
  blob(ref: string): Promise<Uint8Array | undefined>;
  /** Which model the vectors of a space are by; null before the first one. */
  embedder(space: VectorSpace): Promise<EmbedderInfo | null>;
  /** The similarity background of a space, if it was measured; z-thresholds are in its units. */
  calibration(space: VectorSpace): Promise<Calibration | null>;
  stats(): Promise<MemoryStats>;
  /**
   * Memory time of the last commit, whoever may see it, without counting anything: where `changes` goes on from. It
   * tells of hidden commits, so it stays in this process. Left out by engines that count as fast: see `logEndOf`.
   */
  logEndUs?(): Promise<TimeUs | null>;
  /**
   * The revision of the records: it changes with every commit of records or frames, and is cheap, so that results can
   * be cached until then. Left out by engines that cannot provide it; then nothing is cached.
   */
  revision?(): string | Promise<string>;
  /** Works that were begun and are not finished: until then the memory holds a part of them only. */
  unfinished(): Promise<Work[]>;
  /** Commits after `afterUs` (memory time), then live ones until aborted (unless `live` is false); at least once, in order. */
  changes(options: { afterUs?: TimeUs; signal?: AbortSignal; live?: boolean }): AsyncIterable<Change>;
  /** Everything this reader can see, every version, in an order that `restore` accepts. */
  dump(): AsyncIterable<DumpRow>;
  close(): Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

export interface SearchResult {
  readonly hits: Hit[];
  readonly plan: SearchPlan;
}

/** A hit by name only. */
export interface IdHit {
  readonly id: string;
  readonly score: number;
  readonly scores: KeyScores;
}

export interface Hit {
  readonly record: Stored;
  /** The value that ranked it: cosine, BM25, fused score, metres or microseconds. */
  readonly score: number;
  readonly scores: KeyScores;
  /** Centre in the world at the reader's map revision. */
  readonly position?: Vec3;
  readonly box?: Box;
}

/** The score of a hit by each key. */
export interface KeyScores {
  readonly meaning?: number;
  readonly image?: number;
  readonly words?: number;
  readonly distanceM?: number;
}

/** How the engine searched: which key drove, and how many records each step left. */
export interface SearchPlan {
  readonly engine: string;
  readonly driver: string;
  readonly rank: RankBy;
  readonly steps: { readonly step: string; readonly left: number }[];
}

export interface SightingQuery {
  readonly stateIds?: readonly string[];
  readonly during?: Interval;
  readonly outcomes?: readonly Sighting["outcome"][];
  readonly order?: "earliest" | "latest";
  readonly limit?: number;
}

export interface MemoryStats {
  readonly records: Readonly<Record<RecordKind, number>>;
  readonly versions: number;
  readonly sightings: number;
  /** Edges of the frame graph. */
  readonly frames: number;
  readonly texts: number;
  readonly vectors: number;
  readonly blobs: number;
  readonly bytes: number;
  readonly firstUs: TimeUs | null;
  readonly lastUs: TimeUs | null;
  readonly embedder: EmbedderInfo | null;
  readonly imageEmbedder: EmbedderInfo | null;
  readonly mapRevision: number;
  readonly lastCommitUs: TimeUs | null;
}

export interface Change {
  readonly commitUs: TimeUs;
  readonly put: Stored[];
  readonly sightings: Sighting[];
  readonly frames: number;
  readonly forgotten: string[];
}

/** One atomic write: all of it is there after a crash, or none. */
export interface WriteBatch {
  /** A record whose id is known becomes a new version; one equal to its latest version changes nothing. */
  readonly records?: readonly (RecordInput & { readonly expectVersion?: number })[];
  readonly sightings?: readonly SightingInput[];
  readonly frames?: readonly FrameEdgeInput[];
  /** Vectors by the exact line they were made from; lines already known need none. */
  readonly vectors?: readonly { readonly text: string; readonly vector: Float32Array }[];
  readonly imageVectors?: readonly { readonly blob: string; readonly vector: Float32Array }[];
  readonly blobs?: readonly Uint8Array[];
  /** The work that this write is a step of, and the state needed to resume after it; JSON. */
  readonly work?: { readonly id: string; readonly state?: unknown };
  /** Another memory's batch: taken once, in the order of its times; known already, it changes nothing. */
  readonly from?: Origin;
  /**
   * Rewrites records for this memory only (a join, a statement): other memories need not take it, and it wins over
   * none.
   */
  readonly derived?: boolean;
}

/** The description of a work of many writes when it begins. */
export interface WorkBegin {
  readonly id: string;
  /** For people: "ingest of kitchen.mcap". */
  readonly what: string;
  /** Readers that do not hold these are not told of it. */
  readonly labels?: readonly string[];
  /** What a process needs to resume the work; JSON. */
  readonly settings?: unknown;
}

/** A work of many writes that is in progress, or was interrupted. */
export interface Work extends Required<WorkBegin> {
  /** Memory time before its first write. */
  readonly beganUs: TimeUs;
  /** Writes of it that are durable. */
  readonly steps: number;
  /** The state given by the last of them; null before the first. */
  readonly state: unknown;
  /** Whether nothing else was written or forgotten since its last write. */
  readonly isAlone: boolean;
}

export interface Commit {
  /** Memory time of this commit: strictly increasing. */
  readonly commitUs: TimeUs;
  readonly written: number;
  readonly unchanged: number;
  readonly versions: readonly number[];
}

export interface MemoryWriter {
  write(batch: WriteBatch): Promise<Commit>;
  /** Begins a work of many writes, or resumes the interrupted one of this id. */
  begin(work: WorkBegin): Promise<Work>;
  finish(workId: string): Promise<void>;
  /** Declares the embedder; refuses with `embedder-mismatch` once vectors of another one are there. */
  setEmbedder(space: VectorSpace, embedder: EmbedderInfo): Promise<void>;
  /** Which of these lines have a vector already. */
  knownTexts(texts: readonly string[]): Promise<boolean[]>;
  /**
   * Disowns batches that came falsely in this memory's name from a commit on: they stay, under a name that yields to
   * every other, and none of them counts as heard. Resolves to their number.
   */
  disown(memory: string, fromUs?: TimeUs): Promise<number>;
  /** Resolves when no file contains any of it any more; waits for readers that still read an earlier state. */
  forget(selection: ForgetSelection, options?: ForgetOptions): Promise<ForgetReport>;
  /** Moves every line to another embedder, resumably; the swap at the end is atomic. */
  reembed(embedder: EmbedderInfo, embed: EmbedLines, options?: ReembedOptions): Promise<ReembedReport>;
  /**
   * Restores dumped rows with their versions and memory times; only into an empty memory, whole or not at all. With
   * `work` an engine that can does it in steps, as that work: after an interruption the same rows resume it, and no
   * other write is possible until it is done.
   */
  restore(
    rows: AsyncIterable<DumpRow>,
    options?: { readonly work?: WorkBegin },
  ): Promise<{ readonly rows: number; readonly resumedFrom?: number }>;
  /** Recomputes the similarity background (docs/formulas.md#background) of a space. */
  calibrate(space: VectorSpace): Promise<Calibration>;
  close(): Promise<void>;
}

/** A memory as a stream of rows; what export writes and import reads. */
export type DumpRow = { /** Where it stands in a file, for complaints. */ readonly line?: number } & (
  | {
      readonly type: "memory";
      readonly format: 1;
      readonly embedder: EmbedderInfo | null;
      readonly imageEmbedder: EmbedderInfo | null;
      readonly calibrations: readonly (Calibration & { readonly space: VectorSpace })[];
    }
  | { readonly type: "frame"; readonly recordedAtUs: TimeUs; readonly edge: FrameEdge }
  | { readonly type: "blob"; readonly bytes: Uint8Array }
  | { readonly type: "text"; readonly text: string; readonly vector: Float32Array | null }
  | { readonly type: "image-vector"; readonly blob: string; readonly vector: Float32Array }
  | { readonly type: "record"; readonly record: Stored }
  | { readonly type: "sighting"; readonly recordedAtUs: TimeUs; readonly sighting: Sighting }
  | { readonly type: "forgotten"; readonly id: string; readonly atUs: TimeUs; readonly reason: string }
  | ({ readonly type: "heard"; readonly commitUs: TimeUs; readonly derived: boolean } & Origin)
);

export type VectorSpace = "text" | "image";
export type EmbedLines = (lines: string[], signal?: AbortSignal) => Promise<(Float32Array | null)[]>;

export interface ReembedOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface ReembedReport {
  readonly embedded: number;
  readonly resumedFrom: number;
  readonly withoutMeaning: number;
}

/** Background of cosine between unrelated records: a threshold of z means mean + z·sd. */
export interface Calibration {
  readonly embedder: string;
  readonly mean: number;
  readonly sd: number;
  readonly pairs: number;
}

/** Deletes records with all their versions, and with everything that was derived from them. */
export interface ForgetSelection {
  readonly ids: readonly string[];
  readonly reason: string;
  /** Deletes records but not what they describe: other records about it stay, words and pictures too. For retention. */
  readonly onlyRecords?: boolean;
  /**
   * Past versions to delete while their record stays: the one before each then counts as believed until the next one
   * left. Current and missing versions are left alone.
   */
  readonly past?: readonly { readonly id: string; readonly version: number }[];
  /** Records written in the same step, before the deletion, so that nothing is missing in between. */
  readonly instead?: Pick<WriteBatch, "records" | "blobs">;
  /** Single sightings of states to delete. */
  readonly sightings?: readonly { readonly stateId: string; readonly timeUs: number }[];
  /** Missing ids are logged all the same, so that a later write cannot bring them. */
  readonly ahead?: boolean;
  /** Also strikes from the log the ids that went for the same reason before; how many they were is kept. */
  readonly strikeLog?: boolean;
}

export interface ForgetOptions {
  /** Removes forgotten things from pictures that show others too; without it those pictures are deleted. */
  readonly redact?: RedactPictures;
  /** Called with the readers of an earlier state: forgotten content stays in the log until they are done. */
  readonly onWaiting?: (readers: readonly string[]) => void;
  /**
   * How long to wait for them; default a minute. Then `memory-busy`: it is forgotten, but not yet erased from the disk.
   */
  readonly waitMs?: number;
}

/** A stored picture, and where in it (left, top, right, bottom as shares of its sides) something is to go. */
export interface PictureToRedact {
  readonly bytes: Uint8Array;
  readonly boxes: readonly (readonly [number, number, number, number])[];
}

/** The pictures without what was in the boxes, in order; null where one is to be given up. */
export type RedactPictures = (pictures: readonly PictureToRedact[]) => Promise<(Uint8Array | null)[]>;

/** What forgetting removed, and what it rewrote because it referred to that. */
export interface ForgetReport {
  readonly forgotten: { readonly id: string; readonly kind: RecordKind; readonly versions: number }[];
  readonly rewritten: { readonly id: string; readonly kind: RecordKind; readonly fields: string[] }[];
  readonly sightings: number;
  readonly texts: number;
  readonly vectors: number;
  readonly blobs: number;
  /**
   * Whether no file can contain any of it any more. False where the disk has no room to copy the memory: then `verify
   * --repair` does the rest once it has. Always false where the engine's files are a server's (`erasesFiles`).
   */
  readonly wiped: boolean;
}
