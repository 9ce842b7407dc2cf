import {
  apply,
  applyDirection,
  type Box,
  centreOf,
  distance,
  isFiniteVec3,
  type Polygon,
  type Transform,
  type Vec3,
} from "../geometry/index.ts";
import type { MemoryReader } from "../memory/index.ts";
import type { Summariser } from "../models/summariser.ts";
import { isKindOf } from "../ontology/index.ts";
import { blobRefOf, LociError, type Percept, type TrackedFrame, WORLD_FRAME } from "../schema/core.ts";
import { inSlices } from "../schema/effort.ts";
import type { Storey } from "./composite.ts";
import { extractiveSummariser } from "./forest/extractive.ts";
import { type ForestView, viewOf } from "./forest/view.ts";
import { Ground, type MapStep, type SurfacePiece } from "./ground.ts";
import { movingIn } from "./movers.ts";
import type { DistanceField, Path } from "./paths.ts";
import { pathByPlaces } from "./place-path.ts";
import { type Place, PlaceBook } from "./places.ts";
import { type FloorRaster, looksOf } from "./raster.ts";
import { RegionBook } from "./region-book.ts";
import { restoreMap } from "./restore.ts";
import { type Room, RoomBook } from "./rooms/room-book.ts";
import { segmentRooms } from "./rooms/segment.ts";
import { GRID, WAYS } from "./settings.ts";
import { countByRoom, type MapThing, signsByRoom, ThingRooms } from "./thing-rooms.ts";
import { type SeeOptions, type Viewpoint, viewpointsOf } from "./viewpoints.ts";

export interface MapOptions {
  readonly sceneId?: string;
  /** Access labels of everything derived from many frames: rooms, floors, clusters. */
  readonly labels?: readonly string[];
  /** Poses of submaps at the current revision; default: from the memory's frame graph. */
  readonly worldFromSubmap?: (submap: string) => Transform | undefined;
  /** The frame that "world" refers to here; another one for an unaligned map. */
  readonly root?: string;
  /** Metres between places: 1 indoors, 5 outdoors (docs/formulas.md#taking-in). */
  readonly placeSpacingM?: number;
  readonly robotRadiusM?: number;
  readonly summariser?: Summariser;
  /** Only submaps begun by then: a past map, for viewing and not for continuing. */
  readonly untilUs?: number;
}

/**
 * The map of one scene in one world: free and observed space, rooms and floors, places and the paths between them,
 * and the forest of regions above. Frames come in by `observe`, corrections by `correct`; what is derived from many
 * frames is updated by `update`. Each returns what is to be written.
 */
export class SceneMap {
  readonly #reader: MemoryReader;
  readonly #root: string;
  readonly #spacingM: number;
  readonly #labels: readonly string[];
  readonly #ground: Ground;
  readonly #places: PlaceBook;
  readonly #rooms: RoomBook;
  readonly #regions: RegionBook;
  readonly #looks = new ThingRooms();
  readonly #drawn = new Map<number, string>();
  #roomOfThing = new Map<string, string>();
  #lastUs = -Infinity;

