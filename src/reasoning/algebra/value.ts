import type { Standing } from "../../belief/presence.ts";
import type { RoomView } from "../../belief/room-names.ts";
import type { KnownThing } from "../../belief/thing.ts";
import { evidenceFor, evidenceOfRooms, MOST_EVIDENCE } from "../../belief/trust.ts";
import type { Interval, Vec3 } from "../../geometry/index.ts";
import type { AnswerEvidence, Quantity, RecordOf, Stored } from "../../schema/index.ts";
import type { UsualHours } from "../habits/index.ts";

/** What an expression can give. Sets of things hold people as well; `self` is whoever is asked. */
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
 * How much of the space and time that a value speaks of was looked at: 1 is a closed set. What is missing is named,
 * so that somebody can go and look (docs/formulas.md#completeness).
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
   * Other things that fit as well as the one this is of, where it would be otherwise for them: nobody can tell which
   * one is meant, and who answers may ask back.
   */
  readonly rivals?: readonly KnownThing[] | undefined;
  /** Not seen but learnt from what is usual. */
  readonly habit?: Habit | undefined;
}

/** What speaks for a habit: on how many days it was so, of those on which anybody looked. */
export interface Habit {
  readonly observedDays: number;
  readonly days?: number | undefined;
  /** Of a time that nobody saw or that is to come: always to be called a guess. */
  readonly isGuess: boolean;
}

/** The phrase of things of which nothing is said. */
export const ANYTHING = "thing";
export const ANYTHING_ELSE = `other ${ANYTHING}`;

/** A set of things, the likeliest first. Where one is meant (`the`) it is alone, and `rivals` fit as well. */
export interface ThingsValue extends Known {
  readonly kind: "things";
  readonly things: readonly KnownThing[];
  /** In the words of the question, for saying what there is none of: "red mug". */
  readonly phrase: string;
  /** Where they were asked for, in words: "in the kitchen", "on the table". */
  readonly where?: string | undefined;
  /** How many relations they were described by: the more, the less one that does not hold matters. */
  readonly told?: number | undefined;
  /** Their fits are how likely each is the one that is meant, and add up to 1. */
  readonly isShared?: boolean | undefined;
  /** There are so many times as many as were read; 1 where all were. */
  readonly times?: number | undefined;
  /** What there is to say of each of them: where it usually is, for what is unusual. */
  readonly notes?: readonly string[] | undefined;
  /** Of that name, but not where or how they were asked for, with what speaks against each: what exists instead. */
  readonly elsewhere?: readonly KnownThing[] | undefined;
  /** What it was to be told by is itself not known: the table of "on the table". */
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
  /** What each of them happened to, where that is known. */
  readonly things: readonly (KnownThing | undefined)[];
  readonly phrase: string;
}

export interface TimesValue extends Known {
  readonly kind: "times";
  readonly spans: readonly Interval[];
  /** Each is one moment, or begins at one, that lies somewhere in its span: nobody saw it happen. */
  readonly isBetween?: boolean | undefined;
  /** What goes on since the first span begins had begun by then. */
  readonly begunByUs?: number | undefined;
  /** Times of the day instead, of what is usual: minutes since midnight, the end may lie after it. */
  readonly daily?: readonly UsualHours[] | undefined;
}

export interface NumberValue extends Known {
  readonly kind: "number";
  readonly value: number;
  /** "s" and "epoch" are times: how long, and since 1970. */
  readonly unit: Quantity["unit"] | "s" | "epoch" | "times" | "things";
  /** Half of the time it lies between these. */
  readonly range?: readonly [number, number] | undefined;
  /** What was measured, for saying it. */
  readonly of?: readonly KnownThing[] | undefined;
  /** Metres between two things whose middles are `value` apart. */
  readonly gapM?: number | undefined;
}

/** One or several words that are the answer: a colour, a place, names. */
export interface WordsValue extends Known {
  readonly kind: "words";
  /** What the words are: "colour", "place", "name", "text", "openness" … */
  readonly about: string;
  readonly items: readonly WordsItem[];
  /** What they were compared by, the one that was chosen first. */
  readonly measured?: readonly NumberValue[] | undefined;
  /** Where more are asked about than are known: that it is so. */
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
  /** Of lists member by member, what there is to say of this one. */
  readonly value?: Value | undefined;
}

export interface TruthValue extends Known {
  readonly kind: "truth";
  readonly truth: boolean;
  /** What shows it: the things that are so, or that are not. */
  readonly shown?: Value | undefined;
  /** What is so instead, where the answer is no: "it is closed". */
  readonly instead?: string | undefined;
}

export interface RouteValue extends Known {
  readonly kind: "route";
  readonly rooms: readonly RoomView[];
  readonly doors: readonly KnownThing[];
  readonly lengthM: number;
  /** Where it bends, on the floor. */
  readonly points?: readonly Vec3[] | undefined;
  readonly to: { readonly point: Vec3; readonly thing?: KnownThing | undefined };
  /** On which side of whoever goes it lies, where they are in one room with it. */
  readonly side?: string | undefined;
}

export interface SelfValue extends Known {
  readonly kind: "self";
  readonly position: Vec3;
  readonly yawRad: number;
}

/** Why something cannot be told; each is said differently, and none is an answer. */
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

/** Nothing that could be computed with. `says` is the sentence; `instead` what is so. */
export interface UnknownValue extends Known {
  readonly kind: "unknown";
  readonly reason: Reason;
  readonly says: string;
  readonly choices?: readonly KnownThing[] | undefined;
  /** Where to go and look. */
  readonly goal?: KnownThing | undefined;
  /** Those that are known, where more are meant. */
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

/** What a value rests on, often another value: closed and without records where nothing else is said. */
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

/** Things that were found for themselves, and not among all that fit (`thingsValue` in things/find.ts). */
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

/** What several values say together: as sure as the least sure, as closed as the least closed of them. */
export function together(values: readonly Known[]): Required<Basis> & Pick<Known, "rivals"> {
  return {
    p: Math.min(...values.map(({ p }) => p)),
    complete: lesser(...values.map(({ complete }) => complete)),
    evidence: values.flatMap(({ evidence }) => evidence).slice(0, MOST_EVIDENCE),
    rivals: values.flatMap(({ rivals = [] }) => rivals),
  };
}

/** What two values say together was looked at as little as the lesser of them. */
export function lesser(...parts: readonly Completeness[]): Completeness {
  return {
    share: Math.min(1, ...parts.map(({ share }) => share)),
    missing: [...new Set(parts.flatMap(({ missing }) => missing))],
  };
}
