/** A value read from the words of a question, and the number of words used. */
export interface Found<T> {
  readonly length: number;
  readonly value: T;
}

const ONES =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen";
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety";
const NUMBERS: ReadonlyMap<string, number> = new Map([
  ...ONES.split(" ").map((word, n) => [word, n] as const),
  ...TENS.split(" ").map((word, n) => [word, 20 + 10 * n] as const),
  ...TENS.split(" ").flatMap((tens, n) =>
    ONES.split(" ")
      .slice(1, 10)
      .map((ones, m) => [`${tens}-${ones}`, 21 + 10 * n + m] as const),
  ),
]);

/** A whole number in words or digits: "twelve", "twenty five", "12". */
export function numberAt(words: readonly string[], at: number): Found<number> | undefined {
  const word = words[at];
  if (word === undefined) return undefined;
  if (/^\d{1,6}(?:\.\d+)?$/.test(word)) return { length: 1, value: Number(word) };
  const n = NUMBERS.get(word);
  if (n === undefined) return undefined;
  const ones = NUMBERS.get(words[at + 1] ?? "");
  return n >= 20 && n % 10 === 0 && ones !== undefined && ones >= 1 && ones <= 9
    ? { length: 2, value: n + ones }
    : { length: 1, value: n };
}

/** Vague amounts as approximate numbers. */
const VAGUE: ReadonlyMap<string, number> = phrases([
  [1, "a,an"],
  [2, "a couple of,a couple,couple of,couple"],
  [3, "a few,few"],
  [5, "several"],
  [12, "a dozen"],
  [0.5, "half a,half an,a half,half"],
  [0.25, "a quarter of an,quarter of an,a quarter,quarter"],
  [0.75, "three quarters of an,three quarter"],
]);

/** How many of a unit: a number, "a", "a few", "half an", "two and a half". */
function amountAt(words: readonly string[], at: number): Found<number> | undefined {
  const vague = phraseAt(words, at, VAGUE);
  const number = vague ?? numberAt(words, at);
  return number && !vague && follows(words, at + number.length, "and a half")
    ? { length: number.length + 3, value: number.value + 0.5 }
    : number;
}

const UNITS: readonly (readonly [RegExp, number])[] = [
  [/^(?:s|secs?|seconds?)$/, 1],
  [/^(?:m|mins?|minutes?)$/, 60],
  [/^(?:h|hrs?|hours?)$/, 3600],
  [/^days?$/, 86_400],
  [/^(?:weeks?|wks?)$/, 604_800],
  [/^(?:fortnights?)$/, 1_209_600],
  [/^months?$/, 2_592_000],
  [/^years?$/, 31_536_000],
];

/** Seconds in a unit of time. */
export function unitS(word: string | undefined): number | undefined {
  return word === undefined ? undefined : UNITS.find(([form]) => form.test(word))?.[1];
}

/** A length of time. `unitS` is its coarsest unit: "two days" is not exact to the minute. */
export interface Length {
  readonly s: number;
  readonly unitS: number;
}

/** "five minutes", "an hour and a half", "2 minutes and 20 seconds". */
export function lengthAt(words: readonly string[], at: number): Found<Length> | undefined {
  const first = plainLength(words, at);
  if (!first) return undefined;
  const after = at + first.length;
  if (follows(words, after, "and a half"))
    return {
      length: first.length + 3,
      value: { s: first.value.s + first.value.unitS / 2, unitS: first.value.unitS },
    };
  const joint = words[after] === "and" ? 1 : 0;
  const rest = lengthAt(words, after + joint);
  if (!rest || rest.value.unitS >= first.value.unitS) return first;
  return {
    length: first.length + joint + rest.length,
    value: { s: first.value.s + rest.value.s, unitS: first.value.unitS },
  };
}

function plainLength(words: readonly string[], at: number): Found<Length> | undefined {
  const amount = amountAt(words, at);
  const unit = amount && unitS(words[at + amount.length]);
  if (!amount || unit === undefined) return undefined;
  return { length: amount.length + 1, value: { s: amount.value * unit, unitS: unit } };
}

/** Whether these words follow. */
export function follows(words: readonly string[], at: number, phrase: string): boolean {
  return phrase.split(" ").every((word, n) => words[at + n] === word);
}

/** Phrases by meaning, separated by commas. */
export function phrases<T>(byMeaning: readonly (readonly [T, string])[]): ReadonlyMap<string, T> {
  return new Map(byMeaning.flatMap(([meaning, all]) => all.split(",").map((one) => [one, meaning] as const)));
}

const LONGEST_PHRASE = 7;

/** The phrases that match at a word, the longest first. */
export function phrasesAt<T>(
  words: readonly string[],
  at: number,
  among: ReadonlyMap<string, T>,
): Found<T>[] {
  const found: Found<T>[] = [];
  for (let length = Math.min(LONGEST_PHRASE, words.length - at); length > 0; length--) {
    const value = among.get(words.slice(at, at + length).join(" "));
    if (value !== undefined) found.push({ length, value });
  }
  return found;
}

/** The longest match. */
export function phraseAt<T>(
  words: readonly string[],
  at: number,
  among: ReadonlyMap<string, T>,
): Found<T> | undefined {
  return phrasesAt(words, at, among)[0];
}
