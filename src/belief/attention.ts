import { SEARCH } from "./settings/search.ts";

import { SettledSearch } from "./settled-search.ts";
import type { KnownThing } from "./thing.ts";

/** What a question is about while it is answered: the thing that was pointed at, and the things to look among. */
export class Attention extends SettledSearch {
  #pointed: KnownThing | undefined;
  #among: readonly string[] | undefined;

  /** From here on "this" is that thing. */
  point(thing: KnownThing | undefined): void {
    this.#pointed = thing;
  }

  get isPointed(): boolean {
    return this.#pointed !== undefined;
  }

  /** What "this" is, where something was shown. */
  get pointed(): KnownThing | undefined {
    return this.#pointed;
  }

  /** The states among which things are looked for now; undefined: all. */
  get lookedAmong(): readonly string[] | undefined {
    return this.#among;
  }

  /** While `work` runs, only these states are searched. */
  async among<T>(stateIds: readonly string[], work: () => Promise<T>): Promise<T> {
    this.#among = stateIds.slice(0, SEARCH.setHits);
    try {
      return await work();
    } finally {
      this.#among = undefined;
    }
  }
}
