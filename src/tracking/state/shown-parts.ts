import type { MapParts, Percept } from "../../schema/core.ts";
import type { Thing } from "./thing.ts";

/** Parts and stays that are remembered at most, the last ones. */
const MOST = 2_000;

/** How often a stay was seen as which thing of a map of its own, and which of these were none after all. */
export class ShownParts {
  readonly #none = new Map<number, MapParts["none"][number]>();
  readonly #looks = new Map<string, Map<number, number>>();

  note({ detections, parts }: Percept, seen: ReadonlyMap<Thing, number>): void {
    for (const part of parts?.shown ?? []) this.#none.delete(part);
    for (const one of parts?.none ?? []) this.#none.set(one.part, one);
    for (const [{ stateId }, index] of seen) {
      const part = detections[index]?.part;
      if (part === undefined) continue;
      const own = this.#looks.get(stateId) ?? new Map();
      this.#looks.set(stateId, own.set(part, (own.get(part) ?? 0) + 1));
    }
    for (const kept of [this.#none, this.#looks] as readonly Map<unknown, unknown>[])
      for (const key of kept.keys()) {
        if (kept.size <= MOST) break;
        kept.delete(key);
      }
  }

  /** Every stay that was seen as things of the map, with how often as which. */
  *stays(): Generator<readonly [stateId: string, looks: ReadonlyMap<number, number>]> {
    yield* this.#looks;
  }

  /** Whether a stay was seen as this thing of the map before, or as one of which this is a part. */
  wasSeenAs(stateId: string, part: number | undefined): boolean {
    const own = this.#looks.get(stateId);
    if (part === undefined || !own) return false;
    return own.has(part) || [...own.keys()].some((one) => this.#none.get(one)?.heirs.includes(part));
  }

  /** What became of a part that was none. */
  noneOf(part: number): MapParts["none"][number] | undefined {
    return this.#none.get(part);
  }
}
