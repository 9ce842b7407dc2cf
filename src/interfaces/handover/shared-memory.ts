import type { Logger } from "pino";
import { localFace, type Memory, type MemoryFace, memoryFolder, openMemory } from "../../compose.ts";
import { ALL_OPERATIONS, changesMemory, type Operation } from "../../operations/index.ts";
import { type ConnectOptions, connect, wasNeverSent } from "../../remote/index.ts";
import { isLociError, LociError, ulidSource } from "../../schema/core.ts";
import { announceServing, isAlive, readServerFile } from "./server-file.ts";

export interface SharedOptions {
  readonly folder: string;
  readonly embedder?: string;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Never writes, and so never becomes the writer. */
  readonly readOnly?: boolean;
  readonly log: Logger;
  /** How long to wait for the writer's place before `memory-busy`; default 10 s. */
  readonly waitMs?: number;
  /** A holder that receives no calls for this long releases the writer; default 15 s. */
  readonly idleMs?: number;
  readonly nowUs?: () => number;
}

/**
 * The target of calls: a memory opened here read-only, one that holds the writer and serves others, or the process that
 * does.
 */
interface Seat {
  readonly kind: "reader" | "holder" | "guest";
  readonly face: MemoryFace;
  /** The token of the server that a guest goes through. */
  readonly token?: string;
  /** Whether others may be in the middle of something. */
  readonly isBusy?: () => boolean;
  leave(): Promise<void>;
}

/**
 * The effect of a call decides where it may run and whether it may be repeated. Standing queries run in the process
 * that holds the writer, so they are requested there.
 */
type Does = "reads" | "reads at the holder" | "writes" | "writes the same twice" | "streams";

/** What each operation does, as the table of operations says it. */
const METHODS: readonly (readonly [keyof MemoryFace, Does])[] = [
  ...ALL_OPERATIONS.map(([name, made]) => [name, doesOf(made)] as const),
  ["ingestFrame", "writes the same twice"],
];

function doesOf(made: Operation): Does {
  if (made.answers === "stream") return "streams";
  if (!changesMemory(made)) return made.isOfHolder ? "reads at the holder" : "reads";
  return made.http?.repeats ? "writes the same twice" : "writes";
}

const WAIT_MS = 10_000;
const IDLE_MS = 15_000;
const FIRST_PAUSE_MS = 20;
const MAX_PAUSE_MS = 250;
/** Seats that may be lost during one call before it fails. */
const MAX_LOST = 5;

/**
 * One memory for several processes that write. The first to write becomes the writer, listens on loopback and announces
 * itself in `server.json`; the others go through it. When it ends or crashes, the next caller takes its place:
 * acknowledged writes are in the memory, others are repeated under the same id. A holder without calls for a while
 * releases the writer, so that an idle agent does not block an ingest.
 */
export class SharedMemory {
  readonly #options: SharedOptions;
  readonly #newId = ulidSource();
  #memory: Promise<Memory> | undefined;
  #seat: Seat | undefined;
  #electing: Promise<void> | undefined;
  /** The token of the last server that did not answer: its file may stay behind. */
  #dead: string | undefined;
  #closed = false;
  #underWay = 0;
  #idle: NodeJS.Timeout | undefined;
  /** The face that follows the memory to its current holder. */
  readonly face: MemoryFace;

  constructor(options: SharedOptions) {
    this.#options = options;
    const methods = METHODS.map(([name, does]) => [
      name,
      (...args: unknown[]) => this.#call(name, does, args),
    ]);
    this.face = {
      ...(Object.fromEntries(methods) as unknown as MemoryFace),
      remember: (fact) =>
        this.#call("remember", "writes the same twice", [
          // With its id and time fixed it is the same fact, however often it is sent.
          { ...fact, id: fact.id ?? this.#newId(), time: fact.time ?? this.#nowUs() },
        ]) as ReturnType<MemoryFace["remember"]>,
      changes: (query, call) => this.#stream(false, (face) => face.changes(query, call)),
      watchEvents: (id, query, call) => this.#stream(true, (face) => face.watchEvents(id, query, call)),
      conversation: (settings) => {
        const talk = this.#sit(false).then(({ face }) => face.conversation(settings));
        return { ask: async (question, call) => (await talk).ask(question, call) };
      },
      close: () => this.close(),
    };
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    await this.#electing?.catch(() => undefined);
    await this.#seat?.leave();
    await (await this.#memory?.catch(() => undefined))?.close();
  }

