import { effect } from "@preact/signals";
import { classColour, css } from "../data/colours.ts";
import { placeAt, type Row, showsAs } from "../data/rows.ts";
import * as store from "../data/store.ts";

/** Beyond this many things only the first are drawn: it is a sketch. */
const MOST_THINGS = 20_000;
/** Most things with a name. */
const MOST_NAMES = 40;
const MARGIN_PX = 48;
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";

interface Fit {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/**
 * A sketch of the memory from above: rooms, and things in their places. It is shown at once, while the 3D map is
 * loading, and it stays where the browser cannot draw one.
 */
export class Plan {
  readonly canvas = document.createElement("canvas");
  #fit: Fit = { scale: 1, x: 0, y: 0 };
  readonly #stop: (() => void)[] = [];

  constructor(host: HTMLElement) {
    this.canvas.className = "plan";
    host.append(this.canvas);
    this.#stop.push(effect(() => this.draw()));
    const resize = new ResizeObserver(() => this.draw());
    resize.observe(host);
    this.#stop.push(() => resize.disconnect());
  }

  dispose(): void {
    for (const stop of this.#stop) stop();
    this.canvas.remove();
  }

  /** The thing under a point of the page; for stacked ones, the smaller. */
  pick(clientX: number, clientY: number): Row | null {
    const rect = this.canvas.getBoundingClientRect();
    const { scale, x, y } = this.#fit;
    const [atX, atY] = [(clientX - rect.left - x) / scale, -(clientY - rect.top - y) / scale];
    const near = shownRows().filter((row) => {
      const place = placeAt(row, store.time.value);
      const reach = Math.max(row.size[0], row.size[1]) / 2 + 4 / scale;
      return Math.hypot(place.x - atX, place.y - atY) <= reach;
    });
    return near.toSorted((a, b) => area(a) - area(b))[0] ?? null;
  }

  draw(): void {
    const found = store.loaded.value;
    const { width, height } = this.canvas.parentElement!.getBoundingClientRect();
    const ratio = Math.min(devicePixelRatio, 2);
    [this.canvas.width, this.canvas.height] = [Math.round(width * ratio), Math.round(height * ratio)];
    const pen = this.canvas.getContext("2d", { willReadFrequently: true });
    void store.theme.value;
    if (pen === null || found === null || width === 0) return;
    pen.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const colour = (name: string) => style.getPropertyValue(`--${name}`);
    this.#fit = fitOf(found, width, height);
    const { scale, x, y } = this.#fit;
    pen.save();
    pen.transform(scale, 0, 0, -scale, x, y);
    rooms(pen, found, scale, colour);
    const rows = shownRows();
    for (const row of rows) box(pen, row, scale, colour);
    pen.restore();
    names(pen, found, rows, this.#fit, colour);
  }
}

function shownRows(): Row[] {
  const time = store.time.value;
  return (store.loaded.value?.rows ?? []).slice(0, MOST_THINGS).filter((row) => showsAs(row, time) !== null);
}

function area({ size }: Row): number {
  return size[0] * size[1];
}

function fitOf({ scene, rows }: store.Loaded, width: number, height: number): Fit {
  const corners = scene.regions.flatMap(({ outline }) => outline);
  const points = corners.length > 0 ? corners : rows.slice(0, MOST_THINGS);
  let [left, right, low, high] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of points) {
    [left, right] = [Math.min(left, x), Math.max(right, x)];
    [low, high] = [Math.min(low, y), Math.max(high, y)];
  }
  if (left > right) return { scale: 1, x: width / 2, y: height / 2 };
  const scale = Math.min(
    (width - 2 * MARGIN_PX) / Math.max(right - left, 2),
    (height - 2 * MARGIN_PX) / Math.max(high - low, 2),
  );
  return { scale, x: width / 2 - (scale * (left + right)) / 2, y: height / 2 + (scale * (low + high)) / 2 };
}

type ColourOf = (name: string) => string;

function rooms(
  pen: CanvasRenderingContext2D,
  { scene }: store.Loaded,
  scale: number,
  colour: ColourOf,
): void {
  for (const { outline, type, toUs } of scene.regions) {
    if (type !== "room" || toUs !== null) continue;
    pen.beginPath();
    for (const { x, y } of outline) pen.lineTo(x, y);
    pen.closePath();
    pen.fillStyle = colour("card");
    pen.fill();
    pen.lineWidth = 1.5 / scale;
    pen.strokeStyle = colour("soft");
    pen.stroke();
  }
}

function box(pen: CanvasRenderingContext2D, row: Row, scale: number, colour: ColourOf): void {
  const { x, y } = placeAt(row, store.time.value);
  const [wide, deep] = [Math.max(row.size[0], 4 / scale), Math.max(row.size[1], 4 / scale)];
  const isSelected = store.selected.value === row.track;
  const isMarked = isSelected || store.lit.value.has(row.track);
  pen.save();
  pen.translate(x, y);
  pen.rotate(row.yaw);
  pen.globalAlpha = isMarked ? 0.95 : showsAs(row, store.time.value) === "ghost" ? 0.15 : 0.6;
  pen.fillStyle = isSelected ? colour("select") : isMarked ? colour("lit") : css(classColour(row.category));
  pen.fillRect(-wide / 2, -deep / 2, wide, deep);
  pen.restore();
}

function names(
  pen: CanvasRenderingContext2D,
  { scene }: store.Loaded,
  rows: readonly Row[],
  { scale, x, y }: Fit,
  colour: ColourOf,
): void {
  const write = (text: string, atX: number, atY: number, font: string, ink: string) => {
    pen.font = font;
    pen.textAlign = "center";
    pen.lineWidth = 4;
    pen.strokeStyle = colour("card");
    pen.fillStyle = ink;
    pen.strokeText(text, x + scale * atX, y - scale * atY);
    pen.fillText(text, x + scale * atX, y - scale * atY);
  };
  const isMarked = ({ track }: Row) => store.selected.value === track || store.lit.value.has(track);
  const named = rows.toSorted((a, b) => Number(isMarked(b)) - Number(isMarked(a)) || area(b) - area(a));
  for (const row of named.slice(0, MOST_NAMES)) {
    const place = placeAt(row, store.time.value);
    const weight = isMarked(row) ? 600 : 400;
    write(row.category, place.x, place.y, `${weight} 11px ${FONT}`, colour(isMarked(row) ? "ink" : "soft"));
  }
  for (const { name, outline, type, toUs } of scene.regions) {
    if (type !== "room" || toUs !== null) continue;
    const middle = (axis: "x" | "y") =>
      outline.reduce((sum, corner) => sum + corner[axis], 0) / outline.length;
    write(name.toUpperCase(), middle("x"), middle("y"), `600 12px ${FONT}`, colour("ink"));
  }
}
