import { Random } from "../../geometry/index.ts";
import type { Light, Paint, Solid } from "../solid.ts";

const TEXTURES: readonly Paint["texture"][] = [
  "plain",
  "wood",
  "fabric",
  "books",
  "metal",
  "tiles",
  "stripes",
  "checker",
];

/**
 * A hand-made building for tests and benchmarks that must not depend on the house generator: a grid of rooms
 * with doorways, each with furniture of several solids, small things on top, and one lamp. Instances count from 1.
 */
export function sampleScene(options: { seed: number; rooms: number; objects: number }): {
  solids: Solid[];
  lights: Light[];
  roomCentres: { x: number; y: number; z: number }[];
} {
  const random = new Random(options.seed);
  const solids: Solid[] = [];
  const lights: Light[] = [];
  const roomCentres: { x: number; y: number; z: number }[] = [];
  const columns = Math.ceil(Math.sqrt(options.rooms));
  const rows = Math.ceil(options.rooms / columns);
  const side = 4;
  let thing = 1;
  const paint = (
    rgb: readonly [number, number, number],
    texture: Paint["texture"],
    periodM = 0.3,
  ): Paint => ({
    rgb,
    texture,
    periodM,
  });
  const add = (
    shape: Solid["shape"],
    x: number,
    y: number,
    z: number,
    sx: number,
    sy: number,
    sz: number,
    yawRad: number,
    p: Paint,
  ) => solids.push({ thing, shape, centre: { x, y, z }, size: { x: sx, y: sy, z: sz }, yawRad, paint: p });
  const wide = columns * side;
  const deep = rows * side;
  add("box", wide / 2, deep / 2, -0.05, wide, deep, 0.1, 0, paint([150, 110, 70], "planks"));
  thing++;
  add("box", wide / 2, deep / 2, 2.65, wide, deep, 0.1, 0, paint([240, 240, 236], "plain"));
  thing++;
  const wall = paint([205, 198, 184], "plain");
  for (let i = 0; i <= columns; i++) {
    for (let j = 0; j < rows; j++) {
      const inner = i > 0 && i < columns;
      for (const [from, to, low] of inner
        ? ([
            [0, 1.5, 0],
            [2.5, side, 0],
            [1.5, 2.5, 2.1],
          ] as const)
        : ([[0, side, 0]] as const)) {
        add("box", i * side, j * side + (from + to) / 2, (low + 2.6) / 2, 0.1, to - from, 2.6 - low, 0, wall);
      }
      thing++;
    }
  }
  for (let j = 0; j <= rows; j++) {
    add("box", wide / 2, j * side, 1.3, wide, 0.1, 2.6, 0, wall);
    thing++;
  }
  const perRoom = Math.ceil(options.objects / options.rooms);
  for (let room = 0; room < options.rooms; room++) {
    const cx = ((room % columns) + 0.5) * side;
    const cy = (Math.floor(room / columns) + 0.5) * side;
    roomCentres.push({ x: cx, y: cy, z: 0 });
    lights.push({ position: { x: cx, y: cy, z: 2.4 }, rgb: [255, 244, 225], reachM: 6 });
    for (let k = 0; k < perRoom && room * perRoom + k < options.objects; k++) {
      const yaw = (random.int(0, 24) * Math.PI) / 12;
      const x = cx + random.range(-1.6, 1.6);
      const y = cy + random.range(-1.6, 1.6);
      const rgb = [random.int(30, 250), random.int(30, 250), random.int(30, 250)] as const;
      const p = paint(rgb, random.pick(TEXTURES), random.range(0.05, 0.4));
      if (k % 4 === 0) {
        add("box", x, y, 0.72 + k * 0.003, 0.9, 0.6, 0.04, yaw, p);
        for (const [a, b] of [
          [-1, -1],
          [-1, 1],
          [1, -1],
          [1, 1],
        ] as const) {
          add("box", x + a * 0.25, y + b * 0.25, 0.35, 0.05, 0.05, 0.7, yaw, p);
        }
      } else {
        const z = random.range(0, 1.6);
        add("cylinder", x, y, z + 0.1, 0.16, 0.16, 0.2, yaw, p);
        add("ellipsoid", x, y, z + 0.28, 0.2, 0.16, 0.16, yaw, p);
        add("box", x, y, z + 0.42, 0.2, 0.1, 0.1, yaw, p);
        add("box", x + 0.12, y, z + 0.1, 0.04, 0.04, 0.15, yaw, p);
      }
      thing++;
    }
  }
  return { solids, lights, roomCentres };
}
