import { describe, expect, test } from "vitest";
import { withClockTimes } from "./clock-words.ts";

describe("clock times as people say them", () => {
  test.each([
    ["where was it at a quarter past ten", "where was it at 10:15"],
    ["where was it at half past nine", "where was it at 9:30"],
    ["who was here at quarter to eleven", "who was here at 10:45"],
    ["what moved since ten to two", "what moved since 1:50"],
    ["what moved since nine thirty", "what moved since 9:30"],
    ["where was it at nine o'clock", "where was it at 9:00"],
    ["is it next to two chairs", "is it next to two chairs"],
    ["how far from one to two", "how far from one to two"],
    ["what was it half a minute ago", "what was it half a minute ago"],
  ])("%s", (said, written) => {
    expect(withClockTimes(said)).toBe(written);
  });
});
