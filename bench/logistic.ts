/** Logistic regression for the fits here: few features, so that Newton's method is exact and quick. Deterministic. */
export interface Sample {
  readonly x: Float64Array;
  readonly y: 0 | 1;
}

/** Newton's method on the penalised likelihood: twenty rounds are many. Weights are drawn towards the prior. */
export function fit(samples: readonly Sample[], ridge: number, prior: Float64Array): Float64Array {
  const n = prior.length;
  const w = Float64Array.from(prior);
  for (let round = 0; round < 20; round++) {
    const gradient = new Float64Array(n);
    const hessian = Array.from({ length: n }, () => new Float64Array(n));
    for (const { x, y } of samples) {
      const p = 1 / (1 + Math.exp(-dotOf(w, x)));
      for (let i = 0; i < n; i++) {
        gradient[i]! += (y - p) * x[i]!;
        const row = hessian[i]!;
        const scaled = p * (1 - p) * x[i]!;
        if (scaled !== 0) for (let j = 0; j <= i; j++) row[j]! += scaled * x[j]!;
      }
    }
    for (let i = 0; i < n; i++) {
      gradient[i]! -= ridge * (w[i]! - prior[i]!);
      hessian[i]![i]! += ridge;
      for (let j = i + 1; j < n; j++) hessian[i]![j] = hessian[j]![i]!;
    }
    const step = solve(hessian, gradient);
    for (let i = 0; i < n; i++) w[i]! += step[i]!;
  }
  return w;
}

/** Gauss–Jordan; the ridge keeps the matrix regular. */
function solve(rows: Float64Array[], right: Float64Array): Float64Array {
  const n = right.length;
  const m = rows.map((row, i) => [...row, right[i]!]);
  for (let i = 0; i < n; i++) {
    let pivot = i;
    for (let k = i + 1; k < n; k++) if (Math.abs(m[k]![i]!) > Math.abs(m[pivot]![i]!)) pivot = k;
    [m[i], m[pivot]] = [m[pivot]!, m[i]!];
    for (let k = 0; k < n; k++) {
      if (k === i) continue;
      const factor = m[k]![i]! / m[i]![i]!;
      if (factor !== 0) for (let j = i; j <= n; j++) m[k]![j]! -= factor * m[i]![j]!;
    }
  }
  return Float64Array.from(m, (row, i) => row[n]! / row[i]!);
}

export function dotOf(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

export function describe(samples: readonly Sample[]): string {
  return `${samples.filter(({ y }) => y === 1).length} of one thing`;
}

export function quality(samples: readonly Sample[], w: Float64Array): string {
  return [-1, 0, 1, 2, 3, 4]
    .map((least) => {
      const said = samples.filter(({ x }) => dotOf(w, x) >= least);
      const right = said.filter(({ y }) => y === 1).length;
      const all = samples.filter(({ y }) => y === 1).length;
      return `≥ ${least}: ${right} right, ${said.length - right} wrong of ${all}`;
    })
    .join("; ");
}
