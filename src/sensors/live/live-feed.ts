import type { LiveCounts } from "./formats.ts";
import type { LiveShot, LiveShots } from "./live-shots.ts";

/** Shots waiting to be decoded: half a minute at one picture a second. Beyond this the oldest are dropped. */
const WAITING = 32;

/** Between a robot that does not wait and a reader that takes its time: a bounded queue of shots. */
export class LiveFeed {
  readonly #shots: LiveShots;
  readonly #waiting: LiveShot[] = [];
  #wake: () => void = () => {};
  #hasEnded = false;
  #error: unknown;
  heard = 0;
  damaged = 0;
  dropped = 0;
  frames = 0;

  constructor(shots: LiveShots) {
    this.#shots = shots;
  }

  /** A decoded message; `logTimeUs` is when the bridge received it, absent if the bridge does not say so. */
  hear(topic: string, message: unknown, logTimeUs?: number): void {
    this.heard++;
    this.#push(this.#shots.take(topic, message, logTimeUs));
  }

  tick(logTimeUs: number): void {
    this.#push(this.#shots.tick(logTimeUs));
  }

  /** The robot has ended, or is lost for good. */
  end(error?: unknown): void {
    if (this.#hasEnded) return;
    if (error === undefined) this.#push(this.#shots.finish());
    this.#error = error;
    this.#hasEnded = true;
    this.#wake();
  }

  /** The next shot; undefined after the last one. */
  async next(): Promise<LiveShot | undefined> {
    for (;;) {
      const shot = this.#waiting.shift();
      if (shot) return shot;
      if (this.#error !== undefined) throw this.#error;
      if (this.#hasEnded) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  counts(link: { readonly isConnected: boolean; readonly reconnects: number }): LiveCounts {
    const { heard, damaged, dropped, frames } = this;
    const { repeated, withoutDepth, withoutPose } = this.#shots;
    const { isConnected, reconnects } = link;
    return { isConnected, reconnects, heard, damaged, repeated, dropped, withoutDepth, withoutPose, frames };
  }

  #push(shots: readonly LiveShot[]): void {
    if (shots.length === 0 || this.#hasEnded) return;
    this.#waiting.push(...shots);
    const over = this.#waiting.length - WAITING;
    if (over > 0) {
      this.#waiting.splice(0, over);
      this.dropped += over;
    }
    this.#wake();
  }
}
