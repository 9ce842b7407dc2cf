import type { Box } from "../geometry/index.ts";
import type { RecordOf, Stored } from "../schema/core.ts";
import { codeOf } from "./labels.ts";

/** A place that codes tell of: a slot (B-03-1), its bay (B-03) or its row (B). */
export interface CodedPlace {
  readonly code: string;
  readonly path: readonly string[];
  readonly box: Box;
  /** How many labels tell of it; none for a slot whose own was never read. */
  readonly count: number;
  /** The stay of what bears its label, or of a neighbour's. */
  readonly state: Stored<RecordOf<"state">>;
}

/** A place of a rack: a slot, the bay that it is one of, or all bays of one side of an aisle. */
export interface RackPlace extends CodedPlace {
  readonly kind: "slot" | "bay" | "rack";
  /** The first part of its code: the aisle. */
  readonly row: string;
  /** Which side of its row, counted across it, and where along it, metres. */
  readonly side: number;
  readonly acrossM: number;
  readonly alongM: number;
  /** How far bays of its side are apart, metres. */
  readonly stepM: number;
  /** From the ground up, 0 the lowest; undefined for what has all of them. */
  readonly level: number | undefined;
  /** Whether a label of its bay was read. */
  readonly bayRead: boolean;
}

/** Slots so far apart across their row stand back to back: less than an aisle, more than a board is deep (metres). */
const BACK_M = 2;
/** Places are in line with each other up to this share of a bay. */
const IN_LINE = 0.6;
/** The next bay is no farther than this many: one that nobody saw is not jumped over. */
const NEXT = 1.5;

/** How places of racks may lie to each other; other relations are told by their boxes. */
export type RackRelation = "beside" | "opposite" | "above" | "below" | "behind";

/** Whether one place stands so to another: a slot to a slot, a bay to a bay. */
export function standsTo(relation: RackRelation, one: RackPlace, other: RackPlace): boolean {
  if (one.kind !== other.kind || one.code === other.code) return false;
  const isInLine = Math.abs(one.alongM - other.alongM) < IN_LINE * Math.max(one.stepM, other.stepM);
  const apartM = Math.abs(one.acrossM - other.acrossM);
  const isOneRow = one.row === other.row;
  if (relation === "above" || relation === "below") {
    const step = (one.level ?? 0) - (other.level ?? 0);
    return isBay(one, other) && step === (relation === "above" ? 1 : -1);
  }
  if (one.level !== other.level) return false;
  if (relation === "beside")
    return (
      isOneRow &&
      one.side === other.side &&
      !isInLine &&
      Math.abs(one.alongM - other.alongM) < NEXT * one.stepM
    );
  if (relation === "opposite") return isOneRow && one.side !== other.side && isInLine && apartM >= BACK_M;
  return isInLine && apartM < BACK_M && !(isOneRow && one.side === other.side);
}

function isBay({ path: one }: RackPlace, { path: other }: RackPlace): boolean {
  return codeOf({ path: one.slice(0, -1) }) === codeOf({ path: other.slice(0, -1) });
}

/** Whether a place is a part of another, or itself. */
export function isWithin(one: RackPlace, whole: RackPlace): boolean {
  return whole.kind === "rack"
    ? one.row === whole.row && one.side === whole.side
    : isPartOfPath(one, whole.path);
}

/** Whether a place is what a code tells of, or a part of it: B-03-1 of B-03. */
export function isPartOfPath({ path }: Pick<RackPlace, "path">, whole: readonly string[]): boolean {
  return codeOf({ path: path.slice(0, whole.length) }) === codeOf({ path: whole });
}
