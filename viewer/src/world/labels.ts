import { type Camera, Vector3 } from "three";

/** A name at a place in the world. Higher `rank` is placed first; names without room are left out. */
export interface Label {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly rank: number;
  readonly style: "thing" | "lit" | "selected" | "ghost" | "room" | "walker";
  readonly colour?: string;
  readonly track?: string;
}

interface Placed {
  readonly label: Label;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface LabelColours {
  readonly ink: string;
  readonly paper: string;
  readonly accent: string;
  readonly select: string;
  readonly faint: string;
}

const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif";
const MOST = 280;
const MOST_STAMPS = 1_000;
/** From this rank on other positions are tried. */
const MATTERS = 30;
const point = new Vector3();

type Style = Label["style"];

function sizeOf(style: Style): number {
  return style === "thing" || style === "ghost" ? 11.5 : 13;
}

function setFont(pen: CanvasRenderingContext2D, style: Style): void {
  pen.font = `${style === "thing" || style === "ghost" ? 500 : 600} ${sizeOf(style)}px ${FONT}`;
  pen.letterSpacing = style === "room" ? "1.5px" : "0px";
}

/** Measured widths of texts: setting a font takes longer than all the rest of placing a name. */
const widths = new Map<string, number>();
const MOST_WIDTHS = 5_000;

function widthOf(pen: CanvasRenderingContext2D, style: Style, text: string): number {
  const key = `${style} ${text}`;
  let width = widths.get(key);
  if (width === undefined) {
    setFont(pen, style);
    width = pen.measureText(text).width;
    if (widths.size >= MOST_WIDTHS) widths.clear();
    widths.set(key, width);
  }
  return width;
}

/** Names over the map on their own canvas, placed greedily without overlap. */
export class Labels {
  readonly canvas = document.createElement("canvas");
  /** Drawn by the CPU: on machines without a graphics card, GPU drawing is the bottleneck. */
  readonly #pen = this.canvas.getContext("2d", { willReadFrequently: true })!;
  readonly #stamps = new Map<string, HTMLCanvasElement>();
  #placed: Placed[] = [];
  /** Elements over the map: no name is placed under them. */
  #covered: Omit<Placed, "label">[] = [];
  #ratio = 1;
  /** Most names. */
  #most = MOST;

  constructor() {
    this.canvas.className = "labels";
    this.canvas.setAttribute("aria-hidden", "true");
  }

  begin(width: number, height: number, ratio: number, most = MOST): void {
    this.#ratio = ratio;
    this.#most = most;
    if (
      this.canvas.width !== Math.round(width * ratio) ||
      this.canvas.height !== Math.round(height * ratio)
    ) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const pen = this.#pen;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    this.#placed = [];
    const isWhole = most === MOST;
    if (isWhole) this.#covered = coveredOf(this.canvas);
  }

