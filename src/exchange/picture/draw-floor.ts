import { type Point2, polygonArea, polygonContains } from "../../geometry/index.ts";
import { type Drawing, type DrawnRoom, type DrawnThing, GROUND } from "./drawing.ts";
import { type LabelWish, type PlacedLabel, placeLabels, type Rectangle } from "./labels.ts";
import { outlinesOf } from "./outline.ts";
import { INK, PALETTE, ROOM_TINTS } from "./palette.ts";
import { textWidth } from "./stroke-font.ts";
import { type Paint, type PixelPoint, pathOf, type SvgCanvas } from "./svg.ts";

export type Layer = "ground" | "rooms" | "things" | "gone" | "moves" | "people" | "agents" | "labels";

/** The floor's position in the image, and the scale from metres to pixels. */
export interface FloorView {
  readonly floor: number;
  readonly box: Rectangle;
  readonly pixelsPerM: number;
  toPixel(point: Point2): PixelPoint;
}

const ROOM_SIZE_PX = 9.5;
const THING_SIZE_PX = 7.8;
/** Things of one name closer together than this share a label. */
const GROUP_M = 0.9;
/** Drawn thickness of walls, that of thin ones. */
const WALL_M = 0.1;
const MAX_WALL_PX = 9;
const THICKEST_FIXTURE_M = 0.4;
const SMALL_PX = 9;
/** Small enough to be carried. */
const SMALL_M = 0.5;

/** Draws one floor of a drawing; returns how many names found no room. */
export function drawFloor(
  canvas: SvgCanvas,
  drawing: Drawing,
  view: FloorView,
  layers: ReadonlySet<Layer>,
): { unnamed: number } {
  const here = <T extends { readonly floor: number }>(list: readonly T[]) =>
    list.filter(({ floor }) => floor === view.floor);
  const rooms = here(drawing.rooms);
  const things = here(drawing.things).filter(({ isGone }) => !isGone || layers.has("gone"));
  const grounds = layers.has("ground") ? here(drawing.ground) : [];
  const drawGround = (value: number, fill: string) => {
    for (const ground of grounds) {
      const loops = outlinesOf(ground, value).map((loop) => `${pathOf(loop.map(view.toPixel))}Z`);
      canvas.path(loops.join(""), { fill });
    }
  };
  const drawRooms = (paint: (n: number) => Paint) => {
    if (!layers.has("rooms")) return;
    rooms.forEach(({ ring }, n) => {
      canvas.polygon(ring.map(view.toPixel), paint(n));
    });
  };
  drawGround(GROUND.free, PALETTE.free);
  drawGround(GROUND.lintel, PALETTE.free);
  drawRooms((n) => ({ fill: ROOM_TINTS[n % ROOM_TINTS.length]! }));
  drawGround(GROUND.occupied, PALETTE.occupied);
  drawGround(GROUND.wall, PALETTE.wallCell);
  const wallPx = Math.max(2, Math.min(MAX_WALL_PX, WALL_M * view.pixelsPerM));
  drawRooms(() => ({ stroke: PALETTE.wall, widthPx: wallPx }));
  if (layers.has("rooms")) {
    for (const { from, to } of here(drawing.openings))
      drawOpening(canvas, view.toPixel(from), view.toPixel(to), wallPx);
  }
  if (layers.has("things"))
    for (const thing of [...things].sort(largestFirst)) drawThing(canvas, view, thing);
  for (const [layer, paths, colour] of [
    ["agents", drawing.agents, PALETTE.agent],
    ["people", drawing.people, PALETTE.person],
  ] as const) {
    if (!layers.has(layer)) continue;
    for (const { legs } of paths) {
      for (const { points } of here(legs)) drawPath(canvas, points.map(view.toPixel), colour);
    }
  }
  if (layers.has("moves")) {
    for (const { from, to } of here(drawing.moves)) drawMove(canvas, view.toPixel(from), view.toPixel(to));
  }
  return layers.has("labels")
    ? drawLabels(canvas, view, rooms, layers.has("things") ? things : [])
    : { unnamed: 0 };
}

/** Draws large things first: what lies on a thing is smaller and must not be covered by it. */
function largestFirst(a: DrawnThing, b: DrawnThing): number {
  const area = ({ ring }: DrawnThing) => Math.abs(polygonArea({ points: ring }));
  return area(b) - area(a) || (a.name < b.name ? -1 : 1);
}

