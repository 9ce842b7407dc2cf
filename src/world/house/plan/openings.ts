import type { Random } from "../../../geometry/index.ts";
import type { Opening, RoomType } from "../types.ts";
import type { Cell, Layout } from "./layout.ts";
import { grow, mm, overlap, type Rect } from "./rect.ts";

/** A room with its id, as the openings need it. */
export interface Site extends Cell {
  readonly id: string;
  readonly floorZM: number;
}

export const LEAF_M = 0.82;
export const LEAF_THICK_M = 0.04;
export const DOOR_WIDTH_M = 0.9;
export const DOOR_HEIGHT_M = 2.05;
const CORNER_M = 0.17;

/** A stretch of wall between two rooms, or between a room and the outside. */
interface Stretch {
  readonly a: Site;
  readonly b: Site | null;
  readonly along: "x" | "y";
  /** Coordinate across the wall. */
  readonly at: number;
  readonly from: number;
  readonly to: number;
}

type Draft = Omit<Opening, "id">;

/**
 * Doors on a spanning tree with a few loops, one entrance, and windows: every room is reachable. Undefined if this
 * draw left no place for one of them; another draw will.
 */
export function cutOpenings(layout: Layout, sites: readonly Site[], random: Random): Opening[] | undefined {
  const drafts: Draft[] = [];
  const stretches = innerStretches(sites, layout);
  for (const { stretch, extra } of doorPlan(sites, stretches, random)) {
    const draft = cutDoor(stretch, drafts, sites, random);
    if (draft !== undefined) drafts.push(draft);
    else if (!extra) return undefined;
  }
  const outer = outerStretches(sites, layout);
  const entrance = cutEntrance(outer, drafts, random);
  if (entrance === undefined) return undefined;
  drafts.push(entrance);
  drafts.push(...cutWindows(outer, drafts, random));
  const counts = new Map<string, number>();
  return drafts.map((draft) => {
    const number = (counts.get(draft.kind) ?? 0) + 1;
    counts.set(draft.kind, number);
    return { ...draft, id: `${draft.kind}-opening-${number}` };
  });
}

/** The floor that a leaf sweeps, in the room it opens to. */
export function swingRect(opening: Draft): Rect | undefined {
  const { hinge, swing, along, centre, widthM } = opening;
  if (hinge === undefined || swing === undefined) return undefined;
  const half = widthM / 2;
  return along === "x"
    ? {
        x0: centre.x - half,
        x1: centre.x + half,
        y0: Math.min(centre.y, centre.y + swing * (LEAF_M + 0.1)),
        y1: Math.max(centre.y, centre.y + swing * (LEAF_M + 0.1)),
      }
    : {
        y0: centre.y - half,
        y1: centre.y + half,
        x0: Math.min(centre.x, centre.x + swing * (LEAF_M + 0.1)),
        x1: Math.max(centre.x, centre.x + swing * (LEAF_M + 0.1)),
      };
}

/** Floor on both sides of a doorway that nothing may stand on. */
export function passageRect(opening: Draft, depthM = 0.75): Rect {
  const { along, centre, widthM } = opening;
  const half = widthM / 2 + 0.02;
  return along === "x"
    ? { x0: centre.x - half, x1: centre.x + half, y0: centre.y - depthM, y1: centre.y + depthM }
    : { x0: centre.x - depthM, x1: centre.x + depthM, y0: centre.y - half, y1: centre.y + half };
}

function innerStretches(sites: readonly Site[], { flight }: Layout): Stretch[] {
  const found: Stretch[] = [];
  for (const a of sites) {
    for (const b of sites) {
      if (a === b || a.floor !== b.floor) continue;
      if (a.x1 === b.x0)
        found.push({ a, b, along: "y", at: a.x1, from: Math.max(a.y0, b.y0), to: Math.min(a.y1, b.y1) });
      if (a.y1 === b.y0)
        found.push({ a, b, along: "x", at: a.y1, from: Math.max(a.x0, b.x0), to: Math.min(a.x1, b.x1) });
    }
  }
  return found
    .flatMap((stretch) => (flight === undefined ? [stretch] : awayFrom(stretch, flight)))
    .filter((s) => s.to - s.from >= DOOR_WIDTH_M + 2 * CORNER_M);
}

