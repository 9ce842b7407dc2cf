import type { MemoryReader } from "../../memory/index.ts";
import { type Evidence, statesOf } from "../../retrieval/evidence.ts";
import type { AnswerRecord, Expression, Stored } from "../../schema/index.ts";
import { type AskOptions, ask } from "../ask.ts";
import { evidenceMemory } from "../systems/reader/evidence-memory.ts";
import { wholeRecords } from "../systems/reader/read-evidence.ts";
import { statedThings } from "../systems/reader/stated-things.ts";

/** The records against which a claim is checked: those it cites, all that were shown, or the whole memory. */
export type Reach = "cited" | "shown" | "memory";

/** The result of a question within a reach. */
export interface Told {
  readonly answer: AnswerRecord;
  /** The records of the real memory in its evidence, and their tracks. */
  readonly refs: ReadonlySet<string>;
  /** Their names. */
  readonly named: readonly string[];
}

/**
 * The records that an answer may use, as separate memories without any others. A claim about "the mug" is thus checked
 * against the cited mug and no other.
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
    const records = await this.#options.reader.get([...new Set(refs)].slice(0, MOST_NAMED));
    return {
      answer,
      refs: new Set(refs),
      named: records.flatMap((record) => (record ? namesOf(record) : [])),
    };
  }

  get nowUs(): number {
    return this.#options.nowUs;
  }

  /** The categories of the cited things. */
  categories(): string[] {
    return [
      ...new Set(
        this.#items.cited.flatMap(({ record }) => (record.kind === "state" ? [record.category] : [])),
      ),
    ];
  }

  /** The names and places of the cited or shown records. */
  names(): string[] {
    return this.#items.shown.flatMap(({ record, chain }) => [
      ...namesOf(record),
      ...(chain?.slice(0, 1) ?? []),
    ]);
  }

  /** Colours, materials and the like that every cited thing has. */
  looks(): string[] {
    const each = this.#items.cited.flatMap(({ record }) =>
      record.kind === "state" ? [Object.values(record.attributes).map(({ value }) => String(value))] : [],
    );
    return (each[0] ?? []).filter((value) => each.every((own) => own.includes(value)));
  }

  /** Whether a cited stay has ended: then it is about the past. */
  get isPast(): boolean {
    return this.#items.cited.some(({ record }) => record.kind === "state" && record.validToUs !== null);
  }

  /** The rooms of these records, and of things that a statement names, as far as they were shown. */
  rooms(refs: ReadonlySet<string>, statement: string): string[] {
    const own = this.#items.shown.filter(
      ({ id, record }) =>
        record.kind === "state" &&
        (refs.has(id) || refs.has(record.trackId) || statement.includes(record.category)),
    );
    return [...new Set(own.flatMap(({ chain }) => chain?.[0] ?? []))];
  }

  /** When the cited things that a statement names were first or last seen. */
  seen(which: "first" | "last", statement: string): { readonly id: string; readonly atUs: number }[] {
    const words = statement.toLowerCase();
    return this.#items.cited.flatMap(({ id, record, presence }) => {
      const atUs = which === "first" ? presence?.firstSeenUs : presence?.lastSeenUs;
      const isNamed =
        record.kind === "state" &&
        [record.category, record.name].some((name) => words.includes(name.toLowerCase()));
      return atUs == null || !isNamed ? [] : [{ id, atUs }];
    });
  }

  /** The cited events, with their times. */
  happened(): { readonly id: string; readonly atUs: number }[] {
    return this.#items.cited.flatMap(({ id, record }) =>
      record.kind === "event" ? [{ id, atUs: record.validFromUs }] : [],
    );
  }

  /** Ids of the cited records, their tracks, and the states that they refer to. */
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

/** The most records whose names are read. */
const MOST_NAMED = 64;

function namesOf(record: Stored): string[] {
  if (record.kind === "state") return [record.category, record.name];
  return record.kind === "region" ? [record.name] : [];
}

interface Opened {
  readonly reader: MemoryReader;
  /** The source text of each stated record. */
  readonly saidBy: ReadonlyMap<string, string>;
}
