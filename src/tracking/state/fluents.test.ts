import { describe, expect, it } from "vitest";
import { Fluents, isFluent } from "./fluents.ts";

const NEAR = 0.05;
const FAR = 0.15;

describe("isFluent", () => {
  it("tells states from what a thing is made of", () => {
    expect(isFluent("openness", "open")).toBe(true);
    expect(isFluent("door", "closed")).toBe(true);
    expect(isFluent("plugged", true)).toBe(true);
    expect(isFluent("colour", "red")).toBe(false);
    expect(isFluent("material", "wood")).toBe(false);
  });
});

describe("Fluents", () => {
  const known = () => {
    const fluents = new Fluents();
    for (let t = 0; t < 3; t++) fluents.observe("power", "off", t, NEAR, 2);
    return fluents;
  };

  it("believes two near looks, with the time in which it changed", () => {
    const fluents = known();
    expect(fluents.observe("power", "on", 10, NEAR, 2)).toBeUndefined();
    expect(fluents.valueOf("power")).toBe("off");
    expect(fluents.observe("power", "on", 11, NEAR, 2)).toEqual({
      name: "power",
      from: "off",
      to: "on",
      lastOldUs: 2,
      firstNewUs: 10,
    });
    expect(fluents.valueOf("power")).toBe("on");
  });

  it("asks for more looks from afar", () => {
    const fluents = known();
    expect(fluents.observe("power", "on", 10, FAR, 2)).toBeUndefined();
    expect(fluents.observe("power", "on", 11, FAR, 2)).toBeUndefined();
    expect(fluents.observe("power", "on", 12, FAR, 2)).toBeUndefined();
    expect(fluents.observe("power", "on", 13, FAR, 2)?.to).toBe("on");
  });

  it("forgets a misread value when the old one is seen again", () => {
    const fluents = known();
    for (let t = 10; t < 40; t += 2) {
      expect(fluents.observe("power", "on", t, NEAR, 2)).toBeUndefined();
      expect(fluents.observe("power", "off", t + 1, NEAR, 2)).toBeUndefined();
    }
    expect(fluents.valueOf("power")).toBe("off");
  });

  it("corrects a first look that was wrong without calling it a change", () => {
    const fluents = new Fluents();
    fluents.observe("power", "on", 0, NEAR, 2);
    fluents.observe("power", "off", 1, NEAR, 2);
    expect(fluents.observe("power", "off", 2, NEAR, 2)).toBeUndefined();
    expect(fluents.valueOf("power")).toBe("off");
  });
});

it("replaces a value that far looks never made sure without saying that something happened", () => {
  const fluents = new Fluents();
  for (let t = 0; t < 2; t++) fluents.observe("openness", "open", t, 0.3, 2);
  for (let t = 10; t < 14; t++) expect(fluents.observe("openness", "closed", t, 0.3, 2)).toBeUndefined();
  expect(fluents.valueOf("openness")).toBe("closed");
});

it("knows of a change that two records of one thing saw each one side of", () => {
  const seen = (value: string, ...times: number[]) => {
    const fluents = new Fluents();
    for (const timeUs of times) fluents.observe("openness", value, timeUs, 0.05, 2);
    return fluents;
  };
  const open = seen("open", 1e6, 2e6, 3e6);
  expect(open.absorb(seen("closed", 9e6, 10e6, 11e6))).toEqual([
    { name: "openness", from: "open", to: "closed", lastOldUs: 3e6, firstNewUs: 9e6 },
  ]);
  expect(open.valueOf("openness")).toBe("closed");
  // The same the other way round; one observation alone proves nothing, nor do alternating ones.
  const closed = seen("closed", 9e6, 10e6, 11e6);
  expect(closed.absorb(seen("open", 1e6, 2e6, 3e6))).toHaveLength(1);
  expect(closed.valueOf("openness")).toBe("closed");
  expect(seen("open", 1e6, 2e6, 3e6).absorb(seen("closed", 9e6))).toEqual([]);
  expect(seen("open", 1e6, 5e6, 9e6).absorb(seen("closed", 2e6, 4e6, 11e6))).toEqual([]);
});

it("tells a change that a record joined at its beginning had only begun to show", () => {
  const seen = (value: string, ...times: number[]) => {
    const fluents = new Fluents();
    for (const timeUs of times) fluents.observe("power", value, timeUs, FAR, 2);
    return fluents;
  };
  const on = seen("on", 1e6, 2e6, 3e6, 4e6);
  expect(on.absorb(seen("off", 60e6, 61e6))).toEqual([]);
  expect(on.valueOf("power")).toBe("on");
  expect(on.observe("power", "off", 62e6, FAR, 2)).toBeUndefined();
  expect(on.observe("power", "off", 63e6, FAR, 2)).toEqual({
    name: "power",
    from: "on",
    to: "off",
    lastOldUs: 4e6,
    firstNewUs: 60e6,
  });
});
