import type { NumberValue, TimesValue } from "../algebra/value.ts";
import { caveat } from "./completeness.ts";
import { areaText, clockText, metresText, momentText, spanOfDay, spanText } from "./figures.ts";
import { counted, list, timesText } from "./grammar.ts";
import { nounOf } from "./naming.ts";
import type { SayContext, Spoken } from "./said.ts";

/** A number in its unit, and the field of the answer that holds it. */
export function sayNumber(value: NumberValue, context: SayContext, isAgo = false): Spoken {
  const { unit, value: n, of } = value;
  const goal = of?.[0];
  switch (unit) {
    case "things":
    case "times": {
      const count = Math.max(0, Math.round(n));
      const said = unit === "times" ? timesText(count) : countText(count, of, value);
      return { type: "count", text: `${said}${caveat(value.complete)}`, count, goal };
    }
    case "s": {
      // A moment is reported together with the time since.
      const since = isAgo ? `, since ${clockText(context.nowUs - n * 1e6)}` : "";
      return { type: "duration", text: `${spanText(n)}${since}`, durationS: n, goal };
    }
    case "epoch":
      return { ...momentOf(n * 1e6, context), goal };
    default:
      return {
        type: "quantity",
        text: `${quantityText(n, unit)}${gapText(value)}`,
        quantity: { value: n, unit },
        ...(unit === "m/s" && { motion: { moving: n > 0, speedMps: n, frame: "world" as const } }),
        goal,
      };
  }
}

/** People measure from centre to centre; where the free gap differs, both are reported. */
function gapText({ value, gapM }: NumberValue): string {
  if (gapM === undefined || gapM > SAME_GAP * value) return "";
  return gapM < TOUCHING_M
    ? " from middle to middle; they touch"
    : ` from middle to middle, ${metresText(gapM)} between them`;
}

/** A gap of at least this share of the centre distance is not reported. */
const SAME_GAP = 0.9;
const TOUCHING_M = 0.05;

/** "3"; "3 chairs" where everything counted has one name. */
function countText(count: number, of: NumberValue["of"], { value }: NumberValue): string {
  if (count === 0) return "none";
  const nouns = new Set((of ?? []).map(nounOf));
  // More were counted than read: a part of a very large set stands for the whole.
  const about = of && of.length > 0 && value > of.length * 1.05 ? "about " : "";
  const [noun] = nouns;
  if (nouns.size !== 1 || noun === undefined) return `${about}${count}`;
  return count === 1 ? `1 ${noun}` : `${about}${counted(count, noun)}`;
}

/** A number in its unit alone; moments have none. */
export function figureText({ value, unit }: NumberValue): string | undefined {
  if (unit === "epoch") return undefined;
  if (unit === "s") return spanText(value);
  return unit === "things" || unit === "times" ? String(Math.round(value)) : quantityText(value, unit);
}

export function quantityText(
  value: number,
  unit: Exclude<NumberValue["unit"], "things" | "times" | "s" | "epoch">,
): string {
  switch (unit) {
    case "m":
      return metresText(value);
    case "m2":
      return areaText(value);
    case "m3":
      return `${value.toFixed(2)} m³`;
    case "m/s":
      return `${value.toFixed(1)} m/s`;
    case "rad":
      return `${Math.round((value * 180) / Math.PI)}°`;
    case "rad/s":
      return `${Math.round((value * 180) / Math.PI)}°/s`;
    case "1":
      return value >= 0 && value <= 1
        ? `about ${Math.round(value * 100)} %`
        : String(Math.round(value * 100) / 100);
  }
}

function momentOf(us: number, { nowUs }: SayContext): Pick<Spoken, "type" | "text" | "time"> {
  const atUs = Math.round(us);
  return { type: "time", text: momentText(atUs, nowUs), time: { atUs, agoS: (nowUs - atUs) / 1e6 } };
}

/** Shorter spans are moments. */
const MOMENT_US = 60_000_000;
const LONG_AGO_US = -1e15;

function betweenText(fromUs: number, toUs: number, nowUs: number): string {
  return spanOfDay(fromUs, toUs, nowUs).replace(/^from (.*) to /, "between $1 and ");
}

/** A moment with the time since, a span with both ends, several in order. */
export function sayTimes({ spans, isBetween, begunByUs = 0 }: TimesValue, context: SayContext): Spoken {
  const { nowUs } = context;
  const known = spans.filter(({ fromUs }) => fromUs > LONG_AGO_US).toSorted((a, b) => a.fromUs - b.fromUs);
  const one = ({ fromUs, toUs }: TimesValue["spans"][number]): string => {
    if (toUs === null && begunByUs - fromUs > MOMENT_US)
      return `since some time ${betweenText(fromUs, begunByUs, nowUs)}`;
    if (toUs === null || toUs > nowUs)
      return nowUs - fromUs < MOMENT_US ? momentText(fromUs, nowUs) : `since ${momentText(fromUs, nowUs)}`;
    if (toUs - fromUs <= MOMENT_US) return momentText(fromUs, nowUs);
    return isBetween ? betweenText(fromUs, toUs, nowUs) : spanOfDay(fromUs, toUs, nowUs);
  };
  const last = known.at(-1);
  if (!last) return { type: "text", status: "insufficient", text: "I do not know when that was." };
  const first = known[0]!;
  const { toUs } = first;
  return {
    type: "time",
    text: list(known.map(one)),
    time: {
      atUs: first.fromUs,
      ...(toUs !== null && toUs - first.fromUs > MOMENT_US && { untilUs: toUs }),
      agoS: (nowUs - first.fromUs) / 1e6,
    },
    ...(known.length > 1 && { count: known.length }),
  };
}
