import { LociError } from "./errors.ts";

/** A question holds the thread no longer than this before others may go on. */
const SLICE_MS = 5;
/** A longer pause between two steps was spent on waiting for something else: a model, a disk. */
const LONGEST_STEP_MS = 250;
/** Units of work of one question where nothing else is said; a step of an expression is one, dear operators are more. */
const MOST_UNITS = 200_000;

export interface EffortOptions {
  /** Ends the work: whoever asked has gone, or time is up. */
  readonly signal?: AbortSignal | undefined;
  readonly units?: number | undefined;
  /** Of the thread's time, without waiting for others. */
  readonly workMs?: number | undefined;
  /** Whose work it is: callers take turns, however many questions each of them has. */
  readonly caller?: string | undefined;
  readonly turns?: Turns | undefined;
  /** In milliseconds. */
  readonly clock?: (() => number) | undefined;
}

/**
 * What one question, standing query or tool may cost. Work that may be long calls `spend` at each step: that refuses what
 * costs too much, ends what nobody waits for any more, and lets others go on when its slice of the thread is over.
 */
export class Effort {
  readonly #options: EffortOptions;
  readonly #turns: Turns;
  readonly #clock: () => number;
  #units = 0;
  #workMs = 0;
  #lastMs: number;

  constructor(options: EffortOptions = {}) {
    this.#options = options;
    this.#turns = options.turns ?? TURNS;
    this.#clock = options.clock ?? (() => performance.now());
    this.#lastMs = this.#clock();
  }

  /** Units spent so far. */
  get units(): number {
    return this.#units;
  }

  /** Accounts for a step; a promise where it is the others' turn first. Throws where it may not go on. */
  spend(units = 1): Promise<void> | undefined {
    this.#check(units);
    return this.#turns.isOver(this.#clock()) ? this.#wait() : undefined;
  }

  #check(units: number): void {
    const { signal, units: mostUnits = MOST_UNITS, workMs = Number.POSITIVE_INFINITY } = this.#options;
    if (signal?.aborted)
      throw signal.reason instanceof LociError
        ? signal.reason
        : new LociError("aborted", "nobody waits for the answer any more");
    const nowMs = this.#clock();
    this.#workMs += Math.min(nowMs - this.#lastMs, LONGEST_STEP_MS);
    this.#lastMs = nowMs;
    this.#units += units;
    if (this.#units > mostUnits || this.#workMs > workMs)
      throw new LociError(
        "limit-exceeded",
        this.#units > mostUnits
          ? `this costs more than ${mostUnits} steps; ask about fewer things`
          : `this takes more than ${workMs / 1000} s of work; ask about fewer things`,
      );
  }

  async #wait(): Promise<void> {
    await this.#turns.next(this.#options.caller ?? "");
    // Waiting is nobody's work.
    this.#lastMs = this.#clock();
    this.#check(0);
  }
}

/** Taken when the module is loaded: a test that replaces the clock does not stop it. */
const soon = setImmediate;

/**
 * Who goes on next on this thread: one piece of work at a time, the callers one after the other, and between two pieces
 * everything else that the thread has to do.
 */
export class Turns {
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #clock: () => number;
  #beganMs = Number.NEGATIVE_INFINITY;
  #isSet = false;

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** Whether whoever works now has had its slice. */
  isOver(nowMs: number): boolean {
    return nowMs - this.#beganMs >= SLICE_MS;
  }

  /** Resolves when it is the caller's turn. */
  next(caller: string): Promise<void> {
    return new Promise((resolve) => {
      const own = this.#waiting.get(caller);
      if (own) own.push(resolve);
      else this.#waiting.set(caller, [resolve]);
      this.#set();
    });
  }

  #set(): void {
    if (this.#isSet) return;
    this.#isSet = true;
    soon(() => {
      this.#isSet = false;
      const [first] = this.#waiting;
      if (first === undefined) return;
      const [caller, own] = first;
      // The caller goes to the end of the line with what else it has.
      this.#waiting.delete(caller);
      const go = own.shift()!;
      if (own.length > 0) this.#waiting.set(caller, own);
      this.#beganMs = this.#clock();
      go();
      if (this.#waiting.size > 0) this.#set();
    });
  }
}

const TURNS = new Turns();

/** For work that is nobody's question, between two of its longer steps: others go first where its slice is over. */
export function othersFirst(): Promise<void> | undefined {
  return TURNS.isOver(performance.now()) ? TURNS.next("") : undefined;
}
