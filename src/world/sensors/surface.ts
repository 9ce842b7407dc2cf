import { BODY_STRIDE, BOX, type CompiledScene, CYLINDER } from "./compiled-scene.ts";
import { DECAL_STRIDE, PAINT_STRIDE, TEXTURES } from "./paint-table.ts";
import { bookColour, type Pattern, patternAt, pictureColour, screenColour, skyColour } from "./texture.ts";

const BOOKS = TEXTURES.indexOf("books");
const GLASS = TEXTURES.indexOf("glass");
const PICTURE = TEXTURES.indexOf("picture");
const SCREEN = TEXTURES.indexOf("screen");
const METAL = TEXTURES.indexOf("metal");
/** Letters fill this share of a face at most. */
const DECAL_FILL = 0.86;
/** A camera pixel averages the area that it covers: letters are sampled at this many places each way. */
const DECAL_SAMPLES = 4;
/** Faces are seen at a slant up to this: beyond it letters are a line. */
const LEAST_COSINE = 0.12;

/**
 * The surface under one pixel: which way it faces, and its colour before light falls on it. One object per
 * thread, overwritten by every `look`.
 */
export class Surface {
  nx = 0;
  ny = 0;
  nz = 0;
  /** 0…5 on a box (see paint-table), 6 on anything round. */
  face = 0;
  /** How much it shines by itself, 0…1. */
  glow = 0;
  /** How much it mirrors the lights, 0…1. */
  gloss = 0;
  readonly rgb = new Float64Array(3);
  readonly #scene: CompiledScene;
  readonly #pattern: Pattern = { accent: 0, brightness: 1 };
  #u = 0;
  #v = 0;
  #width = 1;
  #height = 1;

  constructor(scene: CompiledScene) {
    this.#scene = scene;
  }

