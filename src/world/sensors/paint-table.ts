import type { Paint } from "../solid.ts";
import { textBitmap } from "./font.ts";

/** The order gives each texture its number in a compiled scene. */
export const TEXTURES = [
  "plain",
  "wood",
  "planks",
  "tiles",
  "carpet",
  "fabric",
  "brick",
  "stripes",
  "checker",
  "books",
  "metal",
  "glass",
  "picture",
  "leaves",
  "screen",
] as const satisfies readonly Paint["texture"][];

/** Faces in the numbering of `boxFace`: 0 +x front, 1 −x back, 2 +y left, 3 −y right, 4 +z top, 5 −z bottom. */
const FACES = { front: 0, back: 1, left: 2, right: 3, top: 4 } as const;

/** Numbers per paint: rgb, accent rgb, period, glow. */
export const PAINT_STRIDE = 8;
/** Numbers per decal in `decalInfo`: face, width, height, offset of its pixels, packed rgb. */
export const DECAL_STRIDE = 5;

/** Every different paint of a scene once, as flat arrays; decals are bitmaps drawn with the built-in font. */
export interface PaintTable {
  readonly values: Float64Array;
  readonly texture: Uint8Array;
  /** Index of the decal or −1. */
  readonly decal: Int32Array;
  readonly decalInfo: Int32Array;
  readonly decalPixels: Uint8Array;
}

/** Collects paints while a scene is compiled; equal paints get one number. */
export class PaintTableBuilder {
  readonly #numbers = new Map<Paint, number>();
  readonly #byContent = new Map<string, number>();
  readonly #paints: Paint[] = [];

  /** The number of a paint, by identity first because models share their paint objects. */
  number(paint: Paint): number {
    const known = this.#numbers.get(paint);
    if (known !== undefined) return known;
    const content = JSON.stringify(paint);
    let number = this.#byContent.get(content);
    if (number === undefined) {
      number = this.#paints.length;
      this.#paints.push(paint);
      this.#byContent.set(content, number);
    }
    this.#numbers.set(paint, number);
    return number;
  }

  build(): PaintTable {
    const count = this.#paints.length;
    const values = new Float64Array(count * PAINT_STRIDE);
    const texture = new Uint8Array(count);
    const decal = new Int32Array(count).fill(-1);
    const info: number[] = [];
    const bitmaps: Uint8Array[] = [];
    let offset = 0;
    this.#paints.forEach((paint, index) => {
      const accent = paint.accent ?? paint.rgb.map((channel) => channel * 0.72);
      values.set(
        [...paint.rgb, ...accent, Math.max(paint.periodM, 0.01), paint.glow ?? 0],
        index * PAINT_STRIDE,
      );
      texture[index] = TEXTURES.indexOf(paint.texture);
      if (!paint.decal?.text) return;
      const bitmap = textBitmap(paint.decal.text);
      const [r, g, b] = paint.decal.rgb;
      decal[index] = info.length / DECAL_STRIDE;
      info.push(FACES[paint.decal.face], bitmap.width, bitmap.height, offset, (r << 16) | (g << 8) | b);
      bitmaps.push(bitmap.pixels);
      offset += bitmap.pixels.length;
    });
    const decalPixels = new Uint8Array(offset);
    let at = 0;
    for (const bitmap of bitmaps) {
      decalPixels.set(bitmap, at);
      at += bitmap.length;
    }
    return { values, texture, decal, decalInfo: Int32Array.from(info), decalPixels };
  }
}
