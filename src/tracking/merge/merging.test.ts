import { describe, expect, it } from "vitest";
import { type Box, boxFromCentre, IDENTITY, type Vec3, vec3 } from "../../geometry/index.ts";
import type { LiftedDetection } from "../../schema/core.ts";
import { Journal } from "../records/journal.ts";
import { confirm } from "../records/stays.ts";
import { RULE_ADJUDICATOR } from "../state/adjudicator.ts";
import type { AlignedFrame } from "../state/frame.ts";
import { Scene } from "../state/scene.ts";
import type { PlacedSolid } from "../state/shape.ts";
import { Thing } from "../state/thing.ts";
import { detectionOf } from "../testing/known-scene.ts";
import { BACKGROUND, vectorOf } from "../testing/toy-room.ts";
import { mergeAll, mergeMovers, mergeRivals } from "./merging.ts";

type Three = readonly [number, number, number];

/** A scene with things placed by hand. */
class Put {
  readonly journal = new Journal();
  readonly scene = new Scene({
    sceneId: "toy",
    mode: "loci" as const,
    background: BACKGROUND,
    adjudicator: RULE_ADJUDICATOR,
  });

  thing(id: string, category: string, centre: Three, extent: Three, options: Options = {}): Thing {
    const {
      colour = "red",
      detections = 10,
      firstUs = 0,
      isConfirmed = true,
      from = vec3(1, 0, 0),
      type = "object",
    } = options;
    const thing = new Thing({
      type,
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
    thing.evidence.detections = detections;
    thing.shape.viewpoints = [from];
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
  /** The direction to the camera. */
  readonly from?: Vec3;
  readonly type?: "object" | "person";
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

/** The same with detections at these places, each in a column of its own in the image. */
function frameOf(boxes: readonly Box[]): AlignedFrame {
  return {
    ...CLEAR,
    candidates: boxes.map((box, index) => ({ index, solid: { box, half: vec3(1, 1, 1) } })),
    percept: {
      detections: boxes.map((_, n) => ({ bbox: [n * 40, 0, n * 40 + 20, 40], truncated: false })),
      intrinsics: { width: 160 },
    },
  } as unknown as AlignedFrame;
}

function addLook(thing: Thing, { min, max }: Box, bearing: number): void {
  const half = vec3((max.x - min.x) / 2, (max.y - min.y) / 2, (max.z - min.z) / 2);
  const centreInSubmap = vec3(min.x + half.x, min.y + half.y, min.z + half.z);
  const look = { submap: "s", centreInSubmap, half, pixelM: 0.01, bearing, isPartial: false, open: 0 };
  thing.shape.add(look as unknown as PlacedSolid);
}

describe("merging", () => {
  it("leaves no open record behind when a thing that is known turns out to be one met before it", () => {
    const put = new Put();
    const known = put.thing("known", "door", [1, 0, 1], [0.1, 0.8, 2], { firstUs: 5 });
    put.thing("first", "door", [1.02, 0, 1], [0.1, 0.8, 2], { firstUs: 0, isConfirmed: false });
    mergeRivals(put.scene, CLEAR, new Map([[known, 0]]), put.journal);
    expect(put.left).toEqual(["state-known"]);
    const open = put.journal.records.filter((record) => record.kind === "state" && record.validToUs === null);
    expect(open.map(({ id }) => id)).toEqual(["state-known"]);
    expect(known.evidence.firstSeenUs).toBe(0);
    expect(put.scene.tentatives).toBe(0);
  });

  it("keeps what was known before this recording, though this one shows it earlier", () => {
    const put = new Put();
    put.thing("known", "cupboard", [0, 0, 0.5], [0.5, 0.5, 1], { firstUs: 5 }).identity.wasKnown = true;
    put.thing("again", "cupboard", [0, 0.05, 0.5], [0.5, 0.5, 1], { firstUs: 0 });
    mergeAll(put.scene, put.journal);
    expect(put.left).toEqual(["state-known"]);
  });

  it("takes what looks at a thing go over for a piece of it, however far the two are apart", () => {
    const wings = (looks: number) => {
      const put = new Put();
      const left = put.thing("left", "curtain", [0, 0, 1], [0.1, 0.3, 1.4]);
      put.thing("right", "curtain", [0, 1.3, 1], [0.1, 0.3, 1.4], { firstUs: 1 });
      const whole = boxFromCentre(vec3(0, 0.65, 1), vec3(0.1, 1.6, 1.4));
      for (let n = 0; n < looks; n++)
        mergeRivals(put.scene, frameOf([whole]), new Map([[left, 0]]), put.journal);
      mergeAll(put.scene, put.journal);
      return put.left;
    };
    expect(wings(1)).toHaveLength(2);
    expect(wings(2)).toEqual(["state-left"]);
  });

  it.each([
    ["in its place", [0, 0.3, 0.5], [0.5, 0.6, 1], {}, 1],
    ["there, of another colour", [0, 0.3, 0.5], [0.5, 0.6, 1], { colour: "blue" }, 2],
    ["beside it", [0, 0.65, 0.5], [0.5, 0.5, 1], {}, 2],
    ["behind it in the wall's other side", [0.12, 0.3, 0.5], [0.1, 0.5, 1], { from: vec3(-1, 0, 0) }, 2],
  ] as const)("counts a like thing %s", (_, centre, extent, options, count) => {
    const put = new Put();
    const isFlat = extent[0] < 0.3;
    put.thing("known", "cupboard", [0, 0, 0.5], [isFlat ? 0.1 : 0.5, 0.5, 1]);
    put.thing("again", "cupboard", [...centre], [...extent], { firstUs: 1, ...options });
    mergeAll(put.scene, put.journal);
    expect(put.left).toHaveLength(count);
  });

  it.each([
    ["the same label, a hand's breadth apart", "KX-482", 0.6, 1],
    ["another label", "GG-182", 0.6, 2],
    ["another label in its very place", "GG-182", 0.1, 2],
    ["the same label, in the next slot", "KX-482", 1.2, 2],
  ])("counts boxes: %s", (_, label, apartM, count) => {
    const put = new Put();
    for (const [n, [y, says]] of [[0, "KX-482"] as const, [apartM, label] as const].entries()) {
      const box = put.thing(`${n}`, "box", [0, y, 0.5], [0.4, 0.4, 0.4], { firstUs: n });
      box.words.add({ ...detectionOf("box"), phrase: `red box that says “${says}”` }, 4);
    }
    mergeAll(put.scene, put.journal);
    expect(put.left).toHaveLength(count);
  });

  it("leaves two that a memory holds as two, unless a correction made them one body", () => {
    const stored = (apartM: number) => {
      const put = new Put();
      for (const [n, y] of [0, apartM].entries()) {
        put.thing(`${n}`, "cupboard", [0, y, 0.5], [0.5, 0.5, 1], { firstUs: n }).identity.isStored = true;
      }
      mergeAll(put.scene, put.journal);
      return put.left.length;
    };
    expect(stored(0.4)).toBe(2);
    expect(stored(0.1)).toBe(1);
  });

  it("takes a few looks at a corner for one of the large thing it belongs to, and not for a smaller one's", () => {
    const corner = (extent: Three) => {
      const put = new Put();
      put.thing("rug", "rug", [0, 0, 0], extent, { detections: 40 });
      put.thing("rest", "rug", [0, extent[1] / 2 + 0.3, 0], [0.2, 0.2, 0.01], { detections: 4, firstUs: 1 });
      mergeAll(put.scene, put.journal);
      return put.left;
    };
    expect(corner([1.8, 1, 0.01])).toEqual(["state-rug"]);
    expect(corner([0.6, 0.6, 0.01])).toHaveLength(2);
  });

  it("takes an open door and a lamp's foot for the door and the lamp, unless they were seen beside each other", () => {
    const pair = (
      category: string,
      a: readonly [Three, Three],
      b: readonly [Three, Three],
      times: number,
    ) => {
      const put = new Put();
      const [one, other] = [
        put.thing("a", category, ...a),
        put.thing("b", category, ...b, { firstUs: 1, from: vec3(0, 1, 0) }),
      ];
      const seen = new Map([
        [one, 0],
        [other, 1],
      ]);
      const frame = frameOf([one.worldBox, other.worldBox]);
      for (let n = 0; n < times; n++) mergeRivals(put.scene, frame, seen, put.journal);
      mergeAll(put.scene, put.journal);
      return put.left.length;
    };
    const shut = [
      [0, 0, 1],
      [0.05, 0.8, 2],
    ] as const;
    const open = [
      [0.5, 0.45, 1],
      [0.8, 0.05, 2],
    ] as const;
    const [foot, shade] = [
      [
        [0, 0, 0.02],
        [0.3, 0.3, 0.04],
      ] as const,
      [
        [0, 0, 1.3],
        [0.4, 0.4, 0.4],
      ] as const,
    ];
    expect(pair("door", shut, open, 0)).toBe(1);
    expect(pair("door", shut, open, 2)).toBe(2);
    expect(pair("lamp", foot, shade, 0)).toBe(1);
    expect(pair("lamp", foot, shade, 2)).toBe(2);
    const withPole = [
      [0, 0, 0.21],
      [0.3, 0.3, 0.42],
    ] as const;
    expect(pair("lamp", withPole, shade, 0)).toBe(1);
    expect(pair("lamp", withPole, shade, 2)).toBe(2);
  });

  it("keeps things in a row apart that were seen side by side, and forgets looks over both", () => {
    const put = new Put();
    const a = put.thing("a", "wardrobe", [0, 0, 1], [0.6, 1, 2]);
    const b = put.thing("b", "wardrobe", [0, 1.4, 1], [0.6, 1, 2], { firstUs: 1 });
    const over = boxFromCentre(vec3(0, 0.7, 1), vec3(0.6, 2.4, 2));
    const own = a.worldBox;
    addLook(a, own, 0);
    for (let n = 0; n < 3; n++) addLook(a, over, 1);
    put.scene.places.enter("robot", "s", IDENTITY);
    put.scene.settle(a);
    expect(a.worldBox.max.y).toBeCloseTo(over.max.y, 6);
    const seen = new Map([
      [a, 0],
      [b, 1],
    ]);
    for (let n = 0; n < 3; n++) mergeRivals(put.scene, frameOf([own, b.worldBox]), seen, put.journal);
    mergeAll(put.scene, put.journal);
    expect(put.left).toHaveLength(2);
    expect(a.worldBox.max.y).toBeCloseTo(own.max.y, 6);
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
    mergeAll(put.scene, put.journal);
    expect(put.left).toEqual([a.stateId, b.stateId]);
  });

  it("gives a few looks under another name to the thing in their place, unless both were seen at once again and again", () => {
    const shelfAndCan = (areSeenTogether: boolean) => {
      const put = new Put();
      const shelf = put.thing("shelf", "shelf", [0, 0, 1], [1, 0.4, 2], { detections: 40 });
      const can = put.thing("can", "can", [0, 0, 1], [0.8, 0.35, 1.6], { detections: 3, firstUs: 1 });
      const both = new Map([
        [shelf, 0],
        [can, 1],
      ]);
      for (let n = 0; areSeenTogether && n < 3; n++) mergeRivals(put.scene, CLEAR, both, put.journal);
      mergeAll(put.scene, put.journal);
      return put.left.length;
    };
    expect(shelfAndCan(false)).toBe(1);
    expect(shelfAndCan(true)).toBe(2);
  });

  it.each([
    ["of its colour, between looks at what is there", 5, { colour: "red" }, 1],
    ["of another, after the last look at what was there", 50, {}, 2],
    ["of another, often", 5, { detections: 9 }, 2],
    ["of another, much smaller", 5, { size: 0.3 }, 2],
  ])("takes looks under another name, %s, for what they are", (_, atUs, options, left) => {
    const {
      detections = 2,
      size = 0.9,
      colour = "green",
    } = options as {
      detections?: number;
      size?: number;
      colour?: string;
    };
    const put = new Put();
    const curtain = put.thing("curtain", "curtain", [0, 0, 1.5], [0.1, 1.6, 1.4], { detections: 30 });
    curtain.evidence.lastSeenUs = 10;
    for (const one of [
      curtain,
      put.thing("bench", "bench", [0, 0, 1.5], [0.1, 1.6 * size, 1.4 * size], {
        colour,
        detections,
        firstUs: atUs,
      }),
    ])
      one.words.votesOn("material").add("fabric", 1);
    mergeAll(put.scene, put.journal);
    expect(put.left).toHaveLength(left);
  });

  it("follows a door that was opened, and not one that is still where it was", () => {
    const doors = (through: number) => {
      const put = new Put();
      const shut = put.thing("shut", "door", [0.4, 0, 1], [0.8, 0.05, 2]);
      const open = put.thing("open", "door", [0, 0.45, 1], [0.05, 0.8, 2], { detections: 3, firstUs: 5 });
      const view = { probe: () => ({ ...CLEAR.view.probe(shut.worldBox, [])!, through }) };
      mergeRivals(
        put.scene,
        { ...CLEAR, view } as unknown as AlignedFrame,
        new Map([[open, 0]]),
        put.journal,
      );
      return put.left;
    };
    expect(doors(8)).toEqual(["state-shut"]);
    expect(doors(2)).toEqual(["state-open", "state-shut"]);
  });

  it.each([
    ["a curtain's wings, once reported both", [0.1, 1, 0.7], 0, 1, 0, 1],
    ["a curtain's wings, reported as one at times", [0.1, 1, 0.7], 0, 3, 2, 1],
    ["two that frames showed again and again", [0.1, 1, 0.7], 0, 2, 0, 2],
    ["two of which one hangs lower", [0.1, 1, 0.7], -0.3, 1, 0, 2],
    ["two cupboards", [0.35, 1, 0.7], 0, 1, 0, 2],
  ] as const)("counts %s on one wall", (_, extent, dz, timesTogether, timesOver, count) => {
    const put = new Put();
    const left = put.thing("left", "curtain", [0, 0, 1.6], extent);
    const right = put.thing("right", "curtain", [0.02, 1.05, 1.6 + dz], extent);
    for (let n = 0; n < timesTogether; n++) left.rivals.seenTogether(right, true);
    for (let n = 0; n < timesOver; n++) left.rivals.seenOver(right);
    mergeAll(put.scene, put.journal);
    expect(put.left).toHaveLength(count);
  });

  it.each([
    ["one of many frames reported both halves of a picture", 0.7, 8, 1],
    ["frames hardly showed either alone", 0.7, 2, 2],
    ["the two are small", 0.25, 8, 2],
  ])("counts what shares a place where %s", (_, sideM, timesAlone, count) => {
    const put = new Put();
    const above = put.thing("above", "picture", [0, 0, 1.6], [0.04, sideM, 0.6 * sideM]);
    const below = put.thing("below", "picture", [0, 0, 1.6 - 0.5 * sideM], [0.04, sideM, 0.6 * sideM]);
    above.rivals.seenTogether(below);
    for (let n = 0; n < timesAlone; n++) above.rivals.seenWithout(below, 0.5);
    mergeAll(put.scene, put.journal);
    expect(put.left).toHaveLength(count);
  });

  it("joins two followed through one place at one time, whatever the colour of their clothes", () => {
    const people = (apartM: number) => {
      const put = new Put();
      const [one, other] = ["green", "grey"].map((colour, n) => {
        const person = put.thing(colour, "person", [n * apartM, 0, 0.9], [0.5, 0.4, 1.8], {
          colour,
          type: "person",
        });
        put.scene.things.remove(person);
        put.scene.movers.add(person);
        person.evidence.lastSeenUs = (1 - n) * 1_000_000;
        person.shape.trail = [{ timeUs: person.evidence.lastSeenUs, position: person.centre }];
        return person;
      }) as [Thing, Thing];
      mergeMovers(put.scene, new Map([[one, 0]]), put.journal);
      return put.scene.movers.has(other) ? 2 : 1;
    };
    expect(people(0.3)).toBe(1);
    expect(people(0.9)).toBe(2);
  });

  it("follows somebody who was met again as one, and two who were seen at once as two", () => {
    const people = (areSeenTogether: boolean) => {
      const put = new Put();
      const two = [0, 4].map((x, n) => {
        const person = put.thing(`p${n}`, "person", [x, 0, 0.9], [0.5, 0.4, 1.8], {
          firstUs: n,
          type: "person",
        });
        put.scene.things.remove(person);
        put.scene.movers.add(person);
        person.evidence.lastSeenUs = n * 5_000_000;
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
