import { beforeAll, describe, expect, it } from "vitest";
import { checkSnapshot } from "../testing/house-check.ts";
import {
  factsOf,
  type ImaginedWeeks,
  imagineWeeks,
  looksAt,
  makeWeekQuestions,
  subjectsOf,
  valueAt,
} from "./index.ts";
import { isWeekendDay } from "./plan-days.ts";
import { WEEK_WORDINGS } from "./wordings.ts";

const HOUR_US = 3_600_000_000;
const DAY_US = 24 * HOUR_US;
const SEED = 104;
const DAYS = 4;

let weeks: ImaginedWeeks;
beforeAll(() => {
  // From a Friday on, so that there are both kinds of day.
  weeks = imagineWeeks({ seed: SEED, days: DAYS, startUs: Date.UTC(2026, 0, 9) * 1000 });
});

describe("weeks", () => {
  it("are the same for the same seed, and others for another", () => {
    const again = imagineWeeks({ seed: SEED, days: 1, startUs: weeks.timeline.startUs });
    const firstDay = (w: ImaginedWeeks) =>
      w.timeline.events.filter(({ timeUs }) => timeUs < weeks.timeline.startUs + 12 * HOUR_US);
    expect(firstDay(again)).toEqual(firstDay(weeks));
    const other = imagineWeeks({ seed: 107, days: 1, startUs: weeks.timeline.startUs });
    expect(firstDay(other)).not.toEqual(firstDay(weeks));
  });

  it("leave a house in which nothing stands in anything", () => {
    for (const hour of [7.9, 13, 20.5, 30, 45])
      expect(checkSnapshot(weeks.timeline.snapshotAt(weeks.timeline.startUs + hour * HOUR_US))).toEqual([]);
  });

  it("have people who sleep at night, are out on working days, and get up later at weekends", () => {
    const { timeline, activities } = weeks;
    expect(activities.some(({ activity, isWeekend }) => activity === "away" && !isWeekend)).toBe(true);
    const up = (isWeekend: boolean) => {
      const hours = activities
        .filter((a) => a.activity === "wash" && a.isWeekend === isWeekend)
        .map(({ fromUs }) => ((fromUs - timeline.startUs) % DAY_US) / HOUR_US);
      return hours.reduce((a, b) => a + b, 0) / hours.length;
    };
    expect(up(true)).toBeGreaterThan(up(false) + 0.7);
    expect(isWeekendDay(Date.UTC(2026, 0, 10) * 1000)).toBe(true);
    expect(isWeekendDay(Date.UTC(2026, 0, 9) * 1000)).toBe(false);
  });

  it("tell a memory only what was in sight, and when", () => {
    const { timeline, household, rounds } = weeks;
    const facts = factsOf(timeline, rounds);
    const inRounds = (us: number) => rounds.some(({ fromUs, toUs }) => fromUs <= us && us <= toUs);
    for (const { timeUs } of facts.sightings) expect(inRounds(timeUs)).toBe(true);
    for (const subject of subjectsOf(timeline, household))
      for (const { timeUs, value } of looksAt(facts, timeline, subject))
        expect(value).toBe(value === undefined ? undefined : valueAt(timeline, subject, timeUs));
    const ids = new Set(facts.records.map(({ id }) => id));
    expect(ids.size).toBe(facts.records.length);
    const stays = facts.records.filter((record) => record.kind === "state");
    for (const { supportedBy, insideOf } of stays)
      for (const host of [supportedBy, insideOf]) expect(host === undefined || ids.has(host)).toBe(true);
    // A day has more minutes without a look than with one.
    const watchedUs = rounds.reduce((sum, { fromUs, toUs }) => sum + toUs - fromUs, 0);
    expect(watchedUs).toBeLessThan(0.1 * DAYS * DAY_US);
  });
});

describe("questions about weeks", () => {
  it("have answers that the looks give, of all groups of kinds", () => {
    const questions = makeWeekQuestions(weeks, { days: DAYS - 1, count: 200, seed: SEED, wording: "dev" });
    const groups = new Set(questions.map(({ subtype }) => subtype.split("/")[0]));
    for (const group of ["past", "present", "several", "usual", "likely"]) expect(groups).toContain(group);
    expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
    const endUs = weeks.timeline.startUs + (DAYS - 1) * DAY_US;
    for (const question of questions) {
      expect(question.askedAtUs).toBeLessThan(endUs);
      expect(question.text).not.toMatch(/\{|undefined|\bin in\b/);
      for (const us of question.evidenceTimesUs) expect(us).toBeLessThanOrEqual(question.askedAtUs);
    }
    const test = makeWeekQuestions(weeks, { days: DAYS - 1, count: 200, seed: SEED, wording: "test" });
    const asked = new Set(questions.map(({ text }) => text));
    expect(test.filter(({ text }) => asked.has(text))).toEqual([]);
  });

  it("past places are those of the truth at the time of the evidence", () => {
    const { timeline } = weeks;
    const questions = makeWeekQuestions(weeks, { days: DAYS - 1, count: 200, seed: SEED, wording: "dev" });
    const past = questions.filter(({ subtype }) => subtype === "past/where");
    expect(past.length).toBeGreaterThan(5);
    for (const { about, evidenceTimesUs, answer, extra } of past) {
      const placement = timeline.placementAt(String(about["thing"]), evidenceTimesUs[0]!)!;
      const host = timeline.thing(placement.insideOf ?? placement.supportedBy!);
      expect([answer.text, ...extra].some((text) => text.includes(host.category))).toBe(true);
    }
  });

  it("share no wording between the sets", () => {
    const folded = (text: string) =>
      text
        .toLowerCase()
        .replace(/[^a-z{}]+/g, " ")
        .trim();
    const all = Object.values(WEEK_WORDINGS);
    const dev = new Set(all.flatMap((wording) => wording.dev.map(folded)));
    expect(all.flatMap((wording) => wording.test.map(folded)).filter((text) => dev.has(text))).toEqual([]);
    for (const { dev: own, test } of all) expect([own.length, test.length].every((n) => n >= 2)).toBe(true);
  });
});