/** A gap in a wall with square ends. */
function drawOpening(canvas: SvgCanvas, from: PixelPoint, to: PixelPoint, wallPx: number): void {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  if (length === 0) return;
  const half = wallPx / 2 + 0.5;
  const [x, y] = [(-(to.y - from.y) / length) * half, ((to.x - from.x) / length) * half];
  const corner = (at: PixelPoint, side: number) => ({ x: at.x + side * x, y: at.y + side * y });
  canvas.polygon([corner(from, 1), corner(to, 1), corner(to, -1), corner(from, -1)], { fill: PALETTE.free });
}

/** Parts of the building are identified by their colour and need no name. */
function fixtureOf(name: string): "window" | "door" | undefined {
  if (/\bwindow$/.test(name)) return "window";
  return /\bdoor$/.test(name) ? "door" : undefined;
}

function drawThing(canvas: SvgCanvas, view: FloorView, thing: DrawnThing): void {
  const { name, ring, isGone, isOverhead } = thing;
  const points = ring.map(view.toPixel);
  const box = boundsOf(points);
  const size = Math.max(box.right - box.left, box.bottom - box.top);
  const centre = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
  if (isGone) {
    canvas.polygon(points, { stroke: PALETTE.gone, widthPx: 1.1, dash: "3 3" });
    return;
  }
  const fixture = fixtureOf(name);
  if (fixture !== undefined) {
    // A box far thicker than a wall was observed badly; it is drawn see-through.
    const thickM = Math.min(box.right - box.left, box.bottom - box.top) / view.pixelsPerM;
    const opacity = thickM > THICKEST_FIXTURE_M ? { opacity: 0.4 } : {};
    canvas.polygon(points, { fill: PALETTE[fixture], stroke: PALETTE.wall, widthPx: 0.8, ...opacity });
  } else if (isOverhead)
    canvas.circle(centre, size / 2, { stroke: PALETTE.thingEdge, widthPx: 1, dash: "2 2.5" });
  else if (size < SMALL_PX) canvas.circle(centre, Math.max(2.4, size / 2), { fill: PALETTE.small });
  else if (size < SMALL_M * view.pixelsPerM) {
    canvas.polygon(points, { fill: PALETTE.smallFill, stroke: PALETTE.small, widthPx: 1 });
  } else canvas.polygon(points, { fill: PALETTE.thing, stroke: PALETTE.thingEdge, widthPx: 1 });
}

function drawPath(canvas: SvgCanvas, points: readonly PixelPoint[], colour: string): void {
  canvas.line(points, { stroke: colour, widthPx: 1.4, opacity: 0.55 });
  const [first, last] = [points[0], points.at(-1)];
  if (first) canvas.circle(first, 2.6, { fill: PALETTE.paper, stroke: colour, widthPx: 1.4 });
  if (last) canvas.circle(last, 3.4, { fill: colour });
}

/** An arc from the old place to the new one, so that two moves between the same places stay distinct. */
function drawMove(canvas: SvgCanvas, from: PixelPoint, to: PixelPoint): void {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy);
  if (length < 4) return;
  const bend = { x: (from.x + to.x) / 2 - dy * 0.16, y: (from.y + to.y) / 2 + dx * 0.16 };
  const angle = Math.atan2(to.y - bend.y, to.x - bend.x);
  const wing = (turn: number) => ({
    x: to.x - 9 * Math.cos(angle + turn),
    y: to.y - 9 * Math.sin(angle + turn),
  });
  const paint = { stroke: PALETTE.move, widthPx: 1.8 };
  const data = `${pathOf([from])}Q${bend.x.toFixed(1)} ${bend.y.toFixed(1)} ${to.x.toFixed(1)} ${to.y.toFixed(1)}`;
  canvas.path(data, { ...paint, dash: "6 4" });
  canvas.line([wing(0.42), to, wing(-0.42)], paint);
  canvas.circle(from, 2.6, { fill: PALETTE.paper, ...paint });
}

function drawLabels(
  canvas: SvgCanvas,
  view: FloorView,
  rooms: readonly DrawnRoom[],
  things: readonly DrawnThing[],
): { unnamed: number } {
  const taken: Rectangle[] = [];
  const boxes = things.map(({ ring }) => boundsOf(ring.map(view.toPixel)));
  for (const room of rooms) {
    const text = room.name.toUpperCase();
    const width = textWidth(text, ROOM_SIZE_PX, 2);
    const at = roomLabelAt(room, view, width, [...boxes, ...taken]);
    canvas.text(
      text,
      { x: at.x, y: at.y + ROOM_SIZE_PX / 2 },
      {
        sizePx: ROOM_SIZE_PX,
        colour: INK.room,
        anchor: "middle",
        spacing: 2,
        halo: INK.halo,
      },
    );
    taken.push({
      left: at.x - width / 2 - 4,
      right: at.x + width / 2 + 4,
      top: at.y - ROOM_SIZE_PX / 2 - 4,
      bottom: at.y + ROOM_SIZE_PX / 2 + 4,
    });
  }
  const { placed, dropped } = placeLabels(wishesOf(things, boxes, view), view.box, taken);
  for (const label of placed) drawLabel(canvas, label);
  return { unnamed: dropped.length };
}

