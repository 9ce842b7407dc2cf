import { expect, it } from "vitest";
import { linkTracks, OPEN, placeAt, type Row, showsAs } from "./rows.ts";

function row(id: string, more: Partial<Row>): Row {
  return {
    id,
    track: "mug",
    name: "red mug",
    category: "mug",
    type: "object",
    room: null,
    agent: "robot",
    map: "world",
    hasMoved: false,
    x: 0,
    y: 0,
    z: 0,
    size: [0.1, 0.1, 0.1],
    yaw: 0,
    from: 0,
    to: OPEN,
    lastSeen: 0,
    absent: OPEN,
    seen: 1,
    confidence: 1,
    shownTo: OPEN,
    departs: OPEN,
    ghostTo: OPEN,
    before: null,
    ...more,
  };
}

it("lets a thing that moved travel while nobody knows where it is", () => {
  const there = row("a", { from: 0, to: 100, lastSeen: 60 });
  const here = row("b", { from: 100, lastSeen: 200, hasMoved: true, x: 4 });
  linkTracks([here, there]);
  expect([30, 60, 99, 100].map((time) => [showsAs(there, time), showsAs(here, time)])).toEqual([
    ["rest", null],
    [null, "travel"],
    [null, "travel"],
    [null, "rest"],
  ]);
  expect(placeAt(here, 60).x).toBe(0);
  expect(placeAt(here, 80).x).toBeCloseTo(2);
  expect(placeAt(here, 100).x).toBe(4);
});

it("shows one of two states that overlap: the later", () => {
  const there = row("a", { from: 0, to: 120, lastSeen: 110 });
  const here = row("b", { from: 100, hasMoved: true, x: 4 });
  linkTracks([there, here]);
  for (const time of [90, 97, 99, 100, 110, 130])
    expect(
      [there, here].filter((one) => showsAs(one, time) !== null),
      String(time),
    ).toHaveLength(1);
});

it("leaves a ghost where somebody looked, until it turns up", () => {
  const there = row("a", { from: 0, to: 50, lastSeen: 40, absent: 50 });
  linkTracks([there]);
  expect([10, 49, 50, 1e6].map((time) => showsAs(there, time))).toEqual(["rest", "rest", "ghost", "ghost"]);
  const back = row("b", { from: 80, hasMoved: false });
  linkTracks([there, back]);
  expect(showsAs(there, 79)).toBe("ghost");
  expect(showsAs(there, 80)).toBeNull();
});

it("does not show what nobody has seen yet", () => {
  const there = row("a", { from: 10 });
  linkTracks([there]);
  expect(showsAs(there, 9)).toBeNull();
});
