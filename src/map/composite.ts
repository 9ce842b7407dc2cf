import { type Transform, transformDelta, yawOf } from "../geometry/index.ts";
import { BANDS, CELL_M, CLAMP, LOOK, TILE, TILE_SHIFT } from "./bands.ts";
import { Layer } from "./layer.ts";
import { FLOORS, GRID } from "./settings.ts";
import type { LayerBounds, Submap } from "./submap.ts";
import { cellIndex, cellOf, lookIndex, type Tile, TileGrid, tileKey } from "./tiles.ts";

/** Whether two poses of a submap are equal to within a cell. */
export function isStill(a: Transform, b: Transform): boolean {
  const { translationM, rotationRad } = transformDelta(a, b);
  return translationM <= GRID.stillM && rotationRad <= GRID.stillRad;
}

/** One floor of the world: the combined knowledge of all submaps. */
export interface Storey {
  readonly index: number;
  /** The mean of its layers, weighted by the frames taken there; they agree within half a metre. */
  readonly floorZ: number;
  readonly grid: TileGrid;
  /** Counts changes, so that derived data can detect that it is stale. */
  version: number;
}

interface Ground extends Storey {
  floorZ: number;
  /** Resting submaps only; `grid` adds the live ones on top. */
  readonly base: TileGrid;
  readonly dirty: Map<number, readonly [number, number]>;
  live: readonly (readonly [number, number])[];
}

/** A submap and its pose when it was composed. */
export interface Placed {
  readonly submap: Submap;
  readonly transform: Transform;
}

/**
 * The map in the world, composed from the submaps at the current revision. Resting submaps are composed once, and
 * again tile by tile only when a correction moved them; the few live submaps are added at each refresh. Newer submaps
 * take precedence: existing evidence counts half (a door that was opened since).
 */
export class Composite {
  readonly #grounds: Ground[] = [];
  readonly #resting = new Map<string, Placed>();

  storeys(): readonly Storey[] {
    return this.#grounds;
  }

