import { glyphsOf, scaleOf, textWidth } from "./stroke-font.ts";

export interface TextStyle {
  /** Height of capitals. */
  readonly sizePx: number;
  readonly colour: string;
  readonly anchor?: "start" | "middle" | "end";
  /** Pen width as a share of the size; default 0.13. */
  readonly weight?: number;
  /** Extra units between letters. */
  readonly spacing?: number;
  /** An outline in this colour behind the letters, so that they are readable over lines. */
  readonly halo?: string;
}

export interface Paint {
  readonly fill?: string;
  readonly stroke?: string;
  readonly widthPx?: number;
  readonly dash?: string;
  readonly opacity?: number;
}

export interface PixelPoint {
  readonly x: number;
  readonly y: number;
}

/** An SVG document built element by element: no scripts, no external styles, no fonts. */
export class SvgCanvas {
  readonly #width: number;
  readonly #height: number;
  readonly #parts: string[] = [];
  readonly #glyphs = new Map<string, string>();
  #clips = 0;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#height = height;
  }

  path(data: string, paint: Paint): void {
    if (data !== "") this.#parts.push(`<path d="${data}"${attributes(paint)}/>`);
  }

  polygon(points: readonly PixelPoint[], paint: Paint): void {
    if (points.length > 1) this.path(`${pathOf(points)}Z`, paint);
  }

  line(points: readonly PixelPoint[], paint: Paint): void {
    if (points.length > 1) this.path(pathOf(points), { fill: "none", ...paint });
  }

  circle({ x, y }: PixelPoint, radiusPx: number, paint: Paint): void {
    this.#parts.push(`<circle cx="${px(x)}" cy="${px(y)}" r="${px(radiusPx)}"${attributes(paint)}/>`);
  }

  rect(left: number, top: number, width: number, height: number, paint: Paint, radiusPx = 0): void {
    const round = radiusPx > 0 ? ` rx="${px(radiusPx)}"` : "";
    this.#parts.push(
      `<rect x="${px(left)}" y="${px(top)}" width="${px(width)}" height="${px(height)}"${round}${attributes(paint)}/>`,
    );
  }

  /** Draws with everything outside the rectangle clipped. */
  clipped(left: number, top: number, width: number, height: number, draw: () => void): void {
    const id = `clip${++this.#clips}`;
    this.#parts.push(
      `<clipPath id="${id}"><rect x="${px(left)}" y="${px(top)}" width="${px(width)}" height="${px(height)}"/></clipPath>`,
      `<g clip-path="url(#${id})">`,
    );
    draw();
    this.#parts.push("</g>");
  }

  /** Draws text on a baseline. */
  text(text: string, { x, y }: PixelPoint, style: TextStyle): void {
    const { sizePx, colour, anchor = "start", weight = 0.13, spacing = 0, halo } = style;
    const width = textWidth(text, sizePx, spacing);
    const left = anchor === "start" ? x : anchor === "middle" ? x - width / 2 : x - width;
    let at = 0;
    const letters = glyphsOf(text)
      .map(({ key, advance, path }) => {
        this.#glyphs.set(key, path);
        const use = path === "" ? "" : `<use href="#${key}" x="${px(at)}"/>`;
        at += advance + spacing;
        return use;
      })
      .join("");
    const rim = halo ? `<g stroke="${halo}" stroke-width="${px(10 * weight + 4)}">${letters}</g>` : "";
    this.#parts.push(
      `<g aria-label="${escaped(text)}" transform="translate(${px(left)} ${px(y)}) scale(${round(scaleOf(sizePx), 3)})" fill="none" stroke="${colour}" stroke-width="${px(10 * weight)}" stroke-linecap="round" stroke-linejoin="round">${rim}${letters}</g>`,
    );
  }

  toString(title: string): string {
    const glyphs = [...this.#glyphs]
      .filter(([, path]) => path !== "")
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, path]) => `<path id="${key}" d="${path}"/>`)
      .join("");
    return [
      `<svg xmlns="http://www.w3.org/2000/svg" width="${this.#width}" height="${this.#height}" viewBox="0 0 ${this.#width} ${this.#height}" role="img">`,
      `<title>${escaped(title)}</title>`,
      `<defs>${glyphs}</defs>`,
      ...this.#parts,
      "</svg>\n",
    ].join("\n");
  }
}

function attributes({ fill, stroke, widthPx, dash, opacity }: Paint): string {
  return [
    fill === undefined ? ' fill="none"' : ` fill="${fill}"`,
    stroke === undefined
      ? ""
      : ` stroke="${stroke}" stroke-width="${px(widthPx ?? 1)}" stroke-linejoin="round" stroke-linecap="round"`,
    dash === undefined ? "" : ` stroke-dasharray="${dash}"`,
    opacity === undefined ? "" : ` opacity="${opacity}"`,
  ].join("");
}

export function pathOf(points: readonly PixelPoint[]): string {
  return points.map(({ x, y }, i) => `${i === 0 ? "M" : "L"}${px(x)} ${px(y)}`).join("");
}

/** A tenth of a pixel is finer than visible; shorter numbers make a smaller file. */
function px(value: number): number {
  return round(value, 1);
}

function round(value: number, digits: number): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor + 0;
}

function escaped(text: string): string {
  return text
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;")
    .replace(/\p{Cc}/gu, " ");
}
