import type { Random, Vec3 } from "../../../geometry/index.ts";
import type { Paint } from "../../solid.ts";
import { COLOURS, metal, patterned, plain, STEEL, wood } from "../palette.ts";
import { box } from "../part.ts";
import type { Opening, Part, Placement } from "../types.ts";
import { QUARTER, yawOfStep } from "../yaw.ts";
import { type Flight, type Layout, TREADS } from "./layout.ts";
import { LEAF_M, LEAF_THICK_M, type Site } from "./openings.ts";
import { STYLES } from "./programme.ts";
import { mm, type Rect } from "./rect.ts";

export const CEILING_M = 2.6;
export const STOREY_M = 2.85;
const HALF_WALL_M = 0.05;
const FLOOR_SLAB_M = 0.15;

/** A piece of the building: its solids in world coordinates, to be made into one thing. */
export interface Piece {
  readonly category: "floor" | "ceiling" | "wall" | "facade" | "door frame" | "staircase" | "railing";
  readonly name: string;
  readonly room: string;
  readonly material: string;
  readonly solids: readonly Part[];
}

/** The inner faces of the walls. */
export function innerRect({ x0, y0, x1, y1 }: Rect): Rect {
  return {
    x0: mm(x0 + HALF_WALL_M),
    y0: mm(y0 + HALF_WALL_M),
    x1: mm(x1 - HALF_WALL_M),
    y1: mm(y1 - HALF_WALL_M),
  };
}

/** All fixed structure: slabs, two-faced walls with holes, frames, stairs with their railing. */
export function buildStructure(
  layout: Layout,
  sites: readonly Site[],
  openings: readonly Opening[],
  random: Random,
): Piece[] {
  const pieces: Piece[] = [];
  for (const site of sites) {
    const look = random.fork(site.id);
    const style = STYLES[site.type];
    const floorPaint = look.pick(style.floors);
    const wallPaint = look.pick(style.walls);
    const inner = innerRect(site);
    const holeBelow = site.type === "hallway" && site.floor === 1 ? layout.flight : undefined;
    const holeAbove = site.type === "hallway" && site.floor === 0 ? layout.flight : undefined;
    pieces.push({
      category: "floor",
      name: "floor",
      room: site.id,
      material: floorPaint.texture,
      solids: slab(site, holeBelow, site.floorZM - FLOOR_SLAB_M, FLOOR_SLAB_M, floorPaint),
    });
    pieces.push({
      category: "ceiling",
      name: "ceiling",
      room: site.id,
      material: "plaster",
      solids: slab(site, holeAbove, site.floorZM + CEILING_M, 0.1, plain([244, 243, 238])),
    });
    for (const wall of roomWalls(site, inner)) {
      const holes = openings.filter(
        (o) => o.floor === site.floor && o.rooms.includes(site.id) && onWall(o, wall),
      );
      pieces.push({
        category: "wall",
        name: `${wall.name} wall`,
        room: site.id,
        material: wallPaint.texture,
        solids: wallSolids(wall, holes, site.floorZM, wallPaint),
      });
    }
  }
  for (let floor = 0; floor < layout.floors; floor++) pieces.push(facade(layout, sites, openings, floor));
  for (const opening of openings) if (opening.kind !== "window") pieces.push(doorFrame(opening));
  if (layout.flight !== undefined) pieces.push(...stairs(layout.flight, sites));
  return pieces;
}

/** A door leaf shut in its hole, or standing at a right angle at its hinge. */
export function leafPlacement(opening: Opening, value: string, extent: Vec3): Placement {
  const { along, centre, hinge = 1, swing = 1, rooms } = opening;
  // Own axes: the leaf's width is y; its handle is towards −y, so the hinge end must be at +y.
  const shutStep = along === "x" ? (hinge === 1 ? 3 * QUARTER : QUARTER) : hinge === 1 ? 0 : 2 * QUARTER;
  const z = centre.z + 0.01 + extent.z / 2;
  const room = (swing === 1 ? rooms[1] : rooms[0]) ?? rooms[0];
  const base = {
    extent,
    room,
    ...(opening.frame === undefined ? {} : { supportedBy: opening.frame }),
    hidden: false,
  };
  if (value !== "open")
    return { ...base, centre: { x: centre.x, y: centre.y, z }, yawRad: yawOfStep(shutStep) };
  // The pivot is on the face towards the swing side, so that the open leaf clears the wall.
  const end = hinge * (LEAF_M / 2 - LEAF_THICK_M / 2);
  const out = swing * (HALF_WALL_M + 0.01 + LEAF_M / 2);
  const openStep = along === "x" ? (swing === 1 ? 2 * QUARTER : 0) : swing === 1 ? QUARTER : 3 * QUARTER;
  const position =
    along === "x" ? { x: centre.x + end, y: centre.y + out, z } : { x: centre.x + out, y: centre.y + end, z };
  return { ...base, centre: position, yawRad: yawOfStep(openStep) };
}

