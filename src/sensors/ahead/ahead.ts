import type { Developed, Negative } from "../datasets/develop.ts";
import { type OwnImages, type PictureJob, perform } from "./job.ts";
import { PictureThread, ThreadEnded } from "./thread.ts";

/** Frames whose pictures are decoded before somebody asks for them: one is worked on, one waits, one is on its way. */
const FRAMES_AHEAD = 2;
/**
 * Starting a thread takes 220 ms of processor, as much as decoding the colour, depth and masks of forty frames of this size
 * (5.5 ms each, two cores of an arm64): fewer or smaller ones are decoded here.
 */
const LEAST_PIXELS = 320 * 240;
const LEAST_PIXELS_IN_ALL = 40 * LEAST_PIXELS;

/** Decodes the pictures of a recording, in a thread of its own once they are seen to be worth one. */
export class PicturesAhead {
  readonly #frames: number;
  readonly #start: () => PictureThread;
  #thread: PictureThread | undefined;
  #isWorthIt = false;
  #isClosed = false;

  constructor(frames: number, start = () => new PictureThread()) {
    this.#frames = frames;
    this.#start = start;
  }

  own(stem: string): Promise<OwnImages> {
    return this.#perform({ stem });
  }

  shot(negative: Negative): Promise<Developed> {
    return this.#perform({ negative }) as Promise<Developed>;
  }

  /** What is under way then is nobody's concern any more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.close();
  }

  #perform(job: PictureJob): Promise<OwnImages | Developed> {
    // Only now: whoever looks at the first frame alone needs no thread.
    if (this.#isWorthIt && !this.#isClosed) this.#thread ??= this.#start();
    const done = this.#thread ? this.#beside(this.#thread, job) : this.#here(job);
    // Whoever stops in between never asks for it.
    done.catch(() => {});
    return done;
  }

  async #here(job: PictureJob): Promise<OwnImages | Developed> {
    const done = await perform(job);
    const { width = 0, height = 0 } = done.rgb ?? done.depth ?? {};
    const pixels = width * height;
    this.#isWorthIt ||= pixels >= LEAST_PIXELS && this.#frames * pixels >= LEAST_PIXELS_IN_ALL;
    return done;
  }

  async #beside(thread: PictureThread, job: PictureJob): Promise<OwnImages | Developed> {
    try {
      return await thread.perform(job);
    } catch (error) {
      if (!(error instanceof ThreadEnded) || this.#isClosed) throw error;
      return perform(job);
    }
  }
}

/** What `begin` makes of each item, in order, begun while the ones before it are worked on. */
export async function* begunAhead<I, B>(
  items: AsyncIterable<I> | Iterable<I>,
  begin: (item: I) => B,
): AsyncGenerator<B> {
  const begun: B[] = [];
  for await (const item of items) {
    begun.push(begin(item));
    if (begun.length > FRAMES_AHEAD) yield begun.shift()!;
  }
  yield* begun;
}
