import { readFileSync } from "node:fs";
import { assert } from "../../../schema/index.ts";

/** A kind that a question may be of, and how likely: 0 to 1, all kinds together 1. */
export interface Choice {
  readonly kind: string;
  readonly share: number;
}

/** A linear model over the features of a question's form: a row of weights for each feature, a column for each kind. */
interface Model {
  readonly kinds: readonly string[];
  readonly rows: ReadonlyMap<string, number>;
  readonly steps: Int8Array;
  readonly step: number;
}

let model: Model | undefined;

/** Kinds of question that a form may be of, likeliest first: the softmax of the sums of its features' weights. */
export function kindsOf(features: readonly string[]): Choice[] {
  model ??= unpack(readFileSync(new URL("./forms.bin", import.meta.url)));
  const { kinds, rows, steps, step } = model;
  const sums = new Float64Array(kinds.length);
  for (const feature of features) {
    const row = rows.get(feature);
    if (row === undefined) continue;
    for (let kind = 0, at = row * kinds.length; kind < kinds.length; kind++, at++) sums[kind]! += steps[at]!;
  }
  const scale = step / Math.sqrt(Math.max(1, features.length));
  const best = Math.max(...sums);
  const shares = Array.from(sums, (sum) => Math.exp((sum - best) * scale));
  const total = shares.reduce((sum, share) => sum + share, 0);
  return kinds.map((kind, n) => ({ kind, share: shares[n]! / total })).toSorted((a, b) => b.share - a.share);
}

/** The model as it is kept in a file: the length of a JSON head, the head, then a signed byte for each weight. */
export function pack(
  kinds: readonly string[],
  features: readonly string[],
  weights: Float64Array,
): Uint8Array {
  const step = weights.reduce((most, weight) => Math.max(most, Math.abs(weight)), 0) / 127;
  const head = new TextEncoder().encode(JSON.stringify({ kinds, features, step }));
  const bytes = new Uint8Array(4 + head.length + weights.length);
  new DataView(bytes.buffer).setUint32(0, head.length, true);
  bytes.set(head, 4);
  bytes.set(Uint8Array.from(Int8Array.from(weights, (weight) => Math.round(weight / step))), 4 + head.length);
  return bytes;
}

function unpack(bytes: Uint8Array): Model {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const { kinds, features, step } = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as {
    kinds: string[];
    features: string[];
    step: number;
  };
  const steps = new Int8Array(bytes.buffer, bytes.byteOffset + 4 + length, bytes.length - 4 - length);
  assert(steps.length === kinds.length * features.length, "the weights of questions' forms are cut short");
  return { kinds, rows: new Map(features.map((feature, n) => [feature, n])), steps, step };
}
