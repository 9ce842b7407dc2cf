import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statfsSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isLociError, LociError } from "../../schema/core.ts";
import { failureOf, guarded } from "./failure.ts";
import { createTables, migrate, SCHEMA_VERSION, versionOf } from "./tables.ts";

const PAGE_BYTES = 8192;
/** Of every file of a memory. */
export const OWNER_ONLY = 0o600;
const HEADER_BYTES = 100;
/** SQLite itself folds the log into the file at this many pages (32 MB); the writer does so earlier, between writes. */
const CHECKPOINT_PAGES = 4_000;
/**
 * How long a connection waits for another, from its first attempt on: opening or closing locks the file for a moment.
 */
const WAIT_MS = 5_000;
/** Room for the journal of a forget, a thirty-second of the memory within these bounds; see `forget` in writer.ts. */
const MIN_RESERVE_BYTES = 4 * 1024 * 1024;
const MAX_RESERVE_BYTES = 16 * 1024 * 1024;
const RESERVE_SHARE = 1 / 32;
/** A smaller memory needs no reserve. */
const RESERVE_FROM_BYTES = 1024 * 1024;
/** Free space kept beyond a batch and the log, so that the log can always be folded in. */
const HEADROOM_BYTES = 1024 * 1024;

/** The files of a memory folder. Only `memory.db` is the truth; the rest can be made again. */
export function filesOf(folder: string) {
  return {
    database: join(folder, "memory.db"),
    lock: join(folder, "writer.lock"),
    reserve: join(folder, "reserve"),
    snapshot: join(folder, "index.bin"),
    head: join(folder, "head"),
  };
}

/** Whether a folder holds a memory. */
export function memoryExists(folder: string): boolean {
  return existsSync(filesOf(folder).database);
}

/**
 * Refuses a folder with foreign objects in place of our files: a link would redirect our writes, a pipe would block.
 */
export function checkFiles(folder: string): void {
  const { database, ...others } = filesOf(folder);
  for (const path of [database, ...Object.values(others)]) {
    let found: Stats | undefined;
    try {
      found = lstatSync(path, { throwIfNoEntry: false });
    } catch (error) {
      throw folderFailure(folder, error);
    }
    // The memory itself may lie elsewhere; what we make anew, or write over, may not.
    const isOurs = found === undefined || found.isFile() || (path === database && found.isSymbolicLink());
    if (!isOurs)
      throw new LociError(
        "invalid-input",
        `${path} is a link, a pipe or a folder; a memory's files are plain files`,
      );
  }
}

/** How often, 20 ms apart, a process checks whether another one has finished creating the memory. */
const MAX_LOOKS = 250;

