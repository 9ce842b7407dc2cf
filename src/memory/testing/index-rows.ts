import fc from "fast-check";
import type { Vec3 } from "../../geometry/index.ts";
import type { Space } from "../resident/memory-view.ts";
import type { NumericQuery, PlaceQuery } from "../resident/query.ts";
import type { RowInput } from "../resident/row-writer.ts";

// Small worlds with many collisions: few words, few vectors (some equal to the last bit), times that tie,
// boxes from points to larger than any cell, coordinates up to 1e8.

export const TEXTS = 24;
const WORDS = ["red", "cup", "table", "kitchen", "door", "blue", "lamp", "größe", "x"];

export function mulberry(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function unit(random: () => number, dim: number): Float32Array {
  const v = new Float32Array(dim);
  let square = 0;
  for (let i = 0; i < dim; i++) {
    v[i] = random() + random() + random() - 1.5;
    square += v[i]! * v[i]!;
  }
  return v.map((x) => x / Math.sqrt(square));
}

/** Keys 20 and up repeat the vectors of 0 and up: other meanings with the same score. */
export function vectorOf(space: Space, key: number): Float32Array {
  return unit(mulberry((key % 20) * 7 + (space === "text" ? 1 : 1000)), space === "text" ? 40 : 24);
}

const near = fc.double({ min: -60, max: 60, noNaN: true });
const coordinate = fc.oneof(
  { weight: 8, arbitrary: near },
  { weight: 2, arbitrary: fc.integer({ min: -20, max: 20 }) },
  { weight: 1, arbitrary: fc.constantFrom(1e8, -1e8, 12345678.9) },
);
const point: fc.Arbitrary<Vec3> = fc.record({
  x: coordinate,
  y: coordinate,
  z: fc.oneof(near, fc.constant(0)),
});
const size = fc.constantFrom(0, 0, 0.4, 1.9, 5, 30, 200);
const time = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.integer({ min: -1e12, max: 1e12 }));
const duration = fc.constantFrom(1, 1, 500_000, 30e6, 1800e6, 7200e6, 3 * 86_400e6, null);

export const arbitraryRow = fc.record({
  id: fc.constantFrom("a", "b", "ab", "A", "z-1"),
  kind: fc.integer({ min: 0, max: 3 }),
  labelSet: fc.constantFrom(0, 1, 2, 700),
  name: fc.integer({ min: 0, max: 3 }),
  owner: fc.integer({ min: 0, max: 5 }),
  from: time,
  duration,
  at: fc.option(point, { freq: 5 }),
  size,
  submap: fc.integer({ min: 0, max: 3 }),
  texts: fc.array(fc.integer({ min: 0, max: TEXTS - 1 }), { maxLength: 3 }),
  image: fc.option(fc.integer({ min: 0, max: TEXTS - 1 })),
  words: fc.array(fc.constantFrom(...WORDS), { maxLength: 8 }),
});
export type RowSeed = typeof arbitraryRow extends fc.Arbitrary<infer T> ? T : never;

export function rowFrom(seed: RowSeed, row: number): RowInput {
  const half = seed.size / 2;
  const common = {
    row,
    id: `${seed.id}${(row * 7919) % 1000}:${row}`,
    kind: seed.kind,
    labelSet: seed.labelSet,
    scene: seed.name,
    author: seed.name ^ 1,
    category: seed.name ^ 2,
    owner: seed.owner,
    validFromUs: seed.from,
    validToUs: seed.duration === null ? null : seed.from + seed.duration,
    submap: seed.submap,
    texts: seed.texts,
    words: seed.words,
    ...(seed.image !== null && { image: seed.image }),
  };
  if (seed.at === null) return common;
  const { x, y, z } = seed.at;
  const box = {
    min: { x: x - half, y: y - half, z: z - half },
    max: { x: x + half, y: y + half, z: z + half },
  };
  return { ...common, place: { box, centre: seed.at } };
}

