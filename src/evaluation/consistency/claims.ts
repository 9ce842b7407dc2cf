/** One statement of one face of a memory about a subject. */
export interface Claim {
  /** A track, a room, a note. */
  readonly subject: string;
  /** The aspect: whether it is there, its room, a state. */
  readonly aspect: string;
  /** The source: a question, a listing, the feed, an export. */
  readonly face: string;
  readonly value: string;
}

/** Faces that disagree about one subject. */
export interface Contradiction {
  readonly subject: string;
  readonly aspect: string;
  readonly said: Readonly<Record<string, string>>;
}

/** The statements of faces, and their disagreements. A face without an answer makes no statement. */
export class Claims {
  readonly #said = new Map<string, { subject: string; aspect: string; by: Map<string, string> }>();
  count = 0;

  add({ subject, aspect, face, value }: Claim): void {
    const key = `${subject} ${aspect}`;
    const known = this.#said.get(key) ?? { subject, aspect, by: new Map<string, string>() };
    known.by.set(face, value);
    this.#said.set(key, known);
    this.count++;
  }

  contradictions(): Contradiction[] {
    return [...this.#said.values()]
      .filter(({ by }) => new Set(by.values()).size > 1)
      .map(({ subject, aspect, by }) => ({ subject, aspect, said: Object.fromEntries(by) }));
  }
}
