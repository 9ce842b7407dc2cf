import { LociError } from "../../schema/core.ts";

export interface QueueLimits {
  /** At work at once, in all and of one caller. */
  readonly questions: number;
  readonly questionsOfOne: number;
  /** Waiting, of one caller. */
  readonly waitingOfOne: number;
}

interface Waiting {
  readonly caller: string;
  readonly go: () => void;
}

/**
 * Questions, and all that costs as much as one: a few run, the others wait for their turn. The caller with the fewest
 * running goes first, so that many questions of one caller delay only its own.
 */
export class Queue {
  readonly #limits: QueueLimits;
  /** Starts what waited; see the constructor. */
  readonly #start: (go: () => void) => void;
  readonly #atWork = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();
  #all = 0;

  /**
   * Waiting work starts as soon as there is room, or when `start` says so: with `setImmediate` short work that never
   * waits for anything else lets the whole event loop go round between two of one caller.
   */
  constructor(limits: QueueLimits, start: (go: () => void) => void = (go) => go()) {
    this.#limits = limits;
    this.#start = start;
  }

  /** Runs the work when it is the caller's turn; work aborted before that is not started. */
  async run<T>(caller: string, signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T> {
    if (!this.#hasRoom(caller)) await this.#turn(caller, signal);
    else this.#begin(caller);
    try {
      return await work();
    } finally {
      this.#end(caller);
    }
  }

  #hasRoom(caller: string): boolean {
    const { questions, questionsOfOne } = this.#limits;
    return this.#all < questions && (this.#atWork.get(caller) ?? 0) < questionsOfOne;
  }

  #begin(caller: string): void {
    this.#all++;
    this.#atWork.set(caller, (this.#atWork.get(caller) ?? 0) + 1);
  }

  #end(caller: string): void {
    this.#all--;
    const left = this.#atWork.get(caller)! - 1;
    if (left === 0) this.#atWork.delete(caller);
    else this.#atWork.set(caller, left);
    this.#next();
  }

  #next(): void {
    let first: Waiting | undefined;
    for (const one of this.#waiting) {
      if (!this.#hasRoom(one.caller)) continue;
      const [own, least] = [one, first].map((each) => this.#atWork.get(each?.caller ?? "") ?? 0);
      if (first === undefined || own! < least!) first = one;
    }
    if (first === undefined) return;
    this.#waiting.delete(first);
    this.#begin(first.caller);
    this.#start(first.go);
  }

  async #turn(caller: string, signal: AbortSignal | undefined): Promise<void> {
    const own = [...this.#waiting].filter((one) => one.caller === caller).length;
    if (own >= this.#limits.waitingOfOne)
      throw new LociError("overloaded", `${own} questions of yours are waiting already; try again`);
    signal?.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiting);
        reject(signal?.reason);
      };
      const waiting: Waiting = {
        caller,
        go: () => {
          signal?.removeEventListener("abort", leave);
          resolve();
        },
      };
      this.#waiting.add(waiting);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }
}
