import type { Surface } from "../links.ts";
import type { Region } from "../pieces.ts";

export interface NamedBox {
  readonly word: string;
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** Boxes of voxels, one region each, all with the same word. */
export function boxRegions(
  boxes: readonly NamedBox[],
  words: readonly string[],
  sizeM: number,
): { readonly regions: Region[]; readonly seen: Surface } {
  const points: number[] = [];
  const regions = boxes.map(({ word, low, high }): Region => {
    const members: number[] = [];
    for (let x = low[0]!; x <= high[0]!; x += sizeM)
      for (let y = low[1]!; y <= high[1]!; y += sizeM)
        for (let z = low[2]!; z <= high[2]!; z += sizeM) {
          members.push(points.length / 3);
          points.push(x, y, z);
        }
    const sum = (k: number) => members.reduce((all, n) => all + points[3 * n + k]!, 0);
    return {
      members,
      surface: new Float32Array(3),
      names: Float32Array.from(words, (one) => (one === word ? 0.8 * members.length : 0)),
      point: Float32Array.of(sum(0), sum(1), sum(2)),
      normal: new Float32Array(3),
      centre: new Float32Array(3),
      colour: new Float32Array(3),
      edges: new Float32Array(3),
      low: Float32Array.from(low),
      high: Float32Array.from(high),
    };
  });
  return { regions, seen: { point: Float32Array.from(points) } as Surface };
}
