import { apply, type Transform, vec3 } from "../../geometry/index.ts";
import type { MapParts, PartName, Percept } from "../../schema/core.ts";
import type { Extent } from "./shape.ts";
import type { Thing } from "./thing.ts";

/** The most instances and stays that are kept, the last ones. */
const MOST = 2_000;

/** How often a stay was observed as each instance of the map, and which instances were rejected. */
export class ShownParts {
  readonly #none = new Map<number, MapParts["none"][number]>();
  readonly #looks = new Map<string, Map<number, number>>();
  readonly #extents = new Map<number, Float32Array>();
  readonly #names = new Map<number, PartName>();
  /**
   * For each stay and submap: how often it was observed there, and the place of the map in the last of these frames.
   */
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

  /** Every stay observed as instances of the map, with the count for each. */
  *stays(): Generator<readonly [stateId: string, looks: ReadonlyMap<number, number>]> {
    yield* this.#looks;
  }

  /** Whether a stay was observed as this instance before, or as one that contains it. */
  wasSeenAs(stateId: string, part: number | undefined): boolean {
    const own = this.#looks.get(stateId);
    if (part === undefined || !own) return false;
    return own.has(part) || [...own.keys()].some((one) => this.#none.get(one)?.heirs.includes(part));
  }

  /** Whether the last segmentation contains an instance with an extent. */
  hasExtent(part: number): boolean {
    return !this.#none.has(part) && this.#extents.has(part);
  }

  /**
   * The extent of an instance, in the submap in which a stay was seen most often. Maps are not corrected as submaps
   * are, so the map has another place in every submap; its place in frames that showed the thing is the right one.
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

  /** The label of an instance in the last segmentation that contains it. */
  nameOf(part: number): PartName | undefined {
    return this.#names.get(part);
  }

  /** What became of a rejected instance. */
  noneOf(part: number): MapParts["none"][number] | undefined {
    return this.#none.get(part);
  }
}
