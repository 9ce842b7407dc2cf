import type { Quantity } from "../../schema/index.ts";
import { numberIn } from "./normalise.ts";

/** What a number is multiplied with to come to seconds. */
const TIMES: readonly (readonly [RegExp, number])[] = [
  [/^(h|hr|hrs|hours?)$/, 3_600],
  [/^(min|mins|minutes?)$/, 60],
  [/^(s|sec|secs|seconds?)$/, 1],
  [/^days?$/, 86_400],
];

/** For each of our units, alternative notations and their factors. */
const UNITS: Readonly<Record<Quantity["unit"], readonly (readonly [RegExp, number])[]>> = {
  m: [
    [/^(m|met(er|re)s?)$/, 1],
    [/^(cm|centimet(er|re)s?)$/, 0.01],
    [/^(mm|millimet(er|re)s?)$/, 0.001],
    [/^(km|kilomet(er|re)s?)$/, 1_000],
  ],
  m2: [[/^(m2|m²|sqm|square met(er|re)s?)$/, 1]],
  m3: [[/^(m3|m³|cubic met(er|re)s?)$/, 1]],
  "m/s": [
    [/^(m\/s|mps|met(er|re)s? (per|a) second)$/, 1],
    [/^(km\/h|kph|kilomet(er|re)s? (per|an) hour)$/, 1 / 3.6],
  ],
  rad: [
    [/^(rad|radians?)$/, 1],
    [/^(°|deg|degrees?)$/, Math.PI / 180],
  ],
  "rad/s": [
    [/^(rad\/s|radians? (per|a) second)$/, 1],
    [/^(°\/s|deg\/s|degrees? (per|a) second)$/, Math.PI / 180],
  ],
  "1": [
    [/^(%|per ?cent)$/, 0.01],
    [/^$/, 1],
  ],
};

const NUMBER =
  "\\d+(?:\\.\\d+)?|(?:half an?|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty)\\b";
const WORD = "[a-z°%²³/]+[23]?";

/** "5 minutes and 41 seconds", "an hour", "1.5 min" in seconds; null if the text names no span of time. */
export function secondsIn(text: string): number | null {
  const found = new RegExp(`(${NUMBER})\\s*(${WORD})`, "g");
  let total: number | null = null;
  for (const [, number, unit] of text.toLowerCase().matchAll(found)) {
    const factor = TIMES.find(([pattern]) => pattern.test(unit!))?.[1];
    if (factor !== undefined) total = (total ?? 0) + amountOf(number!) * factor;
  }
  return total;
}

/** The first number in a text that comes with this unit or another way to write it; null if there is none. */
export function quantityIn(text: string, unit: Quantity["unit"]): number | null {
  const plain = text.toLowerCase().replaceAll(",", "");
  const found = new RegExp(`(${NUMBER})\\s*((?:square |cubic )?${WORD}(?: (?:per|an?) [a-z]+)?)?`, "g");
  for (const [, number, written = ""] of plain.matchAll(found)) {
    const words = written.trim();
    for (const [pattern, factor] of UNITS[unit]) {
      // "3 m long": what follows the unit is not part of it.
      if (
        pattern.test(words) ||
        (unit !== "1" && pattern.test(words.split(" ")[0]!) && !/ (per|an?) /.test(words))
      )
        return amountOf(number!) * factor;
    }
  }
  return null;
}

function amountOf(number: string): number {
  if (number.startsWith("half")) return 0.5;
  return number === "a" || number === "an" ? 1 : (numberIn(number) ?? 0);
}
