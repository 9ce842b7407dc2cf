import type { MemoryLog, Origin } from "../memory/log.ts";
import { isLociError, LIMITS, LociError } from "../schema/core.ts";
import { clockRecords } from "../sharing/clocks.ts";
import {
  Aside,
  type DisownCall,
  type Disowned,
  type FinishCall,
  type Finished,
  type ForgetCall,
  type ForgetTaken,
  type Forgetting,
  Forgettings,
  isTooMuch,
  nextSegment,
  type Peer,
  type Receipt,
  type Refused,
  type Sealed,
  senderOf,
  stateOf,
  type TakeOptions,
  type TakingMemory,
  takeSegment,
  workOf,
} from "../sharing/sync/index.ts";
import { appendAudit } from "./audit.ts";
import { dropBefore, keepBefore } from "./beside.ts";
import { joinScene } from "./join.ts";
import type { Memory } from "./memory.ts";

/** Errors that sending a segment again does not fix. */
const FOR_GOOD = ["invalid-input", "limit-exceeded", "memory-corrupt"] as const;

/** A memory that is opened here, as one end of a sync. Closing it leaves the memory open. */
export async function localPeer(
  memory: Memory,
  name: string,
  nowUs = () => Date.now() * 1000,
): Promise<LocalPeer> {
  dropBefore(memory.folder, nowUs());
  return new LocalPeer(memory, name, await memory.engine.log(), nowUs);
}

/** Whether any sync was begun and not finished. */
export async function hasAbandoned(memory: Memory): Promise<boolean> {
  const works = await (await memory.reader()).unfinished();
  return works.some(({ id }) => senderOf(id) !== undefined);
}

/**
 * Ends interrupted syncs: their maps are joined, and answers no longer call the memory unfinished. Segments that
 * their senders still hold are accepted when they return.
 */
export async function finishAbandoned(memory: Memory, peer: LocalPeer): Promise<void> {
  for (const { id } of await (await memory.reader()).unfinished()) {
    const sender = senderOf(id);
    if (sender !== undefined) await peer.finish(sender);
  }
}

export class LocalPeer implements Peer {
  readonly name: string;
  readonly #memory: Memory;
  readonly #log: MemoryLog;
  readonly #aside: Aside;
  readonly #nowUs: () => number;
  /** Segments are applied one at a time, because each is fitted to what is stored. */
  #taking: Promise<unknown> = Promise.resolve();

  constructor(memory: Memory, name: string, log: MemoryLog, nowUs: () => number) {
    this.#memory = memory;
    this.name = name;
    this.#log = log;
    this.#aside = new Aside(memory.folder);
    this.#nowUs = nowUs;
  }

  status: Peer["status"] = async () => ({
    memory: this.#log.memory,
    heard: Object.fromEntries(await this.#log.heard()),
    told: (await Forgettings.of(this.#log)).digest,
    nowUs: this.#nowUs(),
  });

  forgotten: Peer["forgotten"] = async () => (await Forgettings.of(this.#log)).list();

  forget = (forgettings: readonly Forgetting[], call: ForgetCall = {}): Promise<ForgetTaken> =>
    this.forgetFor(forgettings, "sync", call);

  /** The same with the author's name, for the audit. */
  forgetFor = (
    forgettings: readonly Forgetting[],
    who: string,
    { share, keepsBefore = false }: ForgetCall = {},
  ): Promise<ForgetTaken> =>
    this.#inTurn(async () => {
      const memory = this.#memory;
      const known = await Forgettings.of(this.#log);
      const news = forgettings.filter(({ id }) => !known.has(id));
      const gone = await this.#countHere(news);
      const { records } = await memory.stats();
      const all = Object.values(records).reduce((sum, count) => sum + count, 0);
      if (isTooMuch(gone, all, share)) return { kept: gone };
      if (gone > 0 && keepsBefore) await keepBefore(memory, this.#nowUs());
      for (const [reason, some] of Map.groupBy(news, (one) => one.reason)) {
        const ids = some.map(({ id }) => id);
        await memory.forget(ids, reason, { ahead: true, who, isOwn: !keepsBefore });
      }
      return { kept: 0 };
    });

  async #countHere(forgettings: readonly Forgetting[]): Promise<number> {
    let here = 0;
    for (let at = 0; at < forgettings.length; at += LIMITS.recordsPerBatch) {
      const ids = forgettings.slice(at, at + LIMITS.recordsPerBatch).map(({ id }) => id);
      here += (await this.#log.heads(ids)).filter((head) => head !== undefined).length;
    }
    return here;
  }

  disown: Peer["disown"] = (memory, call) => this.disownFor(memory, "command line", call);

  /** The same with the author's name, for the audit. */
  disownFor = (memory: string, who: string, { fromUs }: DisownCall = {}): Promise<Disowned> =>
    this.#inTurn(async () => {
      const writer = await this.#memory.writer();
      const entry = { atUs: this.#nowUs(), who, act: "disown", ids: [memory] };
      appendAudit(this.#memory.folder, entry);
      return { writes: await writer.disown(memory, fromUs) };
    });

  give: Peer["give"] = (request) => nextSegment(this.#log, request);

  take = (segment: Sealed, options: TakeOptions = {}): Promise<Receipt> =>
    this.#inTurn(() => this.#take(segment, options));

  async #take({ name, bytes }: Sealed, options: TakeOptions): Promise<Receipt> {
    this.refuseAside(name);
    try {
      const onRefused = (from: Origin, refused: readonly Refused[]) =>
        this.#aside.putRows(name, from, refused);
      return await takeSegment(await this.#taker(), bytes, { onRefused, ...options });
    } catch (error) {
      if (!isLociError(error) || !FOR_GOOD.some((code) => code === error.code)) throw error;
      this.#aside.put(name, bytes, error.message);
      throw this.#setAside(name, error.message, error);
    }
  }

  /** Refuses a segment that is known to be of no use. */
  refuseAside(name: string): void {
    const why = this.#aside.why(name);
    if (why !== undefined) throw this.#setAside(name, why);
  }

  #setAside(name: string, why: string, cause?: LociError): LociError {
    return new LociError(
      cause?.code ?? "invalid-input",
      `segment ${name.slice(0, 12)} is set aside at ${this.name}: ${why}`,
      { cause },
    );
  }

  async #taker(): Promise<TakingMemory> {
    const memory = this.#memory;
    const writer = await memory.writer();
    return {
      log: this.#log,
      reader: await memory.reader(),
      nowUs: this.#nowUs,
      write: (batch) => memory.write(batch),
      begin: (work) => writer.begin(work),
    };
  }

  finish = (sender: string, { clock }: FinishCall = {}): Promise<Finished> =>
    this.#inTurn(async () => {
      const memory = this.#memory;
      const { id } = workOf(sender);
      const work = (await (await memory.reader()).unfinished()).find((one) => one.id === id);
      if (work === undefined) return { joined: 0, apart: 0 };
      const { scenes, sayings, robots } = stateOf(work.state);
      if (clock && robots.length > 0) {
        const records = await clockRecords(await memory.reader(), robots, clock, this.#nowUs());
        await memory.write({ records, derived: true });
      }
      memory.corrections.reload();
      if (sayings) await memory.corrections.settle();
      const joins = [];
      for (const scene of scenes) joins.push(...(await joinScene(memory, scene)));
      await (await memory.writer()).finish(id);
      const joined = joins.filter(({ pose }) => pose !== undefined).length;
      return { joined, apart: joins.length - joined };
    });

  close = (): Promise<void> => this.#log.close();

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#taking.then(work, work);
    this.#taking = done.catch(() => undefined);
    return done;
  }
}
