import { assert } from "../../schema/core.ts";
import type { Cell, Naming } from "../rows/codec.ts";
import { fromText } from "./text.ts";

/** Numbers for names, of one index in one process; 1 or more. */
export class Numbers implements Naming {
  readonly #numbers = new Map<string, number>();
  readonly #texts: string[] = [""];

  find(text: string): number | undefined {
    return this.#numbers.get(text);
  }

  intern(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.#texts.push(text) - 1;
      this.#numbers.set(text, number);
    }
    return number;
  }

  /** The same of a name as the tables write it. */
  internStored(stored: string): number {
    return this.intern(fromText(stored));
  }

  textOf(cell: Cell): string {
    const text = this.#texts[Number(cell)];
    assert(text !== undefined, "a number was given out before it is asked for");
    return text;
  }

  /** Every name with its number. */
  *all(): Generator<[text: string, number: number]> {
    yield* this.#numbers;
  }
}
