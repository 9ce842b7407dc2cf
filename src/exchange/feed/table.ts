/** Texts that rows reference by number, each once, in order of first use. */
export class Table {
  readonly all: string[] = [];
  readonly #numbers = new Map<string, number>();

  constructor(first: readonly string[] = []) {
    for (const text of first) this.of(text);
  }

  of(text: string): number {
    let number = this.#numbers.get(text);
    if (number === undefined) {
      number = this.all.length;
      this.#numbers.set(text, number);
      this.all.push(text);
    }
    return number;
  }
}
