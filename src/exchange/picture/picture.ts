import type { Point2 } from "../../geometry/index.ts";
import { LociError } from "../../schema/core.ts";
import { drawFloor, type FloorView, type Layer, roomAreaM2 } from "./draw-floor.ts";
import type { Drawing } from "./drawing.ts";
import type { Rectangle } from "./labels.ts";
import { drawLegend, drawNorth, drawScaleBar, type LegendEntry } from "./legend.ts";
import { INK, PALETTE } from "./palette.ts";
import { SvgCanvas } from "./svg.ts";

const LAYERS: readonly Layer[] = ["ground", "rooms", "things", "gone", "moves", "people", "agents", "labels"];

export interface DrawOptions {
  /** Width of the whole picture; default 1600. The height follows from the content. */
  readonly widthPx?: number;
  /** Floor number from the lowest, 0; default: all of them, side by side. */
  readonly floor?: number;
  readonly layers?: readonly Layer[];
}

const MIN_WIDTH_PX = 320;
const MAX_WIDTH_PX = 8_192;
const MARGIN_PX = 36;
const GUTTER_PX = 28;
const HEAD_PX = 74;
const PANEL_HEAD_PX = 30;
const FOOT_PX = 64;
/** Margin around the content. */
const RIM_M = 0.5;
/** Greatest ratio of height to width: a long corridor is drawn smaller instead. */
const MAX_ASPECT = 1.25;
/** Panels side by side are easier to compare than stacked ones, which is worth this share of their size. */
const LARGE_ENOUGH = 0.85;

/**
 * Draws several drawings from above, side by side and to one scale: a memory, or a memory and the truth. North (+y)
 * is up. Pure: the same drawings and options give the same text.
 */
export function drawPicture(drawings: readonly Drawing[], options: DrawOptions = {}): string {
  const { widthPx = 1_600 } = options;
  if (!Number.isInteger(widthPx) || widthPx < MIN_WIDTH_PX || widthPx > MAX_WIDTH_PX) {
    throw new LociError(
      "invalid-input",
      `picture: expected a width of ${MIN_WIDTH_PX} to ${MAX_WIDTH_PX} pixels, got ${widthPx}`,
    );
  }
  const unknown = options.layers?.find((layer) => !LAYERS.includes(layer));
  if (unknown !== undefined || options.layers?.length === 0)
    throw new LociError(
      "invalid-input",
      `picture: expected layers (${LAYERS.join(", ")}), got ${unknown === undefined ? "none" : `"${unknown}"`}`,
    );
  const layers = new Set(options.layers ?? LAYERS);
  const panels = drawings.flatMap((drawing) => panelsOf(drawing, options.floor, drawings.length > 1));
  if (panels.length === 0) throw new LociError("invalid-input", "picture: there is no such floor");
  const extent = extentOf(panels);
  const layout = layoutOf(panels.length, widthPx, extent);
  const { panelWidth, panelHeight, pixelsPerM } = layout;
  const heightPx = Math.round(HEAD_PX + layout.rows * (PANEL_HEAD_PX + panelHeight) + FOOT_PX);
  const canvas = new SvgCanvas(widthPx, heightPx);
  canvas.rect(0, 0, widthPx, heightPx, { fill: PALETTE.paper });
  drawHead(canvas, drawings);
  let unnamed = 0;
  panels.forEach(({ drawing, floor, title }, n) => {
    const left = MARGIN_PX + (n % layout.columns) * (panelWidth + GUTTER_PX);
    const row = Math.floor(n / layout.columns);
    const top = HEAD_PX + PANEL_HEAD_PX + row * (PANEL_HEAD_PX + panelHeight);
    const box: Rectangle = { left, right: left + panelWidth, top, bottom: top + panelHeight };
    const view = viewOf(floor, box, pixelsPerM, extent);
    canvas.text(title, { x: left, y: top - 11 }, { sizePx: 9, colour: INK.quiet });
    canvas.rect(box.left, box.top, panelWidth, panelHeight, { fill: PALETTE.sheet }, 4);
    canvas.clipped(box.left, box.top, panelWidth, panelHeight, () => {
      unnamed += drawFloor(canvas, drawing, view, layers).unnamed;
    });
  });
  const footY = heightPx - FOOT_PX / 2 + 4;
  drawScaleBar(canvas, { x: MARGIN_PX, y: footY }, pixelsPerM);
  drawNorth(canvas, { x: widthPx - MARGIN_PX - 8, y: footY - 6 });
  drawLegend(
    canvas,
    { left: MARGIN_PX + 260, right: widthPx - MARGIN_PX - 50, y: footY },
    legendOf(drawings, layers, unnamed),
  );
  return canvas.toString(drawings.map(({ title }) => title).join(", "));
}

interface Layout {
  readonly columns: number;
  readonly rows: number;
  readonly panelWidth: number;
  readonly panelHeight: number;
  readonly pixelsPerM: number;
}

/** As many panels per row as keeps them nearly as large as possible. */
function layoutOf(panels: number, widthPx: number, extent: Extent): Layout {
  const layouts = Array.from({ length: panels }, (_, i): Layout => {
    const columns = i + 1;
    const rows = Math.ceil(panels / columns);
    const panelWidth = (widthPx - 2 * MARGIN_PX - GUTTER_PX * (columns - 1)) / columns;
    const mostHeight = (widthPx * MAX_ASPECT) / rows - PANEL_HEAD_PX;
    const pixelsPerM = Math.min(panelWidth / extent.widthM, mostHeight / extent.heightM);
    return { columns, rows, panelWidth, panelHeight: extent.heightM * pixelsPerM, pixelsPerM };
  });
  const largest = Math.max(...layouts.map(({ pixelsPerM }) => pixelsPerM));
  return layouts.findLast(({ pixelsPerM }) => pixelsPerM >= LARGE_ENOUGH * largest)!;
}