  private constructor(reader: MemoryReader, options: MapOptions) {
    const {
      sceneId = "default",
      root = WORLD_FRAME,
      placeSpacingM = WAYS.spacingM,
      robotRadiusM = WAYS.radiusM,
    } = options;
    if (!(placeSpacingM > 0) || !(robotRadiusM >= 0))
      throw new LociError(
        "invalid-input",
        `expected a positive spacing and radius, got ${placeSpacingM} and ${robotRadiusM}`,
      );
    this.#reader = reader;
    this.#root = root;
    this.#spacingM = placeSpacingM;
    this.#labels = options.labels ?? [];
    this.#ground = new Ground(sceneId, robotRadiusM);
    this.#places = new PlaceBook(sceneId, placeSpacingM);
    this.#rooms = new RoomBook(sceneId, root, this.#labels);
    this.#regions = new RegionBook({
      sceneId,
      root,
      labels: this.#labels,
      summariser: options.summariser ?? extractiveSummariser,
      firstM: 2 * placeSpacingM,
    });
  }

  /** Opens a memory's map, or an empty one. */
  static async open(reader: MemoryReader, options: MapOptions = {}): Promise<SceneMap> {
    const map = new SceneMap(reader, options);
    const othersFirst = inSlices();
    await restoreMap(reader, {
      sceneId: options.sceneId ?? "default",
      root: map.#root,
      worldFromSubmap: options.worldFromSubmap,
      untilUs: options.untilUs ?? Infinity,
      ground: map.#ground,
      places: map.#places,
      rooms: map.#rooms,
      regions: map.#regions,
    });
    await inSlices()();
    await othersFirst();
    for (const storey of map.#ground.refresh()) {
      map.#draw(storey);
      await othersFirst();
    }
    return map;
  }

  /** Adds one frame; returns the place it created, if any. */
  observe(
    percept: Percept,
    tracked: TrackedFrame,
    options: { readonly isMover?: (stateId: string) => boolean } = {},
  ): MapStep {
    const { submapFromCamera, worldFromSubmap, submap } = percept;
    const floorZ = this.#ground.observe(percept, movingIn(percept, tracked, options.isMover));
    this.#lastUs = Math.max(this.#lastUs, percept.timeUs);
    if (percept.restricted) return { records: [], blobs: [] };
    this.#looks.see(percept, tracked);
    const { x, y } = submapFromCamera.p;
    const ahead = applyDirection(submapFromCamera, { x: 0, y: 0, z: 1 });
    const positionInWorld = apply(worldFromSubmap, { x, y, z: floorZ });
    const before = this.#places.size;
    const place = this.#places.visit({
      observationId: percept.observationId,
      agentId: percept.agentId,
      labels: percept.labels,
      timeUs: percept.timeUs,
      submap,
      worldFromSubmap,
      positionInSubmap: { x, y, z: floorZ },
      yawRad: Math.atan2(ahead.y, ahead.x),
      isClear: (a, b) => this.#sameRoom(a, b),
      regionId: this.roomAt(positionInWorld)?.id,
    });
    return { records: this.#places.size > before ? this.#places.take(place.id) : [], blobs: [] };
  }

  /** A new map revision: submaps and their places move at once; rooms follow with the next `update`. */
  correct(worldFromSubmap: (submap: string) => Transform | undefined): MapStep {
    if (this.#ground.correct(worldFromSubmap)) this.#places.correct(worldFromSubmap);
    return { records: [], blobs: [] };
  }

  /** Updates rooms, floors, edges and the forest, as far as something changed. */
  async update(things: Iterable<MapThing>, timeUs: number): Promise<MapStep> {
    this.#lastUs = Math.max(this.#lastUs, timeUs);
    const known = [...things].filter(({ box }) => isFiniteVec3(box.min) && isFiniteVec3(box.max));
    const step = this.#ground.take(timeUs);
    const doors = known.filter(({ category }) => partsRooms(category)).map(({ box }) => box);
    const storeys = this.#ground.refresh();
    for (const storey of storeys) this.#draw(storey, timeUs, doors);
    this.#placeThings(known);
    const counts = countByRoom(known, this.#roomOfThing);
    this.#rooms.name((id) => counts.get(id) ?? { counts: new Map() }, signsByRoom(known, this.#roomOfThing));
    for (const place of this.#places.all())
      this.#places.assign(place, this.roomAt(place.positionInWorld)?.id);
    this.#clearEdges();
    if (!this.#ground.isOpenTo(this.#labels)) this.#regions.dropGrid();
    const regions = await this.#regions.update(
      {
        storeys,
        rooms: this.#rooms,
        places: [...this.#places.all()],
        content: this.#contentOf(known),
      },
      timeUs,
    );
    const whole = this.#consolidate(WAYS.consolidatePieces);
    return {
      records: [...step.records, ...this.#places.take(), ...regions, ...whole.records],
      blobs: [...step.blobs, ...whole.blobs],
    };
  }

  /** Writes every unwritten submap, and the consolidated map, at the end of a recording. */
  finish(): MapStep {
    const step = this.#ground.take(this.#lastUs, true);
    const whole = this.#consolidate(1);
    return { records: [...step.records, ...whole.records], blobs: [...step.blobs, ...whole.blobs] };
  }

  /** A map with labelled submaps is not consolidated: the site would show them to all its readers. */
  #consolidate(least: number): MapStep {
    const blob = this.#ground.isOpenTo(this.#labels) ? this.#ground.consolidated(least) : undefined;
    const records = blob === undefined ? [] : this.#regions.holdGrid(blobRefOf(blob));
    return { records, blobs: records.length === 0 ? [] : [blob!] };
  }

  /** Attaches a view or a caption, and its words, to the place nearest to where it was made. */
  note(
    positionInWorld: Vec3,
    tied: { readonly view?: string; readonly caption?: string; readonly lines?: readonly string[] },
  ): string | undefined {
    const place = this.#places.nearest(positionInWorld, 2 * this.#spacingM, undefined, GRID.headFromM);
    if (place !== undefined) this.#places.note(place.id, tied);
    return place?.id;
  }

  roomAt(positionInWorld: Vec3): Room | undefined {
    const storey = this.#ground.storeyAt(positionInWorld.z);
    return storey === undefined ? undefined : this.#rooms.roomAt(storey.index, positionInWorld);
  }

  /** The room of a thing as of the last `update`: like `roomAt`, but also by where it was seen from. */
  roomOf(stateId: string): string | undefined {
    return this.#roomOfThing.get(stateId);
  }

  rooms(): Room[] {
    return [...this.#rooms.all()];
  }

  places(): Place[] {
    return [...this.#places.all()];
  }

  /** The storeys as rasters, lowest first. */
  floors(): FloorRaster[] {
    return this.#ground.refresh().map((storey) => this.#ground.raster(storey));
  }

  /** When each cell of a storey was last observed, in the order of its raster; -Infinity for never. */
  looks({ storey: index }: FloorRaster): Float64Array {
    const storey = this.#ground.refresh().find((each) => each.index === index);
    return storey === undefined ? new Float64Array(0) : looksOf(storey, this.#ground.raster(storey));
  }

  forest(): ForestView {
    const leafOf = new Map<string, string>();
    for (const place of this.#places.all())
      for (const id of [...place.captions, ...place.views]) leafOf.set(id, place.id);
    return viewOf(this.#regions.forest, leafOf);
  }

  /** The shortest path for the robot; between storeys via places that were walked through. */
  path(from: Vec3, to: Vec3): Path | undefined {
    this.#ground.refresh();
    const [start, goal] = [this.#ground.storeyAt(from.z), this.#ground.storeyAt(to.z)];
    if (start === undefined || goal === undefined) return undefined;
    if (start === goal) return this.#ground.plan(start).path(from, to);
    return pathByPlaces(from, to, [...this.#places.all()], {
      fromPlan: this.#ground.plan(start),
      toPlan: this.#ground.plan(goal),
    });
  }

  /** Path lengths from a place to everywhere on its storey. */
  distanceField(from: Vec3): DistanceField {
    this.#ground.refresh();
    const storey = this.#ground.storeyAt(from.z);
    return storey === undefined ? { at: () => Infinity } : this.#ground.plan(storey).distanceField(from);
  }

  /** The nearest standing place to a position; if `from` is given, a reachable one. */
  nearestReachable(position: Vec3, from?: Vec3): Vec3 | undefined {
    this.#ground.refresh();
    const storey = this.#ground.storeyAt(position.z);
    return storey === undefined ? undefined : this.#ground.plan(storey).nearestOpen(position, from);
  }

  /** Where to stand to see a box, best first (docs/formulas.md#viewpoints). */
  viewpoints(target: Box, options: SeeOptions = {}): Viewpoint[] {
    this.#ground.refresh();
    const storey = this.#ground.storeyAt(centreOf(target).z);
    if (storey === undefined) return [];
    const { from, roomId = this.roomAt(centreOf(target))?.id, ...rest } = options;
    const plan = this.#ground.plan(storey);
    const field = from === undefined ? {} : { field: plan.distanceField(from) };
    const isInRoom = (place: Vec3) => roomId === undefined || this.roomAt(place)?.id === roomId;
    return viewpointsOf(target, plan, storey, { ...rest, ...field, isInRoom });
  }

  /** When the space around a position was last observed; undefined for never. */
  lookedAtUs(position: Vec3): number | undefined {
    this.#ground.refresh();
    return this.#ground.lookedAtUs(position);
  }

  /** Share of a polygon's floor that was observed since a time. */
  lookedShare(polygon: Polygon, sinceUs: number): number {
    this.#ground.refresh();
    return this.#ground.lookedShare(polygon, sinceUs);
  }

  /** Coloured points, submap by submap; those at rest are read back from the memory. */
  surfacePoints(): AsyncGenerator<SurfacePiece> {
    return this.#ground.surfaces((ref) => this.#reader.blob(ref));
  }

  /** Segments a storey into rooms if it changed; without a time only into known rooms. */
  #draw(storey: Storey, timeUs?: number, doors: readonly Box[] = []): void {
    const state = `${storey.version}/${doors.length}`;
    if (this.#drawn.get(storey.index) === state) return;
    if (timeUs !== undefined) this.#drawn.set(storey.index, state);
    const raster = this.#ground.raster(storey);
    const near = doors.filter(({ min, max }) => max.z > storey.floorZ + 1 && min.z < storey.floorZ + 1);
    this.#rooms.redraw(raster, segmentRooms(raster, near), timeUs);
  }

  /** Nearby places of one room, or of none, may be merged; places with a wall between may not. */
  #sameRoom(a: Vec3, b: Vec3): boolean {
    return this.roomAt(a) === this.roomAt(b);
  }

  #placeThings(things: readonly MapThing[]): void {
    this.#roomOfThing = new Map();
    const roomAt = (position: Vec3): string | undefined => this.roomAt(position)?.id;
    const worldFrom = (submap: string): Transform | undefined =>
      this.#ground.submapOf(submap)?.worldFromSubmap;
    for (const thing of things) {
      const room = this.#looks.roomOf(thing, worldFrom, roomAt);
      if (room !== undefined) this.#roomOfThing.set(thing.id, room);
    }
  }

  /**
   * Adds straight open edges between neighbours that were not walked yet, and doors where rooms differ
   * (docs/formulas.md#taking-in).
   */
  #clearEdges(): void {
    for (const place of this.#places.all()) {
      for (const other of this.#places.near(place.positionInWorld, 2 * this.#spacingM)) {
        if (other.id <= place.id) continue;
        const isDoor =
          place.regionId !== other.regionId && place.regionId !== undefined && other.regionId !== undefined;
        const walked = place.edges.get(other.id);
        if (walked !== undefined) {
          if (isDoor && walked.type !== "door") this.#places.join(place, other, "door");
          continue;
        }
        const storey = this.#ground.storeyAt(place.positionInWorld.z);
        if (
          storey !== undefined &&
          this.#ground.plan(storey).isClear(place.positionInWorld, other.positionInWorld)
        )
          this.#places.join(place, other, isDoor ? "door" : "clear");
      }
    }
  }

  /** Assigns each thing to the nearest place of its room. */
  #contentOf(things: readonly MapThing[]): {
    lines: (id: string) => readonly string[];
    things: (id: string) => Iterable<{ category: string; count: number }>;
  } {
    const byPlace = new Map<string, Map<string, number>>();
    for (const { id, category, box } of things) {
      const centre = centreOf(box);
      const room = this.#roomOfThing.get(id);
      let [best, nearest] = [undefined as Place | undefined, GRID.pointsToM];
      for (const place of this.#places.near({ ...centre, z: this.#floorZ(centre) }, GRID.pointsToM)) {
        const apart =
          distance(place.positionInWorld, centre) + (place.regionId === room ? 0 : GRID.pointsToM / 2);
        if (apart < nearest) [best, nearest] = [place, apart];
      }
      if (best === undefined) continue;
      const there = byPlace.get(best.id) ?? new Map<string, number>();
      there.set(category, (there.get(category) ?? 0) + 1);
      byPlace.set(best.id, there);
    }
    return {
      lines: (id) => this.#places.get(id)?.lines ?? [],
      things: (id) => Array.from(byPlace.get(id) ?? [], ([category, count]) => ({ category, count })),
    };
  }

  #floorZ(position: Vec3): number {
    return this.#ground.storeyAt(position.z)?.floorZ ?? position.z;
  }
}

/** Whether the box of this thing helps to separate rooms: doors. */
function partsRooms(category: string): boolean {
  return isKindOf(category, "door") || isKindOf(category, "doorway");
}
