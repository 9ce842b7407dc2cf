import type { Random } from "../../../geometry/index.ts";
import { modelOf, partsOf } from "../models.ts";
import { mm, overlap, type Rect, rectAround } from "../plan/rect.ts";
import { cosOfStep, QUARTER, sinOfStep, turnedHalf } from "../yaw.ts";
import { drawSpecimen, type Specimen } from "./look.ts";
import { FACING, ROBOT_HEIGHT_M, type RoomSpace, SIDES, type Side, type Taken } from "./room-space.ts";
import type { Rule } from "./rules.ts";

/** A piece with its place: middle of its base over the floor, heading, and the wall it leans on or hangs from. */
export interface Piece {
  readonly specimen: Specimen;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly step: number;
  readonly rect: Rect;
  readonly side?: Side;
  readonly fixedTo: "floor" | "wall" | "ceiling";
}

const TRIES = 26;
/** Behind furniture on the floor, so that no two faces coincide. */
const BACK_M = 0.01;

/** Applies one rule; returns the pieces that found a place. */
export function applyRule(space: RoomSpace, rule: Rule, placed: readonly Piece[], random: Random): Piece[] {
  if (rule.chance !== undefined && !random.chance(rule.chance)) return [];
  if (rule.unless !== undefined && placed.some((p) => p.specimen.model.category === rule.unless)) return [];
  const wanted = rule.count === undefined ? 1 : random.int(rule.count[0], rule.count[1] + 1);
  const others = placed.filter((p) => p.specimen.model.category === rule.of);
  const found: Piece[] = [];
  if (rule.at === "run") return placeRun(space, rule.run!, random);
  if (rule.at === "around")
    return others.slice(0, 1).flatMap((table) => placeAround(space, table, rule.model, wanted, random));
  for (let i = 0; i < wanted; i++) {
    const piece = placeOne(space, rule, [...others], i, random);
    if (piece !== undefined) found.push(piece);
  }
  return found;
}

function placeOne(
  space: RoomSpace,
  rule: Rule,
  others: readonly Piece[],
  i: number,
  random: Random,
): Piece | undefined {
  const model = modelOf(rule.model);
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const specimen = drawSpecimen(model, random, attempt > TRIES / 2);
    const other = others.length === 0 ? undefined : others[(i + attempt) % others.length]!;
    if (rule.of !== undefined && other === undefined && rule.at !== "mat" && rule.at !== "opposite")
      return undefined;
    const piece = candidate(space, rule, specimen, other, i + attempt, random);
    if (piece === undefined) continue;
    if (rule.at === "mat") {
      if (space.placeMat(piece.rect)) return piece;
      continue;
    }
    if (tryPlace(space, piece, rule.at === "before" ? other : undefined)) return piece;
  }
  return undefined;
}

function candidate(
  space: RoomSpace,
  rule: Rule,
  specimen: Specimen,
  other: Piece | undefined,
  turn: number,
  random: Random,
): Piece | undefined {
  const { inner } = space;
  const { size } = specimen.look;
  switch (rule.at) {
    case "wall":
      return againstWall(space, specimen, random.pick(SIDES), random.next());
    case "opposite": {
      if (other?.side === undefined) return againstWall(space, specimen, random.pick(SIDES), random.next());
      const facing: Record<Side, Side> = { north: "south", south: "north", east: "west", west: "east" };
      const along = other.side === "north" || other.side === "south";
      const share = along
        ? (other.x - inner.x0) / (inner.x1 - inner.x0)
        : (other.y - inner.y0) / (inner.y1 - inner.y0);
      if (turn > TRIES / 2) return againstWall(space, specimen, random.pick(SIDES), random.next());
      return againstWall(
        space,
        specimen,
        facing[other.side],
        Math.min(1, Math.max(0, share + random.range(-0.2, 0.2))),
      );
    }
    case "corner": {
      const side = random.pick(SIDES);
      return againstWall(space, specimen, side, random.chance(0.5) ? 0 : 1, 0.05);
    }
    case "centre": {
      const step = random.int(0, 4) * QUARTER;
      const x = (inner.x0 + inner.x1) / 2 + random.range(-0.25, 0.25) * (inner.x1 - inner.x0 - size.y);
      const y = (inner.y0 + inner.y1) / 2 + random.range(-0.25, 0.25) * (inner.y1 - inner.y0 - size.y);
      return standing(specimen, mm(x), mm(y), step);
    }
    case "mat": {
      const reach = other === undefined ? 0 : other.specimen.look.size.x / 2 + random.range(0, 0.4);
      const step = other === undefined ? random.int(0, 2) * QUARTER : other.step;
      const x =
        other === undefined
          ? (inner.x0 + inner.x1) / 2 + random.range(-0.5, 0.5)
          : other.x + cosOfStep(step) * reach;
      const y =
        other === undefined
          ? (inner.y0 + inner.y1) / 2 + random.range(-0.5, 0.5)
          : other.y + sinOfStep(step) * reach;
      return standing(specimen, mm(x), mm(y), step);
    }
    case "beside":
      return other === undefined ? undefined : nextTo(specimen, other, turn % 2 === 0 ? 1 : -1);
    case "before":
      return other === undefined ? undefined : inFront(specimen, other, random);
    case "over":
      return other === undefined ? undefined : above(space, specimen, other);
    case "hung":
      return onWall(
        space,
        specimen,
        random.pick(SIDES),
        random.next(),
        mm(random.range(...(specimen.model.hangM ?? [1.4, 1.5]))),
      );
    default:
      return undefined;
  }
}

