import type { Intrinsics, Transform } from "../../geometry/index.ts";
import { toMatrix } from "../../geometry/index.ts";
import type { CompiledScene } from "./compiled-scene.ts";
import { Illumination } from "./illumination.ts";
import { RayCaster } from "./ray-caster.ts";
import { Surface } from "./surface.ts";
import { skyColour } from "./texture.ts";
import { TILE_PX, TileCaster } from "./tile-caster.ts";

/** The far limit; 16 bits of millimetres end a little later. */
export const FAR_M = 60;

/** One picture with what the simulator knows about it, row by row from the top left. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Three bytes a pixel. */
  readonly rgb: Uint8Array;
  /** Along the optical axis in millimetres, 0 for none. */
  readonly depthMm: Uint16Array;
  /** Instance number, 0 for none. */
  readonly instances: Uint16Array;
}

/** An empty picture of the camera's size. */
export function blankPicture(width: number, height: number): Picture {
  const pixels = width * height;
  return {
    width,
    height,
    rgb: new Uint8Array(pixels * 3),
    depthMm: new Uint16Array(pixels),
    instances: new Uint16Array(pixels),
  };
}

/**
 * Casts one ray through the middle of every pixel, tile by tile, and shades the hit. Light is computed once per 2×2
 * pixels if all four see the same face, else for each. A picture depends on the scene and the camera only: not on the
 * worker, nor on earlier pictures.
 */
export class Renderer {
  readonly #caster: TileCaster;
  readonly #surface: Surface;
  readonly #light: Illumination;
  readonly #scene: CompiledScene;
  /** Per pixel of a quad: direction, distance, solid, face, colour, normal and point. */
  readonly #quad = new Float64Array(4 * QUAD_STRIDE);

  constructor(scene: CompiledScene) {
    this.#scene = scene;
    this.#caster = new TileCaster(scene);
    this.#surface = new Surface(scene);
    this.#light = new Illumination(scene, new RayCaster(scene));
  }

  /** A whole picture. */
  render(intrinsics: Intrinsics, worldFromCamera: Transform): Picture {
    const picture = blankPicture(intrinsics.width, intrinsics.height);
    const view = toMatrix(worldFromCamera.q);
    const { width, height } = intrinsics;
    this.#caster.aim(intrinsics, worldFromCamera, FAR_M);
    for (let top = 0; top < height; top += TILE_PX) {
      for (let left = 0; left < width; left += TILE_PX) {
        this.#caster.cast(left, top);
        for (let j = 0; j < TILE_PX; j += 2) {
          for (let i = 0; i < TILE_PX; i += 2) {
            this.#shadeQuad(picture, intrinsics, worldFromCamera, view, left + i, top + j);
          }
        }
      }
    }
    return picture;
  }

