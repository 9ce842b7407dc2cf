import { describe, expect, it } from "vitest";
import { encodeBlock } from "../../../src/exchange/feed/block.ts";
import { OPEN, readStates } from "../../../src/exchange/feed/decode.ts";
import { linkTracks } from "./rows.ts";
import { believedRows, memoryTimeAt, mistakes, versionsOf } from "./versions.ts";

const WORLD_US = 1_767_603_600_000_000;
const MEMORY_US = 1_794_797_743_000_000;

interface Said {
  readonly id: string;
  readonly x: number;
  readonly from: number;
  readonly to?: number;
  readonly believed: readonly [number, number];
  readonly moved?: boolean;
}

/** A block of versions of states of one mug. */
function block(rows: readonly Said[], memoryOriginUs = MEMORY_US) {
  const f32 = (of: (row: Said) => number) => Float32Array.from(rows, of);
  const zeros = () => new Uint16Array(rows.length);
  const header = {
    format: 1,
    count: rows.length,
    next: null,
    revision: null,
    isUpdate: false,
    reload: false,
    gone: [],
    timeOriginUs: WORLD_US,
    memoryOriginUs,
    origin: { x: 0, y: 0, z: 0 },
    maps: ["world"],
  };
  const shift = (memoryOriginUs - MEMORY_US) / 1e6;
  const bytes = encodeBlock("states", header, {
    id: rows.map(({ id }) => id),
    tracks: ["mug"],
    names: ["red mug"],
    classes: ["mug"],
    rooms: [],
    agents: ["robot"],
    track: new Uint32Array(rows.length),
    name: new Uint32Array(rows.length),
    class: zeros(),
    room: zeros().fill(0xffff),
    agent: zeros(),
    map: zeros(),
    type: new Uint8Array(rows.length),
    flags: Uint8Array.from(rows, ({ moved }) => (moved ? 1 : 0)),
    position: Float32Array.from(rows.flatMap(({ x }) => [x, 0, 0])),
    size: new Float32Array(3 * rows.length).fill(0.1),
    yaw: f32(() => 0),
    from: f32(({ from }) => from),
    to: f32(({ to }) => to ?? OPEN),
    lastSeen: f32(({ from, to }) => (to === undefined ? from : to - 5)),
    absent: f32(() => OPEN),
    believedFrom: f32(({ believed }) => believed[0] - shift),
    believedTo: f32(({ believed }) => (believed[1] === OPEN ? OPEN : believed[1] - shift)),
    seen: new Uint32Array(rows.length).fill(1),
    confidence: f32(() => 1),
  });
  return readStates(bytes);
}

/** On the table until 100, seen on the shelf from 110 on; the memory, an hour behind, learns of it at 70. */
const HISTORY: Said[] = [
  { id: "table", x: 0, from: 0, believed: [10, 70] },
  { id: "table", x: 0, from: 0, to: 100, believed: [70, OPEN] },
  { id: "shelf", x: 3, from: 110, believed: [70, OPEN], moved: true },
];

describe("what was believed", () => {
  const versions = versionsOf([block(HISTORY)], WORLD_US, "1.0");

  it("was written when the memory had got as far as that", () => {
    expect([-1, 0, 105, 110, 500].map((time) => memoryTimeAt(versions, time))).toEqual([0, 10, 10, 70, 70]);
  });

  it("is each state as it was then, once", () => {
    const at = (time: number) => believedRows(versions, time).map(({ id, to }) => [id, to === OPEN]);
    expect(at(5)).toEqual([]);
    expect(at(10)).toEqual([["table", true]]);
    expect(at(70)).toEqual([
      ["table", false],
      ["shelf", true],
    ]);
  });

  it("is the same from blocks with origins of their own", () => {
    const [first, ...rest] = HISTORY;
    const parts = versionsOf([block([first!]), block(rest, MEMORY_US + 50_000_000)], WORLD_US, "1.0");
    expect(parts.all.map(({ believedFrom }) => believedFrom)).toEqual([10, 70, 70]);
    expect(parts.originUs).toBe(MEMORY_US);
  });

  it("differs from what was so where the memory did not know better", () => {
    const known = (memoryTime: number) => ({ tracks: linkTracks(believedRows(versions, memoryTime)) });
    const today = known(70);
    const told = (time: number, memoryTime: number) =>
      mistakes(today, known(memoryTime), time).map(({ kind }) => kind);
    expect(told(50, 10)).toEqual([]);
    expect(told(109, 10)).toEqual(["elsewhere"]);
    expect(told(50, 5)).toEqual(["unknown"]);
    expect(told(109, 70)).toEqual([]);
  });
});