interface Panel {
  readonly drawing: Drawing;
  readonly floor: number;
  readonly title: string;
}

function panelsOf(drawing: Drawing, only: number | undefined, isOneOfSeveral: boolean): Panel[] {
  return drawing.floorsM
    .map((_, floor) => floor)
    .filter((floor) => only === undefined || floor === only)
    .map((floor) => {
      const areaM2 = roomAreaM2(drawing.rooms.filter((room) => room.floor === floor));
      const things = drawing.things.filter((thing) => thing.floor === floor && !thing.isGone).length;
      const names = [
        ...(isOneOfSeveral ? [drawing.title] : []),
        ...(drawing.floorsM.length > 1 ? [floor === 0 ? "ground floor" : `floor ${floor}`] : []),
      ];
      const facts = [`${things} things`, ...(areaM2 > 0 ? [`${areaM2.toFixed(0)} m2 of rooms`] : [])];
      return { drawing, floor, title: [...names, ...facts].join("  ·  ") };
    });
}

function drawHead(canvas: SvgCanvas, drawings: readonly Drawing[]): void {
  canvas.text(drawings[0]!.title, { x: MARGIN_PX, y: 44 }, { sizePx: 17, colour: INK.title, weight: 0.14 });
  const line = drawings.flatMap(({ subtitle }) => subtitle ?? []).join("   ");
  canvas.text(line, { x: MARGIN_PX, y: 68 }, { sizePx: 9, colour: INK.quiet });
}

interface Extent {
  readonly minX: number;
  readonly minY: number;
  readonly widthM: number;
  readonly heightM: number;
}

/** One extent for all panels, so that they can be compared. */
function extentOf(panels: readonly Panel[]): Extent {
  const points: Point2[] = panels.flatMap(({ drawing, floor }) => {
    const on = <T extends { readonly floor: number }>(list: readonly T[]) =>
      list.filter((one) => one.floor === floor);
    return [
      ...on(drawing.rooms).flatMap(({ ring }) => ring),
      ...on(drawing.things).flatMap(({ ring }) => ring),
      ...[...drawing.agents, ...drawing.people].flatMap(({ legs }) => on(legs).flatMap((leg) => leg.points)),
    ];
  });
  if (points.length === 0) return { minX: -2, minY: -2, widthM: 4, heightM: 4 };
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { x, y } of points) {
    minX = Math.min(minX, x);
    minY = Math.min(minY, y);
    maxX = Math.max(maxX, x);
    maxY = Math.max(maxY, y);
  }
  return {
    minX: minX - RIM_M,
    minY: minY - RIM_M,
    widthM: Math.max(2, maxX - minX + 2 * RIM_M),
    heightM: Math.max(2, maxY - minY + 2 * RIM_M),
  };
}

function viewOf(floor: number, box: Rectangle, pixelsPerM: number, extent: Extent): FloorView {
  const left = (box.left + box.right - extent.widthM * pixelsPerM) / 2;
  return {
    floor,
    box,
    pixelsPerM,
    toPixel: ({ x, y }) => ({
      x: left + (x - extent.minX) * pixelsPerM,
      y: box.bottom - (y - extent.minY) * pixelsPerM,
    }),
  };
}

function legendOf(drawings: readonly Drawing[], layers: ReadonlySet<Layer>, unnamed: number): LegendEntry[] {
  const any = (layer: Layer, has: (drawing: Drawing) => boolean) => layers.has(layer) && drawings.some(has);
  const shown: Readonly<Record<keyof typeof LEGEND, boolean>> = {
    wall: any("rooms", ({ rooms }) => rooms.length > 0),
    door: any("things", ({ things }) => things.some(({ name }) => name.endsWith("door"))),
    window: any("things", ({ things }) => things.some(({ name }) => name.endsWith("window"))),
    thing: any("things", ({ things }) => things.length > 0),
    small: any("things", ({ things }) => things.length > 0),
    gone: any("gone", ({ things }) => things.some(({ isGone }) => isGone)),
    move: any("moves", ({ moves }) => moves.length > 0),
    person: any("people", ({ people }) => people.length > 0),
    agent: any("agents", ({ agents }) => agents.length > 0),
    free: any("ground", ({ ground }) => ground.length > 0),
    occupied: any("ground", ({ ground }) => ground.length > 0),
  };
  const marks = (Object.keys(LEGEND) as (keyof typeof LEGEND)[]).filter((mark) => shown[mark]);
  const entries: LegendEntry[] = marks.map((mark) => ({ mark, text: LEGEND[mark] }));
  if (unnamed > 0) entries.push({ mark: "none", text: `${unnamed} names had no room` });
  return entries;
}

const LEGEND = {
  wall: "wall, doorway",
  door: "door",
  window: "window",
  thing: "thing",
  small: "small thing",
  gone: "gone",
  move: "moved",
  person: "person's way",
  agent: "agent's way",
  free: "free ground",
  occupied: "obstacle",
} as const;