interface Wall extends Rect {
  readonly name: "north" | "east" | "south" | "west";
  readonly along: "x" | "y";
}

function roomWalls(site: Rect, inner: Rect): Wall[] {
  return [
    { name: "south", along: "x", x0: inner.x0, x1: inner.x1, y0: site.y0, y1: inner.y0 },
    { name: "north", along: "x", x0: inner.x0, x1: inner.x1, y0: inner.y1, y1: site.y1 },
    { name: "west", along: "y", x0: site.x0, x1: inner.x0, y0: site.y0, y1: site.y1 },
    { name: "east", along: "y", x0: inner.x1, x1: site.x1, y0: site.y0, y1: site.y1 },
  ];
}

function onWall({ along, centre }: Opening, wall: Wall): boolean {
  const across = along === "x" ? centre.y : centre.x;
  const [low, high] = along === "x" ? [wall.y0, wall.y1] : [wall.x0, wall.x1];
  const u = along === "x" ? centre.x : centre.y;
  const [from, to] = along === "x" ? [wall.x0, wall.x1] : [wall.y0, wall.y1];
  return along === wall.along && across >= low - 1e-6 && across <= high + 1e-6 && u > from && u < to;
}

/** Upright strips between the holes, and what is below and above each hole. */
function wallSolids(wall: Wall, holes: readonly Opening[], floorZ: number, paint: Paint): Part[] {
  const lengthwise = wall.along === "x";
  const [start, end] = lengthwise ? [wall.x0, wall.x1] : [wall.y0, wall.y1];
  const solids: Part[] = [];
  const strip = (from: number, to: number, low: number, high: number): void => {
    if (to - from < 1e-6 || high - low < 1e-6) return;
    const rect = lengthwise ? { ...wall, x0: from, x1: to } : { ...wall, y0: from, y1: to };
    solids.push(solidOver(rect, low, high - low, paint));
  };
  let at = start;
  const u = (o: Opening): number => (lengthwise ? o.centre.x : o.centre.y);
  for (const hole of [...holes].sort((p, q) => u(p) - u(q))) {
    const from = mm(u(hole) - hole.widthM / 2);
    const to = mm(u(hole) + hole.widthM / 2);
    strip(at, from, floorZ, floorZ + CEILING_M);
    strip(from, to, floorZ, hole.centre.z);
    strip(from, to, hole.centre.z + hole.heightM, floorZ + CEILING_M);
    at = to;
  }
  strip(at, end, floorZ, floorZ + CEILING_M);
  return solids;
}

function facade(
  { outer }: Layout,
  sites: readonly Site[],
  openings: readonly Opening[],
  floor: number,
): Piece {
  const { x0, y0, x1, y1 } = outer;
  const t = HALF_WALL_M;
  const paint = patterned("brick", 0.25, [168, 92, 74], [200, 190, 180]);
  const walls: Wall[] = [
    { name: "south", along: "x", x0: x0 - t, x1: x1 + t, y0: y0 - t, y1: y0 },
    { name: "north", along: "x", x0: x0 - t, x1: x1 + t, y0: y1, y1: y1 + t },
    { name: "west", along: "y", x0: x0 - t, x1: x0, y0, y1 },
    { name: "east", along: "y", x0: x1, x1: x1 + t, y0, y1 },
  ];
  const here = sites.find((site) => site.floor === floor)!;
  const holes = openings.filter((o) => o.floor === floor && o.rooms[1] === null);
  const solids = walls.flatMap((wall) =>
    wallSolids(
      wall,
      holes.filter((o) => onWall(o, wall)),
      here.floorZM,
      paint,
    ),
  );
  return { category: "facade", name: "outer wall", room: here.id, material: "brick", solids };
}

