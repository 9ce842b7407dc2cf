/** Statistics that take longer than this are cached. */
const DEAR_MS = 10;
/** Largest share of wall time spent on computing them. */
const SPENT = 0.05;

/**
 * Shares one expensive computation among concurrent callers and bounds its share of time. The result is reused until
 * the next write (`generation`).
 */
export function sparingly<T>(generation: () => number, work: () => Promise<T>): () => Promise<T> {
  let last: { readonly value: Promise<T>; readonly generation: number; untilMs: number } | undefined;
  return () => {
    if (last && (performance.now() < last.untilMs || generation() === last.generation)) return last.value;
    const beganMs = performance.now();
    const made = { value: work(), generation: generation(), untilMs: Number.POSITIVE_INFINITY };
    last = made;
    const settle = () => {
      const tookMs = performance.now() - beganMs;
      made.untilMs = tookMs < DEAR_MS ? 0 : beganMs + tookMs / SPENT;
    };
    made.value.then(settle, () => {
      if (last === made) last = undefined;
    });
    return made.value;
  };
}
