import type { StatesBlock } from "../../../src/exchange/feed/decode.ts";
import { OPEN, placeAt, type Row, rowsOf, showsAs } from "./rows.ts";

/** A state as the memory had it during a span of memory time. */
interface Version {
  readonly row: Row;
  readonly believedFrom: number;
  readonly believedTo: number;
}

export interface Versions {
  readonly all: readonly Version[];
  /** Origin of memory times. */
  readonly originUs: number;
  /** World times at which states begin, and the memory time at which each was first written. */
  readonly begins: Float64Array;
  readonly written: Float64Array;
  readonly revision: string;
}

/** Times of one commit in two blocks may differ by float32 rounding. */
export const SLACK_S = 1e-3;

/** Versions of blocks with both their times, and the first write of each state. */
export function versionsOf(
  blocks: readonly StatesBlock[],
  worldOriginUs: number,
  revision: string,
): Versions {
  const originUs = Math.min(...blocks.map((block) => block.memoryOriginUs));
  const all = blocks.flatMap((block) => {
    const shift = (block.memoryOriginUs - originUs) / 1e6;
    const at = (time: number) => (time >= OPEN ? time : time + shift);
    return rowsOf(block, worldOriginUs).map(
      (row, n): Version => ({
        row,
        believedFrom: at(block.believedFrom[n]!),
        believedTo: at(block.believedTo[n]!),
      }),
    );
  });
  const firsts = new Map<string, Version>();
  for (const version of all) {
    const held = firsts.get(version.row.id);
    if (held === undefined || version.believedFrom < held.believedFrom) firsts.set(version.row.id, version);
  }
  const inOrder = [...firsts.values()].sort((a, b) => a.row.from - b.row.from);
  let furthest = 0;
  return {
    all,
    originUs,
    revision,
    begins: Float64Array.from(inOrder, ({ row }) => row.from),
    written: Float64Array.from(inOrder, ({ believedFrom }) => {
      furthest = Math.max(furthest, believedFrom);
      return furthest;
    }),
  };
}

/** The memory time by which everything up to a moment of the world was written: a step function of new states. */
export function memoryTimeAt({ begins, written }: Versions, time: number): number {
  let [low, high] = [0, begins.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (begins[middle]! <= time) low = middle + 1;
    else high = middle;
  }
  return low === 0 ? 0 : written[low - 1]!;
}

/** The rows that were current at a memory time, ordered as the memory had them. */
export function believedRows({ all }: Versions, memoryTime: number): Row[] {
  const at = memoryTime + SLACK_S;
  return all
    .filter(({ believedFrom, believedTo }) => believedFrom <= at && at < believedTo)
    .map(({ row }) => ({ ...row }));
}

/** A thing about which the memory did not yet know what is known now. */
export interface Mistake {
  readonly track: string;
  readonly name: string;
  readonly room: string | null;
  readonly kind: "unknown" | "gone" | "elsewhere" | "named";
  readonly was: string | null;
}

const ELSEWHERE_M = 0.5;

interface Known {
  readonly tracks: ReadonlyMap<string, readonly Row[]>;
}

/** Where belief and truth differ at a moment. */
export function mistakes(was: Known, had: Known, time: number): Mistake[] {
  const shown = (found: Known, track: string) =>
    found.tracks.get(track)?.find((row) => ["rest", "travel"].includes(showsAs(row, time) ?? ""));
  const found: Mistake[] = [];
  for (const track of new Set([...was.tracks.keys(), ...had.tracks.keys()])) {
    const [now, then] = [shown(was, track), shown(had, track)];
    const one = now ?? then;
    if (one === undefined) continue;
    const told = { track, name: (now ?? then)!.name, room: one.room, was: then?.name ?? null };
    if (then === undefined) found.push({ ...told, kind: "unknown" });
    else if (now === undefined) found.push({ ...told, kind: "gone" });
    else if (apart(placeAt(now, time), placeAt(then, time)) > ELSEWHERE_M)
      found.push({ ...told, kind: "elsewhere" });
    else if (now.category !== then.category) found.push({ ...told, kind: "named" });
  }
  return found;
}

function apart(a: Place, b: Place): number {
  return Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);
}

type Place = ReturnType<typeof placeAt>;