  #shadeQuad(
    picture: Picture,
    { fx, fy, cx, cy, width, height }: Intrinsics,
    { p }: Transform,
    m: readonly number[],
    i0: number,
    j0: number,
  ): void {
    const quad = this.#quad;
    const caster = this.#caster;
    const surface = this.#surface;
    const pixelAtOneM = 1 / fx;
    let together = true;
    for (let n = 0; n < 4; n++) {
      const i = i0 + (n & 1);
      const j = j0 + (n >> 1);
      const at = n * QUAD_STRIDE;
      if (i >= width || j >= height) {
        quad[at + SOLID] = -1;
        together = false;
        continue;
      }
      const x = (i + 0.5 - cx) / fx;
      const y = (j + 0.5 - cy) / fy;
      const dx = m[0]! * x + m[1]! * y + m[2]!;
      const dy = m[3]! * x + m[4]! * y + m[5]!;
      const dz = m[6]! * x + m[7]! * y + m[8]!;
      const pixel = j * width + i;
      const inTile = (j & (TILE_PX - 1)) * TILE_PX + (i & (TILE_PX - 1));
      const solid = caster.solids[inTile]!;
      if (solid < 0) {
        quad[at + SOLID] = -1;
        together = false;
        this.#sky(picture, pixel, dz / Math.sqrt(dx * dx + dy * dy + dz * dz));
        continue;
      }
      const depth = 1 / caster.nearness[inTile]!;
      picture.depthMm[pixel] = Math.floor(depth * 1000 + 0.5);
      picture.instances[pixel] = this.#scene.things[solid]!;
      quad[at + X] = p.x + dx * depth;
      quad[at + Y] = p.y + dy * depth;
      quad[at + Z] = p.z + dz * depth;
      surface.look(solid, quad[at + X]!, quad[at + Y]!, quad[at + Z]!, dx, dy, dz, depth * pixelAtOneM);
      quad[at + SOLID] = solid;
      quad[at + FACE] = surface.face;
      quad[at + NX] = surface.nx;
      quad[at + NY] = surface.ny;
      quad[at + NZ] = surface.nz;
      quad[at + GLOW] = surface.glow;
      quad[at + GLOSS] = surface.gloss;
      quad[at + RED] = surface.rgb[0]!;
      quad[at + GREEN] = surface.rgb[1]!;
      quad[at + BLUE] = surface.rgb[2]!;
      quad[at + DX] = dx;
      quad[at + DY] = dy;
      quad[at + DZ] = dz;
      if (solid !== quad[SOLID] || surface.face !== quad[FACE]) together = false;
    }
    if (together) {
      const middle = (field: number) =>
        (quad[field]! +
          quad[QUAD_STRIDE + field]! +
          quad[2 * QUAD_STRIDE + field]! +
          quad[3 * QUAD_STRIDE + field]!) /
        4;
      this.#light.find(quad[SOLID]!, middle(X), middle(Y), middle(Z), quad[NX]!, quad[NY]!, quad[NZ]!);
    }
    for (let n = 0; n < 4; n++) {
      const at = n * QUAD_STRIDE;
      if (quad[at + SOLID]! < 0) continue;
      if (!together) {
        this.#light.find(
          quad[at + SOLID]!,
          quad[at + X]!,
          quad[at + Y]!,
          quad[at + Z]!,
          quad[at + NX]!,
          quad[at + NY]!,
          quad[at + NZ]!,
        );
      }
      this.#write(picture, ((j0 + (n >> 1)) * width + i0 + (n & 1)) * 3, at);
    }
  }

  #write(picture: Picture, out: number, at: number): void {
    const quad = this.#quad;
    const light = this.#light;
    light.fall(quad, at, X, NX, DX, quad[at + GLOSS]!);
    const glow = quad[at + GLOW]!;
    for (let k = 0; k < 3; k++) {
      // Colours are stored as displayed, and the gamma is a square root: light enters by its root, compressed at the
      // bright end.
      const amount = light.rgb[k]!;
      const lit = ((1.22 * Math.sqrt(amount)) / (1 + 0.27 * amount)) * (1 - glow) + 1.08 * glow;
      const value = quad[at + RED + k]! * lit + light.shine * 255;
      picture.rgb[out + k] = value >= 255 ? 255 : Math.floor(value + 0.5);
    }
  }

  #sky(picture: Picture, pixel: number, slope: number): void {
    const rgb = this.#surface.rgb;
    skyColour(slope, rgb);
    for (let k = 0; k < 3; k++) picture.rgb[pixel * 3 + k] = Math.floor(rgb[k]! + 0.5);
  }
}

const SOLID = 0;
const FACE = 1;
const X = 2;
const Y = 3;
const Z = 4;
const NX = 5;
const NY = 6;
const NZ = 7;
const GLOW = 8;
const RED = 9;
const GREEN = 10;
const BLUE = 11;
const GLOSS = 12;
const DX = 13;
const DY = 14;
const DZ = 15;
const QUAD_STRIDE = 16;
