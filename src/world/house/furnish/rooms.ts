import type { Random } from "../../../geometry/index.ts";
import type { HouseBuilder } from "../builder.ts";
import { boxOfSolid } from "../collide.ts";
import { modelOf, partsOf } from "../models.ts";
import type { Layout } from "../plan/layout.ts";
import type { Site } from "../plan/openings.ts";
import { areaOf, mm, type Rect, rectAround } from "../plan/rect.ts";
import { CEILING_M, innerRect } from "../plan/structure.ts";
import { ownerFor, type Store, startFluents } from "../stock/stock.ts";
import type { FluentValues, Opening, Placement } from "../types.ts";
import { cosOfStep, sinOfStep, turnedHalf, yawOfStep } from "../yaw.ts";
import { applyRule, type Piece } from "./furnish.ts";
import { drawSpecimen } from "./look.ts";
import { FACING, RoomSpace, type Side, type Taken } from "./room-space.ts";
import { RULES } from "./rules.ts";

const ATTEMPTS = 6;
/** Share of the objects that may be furniture; the rest is left for small things. */
const FURNITURE_SHARE = 0.5;

/** Furnishes every room and adds the pieces to the house; returns the rooms ready for small things. */
export function furnishRooms(
  builder: HouseBuilder,
  layout: Layout,
  sites: readonly Site[],
  openings: readonly Opening[],
  owners: ReadonlyMap<string, string>,
  people: readonly string[],
  objects: number,
  random: Random,
): Store[] {
  const area = sites.reduce((sum, site) => sum + areaOf(site), 0);
  const fittings = openings.filter((o) => o.thing !== undefined).length;
  return sites.map((site) => {
    const own = random.fork(site.id);
    const budget = Math.max(4, Math.round((objects * FURNITURE_SHARE - fittings) * (areaOf(site) / area)));
    const { space, pieces } = furnishRoom(layout, site, openings, budget, own);
    const surfaces = surfacesOf(builder, site.id);
    const owner = owners.get(site.id);
    for (const piece of pieces)
      addPiece(
        builder,
        site,
        space,
        piece,
        surfaces,
        ownerFor(piece.specimen.model.category, owner, people, own),
        own,
      );
    return {
      id: site.id,
      type: site.type,
      floorZM: site.floorZM,
      floorThing: surfaces.floor,
      ...(owner === undefined ? {} : { owner }),
      space,
    };
  });
}

/** Several tries, each from an empty room; the first with all its required pieces wins, else the best. */
function furnishRoom(
  layout: Layout,
  site: Site,
  openings: readonly Opening[],
  budget: number,
  random: Random,
): { space: RoomSpace; pieces: Piece[] } {
  let best: { space: RoomSpace; pieces: Piece[]; missing: number } | undefined;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const own = random.fork(`attempt/${attempt}`);
    const space = emptySpace(layout, site, openings);
    const pieces: Piece[] = [];
    let missing = 0;
    for (const rule of RULES[site.type]) {
      if (pieces.length >= budget && rule.must === undefined) continue;
      const added = applyRule(space, rule, pieces, own);
      pieces.push(...added);
      if (
        rule.must &&
        added.length === 0 &&
        !(rule.unless && pieces.some((p) => p.specimen.model.category === rule.unless))
      )
        missing++;
    }
    if (best === undefined || missing < best.missing) best = { space, pieces, missing };
    if (missing === 0) break;
  }
  const { space, pieces } = best!;
  pieces.push(...curtains(site, space, random), ...ceilingLamp(space, random));
  return { space, pieces };
}

function emptySpace(layout: Layout, site: Site, openings: readonly Opening[]): RoomSpace {
  const inner = innerRect(site);
  const own = openings.filter((o) => o.floor === site.floor && o.rooms.includes(site.id));
  const { flight } = layout;
  const stairs = flight !== undefined && site.type === "hallway";
  const blocked: Taken[] = stairs
    ? [
        {
          rect: { x0: flight.x0 - 0.05, y0: flight.y0 - 0.05, x1: flight.x1 + 0.05, y1: flight.y1 + 0.05 },
          z0: 0,
          z1: CEILING_M,
        },
      ]
    : [];
  const space = new RoomSpace(
    site.id,
    site.type,
    inner,
    own,
    blocked,
    stairs ? landings(flight, site.floor) : [],
  );
  for (const window of space.windows) space.reserveWindow(window, site.floorZM);
  return space;
}

/** The ends of the stairs must stay reachable, each on its own floor. */
function landings(flight: NonNullable<Layout["flight"]>, floor: number): { x: number; y: number }[] {
  const x = (flight.x0 + flight.x1) / 2;
  const y = (flight.y0 + flight.y1) / 2;
  const sign = (floor === 0 ? -1 : 1) * flight.rises;
  const half = (flight.along === "x" ? flight.x1 - flight.x0 : flight.y1 - flight.y0) / 2 + 0.45;
  return [flight.along === "x" ? { x: x + sign * half, y } : { x, y: y + sign * half }];
}

