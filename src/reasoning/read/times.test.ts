import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kindOf } from "../algebra/check.ts";
import { print } from "../algebra/notation.ts";
import { timeAt } from "./times.ts";

/** A Wednesday, 15:20. */
const NOW_US = Date.UTC(2026, 2, 4, 15, 20) * 1000;

/** The best reading of all the words, abbreviated: calendar times as they are written. */
function read(text: string): string | false {
  const words = text.split(" ");
  const found = timeAt(words, 0, NOW_US);
  return (
    found?.length === words.length &&
    print(found.value)
      .replace(/\d{16}/g, (us) => new Date(Number(us) / 1000).toISOString().replace(/:00\.000Z|\.000Z/, ""))
      .replaceAll("2026-03-04T", "")
  );
}

describe("timeAt", () => {
  it.each([
    ["five minutes ago", "moment(agoS: 300)"],
    ["a quarter of an hour ago", "moment(agoS: 900)"],
    ["an hour and a half ago", "moment(agoS: 5400)"],
    ["about 2 minutes and 20 seconds ago", "moment(agoS: 140)"],
    ["twenty five seconds earlier", "moment(agoS: 25)"],
    ["two days ago", "moment(fromUs: 2026-03-02T00:00, toUs: 2026-03-03T00:00)"],
    ["two days ago at ten", "moment(fromUs: 2026-03-02T10:00, toUs: 2026-03-02T10:01)"],
    ["yesterday", "moment(fromUs: 2026-03-03T00:00, toUs: 00:00)"],
    ["yesterday morning", "moment(fromUs: 2026-03-03T05:00, toUs: 2026-03-03T12:00)"],
    ["yesterday at half past nine", "moment(fromUs: 2026-03-03T09:30, toUs: 2026-03-03T09:31)"],
    ["at ten in the morning yesterday", "moment(fromUs: 2026-03-03T10:00, toUs: 2026-03-03T10:01)"],
    ["this morning", "moment(fromUs: 05:00, toUs: 12:00)"],
    ["this morning at nine", "moment(fromUs: 09:00, toUs: 09:01)"],
    ["last night at two", "moment(fromUs: 02:00, toUs: 02:01)"],
    ["today", "moment(fromUs: 00:00, toUs: 2026-03-05T00:00)"],
    ["earlier today", "moment(fromUs: 00:00, toUs: 15:20)"],
    ["at 10:05", "moment(fromUs: 10:05, toUs: 10:06)"],
    ["at 09:03:20", "moment(fromUs: 09:03:20, toUs: 09:03:21)"],
    ["at a quarter to ten", "moment(fromUs: 09:45, toUs: 09:46)"],
    ["at 3 pm", "moment(fromUs: 15:00, toUs: 15:01)"],
    ["at nine thirty", "moment(fromUs: 09:30, toUs: 09:31)"],
    ["around ten", "moment(fromUs: 09:50, toUs: 10:11)"],
    // Not at two in the morning; this afternoon has already passed two.
    ["at two", "moment(fromUs: 14:00, toUs: 14:01)"],
    // In the future today: yesterday's.
    ["at 18:00", "moment(fromUs: 2026-03-03T18:00, toUs: 2026-03-03T18:01)"],
    ["before noon", "before(moment(atUs: 12:00))"],
    ["since nine", "after(moment(atUs: 09:00))"],
    ["since yesterday", "after(moment(atUs: 2026-03-03T00:00))"],
    ["after yesterday", "after(moment(atUs: 00:00))"],
    ["by 10", "before(moment(atUs: 10:00))"],
    ["until ten o'clock", "before(moment(atUs: 10:00))"],
    ["from ten onwards", "after(moment(atUs: 10:00))"],
    ["as of 10:30", "moment(fromUs: 10:30, toUs: 10:31)"],
    ["just before ten", "moment(fromUs: 09:50, toUs: 10:00)"],
    ["more than an hour ago", "before(moment(agoS: 3600))"],
    ["between 9 and 10", "moment(fromUs: 09:00, toUs: 10:00)"],
    ["9:00 through 10:00", "moment(fromUs: 09:00, toUs: 10:00)"],
    ["from 9:02 to 9:01", "moment(fromUs: 09:01, toUs: 09:02)"],
    ["from 11:00 to 9:30", "moment(fromUs: 11:00, toUs: 21:30)"],
    ["between eleven and one", "moment(fromUs: 11:00, toUs: 13:00)"],
    ["from ten to two", "moment(fromUs: 10:00, toUs: 14:00)"],
    ["from 10:05 until 10:20 yesterday", "moment(fromUs: 2026-03-03T10:05, toUs: 2026-03-03T10:20)"],
    ["yesterday between nine and ten", "moment(fromUs: 2026-03-03T09:00, toUs: 2026-03-03T10:00)"],
    ["between monday and yesterday", "moment(fromUs: 2026-03-02T00:00, toUs: 00:00)"],
    ["from ten minutes ago to now", "between(moment(agoS: 600), moment(agoS: 0))"],
    ["in the last two minutes", "moment(lastS: 120)"],
    ["over the past half hour", "moment(lastS: 1800)"],
    ["within the last hour", "moment(lastS: 3600)"],
    ["in the last few minutes", "moment(lastS: 180)"],
    ["in the last week", "moment(lastS: 604800)"],
    ["last week", "moment(fromUs: 2026-02-23T00:00, toUs: 2026-03-02T00:00)"],
    ["on tuesday", "moment(fromUs: 2026-03-03T00:00, toUs: 00:00)"],
    ["last wednesday", "moment(fromUs: 2026-02-25T00:00, toUs: 2026-02-26T00:00)"],
    ["on monday evening", "moment(fromUs: 2026-03-02T17:00, toUs: 2026-03-02T23:00)"],
    ["on march 2nd at 9 am", "moment(fromUs: 2026-03-02T09:00, toUs: 2026-03-02T09:01)"],
    ["on the 2nd of march", "moment(fromUs: 2026-03-02T00:00, toUs: 2026-03-03T00:00)"],
    ["2026-03-02", "moment(fromUs: 2026-03-02T00:00, toUs: 2026-03-03T00:00)"],
    ["on december 24", "moment(fromUs: 2025-12-24T00:00, toUs: 2025-12-25T00:00)"],
    ["tomorrow at eight", "moment(fromUs: 2026-03-05T08:00, toUs: 2026-03-05T08:01)"],
    ["12 seconds in", "moment(sinceStartS: 12)"],
    ["two minutes into the tour", "moment(sinceStartS: 120)"],
    ["at the 30 second mark", "moment(sinceStartS: 30)"],
    ["after the first minute", "after(moment(sinceStartS: 60))"],
    ["in the first five minutes", "moment(firstS: 300)"],
    ["at the beginning", 'moment(phase: "start")'],
    ["at the end", 'moment(phase: "end")'],
    ["earlier", 'moment(phase: "earlier")'],
    ["a while ago", 'moment(phase: "earlier")'],
    ["just now", 'moment(phase: "just-now")'],
    ["so far", 'moment(phase: "all")'],
    ["recently", 'moment(phase: "recent")'],
    ["right now", "moment()"],
    ["at the moment", "moment()"],
    ["all morning", "moment(fromUs: 05:00, toUs: 12:00)"],
    ["all day", "moment(fromUs: 00:00, toUs: 2026-03-05T00:00)"],
    ["in ten minutes", "moment(agoS: -600)"],
  ])("%s", (text, expected) => {
    expect(read(text)).toBe(expected);
  });

  it.each([
    "ten",
    "after lunch",
    "at ten metres",
    "before you entered",
    "two chairs",
    "may",
    "at the table",
    "last",
  ])("reads no time in “%s”", (text) => {
    expect(timeAt(text.split(" "), 0, NOW_US)).toBeUndefined();
  });

  it("gives the longest, and leaves what follows", () => {
    expect(timeAt("yesterday at ten in the kitchen".split(" "), 0, NOW_US)?.length).toBe(3);
  });

  it("gives well-formed times of bounded length, whatever the words", () => {
    const word = fc.constantFrom(
      ..."at in the last first five ten half past quarter to two and a minutes hour ago yesterday monday morning between from until since before after 10:05 9am march 2nd of on this night next week 99 zero".split(
        " ",
      ),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const found = timeAt(words, 0, NOW_US);
        if (!found) return;
        expect(found.length).toBeGreaterThan(0);
        expect(found.length).toBeLessThanOrEqual(words.length);
        expect(kindOf(found.value)).toBe("times");
      }),
    );
  });
});
