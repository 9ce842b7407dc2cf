import { type Expression, isLociError } from "../schema/index.ts";
import { gistOf } from "./algebra/gist.ts";
import { print } from "./algebra/notation.ts";
import { type Reason, type UnknownValue, unknownValue, type Value } from "./algebra/value.ts";
import type { Reading } from "./read/reading.ts";

/** A reading carried out. */
export interface Attempt {
  readonly reading: Reading;
  readonly values: readonly Value[];
  /** Its place among the readings. */
  readonly rank: number;
}

export interface Chosen extends Attempt {
  /** Readings about as cheap that came out otherwise. */
  readonly others: number;
  readonly tried: readonly Attempt[];
}

/** So many readings are carried out. */
const MOST_TRIED = 4;
/** Readings that cost no more than this beside the best are as likely as it. */
const NEAR = 0.3;
/** So likely must it be that something is no question. */
const SURELY_NONE_P = 0.9;
/** A value less sure than this is one of many that the words may come to. */
const HARDLY_P = 0.5;
/** A value less sure than this is not trusted without looking at other readings. */
const LOW_P = 0.45;

/**
 * What it costs a reading that the memory has nothing for it. A thing that was never seen is not looked for under
 * other names: that costs less than leaving a word of the question unexplained. Where the place was looked at, the reading
 * takes something for granted that is not so: another that comes to an answer is likelier what was meant.
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

/** Where the thing itself is known and only what is asked of it is not: nobody can see a price. */
const ONLY_THAT_UNKNOWN = 0.3;

/** Carries out the best readings as far as need be and takes the one that costs least with what the memory says. */
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
    // What costs more by its words alone than another with all that the memory says cannot be the best.
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

/** A reader may compose what the algebra does not have; the other readings still stand. */
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
      ? isNoQuestion(reading.parts[n], reading)
        ? 0
        : misfitOf(value)
      : emptiness(value) + (1 - value.p) * (value.p < HARDLY_P ? 0.75 : 0.5),
  );
  return reading.cost + misfits.reduce((sum, one) => sum + one, 0) / Math.max(1, misfits.length);
}

/** What the reader surely takes for no question is none, whatever else its words could be made to say. */
function isNoQuestion(part: Expression | undefined, { p }: Reading): boolean {
  return part?.op === "recall" && p >= SURELY_NONE_P;
}

function misfitOf({ reason, evidence }: UnknownValue): number {
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

/** What a reading comes to, for telling whether two say the same. */
function allOf({ values }: Attempt): string {
  return JSON.stringify(values.map(gistOf));
}
