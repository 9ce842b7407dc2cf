import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random } from "../../geometry/index.ts";
import { POLICIES } from "../../schema/index.ts";
import type { Frontier } from "../ground/frontiers.ts";
import { drawnTerrain } from "../testing/drawn-terrain.ts";
import { type Outlook, policyNamed } from "./index.ts";
import { earliestTour } from "./tour.ts";

const terrain = drawnTerrain(new Array<string>(20).fill(".".repeat(20)));

function frontier(id: string, x: number, y: number, more: Partial<Frontier> = {}): Frontier {
  const middle = { x, y, z: 0 };
  return {
    id,
    middle,
    lengthM: 2,
    gainM2: 4,
    shownM2: more.gainM2 ?? 4,
    stand: { positionInWorld: middle, yawRad: 0 },
    costM: Math.hypot(x - 5, y - 5),
    isOpening: false,
    ...more,
  };
}

function outlook(frontiers: readonly Frontier[], likely: Readonly<Record<string, number>> = {}): Outlook {
  const here = { x: 5, y: 5, z: 0 };
  return {
    at: { positionInWorld: here, yawRad: 0 },
    step: 5,
    terrain,
    field: terrain.field(here),
    frontiers,
    likely: ({ id }) => likely[id] ?? 0.4,
    near: ({ id }) => likely[id] ?? 0.4,
    random: new Random("policies"),
  };
}

describe("every policy", () => {
  test.each(POLICIES)(
    "%s chooses one of the frontiers, the same each time, and none where there is none",
    (name) => {
      const frontiers = [frontier("a", 2, 5), frontier("b", 8, 5), frontier("c", 5, 9)];
      const policy = policyNamed(name);
      const chosen = policy.choose(outlook(frontiers));
      expect(frontiers).toContain(chosen.frontier);
      expect(policy.choose(outlook(frontiers)).frontier).toBe(chosen.frontier);
      expect(chosen.verdicts.get(chosen.frontier!.id)!.fate).toBe("chosen");
      expect(policy.choose(outlook([])).frontier).toBeUndefined();
    },
  );
});

describe("ours", () => {
  const ours = policyNamed("memory");

  test("discards what is unlikely and says why, while something better is left", () => {
    const near = frontier("near", 5.5, 5);
    const far = frontier("far", 9, 9);
    const choice = ours.choose(outlook([near, far], { near: 0.06, far: 0.45 }));
    expect(choice.frontier).toBe(far);
    expect(choice.verdicts.get("near")).toMatchObject({
      fate: "discarded",
      why: expect.stringContaining("unlikely"),
    });
    expect(ours.choose(outlook([near], { near: 0.06 })).frontier).toBe(near);
  });

  test("small differences of scores do not turn it round: geometry decides", () => {
    const near = frontier("near", 6, 5);
    const far = frontier("far", 1, 1);
    for (const likely of [0.3, 0.34, 0.38, 0.42])
      expect(ours.choose(outlook([near, far], { near: 0.35, far: likely })).frontier).toBe(near);
  });

  test("what is likelier for its metres comes first, in whatever order they are named", () => {
    const here = frontier("here", 3, 5);
    const there = frontier("there", 8, 5);
    const likely = { here: 0.3, there: 0.9 };
    expect(ours.choose(outlook([here, there], likely)).frontier).toBe(there);
    expect(ours.choose(outlook([there, here], likely)).frontier).toBe(there);
  });

  test("what is seen from where one will stand counts, not what lies round the corner", () => {
    const hidden = frontier("hidden", 4, 5, { gainM2: 6, shownM2: 0.2 });
    const open = frontier("open", 6, 5, { gainM2: 3, shownM2: 3 });
    expect(policyNamed("memory").choose(outlook([hidden, open])).frontier).toBe(open);
  });

  test("a storey is done before it is left, but for one where nothing is likely", () => {
    const box = { min: { x: 8, y: 5, z: 0 }, max: { x: 9, y: 6, z: 2.5 } };
    const corner = frontier("corner", 1, 1, { gainM2: 1 });
    const up = frontier("up", 6, 5, { isOpening: true, flight: { box, isNew: true } });
    const back = { ...up, flight: { box, isNew: false } };
    expect(ours.choose(outlook([corner, up])).frontier).toBe(corner);
    expect(ours.choose(outlook([corner, up], { corner: 0.06 })).frontier).toBe(up);
    expect(ours.choose(outlook([corner, back], { corner: 0.06 })).frontier).toBe(corner);
    expect(ours.choose(outlook([back])).frontier).toBe(back);
  });

  test("doors come before corners", () => {
    const corner = frontier("corner", 6, 5, { gainM2: 1 });
    const door = frontier("door", 4, 5, { gainM2: 1, isOpening: true, costM: 1.1 });
    expect(ours.choose(outlook([corner, door])).frontier).toBe(door);
  });
});

describe("the papers", () => {
  test("memory-eqa keeps the three of most utility and takes the one nearest in meaning", () => {
    const all = [
      frontier("a", 5, 6, { gainM2: 6 }),
      frontier("b", 6, 5, { gainM2: 6 }),
      frontier("c", 4, 5, { gainM2: 6 }),
      frontier("far", 0.5, 0.5, { gainM2: 1 }),
    ];
    const choice = policyNamed("memory-eqa").choose(outlook(all, { a: 0.2, b: 0.3, c: 0.9, far: 1 }));
    expect(choice.frontier!.id).toBe("c");
    expect(choice.verdicts.get("far")!.fate).toBe("discarded");
  });

  test("explore-eqa draws in proportion to its weight", () => {
    const all = [frontier("near", 6, 5), frontier("far", 5, 5, { costM: 40 })];
    const drawn = Array.from({ length: 60 }, (_, n) =>
      policyNamed("explore-eqa").choose({ ...outlook(all), random: new Random(`draw/${n}`) }),
    );
    const near = drawn.filter(({ frontier: one }) => one!.id === "near").length;
    expect(near).toBeGreaterThan(50);
    expect(near).toBeLessThan(60);
  });
});

describe("the tour", () => {
  test("is the least latency of all orders, and of the whole way as far as that counts", () => {
    const coordinate = fc.integer({ min: 0, max: 30 });
    const stops = fc.array(
      fc.record({ x: coordinate, y: coordinate, weight: fc.integer({ min: 1, max: 9 }) }),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(stops, fc.constantFrom(0, 0.1, 2), (all, toTheEnd) => {
        const distance = all.map((a) => all.map((b) => Math.hypot(a.x - b.x, a.y - b.y)));
        const first = all.map(({ x, y }) => Math.hypot(x, y));
        const latency = (order: readonly number[]): number => {
          let [way, sum] = [0, 0];
          order.forEach((stop, n) => {
            way += n === 0 ? first[stop]! : distance[order[n - 1]!]![stop]!;
            sum += way * all[stop]!.weight;
          });
          return sum + toTheEnd * way * weights.reduce((total, weight) => total + weight, 0);
        };
        const weights = all.map(({ weight }) => weight);
        const found = earliestTour(first, distance, weights, toTheEnd);
        expect([...found].sort()).toEqual(all.map((_, n) => n));
        const least = Math.min(...permutations(all.map((_, n) => n)).map(latency));
        expect(latency(found)).toBeCloseTo(least, 6);
      }),
      { numRuns: 50 },
    );
  });
});

function permutations(items: readonly number[]): number[][] {
  if (items.length <= 1) return [[...items]];
  return items.flatMap((one) =>
    permutations(items.filter((other) => other !== one)).map((rest) => [one, ...rest]),
  );
}
