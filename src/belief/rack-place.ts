import type { Box } from "../geometry/index.ts";
import type { RecordOf, Stored } from "../schema/core.ts";
import { codeOf } from "./labels.ts";
import { RACKS } from "./settings/racks.ts";

/** A place that a code names: a slot (B-03-1), its bay (B-03) or its row (B). */
export interface CodedPlace {
  readonly code: string;
  readonly path: readonly string[];
  readonly box: Box;
  /** The number of labels that name it; 0 for a slot without a label that was read. */
  readonly count: number;
  /** The stay of the thing that bears its label, or a neighbour's. */
  readonly state: Stored<RecordOf<"state">>;
}

/** A place of a rack: a slot, its bay, or all bays of one side of an aisle. */
export interface RackPlace extends CodedPlace {
  readonly kind: "slot" | "bay" | "rack";
  /** The first part of its code: the aisle. */
  readonly row: string;
  /** The side of its row, as a position across the row, and its position along it, metres. */
  readonly side: number;
  readonly acrossM: number;
  readonly alongM: number;
  /** The distance between neighbouring bays of its side, metres. */
  readonly stepM: number;
  /** From the ground up, 0 the lowest; undefined for a place with all levels. */
  readonly level: number | undefined;
  /** Whether a label of its bay was read. */
  readonly bayRead: boolean;
}

/** Positions of rack places relative to each other; other relations are judged by boxes. */
export type RackRelation = "beside" | "opposite" | "above" | "below" | "behind";

/** Whether one place stands in a relation to another: a slot to a slot, a bay to a bay. */
export function standsTo(relation: RackRelation, one: RackPlace, other: RackPlace): boolean {
  if (one.kind !== other.kind || one.code === other.code) return false;
  const isInLine = Math.abs(one.alongM - other.alongM) < RACKS.inLine * Math.max(one.stepM, other.stepM);
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
      Math.abs(one.alongM - other.alongM) < RACKS.next * one.stepM
    );
  if (relation === "opposite")
    return isOneRow && one.side !== other.side && isInLine && apartM >= RACKS.backM;
  return isInLine && apartM < RACKS.backM && !(isOneRow && one.side === other.side);
}

/** Whether a place stands between two others: on one level of one side, or above each other in one bay. */
export function standsBetween(own: RackPlace, one: RackPlace, other: RackPlace): boolean {
  if (own.kind !== one.kind || own.kind !== other.kind) return false;
  const isAmong = (m: number, a: number, b: number) => m > Math.min(a, b) && m < Math.max(a, b);
  if (isBay(own, one) && isBay(own, other)) return isAmong(own.level ?? 0, one.level ?? 0, other.level ?? 0);
  const isInLine = [one, other].every(
    ({ row, side, level }) => row === own.row && side === own.side && level === own.level,
  );
  const marginM = (1 - RACKS.inLine) * own.stepM;
  return (
    isInLine &&
    isAmong(
      own.alongM,
      Math.min(one.alongM, other.alongM) + marginM,
      Math.max(one.alongM, other.alongM) - marginM,
    )
  );
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

/** Whether a place has a code or is a part of the place with that code: B-03-1 of B-03. */
export function isPartOfPath({ path }: Pick<RackPlace, "path">, whole: readonly string[]): boolean {
  return codeOf({ path: path.slice(0, whole.length) }) === codeOf({ path: whole });
}
