import { describe, expect, test } from "vitest";
import {
  apply,
  compose,
  IDENTITY,
  invert,
  Random,
  type Transform,
  transformDelta,
} from "../../geometry/index.ts";
import type { Picture } from "../sensors/index.ts";
import { quatFromYaw } from "../sensors/index.ts";
import {
  AgentClock,
  allNoise,
  arrival,
  captionOf,
  DriftingPose,
  levelsFor,
  mapOffset,
  NO_NOISE,
  noisyDepth,
  noisyLabel,
  paintSegments,
  segment,
} from "./index.ts";

function wallPicture(depthMm: number, width = 200, height = 100): Picture {
  const pixels = width * height;
  return {
    width,
    height,
    rgb: new Uint8Array(pixels * 3).fill(128),
    depthMm: new Uint16Array(pixels).fill(depthMm),
    instances: new Uint16Array(pixels).fill(1),
  };
}

describe("depth", () => {
  test.each([0.4, 2, 5])("at %d m has the table's deviation at level 0.5 and drops 2 %%", (z) => {
    const noisy = noisyDepth(new Random("d"), 0.5, wallPicture(z * 1000), 80);
    const kept = [...noisy].filter((mm) => mm > 0);
    const mean = kept.reduce((sum, mm) => sum + mm, 0) / kept.length;
    const deviation = Math.sqrt(kept.reduce((sum, mm) => sum + (mm - mean) ** 2, 0) / kept.length);
    const expected = 1.2 + 1.9 * (z - 0.4) ** 2;
    expect(Math.abs(deviation - expected)).toBeLessThan(0.05 * expected + 0.05);
    expect(Math.abs(1 - kept.length / noisy.length - 0.02)).toBeLessThan(0.005);
  });

  test("level 0 changes nothing, and grazing or black surfaces drop far more", () => {
    expect(noisyDepth(new Random("d"), 0, wallPicture(1500), 80)).toEqual(wallPicture(1500).depthMm);
    const slope = wallPicture(0);
    slope.depthMm.forEach((_, i) => {
      slope.depthMm[i] = 1000 * 1.07 ** (i % 40);
    });
    const black = wallPicture(2000);
    black.rgb.fill(5);
    const dropped = (picture: Picture) =>
      noisyDepth(new Random("d"), 0.5, picture, 80).filter((mm) => mm === 0).length / picture.depthMm.length;
    expect(dropped(slope)).toBeGreaterThan(0.3);
    expect(dropped(black)).toBeGreaterThan(0.2);
  });
});

describe("masks", () => {
  const options = (sizes: readonly number[]) => {
    const width = 100;
    const instances = new Uint16Array(width * 100);
    sizes.forEach((size, n) => {
      const side = Math.sqrt(size);
      for (let j = 0; j < side; j++)
        for (let i = 0; i < side; i++) instances[(j + 2) * width + 2 + n * 20 + i] = n + 1;
    });
    return { width, height: 100, instances, isObject: () => true, categoryOf: () => "mug" };
  };

  test("without noise are the true ones of at least 16 pixels, numbered in an order that tells nothing", () => {
    const segments = segment(new Random("m"), 0, options([100, 9, 64, 225]));
    expect(segments.map(({ thing, pixels }) => [thing, pixels.length]).sort()).toEqual([
      [1, 100],
      [3, 64],
      [4, 225],
    ]);
    const firsts = Array.from(
      { length: 40 },
      (_, n) => segment(new Random(n), 0, options([100, 100, 100]))[0]!.thing,
    );
    expect(new Set(firsts).size).toBe(3);
    const image = paintSegments(segments, 100, 100);
    expect(image.filter((n) => n > 0).length).toBe(389);
  });

  test("with noise half of those with 60 pixels are missed, large ones hardly", () => {
    const seen = (size: number) =>
      Array.from({ length: 600 }, (_, n) => segment(new Random(n), 0.5, options([size]))).filter((found) =>
        found.some(({ thing }) => thing === 1),
      ).length / 600;
    expect(seen(64)).toBeGreaterThan(0.35);
    expect(seen(64)).toBeLessThan(0.6);
    expect(seen(225)).toBeGreaterThan(0.88);
  });

  test("are grown and shrunk, and sometimes split or made up", () => {
    const all = Array.from({ length: 800 }, (_, n) => segment(new Random(n), 0.5, options([225])));
    const areas = new Set(all.flat().map(({ pixels }) => pixels.length));
    expect(areas.size).toBeGreaterThan(5);
    const splits = all.filter((found) => found.filter(({ thing }) => thing === 1).length === 2).length;
    const invented = all.filter((found) => found.some(({ thing }) => thing === 0)).length;
    expect(splits / 800).toBeGreaterThan(0.01);
    expect(splits / 800).toBeLessThan(0.05);
    expect(invented).toBeGreaterThan(0);
  });
});