function curtains(site: Site, space: RoomSpace, random: Random): Piece[] {
  const bare = new Set(["hallway", "laundry", "garage", "gym"]);
  if (bare.has(site.type)) return [];
  const drawn = drawSpecimen(modelOf("curtain"), random);
  return space.windows.flatMap((window): Piece[] => {
    if (!random.chance(0.85)) return [];
    const size = { ...drawn.look.size, y: mm(window.widthM + 0.5), z: mm(window.heightM + 0.2) };
    const side = sideOf(window, space.inner);
    const step = FACING[side];
    const out = size.x / 2;
    const x =
      side === "west" ? space.inner.x0 + out : side === "east" ? space.inner.x1 - out : window.centre.x;
    const y =
      side === "south" ? space.inner.y0 + out : side === "north" ? space.inner.y1 - out : window.centre.y;
    const half = turnedHalf(size.x, size.y, step);
    const rect = rectAround(mm(x), mm(y), half.x, half.y);
    // The window's own reserve is passed as its own, so that only neighbours can be in the way.
    const z = mm(window.centre.z - site.floorZM - 0.1);
    const beside: Taken[] = [-1, 1].map((s) => ({ rect: sliver(rect, side, s), z0: z, z1: z + size.z }));
    if (!beside.every((taken) => space.fitsOnWall(taken))) return [];
    for (const taken of beside) space.place(taken);
    return [
      {
        specimen: { ...drawn, look: { ...drawn.look, size } },
        x: mm(x),
        y: mm(y),
        z,
        step,
        rect,
        side,
        fixedTo: "wall",
      },
    ];
  });
}

/** The ends of a curtain that reach beyond its window. */
function sliver(rect: Rect, side: Side, end: number): Rect {
  const wide = 0.15;
  if (side === "north" || side === "south")
    return end < 0 ? { ...rect, x1: rect.x0 + wide } : { ...rect, x0: rect.x1 - wide };
  return end < 0 ? { ...rect, y1: rect.y0 + wide } : { ...rect, y0: rect.y1 - wide };
}

function sideOf({ along, centre }: Opening, inner: Rect): Side {
  if (along === "x") return centre.y < (inner.y0 + inner.y1) / 2 ? "south" : "north";
  return centre.x < (inner.x0 + inner.x1) / 2 ? "west" : "east";
}

function ceilingLamp(space: RoomSpace, random: Random): Piece[] {
  const specimen = drawSpecimen(modelOf("ceiling lamp"), random);
  const { size } = specimen.look;
  const { x0, y0, x1, y1 } = space.inner;
  for (let attempt = 0; attempt < 12; attempt++) {
    const x = mm(x0 + (x1 - x0) * (attempt === 0 ? 0.5 : random.range(0.3, 0.7)));
    const y = mm(y0 + (y1 - y0) * (attempt === 0 ? 0.5 : random.range(0.3, 0.7)));
    const z = mm(CEILING_M - size.z);
    const rect = rectAround(x, y, size.x / 2, size.y / 2);
    if (!space.fitsOnWall({ rect, z0: z, z1: CEILING_M })) continue;
    space.place({ rect, z0: z, z1: CEILING_M });
    return [{ specimen, x, y, z, step: 0, rect, fixedTo: "ceiling" }];
  }
  return [];
}

interface Surfaces {
  readonly floor: string;
  readonly ceiling: string;
  readonly walls: Readonly<Record<Side, string>>;
}

function surfacesOf(builder: HouseBuilder, room: string): Surfaces {
  const own = builder.things.filter((thing) => thing.roomAtStart === room && thing.type === "structure");
  const wall = (side: Side): string => own.find((thing) => thing.name === `${side} wall`)!.id;
  return {
    floor: own.find((thing) => thing.category === "floor")!.id,
    ceiling: own.find((thing) => thing.category === "ceiling")!.id,
    walls: { north: wall("north"), east: wall("east"), south: wall("south"), west: wall("west") },
  };
}

function addPiece(
  builder: HouseBuilder,
  site: Site,
  space: RoomSpace,
  piece: Piece,
  surfaces: Surfaces,
  owner: string | undefined,
  random: Random,
): void {
  const { specimen, x, y, z, step, fixedTo, side } = piece;
  const { size } = specimen.look;
  const supportedBy =
    fixedTo === "floor" ? surfaces.floor : fixedTo === "ceiling" ? surfaces.ceiling : surfaces.walls[side!];
  const placement: Placement = {
    centre: { x, y, z: site.floorZM + z + size.z / 2 },
    extent: size,
    yawRad: yawOfStep(step),
    room: site.id,
    supportedBy,
    hidden: false,
  };
  let fluents: FluentValues = startFluents(specimen, random);
  if (specimen.model.category === "curtain") fluents = { openness: random.chance(0.75) ? "open" : "closed" };
  else if (fluents.openness !== undefined && random.chance(0.08) && opensFreely(space, piece))
    fluents = { ...fluents, openness: "open" };
  if (specimen.model.category === "ceiling lamp") fluents = { power: random.chance(0.8) ? "on" : "off" };
  builder.addSpecimen(specimen, "furniture", placement, fluents, owner);
}

/** Whether its open doors or drawer are clear of everything and leave the floor in one piece. */
function opensFreely(space: RoomSpace, { specimen, x, y, z, step, rect }: Piece): boolean {
  const parts = partsOf(specimen.look, { openness: "open" });
  const c = cosOfStep(step);
  const s = sinOfStep(step);
  const limit = specimen.look.size.x / 2 + 0.001;
  const out = parts.flatMap((part): Taken[] => {
    if (part.centre.x + part.size.x / 2 <= limit) return [];
    // Only what sticks out counts: the rest is within the piece's own place.
    const from = Math.max(part.centre.x - part.size.x / 2, limit);
    const to = part.centre.x + part.size.x / 2;
    const middle = (from + to) / 2;
    const box = boxOfSolid({
      centre: {
        x: x + middle * c - part.centre.y * s,
        y: y + middle * s + part.centre.y * c,
        z: z + part.centre.z,
      },
      size: { ...part.size, x: to - from },
      yawRad: yawOfStep(step),
    });
    return [
      { rect: { x0: box.min.x, y0: box.min.y, x1: box.max.x, y1: box.max.y }, z0: box.min.z, z1: box.max.z },
    ];
  });
  if (!space.opens(out, rect)) return false;
  for (const taken of out) space.place(taken);
  return true;
}