const metric = fc.constantFrom("box" as const, "centre" as const);
const place: fc.Arbitrary<PlaceQuery> = fc.oneof(
  fc.tuple(point, point, fc.boolean()).map(([a, b, small]): PlaceQuery => {
    const c = small ? { x: a.x + 3, y: a.y + 3, z: a.z + 3 } : b;
    const min = { x: Math.min(a.x, c.x), y: Math.min(a.y, c.y), z: Math.min(a.z, c.z) };
    return { type: "box", min, max: { x: Math.max(a.x, c.x), y: Math.max(a.y, c.y), z: Math.max(a.z, c.z) } };
  }),
  fc.record({
    type: fc.constant("within" as const),
    point,
    radiusM: fc.constantFrom(0, 0.5, 5, 50, 1e9, Number.POSITIVE_INFINITY),
    metric,
  }),
  fc.tuple(point, fc.constantFrom(3, 30), fc.boolean()).map(([c, r, measured]): PlaceQuery => {
    // A little wider than the shape: rounding must not leave a match outside of its own bounds.
    const w = r * (1 + 1e-9) + 1e-6;
    const bounds = {
      min: { x: c.x - w, y: c.y - w, z: c.z - w },
      max: { x: c.x + w, y: c.y + w, z: c.z + w },
    };
    const accepts = (p: Vec3) => Math.abs(p.x - c.x) + Math.abs(p.y - c.y) + Math.abs(p.z - c.z) <= r;
    return { type: "shape", bounds, accepts, ...(measured && { from: c }) };
  }),
);
const timeKey = fc.record(
  {
    overlaps: fc
      .tuple(time, duration)
      .map(([fromUs, d]) => ({ fromUs, toUs: d === null ? null : fromUs + d })),
    before: time,
    after: time,
  },
  { requiredKeys: [] },
);
const vectorKey = (space: Space) =>
  fc.tuple(fc.integer({ min: 0, max: 60 }), fc.constantFrom(undefined, -0.2, 0, 0.3, 1)).map(([key, min]) => {
    const vector = vectorOf(space, key);
    return min === undefined ? { vector } : { vector, min };
  });
const names = fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { maxLength: 3 });

export const arbitraryQuery: fc.Arbitrary<NumericQuery> = fc
  .record(
    {
      kinds: fc.constantFrom(1, 3, 6, 15, 8),
      labelSets: fc.uniqueArray(fc.constantFrom(0, 1, 2, 700), { minLength: 1 }),
      scenes: names,
      authors: names,
      categories: names,
      owners: names,
      ids: fc.array(
        fc.integer({ min: 1, max: 60 }).map((row) => `a${(row * 7919) % 1000}:${row}`),
        { maxLength: 30 },
      ),
      place,
      time: timeKey,
      text: vectorKey("text"),
      image: vectorKey("image"),
      words: fc.uniqueArray(fc.constantFrom(...WORDS, "unheard"), { minLength: 0, maxLength: 4 }),
    },
    { requiredKeys: [] },
  )
  .chain((all) => {
    // Most queries have few keys; with all of them nothing would ever match.
    return fc
      .tuple(
        fc.subarray(Object.keys(all)),
        fc.constantFrom(1, 3, 10, 40),
        fc.constantFrom(2, 10, 100),
        fc.nat(),
      )
      .map(([keys, limit, pool, n]) => {
        const few = Object.fromEntries(
          keys.filter((_, i) => i < 3).map((key) => [key, all[key as keyof typeof all]]),
        ) as Partial<NumericQuery>;
        const ranks = ranksOf(few);
        return { ...few, rank: ranks[n % ranks.length]!, limit, pool };
      });
  });

function ranksOf({ text, image, words, place }: Partial<NumericQuery>): NumericQuery["rank"][] {
  const ranks: NumericQuery["rank"][] = ["earliest", "latest", "id"];
  if (text) ranks.push("meaning", "meaning", "fused");
  if (image) ranks.push("image", "fused");
  if (words) ranks.push("words", "words", "fused");
  if (place?.type === "within" || (place?.type === "shape" && place.from)) ranks.push("distance", "distance");
  return ranks;
}
