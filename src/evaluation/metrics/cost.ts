/** The nearest-rank percentile: the smallest value that at least `share` of all values do not exceed. */
export function percentile(values: readonly number[], share: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)]!;
}

export interface Latency {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly n: number;
}

/** p50 and p95 of every stage that any answer names, stages in alphabetical order. */
export function latencyByStage(
  answers: readonly Readonly<Record<string, number>>[],
): Readonly<Record<string, Latency>> {
  const stages = [...new Set(answers.flatMap((ms) => Object.keys(ms)))].sort();
  return Object.fromEntries(
    stages.map((stage) => {
      const values = answers.flatMap((ms) => ms[stage] ?? []);
      return [stage, { p50Ms: percentile(values, 0.5)!, p95Ms: percentile(values, 0.95)!, n: values.length }];
    }),
  );
}

/** Bytes of a memory per minute of remembered time; null for no time at all. */
export function bytesPerMinute(bytes: number, spanUs: number): number | null {
  return spanUs > 0 ? bytes / (spanUs / 60e6) : null;
}
