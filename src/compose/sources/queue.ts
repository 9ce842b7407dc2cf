import { transformDelta } from "../../geometry/index.ts";
import type { Frame } from "../../sensors/index.ts";
import type { WhenBehind } from "./request.ts";
import { QUEUE } from "./settings.ts";

/** A frame and when it came, by the clock of this process. */
export interface Arrived {
  readonly frame: Frame;
  readonly atMs: number;
}

interface Waiting extends Arrived {
  readonly novelty: number;
}

/** Why a frame was dropped. */
export type DropReason = "queue-full" | "newer-came" | "nothing-new";

/**
 * Between a robot that does not wait and a memory that takes its time. The number of waiting frames is bounded by rule,
 * and every frame that is dropped is counted.
 */
export class FrameQueue {
  readonly #rule: WhenBehind;
  readonly #onDrop: (reason: DropReason, count: number) => void;
  #waiting: Waiting[] = [];
  /** The last frame of each sensor that was not dropped on arrival. */
  readonly #kept = new Map<string, Frame>();
  /** By the rule "newest": frames that a newer one passed and that showed something new, for when there is time. */
  #aside: Arrived[] = [];
  /** The last frame of each sensor that was given out or put aside. */
  readonly #shown = new Map<string, Frame>();
  #isIdle = true;
  #wake: () => void = () => {};
  #hasEnded = false;
  #error: unknown;

  constructor(rule: WhenBehind, onDrop: (reason: DropReason, count: number) => void) {
    this.#rule = rule;
    this.#onDrop = onDrop;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** How many frames were put aside. */
  get aside(): number {
    return this.#aside.length;
  }

  /** The oldest frame that was put aside. */
  takeAside(): Arrived | undefined {
    return this.#aside.shift();
  }

  /** Never waits, and never holds more than the rule allows. */
  push(frame: Frame, atMs: number): void {
    const isBehind = !this.#isIdle || this.#waiting.length > 0;
    const novelty = this.#noveltyOf(frame);
    const isFull = this.#waiting.length >= QUEUE.frames;
    const refusal =
      isBehind && this.#rule === "keyframes" && novelty < 1
        ? "nothing-new"
        : this.#rule === "drop" && isFull
          ? "queue-full"
          : undefined;
    if (refusal !== undefined) {
      this.#onDrop(refusal, 1);
      return;
    }
    if (this.#rule === "newest") for (const passed of this.#waiting.splice(0)) this.#putAside(passed);
    this.#kept.set(frame.sensorId, frame);
    this.#waiting.push({ frame, atMs, novelty });
    if (this.#waiting.length > QUEUE.frames) this.#dropLeastNovel();
    this.#wake();
  }

  /** No more come; what waits is still given out. */
  end(error?: unknown): void {
    this.#hasEnded = true;
    this.#error = error;
    this.#wake();
  }

  /** Whether a frame comes, or the end, within a time. */
  async comes(withinMs: number, signal: AbortSignal): Promise<boolean> {
    const isHere = () => this.#waiting.length > 0 || this.#hasEnded || signal.aborted;
    if (isHere()) return true;
    this.#isIdle = true;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, withinMs);
    this.#wake = resolve;
    signal.addEventListener("abort", () => resolve(), { once: true });
    await promise;
    clearTimeout(timer);
    return isHere();
  }

  /** The next frame; undefined after the last one and once the signal has fired. Throws what the source ended with. */
  async next(signal: AbortSignal): Promise<Arrived | undefined> {
    const ring = () => this.#wake();
    signal.addEventListener("abort", ring, { once: true });
    this.#isIdle = true;
    try {
      for (;;) {
        if (signal.aborted) return undefined;
        const head = this.#waiting.shift();
        if (head) {
          this.#shown.set(head.frame.sensorId, head.frame);
          return head;
        }
        if (this.#error !== undefined) throw this.#error;
        if (this.#hasEnded) return undefined;
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    } finally {
      this.#isIdle = false;
      signal.removeEventListener("abort", ring);
    }
  }

  #putAside(passed: Arrived): void {
    const { frame } = passed;
    const isNew = noveltyOf(frame, this.#shown.get(frame.sensorId)) >= 1;
    if (isNew) {
      this.#shown.set(frame.sensorId, frame);
      this.#aside.push(passed);
    }
    if (!isNew || this.#aside.length > QUEUE.aside) this.#onDrop("newer-came", 1);
    if (this.#aside.length > QUEUE.aside) this.#aside.shift();
  }

  #dropLeastNovel(): void {
    let least = 0;
    for (let i = 1; i < this.#waiting.length; i++)
      if (this.#waiting[i]!.novelty < this.#waiting[least]!.novelty) least = i;
    this.#waiting.splice(least, 1);
    this.#onDrop("queue-full", 1);
  }

  #noveltyOf(frame: Frame): number {
    return noveltyOf(frame, this.#kept.get(frame.sensorId));
  }
}

/** How new a view is against an earlier one of the same camera: 1 is a step, a turn or a wait that shows something new. */
export function noveltyOf(frame: Frame, before: Frame | undefined): number {
  if (before === undefined || before.mapFrame !== frame.mapFrame) return Infinity;
  const waited = Math.abs(frame.timeUs - before.timeUs) / 1e6 / QUEUE.everyS;
  const [from, to] = [poseOf(before), poseOf(frame)];
  if (from === undefined || to === undefined || before.submap?.frame !== frame.submap?.frame) return waited;
  const { translationM, rotationRad } = transformDelta(from, to);
  return Math.max(translationM / QUEUE.stepM, rotationRad / QUEUE.turnRad, waited);
}

function poseOf({ submap, worldFromCamera }: Frame) {
  return submap?.submapFromCamera ?? worldFromCamera;
}
