/**
 * What a right answer is, found by brute force and never by an engine: `sure` must come back, `may` are so
 * close to the edge (equal scores, or within float32 rounding of a threshold) that any of them will do.
 * `need` is how many must come back in all.
 */
export interface Truth {
  readonly need: number;
  readonly sure: readonly number[];
  readonly may: readonly number[];
}

/** The truth of "the best k": everything above the k-th score is sure, everything equal to it may be taken. */
export function bestTruth(
  indices: ArrayLike<number>,
  scores: Float64Array,
  count: number,
  k: number,
  tolerance: number,
): Truth {
  const need = Math.min(k, count);
  if (need === 0) return { need: 0, sure: [], may: [] };
  const kth = kthBest(scores, count, need);
  const sure: number[] = [];
  const may: number[] = [];
  for (let i = 0; i < count; i++) {
    if (scores[i]! > kth + tolerance) sure.push(indices[i]!);
    else if (scores[i]! >= kth - tolerance) may.push(indices[i]!);
  }
  return { need, sure, may };
}

/** The k-th greatest of the first `count` scores, by a small heap whose root is the least kept. */
function kthBest(scores: Float64Array, count: number, k: number): number {
  const heap = scores.slice(0, k).sort();
  for (let i = k; i < count; i++) {
    const score = scores[i]!;
    if (score <= heap[0]!) continue;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= k) break;
      if (child + 1 < k && heap[child + 1]! < heap[child]!) child++;
      if (heap[child]! >= score) break;
      heap[at] = heap[child]!;
      at = child;
    }
    heap[at] = score;
  }
  return heap[0]!;
}

/**
 * The share of what had to come back that did. What came back and should not have counts against it: an
 * answer of everything is no answer.
 */
export function recallOf(answer: readonly number[], truth: Truth): number {
  const given = new Set(answer);
  const sure = new Set(truth.sure);
  const may = new Set(truth.may);
  let right = 0;
  let allowed = 0;
  for (const index of given) {
    if (sure.has(index)) right++;
    else if (may.has(index)) allowed++;
  }
  const wrong = answer.length - right - allowed;
  const found = right + Math.min(allowed, Math.max(0, truth.need - sure.size));
  const denominator = Math.max(truth.need, found + wrong);
  return denominator === 0 ? 1 : found / denominator;
}
