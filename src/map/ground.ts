import {
  isFiniteVec3,
  type Polygon,
  polygonBounds,
  polygonContains,
  type Transform,
  type Vec3,
} from "../geometry/index.ts";
import {
  blobRefOf,
  contentId,
  LociError,
  type Percept,
  type RecordInput,
  type RecordOf,
} from "../schema/core.ts";
import { BANDS, BELIEVED, bandOfLook, CELL_M, FLOOR_BAND } from "./bands.ts";
import { decodeSurface, encodeSurface } from "./codec.ts";
import { Composite, type Storey } from "./composite.ts";
import { type Consolidated, encodeConsolidated, type Piece } from "./consolidated.ts";
import { DepthRays, type IsMoving } from "./depth-rays.ts";
import { FloorFinder } from "./floor-height.ts";
import { paint } from "./paint.ts";
import { FloorPlan } from "./paths.ts";
import { type FloorRaster, rasterOf } from "./raster.ts";
import { FLOORS } from "./settings.ts";
import { Submap } from "./submap.ts";
import { SurfaceCloud, type SurfacePoints } from "./surface.ts";
import { cellOf } from "./tiles.ts";

/** What one step of the map has to write; the records name the blobs. */
export interface MapStep {
  readonly records: RecordInput[];
  readonly blobs: Uint8Array[];
}

/** One submap's surface and its current pose. */
export interface SurfacePiece {
  readonly submap: string;
  readonly worldFromSubmap: Transform;
  readonly points: SurfacePoints;
}

/**
 * The geometry of a scene: submaps with their grids and surfaces, the storeys they form, and derived data (rasters,
 * plans), cached until something changes.
 */
export class Ground {
  readonly #sceneId: string;
  readonly #radiusM: number;
  readonly #submaps = new Map<string, Submap>();
  readonly #composite = new Composite();
  readonly #rays = new DepthRays();
  readonly #floors = new FloorFinder();
  readonly #rasters = new Map<number, { version: number; raster: FloorRaster; floorM2: number }>();
  readonly #plans = new Map<number, { version: number; plan: FloorPlan }>();
  #storeys: readonly Storey[] = [];
  #stale = true;
  #writtenUs = -Infinity;
  /** Submaps composed since the last consolidation; infinite once one of those has changed. */
  #restedSince = 0;

  constructor(sceneId: string, robotRadiusM: number) {
    this.#sceneId = sceneId;
    this.#radiusM = robotRadiusM;
  }

  /** Restores a submap from the memory. */
  restore(
    record: RecordOf<"region">,
    frame: string,
    worldFromSubmap: Transform,
    grid: Uint8Array,
    known?: Piece,
  ): void {
    const submap = new Submap({
      frame,
      author: record.author,
      labels: record.labels,
      worldFromSubmap,
      firstUs: record.validFromUs,
      packed: grid,
      known,
    });
    submap.gridRef = record.grid;
    submap.surfaceRef = record.surface;
    this.#submaps.set(frame, submap);
  }