describe("labels", () => {
  const label = {
    category: "mug",
    name: "coffee mug",
    attributes: { colour: "red", fill: "full" },
    text: "ANNA",
  };
  const context = { states: { fill: ["empty", "full"] }, categories: ["mug", "book"] };

  test("are wrong as often as the table says at the usual distance, more often far away", () => {
    const wrong = (distanceM: number, part: (said: typeof label) => unknown) =>
      Array.from(
        { length: 4000 },
        (_, n) => noisyLabel(new Random(n), 0.5, label, distanceM, context) as typeof label,
      ).filter((said) => part(said) !== part(label)).length / 4000;
    expect(Math.abs(wrong(2.5, (l) => l.category) - 0.06)).toBeLessThan(0.015);
    expect(Math.abs(wrong(2.5, (l) => l.attributes.colour) - 0.04)).toBeLessThan(0.015);
    expect(Math.abs(wrong(2.5, (l) => l.attributes.fill) - 0.05)).toBeLessThan(0.015);
    expect(wrong(7, (l) => l.category)).toBeGreaterThan(0.11);
  });

  test("level 0 is the truth", () => {
    expect(noisyLabel(new Random(1), 0, label, 9, context)).toEqual(label);
  });

  test("a share of them is of any other kind, and keeps what else is said", () => {
    const all = Array.from({ length: 4000 }, (_, n) =>
      noisyLabel(new Random(n), 0, label, 2, { ...context, falseShare: 0.5 }),
    );
    const wrong = all.filter(({ category }) => category !== "mug");
    expect(Math.abs(wrong.length / all.length - 0.5)).toBeLessThan(0.03);
    expect(new Set(wrong.map(({ name }) => name))).toEqual(new Set(["book"]));
    expect(wrong[0]!.attributes).toEqual(label.attributes);
  });
});

describe("captions", () => {
  const scene = {
    room: "kitchen",
    mentions: [
      { name: "fridge", colour: "white", state: "open" },
      { name: "mug", colour: "red", text: "ANNA", place: "on the table" },
    ],
  };

  test("without noise say everything, in order", () => {
    expect(captionOf(new Random(1), 0, scene)).toBe(
      "A kitchen with an open white fridge and a red mug that says “ANNA” on the table.",
    );
  });

  test("with noise leave out a quarter and use other words", () => {
    const many = Array.from({ length: 1000 }, (_, n) => captionOf(new Random(n), 0.5, scene));
    const share = (pattern: RegExp) => many.filter((caption) => pattern.test(caption)).length / many.length;
    expect(Math.abs(share(/ANNA/) - 0.75)).toBeLessThan(0.05);
    expect(Math.abs(share(/refrigerator/) - 0.75 * 0.3)).toBeLessThan(0.05);
    expect(new Set(many).size).toBeGreaterThan(30);
  });
});

