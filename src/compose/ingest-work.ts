import type { Commit, MemoryReader, Work, WorkBegin, WriteBatch } from "../memory/port.ts";
import { contentId } from "../schema/core.ts";
import { ownLayer } from "../sharing/own-layer.ts";
import type { Memory } from "./memory.ts";

/** What an ingest has to know when it is taken up again. */
interface Settings {
  /** Cosine of unrelated texts when it began: later texts must not change how earlier frames are taken. */
  readonly background: { readonly mean: number; readonly sd: number };
}

/** What it knows after each write. */
interface State {
  /** Of all writes so far. */
  readonly chain: string;
  /** Memory times at which stages were opened, in order. */
  readonly opened: readonly number[];
}

/**
 * The writes of one ingest. One that was cut off is taken up by going through the recording again from its beginning:
 * stages see the memory as it was then, and what is durable already is not written again. So it ends with the memory
 * that it would have made in one go. Where something else was written in between, or the recording or the program is
 * not what it was, it goes on from what is remembered, as if it were another recording of the same frames.
 */
export class IngestWork {
  readonly #memory: Memory;
  /** Sees what all see who may see what is written. */
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

  /** Whether what was written is gone through again, step by step. */
  get isReplay(): boolean {
    return this.#work.steps > 0 && this.#work.isAlone;
  }

  /** The memory as it was when the ingest began. */
  async readerBefore(): Promise<MemoryReader> {
    return this.isReplay ? this.#readerAt(this.#work.beganUs) : this.#seen.reader();
  }

  /** The memory with everything that this run has written so far, whether now or the first time. */
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
      this.#lastUs = (await (await this.#memory.reader()).stats()).lastCommitUs ?? this.#lastUs;
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

  /** The recording is in: the memory is whole. */
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

/** What was gone through again is not what was written: the recording, or the program, is another one. */
export class Diverged extends Error {}
