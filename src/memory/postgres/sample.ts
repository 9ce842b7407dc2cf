import { type Box, Random } from "../../geometry/index.ts";
import type { Session, Values } from "./database.ts";
import type { SceneState } from "./scene.ts";
import type { SubmapBounds } from "./where.ts";

/** How many rows of a scene are looked at to tell which key narrows most. */
const SIZE = 500;
/** Smaller scenes are read quickly by any way. */
const LEAST_ROWS = 4_000;
/** Looked at again when the scene has grown by this. */
const GROWN = 1.25;

/** A few believed rows of a scene: what share of it a key lets pass, where the server's statistics are of all scenes. */
export class SceneSample {
  readonly #submaps: (string | null)[];
  /** Five numbers a row: place, beginning, end. */
  readonly #numbers: Float64Array;

  constructor(rows: readonly Values[]) {
    this.#submaps = rows.map(([submap]) => submap as string | null);
    this.#numbers = new Float64Array(rows.length * 5);
    rows.forEach(([, x, y, z, fromUs, toUs], i) => {
      this.#numbers.set([Number(x), Number(y), Number(z), Number(fromUs), Number(toUs ?? Infinity)], i * 5);
    });
  }

  /** What shares of the rows lie within bounds, overlap an interval, and do both. */
  shares(
    places: readonly SubmapBounds[] | undefined,
    overlaps: { readonly fromUs: number; readonly toUs: number | null } | undefined,
  ): { readonly inPlace: number; readonly inTime: number; readonly inBoth: number } {
    const boxes =
      places && new Map<string | null, Box>(places.map(({ submap, inSubmap }) => [submap, inSubmap]));
    const { fromUs = -Infinity, toUs = null } = overlaps ?? {};
    let [inPlace, inTime, inBoth] = [0, 0, 0];
    for (let i = 0; i < this.#submaps.length; i++) {
      const isThere = boxes === undefined || this.#isIn(boxes.get(this.#submaps[i]!), i);
      const isThen =
        this.#numbers[i * 5 + 4]! > fromUs && (toUs === null || this.#numbers[i * 5 + 3]! < toUs);
      if (isThere) inPlace++;
      if (isThen) inTime++;
      if (isThere && isThen) inBoth++;
    }
    const all = Math.max(this.#submaps.length, 1);
    return { inPlace: inPlace / all, inTime: inTime / all, inBoth: inBoth / all };
  }

  #isIn(box: Box | undefined, i: number): boolean {
    if (box === undefined) return false;
    const { min, max } = box;
    const [x, y, z] = [this.#numbers[i * 5]!, this.#numbers[i * 5 + 1]!, this.#numbers[i * 5 + 2]!];
    return x >= min.x && x <= max.x && y >= min.y && y <= max.y && z >= min.z && z <= max.z;
  }
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
