import type { Standing } from "../../belief/presence.ts";
import type { RoomView } from "../../belief/room-names.ts";
import { SEARCH } from "../../belief/settings/search.ts";
import type { KnownThing } from "../../belief/thing.ts";
import { evidenceFor, evidenceOfRooms } from "../../belief/trust.ts";
import type { Interval, Vec3 } from "../../geometry/index.ts";
import type { AnswerEvidence, Quantity, RecordOf, Stored } from "../../schema/index.ts";
import type { UsualHours } from "../habits/index.ts";

/** The kinds of values. Sets of things contain people as well; `self` is the robot asked. */
export const KINDS = [
  "things",
  "rooms",
  "floors",
  "events",
  "times",
  "number",
  "words",
  "truth",
  "route",
  "self",
] as const;
export type Kind = (typeof KINDS)[number];

/**
 * How much of the relevant space and time was observed: 1 is a closed set. The missing parts are named, so that a robot
 * can go and look (docs/formulas.md#completeness).
 */
export interface Completeness {
  readonly share: number;
  /** Rooms, or spans of time, in words: "the attic", "after 10:20". */
  readonly missing: readonly string[];
}

export const WHOLE: Completeness = { share: 1, missing: [] };

interface Known {
  /** How sure, 0–1, before calibration. */
  readonly p: number;
  readonly complete: Completeness;
  readonly evidence: readonly AnswerEvidence[];
  /**
   * Other things that fit as well and would give another result: the reference is ambiguous, and the caller may ask
   * back.
   */
  readonly rivals?: readonly KnownThing[] | undefined;
  /** Inferred from habits and not observed. */
  readonly habit?: Habit | undefined;
}

/** The evidence for a habit: the number of days it held, of those with observations. */
export interface Habit {
  readonly observedDays: number;
  readonly days?: number | undefined;
  /** About an unobserved or future time: always presented as a guess. */
  readonly isGuess: boolean;
}

/** The phrase for things without a description. */
export const ANYTHING = "thing";
export const ANYTHING_ELSE = `other ${ANYTHING}`;

/** A set of things, the likeliest first. A single referent (`the`) is alone, with `rivals` that fit as well. */
export interface ThingsValue extends Known {
  readonly kind: "things";
  readonly things: readonly KnownThing[];
  /** In the words of the question, to report that there is none: "red mug". */
  readonly phrase: string;
  /** The place asked for, in words: "in the kitchen", "on the table". */
  readonly where?: string | undefined;
  /** The number of relations in the description: the more there are, the less one failed relation matters. */
  readonly told?: number | undefined;
  /** The fits are the probabilities of being the one that is meant, and add up to 1. */
  readonly isShared?: boolean | undefined;
  /** The ratio of the number there is to the number read; 1 where all were read. */
  readonly times?: number | undefined;
  /** A remark on each of them: for an unusual thing, its usual place. */
  readonly notes?: readonly string[] | undefined;
  /**
   * Things of that name in other places or states than asked for, with the evidence against each: what exists instead.
   */
  readonly elsewhere?: readonly KnownThing[] | undefined;
  /** A reference in the description is itself unknown: the table of "on the table". */
  readonly lacking?: UnknownValue | undefined;
}

export interface RoomsValue extends Known {
  readonly kind: "rooms";
  readonly rooms: readonly RoomView[];
  readonly phrase: string;
  /** The whole place was named: "in the house". */
  readonly everywhere?: boolean | undefined;
}

export interface FloorsValue extends Known {
  readonly kind: "floors";
  /** Counted from the lowest. */
  readonly storeys: readonly number[];
  readonly phrase: string;
}

export interface EventsValue extends Known {
  readonly kind: "events";
  readonly events: readonly Stored<RecordOf<"event">>[];
  /** The thing each event happened to, where known. */
  readonly things: readonly (KnownThing | undefined)[];
  readonly phrase: string;
}

export interface TimesValue extends Known {
  readonly kind: "times";
  readonly spans: readonly Interval[];
  /** Each is one moment, or begins at one, somewhere in its span: the moment was not observed. */
  readonly isBetween?: boolean | undefined;
  /** A state that lasts since the first span began had begun by then. */
  readonly begunByUs?: number | undefined;
  /** Instead: times of day, for habits, in minutes since midnight; the end may be past it. */
  readonly daily?: readonly UsualHours[] | undefined;
}

export interface NumberValue extends Known {
  readonly kind: "number";
  readonly value: number;
  /** "s" and "epoch" are times: a duration, and a time since 1970. */
  readonly unit: Quantity["unit"] | "s" | "epoch" | "times" | "things";
  /** The middle half of the distribution lies between these. */
  readonly range?: readonly [number, number] | undefined;
  /** The things that were measured, for the sentence. */
  readonly of?: readonly KnownThing[] | undefined;
  /** Metres between the surfaces of two things whose centres are `value` apart. */
  readonly gapM?: number | undefined;
}

/** One or several words that are the answer: a colour, a place, names. */
export interface WordsValue extends Known {
  readonly kind: "words";
  /** The topic of the words: "colour", "place", "name", "text", "openness" … */
  readonly about: string;
  readonly items: readonly WordsItem[];
  /** The numbers by which members were compared, the chosen one first. */
  readonly measured?: readonly NumberValue[] | undefined;
  /** A remark that fewer are known than were asked about. */
  readonly fewer?: string | undefined;
}

