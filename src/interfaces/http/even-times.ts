import { randomInt } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { Env } from "./context.ts";

/** Milliseconds between two moments at which answers are let go. */
const MIN_MS = 1;
const MAX_MS = 5;

/**
 * Looking at something hidden takes some microseconds longer than finding that there is nothing. Answers to whoever does
 * not hold every label are therefore let go only at moments that have nothing to do with how long the work took: they
 * come at random distances from when the first such request came in. It costs a caller about three milliseconds.
 */
export class EvenTimes {
  #inside = 0;
  #isRunning = false;
  #ready: (() => void)[] = [];

  readonly middleware: MiddlewareHandler<Env> = async (c, next) => {
    if (c.get("caller").actor.labels === "*") return next();
    this.#inside++;
    this.#run();
    try {
      await next();
      await new Promise<void>((resolve) => this.#ready.push(resolve));
    } finally {
      this.#inside--;
    }
  };

  /** One clock for all; it stops when nobody is inside. */
  #run(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    setTimeout(
      () => {
        this.#isRunning = false;
        for (const letGo of this.#ready.splice(0)) letGo();
        // Those that were just let go leave in a moment.
        setImmediate(() => {
          if (this.#inside > 0) this.#run();
        });
      },
      randomInt(MIN_MS, MAX_MS + 1),
    );
  }
}
