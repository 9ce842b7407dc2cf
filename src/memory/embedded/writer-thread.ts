/** The writer's thread: commits to SQLite, answers, then brings the shared index up to the commit. */
import { parentPort } from "node:worker_threads";
import { assert, type EmbedderInfo } from "../../schema/core.ts";
import type {
  DumpRow,
  ForgetOptions,
  ForgetSelection,
  PictureToRedact,
  VectorSpace,
  WorkBegin,
} from "../port.ts";
import type { CommitRows } from "../sqlite/commit.ts";
import { Connection } from "../sqlite/connection.ts";
import { filesOf, openForWriting, takeWriterLock } from "../sqlite/files.ts";
import { SqliteWriter } from "../sqlite/writer.ts";
import { Follower } from "./follower.ts";
import { type PackedBatch, unpackBatch } from "./packed-batch.ts";
import { dropSnapshot, writeSnapshot } from "./snapshot.ts";
import {
  errorFrom,
  type Failure,
  type FromWriter,
  failureFrom,
  type Start,
  type ToWriter,
} from "./writer-protocol.ts";

const port = parentPort;
assert(port, "this file runs as a worker thread");
const say = (message: FromWriter) => port.postMessage(message);
/** Below this many changed rows a snapshot is not worth its time: building is as quick. */
const SNAPSHOT_ROWS = 2_000;

const asks = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
const aborts = new Map<number, AbortController>();
let nextAsk = 0;
let nowUs = 0;
/** Takes the messages about the memory of the moment; a thread serves one after another. */
let receive: ((message: Exclude<ToWriter, { type: "start" | "end" }>) => void) | undefined;

port.on("message", (message: ToWriter) => {
  if (message.type === "start") begin(message.start);
  else if (message.type === "end") port.close();
  else receive?.(message);
});

function begin(start: Start): void {
  const { folder } = start;
  try {
    const release = takeWriterLock(folder);
    try {
      const connection = new Connection(openForWriting(folder), filesOf(folder).database, true);
      receive = serve(connection, release, start);
      say({ type: "ready" });
    } catch (error) {
      release();
      throw error;
    }
  } catch (error) {
    say({ type: "refused", failure: failureFrom(error) });
  }
}

