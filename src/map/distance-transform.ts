/** A distance beyond any map, yet small enough to square. */
const FAR = 1e6;

/**
 * Exact Euclidean distance, in cells, from the middle of each cell to the middle of the nearest marked one, in
 * linear time (Felzenszwalb and Huttenlocher 2012). Without any mark every cell is a million away.
 */
export function distanceTransform(marked: Uint8Array, width: number, height: number): Float32Array {
  const squared = new Float64Array(width * height);
  for (let i = 0; i < squared.length; i++) squared[i] = marked[i] ? 0 : FAR * FAR;
  const longest = Math.max(width, height);
  const line = new Float64Array(longest);
  const vertex = new Int32Array(longest);
  const border = new Float64Array(longest + 1);
  for (let x = 0; x < width; x++) transformLine(squared, x, width, height, line, vertex, border);
  for (let y = 0; y < height; y++) transformLine(squared, y * width, 1, width, line, vertex, border);
  const distances = new Float32Array(squared.length);
  for (let i = 0; i < squared.length; i++) distances[i] = Math.sqrt(squared[i]!);
  return distances;
}

/** Lower envelope of the parabolas that stand on one row or column. */
function transformLine(
  squared: Float64Array,
  start: number,
  step: number,
  length: number,
  line: Float64Array,
  vertex: Int32Array,
  border: Float64Array,
): void {
  for (let i = 0; i < length; i++) line[i] = squared[start + i * step]!;
  let last = 0;
  vertex[0] = 0;
  border[0] = -Infinity;
  border[1] = Infinity;
  for (let q = 1; q < length; q++) {
    let meet = meetOf(line, q, vertex[last]!);
    while (meet <= border[last]!) meet = meetOf(line, q, vertex[--last]!);
    vertex[++last] = q;
    border[last] = meet;
    border[last + 1] = Infinity;
  }
  for (let i = 0, k = 0; i < length; i++) {
    while (border[k + 1]! < i) k++;
    const away = i - vertex[k]!;
    squared[start + i * step] = away * away + line[vertex[k]!]!;
  }
}

function meetOf(line: Float64Array, q: number, v: number): number {
  return (line[q]! + q * q - (line[v]! + v * v)) / (2 * (q - v));
}
