/**
 * A network with one hidden layer: few enough weights to read. Rows of `hidden` end in their bias, and so does `out`.
 */
export interface SmallNet {
  readonly hidden: readonly (readonly number[])[];
  readonly out: readonly number[];
}

/** The log-odds of a network for some features; hidden units are rectified. */
export function logOdds({ hidden, out }: SmallNet, features: readonly number[]): number {
  let sum = out[hidden.length]!;
  for (let unit = 0; unit < hidden.length; unit++) {
    const row = hidden[unit]!;
    let value = row[features.length]!;
    for (let n = 0; n < features.length; n++) value += row[n]! * features[n]!;
    if (value > 0) sum += value * out[unit]!;
  }
  return sum;
}
