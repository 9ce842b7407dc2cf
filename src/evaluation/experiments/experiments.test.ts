import { describe, expect, it } from "vitest";
import { above, alike, below, notBelow } from "./claims.ts";
import { Figures, MACRO, WITHOUT_BLIND } from "./figures.ts";
import type { Mark } from "./mark.ts";

const mark = (config: string, item: string, value: number, more: Partial<Mark> = {}): Mark => ({
  config,
  suite: "s",
  metric: "correct",
  scene: `house-${item}`,
  item,
  value,
  slices: [],
  ...more,
});
const items = ["1", "2", "3", "4", "5", "6"];

describe("figures", () => {
  it("pairs the same items and gives an interval around the mean", () => {
    const figures = new Figures(items.flatMap((item, n) => [mark("a", item, 100), mark("b", item, n * 10)]));
    expect(figures.difference("a", "b")).toMatchObject({ value: 75, n: 6 });
    const { value, low, high } = figures.estimate("b")!;
    expect(value).toBe(25);
    expect(low).toBeLessThan(25);
    expect(high).toBeGreaterThan(25);
  });

  it("has a row for every slice, and the mean over types where there are several", () => {
    const marks = items.map((item, n) =>
      mark("a", item, n < 4 ? 100 : 0, {
        type: n < 4 ? "state" : "spatial",
        slices: n < 4 ? ["state"] : ["spatial", WITHOUT_BLIND],
      }),
    );
    const rows = new Figures(marks).rows();
    const of = (slice: string, metric = "correct") =>
      rows.find((row) => row.slice === slice && row.metric === metric)?.value;
    expect([of("all"), of("state"), of(WITHOUT_BLIND)]).toEqual([66.67, 100, 0]);
    expect(of("all", MACRO)).toBe(50);
  });
});

describe("claims", () => {
  const figures = new Figures(
    items.flatMap((item, n) => [
      mark("good", item, 90 + n),
      mark("same", item, n % 2 === 0 ? 89 + n : 91 + n),
      mark("bad", item, 20),
    ]),
  );

  it("hold where the difference is large enough and not by chance", () => {
    expect(above("good", "bad", { by: 50 }).holds(figures)).toBe(true);
    expect(above("good", "bad", { by: 80 }).holds(figures)).toBe(false);
    expect(below("bad", "good").holds(figures)).toBe(true);
    expect(above("good", "same").holds(figures)).toBe(false);
    expect(notBelow("same", "good").holds(figures)).toBe(true);
    expect(notBelow("bad", "good").holds(figures)).toBe(false);
    expect(alike("good", "same", 1).holds(figures)).toBe(true);
  });

  it("say nothing of what was not measured", () => {
    expect(above("good", "unheard of").holds(figures)).toBeNull();
    expect(alike("good", "same", 1, { slice: "temporal" }).holds(figures)).toBeNull();
  });
});
