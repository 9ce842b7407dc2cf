/**
 * Simulated houses → what render.py casts: `node training/eyes/houses.ts [--count 176] [--out training/eyes/.cache]`.
 * A house is its rooms, its things (category, type, and whether it is open, on, full, unmade: -1 where it never can be) and
 * its solids as rows of numbers: thing, shape, centre, size, yaw, colour, accent, texture, period, glow. States are drawn
 * anew: houses begin with nearly everything closed and off, which would teach that it always is.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { Random } from "../../src/geometry/index.ts";
import { generateHouse, type House } from "../../src/world/house/index.ts";
import { solidsFor } from "../../src/world/house/solids.ts";
import { FLUENTS, type FluentValues } from "../../src/world/house/types.ts";
import type { Solid } from "../../src/world/solid.ts";

const SHAPES = ["box", "cylinder", "ellipsoid"] as const;
const TEXTURES = [
  ..."plain wood planks tiles carpet fabric brick stripes checker books metal glass picture leaves screen".split(
    " ",
  ),
];

const STATES = ["openness", "power", "fill", "making"] as const;
/** How often a thing is open, on, full or unmade. */
const CHANGED = 0.45;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "176" },
    out: { type: "string", default: new URL("./.cache", import.meta.url).pathname },
  },
});
mkdirSync(values.out, { recursive: true });
const houses = Array.from({ length: Number(values.count) }, (_, i) => {
  // Seeds with a word of their own: no test and no benchmark walks through these houses.
  const seed = `eyes-${i}`;
  return exported(generateHouse(seed, { perturbation: (i % 3) * 0.2 }), new Random(seed));
});
const bytes = gzipSync(JSON.stringify(houses), { level: 9 });
writeFileSync(join(values.out, "houses.json.gz"), bytes);
console.log(
  `${houses.length} houses, ${houses.reduce((n, h) => n + h.solids.length, 0)} solids, ${bytes.length} bytes`,
);

function exported(house: House, random: Random) {
  const starts = house.starts.map((start) => ({ ...start, fluents: drawn(start.fluents, random) }));
  return {
    rooms: house.rooms.map((room) => ({
      type: room.type,
      polygon: room.polygon.points.map((p) => [mm(p.x), mm(p.y)]),
      floor: mm(room.floorZM),
      ceiling: mm(room.ceilingM),
    })),
    things: house.things.map((thing, i) => [
      thing.category,
      thing.type,
      ...STATES.map((state) => {
        const value = starts[i]?.fluents[state];
        return value === undefined ? -1 : value === FLUENTS[state][1] ? 1 : 0;
      }),
    ]),
    solids: house.things.flatMap((thing, i) => {
      const start = starts[i];
      if (start === undefined || start.placement.room === null) return [];
      return solidsFor(thing, start.look, start.placement, start.fluents).map(row);
    }),
  };
}

function drawn(fluents: FluentValues, random: Random): FluentValues {
  const states = STATES.filter((state) => fluents[state] !== undefined);
  return {
    ...fluents,
    ...Object.fromEntries(states.map((state) => [state, FLUENTS[state][random.chance(CHANGED) ? 1 : 0]])),
  };
}

function row({ thing, shape, centre, size, yawRad, paint }: Solid): number[] {
  const accent = paint.accent ?? paint.rgb;
  return [
    thing,
    SHAPES.indexOf(shape),
    ...[centre.x, centre.y, centre.z, size.x, size.y, size.z, yawRad].map(mm),
    ...paint.rgb,
    ...accent,
    TEXTURES.indexOf(paint.texture),
    mm(paint.periodM),
    mm(paint.glow ?? 0),
  ];
}

function mm(value: number): number {
  return Math.round(value * 1000) / 1000;
}
