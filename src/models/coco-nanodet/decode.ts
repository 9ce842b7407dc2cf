import type { FoundThing } from "../detector.ts";
import { withoutOverlaps } from "../overlaps.ts";
import { COCO_LABELS } from "./labels.ts";

/** The picture that the network takes is square with this side. */
export const INPUT_PX = 416;
export const STRIDES = [8, 16, 32] as const;
/** Each side of a box is a distribution over this many distances, in strides (Li et al. 2020). */
const BINS = 11;
export const BOX_CHANNELS = 4 * BINS;

/** The raw outputs for one stride: a row for each cell of the grid. */
export interface Head {
  readonly stride: number;
  readonly scores: Float32Array;
  readonly boxes: Float32Array;
}

/** The detections in a picture from the network's outputs: boxes in its pixels, most certain first. */
export function decode(
  heads: readonly Head[],
  { width, height }: { readonly width: number; readonly height: number },
  minScore: number,
  faintScore = minScore,
): FoundThing[] {
  const classes = COCO_LABELS.length;
  const candidates: FoundThing[] = [];
  for (const { stride, scores, boxes } of heads) {
    const side = INPUT_PX / stride;
    for (let cell = 0; cell < side * side; cell++) {
      for (let index = 0; index < classes; index++) {
        const score = scores[cell * classes + index]!;
        if (!(score >= faintScore)) continue;
        const bbox = boxOf(boxes, cell, side, stride, width, height);
        if (!bbox) continue;
        const found = { bbox, score: Math.min(1, score), label: COCO_LABELS[index]! };
        candidates.push(score >= minScore ? found : { ...found, faint: true });
      }
    }
  }
  return withoutOverlaps(candidates);
}

/** The expected distances to the four sides, scaled to the picture; undefined if nothing is left of the box. */
function boxOf(
  boxes: Float32Array,
  cell: number,
  side: number,
  stride: number,
  width: number,
  height: number,
): FoundThing["bbox"] | undefined {
  const reach = [0, 1, 2, 3].map((edge) => {
    const from = cell * BOX_CHANNELS + edge * BINS;
    const most = Math.max(...boxes.subarray(from, from + BINS));
    let sum = 0;
    let weighted = 0;
    for (let bin = 0; bin < BINS; bin++) {
      const share = Math.exp(boxes[from + bin]! - most);
      sum += share;
      weighted += share * bin;
    }
    return (weighted / sum) * stride;
  });
  const x = ((cell % side) + 0.5) * stride;
  const y = (Math.floor(cell / side) + 0.5) * stride;
  const [sx, sy] = [width / INPUT_PX, height / INPUT_PX];
  const bbox = [
    Math.max(0, (x - reach[0]!) * sx),
    Math.max(0, (y - reach[1]!) * sy),
    Math.min(width, (x + reach[2]!) * sx),
    Math.min(height, (y + reach[3]!) * sy),
  ] as const;
  return bbox[2] - bbox[0] >= 1 && bbox[3] - bbox[1] >= 1 ? bbox : undefined;
}
