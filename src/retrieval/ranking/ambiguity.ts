/** How unclear a query is, and what follows from it (docs/formulas.md#ambiguity). */
export interface Ambiguity {
  /** Entropy in nats of the softmax over the query's best similarities. */
  readonly entropy: number;
  /** The same over its greatest possible value: 0 is one clear match, 1 is no preference at all. */
  readonly normalised: number;
}

export interface AmbiguityOptions {
  /** How many of the best similarities take part. */
  readonly most?: number;
  readonly temperature?: number;
}

export const ADAPTIVE = { most: 64, temperature: 0.05, kMin: 2, kMax: 10, beta: 1, alphaE: 1 } as const;

/** Ambiguity of a query from its cosines with memories; without any, ambiguity is zero. */
export function ambiguityOf(similarities: readonly number[], options: AmbiguityOptions = {}): Ambiguity {
  const best = [...similarities].sort((a, b) => b - a).slice(0, options.most ?? ADAPTIVE.most);
  if (best.length < 2) return { entropy: 0, normalised: 0 };
  const entropy = softmaxEntropy(best, options.temperature ?? ADAPTIVE.temperature);
  return { entropy, normalised: Math.min(1, entropy / Math.log(best.length)) };
}

/**
 * The paper's own reading: the entropy of the query's embedding, as softmax over its components or as their squares.
 * Both reveal next to nothing about the query (docs/formulas.md#ambiguity); they are here for comparison.
 */
export function embeddingEntropy(
  vector: ArrayLike<number>,
  form: "softmaxEmbedding" | "squaredComponents",
): Ambiguity {
  const values = Array.from(vector);
  if (values.length < 2) return { entropy: 0, normalised: 0 };
  const entropy =
    form === "softmaxEmbedding" ? softmaxEntropy(values, 1) : entropyOf(values.map((v) => v * v));
  return { entropy, normalised: Math.min(1, entropy / Math.log(values.length)) };
}

/**
 * How many memories to take (docs/formulas.md#ambiguity): as many as match about equally well, e^H, or literally k_min and β for
 * each nat of entropy; rounded up.
 */
export function adaptiveK(
  entropy: number,
  options: {
    readonly kMin?: number;
    readonly kMax?: number;
    readonly beta?: number;
    readonly by?: "equals" | "nats";
  } = {},
): number {
  const { kMin, kMax, beta, by = "nats" } = { ...ADAPTIVE, ...options };
  const k = by === "equals" ? Math.exp(entropy) : kMin + beta * entropy;
  return Math.max(kMin, Math.min(kMax, Math.ceil(k)));
}

/** The least cosine that is still inside the radius α_e(1 + Hn) around the query (docs/formulas.md#ambiguity); −1 where everything is. */
export function radiusCosine(normalisedEntropy: number, alphaE: number = ADAPTIVE.alphaE): number {
  return Math.max(-1, 1 - (alphaE * (1 + normalisedEntropy)) ** 2 / 2);
}

function softmaxEntropy(values: readonly number[], temperature: number): number {
  const most = Math.max(...values);
  return entropyOf(values.map((v) => Math.exp((v - most) / temperature)));
}

function entropyOf(weights: readonly number[]): number {
  const sum = weights.reduce((total, w) => total + w, 0);
  let entropy = 0;
  for (const w of weights) if (w > 0) entropy -= (w / sum) * Math.log(w / sum);
  return Math.max(0, entropy);
}