/** Back to the wall; `share` runs from one end of the wall to the other. */
function againstWall(space: RoomSpace, specimen: Specimen, side: Side, share: number, insetM = 0.02): Piece {
  const { inner } = space;
  const { x: depth, y: width } = specimen.look.size;
  const along = side === "north" || side === "south";
  const from = (along ? inner.x0 : inner.y0) + width / 2 + insetM;
  const to = (along ? inner.x1 : inner.y1) - width / 2 - insetM;
  const u = mm(from + (to - from) * share);
  const out = depth / 2 + BACK_M;
  const x = side === "west" ? inner.x0 + out : side === "east" ? inner.x1 - out : u;
  const y = side === "south" ? inner.y0 + out : side === "north" ? inner.y1 - out : u;
  return { ...standing(specimen, mm(x), mm(y), FACING[side]), side };
}

function standing(specimen: Specimen, x: number, y: number, step: number): Piece {
  const half = turnedHalf(specimen.look.size.x, specimen.look.size.y, step);
  return { specimen, x, y, z: 0, step, rect: rectAround(x, y, half.x, half.y), fixedTo: "floor" };
}

/** Beside another piece, backs in line. */
function nextTo(specimen: Specimen, other: Piece, hand: -1 | 1): Piece {
  const { size } = specimen.look;
  const aside = hand * (other.specimen.look.size.y / 2 + size.y / 2 + 0.04);
  const back = (size.x - other.specimen.look.size.x) / 2;
  const c = cosOfStep(other.step);
  const s = sinOfStep(other.step);
  const piece = standing(
    specimen,
    mm(other.x + back * c - aside * s),
    mm(other.y + back * s + aside * c),
    other.step,
  );
  return other.side === undefined ? piece : { ...piece, side: other.side };
}

/** In front of another piece: a coffee table faces as the sofa does, a desk's chair turns to it. */
function inFront(specimen: Specimen, other: Piece, random: Random): Piece {
  const chair = specimen.model.category === "office chair";
  const gap = chair ? random.range(0.03, 0.1) : random.range(0.36, 0.45);
  const reach = other.specimen.look.size.x / 2 + gap + specimen.look.size.x / 2;
  // The knee space of a desk is left of its drawers.
  const aside = chair ? 0.2 : 0;
  const c = cosOfStep(other.step);
  const s = sinOfStep(other.step);
  return standing(
    specimen,
    mm(other.x + reach * c - aside * s),
    mm(other.y + reach * s + aside * c),
    chair ? other.step + 2 * QUARTER : other.step,
  );
}

function above(space: RoomSpace, specimen: Specimen, other: Piece): Piece | undefined {
  if (other.side === undefined) return undefined;
  const { inner } = space;
  const along = other.side === "north" || other.side === "south";
  const { y: width } = specimen.look.size;
  const length = along ? inner.x1 - inner.x0 : inner.y1 - inner.y0;
  const u = (along ? other.x - inner.x0 : other.y - inner.y0) - width / 2;
  return onWall(
    space,
    specimen,
    other.side,
    Math.min(1, Math.max(0, u / (length - width))),
    specimen.model.hangM?.[0] ?? 1.4,
  );
}

/** Flat on the wall at a height. */
function onWall(space: RoomSpace, specimen: Specimen, side: Side, share: number, z: number): Piece {
  const piece = againstWall(space, specimen, side, share, 0);
  const c = cosOfStep(piece.step) * BACK_M;
  const s = sinOfStep(piece.step) * BACK_M;
  const x = mm(piece.x - c);
  const y = mm(piece.y - s);
  const half = turnedHalf(specimen.look.size.x, specimen.look.size.y, piece.step);
  return { ...piece, x, y, z, rect: rectAround(x, y, half.x, half.y), fixedTo: "wall" };
}

