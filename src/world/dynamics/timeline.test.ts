import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { isLociError } from "../../schema/index.ts";
import { generateHouse } from "../house/generate.ts";
import type { Placement } from "../house/types.ts";
import { checkSnapshot } from "../testing/house-check.ts";
import { makeTimeline } from "./make-timeline.ts";
import type { Timeline } from "./timeline.ts";
import type { TimelineOptions } from "./types.ts";

const START_US = 1_700_000_000_000_000;
const HOUR_US = 3_600_000_000;
const house = generateHouse(4);
const options: TimelineOptions = { seed: 9, startUs: START_US, durationUs: HOUR_US, rate: 90, people: 2 };
const timeline = makeTimeline(house, options);

function digest(t: Timeline): string {
  const histories = house.things.map((thing) => t.historyOf(thing.id));
  return createHash("sha256")
    .update(JSON.stringify([t.events, histories]))
    .digest("hex");
}

describe("makeTimeline", () => {
  it("gives the committed history, the same again, another for another seed", () => {
    expect(digest(timeline)).toBe("da68feab36064d0b81e364a02a5dcfb833f1c3655a8a6d3858a2d7c61f180d94");
    expect(digest(makeTimeline(house, options))).toBe(digest(timeline));
    expect(digest(makeTimeline(house, { ...options, seed: 10 }))).not.toBe(digest(timeline));
  });

  it("lets all kinds of things happen, in order, within its time", () => {
    const kinds = new Set(timeline.events.map((event) => event.type));
    for (const kind of [
      "move",
      "carry",
      "remove",
      "add",
      "twin-swap",
      "open",
      "close",
      "toggle",
      "walk",
    ] as const)
      expect(kinds).toContain(kind);
    timeline.events.forEach((event, i) => {
      expect(event.timeUs).toBeGreaterThanOrEqual(i === 0 ? START_US : timeline.events[i - 1]!.timeUs);
      expect(event.endUs).toBeGreaterThanOrEqual(event.timeUs);
      expect(event.endUs).toBeLessThan(START_US + HOUR_US);
      expect(Number.isSafeInteger(event.timeUs) && Number.isSafeInteger(event.endUs)).toBe(true);
    });
  });

  it("lets print say what it says always, and a screen while it is on", () => {
    const screen = house.things.find(({ category }) => category === "television")!;
    const book = house.things.find(({ category, text }) => category === "book" && text !== undefined)!;
    const times = Array.from({ length: 60 }, (_, n) => START_US + n * 60_000_000);
    const states = times.map((timeUs) => timeline.fluentAt(screen.id, "power", timeUs));
    expect(new Set(states)).toEqual(new Set(["off", "on"]));
    for (const [n, timeUs] of times.entries()) {
      expect(timeline.textAt(screen.id, timeUs)).toBe(states[n] === "on" ? screen.text : undefined);
      expect(timeline.textAt(book.id, timeUs)).toBe(book.text);
    }
  });

  it("keeps the world sound at every hour's seventh", () => {
    for (let i = 0; i <= 7; i++) {
      const faults = checkSnapshot(timeline.snapshotAt(START_US + Math.floor((i * HOUR_US) / 7)));
      expect(faults.map((f) => `${i}: ${f.code} ${f.thing} ${f.detail}`)).toEqual([]);
    }
  });

  it("says before and after of each event what the placements and fluents say", () => {
    let checked = 0;
    for (const event of timeline.events) {
      const { thing, timeUs, endUs } = event;
      if (event.type === "move" || event.type === "carry" || event.type === "twin-swap") {
        expect(spot(timeline.placementAt(thing, timeUs - 1))).toEqual(spot(event.from as Placement));
        expect(spot(timeline.placementAt(thing, endUs))).toEqual(spot(event.to as Placement));
        if (event.type === "twin-swap")
          expect(spot(timeline.placementAt(event.other!, endUs))).toEqual(spot(event.from as Placement));
        checked++;
      } else if (event.type === "remove") {
        expect(timeline.placementAt(thing, timeUs - 1)).toBeDefined();
        expect(timeline.placementAt(thing, timeUs)).toBeUndefined();
        expect(timeline.solidsOf(thing, timeUs)).toEqual([]);
      } else if (event.type === "add") {
        expect(timeline.placementAt(thing, timeUs - 1)).toBeUndefined();
        expect(timeline.placementAt(thing, timeUs)).toBeDefined();
      } else if (event.fluent !== undefined) {
        expect(timeline.fluentAt(thing, event.fluent, timeUs - 1)).toBe(event.from);
        expect(timeline.fluentAt(thing, event.fluent, timeUs)).toBe(event.to);
        checked++;
      }
    }
    expect(checked).toBeGreaterThan(30);
  });

  it("takes a carried thing along with the person", () => {
    const carry = timeline.events.find((event) => event.type === "carry")!;
    const halfway = Math.floor((carry.timeUs + carry.endUs) / 2);
    const thing = timeline.placementAt(carry.thing, halfway)!;
    const person = timeline.placementAt(carry.who!, halfway)!;
    expect(thing.supportedBy).toBe(carry.who);
    expect(Math.hypot(thing.centre.x - person.centre.x, thing.centre.y - person.centre.y)).toBeLessThan(1);
  });

  it("names exactly what changes between two times", () => {
    for (let i = 0; i < 12; i++) {
      const from = START_US + i * 290_000_000;
      const to = from + 17_000_000;
      const changed = new Set(timeline.changedBetween(from, to));
      expect(new Set(timeline.changedBetween(to, from))).toEqual(changed);
      for (const { id } of house.things) {
        if (!changed.has(id)) expect(timeline.solidsOf(id, to)).toEqual(timeline.solidsOf(id, from));
      }
    }
    expect(timeline.changedBetween(START_US, START_US)).toEqual([]);
    expect(timeline.changedBetween(START_US, START_US + HOUR_US).length).toBeGreaterThan(20);
  });

  it("hides what is inside as its container opens and closes", () => {
    const opened = timeline.events.flatMap((event) => {
      const inside =
        event.type === "open"
          ? house.things.filter((t) => timeline.placementAt(t.id, event.timeUs)?.insideOf === event.thing)
          : [];
      return inside.map((thing) => ({ event, thing }));
    });
    expect(opened.length).toBeGreaterThan(0);
    for (const { event, thing } of opened) {
      expect(timeline.placementAt(thing.id, event.timeUs - 1)?.hidden).toBe(true);
      expect(timeline.placementAt(thing.id, event.timeUs)?.hidden).toBe(false);
    }
  });

  it("stands still at rate 0", () => {
    const still = makeTimeline(house, { ...options, rate: 0, people: 0 });
    expect(still.events).toEqual([]);
    expect(still.changedBetween(START_US, START_US + HOUR_US)).toEqual([]);
    expect(still.lightsAt(START_US).length).toBeGreaterThan(house.rooms.length / 2);
  });

  it.each([
    [{ durationUs: 0 }],
    [{ durationUs: -5 }],
    [{ durationUs: 1.5 }],
    [{ startUs: Number.NaN }],
    [{ rate: -1 }],
    [{ rate: Number.POSITIVE_INFINITY }],
    [{ carriedShare: 2 }],
    [{ people: 99 }],
    [{ people: -1 }],
    [{ durationUs: 1e15, rate: 3600 }],
    [{ seed: Number.NaN }],
  ])("refuses %o", (bad) => {
    let caught: unknown;
    try {
      makeTimeline(house, { ...options, ...bad });
    } catch (error) {
      caught = error;
    }
    expect(isLociError(caught, "invalid-input")).toBe(true);
  });

  it("knows no thing that never was", () => {
    expect(() => timeline.placementAt("unicorn-1", START_US)).toThrow(/unicorn-1/);
  });
});

function spot(placement: Placement | undefined): unknown {
  return placement === undefined ? undefined : { ...placement, hidden: undefined };
}
