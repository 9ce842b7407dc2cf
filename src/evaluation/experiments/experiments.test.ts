import { describe, expect, it } from "vitest";
import type { Expression } from "../../schema/index.ts";
import { above, alike, below, notBelow } from "./claims.ts";
import { Figures, MACRO, WITHOUT_BLIND } from "./figures.ts";
import { withoutKeys } from "./keys/without-keys.ts";
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

describe("keys that are switched off", () => {
  const e = (op: string, ...of: Expression[]): Expression => ({ op, of, with: {} });
  const mug: Expression = { op: "things", of: [], with: { category: "mug", colour: "red" } };
  const kitchen: Expression = { op: "rooms", of: [], with: { name: "kitchen" } };
  const all = { meaning: true, space: true, time: true };

  it("leave an expression alone where none is", () => {
    const asked = e("at", e("place", e("the", mug)), e("moment"));
    expect(withoutKeys(asked, all)).toEqual(asked);
  });

  it("drop the conditions that stand under them", () => {
    const count = e("count", e("in", mug, kitchen));
    expect(withoutKeys(count, { ...all, space: false })).toEqual(e("count", mug));
    const then = e("at", e("is", e("the", mug)), e("before", e("when", mug)));
    expect(withoutKeys(then, { ...all, time: false })).toEqual(e("is", e("the", mug)));
    const nearest = e("name", e("least", mug, e("distance", e("it"))));
    expect(withoutKeys(nearest, { ...all, space: false })).toEqual(e("name", mug));
  });

  it("make unknown what is asked of them", () => {
    expect(withoutKeys(e("place", e("the", mug)), { ...all, space: false })).toBeNull();
    expect(withoutKeys(e("when", e("the", mug)), { ...all, time: false })).toBeNull();
    expect(withoutKeys(e("attribute", e("the", mug)), { ...all, meaning: false })).toBeNull();
  });

  it("leave things without a description where nothing is known of what they are", () => {
    const place = e("place", e("the", mug));
    expect(withoutKeys(place, { ...all, meaning: false })).toEqual(e("place", e("the", e("things"))));
  });
});