  /** Surface of solid `s` at a point of the world, by a ray of direction d; a pixel covers `pixelM` metres there. */
  look(s: number, x: number, y: number, z: number, dx: number, dy: number, dz: number, pixelM: number): void {
    this.#orient(s, x, y, z);
    const { paints, paintOf } = this.#scene;
    const paint = paintOf[s]!;
    const at = paint * PAINT_STRIDE;
    const values = paints.values;
    const texture = paints.texture[paint]!;
    const rgb = this.rgb;
    this.glow = values[at + 7]!;
    this.gloss = texture === METAL ? 0.5 : texture === GLASS ? 0.6 : 0;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const flat = this.face < 4;
    if (texture === GLASS && this.glow > 0) {
      skyColour(dz / length, rgb);
    } else if (texture === BOOKS && flat) {
      bookColour(this.#u + this.#width / 2, this.#v + this.#height / 2, values[at + 6]!, this.#height, rgb);
    } else if (texture === PICTURE && flat) {
      pictureColour(this.#u / this.#width + 0.5, this.#v / this.#height + 0.5, values, at, rgb);
    } else if (texture === SCREEN && this.face < 5) {
      screenColour(this.#u / this.#width + 0.5, this.#v / this.#height + 0.5, values, at, rgb);
    } else {
      const period = values[at + 6]!;
      const cosine = Math.abs(this.nx * dx + this.ny * dy + this.nz * dz) / length;
      const footprint = pixelM / Math.max(cosine, LEAST_COSINE);
      const detail = period / (footprint * 2.5) - 0.4;
      const pattern = this.#pattern;
      patternAt(texture, this.#u, this.#v, period, detail < 0 ? 0 : Math.min(detail, 1), pattern);
      for (let k = 0; k < 3; k++) {
        const main = values[at + k]!;
        rgb[k] = (main + (values[at + 3 + k]! - main) * pattern.accent) * pattern.brightness;
      }
    }
    const decal = paints.decal[paint]!;
    if (decal >= 0) this.#letter(decal, dx, dy, dz, pixelM);
  }

  /** The outward normal, the face and the surface coordinates: u to the right and v up, as seen from in front. */
  #orient(s: number, x: number, y: number, z: number): void {
    const { bodies, shapes } = this.#scene;
    const at = s * BODY_STRIDE;
    const cos = bodies[at + 3]!;
    const sin = bodies[at + 4]!;
    const rx = x - bodies[at]!;
    const ry = y - bodies[at + 1]!;
    const lx = cos * rx + sin * ry;
    const ly = cos * ry - sin * rx;
    const lz = z - bodies[at + 2]!;
    const hx = bodies[at + 5]!;
    const hy = bodies[at + 6]!;
    const hz = bodies[at + 7]!;
    const shape = shapes[s]!;
    const outX = Math.abs(lx) - hx;
    const outY = Math.abs(ly) - hy;
    const outZ = Math.abs(lz) - hz;
    let nx = 0;
    let ny = 0;
    let nz = 0;
    if (
      shape === BOX ? outZ >= outX && outZ >= outY : shape === CYLINDER && capped(lx / hx, ly / hy, lz / hz)
    ) {
      nz = lz > 0 ? 1 : -1;
      this.face = shape === BOX ? (lz > 0 ? 4 : 5) : 6;
      this.#place(ly, -lx, 2 * hy, 2 * hx);
    } else if (shape === BOX) {
      if (outX >= outY) {
        nx = lx > 0 ? 1 : -1;
        this.face = lx > 0 ? 0 : 1;
        this.#place(ly * nx, lz, 2 * hy, 2 * hz);
      } else {
        ny = ly > 0 ? 1 : -1;
        this.face = ly > 0 ? 2 : 3;
        this.#place(-lx * ny, lz, 2 * hx, 2 * hz);
      }
    } else {
      nx = lx / (hx * hx);
      ny = ly / (hy * hy);
      nz = shape === CYLINDER ? 0 : lz / (hz * hz);
      const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
      nx /= length;
      ny /= length;
      nz /= length;
      this.face = 6;
      // The diamond angle: runs round the body like an angle, without an arctangent.
      const round = ly / (Math.abs(lx) + Math.abs(ly) + 1e-9);
      const turn = lx >= 0 ? round : ly >= 0 ? 2 - round : -2 - round;
      this.#place(turn * 1.5708 * hx, lz, 6.2832 * hx, 2 * hz);
    }
    this.nx = cos * nx - sin * ny;
    this.ny = sin * nx + cos * ny;
    this.nz = nz;
  }

  #place(u: number, v: number, width: number, height: number): void {
    this.#u = u;
    this.#v = v;
    this.#width = width;
    this.#height = height;
  }

  /** Puts the ink of a text over the colour, by how much of the pixel it covers. */
  #letter(decal: number, dx: number, dy: number, dz: number, pixelM: number): void {
    const { decalInfo, decalPixels } = this.#scene.paints;
    const at = decal * DECAL_STRIDE;
    const wanted = decalInfo[at]!;
    const round = this.face === 6 && wanted === 0;
    if (this.face !== wanted && !round) return;
    const columns = decalInfo[at + 1]!;
    const rows = decalInfo[at + 2]!;
    // On a round body the text goes round at most a third of it.
    const fitWidth = ((round ? this.#width / 3 : this.#width) * DECAL_FILL) / columns;
    const fitHeight = (this.#height * DECAL_FILL) / rows;
    const cell = Math.min(fitWidth, fitHeight);
    const column = this.#u / cell + columns / 2;
    const row = rows / 2 - this.#v / cell;
    const level = Math.sqrt(dx * dx + dy * dy);
    const length = Math.sqrt(level * level + dz * dz);
    // An upright face is seen at a slant to its sides, and from above or below; a level one from wherever.
    const isUpright = Math.abs(this.nz) < 0.5;
    const aside = isUpright ? Math.abs(this.nx * dx + this.ny * dy) / level : Math.abs(dz) / length;
    const wide = pixelM / cell / Math.max(aside, LEAST_COSINE);
    const high = pixelM / cell / Math.max((isUpright ? level : Math.abs(dz)) / length, LEAST_COSINE);
    if (column < -wide || row < -high || column > columns + wide || row > rows + high) return;
    let ink = 0;
    for (let n = 0; n < DECAL_SAMPLES ** 2; n++) {
      const x = Math.floor(column + wide * (((n % DECAL_SAMPLES) + 0.5) / DECAL_SAMPLES - 0.5));
      const y = Math.floor(row + high * ((Math.floor(n / DECAL_SAMPLES) + 0.5) / DECAL_SAMPLES - 0.5));
      if (x >= 0 && y >= 0 && x < columns && y < rows)
        ink += decalPixels[decalInfo[at + 3]! + y * columns + x]!;
    }
    ink /= DECAL_SAMPLES ** 2;
    const packed = decalInfo[at + 4]!;
    for (let k = 0; k < 3; k++) {
      const value = (packed >> (16 - 8 * k)) & 255;
      this.rgb[k]! += ink * (value - this.rgb[k]!);
    }
  }
}

/** Whether a point on a cylinder of unit radius and half height lies on a cap rather than on the side. */
function capped(x: number, y: number, z: number): boolean {
  return Math.abs(z) - 1 > x * x + y * y - 1 - 1e-9 && Math.abs(z) > 1 - 1e-6;
}
