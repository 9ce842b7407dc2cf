import { INK, PALETTE } from "./palette.ts";
import { textWidth } from "./stroke-font.ts";
import type { PixelPoint, SvgCanvas } from "./svg.ts";

export type Mark =
  | "wall"
  | "door"
  | "window"
  | "thing"
  | "small"
  | "gone"
  | "move"
  | "person"
  | "agent"
  | "free"
  | "occupied"
  | "none";

export interface LegendEntry {
  readonly mark: Mark;
  readonly text: string;
}

const SIZE_PX = 8;
const MARK_PX = 18;

/** One line of symbols and their meanings; what does not fit is cut off at the end. */
export function drawLegend(
  canvas: SvgCanvas,
  room: { readonly left: number; readonly right: number; readonly y: number },
  entries: readonly LegendEntry[],
): void {
  let x = room.left;
  for (const { mark, text } of entries) {
    const width = (mark === "none" ? 0 : MARK_PX + 7) + textWidth(text, SIZE_PX);
    if (x + width > room.right) break;
    drawMark(canvas, mark, { x, y: room.y - SIZE_PX / 2 });
    const textX = mark === "none" ? x : x + MARK_PX + 7;
    canvas.text(text, { x: textX, y: room.y }, { sizePx: SIZE_PX, colour: INK.quiet });
    x += width + 24;
  }
}

function drawMark(canvas: SvgCanvas, mark: Mark, { x, y }: PixelPoint): void {
  const end = x + MARK_PX;
  switch (mark) {
    case "wall":
      for (const [from, to] of [
        [x, x + MARK_PX * 0.3],
        [x + MARK_PX * 0.7, end],
      ] as const)
        canvas.rect(from, y - 3, to - from, 6, { fill: PALETTE.wall });
      break;
    case "door":
    case "window":
      canvas.rect(x, y - 3, MARK_PX, 6, { fill: PALETTE[mark], stroke: PALETTE.wall, widthPx: 0.8 });
      break;
    case "thing":
      canvas.rect(x, y - 5, MARK_PX, 10, { fill: PALETTE.thing, stroke: PALETTE.thingEdge });
      break;
    case "small":
      canvas.rect(x, y - 5, 10, 10, { fill: PALETTE.smallFill, stroke: PALETTE.small });
      canvas.circle({ x: x + MARK_PX - 2, y }, 2.6, { fill: PALETTE.small });
      break;
    case "gone":
      canvas.rect(x, y - 5, MARK_PX, 10, { stroke: PALETTE.gone, dash: "3 3", widthPx: 1.1 });
      break;
    case "move":
      canvas.line(
        [
          { x, y },
          { x: end, y },
        ],
        { stroke: PALETTE.move, widthPx: 1.8, dash: "6 4" },
      );
      canvas.line(
        [
          { x: end - 6, y: y - 4 },
          { x: end, y },
          { x: end - 6, y: y + 4 },
        ],
        { stroke: PALETTE.move, widthPx: 1.8 },
      );
      break;
    case "person":
    case "agent": {
      const colour = PALETTE[mark];
      canvas.line(
        [
          { x, y },
          { x: end, y },
        ],
        { stroke: colour, widthPx: 1.4, opacity: 0.55 },
      );
      canvas.circle({ x: end, y }, 3.4, { fill: colour });
      break;
    }
    case "free":
    case "occupied":
      canvas.rect(x, y - 5, MARK_PX, 10, { fill: PALETTE[mark], stroke: PALETTE.gone, widthPx: 0.6 });
      break;
    case "none":
      break;
  }
}

/** A bar of a round number of metres, at least 80 pixels long. */
export function drawScaleBar(canvas: SvgCanvas, { x, y }: PixelPoint, pixelsPerM: number): void {
  const metres = [0.5, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find((m) => m * pixelsPerM >= 80) ?? 1000;
  const width = metres * pixelsPerM;
  const half = width / 2;
  canvas.rect(x, y - 6, half, 5, { fill: INK.quiet, stroke: INK.quiet, widthPx: 0.8 });
  canvas.rect(x + half, y - 6, half, 5, { fill: PALETTE.paper, stroke: INK.quiet, widthPx: 0.8 });
  canvas.text("0", { x: x - 2, y: y - 11 }, { sizePx: 7, colour: INK.quiet });
  canvas.text(`${metres} m`, { x: x + width, y: y - 11 }, { sizePx: 7, colour: INK.quiet, anchor: "middle" });
}

export function drawNorth(canvas: SvgCanvas, { x, y }: PixelPoint): void {
  canvas.polygon(
    [
      { x, y: y - 12 },
      { x: x + 6, y: y + 10 },
      { x, y: y + 5 },
    ],
    { fill: INK.quiet },
  );
  canvas.polygon(
    [
      { x, y: y - 12 },
      { x: x - 6, y: y + 10 },
      { x, y: y + 5 },
    ],
    { fill: PALETTE.paper, stroke: INK.quiet, widthPx: 0.9 },
  );
  canvas.text("N", { x, y: y - 16 }, { sizePx: 8, colour: INK.quiet, anchor: "middle" });
}