  /**
   * Call after the last `restore`: composes the submaps, oldest first, on top of the consolidated ones; the newest
   * continues where it stopped.
   */
  settle(newestSurface: (ref: string) => SurfacePoints | undefined, before?: Consolidated): void {
    const laid = new Set(before?.pieces.map(({ frame }) => frame));
    if (before !== undefined) {
      const placed = before.pieces.map(({ frame, transform }) => ({
        submap: this.#submaps.get(frame)!,
        transform,
      }));
      this.#composite.adopt(placed, before.storeys);
    }
    const pieces = [...this.#submaps.values()].sort((a, b) => a.lastUs - b.lastUs);
    const newest = pieces.at(-1);
    for (const submap of pieces) if (submap !== newest && !laid.has(submap.frame)) this.#rest(submap);
    if (newest === undefined || laid.has(newest.frame)) return;
    newest.wake();
    newest.surface = new SurfaceCloud(newest.surfaceRef ? newestSurface(newest.surfaceRef) : undefined);
  }

  newestSurfaceRef(): string | undefined {
    return [...this.#submaps.values()].sort((a, b) => a.lastUs - b.lastUs).at(-1)?.surfaceRef;
  }

  submapOf(frame: string): Submap | undefined {
    return this.#submaps.get(frame);
  }

  /** Whether a holder of these labels may see every submap. */
  isOpenTo(labels: readonly string[]): boolean {
    return [...this.#submaps.values()].every((submap) =>
      [...submap.labels].every((label) => labels.includes(label)),
    );
  }

  /** Adds a frame's depth. Returns the height, in the submap, of the floor below the camera. */
  observe(percept: Percept, isMoving: IsMoving | undefined): number {
    const { submapFromCamera, worldFromSubmap, timeUs, depth } = percept;
    const eye = submapFromCamera.p;
    const q = submapFromCamera.q;
    if (!isFiniteVec3(eye) || !isFiniteVec3(worldFromSubmap.p) || !Number.isFinite(q.w + q.x + q.y + q.z))
      throw new LociError("invalid-input", `frame ${percept.index} has a pose that is not finite`);
    const submap = this.#wakeful(percept);
    submap.lastUs = Math.max(submap.lastUs, timeUs);
    submap.firstUs = Math.min(submap.firstUs, timeUs);
    for (const label of percept.labels) submap.labels.add(label);
    const sensor = `${percept.agentId}/${percept.sensorId}`;
    if (depth === undefined || percept.restricted) return eye.z - (this.#floors.known(sensor) ?? 0);
    const rays = this.#rays.read(depth, percept.intrinsics, submapFromCamera, isMoving);
    this.#floors.begin();
    for (let i = 0; i < rays.count; i++) {
      const dx = rays.points[i * 3]! - eye.x;
      const dy = rays.points[i * 3 + 1]! - eye.y;
      this.#floors.add(eye.z - rays.points[i * 3 + 2]!, dx * dx + dy * dy);
    }
    const heightM = this.#floors.heightM(sensor);
    if (heightM === undefined) return eye.z;
    const floorZ = eye.z - heightM;
    const layer = submap.layerAt(floorZ, timeUs);
    if (layer !== undefined) {
      layer.stand(floorZ);
      this.#rays.integrate(rays, eye, floorZ, layer, timeUs);
    }
    paint(submap.surface, rays, percept);
    submap.changed = true;
    this.#stale = true;
    return floorZ;
  }

  /** Moves the submaps to a new revision. */
  correct(worldFromSubmap: (frame: string) => Transform | undefined): boolean {
    let moved = false;
    for (const submap of this.#submaps.values()) {
      const transform = worldFromSubmap(submap.frame);
      if (transform === undefined || sameTransform(transform, submap.worldFromSubmap)) continue;
      submap.worldFromSubmap = transform;
      moved = true;
    }
    if (moved) this.#stale = true;
    return moved;
  }

  /** Records of the submaps that changed: those coming to rest now; all of them every minute or on request. */
  take(timeUs: number, all = false): MapStep {
    const step: MapStep = { records: [], blobs: [] };
    const due = all || timeUs - this.#writtenUs >= 2 * FLOORS.restAfterUs;
    if (due) this.#writtenUs = timeUs;
    for (const submap of this.#submaps.values()) {
      if (!submap.isLive) continue;
      const rests = timeUs - submap.lastUs >= FLOORS.restAfterUs;
      if (!rests && !(due && submap.changed)) continue;
      const packed = submap.encodeGrid();
      if (submap.changed) this.#write(submap, packed, step);
      if (!rests) continue;
      submap.rest(packed);
      this.#rest(submap);
      this.#stale = true;
    }
    return step;
  }

  /** All resting submaps as one blob; undefined unless at least this many came to rest since the last one. */
  consolidated(least: number): Uint8Array | undefined {
    this.refresh();
    if (this.#restedSince < least) return undefined;
    this.#restedSince = 0;
    const { placed, storeys } = this.#composite.atRest();
    const pieces = placed.flatMap(({ submap, transform }) => {
      const { frame, lastUs, gridRef } = submap;
      return gridRef === undefined
        ? []
        : [{ frame, grid: gridRef, transform, lastUs, bounds: submap.bounds() }];
    });
    return pieces.length < placed.length ? undefined : encodeConsolidated({ pieces, storeys });
  }

  /** Composes the submaps as they are now, and returns the real storeys, lowest first. */
  refresh(): readonly Storey[] {
    if (!this.#stale) return this.#storeys;
    this.#stale = false;
    if (this.#composite.correct()) this.#restedSince = Infinity;
    this.#composite.refresh([...this.#submaps.values()].filter(({ isLive }) => isLive));
    const levels = this.#composite.storeys();
    this.#storeys = levels
      .filter((level) => this.#isStorey(level, levels))
      .sort((a, b) => a.floorZ - b.floorZ);
    return this.#storeys;
  }

  #isStorey(level: Storey, levels: readonly Storey[]): boolean {
    const { floorM2 } = this.#entry(level);
    if (floorM2 < FLOORS.storeyM2) return false;
    return (
      floorM2 >= FLOORS.landingM2 ||
      levels.every(
        (other) =>
          Math.abs(other.floorZ - level.floorZ) >= FLOORS.lowestCeilingM ||
          this.#entry(other).floorM2 <= floorM2,
      )
    );
  }

  /** The storey of a height in the world, as of the last `refresh`: the highest floor not above it. */
  storeyAt(z: number): Storey | undefined {
    return this.#storeys.findLast(({ floorZ }) => floorZ <= z + FLOORS.sameFloorM) ?? this.#storeys[0];
  }

  raster(storey: Storey): FloorRaster {
    return this.#entry(storey).raster;
  }

  plan(storey: Storey): FloorPlan {
    let known = this.#plans.get(storey.index);
    if (known?.version !== storey.version) {
      known = { version: storey.version, plan: new FloorPlan(this.raster(storey), this.#radiusM) };
      this.#plans.set(storey.index, known);
    }
    return known.plan;
  }

  /** When the space around a position was last observed, or undefined. */
  lookedAtUs(position: Vec3): number | undefined {
    const storey = this.storeyAt(position.z);
    const band = bandOfLook(position.z - (storey?.floorZ ?? 0));
    return storey?.grid.lookedUs(cellOf(position.x), cellOf(position.y), band);
  }

  /** Share of a polygon's floor that was observed, at any height, since a time. */
  lookedShare(polygon: Polygon, sinceUs: number): number {
    const { min, max } = polygonBounds(polygon);
    const storey = this.storeyAt(polygon.minZ ?? 0);
    if (storey === undefined) return 0;
    let [cells, looked] = [0, 0];
    const step = 2 * CELL_M;
    for (let y = min.y + CELL_M; y < max.y; y += step) {
      for (let x = min.x + CELL_M; x < max.x; x += step) {
        if (!polygonContains({ points: polygon.points }, { x, y, z: 0 })) continue;
        cells++;
        for (let band = 0; band < BANDS; band++) {
          if ((storey.grid.lookedUs(cellOf(x), cellOf(y), band) ?? -Infinity) < sinceUs) continue;
          looked++;
          break;
        }
      }
    }
    return cells === 0 ? 0 : looked / cells;
  }

  /** Every surface; those at rest are read back from the memory. */
  async *surfaces(blob: (ref: string) => Promise<Uint8Array | undefined>): AsyncGenerator<SurfacePiece> {
    for (const submap of this.#submaps.values()) {
      const { frame, worldFromSubmap, surface, surfaceRef } = submap;
      const bytes = surface === undefined && surfaceRef !== undefined ? await blob(surfaceRef) : undefined;
      const points = surface?.points() ?? (bytes === undefined ? undefined : decodeSurface(bytes));
      if (points !== undefined) yield { submap: frame, worldFromSubmap, points };
    }
  }

  #rest(submap: Submap): void {
    this.#composite.rest(submap);
    this.#restedSince++;
  }

  #wakeful(percept: Percept): Submap {
    let submap = this.#submaps.get(percept.submap);
    if (submap === undefined) {
      submap = new Submap({
        frame: percept.submap,
        author: percept.agentId,
        labels: percept.labels,
        worldFromSubmap: percept.worldFromSubmap,
        firstUs: percept.timeUs,
      });
      this.#submaps.set(percept.submap, submap);
    } else if (!submap.isLive) {
      this.#composite.take(submap);
      this.#restedSince = Infinity;
      submap.wake();
    }
    if (!sameTransform(submap.worldFromSubmap, percept.worldFromSubmap)) {
      submap.worldFromSubmap = percept.worldFromSubmap;
      this.#stale = true;
    }
    return submap;
  }

  #write(submap: Submap, grid: Uint8Array, step: MapStep): void {
    const surface = submap.surface === undefined ? undefined : encodeSurface(submap.surface.points());
    submap.gridRef = blobRefOf(grid);
    if (surface !== undefined) submap.surfaceRef = blobRefOf(surface);
    step.blobs.push(grid, ...(surface === undefined ? [] : [surface]));
    const bounds = submap.bounds().filter(({ minX, maxX }) => minX < maxX);
    const min = (key: "minX" | "minY" | "floorZ") => Math.min(...bounds.map((each) => each[key]));
    const max = (key: "maxX" | "maxY" | "floorZ") => Math.max(...bounds.map((each) => each[key]));
    const box = bounds.length === 0 ? undefined : [min("minX"), min("minY"), max("maxX"), max("maxY")];
    step.records.push({
      kind: "region",
      id: contentId("map", this.#sceneId, submap.frame),
      sceneId: this.#sceneId,
      author: submap.author,
      labels: [...submap.labels],
      validFromUs: submap.firstUs,
      validToUs: null,
      type: "map",
      level: 0,
      name: `map of ${submap.frame}`,
      grid: submap.gridRef,
      ...(submap.surfaceRef === undefined ? {} : { surface: submap.surfaceRef }),
      anchor: {
        submap: submap.frame,
        p: {
          x: box === undefined ? 0 : (box[0]! + box[2]!) / 2,
          y: box === undefined ? 0 : (box[1]! + box[3]!) / 2,
          z: bounds.length === 0 ? 0 : (min("floorZ") + max("floorZ")) / 2,
        },
      },
      ...(box === undefined
        ? {}
        : { extent: { x: box[2]! - box[0]!, y: box[3]! - box[1]!, z: max("floorZ") - min("floorZ") } }),
    });
    submap.changed = false;
  }

  #entry(storey: Storey): { version: number; raster: FloorRaster; floorM2: number } {
    let known = this.#rasters.get(storey.index);
    if (known?.version !== storey.version) {
      known = { version: storey.version, raster: rasterOf(storey), floorM2: floorSeenM2(storey) };
      this.#rasters.set(storey.index, known);
    }
    return known;
  }
}

/** Observed space is not standing room: from a staircase rays cross much space at every height. */
function floorSeenM2({ grid }: Storey): number {
  let cells = 0;
  for (const { odds } of grid.tiles())
    for (let at = FLOOR_BAND; at < odds.length; at += BANDS) if (odds[at]! >= BELIEVED) cells++;
  return cells * CELL_M ** 2;
}

function sameTransform(a: Transform, b: Transform): boolean {
  return (
    a.p.x === b.p.x &&
    a.p.y === b.p.y &&
    a.p.z === b.p.z &&
    a.q.w === b.q.w &&
    a.q.x === b.q.x &&
    a.q.y === b.q.y &&
    a.q.z === b.q.z
  );
}