function serve(
  connection: Connection,
  release: () => void,
  { folder, shared, applied: appliedBuffer }: Start,
): NonNullable<typeof receive> {
  const applied = new Int32Array(appliedBuffer);
  let follower = Follower.attach(connection, shared);
  let committed: CommitRows | undefined;
  const writer = new SqliteWriter(connection, folder, {
    nowUs: () => nowUs,
    onCommit: (rows) => {
      committed = rows;
    },
    kindsOf: (ids) => follower.kindsOf(ids),
    tidiesLater: true,
    onClose: release,
  });
  const snapshotAt = follower.position.record;
  let forgot = false;
  let queue: Promise<void> = Promise.resolve();

  const run = async (message: Extract<ToWriter, { type: "call" }>): Promise<void> => {
    nowUs = message.nowUs;
    const before = follower;
    const outcome: { value?: unknown; failure?: Failure } = await perform(message).then(
      (value) => ({ value }),
      (error: unknown) => ({ failure: failureFrom(error) }),
    );
    if (message.method === "write" && outcome.failure === undefined && !follower.isStale()) {
      // Durable: a search before the index has it waits for the word that is set below.
      const write = Atomics.load(applied, 0) + 1;
      say({ type: "done", call: message.call, ...outcome, write });
      aborts.delete(message.call);
      followCommit();
      Atomics.store(applied, 0, write);
      Atomics.notify(applied, 0);
      say({ type: "applied" });
      writer.tidy();
      return;
    }
    // Also after a failure: an interrupted call (an aborted reembed) may have changed something.
    if (message.method !== "close" && message.method !== "knownTexts") follow();
    const renewed = follower === before ? {} : { index: follower.shared };
    if (message.method === "close") {
      receive = undefined;
      aborts.clear();
      asks.clear();
    }
    aborts.delete(message.call);
    say({ type: "done", call: message.call, ...outcome, ...renewed });
  };

  const follow = (): void => {
    const rows = committed;
    committed = undefined;
    if (follower.isStale()) {
      follower = Follower.build(connection);
      return;
    }
    if (rows) follower.applyCommit(rows);
    follower.catchUp();
  };

  const followCommit = (): void => {
    const rows = committed;
    committed = undefined;
    if (rows === undefined || !follower.applyCommit(rows)) follower.catchUp();
  };

  const perform = async ({ call, method, args }: Extract<ToWriter, { type: "call" }>): Promise<unknown> => {
    switch (method) {
      case "write":
        return writer.write(unpackBatch(args[0] as PackedBatch));
      case "setEmbedder":
        return writer.setEmbedder(args[0] as VectorSpace, args[1] as EmbedderInfo);
      case "begin":
        return writer.begin(args[0] as WorkBegin);
      case "finish":
        return writer.finish(args[0] as string);
      case "knownTexts":
        return writer.knownTexts(args[0] as string[]);
      case "disown":
        return writer.disown(args[0] as string, args[1] as number | undefined);
      case "forget":
        dropSnapshot(folder);
        forgot = true;
        try {
          return await writer.forget(args[0] as ForgetSelection, forgetOptions(call, args));
        } finally {
          // Another process may have put one there meanwhile.
          dropSnapshot(folder);
        }
      case "calibrate":
        return writer.calibrate(args[0] as VectorSpace);
      case "restore":
        return writer.restore(rowsFrom(call));
      case "reembed": {
        const embed = (lines: string[]) => ask(call, "embed", { lines }) as Promise<(Float32Array | null)[]>;
        const { signal } = aborts.get(call)!;
        const onProgress = (done: number, total: number) => say({ type: "progress", call, done, total });
        return writer.reembed(args[0] as EmbedderInfo, embed, { signal, onProgress });
      }
      case "close": {
        follower.catchUp();
        // Forgotten content remains in the words and vectors of the index's dead rows: never save those.
        if (forgot) follower = Follower.build(connection);
        if (Math.abs(follower.position.record - snapshotAt) >= SNAPSHOT_ROWS || forgot)
          writeSnapshot(connection, follower, folder);
        return writer.close();
      }
    }
  };

  return (message) => {
    if (message.type === "call") {
      aborts.set(message.call, new AbortController());
      queue = queue.then(() => run(message));
    } else if (message.type === "abort") {
      aborts.get(message.call)?.abort();
    } else {
      const asked = asks.get(message.ask);
      asks.delete(message.ask);
      if (message.failure) asked?.reject(errorFrom(message.failure));
      else asked?.resolve(message.value);
    }
  };
}

/** The callbacks and options of a forget call from the calling thread. */
function forgetOptions(call: number, [, waitMs, redacts]: readonly unknown[]): ForgetOptions {
  return {
    ...(waitMs !== undefined && { waitMs: waitMs as number }),
    ...(redacts === true && {
      redact: (pictures) => ask(call, "redact", { pictures }) as Promise<(Uint8Array | null)[]>,
    }),
    onWaiting: (readers) => say({ type: "waiting", call, readers }),
  };
}

/** Asks the calling thread for something only it has: vectors of lines, or the next rows of a dump. */
function ask(
  call: number,
  what: "embed" | "rows" | "redact",
  rest: { lines?: string[]; pictures?: readonly PictureToRedact[] } = {},
): Promise<unknown> {
  const id = nextAsk++;
  return new Promise((resolve, reject) => {
    asks.set(id, { resolve, reject });
    say({ type: "ask", call, ask: id, what, ...rest });
  });
}

async function* rowsFrom(call: number): AsyncGenerator<DumpRow> {
  for (;;) {
    const rows = (await ask(call, "rows")) as DumpRow[];
    if (rows.length === 0) return;
    yield* rows;
  }
}