/** The floor before a piece, as deep as its model wants it. */
export function frontOf(piece: Piece): Rect | undefined {
  const { clearM } = piece.specimen.model;
  if (clearM === undefined || piece.fixedTo !== "floor") return undefined;
  const { x: depth, y: width } = piece.specimen.look.size;
  const reach = depth / 2 + clearM / 2 + 0.001;
  const half = turnedHalf(clearM, width - 0.02, piece.step);
  return rectAround(
    piece.x + cosOfStep(piece.step) * reach,
    piece.y + sinOfStep(piece.step) * reach,
    half.x,
    half.y,
  );
}

/** Its space, with the parts above its box (taps, knobs), and the footprints of its solids. */
function takenBy({ specimen: { look }, rect, x, y, z, step }: Piece): Taken {
  const parts = partsOf(look, {});
  const c = cosOfStep(step);
  const s = sinOfStep(step);
  const solid = parts.flatMap((part) => {
    const low = part.centre.z - part.size.z / 2;
    if (z + low >= ROBOT_HEIGHT_M || z + low + part.size.z <= 0.03) return [];
    const half = turnedHalf(part.size.x, part.size.y, step);
    const { x: px, y: py } = part.centre;
    return [rectAround(x + px * c - py * s, y + px * s + py * c, half.x, half.y)];
  });
  const top = Math.max(look.size.z, ...parts.map((part) => part.centre.z + part.size.z / 2));
  return { rect, z0: z, z1: z + top, solid };
}

function tryPlace(space: RoomSpace, piece: Piece, near?: Piece): boolean {
  const taken = takenBy(piece);
  const front = frontOf(piece);
  const ok = piece.fixedTo === "wall" ? space.fitsOnWall(taken) : space.fits(taken, front, near?.rect);
  if (ok) space.place(taken, front);
  return ok;
}

/**
 * Pieces side by side along one wall, from a corner on, around doors and windows; the wall with the most pieces wins.
 */
function placeRun(space: RoomSpace, categories: readonly string[], random: Random): Piece[] {
  let best: Piece[] = [];
  for (const side of random.shuffle(SIDES)) {
    for (const fromStart of random.shuffle([true, false])) {
      const run = draftRun(space, categories, side, fromStart, random);
      if (run.length > best.length) best = run;
    }
  }
  // Each fits alone; the floor may not take all of them together.
  return best.filter((piece) => tryPlace(space, piece));
}

function draftRun(
  space: RoomSpace,
  categories: readonly string[],
  side: Side,
  fromStart: boolean,
  random: Random,
): Piece[] {
  const { inner } = space;
  const length = side === "north" || side === "south" ? inner.x1 - inner.x0 : inner.y1 - inner.y0;
  const pieces: Piece[] = [];
  let at = 0.03;
  for (const category of categories) {
    const specimen = drawSpecimen(modelOf(category), random, length < 4);
    const width = specimen.look.size.y;
    for (let from = at; from + width <= length - 0.03; from += 0.1) {
      const low = fromStart ? from : length - from - width;
      const piece = againstWall(space, specimen, side, (low - 0.02) / (length - width - 0.04));
      if (!space.fits(takenBy(piece), frontOf(piece))) continue;
      pieces.push(piece);
      at = from + width + 0.021;
      break;
    }
  }
  return pieces;
}

/** Chairs tucked a hand's breadth under a table; stools likewise. */
function placeAround(
  space: RoomSpace,
  table: Piece,
  category: string,
  wanted: number,
  random: Random,
): Piece[] {
  const { x: depth, y: width } = table.specimen.look.size;
  const specimen = drawSpecimen(modelOf(category), random);
  const chair = specimen.look.size;
  const tuck = category === "stool" ? 0.05 : 0.15;
  const far = width / 2 - 0.34;
  const along = width >= 1.75 ? [-far, 0, far] : [-Math.max(far, 0.26), Math.max(far, 0.26)];
  const reachX = depth / 2 - tuck + chair.x / 2;
  const reachY = width / 2 - tuck + chair.x / 2;
  const seats = [
    ...along.map((y) => ({ x: reachX, y, step: 2 * QUARTER })),
    ...along.map((y) => ({ x: -reachX, y, step: 0 })),
    { x: 0, y: reachY, step: 3 * QUARTER },
    { x: 0, y: -reachY, step: QUARTER },
  ];
  const c = cosOfStep(table.step);
  const s = sinOfStep(table.step);
  const found: Piece[] = [];
  for (const seat of seats) {
    if (found.length >= wanted) break;
    const piece = standing(
      specimen,
      mm(table.x + seat.x * c - seat.y * s),
      mm(table.y + seat.x * s + seat.y * c),
      (table.step + seat.step) % 24,
    );
    if (!found.some((other) => overlap(other.rect, piece.rect)) && tryPlace(space, piece, table))
      found.push(piece);
  }
  return found;
}
