import { statesOf } from "../../../retrieval/evidence.ts";
import type { Evidence } from "../../../retrieval/index.ts";
import { recordsBy } from "../find.ts";
import type { SystemOptions } from "../system.ts";

/** So many things are named after a caption; those of its cluster come first. */
const NAMED = 12;

/** The primitives that captions saw, under short ids that stay the same for a whole question. */
export class Things {
  readonly #ids = new Map<string, string>();
  readonly #known = new Map<string, Evidence>();

  /** Reads the things of these records. */
  async read(items: readonly Evidence[], options: SystemOptions): Promise<void> {
    const ids = items.flatMap(({ record }) => statesOf(record)).filter((id) => !this.#known.has(id));
    for (const thing of await recordsBy(ids, options)) {
      this.#known.set(thing.id, thing);
      this.#ids.set(thing.id, `t${this.#ids.size + 1}`);
    }
  }

  idOf(stateId: string): string | undefined {
    return this.#ids.get(stateId);
  }

  /** The thing of a short id, with or without its brackets. */
  byId(id: string): Evidence | undefined {
    for (const [stateId, short] of this.#ids) if (short === id) return this.#known.get(stateId);
    return undefined;
  }

  /** " Things: [t1] red mug at (1.0, 2.0), …", those first that the search was about. */
  of({ record }: Evidence, relevant: ReadonlySet<string>): string {
    const known = statesOf(record).flatMap((id) => this.#known.get(id) ?? []);
    const ordered = [
      ...known.filter(({ id }) => relevant.has(id)),
      ...known.filter(({ id }) => !relevant.has(id)),
    ];
    if (ordered.length === 0) return "";
    const named = ordered.slice(0, NAMED).map((thing) => `[${this.#ids.get(thing.id)}] ${lookOf(thing)}`);
    const more = ordered.length > NAMED ? ` and ${ordered.length - NAMED} more` : "";
    return ` Things: ${named.join(", ")}${more}.`;
  }
}

function lookOf({ record, position }: Evidence): string {
  if (record.kind !== "state") return "thing";
  const where = position ? ` at (${position.x.toFixed(1)}, ${position.y.toFixed(1)})` : "";
  return `${record.name}${where}`;
}
