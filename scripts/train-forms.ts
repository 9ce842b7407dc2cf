import { writeFileSync } from "node:fs";
import { Random } from "../src/geometry/index.ts";
import { pack } from "../src/reasoning/parse/reading/choose.ts";
import { exemplarFeatures, readExemplars, TURNS } from "../src/reasoning/parse/reading/exemplars.ts";

/**
 * Fits the weights by which the parser tells kinds of questions apart, from the exemplars, and writes them into
 * `reading/forms.bin`. Softmax regression by stochastic gradient steps (AdaGrad), a few seconds, the same every time.
 * Run it after any change to the exemplars, the families or the features: `node scripts/train-forms.ts`.
 */
const EPOCHS = 10;
const RATE = 0.05;
const DECAY = 1e-3;
const LEAST_SEEN = 10;

const exemplars = readExemplars();
const kinds = [...exemplars.keys()];
const rows = [...exemplars.values()].flatMap((questions, y) =>
  questions.flatMap((question) =>
    Array.from({ length: TURNS }, (_, turn) => ({ y, features: exemplarFeatures(question, turn) })),
  ),
);
const seen = new Map<string, number>();
for (const { features } of rows)
  for (const feature of features) seen.set(feature, (seen.get(feature) ?? 0) + 1);
const names = [...seen].flatMap(([feature, n]) => (n >= LEAST_SEEN ? [feature] : []));
const numbers = new Map(names.map((feature, n) => [feature, n]));
const data = rows.map(({ y, features }) => ({
  y,
  x: features.flatMap((feature) => numbers.get(feature) ?? []),
  scale: 1 / Math.sqrt(features.length),
}));

const K = kinds.length;
const weights = new Float64Array(names.length * K);
const squares = new Float64Array(names.length * K).fill(1e-8);
const shares = new Float64Array(K);
const random = new Random("train-forms");
for (let epoch = 0; epoch < EPOCHS; epoch++) {
  for (const { x, y, scale } of random.shuffle(data)) {
    predict(x, scale);
    for (let k = 0; k < K; k++) {
      const error = (shares[k]! - (k === y ? 1 : 0)) * scale;
      if (Math.abs(error) < 1e-5) continue;
      for (const feature of x) {
        const at = feature * K + k;
        const slope = error + DECAY * weights[at]!;
        squares[at]! += slope * slope;
        weights[at]! -= (RATE * slope) / Math.sqrt(squares[at]!);
      }
    }
  }
}

function predict(x: readonly number[], scale: number): void {
  shares.fill(0);
  for (const feature of x) for (let k = 0; k < K; k++) shares[k]! += weights[feature * K + k]! * scale;
  const best = Math.max(...shares);
  let sum = 0;
  for (let k = 0; k < K; k++) {
    shares[k] = Math.exp(shares[k]! - best);
    sum += shares[k]!;
  }
  for (let k = 0; k < K; k++) shares[k]! /= sum;
}

let right = 0;
for (const { x, y, scale } of data) {
  predict(x, scale);
  if (shares.indexOf(Math.max(...shares)) === y) right++;
}
const bytes = pack(kinds, names, weights);
writeFileSync(new URL("../src/reasoning/parse/reading/forms.bin", import.meta.url), bytes);
console.log(
  `${rows.length} forms of ${K} kinds, ${names.length} features, ${bytes.length} bytes; ${((100 * right) / rows.length).toFixed(1)} % of the forms told right`,
);
