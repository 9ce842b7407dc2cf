import type { Negative } from "../datasets/develop.ts";
import type { Developed } from "../datasets/developed.ts";
import { type OwnImages, type PictureJob, perform } from "./job.ts";
import { PictureThread, ThreadEnded } from "./thread.ts";

/** Frames decoded before they are requested: one in work, one waiting, one being delivered. */
const FRAMES_AHEAD = 2;
/**
 * Starting a thread costs 220 ms of CPU time, as much as decoding the colour, depth and masks of forty frames of this
 * size (5.5 ms each, two cores of an arm64). Fewer or smaller frames are decoded in place.
 */
const LEAST_PIXELS = 320 * 240;
const LEAST_PIXELS_IN_ALL = 40 * LEAST_PIXELS;

/** Decodes the pictures of a recording, in its own thread once there are enough to pay for it. */
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

  /** Work still under way is dropped, and its outcome ignored. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.close();
  }

  #perform(job: PictureJob): Promise<OwnImages | Developed> {
    // Started only now: a caller that reads only the first frame needs no thread.
    if (this.#isWorthIt && !this.#isClosed) this.#thread ??= this.#start();
    const done = this.#thread ? this.#beside(this.#thread, job) : this.#here(job);
    // A reader that stops early never awaits it.
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

/** The results of `begin` for each item, in order; each begins while earlier ones are still in work. */
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
