import { Belief } from "../../../belief/belief.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import { isKindOf } from "../../../ontology/index.ts";
import { statesOf } from "../../../retrieval/evidence.ts";
import { cuesOf, type Evidence } from "../../../retrieval/index.ts";
import { tokensOf } from "../../../retrieval/ranking/budget.ts";
import { cardOf, factsOfAll, type ShortIds } from "../../evidence/index.ts";
import { sideText } from "../../loop/viewer-in.ts";
import { recordsBy } from "../find.ts";
import type { SystemOptions } from "../system.ts";
import { standOf } from "./stand.ts";

/** So many things are named after a caption; those of its cluster come first. */
const NAMED = 12;
/** So many things are told of in full, those that the question names first. */
const MOST_CARDS = 32;

/** The primitives that captions saw, under the short ids of their tracks: STaR's global indices. */
export class Things {
  readonly #ids: ShortIds;
  readonly #known = new Map<string, Evidence>();
  /** In how many of the records that were read each track is. */
  readonly #seen = new Map<string, number>();

  constructor(ids: ShortIds) {
    this.#ids = ids;
  }

  /** Reads the things of these records. */
  async read(items: readonly Evidence[], options: SystemOptions): Promise<void> {
    const ids = items.flatMap(({ record }) => statesOf(record)).filter((id) => !this.#known.has(id));
    for (const thing of await recordsBy(ids, options)) {
      if (thing.record.kind !== "state") continue;
      this.#known.set(thing.id, thing);
      this.#ids.alias(thing.id, this.#ids.of(thing.record.trackId, "thing"));
    }
    for (const { record } of items)
      for (const trackId of new Set(this.#states(record).map((one) => trackOf(one))))
        this.#seen.set(trackId, (this.#seen.get(trackId) ?? 0) + 1);
  }

  idOf(stateId: string): string | undefined {
    return this.#ids.known(stateId);
  }

  /** The thing of a short id, as it was last. */
  byId(id: string): Evidence | undefined {
    const trackId = this.#ids.full(id);
    const stays = [...this.#known.values()].filter((one) => trackOf(one) === trackId);
    return stays.sort((a, b) => b.record.validFromUs - a.record.validFromUs)[0];
  }

  /** " Things: [t1] red mug at (1.0, 2.0), …", those first that the search was about. */
  of({ record }: Evidence, relevant: ReadonlySet<string>): string {
    const known = this.#states(record);
    const ordered = [
      ...known.filter(({ id }) => relevant.has(id)),
      ...known.filter(({ id }) => !relevant.has(id)),
    ];
    if (ordered.length === 0) return "";
    const named = ordered.slice(0, NAMED).map((thing) => `[${this.idOf(thing.id)}] ${lookOf(thing)}`);
    const more = ordered.length > NAMED ? ` and ${ordered.length - NAMED} more` : "";
    return ` Things: ${named.join(", ")}${more}.`;
  }

  /** " Shows t1 t4.": the ids alone, where cards tell the rest. */
  shownIn(...items: readonly Evidence[]): string {
    const states = items.flatMap(({ record }) => this.#states(record));
    const ids = new Set(states.flatMap(({ id }) => this.idOf(id) ?? []));
    return ids.size === 0 ? "" : ` Shows ${[...ids].join(" ")}.`;
  }

  /**
   * The beliefs about the things, a line each: those that the question names first, then those in most records. Cards
   * that do not fit are counted.
   */
  async cards(question: string, options: SystemOptions, tokens: number): Promise<string> {
    const memory = new Belief(options);
    const context = { memory, ids: this.#ids, signal: options.signal };
    const things = await this.#ranked(question, memory);
    const stand = await standOf(options);
    const lines: string[] = [];
    let left = tokens;
    // Pictures are not offered here, so that a card must not name them.
    for (const { pictureId: _, ...facts } of await factsOfAll(things.slice(0, MOST_CARDS), context)) {
      const side = stand && facts.position ? ` · ${sideText(stand, facts.position)} of the robot` : "";
      const line = `${cardOf(facts, context)}${side}`;
      left -= tokensOf(line);
      if (lines.length > 0 && left < 0) break;
      lines.push(line);
    }
    const more = things.length - lines.length;
    return [...lines, ...(more > 0 ? [`and ${more} more things`] : [])].join("\n");
  }

  /** The things that were read, each as it is by now. */
  async #ranked(question: string, memory: Belief): Promise<KnownThing[]> {
    const stays = [...(await memory.staysById([...this.#known.keys()])).values()];
    const latest = new Map<string, KnownThing>();
    for (const stay of stays.sort((a, b) => a.state.validFromUs - b.state.validFromUs))
      latest.set(stay.state.trackId, stay);
    const words = cuesOf(question).concepts.flatMap(({ words: own, same }) => [own, ...same]);
    const isNamed = ({ name, category }: KnownThing) =>
      words.some((word) => name.toLowerCase().includes(word) || isKindOf(category, word));
    const worth = (thing: KnownThing) =>
      (isNamed(thing) ? 1_000_000 : 0) + (this.#seen.get(thing.state.trackId) ?? 0);
    return [...latest.values()].sort(
      (a, b) => worth(b) - worth(a) || (a.state.trackId < b.state.trackId ? -1 : 1),
    );
  }

  #states(record: Evidence["record"]): Evidence[] {
    return statesOf(record).flatMap((id) => this.#known.get(id) ?? []);
  }
}

const trackOf = ({ record }: Evidence) => (record.kind === "state" ? record.trackId : record.id);

function lookOf({ record, position }: Evidence): string {
  if (record.kind !== "state") return "thing";
  const where = position ? ` at (${position.x.toFixed(1)}, ${position.y.toFixed(1)})` : "";
  return `${record.name}${where}`;
}