/** A door beside the stairs would open onto steps: only the stretches before and behind the flight remain. */
function awayFrom(stretch: Stretch, flight: Rect): Stretch[] {
  const near = grow(flight, 0.3);
  const [low, high, from, to] =
    stretch.along === "x" ? [near.y0, near.y1, near.x0, near.x1] : [near.x0, near.x1, near.y0, near.y1];
  if (stretch.at < low || stretch.at > high || stretch.to <= from || stretch.from >= to) return [stretch];
  return [
    { ...stretch, to: from },
    { ...stretch, from: to },
  ].filter((s) => s.to > s.from);
}

function outerStretches(sites: readonly Site[], { outer }: Layout): Stretch[] {
  const all = sites.flatMap((a): Stretch[] => [
    ...(a.y0 === outer.y0 ? [{ a, b: null, along: "x" as const, at: a.y0, from: a.x0, to: a.x1 }] : []),
    ...(a.y1 === outer.y1 ? [{ a, b: null, along: "x" as const, at: a.y1, from: a.x0, to: a.x1 }] : []),
    ...(a.x0 === outer.x0 ? [{ a, b: null, along: "y" as const, at: a.x0, from: a.y0, to: a.y1 }] : []),
    ...(a.x1 === outer.x1 ? [{ a, b: null, along: "y" as const, at: a.x1, from: a.y0, to: a.y1 }] : []),
  ]);
  return all;
}

/** Kruskal over walls, cheapest first: hallways open to everything, bathrooms are never passages. */
function doorPlan(
  sites: readonly Site[],
  stretches: readonly Stretch[],
  random: Random,
): { stretch: Stretch; extra: boolean }[] {
  const priced = stretches.map((stretch) => ({
    stretch,
    cost: doorCost(stretch.a.type, stretch.b!.type) + random.next() * 0.5,
  }));
  priced.sort((p, q) => p.cost - q.cost);
  const groupOf = new Map(sites.map((site) => [site.id, site.id]));
  const plan: { stretch: Stretch; extra: boolean }[] = [];
  const linked = new Set<string>();
  for (const { stretch } of priced) {
    const { a, b } = stretch;
    const from = groupOf.get(a.id)!;
    const to = groupOf.get(b!.id)!;
    const pair = `${a.id}/${b!.id}`;
    if (from !== to) {
      for (const [id, group] of groupOf) if (group === from) groupOf.set(id, to);
      plan.push({ stretch, extra: false });
      linked.add(pair);
    } else if (!linked.has(pair) && random.chance(loopChance(a.type, b!.type))) {
      plan.push({ stretch, extra: true });
      linked.add(pair);
    }
  }
  return plan;
}

const SOCIAL = new Set<RoomType>(["kitchen", "living room", "dining room"]);

function doorCost(a: RoomType, b: RoomType): number {
  const pair = new Set([a, b]);
  if (pair.has("hallway")) return 1;
  if (SOCIAL.has(a) && SOCIAL.has(b)) return 2;
  if (pair.has("bathroom")) return pair.has("bedroom") ? 4 : 9;
  if (pair.has("living room")) return 3;
  if (pair.has("garage")) return pair.has("laundry") || pair.has("kitchen") ? 3 : 8;
  return 6;
}

function loopChance(a: RoomType, b: RoomType): number {
  if (SOCIAL.has(a) && SOCIAL.has(b)) return 0.8;
  const pair = new Set([a, b]);
  if (pair.has("bathroom")) return pair.has("bedroom") ? 0.3 : 0;
  return pair.has("hallway") ? 0 : 0.06;
}

