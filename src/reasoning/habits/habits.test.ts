import { describe, expect, test } from "vitest";
import { Random } from "../../geometry/index.ts";
import {
  howLongUsually,
  learnHabits,
  likelyAt,
  normallyWhen,
  observedDays,
  observedSpans,
  occasionsAt,
  stillThere,
  unusual,
  usual,
  usualHours,
} from "./index.ts";
import type { HabitInput, HabitStay } from "./types.ts";

const HOUR_US = 3_600_000_000;
const DAY_US = 24 * HOUR_US;
/** Monday 5 January 2026, midnight UTC. */
const MONDAY_US = Date.UTC(2026, 0, 5) * 1000;
const at = (day: number, hour: number) => MONDAY_US + day * DAY_US + Math.round(hour * HOUR_US);

/** A mug: cupboard, at breakfast on the table, then in the sink until noon; at weekends breakfast is at ten. */
function mugDay(day: number, shiftH = 0): HabitStay[] {
  const breakfast = (day % 7 >= 5 ? 10 : 7) + shiftH;
  const hours: [string, number, number][] = [
    ["cupboard", 0, breakfast],
    ["table", breakfast, breakfast + 1],
    ["sink", breakfast + 1, 13],
    ["cupboard", 13, 24],
  ];
  return hours.map(([placeKey, from, to]) => ({
    placeKey,
    fromUs: at(day, from),
    toUs: at(day, to),
    lastSeenUs: at(day, to) - 1,
  }));
}

function mugWeeks(days: number, more: Partial<HabitInput> = {}): HabitInput {
  const stays = Array.from({ length: days }, (_, day) => mugDay(day)).flat();
  return { stays, nowUs: at(days, 0), ...more };
}

const sure = (guess: ReturnType<typeof likelyAt>, key: string) =>
  guess.places.find(({ placeKey }) => placeKey === key)?.p ?? 0;

describe("where it usually is", () => {
  const model = learnHabits(mugWeeks(14));

  test("depends on the hour, and on working days and weekends", () => {
    expect(usual(model, { hour: 7, weekday: "weekday" }).places[0]).toMatchObject({
      placeKey: "table",
      days: 10,
    });
    expect(usual(model, { hour: 7, weekday: "weekend" }).places[0]!.placeKey).toBe("cupboard");
    expect(usual(model, { hour: 10, weekday: 6 })).toMatchObject({
      observedDays: 2,
      places: [{ placeKey: "table" }],
    });
    expect(usual(model).places[0]!.placeKey).toBe("cupboard");
    const evening = usual(model, { span: { fromHour: 22, toHour: 6 } });
    expect(evening).toEqual({
      observedDays: 14,
      elsewhere: 0,
      places: [{ placeKey: "cupboard", share: 1, days: 14 }],
    });
  });

  test("a guess is surest where days agree, and never certain", () => {
    const breakfast = likelyAt(model, at(14, 7.5));
    expect(breakfast.places[0]!.placeKey).toBe("table");
    expect(likelyAt(model, at(19, 7.5)).places[0]!.placeKey).toBe("cupboard");
    expect(likelyAt(model, at(19, 10.5)).places[0]!.placeKey).toBe("table");
    const night = likelyAt(model, at(15, 3));
    expect(night.places[0]!.p).toBeGreaterThan(breakfast.places[0]!.p);
    expect(night.places[0]!.p).toBeLessThan(1);
    for (const guess of [breakfast, night])
      expect(guess.places.reduce((sum, { p }) => sum + p, guess.elsewhere)).toBeCloseTo(1, 9);
  });

  test("local time is what people live by", () => {
    const berlin = learnHabits({ ...mugWeeks(14), utcOffsetMin: 60 });
    expect(usual(berlin, { hour: 8, weekday: "weekday" }).places[0]!.placeKey).toBe("table");
  });

  test("what nobody saw counts for nothing", () => {
    const watched = Array.from({ length: 14 }, (_, day) => ({ fromUs: at(day, 7), toUs: at(day, 8) }));
    const seen = learnHabits(mugWeeks(14, { observed: watched }));
    expect(usual(seen, { hour: 3 })).toEqual({ observedDays: 0, elsewhere: 0, places: [] });
    expect(usual(seen, { weekday: "weekday" }).places).toEqual([{ placeKey: "table", share: 1, days: 10 }]);
    expect(likelyAt(seen, at(14, 3)).observedDays).toBe(0);
  });

  test("old days fade", () => {
    const stay = (day: number, placeKey: string): HabitStay => ({
      placeKey,
      fromUs: at(day, 0),
      toUs: at(day + 1, 0),
      lastSeenUs: at(day + 1, 0) - 1,
    });
    const stays = Array.from({ length: 60 }, (_, day) => stay(day, day < 40 ? "desk" : "shelf"));
    const model = learnHabits({ stays, nowUs: at(60, 0) });
    expect(usual(model).places.map(({ placeKey, days }) => [placeKey, days])).toEqual([
      ["shelf", 20],
      ["desk", 40],
    ]);
  });

  test("an unseen thing is where its kind is, as a guess", () => {
    const model = learnHabits({ stays: [], nowUs: at(1, 0), prior: { cupboard: 0.6, sink: 0.3 } });
    const guess = likelyAt(model, at(1, 8));
    expect(guess.places.map(({ placeKey }) => placeKey)).toEqual(["cupboard", "sink"]);
    expect(guess.places[0]!.p).toBeCloseTo(0.6, 1);
    expect(guess.observedDays).toBe(0);
    expect(likelyAt(learnHabits({ stays: [], nowUs: 0 }), 0)).toEqual({
      places: [],
      elsewhere: 1,
      observedDays: 0,
    });
  });
});