describe("time and network", () => {
  test("clocks are off by a constant and a jitter, packets late or lost at the stated rates", () => {
    const clock = new AgentClock(new Random("c"), 0.5);
    const random = new Random("j");
    const errors = Array.from({ length: 2000 }, () => clock.stamp(random, 1e9) - 1e9 - clock.offsetUs);
    const deviation = Math.sqrt(errors.reduce((sum, e) => sum + e * e, 0) / errors.length);
    expect(Math.abs(deviation - 10_000)).toBeLessThan(700);
    expect(Math.abs(clock.offsetUs)).toBeLessThanOrEqual(500_000);
    const arrivals = Array.from({ length: 5000 }, () => arrival(random, 0.5, 0));
    expect(Math.abs(arrivals.filter((at) => at === undefined).length / 5000 - 0.02)).toBeLessThan(0.008);
    expect(
      Math.abs(arrivals.filter((at) => at !== undefined && at > 400_000).length / 5000 - 0.05),
    ).toBeLessThan(0.012);
    expect(arrival(random, 0, 77)).toBe(77);
    expect(new AgentClock(new Random("c"), 0).stamp(random, 5)).toBe(5);
  });
});

describe("drift", () => {
  /** Round a square of 5 m, several times. */
  function* walk(): Generator<Transform> {
    for (let n = 0; n < 400; n++) {
      const side = Math.floor(n / 25) % 4;
      const along = ((n % 25) / 25) * 5;
      const [x, y] = [
        [along, 0],
        [5, along],
        [5 - along, 5],
        [0, 5 - along],
      ][side]! as [number, number];
      yield { p: { x, y, z: 0 }, q: quatFromYaw((side * Math.PI) / 2) };
    }
  }

  test("grows with the way, and loop closures bring the map back by new revisions of the edges", () => {
    const pose = new DriftingPose(new Random("drift"), 0.5, { agentId: "r", mapFrame: "world" });
    const revisions = new Map<string, number>();
    const edges = new Map<string, Transform>();
    const kept: { frame: string; local: Transform; truth: Transform }[] = [];
    let last: { odom: number; map: number } = { odom: 0, map: 0 };
    for (const truth of walk()) {
      const belief = pose.advance(truth);
      for (const edge of belief.edges) {
        expect(edge.revision).toBe((revisions.get(edge.child) ?? -1) + 1);
        revisions.set(edge.child, edge.revision);
        edges.set(edge.child, edge.transform);
      }
      kept.push({ frame: belief.submap.frame, local: belief.submap.submapFromBody, truth });
      last = {
        odom: transformDelta(belief.odomFromBody, truth).translationM,
        map: transformDelta(belief.mapFromBody, truth).translationM,
      };
    }
    expect(Math.max(...revisions.values())).toBeGreaterThan(2);
    expect(last.odom).toBeGreaterThan(0.1);
    expect(last.map).toBeLessThan(last.odom / 2);
    // Read with the final edges, every old frame lies near where it was taken.
    const errors = kept.map(
      ({ frame, local, truth }) => transformDelta(compose(edges.get(frame)!, local), truth).translationM,
    );
    expect(Math.max(...errors)).toBeLessThan(0.35);
  });

  test("the offset of a map is a rigid motion about the vertical", () => {
    const offset = mapOffset(new Random("o"), 0.5);
    const back = compose(invert(offset), offset);
    expect(transformDelta(back, IDENTITY).translationM).toBeLessThan(1e-9);
    expect(apply(offset, { x: 0, y: 0, z: 1 }).z).toBeCloseTo(1, 12);
  });
});

test("one noise switched off leaves the others as they were, and only the unreliable agent is worse", () => {
  const root = new Random("frame");
  const picture = wallPicture(2000, 20, 20);
  const before = noisyDepth(root.fork("depth"), 0.5, picture, 80);
  root.fork("masks").next();
  expect(noisyDepth(root.fork("depth"), 0.5, picture, 80)).toEqual(before);
  expect(levelsFor(allNoise(0.3), false)).toEqual(allNoise(0.3));
  expect(levelsFor(allNoise(0.3), true).labels).toBeCloseTo(0.6, 12);
  expect(levelsFor(NO_NOISE, true)).toEqual(NO_NOISE);
  expect(allNoise(0.3).falseLabels).toBe(0);
  expect(levelsFor({ ...NO_NOISE, falseLabels: 0.5 }, false).falseLabels).toBe(0);
  expect(levelsFor({ ...NO_NOISE, falseLabels: 0.5 }, true).falseLabels).toBe(0.5);
});