  draw(
    labels: readonly Label[],
    camera: Camera,
    view: { left: number; top: number; width: number; height: number },
    colours: LabelColours,
  ): void {
    const pen = this.#pen;
    pen.save();
    pen.beginPath();
    pen.rect(view.left, view.top, view.width, view.height);
    pen.clip();
    const before = this.#placed.length;
    for (const label of labels.toSorted((a, b) => b.rank - a.rank).slice(0, 2 * this.#most)) {
      if (this.#placed.length - before >= this.#most) break;
      point.set(label.x, label.y, label.z).project(camera);
      if (point.z > 1 || Math.abs(point.x) > 1.02 || Math.abs(point.y) > 1.02) continue;
      const x = view.left + ((point.x + 1) / 2) * view.width;
      const y = view.top + ((1 - point.y) / 2) * view.height;
      this.#place(pen, label, { x, y }, view, colours);
    }
    pen.restore();
  }

  /** The thing whose name is under the pointer. */
  at(x: number, y: number): string | null {
    const found = this.#placed.find(
      ({ left, top, width, height }) => x >= left && x <= left + width && y >= top && y <= top + height,
    );
    return found?.label.track ?? null;
  }

  get texts(): string[] {
    return this.#placed.map(({ label }) => label.text);
  }

  #place(
    pen: CanvasRenderingContext2D,
    label: Label,
    { x, y }: { x: number; y: number },
    view: { left: number; width: number },
    colours: LabelColours,
  ): void {
    const { style } = label;
    const text = style === "room" ? label.text.toUpperCase() : label.text;
    const width = widthOf(pen, style, text) + (style === "room" ? 8 : 12);
    const height = sizeOf(style) + 8;
    const lift =
      style === "room" ? -height / 2 : style === "lit" || style === "selected" ? -height - 10 : -height - 3;
    // Above it; important names are also tried beside and below.
    const tries: [number, number][] = [[x - width / 2, y + lift]];
    if (label.rank >= MATTERS)
      tries.push(
        [x - width / 2, y + lift - height - 4],
        [x + 10, y - height / 2],
        [x - width - 10, y - height / 2],
        [x - width / 2, y + 8],
      );
    const place = tries.find(([left, top]) => {
      const isInside = left >= view.left && left + width <= view.left + view.width;
      const isFree = (other: Omit<Placed, "label">) => !overlaps({ left, top, width, height }, other);
      return isInside && this.#placed.every(isFree) && this.#covered.every(isFree);
    });
    if (place === undefined) return;
    const box = { left: Math.round(place[0]), top: Math.round(place[1]), width, height };
    this.#placed.push({ label, ...box });
    if (style === "lit" || style === "selected" || style === "ghost")
      leader(pen, style, box, { x, y }, colours);
    pen.drawImage(this.#stampOf(label, text, box, colours), box.left, box.top, width, height);
  }

  /** Names hardly ever change: each is rendered once and then copied. */
  #stampOf(
    label: Label,
    text: string,
    { width, height }: { width: number; height: number },
    colours: LabelColours,
  ): HTMLCanvasElement {
    const key = `${label.style} ${label.colour ?? ""} ${colours.ink} ${this.#ratio} ${text}`;
    let stamp = this.#stamps.get(key);
    if (stamp === undefined) {
      stamp = document.createElement("canvas");
      stamp.width = Math.ceil(width * this.#ratio);
      stamp.height = Math.ceil(height * this.#ratio);
      const pen = stamp.getContext("2d", { willReadFrequently: true })!;
      pen.scale(stamp.width / width, stamp.height / height);
      setFont(pen, label.style);
      paint(pen, label, text, { width, height }, colours);
      if (this.#stamps.size >= MOST_STAMPS) this.#stamps.clear();
      this.#stamps.set(key, stamp);
    }
    return stamp;
  }
}

function colourOf({ style, colour }: Pick<Label, "style" | "colour">, colours: LabelColours): string {
  if (style === "lit") return colours.accent;
  if (style === "selected") return colours.select;
  return style === "walker" ? (colour ?? colours.ink) : colours.paper;
}

/** A line from a displaced name to its thing. */
function leader(
  pen: CanvasRenderingContext2D,
  style: Label["style"],
  box: Omit<Placed, "label">,
  foot: { x: number; y: number },
  colours: LabelColours,
): void {
  pen.globalAlpha = style === "ghost" ? 0.75 : 1;
  pen.lineWidth = 1.5;
  pen.strokeStyle = colourOf({ style }, colours);
  pen.beginPath();
  pen.moveTo(foot.x, foot.y);
  pen.lineTo(
    Math.min(Math.max(foot.x, box.left + 4), box.left + box.width - 4),
    Math.min(Math.max(foot.y, box.top), box.top + box.height),
  );
  pen.stroke();
  pen.globalAlpha = 1;
}

function paint(
  pen: CanvasRenderingContext2D,
  label: Label,
  text: string,
  { width, height }: { width: number; height: number },
  colours: LabelColours,
): void {
  const { style } = label;
  const [x, y] = [width / 2, height / 2];
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  if (style === "room") {
    pen.globalAlpha = 0.62;
    pen.lineWidth = 4;
    pen.strokeStyle = colours.paper;
    pen.strokeText(text, x, y);
    pen.fillStyle = colours.ink;
    pen.fillText(text, x, y);
    return;
  }
  pen.beginPath();
  pen.roundRect(0, 0, width, height, 5);
  pen.globalAlpha = style === "lit" || style === "selected" ? 1 : style === "ghost" ? 0.75 : 0.86;
  pen.fillStyle = colourOf(label, colours);
  pen.fill();
  pen.globalAlpha = style === "ghost" ? 0.85 : 1;
  pen.fillStyle =
    style === "lit"
      ? "#1c1300"
      : style === "selected" || style === "walker"
        ? "#ffffff"
        : style === "ghost"
          ? colours.faint
          : colours.ink;
  pen.fillText(text, x, y + 0.5);
}

/** Cards and tools over the map, in canvas coordinates; measured only while nothing moves. */
function coveredOf(canvas: HTMLCanvasElement): Omit<Placed, "label">[] {
  const view = canvas.closest(".view");
  const { left, top } = canvas.getBoundingClientRect();
  return Array.from(view?.querySelectorAll(".card, .toolbar .group") ?? [], (over) => {
    const rect = over.getBoundingClientRect();
    return { left: rect.left - left, top: rect.top - top, width: rect.width, height: rect.height };
  });
}

function overlaps(a: Omit<Placed, "label">, b: Omit<Placed, "label">): boolean {
  const gap = 2;
  return (
    a.left < b.left + b.width + gap &&
    b.left < a.left + a.width + gap &&
    a.top < b.top + b.height + gap &&
    b.top < a.top + a.height + gap
  );
}
