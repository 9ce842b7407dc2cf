import { logEndOf } from "../memory/log-end.ts";
import type { Commit, MemoryReader, Work, WorkBegin, WriteBatch } from "../memory/port.ts";
import { contentId } from "../schema/core.ts";
import { ownLayer } from "../sharing/own-layer.ts";
import type { Memory } from "./memory.ts";

/** What an ingest must know to be resumed. */
interface Settings {
  /** Cosine of unrelated texts at the start: later texts must not change how earlier frames are processed. */
  readonly background: { readonly mean: number; readonly sd: number };
}

/** Its state after each write. */
interface State {
  /** Hash chain over all writes so far. */
  readonly chain: string;
  /** Memory times at which stages were opened, in order. */
  readonly opened: readonly number[];
}

/**
 * The writes of one ingest. An interrupted ingest resumes by replaying the recording from its start: stages see the
 * memory as it was then, and durable writes are skipped. So it ends with the same memory as an uninterrupted run. If
 * other writes came in between, or the recording or program changed, it continues from what is stored, as if this
 * were another recording of the same frames.
 */
export class IngestWork {
  readonly #memory: Memory;
  /** Reads what every holder of the written labels may see. */
  readonly #seen: Memory;
  readonly #work: Work;
  readonly #readers = new Set<MemoryReader>();
  readonly #durable: State | undefined;
  #step = 0;
  #chain = "";
  #opened: number[] = [];
  #openings = 0;
  #lastUs: number;

  private constructor(memory: Memory, seen: Memory, work: Work) {
    this.#memory = memory;
    this.#seen = seen;
    this.#work = work;
    this.#lastUs = work.beganUs;
    this.#durable = (work.state ?? undefined) as State | undefined;
  }

  static async begin(memory: Memory, seen: Memory, begin: Omit<WorkBegin, "settings">): Promise<IngestWork> {
    const settings: Settings = { background: await memory.background() };
    return new IngestWork(memory, seen, await (await memory.writer()).begin({ ...begin, settings }));
  }

  get background(): Settings["background"] {
    return (this.#work.settings as Settings).background;
  }

  /** Whether earlier writes are being replayed. */
  get isReplay(): boolean {
    return this.#work.steps > 0 && this.#work.isAlone;
  }

  /** The memory as it was when the ingest began. */
  async readerBefore(): Promise<MemoryReader> {
    return this.isReplay ? this.#readerAt(this.#work.beganUs) : this.#seen.reader();
  }

  /** The memory with everything this work has written so far, replayed or new. */
  async readerNow(): Promise<MemoryReader> {
    const opening = this.#openings++;
    if (this.isReplay && this.#step < this.#work.steps)
      return this.#readerAt(this.#durable?.opened[opening] ?? this.#work.beganUs);
    this.#opened.push(this.#lastUs);
    return this.#seen.reader();
  }

  write = async (batch: WriteBatch): Promise<Commit | undefined> => {
    this.#step++;
    this.#chain = contentId("step", this.#chain, ...(batch.records ?? []).map(({ id }) => id));
    if (this.isReplay && this.#step <= this.#work.steps) {
      if (this.#step < this.#work.steps) return undefined;
      this.#lastUs = (await logEndOf(await this.#memory.reader())) ?? this.#lastUs;
      this.#opened = [...(this.#durable?.opened ?? [])];
      if (this.#durable?.chain !== this.#chain) throw new Diverged();
      return undefined;
    }
    const state: State = { chain: this.#chain, opened: this.#opened };
    const { labels } = this.#work;
    const layer = await ownLayer(batch, labels, await this.#memory.reader());
    const commit = await this.#memory.write({ ...layer, work: { id: this.#work.id, state } });
    this.#lastUs = commit.commitUs;
    return commit;
  };

  /** Marks the recording as complete. */
  async finish(): Promise<void> {
    const writer = await this.#memory.writer();
    await writer.finish(this.#work.id);
  }

  async close(): Promise<void> {
    for (const reader of this.#readers) await reader.close();
  }

  async #readerAt(asOfMemoryUs: number): Promise<MemoryReader> {
    const reader = await this.#memory.engine.reader({ ...this.#seen.view, asOfMemoryUs });
    this.#readers.add(reader);
    return reader;
  }
}

/** The replay differs from what was written: the recording or the program has changed. */
export class Diverged extends Error {}