function drawLabel(canvas: SvgCanvas, { wish, at, leader }: PlacedLabel): void {
  if (leader) canvas.line(leader, { stroke: INK.leader, widthPx: 0.7 });
  canvas.text(wish.text, at, { sizePx: wish.sizePx, colour: INK.thing, anchor: "middle", halo: INK.halo });
}

/** One label request for each group of neighbours with the same name. */
function wishesOf(things: readonly DrawnThing[], boxes: readonly Rectangle[], view: FloorView): LabelWish[] {
  const groups: { name: string; count: number; box: Rectangle; areaPx: number }[] = [];
  const reachPx = GROUP_M * view.pixelsPerM;
  things.forEach(({ name, isGone }, i) => {
    if (fixtureOf(name) !== undefined && !isGone) return;
    const box = boxes[i]!;
    const title = isGone ? `${name} (gone)` : name;
    const near = groups.find((group) => group.name === title && gapPx(group.box, box) <= reachPx);
    const areaPx = (box.right - box.left) * (box.bottom - box.top);
    if (near) {
      near.count++;
      near.box = unionOf(near.box, box);
      near.areaPx = Math.max(near.areaPx, areaPx);
    } else groups.push({ name: title, count: 1, box, areaPx });
  });
  return groups.map(({ name, count, box, areaPx }) => ({
    text: count > 1 ? `${count} × ${name}` : name,
    sizePx: THING_SIZE_PX,
    target: box,
    importance: areaPx,
  }));
}

/** The point of a room farthest from its walls, its things and other names. */
function roomLabelAt(
  { ring }: DrawnRoom,
  view: FloorView,
  width: number,
  others: readonly Rectangle[],
): PixelPoint {
  const box = boundsOf(ring.map(view.toPixel));
  const polygon = { points: ring.map(view.toPixel) };
  const middle = { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 };
  let best = middle;
  let bestScore = -Infinity;
  const steps = 14;
  for (let j = 1; j < steps; j++) {
    for (let i = 1; i < steps; i++) {
      const at = {
        x: box.left + ((box.right - box.left) * i) / steps,
        y: box.top + ((box.bottom - box.top) * j) / steps,
      };
      const label = { left: at.x - width / 2, right: at.x + width / 2, top: at.y - 8, bottom: at.y + 8 };
      const corners = [
        { x: label.left, y: label.top },
        { x: label.right, y: label.top },
        { x: label.right, y: label.bottom },
        { x: label.left, y: label.bottom },
      ];
      const outside = corners.filter((corner) => !polygonContains(polygon, { ...corner, z: 0 })).length;
      const covered = others.reduce((sum, other) => sum + sharedPx(label, other), 0) / (width * 16);
      const off =
        Math.hypot(at.x - middle.x, at.y - middle.y) / Math.hypot(box.right - box.left, box.bottom - box.top);
      const score = -outside * 0.5 - covered - off * 0.4;
      if (score > bestScore) [best, bestScore] = [at, score];
    }
  }
  return best;
}

function boundsOf(points: readonly PixelPoint[]): Rectangle {
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

function unionOf(a: Rectangle, b: Rectangle): Rectangle {
  return {
    left: Math.min(a.left, b.left),
    right: Math.max(a.right, b.right),
    top: Math.min(a.top, b.top),
    bottom: Math.max(a.bottom, b.bottom),
  };
}

function gapPx(a: Rectangle, b: Rectangle): number {
  return Math.hypot(
    Math.max(0, a.left - b.right, b.left - a.right),
    Math.max(0, a.top - b.bottom, b.top - a.bottom),
  );
}

function sharedPx(a: Rectangle, b: Rectangle): number {
  const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return width > 0 && height > 0 ? width * height : 0;
}

/** Square metres of a floor's rooms, for the line under its name. */
export function roomAreaM2(rooms: readonly DrawnRoom[]): number {
  return rooms.reduce((sum, { ring }) => sum + Math.abs(polygonArea({ points: ring })), 0);
}