/** Makes an empty memory unless another process does: two that begin at once begin with one memory. */
export async function createOnce(folder: string): Promise<void> {
  makeFolder(folder);
  for (let looks = 1; !memoryExists(folder); looks++) {
    try {
      const release = takeWriterLock(folder);
      try {
        if (!memoryExists(folder)) createMemory(folder);
      } finally {
        release();
      }
    } catch (error) {
      if (!isLociError(error, "memory-busy") || looks >= MAX_LOOKS) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function makeFolder(folder: string): void {
  try {
    // Robots' data is private to their owner; an existing folder keeps its rights.
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw folderFailure(folder, error);
  }
}

/** Creates an empty memory; a crash midway leaves no memory rather than a partial one. */
export function createMemory(folder: string): void {
  const { database } = filesOf(folder);
  if (existsSync(database)) throw new LociError("memory-exists", `${folder} holds a memory already`);
  makeFolder(folder);
  const fresh = `${database}.new`;
  try {
    rmSync(fresh, { force: true });
    // SQLite gives its log and its index of that the rights of the file.
    closeSync(openSync(fresh, "wx", OWNER_ONLY));
    const db = new DatabaseSync(fresh);
    try {
      db.exec(`PRAGMA page_size = ${PAGE_BYTES}; PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL`);
      createTables(db);
    } finally {
      db.close();
    }
    renameSync(fresh, database);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw folderFailure(folder, failureOf(error, database));
  }
}

/** SQLite needs a little room to open at all, for the files beside the log. */
const OPENING_BYTES = 256 * 1024;

/** Opens a file; on a full disk with the reserve given back, since forgetting needs an open memory. */
function withRoom<T>(folder: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (!existsSync(folder) || freeBytes(folder) >= OPENING_BYTES) throw error;
    if (fileBytes(filesOf(folder).reserve) > 0) {
      releaseReserve(folder);
      return open();
    }
    throw new LociError("memory-full", `no space left to open ${folder}; free some space`, { cause: error });
  }
}

/** Opens the writing connection, bringing an older file up to date. */
export function openForWriting(folder: string): DatabaseSync {
  return withRoom(folder, () => openWriting(folder));
}

function openWriting(folder: string): DatabaseSync {
  const { database } = filesOf(folder);
  checkHeader(database);
  return guarded(database, () => {
    const db = new DatabaseSync(database, { timeout: WAIT_MS });
    try {
      const version = versionOf(db, database);
      db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA secure_delete = ON");
      db.exec(`PRAGMA cache_size = -16384; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
      migrate(db, version);
      return db;
    } catch (error) {
      db.close();
      throw error;
    }
  });
}

/** Opens a connection that only reads; works on a read-only folder too, where no writer can be. */
export function openForReading(folder: string): DatabaseSync {
  return withRoom(folder, () => openReading(folder));
}

function openReading(folder: string): DatabaseSync {
  const { database } = filesOf(folder);
  checkHeader(database);
  return guarded(database, () => {
    let db = new DatabaseSync(database, { readOnly: true, timeout: WAIT_MS });
    try {
      try {
        db.prepare("SELECT count(*) FROM sqlite_schema").get();
      } catch (error) {
        // A WAL file needs a writable folder beside it; without writers the file itself is enough.
        db.close();
        if (existsSync(`${database}-wal`)) throw error;
        db = new DatabaseSync(`file:${encodeURI(database)}?immutable=1`, { readOnly: true });
        db.prepare("SELECT count(*) FROM sqlite_schema").get();
      }
      const version = versionOf(db, database);
      if (version < SCHEMA_VERSION) {
        db.close();
        openForWriting(folder).close();
        db = new DatabaseSync(database, { readOnly: true, timeout: WAIT_MS });
      }
      // Not mapped: pages that a map touched count as this process's own, and the kernel keeps them anyway.
      db.exec("PRAGMA cache_size = -16384");
      return db;
    } catch (error) {
      if (db.isOpen) db.close();
      throw error;
    }
  });
}

/**
 * The writer's lock: an exclusive lock on a file of its own, which the kernel releases whenever the process ends.
 * Returns a function to release it.
 */
export function takeWriterLock(folder: string): () => void {
  const { lock, database } = filesOf(folder);
  let db: DatabaseSync | undefined;
  try {
    makeForOwner(lock);
    db = new DatabaseSync(lock);
    // Nothing is ever written here: no journal, which a full disk would have no room for.
    db.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    db?.close();
    const failure = failureOf(error, database);
    if (failure instanceof LociError && failure.code === "memory-not-found" && freeBytes(folder) > 0) {
      throw new LociError("memory-read-only", `${folder} cannot be written; check its permissions`, {
        cause: error,
      });
    }
    throw failure;
  }
  const held = db;
  return () => held.close();
}

/** Creates an empty file readable by its owner alone, if missing; a failure is reported when the file is opened. */
function makeForOwner(path: string): void {
  try {
    if (!existsSync(path)) closeSync(openSync(path, "a", OWNER_ONLY));
  } catch {
    // A folder that cannot be written: SQLite reports the same for the file that is opened next.
  }
}

/** Keeps some disk aside once a memory is worth it, so that forgetting still works when the disk is full. */
export function keepReserve(folder: string): boolean {
  const { reserve } = filesOf(folder);
  const size = sizeOf(folder);
  const wanted = Math.min(MAX_RESERVE_BYTES, Math.max(MIN_RESERVE_BYTES, size * RESERVE_SHARE));
  if (fileBytes(reserve) >= wanted) return true;
  if (size < RESERVE_FROM_BYTES) return existsSync(reserve);
  try {
    const file = openSync(
      reserve,
      constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW,
      OWNER_ONLY,
    );
    try {
      // Random-looking bytes: a file system that compresses or skips zeros would reserve nothing.
      const chunk = Buffer.alloc(1024 * 1024);
      for (let i = 0, state = 1; i < chunk.length; i++) {
        state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
        chunk[i] = state >>> 24;
      }
      for (let written = 0; written < wanted; written += chunk.length) writeSync(file, chunk);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    return true;
  } catch {
    rmSync(reserve, { force: true });
    return false;
  }
}

/** The size of the truth on disk, its log included. */
export function sizeOf(folder: string): number {
  const { database } = filesOf(folder);
  return fileBytes(database) + fileBytes(`${database}-wal`);
}

/** The free bytes on the disk of a folder. */
export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/**
 * Refuses a batch that could leave no room to fold the log into the file: then nothing could be freed any more, not
 * even by forgetting.
 */
export function checkRoom(folder: string, batchBytes: number): void {
  const free = freeBytes(folder);
  const needed = fileBytes(`${filesOf(folder).database}-wal`) + 2 * batchBytes + HEADROOM_BYTES;
  if (free < needed) {
    throw new LociError(
      "memory-full",
      `no space left for ${folder}: ${needed} bytes are needed, ${free} are free; nothing was written: free some space or forget something`,
    );
  }
}

function fileBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Gives the reserve back to the disk. */
export function releaseReserve(folder: string): void {
  rmSync(filesOf(folder).reserve, { force: true });
}

/** SQLite notices a truncated file only when it reaches a missing page; the header tells at once. */
function checkHeader(path: string): void {
  if (!existsSync(path))
    throw new LociError(
      "memory-not-found",
      `no memory at ${path}; make one by remembering or ingesting something`,
    );
  const header = Buffer.alloc(HEADER_BYTES);
  let size = 0;
  try {
    if (!statSync(path).isFile())
      throw new LociError("invalid-input", `${path} is not a file; give another folder`);
    const file = openSync(path, "r");
    try {
      readSync(file, header, 0, HEADER_BYTES, 0);
      size = fstatSync(file).size;
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw folderFailure(path, error);
  }
  if (header.toString("latin1", 0, 16) !== "SQLite format 3\0") {
    throw new LociError(
      "memory-corrupt",
      `${path} is not a memory (no SQLite header); give another folder or restore a backup`,
    );
  }
  const pageBytes = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const pages = header.readUInt32BE(28);
  // While a log is there, the file may lack pages that are still in it.
  if (size < pages * pageBytes && fileBytes(`${path}-wal`) === 0) {
    throw new LociError(
      "memory-corrupt",
      `${path} is cut short (${size} of ${pages * pageBytes} bytes); restore a backup`,
    );
  }
}

/** A file system error, in our words. */
export function folderFailure(path: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "EACCES" || code === "EPERM" || code === "EROFS") {
    return new LociError("memory-read-only", `${path} cannot be written or read; check its permissions`, {
      cause: error,
    });
  }
  if (code === "ENOSPC")
    return new LociError("memory-full", `no space left for ${path}; nothing was written`, { cause: error });
  if (code === "ENOTDIR" || code === "EEXIST") {
    return new LociError("invalid-input", `${path}: a folder was expected, a file is in the way`, {
      cause: error,
    });
  }
  return error;
}
