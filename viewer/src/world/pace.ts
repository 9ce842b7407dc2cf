/** How much of a frame is drawn. */
export interface Rung {
  /** Pixels drawn for each pixel of the screen, along a side. */
  readonly ratio: number;
  /** Points of the surfaces at most. */
  readonly points: number;
  /** Things that are drawn as boxes at most; the smaller ones are dots. */
  readonly boxes: number;
  /** Names beside them at most. */
  readonly names: number;
}

/**
 * From everything to what even a machine without a graphics card draws ten times a second. Shading by depth, which looks at
 * every pixel five times, is the first's alone.
 */
const RUNGS: readonly Rung[] = [
  { ratio: 1, points: Infinity, boxes: Infinity, names: 280 },
  { ratio: 0.85, points: 500_000, boxes: 20_000, names: 240 },
  { ratio: 0.65, points: 200_000, boxes: 6_000, names: 40 },
  { ratio: 0.5, points: 60_000, boxes: 3_000, names: 24 },
  { ratio: 0.35, points: 20_000, boxes: 1_500, names: 16 },
];
export const WHOLE = RUNGS[0]!;

/** A frame that takes longer while something moves makes the next ones cheaper, by two rungs if it took much longer. */
const SLOW_MS = 60;
const VERY_SLOW_MS = 150;
/** So many quick frames in a row, and one rung more is tried; not again for a while if that was too much. */
const FAST_MS = 24;
const FAST_FRAMES = 40;
const CAUTION_MS = 15_000;
/** When nothing has moved for so long, everything is drawn. */
const SETTLE_MS = 180;
const LONGEST_STEP_S = 0.1;

export interface Drawn {
  /** Goes on with what moves by itself; whether anything did. */
  update(seconds: number): boolean;
  draw(rung: Rung): void;
}

/**
 * Draws when something changed and never otherwise. While things move it draws as much as the machine has time for, which it
 * learns from how long frames take, and once they rest it draws all.
 */
export class Pace {
  readonly #drawn: Drawn;
  /** How far down the ladder it is while something moves. */
  #rung = 0;
  #isDirty = true;
  #isWhole = false;
  #handle = 0;
  /** When the last frame began, and whether it drew; null after a rest. */
  #last: { readonly at: number; readonly drew: boolean } | null = null;
  #lastMoveAt = 0;
  #fast = 0;
  #failedAt = -Infinity;

  constructor(drawn: Drawn) {
    this.#drawn = drawn;
    this.wake();
  }

  /** Something is to be seen that was not. */
  redraw(): void {
    this.#isDirty = true;
    this.wake();
  }

  /** Something may move by itself from now on. */
  wake(): void {
    if (this.#handle === 0) this.#handle = requestAnimationFrame((at) => this.#frame(at));
  }

  stop(): void {
    cancelAnimationFrame(this.#handle);
    this.#handle = -1;
  }

  #frame(at: number): void {
    this.#handle = 0;
    const last = this.#last;
    const spentMs = last === null ? 1000 / 60 : at - last.at;
    const isMoving = this.#drawn.update(Math.min(spentMs / 1000, LONGEST_STEP_S));
    const isDue = isMoving || this.#isDirty;
    if (last?.drew && isDue) this.#learn(spentMs, at);
    if (isDue) {
      this.#isDirty = false;
      this.#lastMoveAt = at;
      this.#draw(this.#rung);
    } else if (!this.#isWhole && at - this.#lastMoveAt >= SETTLE_MS) this.#draw(0);
    this.#last = this.#isWhole && !isDue ? null : { at, drew: isDue };
    if (this.#last !== null) this.wake();
  }

  #draw(rung: number): void {
    this.#drawn.draw(RUNGS[rung]!);
    this.#isWhole = rung === 0;
  }

  #learn(spentMs: number, at: number): void {
    this.#fast = spentMs < FAST_MS ? this.#fast + 1 : 0;
    if (spentMs > SLOW_MS) {
      this.#rung = Math.min(this.#rung + (spentMs > VERY_SLOW_MS ? 2 : 1), RUNGS.length - 1);
      this.#failedAt = at;
    } else if (this.#fast >= FAST_FRAMES && at - this.#failedAt > CAUTION_MS) {
      this.#rung = Math.max(this.#rung - 1, 0);
      this.#fast = 0;
    }
  }
}
