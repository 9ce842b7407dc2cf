import type { MapParts, Percept } from "../../schema/core.ts";
import type { Thing } from "./thing.ts";

/** Parts and stays that are remembered at most, the last ones. */
const MOST = 2_000;

/** Which things of a map of its own a stay was seen as, and which of them were none after all. */
export class ShownParts {
  readonly #none = new Map<number, MapParts["none"][number]>();
  readonly #partsOf = new Map<string, Set<number>>();

  note({ detections, parts }: Percept, seen: ReadonlyMap<Thing, number>): void {
    for (const part of parts?.shown ?? []) this.#none.delete(part);
    for (const one of parts?.none ?? []) this.#none.set(one.part, one);
    for (const [{ stateId }, index] of seen) {
      const part = detections[index]?.part;
      if (part === undefined) continue;
      const own = this.#partsOf.get(stateId) ?? new Set();
      this.#partsOf.set(stateId, own.add(part));
    }
    for (const kept of [this.#none, this.#partsOf] as readonly Map<unknown, unknown>[])
      for (const key of kept.keys()) {
        if (kept.size <= MOST) break;
        kept.delete(key);
      }
  }

  /** Every stay that was seen as a thing of the map, with those things. */
  *stays(): Generator<readonly [stateId: string, parts: ReadonlySet<number>]> {
    yield* this.#partsOf;
  }

  /** What became of a part that was none. */
  noneOf(part: number): MapParts["none"][number] | undefined {
    return this.#none.get(part);
  }
}
