import { LociError } from "./errors.ts";

/** A question holds the thread for at most this long before it yields. */
const SLICE_MS = 5;
/** Between two slices other work gets up to this many times the slice's length, if it needs it. */
const OTHERS_TIMES = 9;
/** If other work took less than this in a turn of the event loop, there is nothing to wait for. */
const IDLE_MS = 0.3;
/** A longer gap between two steps was spent waiting for something else: a model, a disk. */
const LONGEST_STEP_MS = 250;
/** Default budget of one question, in units of work; a step of an expression costs one, expensive operators more. */
const MOST_UNITS = 200_000;

export interface EffortOptions {
  /** Ends the work: the caller has gone, or its time is up. */
  readonly signal?: AbortSignal | undefined;
  readonly units?: number | undefined;
  /** Thread time, excluding waits. */
  readonly workMs?: number | undefined;
  /** The caller the work belongs to: callers take turns, however many questions each of them has. */
  readonly caller?: string | undefined;
  readonly turns?: Turns | undefined;
  /** In milliseconds. */
  readonly clock?: (() => number) | undefined;
}

/**
 * The budget of one question, standing query or tool. Long work calls `spend` at each step. That call refuses work
 * over budget, ends work whose caller has gone, and yields when the slice is over.
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

  /** Waits for the first turn: a piece that nobody waited for would not be counted. */
  begin(): Promise<void> {
    this.#check(0);
    return this.#wait();
  }

  /** Accounts for a step; returns a promise if the work must wait for its turn. Throws if it may not continue. */
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
    // Waiting does not count as work.
    this.#lastMs = this.#clock();
    this.#check(0);
  }
}

/** Captured when the module is loaded, so that a test with fake timers does not stop it. */
const soon = setImmediate;

/**
 * Schedules work on this thread: one piece at a time, round-robin over the callers. Between two pieces all other work
 * runs: short work finishes at once, and under constant load work in pieces gets a tenth of the thread.
 */
export class Turns {
  readonly #waiting = new Map<string, (() => void)[]>();
  readonly #clock: () => number;
  #beganMs = Number.NEGATIVE_INFINITY;
  /** End of the last piece, or of the last check for other work. */
  #lastMs = Number.NEGATIVE_INFINITY;
  /** Thread time still owed to other work. */
  #owedMs = 0;
  #isSet = false;

  constructor(clock: () => number = () => performance.now()) {
    this.#clock = clock;
  }

  /** Whether the current holder has used up its slice. */
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
    soon(() => this.#turn());
  }

  #turn(): void {
    const nowMs = this.#clock();
    const othersMs = nowMs - this.#lastMs;
    this.#lastMs = nowMs;
    this.#owedMs -= othersMs;
    if (this.#owedMs > 0 && othersMs > IDLE_MS) {
      soon(() => this.#turn());
      return;
    }
    this.#beganMs = nowMs;
    this.#nextInLine()?.();
    // The piece itself runs before any task queued after it.
    soon(() => {
      this.#lastMs = this.#clock();
      this.#owedMs = OTHERS_TIMES * (this.#lastMs - nowMs);
      this.#isSet = false;
      if (this.#waiting.size > 0) this.#set();
    });
  }

  #nextInLine(): (() => void) | undefined {
    const [first] = this.#waiting;
    if (first === undefined) return undefined;
    const [caller, own] = first;
    // The caller moves to the end of the queue with its remaining work.
    this.#waiting.delete(caller);
    const go = own.shift();
    if (own.length > 0) this.#waiting.set(caller, own);
    return go;
  }
}

const TURNS = new Turns();

/**
 * For long work other than questions: call it between two steps; it returns a promise once the work has held the
 * thread for a slice. Shorter work never waits, unless it is `known` to be long: then the first call waits as well.
 */
export function inSlices(
  caller = "",
  { known = false }: { readonly known?: boolean } = {},
): () => Promise<void> | undefined {
  let beganMs = known ? Number.NEGATIVE_INFINITY : performance.now();
  return () => {
    if (performance.now() - beganMs < SLICE_MS) return undefined;
    return TURNS.next(caller).then(() => {
      beganMs = performance.now();
    });
  };
}

/** `map` over a list that yields to other work: for lists as long as a request may send. */
export async function mapInTurns<T, R>(
  items: readonly T[],
  map: (item: T) => R,
  caller?: string,
): Promise<R[]> {
  const othersFirst = inSlices(caller);
  const made: R[] = [];
  for (const item of items) {
    made.push(map(item));
    await othersFirst();
  }
  return made;
}
