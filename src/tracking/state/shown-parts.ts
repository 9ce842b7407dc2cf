import { apply, type Transform, vec3 } from "../../geometry/index.ts";
import type { MapParts, PartName, Percept } from "../../schema/core.ts";
import type { Extent } from "./shape.ts";
import type { Thing } from "./thing.ts";

/** Parts and stays that are remembered at most, the last ones. */
const MOST = 2_000;

/** How often a stay was seen as which thing of a map of its own, and which of these were none after all. */
export class ShownParts {
  readonly #none = new Map<number, MapParts["none"][number]>();
  readonly #looks = new Map<string, Map<number, number>>();
  readonly #extents = new Map<number, Float32Array>();
  readonly #names = new Map<number, PartName>();
  /** Of each stay, by the submap that it was seen in: how often, and where the map lay by the last of these frames. */
  readonly #places = new Map<
    string,
    Map<string, { readonly count: number; readonly submapFromMap: Transform }>
  >();

  note({ detections, parts, submap, submapFromMap }: Percept, seen: ReadonlyMap<Thing, number>): void {
    parts?.shown.forEach((part, n) => {
      this.#none.delete(part);
      const points = parts.extents?.[n];
      if (points) this.#extents.set(part, points);
      const name = parts.names?.[n];
      if (name) this.#names.set(part, name);
    });
    for (const one of parts?.none ?? []) this.#none.set(one.part, one);
    for (const [{ stateId }, index] of seen) {
      const part = detections[index]?.part;
      if (part === undefined) continue;
      const own = this.#looks.get(stateId) ?? new Map();
      this.#looks.set(stateId, own.set(part, (own.get(part) ?? 0) + 1));
      if (!submapFromMap) continue;
      const places = this.#places.get(stateId) ?? new Map();
      const count = (places.get(submap)?.count ?? 0) + 1;
      this.#places.set(stateId, places.set(submap, { count, submapFromMap }));
    }
    for (const kept of [this.#none, this.#looks, this.#extents, this.#names, this.#places] as readonly Map<
      unknown,
      unknown
    >[])
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

  /** Whether the last cut shows a part, and says how far it reaches. */
  hasExtent(part: number): boolean {
    return !this.#none.has(part) && this.#extents.has(part);
  }

  /**
   * How far a part reaches, in the submap in which a stay was seen most often. Maps are not corrected as submaps are, so that
   * the map lies elsewhere in every submap; where it lay in frames that showed the thing is where its thing is.
   */
  extentOf(part: number, stateId: string): Extent | undefined {
    const points = this.#extents.get(part);
    const [most] = [...(this.#places.get(stateId) ?? [])].sort(([, a], [, b]) => b.count - a.count);
    if (!points || !most) return undefined;
    const [submap, { submapFromMap }] = most;
    const moved = Float32Array.from(points);
    for (let at = 0; at < points.length; at += 3) {
      const { x, y, z } = apply(submapFromMap, vec3(points[at]!, points[at + 1]!, points[at + 2]!));
      moved.set([x, y, z], at);
    }
    return { submap, points: moved };
  }

  /** What a part is by the last cut that shows it. */
  nameOf(part: number): PartName | undefined {
    return this.#names.get(part);
  }

  /** What became of a part that was none. */
  noneOf(part: number): MapParts["none"][number] | undefined {
    return this.#none.get(part);
  }
}