/** A place on the stretch where the doorway is clear of other leaves; an arch where no leaf can swing. */
function cutDoor(
  stretch: Stretch,
  others: readonly Draft[],
  sites: readonly Site[],
  random: Random,
): Draft | undefined {
  const { a, b, along, at, from, to } = stretch;
  const room = (side: -1 | 1): Site => (side === -1 ? a : b!);
  const open =
    [a.type, b!.type].every((type) => SOCIAL.has(type) || type === "hallway") && random.chance(0.5);
  const taken = others.filter((o) => o.centre.z === a.floorZM);
  for (let attempt = 0; attempt < 30; attempt++) {
    const wide = open && attempt < 15 && to - from > 2.4 ? mm(random.range(1.2, 1.6)) : DOOR_WIDTH_M;
    const half = wide / 2 + CORNER_M;
    if (to - from < 2 * half) continue;
    const u = mm(random.range(from + half, to - half));
    const centre = { x: along === "x" ? u : at, y: along === "x" ? at : u, z: a.floorZM };
    const arch: Draft = {
      kind: "arch",
      rooms: [a.id, b!.id],
      floor: a.floor,
      along,
      centre,
      widthM: wide,
      heightM: DOOR_HEIGHT_M,
    };
    if (taken.some((o) => overlap(passageRect(arch), passageRect(o)) || blocks(o, arch))) continue;
    if (open) return arch;
    // Leaves open into rooms rather than into the hallway.
    const sides: (-1 | 1)[] =
      a.type === "hallway" ? [1] : b!.type === "hallway" ? [-1] : random.shuffle([-1, 1]);
    for (const swing of sides) {
      for (const hinge of nearCorner(u, from, to)) {
        const door: Draft = { ...arch, kind: "door", hinge, swing };
        const sweep = swingRect(door)!;
        const clear = taken.every(
          (o) => !overlap(sweep, passageRect(o)) && !blocks(o, door) && !sweepsMeet(o, sweep),
        );
        if (clear && sites.includes(room(swing))) return door;
      }
    }
    if (attempt >= 20) return arch;
  }
  return undefined;
}

/** The hinge nearer to a corner first: the leaf then stands along the side wall. */
function nearCorner(u: number, from: number, to: number): (-1 | 1)[] {
  return u - from < to - u ? [-1, 1] : [1, -1];
}

function blocks(leafed: Draft, other: Draft): boolean {
  const sweep = swingRect(leafed);
  return sweep !== undefined && overlap(sweep, passageRect(other));
}

function sweepsMeet(other: Draft, sweep: Rect): boolean {
  const theirs = swingRect(other);
  return theirs !== undefined && overlap(sweep, theirs);
}

function cutEntrance(outer: readonly Stretch[], others: readonly Draft[], random: Random): Draft | undefined {
  const ground = outer.filter((s) => s.a.floor === 0 && s.to - s.from >= 1.35);
  const order = ["hallway", "living room", "kitchen", "dining room"];
  const rank = (s: Stretch): number => (order.includes(s.a.type) ? order.indexOf(s.a.type) : 9);
  const sorted = random.shuffle(ground).sort((p, q) => rank(p) - rank(q));
  for (const { a, along, at, from, to } of sorted) {
    for (let attempt = 0; attempt < 8; attempt++) {
      const u = mm(random.range(from + 0.66, to - 0.66));
      const centre = { x: along === "x" ? u : at, y: along === "x" ? at : u, z: a.floorZM };
      const draft: Draft = {
        kind: "entrance",
        rooms: [a.id, null],
        floor: 0,
        along,
        centre,
        widthM: 0.98,
        heightM: DOOR_HEIGHT_M,
      };
      const near = passageRect(draft, 0.9);
      if (others.every((o) => o.floor !== 0 || (!overlap(near, passageRect(o)) && !blocks(o, draft))))
        return draft;
    }
  }
  return undefined;
}

function cutWindows(outer: readonly Stretch[], others: readonly Draft[], random: Random): Draft[] {
  const drafts: Draft[] = [];
  for (const { a, along, at, from, to } of outer) {
    const length = to - from;
    if (a.type === "garage" || length < 1.5) continue;
    const small = a.type === "bathroom" || a.type === "laundry";
    const count = small || length < 5 ? 1 : 2;
    for (let i = 0; i < count; i++) {
      const widthM = small ? 0.6 : mm(random.range(1, Math.min(1.6, length / count - 0.7)));
      const middle = from + (length * (i + 0.5)) / count;
      const slack = length / count / 2 - widthM / 2 - 0.3;
      const u = mm(middle + random.range(-slack, slack) * 0.6);
      const z = mm(a.floorZM + (small ? 1.4 : 0.9));
      const centre = { x: along === "x" ? u : at, y: along === "x" ? at : u, z };
      const draft: Draft = {
        kind: "window",
        rooms: [a.id, null],
        floor: a.floor,
        along,
        centre,
        widthM,
        heightM: small ? 0.6 : 1.2,
      };
      const clash = others.some(
        (o) =>
          o.floor === a.floor &&
          o.kind === "entrance" &&
          overlap(grow(passageRect(o), 0.15), passageRect(draft, 0.2)),
      );
      if (!clash) drafts.push(draft);
    }
  }
  return drafts;
}
