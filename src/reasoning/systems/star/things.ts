import { statesOf } from "../../../retrieval/evidence.ts";
import type { Evidence } from "../../../retrieval/index.ts";
import type { ShortIds } from "../../evidence/index.ts";
import { recordsBy } from "../find.ts";
import type { SystemOptions } from "../system.ts";

/** So many things are named after a caption; those of its cluster come first. */
const NAMED = 12;

/** The primitives that captions saw, under the short ids of their tracks: STaR's global indices. */
export class Things {
  readonly #ids: ShortIds;
  readonly #known = new Map<string, Evidence>();

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
  }

  idOf(stateId: string): string | undefined {
    return this.#ids.known(stateId);
  }

  /** The thing of a short id, as it was last. */
  byId(id: string): Evidence | undefined {
    const trackId = this.#ids.full(id);
    const stays = [...this.#known.values()].filter(
      ({ record }) => record.kind === "state" && record.trackId === trackId,
    );
    return stays.sort((a, b) => b.record.validFromUs - a.record.validFromUs)[0];
  }

  /** " Things: [t1] red mug at (1.0, 2.0), …", those first that the search was about. */
  of({ record }: Evidence, relevant: ReadonlySet<string>): string {
    const known = statesOf(record).flatMap((id) => this.#known.get(id) ?? []);
    const ordered = [
      ...known.filter(({ id }) => relevant.has(id)),
      ...known.filter(({ id }) => !relevant.has(id)),
    ];
    if (ordered.length === 0) return "";
    const named = ordered.slice(0, NAMED).map((thing) => `[${this.idOf(thing.id)}] ${lookOf(thing)}`);
    const more = ordered.length > NAMED ? ` and ${ordered.length - NAMED} more` : "";
    return ` Things: ${named.join(", ")}${more}.`;
  }
}

function lookOf({ record, position }: Evidence): string {
  if (record.kind !== "state") return "thing";
  const where = position ? ` at (${position.x.toFixed(1)}, ${position.y.toFixed(1)})` : "";
  return `${record.name}${where}`;
}