export interface WordsItem {
  readonly words: string;
  readonly p: number;
  readonly thing?: KnownThing | undefined;
  readonly room?: RoomView | undefined;
  readonly point?: Vec3 | undefined;
  readonly atUs?: number | undefined;
  readonly storey?: number | undefined;
  /** Of a place: whether the thing is still there. */
  readonly standing?: Standing | undefined;
  /** The value for this member, in a list by member. */
  readonly value?: Value | undefined;
}

export interface TruthValue extends Known {
  readonly kind: "truth";
  readonly truth: boolean;
  /** The things that show it: those for which it is true, or false. */
  readonly shown?: Value | undefined;
  /** What is true instead, where the answer is no: "it is closed". */
  readonly instead?: string | undefined;
}

export interface RouteValue extends Known {
  readonly kind: "route";
  readonly rooms: readonly RoomView[];
  readonly doors: readonly KnownThing[];
  readonly lengthM: number;
  /** The bends of the route, on the floor. */
  readonly points?: readonly Vec3[] | undefined;
  readonly to: { readonly point: Vec3; readonly thing?: KnownThing | undefined };
  /** The side of the walker on which it lies, if both are in one room. */
  readonly side?: string | undefined;
}

export interface SelfValue extends Known {
  readonly kind: "self";
  readonly position: Vec3;
  readonly yawRad: number;
}

/** The reasons for which there is no answer; each has a sentence of its own. */
export const REASONS = [
  "never-seen",
  "looked-absent",
  "not-yet",
  "ambiguous",
  "false-premise",
  "cannot-act",
  "taste",
  "not-understood",
  "future",
] as const;
export type Reason = (typeof REASONS)[number];

/** No result. `says` is the sentence; `instead` what is true. */
export interface UnknownValue extends Known {
  readonly kind: "unknown";
  readonly reason: Reason;
  readonly says: string;
  readonly choices?: readonly KnownThing[] | undefined;
  /** The place to go and look. */
  readonly goal?: KnownThing | undefined;
  /** The known ones, where more were meant. */
  readonly fewer?: ThingsValue | undefined;
}

export type KnownValue =
  | ThingsValue
  | RoomsValue
  | FloorsValue
  | EventsValue
  | TimesValue
  | NumberValue
  | WordsValue
  | TruthValue
  | RouteValue
  | SelfValue;
export type Value = KnownValue | UnknownValue;

export function unknownValue(
  reason: Reason,
  says: string,
  more: Partial<Omit<UnknownValue, "kind" | "reason" | "says">> = {},
): UnknownValue {
  return { kind: "unknown", reason, says, p: 0.6, complete: WHOLE, evidence: [], ...more };
}

/** The question presupposes something false; with what is true instead. */
export function notSo(instead: string | undefined, more: Partial<Known> = {}): UnknownValue {
  const told = instead?.replace(/^(?=(?:is|was|are|were) )/, "it ");
  return unknownValue("false-premise", told ? `that is not so: ${told}` : "that is not so", more);
}

/** The basis of a value, often another value: closed and without records by default. */
type Basis = Pick<Known, "p"> & Partial<Pick<Known, "complete" | "evidence">>;

export function numberValue(
  value: number,
  unit: NumberValue["unit"],
  { p, complete = WHOLE, evidence = [] }: Basis,
  more: Partial<NumberValue> = {},
): NumberValue {
  return { kind: "number", value, unit, p, complete, evidence, ...more };
}

export function truthValue(
  truth: boolean,
  { p, complete = WHOLE, evidence = [] }: Basis,
  more: Partial<TruthValue> = {},
): TruthValue {
  return { kind: "truth", truth, p, complete, evidence, ...more };
}

export function wordsValue(
  about: string,
  items: readonly WordsItem[],
  { p, complete = WHOLE, evidence = [] }: Basis,
  more: Partial<WordsValue> = {},
): WordsValue {
  return { kind: "words", about, items, p, complete, evidence, ...more };
}

/** Things found one by one, and not among all that fit (`thingsValue` in things/find.ts). */
export function theseThings(
  things: readonly KnownThing[],
  phrase: string,
  { p, complete = WHOLE, evidence = evidenceFor(things) }: Basis,
  more: Partial<ThingsValue> = {},
): ThingsValue {
  return { kind: "things", things, phrase, p, complete, evidence, ...more };
}

export function theseRooms(
  rooms: readonly RoomView[],
  phrase: string,
  { p, complete = WHOLE, evidence = evidenceOfRooms(rooms) }: Basis,
  more: Partial<RoomsValue> = {},
): RoomsValue {
  return { kind: "rooms", rooms, phrase, p, complete, evidence, ...more };
}

/** The combination of several values: the lowest certainty and completeness of them. */
export function together(values: readonly Known[]): Required<Basis> & Pick<Known, "rivals"> {
  return {
    p: Math.min(...values.map(({ p }) => p)),
    complete: lesser(...values.map(({ complete }) => complete)),
    evidence: values.flatMap(({ evidence }) => evidence).slice(0, SEARCH.mostEvidence),
    rivals: values.flatMap(({ rivals = [] }) => rivals),
  };
}

/** The completeness of a combination is the lowest of its parts. */
export function lesser(...parts: readonly Completeness[]): Completeness {
  return {
    share: Math.min(1, ...parts.map(({ share }) => share)),
    missing: [...new Set(parts.flatMap(({ missing }) => missing))],
  };
}
