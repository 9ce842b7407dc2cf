/** A level of drawing quality. */
export interface Rung {
  /** Drawn pixels per screen pixel, along a side. */
  readonly ratio: number;
  /** Most points of the surfaces. */
  readonly points: number;
  /** Most things drawn as boxes; the smaller ones are dots. */
  readonly boxes: number;
  /** Most names beside them. */
  readonly names: number;
}

/**
 * From full quality down to what a machine without a graphics card draws ten times a second. Shading by depth reads
 * every pixel five times, so only the first level has it.
 */
const RUNGS: readonly Rung[] = [
  { ratio: 1, points: Infinity, boxes: Infinity, names: 280 },
  { ratio: 0.85, points: 500_000, boxes: 20_000, names: 240 },
  { ratio: 0.65, points: 200_000, boxes: 6_000, names: 40 },
  { ratio: 0.5, points: 60_000, boxes: 3_000, names: 24 },
  { ratio: 0.35, points: 20_000, boxes: 1_500, names: 16 },
];
export const WHOLE = RUNGS[0]!;

/** A slower frame during motion lowers the quality, by two levels if it was much slower. */
const SLOW_MS = 60;
const VERY_SLOW_MS = 150;
/** After this many fast frames in a row the next higher level is tried; not again for a while if it was too slow. */
const FAST_MS = 24;
const FAST_FRAMES = 40;
const CAUTION_MS = 15_000;
/** After this long without motion everything is drawn. */
const SETTLE_MS = 180;
const LONGEST_STEP_S = 0.1;

export interface Drawn {
  /** Advances animations; returns whether anything moved. */
  update(seconds: number): boolean;
  draw(rung: Rung): void;
}

/**
 * Draws only after changes. During motion it draws as much as the machine can, judging by frame times; at rest it
 * draws everything.
 */
export class Pace {
  readonly #drawn: Drawn;
  /** The current quality level during motion. */
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

  /** Requests a redraw. */
  redraw(): void {
    this.#isDirty = true;
    this.wake();
  }

  /** Something may be animated from now on. */
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
