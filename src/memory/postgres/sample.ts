import { type Box, Random } from "../../geometry/index.ts";
import type { Session, Values } from "./database.ts";
import type { SceneState } from "./scene.ts";
import type { SubmapBounds } from "./where.ts";

/** How many rows of a scene are sampled to find the most selective key. */
const SIZE = 500;
/** Smaller scenes are read quickly by any way. */
const LEAST_ROWS = 4_000;
/** Looked at again when the scene has grown by this. */
const GROWN = 1.25;

/** A few believed rows of a scene: what share of it a key lets pass, where the server's statistics are of all scenes. */
export class SceneSample {
  readonly #names: readonly (string | null)[];
  /** Which of the names each row's submap has. */
  readonly #submaps: Int32Array;
  /** Five numbers a row: place, beginning, end. */
  readonly #numbers: Float64Array;

  constructor(rows: readonly Values[]) {
    this.#names = [...new Set(rows.map(([submap]) => submap as string | null))];
    this.#submaps = Int32Array.from(rows, ([submap]) => this.#names.indexOf(submap as string | null));
    this.#numbers = new Float64Array(rows.length * 5);
    rows.forEach(([, x, y, z, fromUs, toUs], i) => {
      this.#numbers.set([Number(x), Number(y), Number(z), Number(fromUs), Number(toUs ?? Infinity)], i * 5);
    });
  }

  /** The shares of the rows that lie within bounds, overlap an interval, and do both. */
  shares(
    places: readonly SubmapBounds[] | undefined,
    overlaps: { readonly fromUs: number; readonly toUs: number | null } | undefined,
  ): { readonly inPlace: number; readonly inTime: number; readonly inBoth: number } {
    const byName = new Map<string | null, Box>(places?.map(({ submap, inSubmap }) => [submap, inSubmap]));
    const boxes = places && this.#names.map((name) => byName.get(name));
    const { fromUs = -Infinity, toUs = null } = overlaps ?? {};
    const until = toUs ?? Infinity;
    const [numbers, submaps] = [this.#numbers, this.#submaps];
    let [inPlace, inTime, inBoth] = [0, 0, 0];
    for (let i = 0, at = 0; i < submaps.length; i++, at += 5) {
      const isThere = boxes === undefined || isIn(boxes[submaps[i]!], numbers, at);
      const isThen = numbers[at + 3]! < until && numbers[at + 4]! > fromUs;
      if (isThere) inPlace++;
      if (isThen) inTime++;
      if (isThere && isThen) inBoth++;
    }
    const all = Math.max(submaps.length, 1);
    return { inPlace: inPlace / all, inTime: inTime / all, inBoth: inBoth / all };
  }
}

function isIn(box: Box | undefined, numbers: Float64Array, at: number): boolean {
  if (box === undefined) return false;
  const { min, max } = box;
  const x = numbers[at]!;
  if (x < min.x || x > max.x) return false;
  const [y, z] = [numbers[at + 1]!, numbers[at + 2]!];
  return y >= min.y && y <= max.y && z >= min.z && z <= max.z;
}

/** The sample of a scene, kept between calls. */
export class SampleCache {
  #ofRows = 0;
  #sample: SceneSample | undefined;

  /** Undefined for scenes that are too small to need one. */
  async sample(session: Session, { sceneId, recordRow }: SceneState): Promise<SceneSample | undefined> {
    if (recordRow < LEAST_ROWS) return undefined;
    if (this.#sample === undefined || recordRow > this.#ofRows * GROWN || recordRow < this.#ofRows) {
      this.#ofRows = recordRow;
      const random = new Random(recordRow);
      const some = Array.from({ length: SIZE }, () => random.int(1, recordRow + 1));
      const rows = await session.rows(
        `SELECT r.submap, r.x, r.y, r.z, r.valid_from, r.valid_to FROM record r
           WHERE r.scene_id = $1 AND r.superseded_at IS NULL AND r.row = ANY($2::bigint[])`,
        [sceneId, some],
      );
      this.#sample = new SceneSample(rows);
    }
    return this.#sample;
  }
}
