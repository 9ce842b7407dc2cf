import type { RgbImage } from "../../schema/index.ts";
import type { FoundText } from "../text-reader.ts";
import { findLines, type LineBox } from "./find-lines.ts";
import type { Run } from "./runtime.ts";
import { type Spelled, spell } from "./spell.ts";
import { FINDER, SPELLER, straighten } from "./straighten.ts";

/** The line-finding network halves its picture five times. */
const MULTIPLE_PX = 32;
/** Small pictures are enlarged up to this factor, since letters of fewer than about ten pixels are not found. */
const MOST_ENLARGED = 3;
/** … as long as their longer side stays below this: time grows with the area. Very long ones are reduced. */
const ENLARGED_PX = 480;
const LONGEST_PX = 960;
/** The other network reads lines of this height; it was never trained on fewer than 320 columns. */
const LINE_PX = 48;
const LEAST_COLUMNS = 320;
const MOST_COLUMNS = 1_600;
/** Edges and grain are read as letters with low confidence. */
const MIN_SCORE = 0.8;
/** Above this confidence a line is not tried upside down. */
const SURE = 0.95;
const MIN_LETTERS = 3;

/** The two networks of PP-OCR: one finds lines of text, the other reads them. */
export class Paddle {
  readonly #find: Run;
  readonly #spell: Run;
  readonly #letters: readonly string[];

  constructor(find: Run, spellLine: Run, letters: readonly string[]) {
    this.#find = find;
    this.#spell = spellLine;
    this.#letters = letters;
  }

  async read(picture: RgbImage): Promise<FoundText[]> {
    const lines: FoundText[] = [];
    for (const box of await this.find(picture)) {
      const { text, score } = await this.spell(picture, box);
      if (score < MIN_SCORE || text.replace(/[^\p{L}\d]/gu, "").length < MIN_LETTERS) continue;
      lines.push({ text, bbox: levelBox(box, picture), score });
    }
    // In reading order: lines from top to bottom.
    return lines.sort((a, b) => a.bbox[1] - b.bbox[1] || a.bbox[0] - b.bbox[0]);
  }

  /** Lines of text, in pixels of the picture. */
  async find(picture: RgbImage): Promise<LineBox[]> {
    const { width, height } = picture;
    const longer = Math.max(width, height);
    const scale = Math.min(Math.max(1, Math.min(MOST_ENLARGED, ENLARGED_PX / longer)), LONGEST_PX / longer);
    const sideOf = (px: number) => MULTIPLE_PX * Math.max(1, Math.round((px * scale) / MULTIPLE_PX));
    const [w, h] = [sideOf(width), sideOf(height)];
    const whole = { x: width / 2, y: height / 2, length: width, height, angleRad: 0 };
    const { data } = await this.#find(straighten(picture, whole, { width: w, height: h }, FINDER));
    // Both sides are rounded to a multiple, so that their scales are nearly equal.
    const [sx, sy] = [width / w, height / h];
    return findLines({ width: w, height: h, data }).map((box) => ({
      ...box,
      x: box.x * sx,
      y: box.y * sy,
      length: box.length * Math.hypot(Math.cos(box.angleRad) * sx, Math.sin(box.angleRad) * sy),
      height: box.height * Math.hypot(Math.sin(box.angleRad) * sx, Math.cos(box.angleRad) * sy),
      angleRad: Math.atan2(Math.sin(box.angleRad) * sy, Math.cos(box.angleRad) * sx),
    }));
  }

  /** The text in a box; magazines on a table may lie upside down. */
  async spell(picture: RgbImage, box: LineBox): Promise<Spelled> {
    const level = await this.#spellLevel(picture, box);
    if (level.score >= SURE) return level;
    const turned = await this.#spellLevel(picture, { ...box, angleRad: box.angleRad + Math.PI });
    return turned.score > level.score ? turned : level;
  }

  async #spellLevel(picture: RgbImage, box: LineBox): Promise<Spelled> {
    const width = Math.min(MOST_COLUMNS, Math.max(1, Math.round((LINE_PX * box.length) / box.height)));
    const size = { width, height: LINE_PX, padded: Math.max(width, LEAST_COLUMNS) };
    const { data, dims } = await this.#spell(straighten(picture, box, size, SPELLER));
    return spell(data, dims[1]!, this.#letters);
  }
}

/** The axis-aligned box around a rotated one, within the picture. */
function levelBox(
  { x, y, length, height, angleRad }: LineBox,
  picture: { readonly width: number; readonly height: number },
): FoundText["bbox"] {
  const [c, s] = [Math.abs(Math.cos(angleRad)), Math.abs(Math.sin(angleRad))];
  const [across, down] = [(c * length + s * height) / 2, (s * length + c * height) / 2];
  return [
    Math.max(0, x - across),
    Math.max(0, y - down),
    Math.min(picture.width, x + across),
    Math.min(picture.height, y + down),
  ];
}
