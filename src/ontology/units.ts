/** The quantity that a unit measures, and its size in base units (m, m², m³, s, kg, rad, m/s). */
export interface Unit {
  readonly measure: "length" | "area" | "volume" | "time" | "weight" | "angle" | "speed";
  readonly factor: number;
}

const FOOT = 0.3048;
const UNITS: Readonly<Record<string, Unit>> = Object.fromEntries(
  (
    [
      ["length", 1, "m metre meter metres meters"],
      ["length", 0.01, "cm centimetre centimeter centimetres centimeters"],
      ["length", 0.001, "mm millimetre millimeter millimetres millimeters"],
      ["length", 1000, "km kilometre kilometer kilometres kilometers"],
      ["length", FOOT, "ft foot feet"],
      ["length", FOOT / 12, "inch inches"],
      ["length", 3 * FOOT, "yd yard yards"],
      ["length", 1609.344, "mile miles"],
      ["area", 1, "m2 sqm"],
      ["area", FOOT * FOOT, "sqft"],
      ["volume", 0.001, "l litre liter litres liters"],
      ["time", 1, "s sec secs second seconds"],
      ["time", 60, "min mins minute minutes"],
      ["time", 3600, "h hr hrs hour hours"],
      ["time", 86_400, "day days"],
      ["time", 604_800, "week weeks"],
      ["time", 2_629_800, "month months"],
      ["time", 31_557_600, "year years"],
      ["weight", 1, "kg kilo kilos kilogram kilograms"],
      ["weight", 0.001, "g gram grams"],
      ["weight", 0.453_592_37, "lb lbs pound pounds"],
      ["angle", Math.PI / 180, "deg degree degrees"],
      ["speed", 1, "mps"],
      ["speed", 1 / 3.6, "kmh kph"],
    ] as const
  ).flatMap(([measure, factor, words]) => words.split(" ").map((word) => [word, { measure, factor }])),
);

/** The unit that a word names; "square metres" is looked up as "sqm". */
export function unitOf(word: string): Unit | undefined {
  const key = word.toLowerCase().replace("²", "2").replace(/[./]/g, "");
  return Object.hasOwn(UNITS, key) ? UNITS[key] : undefined;
}

export function unitWords(): readonly string[] {
  return Object.keys(UNITS);
}
