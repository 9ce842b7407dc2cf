import { type Camera, Vector3 } from "three";

/** A name at a place in the world. Higher `rank` is placed first; what finds no room is left out. */
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
const MOST = 140;
/** From this rank on a name is worth a second try elsewhere. */
const MATTERS = 30;
const point = new Vector3();

/** Names over the map on a canvas of their own, laid greedily so that no two overlap. */
export class Labels {
  readonly canvas = document.createElement("canvas");
  #placed: Placed[] = [];

  constructor() {
    this.canvas.className = "labels";
    this.canvas.setAttribute("aria-hidden", "true");
  }

  begin(width: number, height: number, ratio: number): void {
    if (
      this.canvas.width !== Math.round(width * ratio) ||
      this.canvas.height !== Math.round(height * ratio)
    ) {
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
    }
    const pen = this.canvas.getContext("2d")!;
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, width, height);
    this.#placed = [];
  }

  draw(
    labels: readonly Label[],
    camera: Camera,
    view: { left: number; top: number; width: number; height: number },
    colours: LabelColours,
  ): void {
    const pen = this.canvas.getContext("2d")!;
    pen.save();
    pen.beginPath();
    pen.rect(view.left, view.top, view.width, view.height);
    pen.clip();
    for (const label of labels.toSorted((a, b) => b.rank - a.rank).slice(0, 4 * MOST)) {
      if (this.#placed.length >= 2 * MOST) break;
      point.set(label.x, label.y, label.z).project(camera);
      if (point.z > 1 || Math.abs(point.x) > 1.02 || Math.abs(point.y) > 1.02) continue;
      const x = view.left + ((point.x + 1) / 2) * view.width;
      const y = view.top + ((1 - point.y) / 2) * view.height;
      this.#place(pen, label, { x, y }, view, colours);
    }
    pen.restore();
  }

  /** The thing whose name lies under the pointer. */
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
    const size = style === "room" ? 13 : style === "thing" || style === "ghost" ? 11.5 : 13;
    pen.font = `${style === "room" ? 600 : style === "lit" || style === "selected" || style === "walker" ? 600 : 500} ${size}px ${FONT}`;
    const text = style === "room" ? label.text.toUpperCase() : label.text;
    pen.letterSpacing = style === "room" ? "1.5px" : "0px";
    const padding = style === "room" ? 4 : 6;
    const width = pen.measureText(text).width + 2 * padding;
    const height = size + 8;
    const lift =
      style === "room" ? -height / 2 : style === "lit" || style === "selected" ? -height - 10 : -height - 3;
    // Above it; what matters is also tried beside and below.
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
      return isInside && !this.#placed.some((other) => overlaps({ left, top, width, height }, other));
    });
    if (place === undefined) return;
    const box = { left: place[0], top: place[1], width, height };
    this.#placed.push({ label, ...box });
    paint(pen, label, text, box, { x, y }, colours);
  }
}

function paint(
  pen: CanvasRenderingContext2D,
  { style, colour }: Label,
  text: string,
  box: { left: number; top: number; width: number; height: number },
  foot: { x: number; y: number },
  colours: LabelColours,
): void {
  const middle = box.left + box.width / 2;
  const strong = style === "lit" || style === "selected";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  if (style === "room") {
    pen.globalAlpha = 0.62;
    pen.lineWidth = 4;
    pen.strokeStyle = colours.paper;
    pen.strokeText(text, middle, box.top + box.height / 2);
    pen.fillStyle = colours.ink;
    pen.fillText(text, middle, box.top + box.height / 2);
    pen.globalAlpha = 1;
    return;
  }
  pen.beginPath();
  pen.roundRect(box.left, box.top, box.width, box.height, 5);
  pen.globalAlpha = strong ? 1 : style === "ghost" ? 0.75 : 0.86;
  pen.fillStyle =
    style === "lit"
      ? colours.accent
      : style === "selected"
        ? colours.select
        : style === "walker"
          ? (colour ?? colours.ink)
          : colours.paper;
  pen.fill();
  if (strong || style === "ghost") {
    pen.lineWidth = 1.5;
    pen.strokeStyle = pen.fillStyle;
    pen.beginPath();
    pen.moveTo(foot.x, foot.y);
    pen.lineTo(
      Math.min(Math.max(foot.x, box.left + 4), box.left + box.width - 4),
      Math.min(Math.max(foot.y, box.top), box.top + box.height),
    );
    pen.stroke();
  }
  pen.globalAlpha = style === "ghost" ? 0.85 : 1;
  pen.fillStyle =
    style === "lit"
      ? "#1c1300"
      : style === "selected" || style === "walker"
        ? "#ffffff"
        : style === "ghost"
          ? colours.faint
          : colours.ink;
  pen.fillText(text, middle, box.top + box.height / 2 + 0.5);
  pen.globalAlpha = 1;
}

function overlaps(a: Omit<Placed, "label">, b: Placed): boolean {
  const gap = 2;
  return (
    a.left < b.left + b.width + gap &&
    b.left < a.left + a.width + gap &&
    a.top < b.top + b.height + gap &&
    b.top < a.top + a.height + gap
  );
}
