import { expect, it } from "vitest";
import { boxesIntersect, boxFromCentre, Random } from "../geometry/index.ts";
import { touching } from "./thing.ts";

it("finds what comparing every box finds, in the same order", () => {
  const random = new Random("touching");
  const point = () => ({ x: random.range(-9, 9), y: random.range(-9, 9), z: random.range(0, 3) });
  const extent = (most: number) => ({
    x: random.range(0, most),
    y: random.range(0, most),
    z: random.range(0, 1),
  });
  const things = Array.from({ length: 300 }, (_, n) => {
    const position = point();
    // Some have a place only, some reach over many cells, some are nowhere.
    const box = n % 5 === 0 ? undefined : boxFromCentre(position, extent(n % 17 === 0 ? 14 : 1.5));
    return { trackId: `${n}`, position: n % 31 === 0 ? undefined : position, box } as never;
  }) as Parameters<typeof touching>[0];
  for (let n = 0; n < 200; n++) {
    const space = boxFromCentre(point(), extent(n % 7 === 0 ? 30 : 3));
    const expected = things.filter(({ box, position }) => {
      const own = box ?? (position && { min: position, max: position });
      return own !== undefined && boxesIntersect(own, space);
    });
    expect(touching(things, space)).toEqual(expected);
  }
});