/** Posts and lintel around a doorway; they narrow it by 3 cm a side. */
function doorFrame({ along, centre, widthM, heightM, rooms, id }: Opening): Piece {
  const paint = wood(COLOURS.white);
  const deep = 0.12;
  const post = (u: number): Part =>
    along === "x"
      ? box(centre.x + u, centre.y, centre.z, 0.03, deep, heightM, paint)
      : box(centre.x, centre.y + u, centre.z, deep, 0.03, heightM, paint);
  const span = widthM - 0.06;
  const lintel =
    along === "x"
      ? box(centre.x, centre.y, centre.z + heightM - 0.03, span, deep, 0.03, paint)
      : box(centre.x, centre.y, centre.z + heightM - 0.03, deep, span, 0.03, paint);
  const half = widthM / 2 - 0.015;
  return {
    category: "door frame",
    name: `${id}-frame`,
    room: rooms[0],
    material: "wood",
    solids: [post(half), post(-half), lintel],
  };
}

/** Solid steps, and a railing around the hole above with its open side at the head. */
function stairs(flight: Flight, sites: readonly Site[]): Piece[] {
  const [low, high] = [0, 1].map(
    (floor) => sites.find((s) => s.floor === floor && s.type === "hallway")!,
  ) as [Site, Site];
  const rise = STOREY_M / (TREADS + 1);
  const lengthwise = flight.along === "x";
  const length = lengthwise ? flight.x1 - flight.x0 : flight.y1 - flight.y0;
  const going = length / TREADS;
  const begin = lengthwise
    ? flight.rises === 1
      ? flight.x0
      : flight.x1
    : flight.rises === 1
      ? flight.y0
      : flight.y1;
  const steps = Array.from({ length: TREADS }, (_, i) => {
    const a = begin + flight.rises * going * i;
    const b = begin + flight.rises * going * (i + 1);
    const rect = lengthwise
      ? { ...flight, x0: Math.min(a, b), x1: Math.max(a, b) }
      : { ...flight, y0: Math.min(a, b), y1: Math.max(a, b) };
    return solidOver(rect, low.floorZM, rise * (i + 1), wood(i % 2 === 0 ? [168, 122, 78] : [152, 108, 68]));
  });
  const rail = metal(STEEL);
  const z = high.floorZM;
  const hall = innerRect(high);
  const solids: Part[] = [];
  const bar = (rect: Rect): void => void solids.push(solidOver(rect, z, 0.95, rail));
  const t = 0.04;
  const { x0, y0, x1, y1 } = flight;
  // Sides that lie on the hallway's wall need no railing; nor does the head.
  if (y0 > hall.y0 + 0.1 && !(!lengthwise && flight.rises === -1)) bar({ x0, x1, y0: y0 - t, y1: y0 });
  if (y1 < hall.y1 - 0.1 && !(!lengthwise && flight.rises === 1)) bar({ x0, x1, y0: y1, y1: y1 + t });
  if (x0 > hall.x0 + 0.1 && !(lengthwise && flight.rises === -1)) bar({ x0: x0 - t, x1: x0, y0, y1 });
  if (x1 < hall.x1 - 0.1 && !(lengthwise && flight.rises === 1)) bar({ x0: x1, x1: x1 + t, y0, y1 });
  return [
    { category: "staircase", name: "staircase", room: low.id, material: "wood", solids: steps },
    { category: "railing", name: "railing", room: high.id, material: "metal", solids },
  ];
}

/** A slab, in up to four boxes around a hole. */
function slab(rect: Rect, hole: Rect | undefined, z: number, thick: number, paint: Paint): Part[] {
  if (hole === undefined) return [solidOver(rect, z, thick, paint)];
  const { x0, y0, x1, y1 } = rect;
  return [
    { x0, x1, y0, y1: hole.y0 },
    { x0, x1, y0: hole.y1, y1 },
    { x0, x1: hole.x0, y0: hole.y0, y1: hole.y1 },
    { x0: hole.x1, x1, y0: hole.y0, y1: hole.y1 },
  ]
    .filter((r) => r.x1 - r.x0 > 1e-6 && r.y1 - r.y0 > 1e-6)
    .map((r) => solidOver(r, z, thick, paint));
}

function solidOver(rect: Rect, z: number, height: number, paint: Paint): Part {
  return box(
    (rect.x0 + rect.x1) / 2,
    (rect.y0 + rect.y1) / 2,
    z,
    rect.x1 - rect.x0,
    rect.y1 - rect.y0,
    height,
    paint,
  );
}