  async #call(name: keyof MemoryFace, does: Does, args: readonly unknown[]): Promise<unknown> {
    this.#underWay++;
    try {
      return await this.#tried(name, does, args);
    } finally {
      this.#underWay--;
      this.#watchIdle();
    }
  }

  /** A stream from the current holder; a client that loses it resumes after the last item it has. */
  async *#stream<T>(atHolder: boolean, open: (face: MemoryFace) => AsyncIterable<T>): AsyncGenerator<T> {
    this.#underWay++;
    try {
      yield* open((await this.#sit(atHolder)).face);
    } finally {
      this.#underWay--;
      this.#watchIdle();
    }
  }

  async #tried(name: keyof MemoryFace, does: Does, args: readonly unknown[]): Promise<unknown> {
    for (let lost = 0; ; lost++) {
      const seat = await this.#sit(does !== "reads");
      try {
        const method = seat.face[name] as (...given: readonly unknown[]) => Promise<unknown>;
        return await method(...args);
      } catch (error) {
        if (seat.kind !== "guest" || !isLost(error)) throw error;
        await this.#lose(seat);
        if (does === "writes" && !wasNeverSent(error))
          throw new LociError(
            "source-unavailable",
            "the process that holds the memory ended during this call; look whether it was done before calling again",
            { cause: error },
          );
        if (lost >= MAX_LOST) throw error;
      }
    }
  }

  /** The seat for a call, taken if need be. */
  async #sit(writes: boolean): Promise<Seat> {
    for (;;) {
      if (this.#closed) throw new LociError("memory-closed", "this memory is closed; open it again");
      if (this.#seat !== undefined && !(writes && this.#seat.kind === "reader")) return this.#seat;
      this.#electing ??= this.#elect(writes).finally(() => {
        this.#electing = undefined;
      });
      await this.#electing;
    }
  }

  /** Releases the writer after a while without calls, from this process or through it. */
  #watchIdle(): void {
    clearTimeout(this.#idle);
    if (this.#closed || this.#seat?.kind !== "holder") return;
    const look = () => {
      const seat = this.#seat;
      if (this.#closed || this.#underWay > 0 || seat?.kind !== "holder") return;
      if (seat.isBusy?.()) return this.#watchIdle();
      this.#seat = undefined;
      this.#options.log.info("nobody calls: the writer's place is free");
      this.#electing ??= seat.leave().finally(() => {
        this.#electing = undefined;
      });
    };
    this.#idle = setTimeout(look, this.#options.idleMs ?? IDLE_MS).unref();
  }

  async #lose(seat: Seat): Promise<void> {
    if (this.#seat !== seat) return;
    this.#dead = seat.token;
    this.#seat = undefined;
    this.#options.log.info("the process that served the memory is gone");
    await seat.leave();
  }

  async #elect(writes: boolean): Promise<void> {
    const untilMs = performance.now() + (this.#options.waitMs ?? WAIT_MS);
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(MAX_PAUSE_MS, pauseMs * 2)) {
      const guest = this.#asGuest();
      if (guest !== undefined) return this.#take(guest);
      if (!writes) return this.#take(await this.#asReader());
      try {
        return this.#take(await this.#asHolder());
      } catch (error) {
        if (!isLociError(error, "memory-busy") || performance.now() > untilMs) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random() / 2)));
    }
  }

  #take(seat: Seat): void {
    this.#seat = seat;
    this.#options.log.info(`this process is the memory's ${seat.kind}`);
  }

  /** Through the process registered as serving the memory; undefined if there is none. */
  #asGuest(): Seat | undefined {
    const server = readServerFile(memoryFolder(this.#options.folder));
    if (server === undefined || server.token === this.#dead || server.pid === process.pid) return undefined;
    if (!isAlive(server)) return undefined;
    const { url, token } = server;
    const options: ConnectOptions = { token, retries: 1 };
    const face = connect(url, options);
    return { kind: "guest", face, token, leave: () => face.close() };
  }

  async #asReader(): Promise<Seat> {
    const face = localFace(await this.#open());
    return { kind: "reader", face, leave: () => face.close() };
  }

  async #asHolder(): Promise<Seat> {
    if (this.#options.readOnly)
      throw new LociError("memory-read-only", "this process was started to read only; start it without that");
    // A separate view of the same engine: its writer may close while the readers stay open.
    const memory = (await this.#open()).as({});
    const writer = await memory.writer();
    const { serve } = await import("../http/server.ts");
    const serving = await serve(memory, { port: 0, isPrivate: true, log: this.#options.log });
    const withdraw = announceServing(memoryFolder(this.#options.folder), serving);
    const face = localFace(memory);
    return {
      kind: "holder",
      face,
      // Standing queries and frames in progress count as use.
      isBusy: () => serving.connections() > 0 || memory.ending.size > 0,
      leave: async () => {
        withdraw();
        for (const end of memory.ending) await end();
        await serving.close();
        await face.close();
        await writer.close();
      },
    };
  }

  /** Opened once, and kept: after losing a server, reads continue at once. */
  #open(): Promise<Memory> {
    const { folder, embedder, environment, readOnly = false } = this.#options;
    this.#memory ??= openMemory(folder, {
      create: !readOnly,
      nowUs: () => this.#nowUs(),
      ...(environment && { environment }),
      ...(embedder !== undefined && { embedder }),
    });
    this.#memory.catch(() => {
      this.#memory = undefined;
    });
    return this.#memory;
  }

  #nowUs(): number {
    return this.#options.nowUs?.() ?? Date.now() * 1000;
  }
}

/** Whether the server has ended, is ending, or was replaced: then no part of the call was answered. */
function isLost(error: unknown): boolean {
  if (!isLociError(error)) return false;
  const { status } = (error.cause ?? {}) as { status?: number };
  if (status === undefined) return error.code === "source-unavailable";
  return status === 401 || error.code === "memory-closed" || error.code === "aborted";
}
