/** A message that waits for its counterpart. */
export interface Waiting {
  readonly timeUs: number;
  readonly logTimeUs: number;
  readonly data: Uint8Array;
}

/** Depths kept for late pictures, and pictures that wait for depths. */
const KEPT = 64;
/** How long a picture waits, by the recorder's clock, for a depth that may never come. */
const WAIT_US = 1_000_000;

/**
 * Pairs the pictures of one camera with the nearest depth within a tolerance, whichever comes first. Holds at most 64
 * undecoded messages of each.
 */
export class Shutter {
  readonly #toleranceUs: number;
  readonly #hasDepth: boolean;
  #pictures: Waiting[] = [];
  #depths: Waiting[] = [];
  #latestDepthUs = -Infinity;

  constructor(toleranceUs: number, hasDepth: boolean) {
    this.#toleranceUs = toleranceUs;
    this.#hasDepth = hasDepth;
  }

  picture(message: Waiting): void {
    this.#pictures.push(message);
  }

  depth(message: Waiting): void {
    this.#depths.push(message);
    this.#latestDepthUs = Math.max(this.#latestDepthUs, message.timeUs);
    if (this.#depths.length > KEPT) this.#depths.shift();
  }

  /** The pictures whose pairing is final by `logTimeUs`, in order of arrival; Infinity makes all final. */
  take(logTimeUs: number): { picture: Waiting; depth: Waiting | undefined }[] {
    const settled: { picture: Waiting; depth: Waiting | undefined }[] = [];
    for (let head = this.#pictures[0]; head; head = this.#pictures[0]) {
      const isSettled =
        !this.#hasDepth ||
        (this.#latestDepthUs >= head.timeUs && this.#nearest(head.timeUs) !== undefined) ||
        logTimeUs - head.logTimeUs > WAIT_US ||
        this.#pictures.length > KEPT;
      if (!isSettled) break;
      this.#pictures.shift();
      settled.push({ picture: head, depth: this.#nearest(head.timeUs) });
    }
    return settled;
  }

  #nearest(timeUs: number): Waiting | undefined {
    let best: Waiting | undefined;
    for (const depth of this.#depths) {
      const apart = Math.abs(depth.timeUs - timeUs);
      if (apart <= this.#toleranceUs && (!best || apart < Math.abs(best.timeUs - timeUs))) best = depth;
    }
    return best;
  }
}
