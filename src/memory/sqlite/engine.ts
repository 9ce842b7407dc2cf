import { LociError } from "../../schema/core.ts";
import type { MemoryLog } from "../log.ts";
import type { MemoryEngine, MemoryWriter, ReaderOptions, VerifyReport } from "../port.ts";
import { backupMemory } from "./backup.ts";
import { Connection } from "./connection.ts";
import { guarded } from "./failure.ts";
import {
  checkFiles,
  createOnce,
  filesOf,
  memoryExists,
  openForReading,
  openForWriting,
  sizeOf,
  takeWriterLock,
} from "./files.ts";
import { sqliteLog } from "./log.ts";
import { SqliteReader } from "./reader.ts";
import type { SqliteWriter } from "./writer.ts";

export interface SqliteOptions {
  readonly folder: string;
  /** Create a missing memory; default true. */
  readonly create?: boolean;
  /** Microseconds since the epoch; injected in tests. */
  readonly nowUs?: () => number;
}

/** The durable truth in one SQLite file: correct first. Speed is the resident index's part. */
export class SqliteEngine implements MemoryEngine {
  readonly name = "sqlite";
  readonly capabilities = {
    durable: true,
    sharedBetweenProcesses: true,
    onlineBackup: true,
    manyWriters: false,
    erasesFiles: true,
  } as const;
  readonly folder: string;
  readonly #nowUs: () => number;
  readonly #open = new Set<{ close(): Promise<void> }>();
  #closed = false;

  private constructor(options: SqliteOptions) {
    this.folder = options.folder;
    this.#nowUs = options.nowUs ?? (() => Date.now() * 1000);
  }

  /** Opens a memory folder, or makes it. */
  static async open(options: SqliteOptions): Promise<SqliteEngine> {
    checkFiles(options.folder);
    if (!memoryExists(options.folder)) {
      if (options.create === false) {
        throw new LociError(
          "memory-not-found",
          `no memory at ${options.folder}; give another folder or remember something first`,
        );
      }
      await createOnce(options.folder);
    }
    const engine = new SqliteEngine(options);
    // A file that cannot be read is refused now rather than at the first question.
    openForReading(options.folder).close();
    return engine;
  }

  async reader(options: ReaderOptions = {}): Promise<SqliteReader> {
    this.#alive();
    const connection = new Connection(openForReading(this.folder), filesOf(this.folder).database, false);
    const reader: SqliteReader = new SqliteReader(connection, options, {
      bytes: () => sizeOf(this.folder),
      onClose: () => this.#open.delete(reader),
    });
    this.#open.add(reader);
    return reader;
  }

  async writer(): Promise<MemoryWriter> {
    this.#alive();
    const release = takeWriterLock(this.folder);
    try {
      // Checking input needs zod, which a reader should not wait for.
      const { SqliteWriter } = await import("./writer.ts");
      const connection = new Connection(openForWriting(this.folder), filesOf(this.folder).database, true);
      const writer: SqliteWriter = new SqliteWriter(connection, this.folder, {
        nowUs: this.#nowUs,
        onClose: () => {
          release();
          this.#open.delete(writer);
        },
      });
      this.#open.add(writer);
      return writer;
    } catch (error) {
      release();
      throw error;
    }
  }

  async log(): Promise<MemoryLog> {
    return sqliteLog(await this.reader());
  }

  /** A consistent copy of this memory in another folder, while writing continues. */
  async backup(target: string, onProgress?: (done: number, total: number) => void): Promise<void> {
    this.#alive();
    await backupMemory(this.folder, target, onProgress);
  }

  /** Checks everything; with `repair` it takes the writer's place and makes again what can be made again. */
  async verify(options: { repair?: boolean } = {}): Promise<VerifyReport> {
    this.#alive();
    const { database } = filesOf(this.folder);
    const { verifyMemory } = await import("./verify.ts");
    const { TRACES, wipe } = await import("./wipe.ts");
    const release = options.repair ? takeWriterLock(this.folder) : undefined;
    try {
      const db = options.repair ? openForWriting(this.folder) : openForReading(this.folder);
      const connection = new Connection(db, database, options.repair === true);
      try {
        const report = guarded(database, () => verifyMemory(connection, options.repair === true));
        if (options.repair && report.problems.length === 0 && connection.meta(TRACES) === true) {
          await wipe(connection, this.folder, false, {});
          report.repaired.push("what was forgotten is out of the file and its log");
        }
        return report;
      } finally {
        connection.close();
      }
    } finally {
      release?.();
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const part of [...this.#open]) await part.close();
  }

  #alive(): void {
    if (this.#closed) throw new LociError("memory-closed", "this memory is closed; open it again");
  }
}
