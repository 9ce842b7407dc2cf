import { describe, expect, it } from "vitest";
import { boxContains, boxFromCentre } from "../geometry/index.ts";
import { type Labelled, labelledBy } from "./labelled.ts";
import { standsBetween, standsTo } from "./rack-place.ts";
import { Racks } from "./racks.ts";
import type { StateRecord } from "./thing.ts";

/** The error of this observation of a board, metres. */
interface Off {
  readonly x?: number;
  readonly y?: number;
}

function board(code: string, x: number, y: number, off: Off = {}): Labelled {
  const level = Number(code.at(-1));
  const at = { x: x + (off.x ?? 0), y: y + (off.y ?? 0), z: 0.1 + 0.8 * (level - 1) };
  const name = `shelf that says “${code}”`;
  const state = { id: `${code} ${at.x}`, category: "shelf", name, text: [] } as unknown as StateRecord;
  return labelledBy(state, boxFromCentre(at, { x: 0.9, y: 1.2, z: 0.14 }))!;
}

/** Two aisles of four bays on either side, three levels each; A's right rack stands back to back with B's left one. */
function aisles(off: (code: string) => Off = () => ({}), without: readonly string[] = []): Labelled[] {
  return ["A", "B"].flatMap((row, n) =>
    Array.from({ length: 8 }, (_, k) => k + 1).flatMap((bay) =>
      [1, 2, 3].flatMap((level) => {
        const code = `${row}-0${bay}-${level}`;
        const x = 4.7 * n + (bay % 2 === 0 ? 3.7 : 0);
        return without.includes(code) ? [] : [board(code, x, 1.3 * Math.ceil(bay / 2), off(code))];
      }),
    ),
  );
}

const place = (racks: Racks, code: string) => racks.find(code)!;

describe("racks by their labels", () => {
  it("have sides, bays and levels, those reckoned whose labels nobody read", () => {
    const racks = new Racks(aisles(undefined, ["A-03-2", "A-05-1", "A-05-2", "A-05-3"]));
    expect(racks.slots()).toHaveLength(48);
    expect(racks.bays()).toHaveLength(16);
    expect(racks.racks()).toHaveLength(4);
    expect(place(racks, "A-03-2")).toMatchObject({ count: 0, bayRead: true });
    expect(place(racks, "A-05-1")).toMatchObject({ count: 0, bayRead: false });
    expect(place(racks, "A-05-1").box.min.y).toBeCloseTo(1.3 * 3 - 0.6, 1);
  });

  it.each([
    ["beside", "A-03-2", ["A-01-2", "A-05-2"]],
    ["above", "A-03-2", ["A-03-3"]],
    ["below", "A-03-2", ["A-03-1"]],
    ["below", "A-03-1", []],
    ["opposite", "A-03-2", ["A-04-2"]],
    ["behind", "A-04-2", ["B-03-2"]],
  ] as const)("%s %s is %j", (relation, code, expected) => {
    const racks = new Racks(aisles());
    const there = racks.slots().filter((slot) => standsTo(relation, slot, place(racks, code)));
    expect(there.map((slot) => slot.code).sort()).toEqual(expected);
  });

  it.each([
    ["A-01-2", "A-05-2", ["A-03-2"]],
    ["A-01-2", "A-07-2", ["A-03-2", "A-05-2"]],
    ["A-03-1", "A-03-3", ["A-03-2"]],
    ["A-03-1", "A-05-2", []],
    ["A-03-1", "A-04-1", []],
  ] as const)("between %s and %s is %j", (one, other, expected) => {
    const racks = new Racks(aisles());
    const there = racks.slots().filter((slot) => standsBetween(slot, place(racks, one), place(racks, other)));
    expect(there.map((slot) => slot.code).sort()).toEqual(expected);
  });

  it("go on past the last label that was read where the other side does", () => {
    const unread = ["A-02", "A-08", "B-01"].flatMap((bay) => [1, 2, 3].map((level) => `${bay}-${level}`));
    const racks = new Racks(aisles(undefined, unread));
    expect(racks.bays()).toHaveLength(16);
    expect(place(racks, "A-08-2")).toMatchObject({ count: 0, bayRead: false, level: 1 });
    expect(place(racks, "A-08-2").box.min.y).toBeCloseTo(1.3 * 4 - 0.6, 1);
    expect(racks.at({ x: 3.8, y: 1.3, z: 1.2 })?.code).toBe("A-02-2");
    expect(place(racks, "A-10-1")).toBeUndefined();
  });

  it("stand in line though single looks were off, and a misread label makes no place", () => {
    const drift = (code: string) => (code === "A-07-3" ? { x: 0.6, y: 0.2 } : {});
    const misread = board("A-02-1", 0, 1.3 * 4);
    const racks = new Racks([...aisles(drift), misread]);
    expect(place(racks, "A-07-3").box.min.x).toBeCloseTo(-0.45, 1);
    expect(place(racks, "A-02-1").box.min.x).toBeGreaterThan(3);
  });

  it("hold what lies on their level, also of two that stand back to back", () => {
    const racks = new Racks(aisles());
    expect(racks.at({ x: 3.8, y: 2.6, z: 1.2 })?.code).toBe("A-04-2");
    expect(racks.at({ x: 4.6, y: 2.6, z: 1.2 })?.code).toBe("B-03-2");
    expect(racks.at({ x: 1.9, y: 2.6, z: 0.3 })).toBeUndefined();
  });

  it("reach over all goods that lie in their slots, also where one label of a bay was read", () => {
    const far = [1, 3, 5].map((bay, n) => board(`C-0${bay}-3`, 14, 1.3 * (n + 1)));
    const near = [2, 4, 6].flatMap((bay, n) =>
      [1, 2, 3].map((level) => board(`C-0${bay}-${level}`, 17.7, 1.3 * (n + 1))),
    );
    const racks = new Racks([...aisles(), ...far, ...near]);
    for (const z of [0.3, 1.1, 1.9]) {
      const point = { x: 14, y: 1.3, z };
      const slot = racks.at(point)!;
      const own = racks.racks().filter(({ row }) => row === slot.row);
      expect(own.some((rack) => boxContains(racks.goodsOf(rack), point))).toBe(true);
    }
  });
});
