/**
 * The standard normal quantile for 0 < p < 1, by Wichura's AS 241 (PPND16, 1988): relative error about 1e-16.
 * Only + − × ÷ and sqrt, with a logarithm of our own in the tails, since IEEE 754 fixes those to the last bit
 * and leaves Math.log to the engine.
 */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`expected a probability strictly between 0 and 1, got ${p}`);
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return (q * polynomial(CENTRAL_TOP, r)) / polynomial(CENTRAL_BOTTOM, r);
  }
  const r = Math.sqrt(-portableLog(q < 0 ? p : 1 - p));
  const z =
    r <= 5
      ? polynomial(MIDDLE_TOP, r - 1.6) / polynomial(MIDDLE_BOTTOM, r - 1.6)
      : polynomial(TAIL_TOP, r - 5) / polynomial(TAIL_BOTTOM, r - 5);
  return q < 0 ? -z : z;
}

/**
 * Natural logarithm of a positive number from the same operations: halvings bring it to [√½, √2], where
 * 2·atanh((m − 1)/(m + 1)) converges to below 1e-17 in twelve terms. At most 1074 exact halvings.
 */
export function portableLog(value: number): number {
  if (!(value > 0 && value < Infinity)) throw new RangeError(`expected a positive number, got ${value}`);
  let m = value;
  let exponent = 0;
  for (; m < Math.SQRT1_2; exponent--) m *= 2;
  for (; m > Math.SQRT2; exponent++) m /= 2;
  const s = (m - 1) / (m + 1);
  const squared = s * s;
  let series = 0;
  for (let k = 23; k >= 1; k -= 2) series = series * squared + 1 / k;
  return exponent * Math.LN2 + 2 * s * series;
}

function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (let i = coefficients.length - 1; i >= 0; i--) sum = sum * x + coefficients[i]!;
  return sum;
}

const CENTRAL_TOP = [
  3.3871328727963665, 133.14166789178438, 1971.5909503065513, 13731.69376550946, 45921.95393154987,
  67265.7709270087, 33430.57558358813, 2509.0809287301227,
];
const CENTRAL_BOTTOM = [
  1, 42.31333070160091, 687.1870074920579, 5394.196021424751, 21213.794301586597, 39307.89580009271,
  28729.085735721943, 5226.495278852854,
];
const MIDDLE_TOP = [
  1.4234371107496835, 4.630337846156546, 5.769497221460691, 3.6478483247632045, 1.2704582524523684,
  0.2417807251774506, 0.022723844989269184, 0.0007745450142783414,
];
const MIDDLE_BOTTOM = [
  1, 2.053191626637759, 1.6763848301838038, 0.6897673349851, 0.14810397642748008, 0.015198666563616457,
  0.0005475938084995345, 1.0507500716444169e-9,
];
const TAIL_TOP = [
  6.657904643501103, 5.463784911164114, 1.7848265399172913, 0.29656057182850487, 0.026532189526576124,
  0.0012426609473880784, 2.7115555687434876e-5, 2.0103343992922881e-7,
];
const TAIL_BOTTOM = [
  1, 0.599832206555888, 0.1369298809227358, 0.014875361290850615, 0.0007868691311456133,
  1.8463183175100548e-5, 1.421511758316446e-7, 2.0442631033899397e-15,
];
