import { type Expression, isLociError } from "../schema/index.ts";
import { gistOf } from "./algebra/gist.ts";
import { print } from "./algebra/notation.ts";
import { type Reason, type UnknownValue, unknownValue, type Value } from "./algebra/value.ts";
import type { Reading } from "./read/reading.ts";

/** An evaluated reading. */
export interface Attempt {
  readonly reading: Reading;
  readonly values: readonly Value[];
  /** Its rank among the readings. */
  readonly rank: number;
}

export interface Chosen extends Attempt {
  /** The number of readings of similar cost with another result. */
  readonly others: number;
  readonly tried: readonly Attempt[];
}

/** The most readings evaluated. */
const MOST_TRIED = 4;
/** Readings within this cost of the best are as likely as it. */
const NEAR = 0.3;
/** The probability from which a text counts as no question. */
const SURELY_NONE_P = 0.9;
/** A less certain value is one of many that the words may mean. */
const HARDLY_P = 0.5;
/** Below this confidence other readings are examined too. */
const LOW_P = 0.45;

/**
 * The cost of a reading for which the memory has no result. A thing that was never seen is not searched under other
 * names: that costs less than an unexplained word of the question. Where the place was observed, the reading has a
 * false premise: another one with a result is more likely meant.
 */
const MISFIT: Readonly<Record<Reason, number>> = {
  "never-seen": 0.8,
  "not-yet": 0.6,
  "looked-absent": 0.75,
  "false-premise": 0.15,
  ambiguous: 0.4,
  "not-understood": 3,
  "cannot-act": 0,
  taste: 0,
  future: 0,
};

/** The thing is known and only the attribute is not: a price cannot be seen. */
const ONLY_THAT_UNKNOWN = 0.3;
/** The words are surely read, and what they take for granted is known to be elsewhere: that is the answer. */
const ELSEWHERE = 0.3;

/**
 * Evaluates the best readings as far as necessary and takes the one with the lowest cost including its fit to the
 * memory.
 */
export async function chooseReading(
  readings: readonly Reading[],
  carryOut: (part: Expression) => Promise<Value>,
): Promise<Chosen | undefined> {
  const tried: Attempt[] = [];
  const known = new Set<string>();
  for (const [rank, reading] of readings.entries()) {
    if (tried.length >= MOST_TRIED) break;
    const [first] = tried;
    if (first && isSettled(first) && reading.cost - first.reading.cost > NEAR) break;
    // A reading whose words alone cost more than another's total cannot be the best.
    if (reading.cost > Math.min(Infinity, ...tried.map(totalOf)) + NEAR) break;
    const form = reading.parts.map(print).join("; ");
    if (known.has(form) || reading.parts.length === 0) continue;
    known.add(form);
    const values: Value[] = [];
    for (const part of reading.parts) values.push(await forgiving(part, carryOut));
    tried.push({ reading, values, rank });
  }
  const [best] = tried.toSorted((a, b) => totalOf(a) - totalOf(b) || a.rank - b.rank);
  if (!best) return undefined;
  const others = tried.filter(
    (one) => one !== best && totalOf(one) - totalOf(best) <= NEAR && allOf(one) !== allOf(best),
  ).length;
  return { ...best, others, tried };
}

/** A reader may compose invalid expressions; the other readings still stand. */
async function forgiving(part: Expression, carryOut: (part: Expression) => Promise<Value>): Promise<Value> {
  try {
    return await carryOut(part);
  } catch (error) {
    if (isLociError(error) && (error.code === "invalid-input" || error.code === "limit-exceeded"))
      return unknownValue("not-understood", "", { p: 0 });
    throw error;
  }
}

function totalOf({ reading, values }: Attempt): number {
  const misfits = values.map((value, n) =>
    value.kind === "unknown"
      ? isNoQuestion(reading.parts[n], reading) || isReason(reading.parts[n], reading)
        ? 0
        : misfitOf(value, reading)
      : emptiness(value) + (1 - value.p) * (value.p < HARDLY_P ? 0.75 : 0.5),
  );
  return reading.cost + misfits.reduce((sum, one) => sum + one, 0) / Math.max(1, misfits.length);
}

/** A text that is certainly no question stays one, whatever its other readings. */
function isNoQuestion(part: Expression | undefined, { p }: Reading): boolean {
  return part?.op === "recall" && p >= SURELY_NONE_P;
}

/** Who did it and why is hardly ever seen: where that is asked in so many words, not knowing is the answer. */
function isReason(part: Expression | undefined, { isExact = false }: Reading): boolean {
  return isExact && part?.op === "cause";
}

function misfitOf({ reason, evidence }: UnknownValue, { isExact = false }: Reading): number {
  if (isExact && reason === "looked-absent" && evidence.length > 0) return ELSEWHERE;
  return reason === "not-yet" && evidence.length > 0 ? ONLY_THAT_UNKNOWN : MISFIT[reason];
}

/** An empty set is an answer, but a reading whose things exist is likelier. */
function emptiness(value: Exclude<Value, { kind: "unknown" }>): number {
  if (value.kind === "things" && value.things.length === 0) return 0.4;
  if (value.kind === "words" && value.items.length === 0) return 0.6;
  return value.kind === "events" && value.events.length === 0 ? 0.2 : 0;
}

function isSettled({ reading, values }: Attempt): boolean {
  return values.every((value, n) =>
    value.kind === "unknown"
      ? MISFIT[value.reason] === 0 || isNoQuestion(reading.parts[n], reading)
      : value.p >= LOW_P,
  );
}

/** The result of a reading as a string, to tell whether two are equal. */
function allOf({ values }: Attempt): string {
  return JSON.stringify(values.map(gistOf));
}
