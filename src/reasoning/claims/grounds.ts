import type { MemoryReader } from "../../memory/index.ts";
import { type Evidence, statesOf } from "../../retrieval/evidence.ts";
import type { AnswerRecord, Expression } from "../../schema/index.ts";
import { type AskOptions, ask } from "../ask.ts";
import { evidenceMemory } from "../systems/reader/evidence-memory.ts";
import { wholeRecords } from "../systems/reader/read-evidence.ts";
import { statedThings } from "../systems/reader/stated-things.ts";

/** Which records a claim is held against: those it cites, all that were shown, or the whole memory. */
export type Reach = "cited" | "shown" | "memory";

/** What a question comes to within a reach. */
export interface Told {
  readonly answer: AnswerRecord;
  /** The records of the real memory that it rests on, and their tracks. */
  readonly refs: ReadonlySet<string>;
}

/**
 * The records that an answer may rest on, as memories of their own that hold nothing else. So a claim about "the mug" is
 * held against the mug that was cited and against no other.
 */
export class Grounds {
  readonly #options: AskOptions;
  readonly #items: Readonly<Record<"cited" | "shown", readonly Evidence[]>>;
  readonly #memories = new Map<Reach, Promise<Opened>>();
  readonly #told = new Map<string, Promise<Told>>();

  constructor(options: AskOptions, cited: readonly Evidence[], shown: readonly Evidence[]) {
    const {
      options: _choices,
      history: _history,
      live: _live,
      forest: _forest,
      ...plain
    } = options as AskOptions & {
      live?: unknown;
    };
    this.#options = { ...plain, navigate: false };
    this.#items = {
      cited,
      shown: [...new Map([...cited, ...shown].map((item) => [item.id, item])).values()],
    };
  }

  /** A question within a reach; each is asked once. */
  ask(question: string, reach: Reach, expression?: Expression): Promise<Told> {
    const key = `${reach} ${expression === undefined ? question : JSON.stringify(expression)}`;
    const known = this.#told.get(key);
    if (known) return known;
    const told = this.#ask(question, reach, expression);
    this.#told.set(key, told);
    return told;
  }

  async #ask(question: string, reach: Reach, expression: Expression | undefined): Promise<Told> {
    const { reader, saidBy } = await this.#opened(reach);
    const { map: _map, ...bare } = this.#options;
    const options = reach === "memory" ? this.#options : bare;
    const answer = await ask(question, { ...options, reader, ...(expression && { expression }) });
    const refs = answer.evidence.flatMap(({ ref, trackId }) => [
      saidBy.get(ref) ?? ref,
      ...(trackId === undefined ? [] : [trackId]),
    ]);
    return { answer, refs: new Set(refs) };
  }

  get nowUs(): number {
    return this.#options.nowUs;
  }

  /** What the things cited are called by their records. */
  categories(): string[] {
    return [
      ...new Set(
        this.#items.cited.flatMap(({ record }) => (record.kind === "state" ? [record.category] : [])),
      ),
    ];
  }

  /** The rooms that these records are in, and of things that a statement names, as far as they were shown. */
  rooms(refs: ReadonlySet<string>, statement: string): string[] {
    const own = this.#items.shown.filter(
      ({ id, record }) =>
        record.kind === "state" &&
        (refs.has(id) || refs.has(record.trackId) || statement.includes(record.category)),
    );
    return [...new Set(own.flatMap(({ chain }) => chain?.[0] ?? []))];
  }

  /** When what was cited was first or last seen. */
  seen(which: "first" | "last"): { readonly id: string; readonly atUs: number }[] {
    return this.#items.cited.flatMap(({ id, presence }) => {
      const atUs = which === "first" ? presence?.firstSeenUs : presence?.lastSeenUs;
      return atUs == null ? [] : [{ id, atUs }];
    });
  }

  /** When what was cited happened, as far as it is events. */
  happened(): { readonly id: string; readonly atUs: number }[] {
    return this.#items.cited.flatMap(({ id, record }) =>
      record.kind === "event" ? [{ id, atUs: record.validFromUs }] : [],
    );
  }

  /** Ids of what was cited: records, their tracks, and the states that they speak of. */
  cited(): ReadonlySet<string> {
    return new Set(
      this.#items.cited.flatMap(({ id, record }) => [
        id,
        ...statesOf(record),
        ...(record.kind === "state" ? [record.trackId] : []),
      ]),
    );
  }

  #opened(reach: Reach): Promise<Opened> {
    const known = this.#memories.get(reach);
    if (known) return known;
    const opened =
      reach === "memory"
        ? Promise.resolve({ reader: this.#options.reader, saidBy: new Map() })
        : this.#narrow(reach);
    this.#memories.set(reach, opened);
    return opened;
  }

  async #narrow(reach: "cited" | "shown"): Promise<Opened> {
    const { reader, embedder, signal } = this.#options;
    const items = this.#items[reach];
    const spoken = items.filter(({ record }) => record.kind !== "state" && record.text.length > 0);
    const stated = statedThings(spoken);
    const records = [...(await wholeRecords(items, this.#options)), ...stated.records];
    const saidBy = new Map([...stated.saidBy].map(([id, { record }]) => [id, record.id]));
    return {
      reader: await evidenceMemory(records, { reader, embedder, signal, sightings: stated.sightings }),
      saidBy,
    };
  }
}

interface Opened {
  readonly reader: MemoryReader;
  /** Which text of the memory each stated record comes from. */
  readonly saidBy: ReadonlyMap<string, string>;
}