  /** The resting submaps, their poses, and the composed storeys. */
  atRest(): { readonly placed: readonly Placed[]; readonly storeys: readonly Layer[] } {
    return {
      placed: [...this.#resting.values()],
      storeys: this.#grounds.map(({ floorZ, base }) => new Layer(floorZ, base)),
    };
  }

  /** Submaps composed earlier; call it on an empty composite only. */
  adopt(placed: readonly Placed[], storeys: readonly Layer[]): void {
    for (const one of placed) this.#resting.set(one.submap.frame, one);
    for (const { floorZ, grid } of storeys) {
      const ground = newGround(this.#grounds.length, floorZ, grid.epochUs);
      this.#grounds.push(ground);
      for (const tile of grid.tiles()) {
        ground.base.put(tile);
        ground.dirty.set(tileKey(tile.tx, tile.ty), [tile.tx, tile.ty]);
      }
    }
  }

  /** Adds a resting submap on top of the older ones. */
  rest(submap: Submap): void {
    this.#resting.set(submap.frame, { submap, transform: submap.worldFromSubmap });
    const layers = submap.layers();
    for (const [i, bounds] of submap.bounds().entries()) {
      const layer = layers[i]!;
      const ground = this.#groundOf(layer.floorZ, submap.worldFromSubmap, layer.grid.epochUs);
      for (const [tx, ty] of tilesUnder(bounds, submap.worldFromSubmap)) {
        layDown(ground.base, tx, ty, layer, submap.worldFromSubmap);
        ground.dirty.set(tileKey(tx, ty), [tx, ty]);
      }
    }
  }

  /** Removes a submap that is live again, so that its live version can be added on top. */
  take(submap: Submap): void {
    const placed = this.#resting.get(submap.frame);
    if (placed === undefined) return;
    this.#resting.delete(submap.frame);
    this.#relay(this.#footprint(placed.submap, placed.transform));
  }

  /** Composes again whatever a correction moved. */
  correct(): boolean {
    const moved = [...this.#resting.values()].filter(
      ({ submap, transform }) => !isStill(transform, submap.worldFromSubmap),
    );
    if (moved.length === 0) return false;
    const stale = moved.map(({ submap, transform }) => {
      this.#resting.set(submap.frame, { submap, transform: submap.worldFromSubmap });
      return [this.#footprint(submap, transform), this.#footprint(submap, submap.worldFromSubmap)];
    });
    this.#relay(new Map(stale.flat().flatMap((each) => [...each])));
    return true;
  }

  /** Updates `grid` of every storey with the live submaps. */
  refresh(live: readonly Submap[]): void {
    const layers = [...live]
      .sort(byAge)
      .flatMap((submap) => {
        const bounds = submap.bounds();
        return submap.layers().map((layer, i) => ({ submap, layer, bounds: bounds[i]! }));
      })
      .map(({ submap, layer, bounds }) => {
        const transform = submap.worldFromSubmap;
        const ground = this.#groundOf(layer.floorZ, transform, layer.grid.epochUs);
        return { layer, transform, ground, tiles: tilesUnder(bounds, transform) };
      });
    this.#level(live);
    for (const ground of this.#grounds) {
      const here = layers.filter((each) => each.ground === ground);
      for (const [tx, ty] of ground.live) ground.dirty.set(tileKey(tx, ty), [tx, ty]);
      ground.live = here.flatMap(({ tiles }) => tiles);
      for (const [tx, ty] of ground.live) ground.dirty.set(tileKey(tx, ty), [tx, ty]);
      if (ground.dirty.size === 0) continue;
      ground.version++;
      for (const [tx, ty] of ground.dirty.values()) {
        ground.grid.delete(tx, ty);
        const below = ground.base.at(tx, ty);
        if (below !== undefined)
          ground.grid.put({ tx, ty, odds: below.odds.slice(), looked: below.looked.slice() });
      }
      for (const { layer, transform, tiles } of here)
        for (const [tx, ty] of tiles) layDown(ground.grid, tx, ty, layer, transform);
      ground.dirty.clear();
    }
  }

  #level(live: readonly Submap[]): void {
    const sums = new Map<Ground, { z: number; frames: number }>();
    const placed = live.map((submap) => ({ submap, transform: submap.worldFromSubmap }));
    for (const { submap, transform } of [...this.#resting.values(), ...placed]) {
      for (const { floorZ, frames } of submap.bounds()) {
        const ground = this.#groundOf(floorZ, transform, submap.firstUs);
        const sum = sums.get(ground) ?? { z: 0, frames: 0 };
        sums.set(ground, { z: sum.z + (transform.p.z + floorZ) * frames, frames: sum.frames + frames });
      }
    }
    for (const [ground, { z, frames }] of sums) if (frames > 0) ground.floorZ = z / frames;
  }

  #groundOf(floorZ: number, worldFromSubmap: Transform, epochUs: number): Ground {
    const z = worldFromSubmap.p.z + floorZ;
    let nearest: Ground | undefined;
    for (const ground of this.#grounds) {
      const apart = Math.abs(ground.floorZ - z);
      if (apart <= FLOORS.sameStoreyM && apart < Math.abs((nearest?.floorZ ?? Infinity) - z))
        nearest = ground;
    }
    if (nearest !== undefined) return nearest;
    const ground = newGround(this.#grounds.length, z, epochUs);
    this.#grounds.push(ground);
    return ground;
  }

  #footprint(submap: Submap, transform: Transform): Map<string, readonly [Ground, number, number]> {
    const found = new Map<string, readonly [Ground, number, number]>();
    for (const bounds of submap.bounds()) {
      const ground = this.#groundOf(bounds.floorZ, transform, submap.firstUs);
      for (const [tx, ty] of tilesUnder(bounds, transform))
        found.set(`${ground.index}/${tileKey(tx, ty)}`, [ground, tx, ty]);
    }
    return found;
  }

  #relay(stale: ReadonlyMap<string, readonly [Ground, number, number]>): void {
    for (const [ground, tx, ty] of stale.values()) {
      ground.base.delete(tx, ty);
      ground.dirty.set(tileKey(tx, ty), [tx, ty]);
    }
    for (const { submap, transform } of [...this.#resting.values()].sort((a, b) =>
      byAge(a.submap, b.submap),
    )) {
      let layers: Layer[] | undefined;
      for (const [i, bounds] of submap.bounds().entries()) {
        const ground = this.#groundOf(bounds.floorZ, transform, submap.firstUs);
        for (const [tx, ty] of tilesUnder(bounds, transform)) {
          if (!stale.has(`${ground.index}/${tileKey(tx, ty)}`)) continue;
          layers ??= submap.layers();
          layDown(ground.base, tx, ty, layers[i]!, transform);
        }
      }
    }
  }
}

function newGround(index: number, floorZ: number, epochUs: number): Ground {
  return {
    index,
    floorZ,
    grid: new TileGrid(epochUs, GRID.maxStoreyTiles),
    base: new TileGrid(epochUs, GRID.maxStoreyTiles),
    version: 0,
    dirty: new Map(),
    live: [],
  };
}

function byAge(a: Submap, b: Submap): number {
  return a.lastUs - b.lastUs || (a.frame < b.frame ? -1 : 1);
}

/** The world tiles covered by the corners of a layer. */
function tilesUnder(bounds: LayerBounds, worldFromSubmap: Transform): (readonly [number, number])[] {
  const { minX, minY, maxX, maxY } = bounds;
  if (!(minX < maxX)) return [];
  const yaw = yawOf(worldFromSubmap.q);
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  const { x: px, y: py } = worldFromSubmap.p;
  const xs = [minX, maxX].flatMap((x) => [minY, maxY].map((y) => px + c * x - s * y));
  const ys = [minX, maxX].flatMap((x) => [minY, maxY].map((y) => py + s * x + c * y));
  const tiles: (readonly [number, number])[] = [];
  for (let ty = cellOf(Math.min(...ys)) >> TILE_SHIFT; ty <= cellOf(Math.max(...ys)) >> TILE_SHIFT; ty++)
    for (let tx = cellOf(Math.min(...xs)) >> TILE_SHIFT; tx <= cellOf(Math.max(...xs)) >> TILE_SHIFT; tx++)
      tiles.push([tx, ty]);
  return tiles;
}

/** Samples the layer at the centre of each cell of a world tile, so that rotated submaps leave no holes. */
function layDown(target: TileGrid, tx: number, ty: number, layer: Layer, worldFromSubmap: Transform): void {
  const yaw = yawOf(worldFromSubmap.q);
  const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
  const { x: px, y: py } = worldFromSubmap.p;
  let tile: Tile | undefined;
  let source: Tile | undefined;
  let [sourceX, sourceY] = [Number.NaN, Number.NaN];
  const seek = (cellX: number, cellY: number): Tile | undefined => {
    if (cellX >> TILE_SHIFT !== sourceX || cellY >> TILE_SHIFT !== sourceY) {
      sourceX = cellX >> TILE_SHIFT;
      sourceY = cellY >> TILE_SHIFT;
      source = layer.grid.at(sourceX, sourceY);
    }
    return source;
  };
  for (let row = 0; row < TILE; row++) {
    for (let column = 0; column < TILE; column++) {
      const wx = (tx * TILE + column + 0.5) * CELL_M - px;
      const wy = (ty * TILE + row + 0.5) * CELL_M - py;
      const cellX = cellOf(c * wx + s * wy);
      const cellY = cellOf(c * wy - s * wx);
      const from = seek(cellX, cellY);
      if (from === undefined) continue;
      const at = cellIndex(cellX, cellY) * BANDS;
      for (let band = 0; band < BANDS; band++) {
        const odds = from.odds[at + band]!;
        if (odds === 0) continue;
        tile ??= target.open(tx, ty);
        if (tile === undefined) return;
        const to = (row * TILE + column) * BANDS + band;
        // Newer evidence counts more than older, but agreement adds up.
        const sum = (tile.odds[to]! >> 1) + odds;
        tile.odds[to] = Math.max(-CLAMP, Math.min(CLAMP, sum));
      }
    }
  }
  if (tile !== undefined) layLooks(target, tile, layer, { c, s, px, py });
}

function layLooks(
  target: TileGrid,
  tile: Tile,
  layer: Layer,
  { c, s, px, py }: { c: number; s: number; px: number; py: number },
): void {
  const shift = target.ticksUntil(layer.grid);
  for (let row = 0; row < LOOK; row++) {
    for (let column = 0; column < LOOK; column++) {
      const wx = (tile.tx * TILE + 2 * column + 1) * CELL_M - px;
      const wy = (tile.ty * TILE + 2 * row + 1) * CELL_M - py;
      const cellX = cellOf(c * wx + s * wy);
      const cellY = cellOf(c * wy - s * wx);
      const from = layer.grid.at(cellX >> TILE_SHIFT, cellY >> TILE_SHIFT);
      if (from === undefined) continue;
      const at = lookIndex(cellX, cellY) * BANDS;
      for (let band = 0; band < BANDS; band++) {
        const stamp = from.looked[at + band]!;
        if (stamp === 0) continue;
        const to = (row * LOOK + column) * BANDS + band;
        tile.looked[to] = Math.max(1, tile.looked[to]!, stamp + shift);
      }
    }
  }
}