describe("probabilities", () => {
  test("are about as often right as they say, on days that were not learnt from", () => {
    const random = new Random("calibration");
    const places = ["desk", "sofa", "bag"];
    let claimed = 0;
    let right = 0;
    let asked = 0;
    for (let thing = 0; thing < 60; thing++) {
      const regular = random.range(0.4, 1);
      const day = (n: number): HabitStay[] =>
        [0, 8, 16].map((hour, part) => {
          const placeKey = random.chance(regular) ? places[part]! : random.pick(places);
          return { placeKey, fromUs: at(n, hour), toUs: at(n, hour + 8), lastSeenUs: at(n, hour + 8) - 1 };
        });
      const model = learnHabits({
        stays: Array.from({ length: 5 }, (_, n) => day(n)).flat(),
        nowUs: at(5, 0),
      });
      for (const stay of day(5)) {
        const [best] = likelyAt(model, stay.fromUs + 4 * HOUR_US).places;
        claimed += best!.p;
        right += Number(best!.placeKey === stay.placeKey);
        asked++;
      }
    }
    expect(Math.abs(claimed - right) / asked).toBeLessThan(0.1);
    expect(right / asked).toBeGreaterThan(0.6);
  });

  test("a thing without a habit is guessed with less certainty than one with", () => {
    const random = new Random("moody");
    const moody = Array.from({ length: 10 * 6 }, (_, n) => ({
      placeKey: random.pick(["desk", "sofa", "bag", "bed"]),
      fromUs: at(0, 4 * n),
      toUs: at(0, 4 * n + 4),
      lastSeenUs: at(0, 4 * n + 4) - 1,
    }));
    const p = likelyAt(learnHabits({ stays: moody, nowUs: at(10, 0) }), at(10, 10)).places[0]!.p;
    expect(p).toBeLessThan(0.7);
    expect(likelyAt(learnHabits(mugWeeks(10)), at(10, 3)).places[0]!.p).toBeGreaterThan(0.9);
  });
});

