import { type EmbedderInfo, LIMITS, LociError } from "../../schema/core.ts";
import { checkDisowned } from "../log.ts";
import type {
  Calibration,
  Commit,
  DumpRow,
  EmbedLines,
  ForgetOptions,
  ForgetReport,
  ForgetSelection,
  MemoryWriter,
  ReembedOptions,
  ReembedReport,
  VectorSpace,
  Work,
  WorkBegin,
  WriteBatch,
} from "../port.ts";
import { batchBytes, type PreparedBatch, prepareBatch } from "../rows/prepare-batch.ts";
import type { Redacted } from "../rows/without-forgotten.ts";
import { measureBackground } from "./calibrate.ts";
import { type CommitRows, commitBatch, kindsOf } from "./commit.ts";
import type { Connection } from "./connection.ts";
import { guarded } from "./failure.ts";
import { checkRoom, keepReserve, releaseReserve } from "./files.ts";
import { type Forgotten, forgetRecords, picturesToRedact } from "./forget.ts";
import { notedHead, storedHead } from "./head.ts";
import { disownHeard, HeardKeeper, memoryId } from "./heard.ts";
import { reembeddingTo, reembedTexts } from "./reembed.ts";
import { restoreRows } from "./restore.ts";
import { hashesOf } from "./text-addresses.ts";
import { LOST } from "./verify-sums.ts";
import { TRACES, wipe } from "./wipe.ts";
import { beginWork, finishWork, stepWork } from "./works.ts";

const IDS_PER_STEP = 64;
const PICTURES_PER_STEP = 16;
/** The log is folded into the file after about this much: little at a time, so that the next write hardly waits. */
const FOLD_BYTES = 2 * 1024 * 1024;

export interface WriterHooks {
  nowUs(): number;
  /** After each durable batch, with what it wrote. */
  onCommit?(rows: CommitRows): void;
  /** A quicker way to `kindsOf`; undefined where the tables must be asked after all. */
  kindsOf?(ids: readonly string[]): ReadonlyMap<string, string> | undefined;
  /** The writer's owner calls `tidy` after each write, while no caller waits for it. */
  readonly tidiesLater?: boolean;
  onClose(): void;
}

/** The one writer of a memory. Each call is one transaction, durable when its promise resolves. */
export class SqliteWriter implements MemoryWriter {
  readonly #connection: Connection;
  readonly #folder: string;
  readonly #hooks: WriterHooks;
  readonly #heard: HeardKeeper;
  #lastCommitUs: number;
  #reserved: boolean;
  #unfoldedBytes = 0;
  #closed = false;

  constructor(connection: Connection, folder: string, hooks: WriterHooks) {
    this.#connection = connection;
    this.#folder = folder;
    this.#hooks = hooks;
    this.#heard = new HeardKeeper(connection);
    this.#lastCommitUs = Number(connection.meta("lastCommitUs") ?? 0);
    this.#noteLoss();
    this.#reserved = keepReserve(folder);
  }

