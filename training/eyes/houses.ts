/**
 * Simulated houses → what render.py casts: `node training/eyes/houses.ts [--count 176] [--out training/eyes/.cache]`.
 * A house is its rooms, its things (category, type, material, whether it is open or on) and its solids as rows of
 * numbers: thing, shape, centre, size, yaw, colour, accent, texture, period, glow.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { generateHouse, type House } from "../../src/world/house/index.ts";
import { startSnapshot } from "../../src/world/house/solids.ts";
import type { Solid } from "../../src/world/solid.ts";

const SHAPES = ["box", "cylinder", "ellipsoid"] as const;
const TEXTURES = [
  ..."plain wood planks tiles carpet fabric brick stripes checker books metal glass picture leaves screen".split(
    " ",
  ),
];

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "176" },
    out: { type: "string", default: new URL("./.cache", import.meta.url).pathname },
  },
});
mkdirSync(values.out, { recursive: true });
const houses = Array.from({ length: Number(values.count) }, (_, i) => {
  // Seeds with a word of their own: no test and no benchmark walks through these houses.
  return exported(generateHouse(`eyes-${i}`, { perturbation: (i % 3) * 0.2 }));
});
const bytes = gzipSync(JSON.stringify(houses), { level: 9 });
writeFileSync(join(values.out, "houses.json.gz"), bytes);
console.log(
  `${houses.length} houses, ${houses.reduce((n, h) => n + h.solids.length, 0)} solids, ${bytes.length} bytes`,
);

function exported(house: House) {
  const snapshot = startSnapshot(house);
  return {
    rooms: house.rooms.map((room) => ({
      type: room.type,
      polygon: room.polygon.points.map((p) => [mm(p.x), mm(p.y)]),
      floor: mm(room.floorZM),
      ceiling: mm(room.ceilingM),
    })),
    things: house.things.map((thing, i) => {
      const { openness, power } = house.starts[i]?.fluents ?? {};
      return [
        thing.category,
        thing.type,
        thing.material ?? "",
        openness === "open" ? 1 : 0,
        power === "on" ? 1 : 0,
      ];
    }),
    solids: house.things.flatMap((thing) => snapshot.solidsOf(thing.id).map(row)),
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
