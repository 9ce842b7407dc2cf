import { describe, expect, it } from "vitest";
import { boxFromCentre, vec3 } from "../../geometry/index.ts";
import type { LiftedDetection } from "../../schema/core.ts";
import { Readings } from "./readings.ts";
import { Thing } from "./thing.ts";

function book(colour: string, name = "novel", text?: string): LiftedDetection {
  const phrase = `${colour} ${name}${text === undefined ? "" : ` that says “${text}”`}`;
  const words = { category: "book", phrase, attributes: { colour }, vector: null, categoryVector: null };
  return words as unknown as LiftedDetection;
}

function known(detection: LiftedDetection, x = 0, looks = 6): Thing {
  const worldBox = boxFromCentre(vec3(x, 0, 1), vec3(0.04, 0.16, 0.23));
  const thing = new Thing({
    type: "object",
    stateId: `state-${x}`,
    trackId: `track-${x}`,
    labels: [],
    author: "robot",
    worldBox,
    timeUs: 0,
  });
  for (let n = 0; n < looks; n++) thing.words.add(detection, 1);
  thing.evidence.detections = looks;
  return thing;
}

describe("Readings", () => {
  const red = known(book("red", "novel", "POEMS"));

  it("take what was said before for the thing, and what was not for another", () => {
    const readings = new Readings();
    const [same, colour, all] = [
      book("red", "novel", "POEMS"),
      book("blue", "novel", "POEMS"),
      book("blue", "hardback", "MAPS"),
    ].map((look) => readings.evidence(look, red.words)) as [number, number, number];
    expect(same).toBeGreaterThan(0);
    expect(colour).toBeLessThan(same);
    expect(all).toBeLessThan(colour);
    expect(all).toBeLessThan(-4);
  });

  it("say nothing where nothing was said, or only what changes", () => {
    const readings = new Readings();
    const silent = { category: "book", phrase: "", attributes: {} } as unknown as LiftedDetection;
    expect(readings.evidence(silent, red.words)).toBe(0);
    const door = {
      category: "book",
      phrase: "",
      attributes: { openness: "open" },
    } as unknown as LiftedDetection;
    const open = known(door);
    const closed = { ...door, attributes: { openness: "closed" } };
    expect(readings.evidence(closed, open.words)).toBe(0);
  });

  it("unlearn to trust a name that changes from look to look, and only that", () => {
    const readings = new Readings();
    const [other, before] = [book("red", "paperback"), book("blue", "novel")];
    const names = readings.evidence(other, red.words);
    const colours = readings.evidence(before, red.words);
    for (let n = 0; n < 100; n++) readings.noteLook(n % 2 ? other : book("red", "novel"), red);
    expect(readings.evidence(other, red.words)).toBeGreaterThan(names + 1);
    expect(readings.evidence(before, red.words)).toBeLessThan(colours);
  });

  it("trust no detector without bounds", () => {
    const readings = new Readings();
    for (let n = 0; n < 10_000; n++) readings.noteLook(book("red"), red);
    for (let n = 0; n < 10_000; n++) readings.noteFrame([red, known(book("blue"), 0.1)]);
    expect(readings.evidence(book("blue"), red.words)).toBeGreaterThan(-5);
    expect(readings.evidence(book("red"), red.words)).toBeLessThan(10.1);
  });

  it("learn from neighbours that look alike that being alike says little", () => {
    const alike = new Readings();
    const unlike = new Readings();
    for (let n = 0; n < 50; n++) {
      alike.noteFrame([red, known(book("red"), 0.1)]);
      unlike.noteFrame([red, known(book("blue"), 0.1)]);
      unlike.noteFrame([red, known(book("red"), 5)]);
    }
    const look = book("red");
    expect(unlike.evidence(look, red.words)).toBeGreaterThan(alike.evidence(look, red.words) + 1);
  });

  it("expect other kinds of things to differ more than like ones", () => {
    const readings = new Readings();
    const shelf = known({ ...book("brown"), category: "shelf" }, 0.5);
    for (let n = 0; n < 50; n++) readings.noteFrame([red, known(book("red"), 0.1), shelf]);
    const misnamed = { ...book("blue"), category: "shelf" };
    const named = book("blue");
    const colourOnly = (look: LiftedDetection) => readings.evidence({ ...look, phrase: "" }, red.words);
    expect(colourOnly(misnamed)).toBeLessThan(colourOnly(named));
    expect(colourOnly({ ...misnamed, attributes: { colour: "red" } })).toBeGreaterThan(0);
  });

  it("do not learn from a thing that is hardly known", () => {
    const readings = new Readings();
    const first = readings.evidence(book("blue"), red.words);
    for (let n = 0; n < 50; n++) readings.noteLook(book("blue"), known(book("red"), 0, 2));
    expect(readings.evidence(book("blue"), red.words)).toBe(first);
  });
});
