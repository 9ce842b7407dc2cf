import { LociError } from "../../schema/index.ts";
import { FAINT_SHARE, type FoundThing } from "../detector.ts";
import { withoutOverlaps } from "../overlaps.ts";

/** What the network gave: numbers and their shape. */
export interface YoloOutput {
  readonly dims: readonly number[];
  readonly data: ArrayLike<number>;
}

/** How a picture was fitted into the network's input: scaled, then padded on the left and above. */
export interface Fitted {
  readonly scale: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Values before the scores of the classes: a box, and in older exports whether there is anything at all. */
const BOX = 4;
const BOX_AND_THING = 5;
/** One row of an export that removed overlaps itself: a box by its corners, its score and its class. */
const WHOLE_ROW = 6;

/**
 * The things in the output of a network of YOLO shape. Three layouts are in use: one column a box with centre, size and
 * class scores (v8 and later), one row a box with another score before those of the classes (v5), and at most some
 * hundred rows of corners, score and class, without overlaps (v10 and later).
 */
export function thingsIn(
  { dims, data }: YoloOutput,
  names: readonly string[],
  fitted: Fitted,
  minScore: number,
): FoundThing[] {
  const [, rows = 0, columns = 0] = dims;
  const faintScore = minScore * FAINT_SHARE;
  const classes = names.length;
  const found: FoundThing[] = [];
  const take = (
    label: string | undefined,
    score: number,
    corners: readonly [number, number, number, number],
  ) => {
    if (!label || !(score >= faintScore && score <= 1.001)) return;
    const bbox = inPicture(corners, fitted);
    if (bbox[2] - bbox[0] < 1 || bbox[3] - bbox[1] < 1) return;
    found.push({ label, score: Math.min(1, score), bbox, ...(score < minScore && { faint: true }) });
  };
  const centred = (at: (k: number) => number, from: number, factor: number) => {
    let best = 0;
    for (let n = 1; n < classes; n++) if (at(from + n) > at(from + best)) best = n;
    const [x, y, w, h] = [at(0), at(1), at(2) / 2, at(3) / 2];
    take(names[best], factor * at(from + best), [x - w, y - h, x + w, y + h]);
  };
  if (dims.length !== 3 || dims[0] !== 1) throw unknownShape(dims, classes);
  if (rows === BOX + classes && columns !== BOX_AND_THING + classes)
    for (let n = 0; n < columns; n++) centred((k) => data[k * columns + n]!, BOX, 1);
  else if (columns === BOX_AND_THING + classes)
    for (let n = 0; n < rows; n++) {
      const at = (k: number) => data[n * columns + k]!;
      centred(at, BOX_AND_THING, at(BOX));
    }
  else if (columns === WHOLE_ROW)
    for (let n = 0; n < rows; n++) {
      const [left, top, right, bottom, score, kind] = Array.from(
        { length: WHOLE_ROW },
        (_, k) => data[n * columns + k]!,
      );
      take(names[Math.round(kind!)], score!, [left!, top!, right!, bottom!]);
    }
  else throw unknownShape(dims, classes);
  return withoutOverlaps(found);
}

function unknownShape(dims: readonly number[], classes: number): LociError {
  return new LociError(
    "model-unavailable",
    `expected boxes of a YOLO with ${classes} classes (1×${BOX + classes}×n, 1×n×${BOX_AND_THING + classes} or 1×n×${WHOLE_ROW}), got ${dims.join("×")}`,
  );
}

function inPicture(
  corners: readonly [number, number, number, number],
  { scale, left, top, width, height }: Fitted,
): FoundThing["bbox"] {
  const [a, b, c, d] = corners;
  const across = (x: number) => Math.min(width, Math.max(0, (x - left) / scale));
  const down = (y: number) => Math.min(height, Math.max(0, (y - top) / scale));
  return [across(a), down(b), across(c), down(d)];
}