  /** Commits that a damaged log lost are known by the note alone, which the next commit writes over. */
  #noteLoss(): void {
    const note = notedHead(this.#connection.path);
    if (note === undefined || note === "damaged") return;
    const missing = note.commit - (storedHead(this.#connection)?.commit ?? 0);
    if (missing <= 0 || note.database !== this.#connection.meta("databaseId")) return;
    const before = Number(this.#connection.meta(LOST) ?? 0);
    this.#connection.writing(() => this.#connection.setMeta(LOST, before + missing));
  }

  async write(batch: WriteBatch): Promise<Commit> {
    this.#ready();
    const connection = this.#connection;
    if (batch.from && this.#heard.has(batch.from))
      return {
        commitUs: this.#lastCommitUs,
        written: 0,
        unchanged: batch.records?.length ?? 0,
        versions: [],
      };
    const prepared = this.#prepare(batch);
    const bytes = batchBytes(prepared);
    checkRoom(this.#folder, bytes);
    const rows = this.#committing((commitUs) => {
      if (batch.work !== undefined) stepWork(connection, batch.work, commitUs);
      this.#heard.note(commitUs, batch);
      return commitBatch(connection, prepared, commitUs);
    });
    this.#reserved ||= keepReserve(this.#folder);
    this.#unfoldedBytes += bytes;
    this.#hooks.onCommit?.(rows);
    if (!this.#hooks.tidiesLater) this.tidy();
    return rows.commit;
  }

  #prepare(batch: WriteBatch): PreparedBatch {
    const connection = this.#connection;
    return prepareBatch(batch, {
      kindsOf: (ids) => this.#hooks.kindsOf?.(ids) ?? kindsOf(connection, ids),
      hasBlob: (ref) =>
        connection.row("SELECT 1 FROM blob WHERE hash = ?", Buffer.from(ref, "hex")) !== undefined,
      embedder: (space) => connection.embedder(space),
      frameGraph: () => connection.frameGraph(undefined),
    });
  }

  async begin(work: WorkBegin): Promise<Work> {
    this.#ready();
    return this.#connection.writing(() => beginWork(this.#connection, work, this.#lastCommitUs));
  }

  async finish(workId: string): Promise<void> {
    this.#ready();
    this.#connection.writing(() => finishWork(this.#connection, workId));
  }

  async disown(memory: string, fromUs = 0): Promise<number> {
    this.#ready();
    checkDisowned(memory, memoryId(this.#connection));
    return this.#connection.writing(() => disownHeard(this.#connection, memory, fromUs));
  }

  async setEmbedder(space: VectorSpace, embedder: EmbedderInfo): Promise<void> {
    this.#ready();
    const known = this.#connection.embedder(space);
    if (known?.id === embedder.id && known.dim === embedder.dim) return;
    const isText = space === "text" ? "IS NOT NULL" : "IS NULL";
    const used = this.#connection.row(
      `SELECT 1 FROM vector v JOIN meaning m ON m.id = v.meaning WHERE m.text ${isText} LIMIT 1`,
    );
    if (known !== null && used !== undefined) {
      throw new LociError(
        "embedder-mismatch",
        `this memory's ${space} vectors are by ${known.id} (${known.dim}-d), not ${embedder.id} (${embedder.dim}-d); use the same embedder or reembed`,
      );
    }
    if (!Number.isSafeInteger(embedder.dim) || embedder.dim < 1 || embedder.dim > LIMITS.vectorDim) {
      throw new LociError(
        "invalid-input",
        `an embedder's dim is from 1 to ${LIMITS.vectorDim}, got ${embedder.dim}`,
      );
    }
    this.#connection.writing(() => {
      this.#connection.setMeta(`embedder:${space}`, { id: embedder.id, dim: embedder.dim });
      this.#connection.raiseVectorEpoch();
    });
  }

  async knownTexts(texts: readonly string[]): Promise<boolean[]> {
    this.#ready();
    const connection = this.#connection;
    const known = connection.texts.find(hashesOf(texts));
    return texts.map((text) => {
      const meaning = known.get(text);
      return (
        meaning !== undefined &&
        connection.row("SELECT 1 FROM vector WHERE meaning = ?", meaning) !== undefined
      );
    });
  }

  async forget(selection: ForgetSelection, options: ForgetOptions = {}): Promise<ForgetReport> {
    this.#ready();
    const redacted = await this.#redact(selection, options);
    let instead = selection.instead && this.#prepare(selection.instead);
    const forget = (ids: readonly string[]) => {
      const done = this.#committing((commitUs) => {
        if (instead) {
          this.#heard.note(commitUs, {});
          commitBatch(this.#connection, instead, commitUs);
          // The versions that these replace may be gone before an index reads them.
          this.#connection.raiseVectorEpoch();
        }
        const report = forgetRecords(this.#connection, { ...selection, ids }, commitUs, redacted);
        if (!selection.onlyRecords && report.forgotten.length > 0) this.#connection.setMeta(TRACES, true);
        return report;
      });
      instead = undefined;
      return done;
    };
    let report: Forgotten;
    try {
      report = forget(selection.ids);
    } catch (error) {
      if (!(error instanceof LociError) || error.code !== "memory-full") throw error;
      report = this.#forgetInSteps(selection.ids, forget);
    }
    await wipe(this.#connection, this.#folder, selection.strikeLog === true, options);
    this.#reserved = keepReserve(this.#folder);
    return { ...report, wiped: this.#connection.meta(TRACES) !== true };
  }

  async #redact(selection: ForgetSelection, { redact }: ForgetOptions): Promise<Redacted> {
    const redacted = new Map<string, Uint8Array | null>();
    if (redact === undefined) return redacted;
    const shown = this.#connection.reading(() => picturesToRedact(this.#connection, selection));
    for (let from = 0; from < shown.length; from += PICTURES_PER_STEP) {
      const some = shown.slice(from, from + PICTURES_PER_STEP);
      const made = await redact(some.map(({ bytes, boxes }) => ({ bytes, boxes })));
      some.forEach(({ ref }, i) => {
        redacted.set(ref, made[i] ?? null);
      });
    }
    return redacted;
  }

  /** On a full disk: with the reserve given back, a little at a time, each step freeing room for the next. */
  #forgetInSteps(ids: readonly string[], forget: (ids: readonly string[]) => Forgotten): Forgotten {
    releaseReserve(this.#folder);
    this.#truncateWal();
    const total: Forgotten[] = [];
    for (let from = 0; from < ids.length; from += IDS_PER_STEP) {
      const gone = new Set(total.flatMap((report) => report.forgotten.map(({ id }) => id)));
      total.push(forget(ids.slice(from, from + IDS_PER_STEP).filter((id) => !gone.has(id))));
      this.#truncateWal();
    }
    const sum = (of: (report: (typeof total)[number]) => number) =>
      total.reduce((all, report) => all + of(report), 0);
    return {
      forgotten: total.flatMap((report) => report.forgotten),
      rewritten: total.flatMap((report) => report.rewritten),
      sightings: sum((report) => report.sightings),
      texts: sum((report) => report.texts),
      vectors: sum((report) => report.vectors),
      blobs: sum((report) => report.blobs),
    };
  }

  async reembed(
    embedder: EmbedderInfo,
    embed: EmbedLines,
    options: ReembedOptions = {},
  ): Promise<ReembedReport> {
    this.#ready({ duringReembedding: true });
    return reembedTexts(this.#connection, embedder, embed, options);
  }

  async restore(rows: AsyncIterable<DumpRow>): Promise<{ rows: number }> {
    this.#ready();
    const report = await restoreRows(this.#connection, rows);
    this.#lastCommitUs = Number(this.#connection.meta("lastCommitUs") ?? 0);
    return report;
  }

  async calibrate(space: VectorSpace): Promise<Calibration> {
    this.#ready();
    const calibration = measureBackground(this.#connection, space);
    const key = `calibration:${space}`;
    this.#connection.writing(() => {
      // Without unlabelled records to measure it on, it would only replace the embedder's own.
      if (calibration.pairs === 0) this.#connection.run("DELETE FROM meta WHERE key = ?", key);
      else this.#connection.setMeta(key, calibration);
    });
    return calibration;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    // Open readers cannot fold the log, so the writer does; a reader in the middle of a read prevents it.
    this.#connection.db.exec("PRAGMA busy_timeout = 0");
    this.#fold("TRUNCATE");
    this.#connection.close();
    this.#hooks.onClose();
  }

  /**
   * What can wait until a write is answered: filing texts by their hashes, and folding the log into the file when it
   * has grown enough. What was written is durable before; a failure leaves both for the next time.
   */
  tidy(): void {
    try {
      if (this.#connection.texts.isFilingDue()) {
        this.#connection.writing(() => this.#connection.texts.fileIfDue());
        this.#unfoldedBytes = FOLD_BYTES;
      }
    } catch {
      // For example a full disk, which the next write will report.
    }
    if (this.#unfoldedBytes < FOLD_BYTES) return;
    this.#unfoldedBytes = 0;
    this.#fold("PASSIVE");
  }

  #fold(how: "PASSIVE" | "TRUNCATE"): void {
    try {
      this.#connection.db.exec(`PRAGMA wal_checkpoint(${how})`);
    } catch {
      // As in SQLite's own checkpoints: the log stays, and a later fold processes it.
    }
  }

  /** One commit with its own, strictly later, memory time. */
  #committing<T>(work: (commitUs: number) => T): T {
    const commitUs = Math.max(this.#hooks.nowUs(), this.#lastCommitUs + 1);
    const result = this.#connection.writing(() => {
      const done = work(commitUs);
      this.#connection.setMeta("lastCommitUs", commitUs);
      return done;
    });
    this.#lastCommitUs = commitUs;
    return result;
  }

  #truncateWal(): void {
    guarded(this.#connection.path, () => this.#connection.db.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
  }

  #ready(allow: { duringReembedding?: boolean } = {}): void {
    if (this.#closed) throw new LociError("memory-closed", "this writer is closed; open another one");
    const moving = allow.duringReembedding ? undefined : reembeddingTo(this.#connection);
    if (moving) {
      throw new LociError(
        "embedder-mismatch",
        `this memory is being moved to ${moving.id}; finish with reembed first`,
      );
    }
  }
}
