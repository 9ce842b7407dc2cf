import { NONE, OPEN, STATE_FLAGS, type StatesBlock, THING_TYPES } from "../../../src/exchange/feed/decode.ts";

export { OPEN };

/** One state of a thing. Times are seconds after the viewer's origin, positions metres in the map. */
export interface Row {
  readonly id: string;
  readonly track: string;
  readonly name: string;
  readonly category: string;
  readonly type: (typeof THING_TYPES)[number];
  readonly room: string | null;
  readonly agent: string;
  readonly map: string;
  readonly hasMoved: boolean;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly size: readonly [number, number, number];
  readonly yaw: number;
  readonly from: number;
  readonly to: number;
  readonly lastSeen: number;
  readonly absent: number;
  readonly seen: number;
  readonly confidence: number;
  /** From the previous and next states of its track; see `linkTracks`. */
  shownTo: number;
  departs: number;
  ghostTo: number;
  before: Row | null;
}

/** A thing without a size is drawn this small. */
const SMALL_M = 0.18;

/** The rows of a block, with times after `originUs`, whatever the block's own origin. */
export function rowsOf(block: StatesBlock, originUs: number): Row[] {
  const shift = (block.timeOriginUs - originUs) / 1e6;
  const at = (time: number) => (Math.abs(time) >= OPEN ? time : time + shift);
  const [tracks, names, classes, rooms, agents] = [
    block.tracks,
    block.names,
    block.classes,
    block.rooms,
    block.agents,
  ].map((table) => table.all()) as [string[], string[], string[], string[], string[]];
  const { position, size, origin } = block;
  return Array.from({ length: block.count }, (_, n): Row => {
    const flags = block.flags[n]!;
    const isPoint = (flags & STATE_FLAGS.point) !== 0;
    return {
      id: block.id.at(n),
      track: tracks[block.track[n]!]!,
      name: names[block.name[n]!]!,
      category: classes[block.class[n]!]!,
      type: THING_TYPES[block.type[n]!] ?? "object",
      room: block.room[n] === NONE ? null : rooms[block.room[n]!]!,
      agent: agents[block.agent[n]!]!,
      map: block.maps[block.map[n]!]!,
      hasMoved: (flags & STATE_FLAGS.moved) !== 0,
      x: position[3 * n]! + origin.x,
      y: position[3 * n + 1]! + origin.y,
      z: position[3 * n + 2]! + origin.z,
      size: isPoint
        ? [SMALL_M, SMALL_M, SMALL_M]
        : [Math.max(size[3 * n]!, 0.03), Math.max(size[3 * n + 1]!, 0.03), Math.max(size[3 * n + 2]!, 0.03)],
      yaw: block.yaw[n]!,
      from: at(block.from[n]!),
      to: at(block.to[n]!),
      lastSeen: at(block.lastSeen[n]!),
      absent: at(block.absent[n]!),
      seen: block.seen[n]!,
      confidence: block.confidence[n]!,
      shownTo: OPEN,
      departs: OPEN,
      ghostTo: OPEN,
      before: null,
    };
  });
}

/** Least duration of a move on the screen, so that it is visible. */
const LEAST_TRAVEL_S = 4;

/**
 * Orders the states of each thing. Between its last sighting in one place and its first in the next its position is
 * unknown: it is drawn travelling. After an observation that it was absent it is drawn as a ghost, until it is seen
 * again.
 */
export function linkTracks(rows: readonly Row[]): Map<string, Row[]> {
  const tracks = Map.groupBy(rows, ({ track }) => track);
  for (const states of tracks.values()) {
    states.sort((a, b) => a.from - b.from);
    for (const [n, row] of states.entries()) {
      row.shownTo = row.to;
      row.ghostTo = OPEN;
      row.departs = OPEN;
      row.before = null;
      const before = states[n - 1];
      if (before === undefined || !row.hasMoved || before.map !== row.map) {
        if (before) cutAt(before, row.from);
        continue;
      }
      row.before = before;
      const lastThere = Math.min(before.lastSeen, before.to, row.from);
      row.departs = Math.max(Math.min(lastThere, row.from - LEAST_TRAVEL_S), before.from);
      cutAt(before, row.departs);
    }
  }
  return tracks;
}

function cutAt(row: Row, time: number): void {
  row.shownTo = Math.min(row.shownTo, time);
  row.ghostTo = time;
}

/** How a state is drawn at a time: at rest, travelling, as a ghost, or not at all. */
export function showsAs(row: Row, time: number): "rest" | "travel" | "ghost" | null {
  if (time >= row.from && time < row.shownTo) return "rest";
  if (time >= row.departs && time < row.from) return "travel";
  if (time >= row.absent && time < row.ghostTo && time >= row.from) return "ghost";
  return null;
}

/** Where a state is drawn at a time. */
export function placeAt(row: Row, time: number): { x: number; y: number; z: number } {
  if (row.before === null || time >= row.from) return row;
  const share = Math.min(Math.max((time - row.departs) / Math.max(row.from - row.departs, 1e-6), 0), 1);
  const s = share * share * (3 - 2 * share);
  const { before } = row;
  return {
    x: before.x + (row.x - before.x) * s,
    y: before.y + (row.y - before.y) * s,
    z: before.z + (row.z - before.z) * s + Math.sin(Math.PI * s) * 0.35,
  };
}
