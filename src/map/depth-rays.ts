import { type Intrinsics, type Transform, toMatrix } from "../geometry/index.ts";
import type { DepthImage } from "../schema/core.ts";
import {
  BANDS,
  CELL_M,
  CLAMP,
  FLOOR_BAND,
  HEAD_BAND,
  HIT,
  HIT_BAND,
  heightStep,
  LOW_BAND,
  MISS,
  NO_BAND,
  PASS_BAND,
  STEPS_A_METRE,
  STRETCH_END,
  STRETCH_START,
  TILE_SHIFT,
  TOP_STEP,
  tableStep,
} from "./bands.ts";
import type { Layer } from "./layer.ts";
import { GRID, WAYS } from "./settings.ts";
import { cellIndex, cellOf, lookIndex, type Tile } from "./tiles.ts";

/** Most rays per frame: enough that neighbouring ones share cells, few enough for hundreds of frames a second. */
const MAX_RAYS = 4_800;
/** Beyond this depth noise is as wide as a wall, and drift wider. */
const RANGE_M = GRID.rangeM;
const RADIUS = Math.ceil(RANGE_M / CELL_M) + 2;
const WINDOW = 2 * RADIUS + 1;
/** The robot's own cells are free. */
const BODY_CELLS = Math.round(WAYS.radiusM / CELL_M);
const PASSED = 1;
const HIT_NEAR = 2;
const HIT_FAR = 2 * HIT_NEAR;

/** The depths of one frame as points of the submap, sampled to a bounded number; valid until the next `read`. */
export interface RayPoints {
  readonly count: number;
  /** x, y, z of each point in the submap. */
  readonly points: Float64Array;
  /** Pixel of each point: row · width + column. */
  readonly pixels: Int32Array;
  /** 1 for the rays that also free the cells they pass. */
  readonly frees: Uint8Array;
  /** 1 where a moving thing was hit: the way there is free, but the point is not part of a surface. */
  readonly moving: Uint8Array;
}

/** Whether a point belongs to a moving thing, by pixel and position. */
export type IsMoving = (u: number, v: number, x: number, y: number, z: number) => boolean;

/**
 * Turns depth images into evidence about cells. Each ray frees the cells it passes and fills the one where it ends.
 * In one frame every cell and band is judged once, however many rays met it (as in OctoMap, Hornung 2013): a hit
 * outweighs any number of rays that graze the same wall.
 */
export class DepthRays {
  readonly #points = new Float64Array(MAX_RAYS * 3);
  readonly #pixels = new Int32Array(MAX_RAYS);
  readonly #moving = new Uint8Array(MAX_RAYS);
  readonly #frees = new Uint8Array(MAX_RAYS);
  readonly #marks = new Uint8Array(WINDOW * WINDOW * BANDS);
  readonly #touched = new Int32Array(WINDOW * WINDOW * BANDS);
  #touchedCount = 0;

  /** Back-projects every n-th pixel; pixel centres lie at half numbers. */
  read(
    depth: DepthImage,
    intrinsics: Intrinsics,
    submapFromCamera: Transform,
    isMoving: IsMoving | undefined,
  ): RayPoints {
    const { width, height, data, unitM } = depth;
    // Depth may have another size than the colours that the intrinsics describe.
    const sx = intrinsics.width / width;
    const sy = intrinsics.height / height;
    const stride = Math.max(1, Math.ceil(Math.sqrt((width * height) / MAX_RAYS)));
    const m = toMatrix(submapFromCamera.q);
    const { x: px, y: py, z: pz } = submapFromCamera.p;
    const points = this.#points;
    let count = 0;
    for (let v = stride >> 1; v < height; v += stride) {
      const b = ((v + 0.5) * sy - intrinsics.cy) / intrinsics.fy;
      for (let u = stride >> 1; u < width && count < MAX_RAYS; u += stride) {
        const d = data[v * width + u]! * unitM;
        if (!(d > 0)) continue;
        const a = ((u + 0.5) * sx - intrinsics.cx) / intrinsics.fx;
        const x = px + d * (m[0] * a + m[1] * b + m[2]);
        const y = py + d * (m[3] * a + m[4] * b + m[5]);
        const z = pz + d * (m[6] * a + m[7] * b + m[8]);
        points[count * 3] = x;
        points[count * 3 + 1] = y;
        points[count * 3 + 2] = z;
        this.#pixels[count] = v * width + u;
        this.#frees[count] = ((u + v) / stride) & 1;
        this.#moving[count] = isMoving?.(u * sx, v * sy, x, y, z) ? 1 : 0;
        count++;
      }
    }
    return { count, points, pixels: this.#pixels, frees: this.#frees, moving: this.#moving };
  }

  /** Writes the evidence of one frame's rays into a layer whose floor is at `floorZ` in the submap. */
  integrate(rays: RayPoints, origin: Transform["p"], floorZ: number, layer: Layer, timeUs: number): void {
    const baseX = cellOf(origin.x) - RADIUS;
    const baseY = cellOf(origin.y) - RADIUS;
    const startX = origin.x / CELL_M - baseX;
    const startY = origin.y / CELL_M - baseY;
    const eye = origin.z - floorZ;
    const ceilingM = layer.ceilingM();
    this.#standHere();
    for (let i = 0; i < rays.count; i++) {
      let x = rays.points[i * 3]! - origin.x;
      let y = rays.points[i * 3 + 1]! - origin.y;
      let rise = rays.points[i * 3 + 2]! - origin.z;
      const away = Math.sqrt(x * x + y * y);
      const cut = away > RANGE_M ? RANGE_M / away : 1;
      if (cut < 1) {
        x *= cut;
        y *= cut;
        rise *= cut;
      }
      const endX = startX + x / CELL_M;
      const endY = startY + y / CELL_M;
      const heightM = eye + rise;
      if (cut === 1 && rays.moving[i] === 0) {
        if (heightM > 2) layer.countHigh(heightM);
        const band = heightM >= ceilingM ? NO_BAND : HIT_BAND[tableStep(heightStep(heightM))]!;
        if (band !== NO_BAND) this.#mark(endX | 0, endY | 0, band, away <= GRID.sureM ? HIT_NEAR : HIT_FAR);
      }
      // Neighbouring rays pass the same cells: every second one frees, in a chessboard pattern.
      if (rays.frees[i] === 1) this.#pass(startX, startY, endX, endY, eye, rise);
    }
    this.#apply(layer, baseX, baseY, timeUs);
  }

  #standHere(): void {
    for (let y = -BODY_CELLS; y <= BODY_CELLS; y++) {
      for (let x = -BODY_CELLS; x <= BODY_CELLS; x++) {
        if (x * x + y * y > BODY_CELLS * BODY_CELLS) continue;
        this.#mark(RADIUS + x, RADIUS + y, FLOOR_BAND, HIT_NEAR);
        for (let band = LOW_BAND; band < HEAD_BAND; band++) this.#mark(RADIUS + x, RADIUS + y, band, PASSED);
      }
    }
  }

