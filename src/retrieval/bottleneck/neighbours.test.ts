import { describe, expect, it } from "vitest";
import {
  boxFromCentre,
  centreOf,
  diagonalOf,
  gapBetween,
  lengthOf,
  Random,
  subtract,
} from "../../geometry/index.ts";
import { type Neighbour, neighbourEdges } from "./neighbours.ts";

const always = { fromUs: 0, toUs: null };
const cube = (x: number, size = 1, rest: Partial<Neighbour> = {}): Neighbour => ({
  box: boxFromCentre({ x, y: 0, z: 0.5 }, { x: size, y: size, z: size }),
  presence: always,
  structural: false,
  ...rest,
});

describe("who is next to whom", () => {
  it("joins what touches and nothing across a gap", () => {
    expect([...neighbourEdges([cube(0), cube(1.05), cube(4)])]).toEqual([0, 1]);
  });

  it("leaves out structure and what was never there together", () => {
    const early = { presence: { fromUs: 0, toUs: 10 } };
    const late = { presence: { fromUs: 10, toUs: 20 } };
    expect(neighbourEdges([cube(0, 1, early), cube(0.5, 1, late)]).length).toBe(0);
    expect(neighbourEdges([cube(0, 30, { structural: true }), cube(0), cube(1)])).toEqual(
      Int32Array.of(1, 2),
    );
  });

  it("keeps a huge thing's neighbours although it lies in too many cells", () => {
    const hall: Neighbour = cube(0, 40);
    expect([...neighbourEdges([hall, cube(5, 0.2), cube(300, 0.2)])]).toEqual([0, 1]);
  });

  it("finds what comparing everybody with everybody finds", () => {
    const random = new Random("neighbours");
    const things = Array.from({ length: 120 }, (): Neighbour => {
      const centre = { x: random.range(0, 6), y: random.range(0, 6), z: random.range(0, 2) };
      const side = random.range(0.1, 0.6);
      return {
        box: boxFromCentre(centre, { x: side, y: side, z: side }),
        presence: always,
        structural: false,
      };
    });
    const expected = new Set<string>();
    things.forEach((a, i) => {
      const near = things
        .map((b, j) => ({ j, distance: lengthOf(subtract(centreOf(a.box), centreOf(b.box))), b }))
        .filter(
          ({ j, distance, b }) =>
            j !== i &&
            (distance <= 0.5 * (diagonalOf(a.box) + diagonalOf(b.box)) || gapBetween(a.box, b.box) <= 0.1),
        )
        .sort((x, y) => x.distance - y.distance || x.j - y.j)
        .slice(0, 8);
      for (const { j } of near) expected.add([Math.min(i, j), Math.max(i, j)].join());
    });
    const edges = neighbourEdges(things);
    const found = new Set(
      Array.from({ length: edges.length / 2 }, (_, e) => `${edges[2 * e]},${edges[2 * e + 1]}`),
    );
    expect(found).toEqual(expected);
    expect(found.size).toBeGreaterThan(30);
  });

  it("by the paper's rule needs overlap at about the same height", () => {
    expect([...neighbourEdges([cube(0), cube(0.5), cube(1.05)], "paper")]).toEqual([0, 1, 1, 2]);
    const shelf = { ...cube(0), box: boxFromCentre({ x: 0, y: 0, z: 1.2 }, { x: 1, y: 1, z: 1 }) };
    expect(neighbourEdges([cube(0), shelf], "paper").length).toBe(0);
  });
});
