import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { HabitStay } from "../../reasoning/habits/index.ts";
import { midnightUs } from "../datasets/stay.ts";
import { evaluateHabits, formatHabitsReport } from "./evaluate-habits.ts";
import type { ForecastCase } from "./forecast-case.ts";
import { homerCases } from "./homer-cases.ts";
import { askAll, METHODS, scoreOf, TASKS } from "./score.ts";

const HOUR_US = 3_600_000_000;

/** On the table from eight to eighteen, on the shelf at night, day by day; asked of the two days after. */
function regular(household: string): ForecastCase {
  const day = (n: number): HabitStay[] =>
    (
      [
        ["shelf", 0, 8],
        ["table", 8, 18],
        ["shelf", 18, 24],
      ] as const
    ).map(([placeKey, from, to]) => {
      const fromUs = midnightUs(n) + from * HOUR_US;
      const toUs = midnightUs(n) + to * HOUR_US;
      return { placeKey, fromUs, toUs, lastSeenUs: toUs - 1 };
    });
  const asks = [5, 6].flatMap((n) =>
    [2, 6, 10, 12, 16, 20, 22].map((hour) => {
      const truth = hour >= 8 && hour < 18 ? "table" : "shelf";
      return { timeUs: midnightUs(n) + hour * HOUR_US, truth };
    }),
  );
  const stays = [0, 1, 2, 3, 4].flatMap(day);
  return { household, name: "cup", group: "thing", input: { stays, nowUs: midnightUs(5) }, asks };
}

describe("the scores of habits", () => {
  it("are ahead of both baselines where there is a habit, by the questions they differ in", () => {
    const outcomes = askAll([regular("a"), regular("b")]);
    const scores = scoreOf(outcomes, ({ task }) => task === "likely at");
    expect(scores.map(({ method }) => method)).toEqual([...METHODS]);
    const [habits, lastSeen, frequent] = scores as [
      (typeof scores)[0],
      (typeof scores)[0],
      (typeof scores)[0],
    ];
    expect(habits.accuracy.value).toBe(1);
    // It was last seen on the shelf, where it is in four of the seven hours; that is also its most frequent place.
    for (const other of [lastSeen, frequent]) {
      expect(other.accuracy.value).toBeCloseTo(4 / 7, 5);
      expect(other.ahead!.value).toBeCloseTo(3 / 7, 5);
      expect(habits.brier).toBeLessThan(other.brier);
      expect(habits.logLoss).toBeLessThan(other.logLoss);
    }
  });

  it("take the last look for the baseline where there is one", () => {
    const one = regular("a");
    const asks = one.asks.map((ask) => ({
      ...ask,
      last: { placeKey: "floor", seenUs: ask.timeUs - HOUR_US },
    }));
    const outcomes = askAll([{ ...one, asks }]);
    const [, lastSeen] = scoreOf(outcomes, ({ task }) => task === "since last seen");
    expect(lastSeen!.accuracy.value).toBe(0);
  });
});

describe("HOMER+", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "loci-habits-"));
    await mkdir(join(folder, "HouseholdX"));
    for (let day = 0; day < 7; day++) {
      const lines = [["[TELEPORT] <mug> (7) <table> (2) [1]"], ["[TELEPORT] <mug> (7) <sink> (3) [2]"]];
      const rare = day >= 5 ? [["[TELEPORT] <vase> (9) <table> (2) [3]"]] : [];
      const timestamps = [420 + day, 540, ...(day >= 5 ? [600] : [])];
      const file = join(folder, "HouseholdX", `00${day}.json`);
      await writeFile(file, JSON.stringify({ lines: [...lines, ...rare], timestamps }));
    }
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("is learnt on five days and asked of two, where the place is known", () => {
    const { cases, unseen } = homerCases(folder);
    expect(unseen).toBe(1);
    expect(cases).toHaveLength(1);
    const { input, asks } = cases[0]!;
    expect(input.stays.every(({ fromUs }) => fromUs < midnightUs(5))).toBe(true);
    expect(asks.every(({ timeUs }) => timeUs >= midnightUs(5) + 7 * HOUR_US)).toBe(true);
    expect(asks.find(({ timeUs }) => timeUs === midnightUs(5) + 8 * HOUR_US)?.truth).toBe("table");
    for (const { last, timeUs } of asks) expect(last === undefined || last.seenUs < timeUs).toBe(true);
  });

  it("is reported for every task and method, one household by its questions", async () => {
    const report = await evaluateHabits({ data: folder, seeds: [] });
    expect(report.rows).toHaveLength(TASKS.length * METHODS.length);
    const text = formatHabitsReport(report);
    expect(text).toContain("HOMER+: 1 things");
    expect(text).toContain("One household");
  });
});
