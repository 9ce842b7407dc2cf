/** Planning covers at most this many stops: the first ones matter, and by then the map has changed. */
export const MAX_STOPS = 8;

/**
 * The order of stops that collects their weight early: least Σ weight · path length until there (the minimum latency
 * problem), exact for up to eight stops by dynamic programming over subsets. `distance[i][j]` between stops,
 * `first[i]` from the current position. `toTheEnd` is the share of all weight that waits for the last stop: 0 if the
 * target is at one of them, more if all of them are needed, so that the whole path counts. Unconnected stops come
 * last. Returns the stops in order.
 */
export function earliestTour(
  first: readonly number[],
  distance: readonly (readonly number[])[],
  weights: readonly number[],
  toTheEnd = 0,
): number[] {
  const n = first.length;
  if (n === 0) return [];
  const whole = (1 << n) - 1;
  const far = 1e6;
  const between = (from: number, to: number): number =>
    Math.min(far, from < 0 ? first[to]! : distance[from]![to]!);
  const total = (1 + toTheEnd) * weights.reduce((sum, weight) => sum + weight, 0);
  // cost[mask][last]: every metre costs the weight of everything not yet reached.
  const cost = new Float64Array((whole + 1) * n).fill(Infinity);
  const came = new Int8Array((whole + 1) * n).fill(-1);
  const left = new Float64Array(whole + 1);
  for (let mask = 0; mask <= whole; mask++) {
    let seen = 0;
    for (let i = 0; i < n; i++) if (mask & (1 << i)) seen += weights[i]!;
    left[mask] = total - seen;
  }
  for (let i = 0; i < n; i++) cost[(1 << i) * n + i] = between(-1, i) * total;
  for (let mask = 1; mask <= whole; mask++) {
    for (let last = 0; last < n; last++) {
      const here = cost[mask * n + last]!;
      if (here === Infinity) continue;
      for (let next = 0; next < n; next++) {
        if (mask & (1 << next)) continue;
        const to = (mask | (1 << next)) * n + next;
        const there = here + between(last, next) * left[mask]!;
        if (there >= cost[to]!) continue;
        cost[to] = there;
        came[to] = last;
      }
    }
  }
  let last = 0;
  for (let i = 1; i < n; i++) if (cost[whole * n + i]! < cost[whole * n + last]!) last = i;
  const order: number[] = [];
  for (let mask = whole; mask !== 0; ) {
    order.push(last);
    const before = came[mask * n + last]!;
    mask &= ~(1 << last);
    last = before;
  }
  return order.reverse();
}
