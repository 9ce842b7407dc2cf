import { type CompiledScene, LIGHT_STRIDE } from "./compiled-scene.ts";
import type { RayCaster } from "./ray-caster.ts";

/** Light that comes from everywhere, a little more from above; a third of what a lamp gives at one metre. */
const AMBIENT = 0.3;
/** What a lamp gives at no distance, falling to half at `HALF_M` and to nothing at its reach. */
const LAMP = 1.15;
const HALF_M = 2.4;
/** Less light than this is not worth a shadow ray. */
const NEGLIGIBLE = 0.03;
/** Lamps are solids and windows lie in walls: nothing this close to a light blocks it. */
const LIGHT_RADIUS_M = 0.3;
const OFFSET_M = 0.002;

/**
 * Which lights reach a point (`find`, by shadow rays) and how much light falls there (`fall`). Split so that
 * four neighbouring pixels can share the rays.
 */
export class Illumination {
  readonly rgb = new Float64Array(3);
  /** The mirrored part, to be added whatever the colour. */
  shine = 0;
  readonly #lights: Float64Array;
  readonly #caster: RayCaster;
  readonly #count: number;
  /** Lights whose reach meets the bounds of a solid, computed on first use: a house has forty. */
  readonly #nearby: (Int32Array | undefined)[] = [];
  readonly #bounds: Float64Array;
  readonly #reaching: Int32Array;
  readonly #lastBlocker: Int32Array;
  #found = 0;

  constructor(scene: CompiledScene, caster: RayCaster) {
    this.#lights = scene.lights;
    this.#caster = caster;
    this.#bounds = scene.bounds;
    this.#count = scene.lights.length / LIGHT_STRIDE;
    this.#reaching = new Int32Array(this.#count);
    this.#lastBlocker = new Int32Array(this.#count).fill(-1);
  }

  /** Lists the lights that are seen from a point on solid `s` with normal n. */
  find(s: number, x0: number, y0: number, z0: number, nx: number, ny: number, nz: number): void {
    const lights = this.#lights;
    const caster = this.#caster;
    const x = x0 + nx * OFFSET_M;
    const y = y0 + ny * OFFSET_M;
    const z = z0 + nz * OFFSET_M;
    this.#found = 0;
    const nearby = this.#nearby[s] ?? this.#listNearby(s);
    for (let n = 0; n < nearby.length; n++) {
      const i = nearby[n]!;
      const at = i * LIGHT_STRIDE;
      const lx = lights[at]! - x;
      const ly = lights[at + 1]! - y;
      const lz = lights[at + 2]! - z;
      const towards = nx * lx + ny * ly + nz * lz;
      if (towards <= 0) continue;
      const square = lx * lx + ly * ly + lz * lz;
      const reach = lights[at + 6]!;
      if (square >= reach * reach) continue;
      const distance = Math.sqrt(square);
      if (strength(square, distance, towards, reach) < NEGLIGIBLE) continue;
      const limit = 1 - LIGHT_RADIUS_M / distance;
      if (limit > 0) {
        const last = this.#lastBlocker[i]!;
        if (last >= 0 && caster.blockedBy(last, x, y, z, lx, ly, lz, limit)) continue;
        if (caster.blocked(x, y, z, lx, ly, lz, limit)) {
          this.#lastBlocker[i] = caster.solid;
          continue;
        }
      }
      this.#reaching[this.#found++] = i;
    }
  }

  #listNearby(s: number): Int32Array {
    const found: number[] = [];
    for (let i = 0; i < this.#count; i++) {
      let square = 0;
      for (let k = 0; k < 3; k++) {
        const at = this.#lights[i * LIGHT_STRIDE + k]!;
        const away = Math.max(this.#bounds[s * 6 + k]! - at, at - this.#bounds[s * 6 + 3 + k]!, 0);
        square += away * away;
      }
      const reach = this.#lights[i * LIGHT_STRIDE + 6]!;
      if (square < reach * reach) found.push(i);
    }
    const list = Int32Array.from(found);
    this.#nearby[s] = list;
    return list;
  }

  /** Sums the light of the last `find` at the point, normal and view direction that start at the given fields. */
  fall(fields: Float64Array, at: number, point: number, normal: number, view: number, gloss: number): void {
    const lights = this.#lights;
    const nx = fields[at + normal]!;
    const ny = fields[at + normal + 1]!;
    const nz = fields[at + normal + 2]!;
    const vx = fields[at + view]!;
    const vy = fields[at + view + 1]!;
    const vz = fields[at + view + 2]!;
    const viewLength = Math.sqrt(vx * vx + vy * vy + vz * vz);
    const facing = -(nx * vx + ny * vy + nz * vz) / viewLength;
    const ambient = AMBIENT * (0.78 + 0.22 * nz) + 0.08 * facing + 0.03 * nx;
    let red = ambient;
    let green = ambient;
    let blue = ambient * 1.03;
    let shine = 0;
    for (let k = 0; k < this.#found; k++) {
      const light = this.#reaching[k]! * LIGHT_STRIDE;
      const lx = lights[light]! - fields[at + point]!;
      const ly = lights[light + 1]! - fields[at + point + 1]!;
      const lz = lights[light + 2]! - fields[at + point + 2]!;
      const towards = nx * lx + ny * ly + nz * lz;
      if (towards <= 0) continue;
      const square = lx * lx + ly * ly + lz * lz;
      const distance = Math.sqrt(square);
      const amount = strength(square, distance, towards, lights[light + 6]!);
      red += amount * lights[light + 3]!;
      green += amount * lights[light + 4]!;
      blue += amount * lights[light + 5]!;
      if (gloss > 0) {
        // Blinn's half vector to a power of sixteen, by squaring.
        const hx = lx / distance - vx / viewLength;
        const hy = ly / distance - vy / viewLength;
        const hz = lz / distance - vz / viewLength;
        const half = (nx * hx + ny * hy + nz * hz) / Math.sqrt(hx * hx + hy * hy + hz * hz);
        const p2 = half * half;
        const p4 = p2 * p2;
        const p8 = p4 * p4;
        shine += gloss * p8 * p8 * 0.6;
      }
    }
    this.rgb[0] = red;
    this.rgb[1] = green;
    this.rgb[2] = blue;
    this.shine = shine;
  }
}

function strength(square: number, distance: number, towards: number, reach: number): number {
  const left = 1 - square / (reach * reach);
  if (left <= 0) return 0;
  // The sun: so far away that its light is the same everywhere.
  if (reach === Infinity) return LAMP * (towards / distance);
  return (LAMP * (towards / distance) * left * left) / (1 + square / (HALF_M * HALF_M));
}
