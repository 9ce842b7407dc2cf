import type { Transform } from "../geometry/index.ts";
import { CELL_M, TILE } from "./bands.ts";
import { decodeGrid, encodeGrid } from "./codec.ts";
import { Layer } from "./layer.ts";
import { FLOORS } from "./settings.ts";
import { SurfaceCloud } from "./surface.ts";
import { TileGrid } from "./tiles.ts";

/** The extent of a layer's cells in the submap, in metres. */
export interface LayerBounds {
  readonly floorZ: number;
  readonly frames: number;
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/**
 * The map data of one submap. While frames come in it is live; at rest it keeps only its packed grid and the extent
 * of its layers, since a long recording leaves hundreds of them.
 */
export class Submap {
  readonly frame: string;
  readonly author: string;
  readonly labels: Set<string>;
  worldFromSubmap: Transform;
  firstUs: number;
  lastUs: number;
  /** Changed since it was last written. */
  changed = false;
  gridRef: string | undefined;
  surfaceRef: string | undefined;
  surface: SurfaceCloud | undefined;
  #layers: Layer[] | undefined;
  #packed: Uint8Array | undefined;
  #bounds: LayerBounds[] = [];

  constructor(options: {
    frame: string;
    author: string;
    labels: readonly string[];
    worldFromSubmap: Transform;
    firstUs: number;
    packed?: Uint8Array;
    /** Known facts about a packed submap, so that it need not be unpacked for them. */
    known?: { readonly lastUs: number; readonly bounds: readonly LayerBounds[] } | undefined;
  }) {
    this.frame = options.frame;
    this.author = options.author;
    this.labels = new Set(options.labels);
    this.worldFromSubmap = options.worldFromSubmap;
    this.firstUs = options.firstUs;
    this.lastUs = options.firstUs;
    this.#packed = options.packed;
    if (options.packed === undefined) {
      this.#layers = [];
      this.surface = new SurfaceCloud();
    } else if (options.known !== undefined) {
      this.#bounds = [...options.known.bounds];
      this.lastUs = options.known.lastUs;
    } else {
      const layers = decodeGrid(options.packed);
      this.#bounds = layers.map(boundsOf);
      for (const { grid } of layers) this.lastUs = Math.max(this.lastUs, grid.lastUs());
    }
  }

  get isLive(): boolean {
    return this.#layers !== undefined;
  }

  /** Unpacks it if needed, for writing; readers call `layers` instead. */
  wake(): void {
    this.#layers ??= this.layers();
    this.#packed = undefined;
  }

  layers(): Layer[] {
    return this.#layers ?? decodeGrid(this.#packed!);
  }

  bounds(): readonly LayerBounds[] {
    return this.#layers?.map(boundsOf) ?? this.#bounds;
  }

  /** The layer of a floor, created if new; the submap must be live. */
  layerAt(floorZ: number, timeUs: number): Layer | undefined {
    const layers = this.#layers!;
    let nearest: Layer | undefined;
    for (const layer of layers) {
      const apart = Math.abs(layer.floorZ - floorZ);
      if (apart <= FLOORS.sameFloorM && apart < Math.abs((nearest?.floorZ ?? Infinity) - floorZ))
        nearest = layer;
    }
    if (nearest === undefined && layers.length < FLOORS.maxLayers) {
      nearest = new Layer(floorZ, TileGrid.startingAt(timeUs));
      layers.push(nearest);
    }
    return nearest;
  }

  encodeGrid(): Uint8Array {
    return this.#packed ?? encodeGrid(this.#layers!);
  }

  /** Drops what can be read back from its blobs. */
  rest(packed: Uint8Array): void {
    this.#bounds = [...this.bounds()];
    this.#packed = packed;
    this.#layers = undefined;
    this.surface = undefined;
  }
}

function boundsOf({ floorZ, frames, grid }: Layer): LayerBounds {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const { tx, ty } of grid.tiles()) {
    minX = Math.min(minX, tx);
    minY = Math.min(minY, ty);
    maxX = Math.max(maxX, tx + 1);
    maxY = Math.max(maxY, ty + 1);
  }
  const side = TILE * CELL_M;
  return { floorZ, frames, minX: minX * side, minY: minY * side, maxX: maxX * side, maxY: maxY * side };
}
