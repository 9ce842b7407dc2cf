import type { Relation } from "../../../belief/relations.ts";
import { floorOf, type RoomView } from "../../../belief/room-names.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import type { Vec3 } from "../../../geometry/index.ts";
import { hangsOn, isKindOf, mobilityOf } from "../../../ontology/index.ts";
import type { Scope } from "../operator.ts";
import type { Value } from "../value.ts";
import type { Judge } from "./related.ts";

/** A thing against a wall, or in a corner, is no farther from it (m). */
const WALL_M = 0.35;
const CORNER_M = 0.9;
/** A thing this high above the floor without a support is fixed (m). */
const FIXED_M = 0.6;

const OUTLINE = /\b(walls?|corners?|floors?|ground)$/;

/**
 * Walls, corners and floors are not detected things but outlines of rooms: how well a thing stands at one. Undefined
 * where the anchor is something else, or where walls are things of this memory.
 */
export async function byOutline(
  anchor: Value,
  phrase: string,
  relation: Relation,
  { memory }: Scope,
): Promise<Judge | undefined> {
  if (anchor.kind !== "things" && anchor.kind !== "unknown") return undefined;
  const isKnown =
    anchor.kind === "things" && anchor.things.some(({ category, spot }) => spot || OUTLINE.test(category));
  const asked = isKnown ? undefined : OUTLINE.exec(phrase)?.[1];
  if (asked === undefined) return undefined;
  const rooms = new Map((await memory.house())?.map((room) => [room.id, room]));
  if (/^floor|^ground/.test(asked)) return relation === "on" ? byFloor(rooms) : undefined;
  return (thing) => {
    if (relation === "on" && asked.startsWith("wall") && !isFixed(thing)) return { score: 0, hint: 0 };
    const room = thing.roomId === undefined ? undefined : rooms.get(thing.roomId);
    const gap = room && gapTo(asked.startsWith("corner"), thing, room);
    if (gap === undefined) return { score: 0, hint: 0 };
    const most = asked.startsWith("corner") ? CORNER_M : WALL_M;
    return { score: gap > most ? 0 : 1 - 0.5 * (gap / most), hint: Math.exp(-gap) };
  };
}

/** What begins no higher above the floor of its room, and rests on nothing else, is on it. */
const ON_FLOOR_M = 0.15;
/** "What is on the floor?" means portable things; furniture only where there are none. */
const FURNITURE = 0.15;

function byFloor(rooms: ReadonlyMap<string, RoomView>): Judge {
  return ({ category, heldBy, box, roomId }) => {
    const room = roomId === undefined ? undefined : rooms.get(roomId);
    const hanging = hangsOn(category);
    if (
      !box ||
      !room ||
      heldBy ||
      hanging === "wall" ||
      hanging === "ceiling" ||
      isKindOf(category, "opening")
    )
      return { score: 0, hint: 0 };
    if (box.min.z - floorOf(room) > ON_FLOOR_M) return { score: 0, hint: 0 };
    const isLoose =
      ["carried", "movable"].includes(mobilityOf(category) ?? "") && !isKindOf(category, "furniture");
    return { score: isLoose ? 1 : FURNITURE, hint: 0 };
  };
}

/** Things on a wall hang there; those standing against it and the door in it do not count. */
function isFixed({ category, state, box }: KnownThing): boolean {
  if (isKindOf(category, "opening")) return false;
  const hanging = hangsOn(category);
  return hanging === "wall" || (hanging === undefined && !state.supportedBy && (box?.min.z ?? 0) > FIXED_M);
}

function gapTo(
  isCorner: boolean,
  { box }: KnownThing,
  { record: { hull = [] } }: RoomView,
): number | undefined {
  if (!box || hull.length < 3) return undefined;
  const corners = [
    { x: box.min.x, y: box.min.y },
    { x: box.max.x, y: box.min.y },
    { x: box.max.x, y: box.max.y },
    { x: box.min.x, y: box.max.y },
  ];
  let least = Infinity;
  for (const [n, a] of hull.entries()) {
    const b = hull[(n + 1) % hull.length]!;
    for (const p of corners)
      least = Math.min(least, isCorner ? Math.hypot(p.x - a.x, p.y - a.y) : toSegment(p, a, b));
  }
  return least;
}

function toSegment(p: { readonly x: number; readonly y: number }, a: Vec3, b: Vec3): number {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const along = ((p.x - a.x) * dx + (p.y - a.y) * dy) / Math.max(1e-9, dx * dx + dy * dy);
  const t = Math.min(1, Math.max(0, along));
  return Math.hypot(p.x - a.x - t * dx, p.y - a.y - t * dy);
}
