import { describe, expect, it } from "vitest";
import { boxFromCentre, vec3 } from "../geometry/index.ts";
import type { LiftedDetection } from "../schema/core.ts";
import { RULE_ADJUDICATOR } from "./adjudicator.ts";
import type { AlignedFrame } from "./frame.ts";
import { Journal } from "./journal.ts";
import { mergeMovers, mergeOverlapping, mergeRivals } from "./merging.ts";
import { Scene } from "./scene.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";
import { Thing } from "./thing.ts";
import { BACKGROUND, vectorOf } from "./toy-room.ts";
import { confirm } from "./writing.ts";

type Three = readonly [number, number, number];

/** A scene whose things are put there by hand. */
class Put {
  readonly journal = new Journal();
  readonly scene = new Scene({
    sceneId: "toy",
    settings: DEFAULT_SETTINGS,
    background: BACKGROUND,
    adjudicator: RULE_ADJUDICATOR,
  });

  thing(id: string, category: string, centre: Three, extent: Three, options: Options = {}): Thing {
    const { colour = "red", detections = 10, firstUs = 0, isConfirmed = true, regionId } = options;
    const thing = new Thing({
      stateId: `state-${id}`,
      trackId: `track-${id}`,
      labels: [],
      author: "robot",
      worldBox: boxFromCentre(vec3(...centre), vec3(...extent)),
      timeUs: firstUs,
    });
    const detection = {
      category,
      phrase: category,
      attributes: { colour },
      vector: vectorOf(category),
      categoryVector: vectorOf(category),
    };
    thing.words.add(detection as unknown as LiftedDetection, 1);
    thing.detections = detections;
    thing.viewpoints = [vec3(1, 0, 0)];
    thing.regionId = regionId;
    this.scene.tentatives++;
    this.scene.things.add(thing);
    if (isConfirmed) confirm(this.scene, thing, this.journal);
    return thing;
  }

  get left(): string[] {
    return [...this.scene.things.values()].map(({ stateId }) => stateId).sort();
  }
}

interface Options {
  readonly colour?: string;
  readonly detections?: number;
  readonly firstUs?: number;
  readonly isConfirmed?: boolean;
  readonly regionId?: string;
}

/** A frame in which every place is in plain view. */
const CLEAR = {
  view: {
    probe: () => ({
      tested: 9,
      through: 0,
      match: 9,
      occluded: 0,
      expectedPx: 600,
      silhouettePx: 1_000,
      depthM: 2,
    }),
  },
  candidates: [],
  percept: { detections: [] },
} as unknown as AlignedFrame;

describe("merging", () => {
  it("leaves no open record behind when a thing that is known turns out to be one met before it", () => {
    const put = new Put();
    const known = put.thing("known", "door", [1, 0, 1], [0.1, 0.8, 2], { firstUs: 5 });
    put.thing("first", "door", [1.02, 0, 1], [0.1, 0.8, 2], { firstUs: 0, isConfirmed: false });
    mergeRivals(put.scene, CLEAR, new Map([[known, 0]]), put.journal);
    expect(put.left).toEqual(["state-known"]);
    const open = put.journal.records.filter((record) => record.kind === "state" && record.validToUs === null);
    expect(open.map(({ id }) => id)).toEqual(["state-known"]);
    expect(known.firstSeenUs).toBe(0);
    expect(put.scene.tentatives).toBe(0);
  });

  it("takes what goes on where a large thing ends for a piece of it", () => {
    const put = new Put();
    put.thing("rug", "rug", [0, 0, 0], [1.8, 1, 0.01], { detections: 40 });
    put.thing("rest", "rug", [0.2, 0.75, 0], [0.5, 0.2, 0.01], { detections: 4, firstUs: 1 });
    mergeOverlapping(put.scene, put.journal);
    expect(put.left).toEqual(["state-rug"]);
    const lost = put.journal.records.find(({ id }) => id === "track-rest");
    expect(lost).toMatchObject({ mergedInto: "track-rug" });
  });

  it.each([
    ["of another colour", { colour: "blue" }],
    ["in another room", { regionId: "room-2" }],
  ])("does not when it is %s", (_, options) => {
    const put = new Put();
    put.thing("rug", "rug", [0, 0, 0], [1.8, 1, 0.01], { detections: 40, regionId: "room-1" });
    put.thing("rest", "rug", [0.2, 0.75, 0], [0.5, 0.2, 0.01], { detections: 4, firstUs: 1, ...options });
    mergeOverlapping(put.scene, put.journal);
    expect(put.left).toHaveLength(2);
  });

  it("keeps things in a row apart that were seen side by side", () => {
    const put = new Put();
    const a = put.thing("a", "wardrobe", [0, 0, 1], [0.6, 1, 2]);
    const b = put.thing("b", "wardrobe", [0, 1.1, 1], [0.6, 1, 2], { firstUs: 1 });
    const both = new Map([
      [a, 0],
      [b, 1],
    ]);
    mergeRivals(put.scene, CLEAR, both, put.journal);
    mergeOverlapping(put.scene, put.journal);
    expect(put.left).toHaveLength(2);
  });

  it("remembers, after a merge, beside what either part was seen", () => {
    const put = new Put();
    const a = put.thing("a", "wardrobe", [0, 0, 1], [0.6, 1, 2]);
    const b = put.thing("b", "wardrobe", [0, 1.1, 1], [0.6, 1, 2], { firstUs: 1 });
    const again = put.thing("again", "wardrobe", [0.02, 1.1, 1], [0.6, 1, 2], { firstUs: 2 });
    const both = new Map([
      [a, 0],
      [again, 1],
    ]);
    mergeRivals(put.scene, CLEAR, both, put.journal);
    mergeOverlapping(put.scene, put.journal);
    expect(put.left).toEqual([a.stateId, b.stateId]);
  });

  it("gives a few looks under another name to the thing in their place, unless both were seen at once", () => {
    const shelfAndCan = (areSeenTogether: boolean) => {
      const put = new Put();
      const shelf = put.thing("shelf", "shelf", [0, 0, 1], [1, 0.4, 2], { detections: 40 });
      const can = put.thing("can", "can", [0, 0, 1], [0.8, 0.35, 1.6], { detections: 3, firstUs: 1 });
      const both = new Map([
        [shelf, 0],
        [can, 1],
      ]);
      if (areSeenTogether) mergeRivals(put.scene, CLEAR, both, put.journal);
      mergeOverlapping(put.scene, put.journal);
      return put.left.length;
    };
    expect(shelfAndCan(false)).toBe(1);
    expect(shelfAndCan(true)).toBe(2);
  });

  it("follows somebody who was met again as one, and two who were seen at once as two", () => {
    const people = (areSeenTogether: boolean) => {
      const put = new Put();
      const two = [0, 4].map((x, n) => {
        const person = put.thing(`p${n}`, "person", [x, 0, 0.9], [0.5, 0.4, 1.8], { firstUs: n });
        put.scene.things.remove(person);
        put.scene.movers.add(person);
        person.type = "person";
        person.lastSeenUs = n * 5_000_000;
        return person;
      });
      if (areSeenTogether)
        mergeMovers(put.scene, new Map(two.map((person, index) => [person, index])), put.journal);
      mergeMovers(put.scene, new Map([[two[1]!, 0]]), put.journal);
      return [...put.scene.movers].map(({ stateId }) => stateId);
    };
    expect(people(false)).toEqual(["state-p0"]);
    expect(people(true)).toEqual(["state-p0", "state-p1"]);
  });
});