describe("with a last look", () => {
  const model = learnHabits(mugWeeks(14));
  const last = { placeKey: "table", seenUs: at(14, 7.25) };

  test("it is still there at first, later where it goes from there", () => {
    expect(sure(likelyAt(model, at(14, 7.3), last), "table")).toBeGreaterThan(0.7);
    expect(likelyAt(model, at(14, 9.5), last).places[0]!.placeKey).toBe("sink");
    expect(likelyAt(model, at(14, 22), last).places[0]!.placeKey).toBe("cupboard");
    const steps = [7.3, 7.6, 8, 8.5].map((hour) => sure(likelyAt(model, at(14, hour), last), "table"));
    expect(steps).toEqual(steps.toSorted((a, b) => b - a));
  });

  test("a place it was never at before is believed for a while", () => {
    const odd = { placeKey: "garden", seenUs: at(14, 9) };
    expect(likelyAt(model, at(14, 9.1), odd).places[0]!.placeKey).toBe("garden");
    expect(sure(likelyAt(model, at(16, 9), odd), "garden")).toBeLessThan(0.5);
  });

  test("staying falls with time, and slower from where it stays longer", () => {
    const times = [0, 1, 2, 6].map((h) => stillThere(model, "cupboard", at(14, 14), at(14, 14 + h)));
    expect(times[0]).toBe(1);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(stillThere(model, "cupboard", at(14, 7.5), at(14, 8))).toBeGreaterThan(
      stillThere(model, "table", at(14, 7.5), at(14, 8)),
    );
  });
});

test("what is unusual is rare now and expected elsewhere", () => {
  const model = learnHabits(mugWeeks(14));
  const odd = unusual(model, { placeKey: "bathroom", timeUs: at(14, 3) });
  expect(odd).toMatchObject({ isUnusual: true, usual: { places: [{ placeKey: "cupboard" }] } });
  const fine = unusual(model, { placeKey: "cupboard", timeUs: at(14, 3) });
  expect(fine.isUnusual).toBe(false);
  expect(odd.surpriseBits).toBeGreaterThan(fine.surpriseBits + 3);
  const young = learnHabits(mugWeeks(2));
  expect(unusual(young, { placeKey: "bathroom", timeUs: at(2, 3) }).isUnusual).toBe(false);
});

describe("when it normally happens", () => {
  const input = mugWeeks(14);
  const model = learnHabits(input);
  const breakfasts = occasionsAt(input.stays, "table");

  test("groups of starts, on how many days, how long and how often", () => {
    const days = observedDays(model);
    const normal = normallyWhen(breakfasts, { observedDays: days });
    expect(normal[0]!.observedDays).toBe(14);
    expect(normal.map(({ fromMin, days }) => [Math.round(fromMin), days])).toEqual([
      [420, 10],
      [600, 4],
    ]);
    expect(normallyWhen(breakfasts, { observedDays: days, weekday: "weekend" })).toHaveLength(1);
    expect(howLongUsually(breakfasts)!.medianUs).toBeCloseTo(HOUR_US, -3);
    expect(howLongUsually([{ fromUs: 0, toUs: null }])).toBeUndefined();
  });

  test("around midnight is one time, not two", () => {
    const starts = [23.8, 24.2, 23.9, 24.1].map((hour, day) => ({ fromUs: at(day, hour) }));
    const times = normallyWhen(starts, {
      observedDays: [0, 1, 2, 3, 4].map((d) => MONDAY_US / DAY_US + d),
    });
    expect(times).toHaveLength(1);
    expect(times[0]!.days).toBe(4);
    expect(1440 - times[0]!.fromMin).toBeLessThan(15);
  });

  test("hours of a state", () => {
    const [morning] = usualHours(model, "table", { weekday: "weekday" });
    expect(morning!.fromMin).toBeGreaterThanOrEqual(405);
    expect(morning!.toMin).toBeLessThanOrEqual(495);
    expect(morning).toMatchObject({ days: 10, observedDays: 10 });
    expect(usualHours(model, "garden")).toEqual([]);
    expect(usualHours(learnHabits({ stays: [], nowUs: 0 }), "on")).toEqual([]);
  });
});

test("a look speaks for the minutes around it, up to the middle of the way to the next", () => {
  const spans = observedSpans([at(0, 8), at(0, 8.2), at(0, 12)]);
  const hours = spans.map(({ fromUs, toUs }) => [(fromUs - at(0, 0)) / HOUR_US, (toUs - at(0, 0)) / HOUR_US]);
  const near = (n: number) => expect.closeTo(n, 3);
  expect(hours).toEqual([
    [near(8 - 1 / 6), near(8.1)],
    [near(8.1), near(8.2 + 1 / 6)],
    [near(12 - 1 / 6), near(12 + 1 / 6)],
  ]);
});
