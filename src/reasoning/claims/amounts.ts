import { numberAt } from "../read/amounts.ts";

/** A number with its unit in SI: metres, square metres, seconds, or none. */
export interface Amount {
  readonly value: number;
  readonly unit: "m" | "m2" | "s" | "";
  /** Half a unit of the last digit written. */
  readonly within: number;
  /** The numbers that it is composed of, as written. */
  readonly said: readonly number[];
}

const UNITS: readonly (readonly [RegExp, Amount["unit"], number])[] = [
  [/^(?:m²|m2|sqm|square)$/, "m2", 1],
  [/^(?:m|metres?|meters?)$/, "m", 1],
  [/^(?:cm|centimetres?|centimeters?)$/, "m", 0.01],
  [/^(?:mm|millimetres?|millimeters?)$/, "m", 0.001],
  [/^(?:km|kilometres?|kilometers?)$/, "m", 1_000],
  [/^(?:s|secs?|seconds?)$/, "s", 1],
  [/^(?:mins?|minutes?)$/, "s", 60],
  [/^(?:h|hrs?|hours?)$/, "s", 3_600],
];
/** A measured number agrees with a stated one within this share, unless its digits are more exact. */
const NEAR = 0.1;

/**
 * The first number in words or digits, with its unit; a continuation in a smaller unit belongs to it. For a measure,
 * the first with a unit: in "the two chairs are 3 m apart" the two is no length.
 */
export function amountIn(text: string, of: "any" | "measure" = "any"): Amount | undefined {
  const words = wordsOf(text);
  let first = amountAt(words, 0);
  for (let next = first; of === "measure" && next; next = amountAt(words, next.end))
    if (next.amount.unit !== "") {
      first = next;
      break;
    }
  if (!first) return undefined;
  let { amount, end } = first;
  for (;;) {
    const next = amountAt(words, words[end] === "and" ? end + 1 : end);
    const goesOn = next && next.begin <= end + 1 && amount.unit !== "" && next.amount.unit === amount.unit;
    if (!goesOn || next.factor >= first.factor) return amount;
    amount = {
      ...amount,
      value: amount.value + next.amount.value,
      within: next.amount.within,
      said: [...amount.said, ...next.amount.said],
    };
    end = next.end;
  }
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .replace(/(\d)(cm|mm|km|m|s|h|min)\b/g, "$1 $2")
    .replace(/[^\p{L}\p{N}.²\s-]/gu, " ")
    .split(/\s+/)
    .map((word) => word.replace(/\.+$/, ""));
}

interface Placed {
  readonly amount: Amount;
  readonly factor: number;
  readonly begin: number;
  readonly end: number;
}

function amountAt(words: readonly string[], from: number): Placed | undefined {
  for (let at = from; at < words.length; at++) {
    const number = numberAt(words, at);
    if (!number) continue;
    const digits = /^\d+\.(\d+)$/.exec(words[at]!)?.[1]?.length ?? 0;
    const after = at + number.length;
    const found = UNITS.find(([form]) => form.test(words[after] ?? ""));
    const [, unit, factor] = found ?? [undefined, "" as const, 1];
    const within = 0.5 * 10 ** -digits * factor;
    const amount = { value: number.value * factor, unit, within, said: [number.value] };
    return { amount, factor, begin: at, end: found ? after + 1 : after };
  }
  return undefined;
}

/** Whether a measured value agrees with a stated one; counts are exact. */
export function isNear(measured: number, { value, within }: Amount, isCount: boolean): boolean {
  if (isCount) return Math.round(measured) === value;
  return Math.abs(measured - value) <= Math.max(within, NEAR * Math.abs(measured)) + 1e-9;
}