  /** Walks the cells from the camera towards the end (Amanatides and Woo 1987), leaving out the last few. */
  #pass(startX: number, startY: number, endX: number, endY: number, eye: number, rise: number): void {
    const dx = endX - startX;
    const dy = endY - startY;
    const length = Math.sqrt(dx * dx + dy * dy);
    if (length <= GRID.marginCells) return;
    const until = 1 - GRID.marginCells / length;
    const x = startX | 0;
    const y = startY | 0;
    const stepX = dx > 0 ? BANDS : -BANDS;
    const stepY = dy > 0 ? BANDS * WINDOW : -BANDS * WINDOW;
    const deltaX = dx === 0 ? Infinity : Math.abs(1 / dx);
    const deltaY = dy === 0 ? Infinity : Math.abs(1 / dy);
    let nextX = dx === 0 ? Infinity : (dx > 0 ? x + 1 - startX : startX - x) * deltaX;
    let nextY = dy === 0 ? Infinity : (dy > 0 ? y + 1 - startY : startY - y) * deltaY;
    const marks = this.#marks;
    const touched = this.#touched;
    let count = this.#touchedCount;
    const first = heightStep(eye);
    const slope = (rise * STEPS_A_METRE) / 2;
    let index = (y * WINDOW + x) * BANDS;
    let t = 0;
    let band = NO_BAND;
    // A ray stays in one band for many cells: until twice the cell centre's coordinate exceeds this.
    let bandUntil = -Infinity;
    while (t < until) {
      const alongX = nextX < nextY;
      const leave = alongX ? nextX : nextY;
      if (t + leave >= bandUntil) {
        const step = first + slope * (t + leave);
        // Above the highest band there is no more evidence, and a rising ray does not come back.
        if (step >= TOP_STEP && slope > 0) break;
        const entry = tableStep(step);
        band = PASS_BAND[entry]!;
        bandUntil =
          slope === 0 ? Infinity : ((slope > 0 ? STRETCH_END : STRETCH_START)[entry]! - first) / slope;
      }
      if (band !== NO_BAND && marks[index + band] === 0) {
        marks[index + band] = PASSED;
        touched[count++] = index + band;
      }
      t = leave;
      if (alongX) {
        index += stepX;
        nextX += deltaX;
      } else {
        index += stepY;
        nextY += deltaY;
      }
    }
    this.#touchedCount = count;
  }

  #mark(x: number, y: number, band: number, mark: number): void {
    const index = (y * WINDOW + x) * BANDS + band;
    const before = this.#marks[index]!;
    if (before === 0) this.#touched[this.#touchedCount++] = index;
    this.#marks[index] = before | mark;
  }

  #apply(layer: Layer, baseX: number, baseY: number, timeUs: number): void {
    const stamp = layer.grid.stampOf(timeUs);
    let tile: Tile | undefined;
    let [tileX, tileY] = [Number.NaN, Number.NaN];
    for (let i = 0; i < this.#touchedCount; i++) {
      const index = this.#touched[i]!;
      const mark = this.#marks[index]!;
      this.#marks[index] = 0;
      const band = index % BANDS;
      const cell = (index - band) / BANDS;
      const cellX = baseX + (cell % WINDOW);
      const cellY = baseY + ((cell / WINDOW) | 0);
      if (cellX >> TILE_SHIFT !== tileX || cellY >> TILE_SHIFT !== tileY) {
        tileX = cellX >> TILE_SHIFT;
        tileY = cellY >> TILE_SHIFT;
        tile = layer.grid.open(tileX, tileY);
      }
      if (tile === undefined) continue;
      const change = mark & HIT_NEAR ? HIT : mark & HIT_FAR ? HIT / 2 : MISS;
      const at = cellIndex(cellX, cellY) * BANDS + band;
      const odds = tile.odds[at]! + change;
      tile.odds[at] = Math.max(-CLAMP, Math.min(CLAMP, odds));
      const look = lookIndex(cellX, cellY) * BANDS + band;
      if (stamp > tile.looked[look]!) tile.looked[look] = stamp;
    }
    this.#touchedCount = 0;
  }
}
