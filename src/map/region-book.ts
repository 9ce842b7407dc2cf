import { convexHull, distance, type Vec3 } from "../geometry/index.ts";
import type { Summariser } from "../models/summariser.ts";
import { contentId, type RecordInput, type RecordOf } from "../schema/core.ts";
import type { Storey } from "./composite.ts";
import { deleteGroup, deleteLeaf, insertLeaf } from "./forest/change.ts";
import { Forest } from "./forest/forest.ts";
import { type GroupFacts, regionRecords } from "./forest/records.ts";
import { type LeafContent, summarise } from "./forest/summarise.ts";
import type { Place } from "./places.ts";
import type { Room, RoomBook } from "./rooms/room-book.ts";
import { FLOORS, WAYS } from "./settings.ts";

const FLOOR_NAMES = ["ground floor", "first floor", "second floor", "third floor", "fourth floor"];

interface Floor {
  readonly id: string;
  readonly sinceUs: number;
  z: number;
  name: string;
}

export interface RegionBookOptions {
  readonly sceneId: string;
  readonly root: string;
  readonly labels: readonly string[];
  readonly summariser: Summariser;
  /** Width of the forest's first level. */
  readonly firstM: number;
}

/**
 * The regions of a scene as one forest: the site holds floors, a floor its rooms, a room its places, with clusters in
 * between wherever there are more than a dozen. Places in no room are children of their floor or, outdoors without
 * any floor, of the site, clustered by distance alone.
 */
export class RegionBook {
  readonly #options: RegionBookOptions;
  readonly #floors = new Map<string, Floor>();
  readonly #homes = new Map<string, { group: string | undefined; position: Vec3 }>();
  readonly #since = new Map<string, number>();
  /** Every record as last written, also as text, to detect changes. */
  readonly #written = new Map<string, { record: RecordInput; text: string }>();
  readonly #names = new Map<string, string>();
  readonly #related = new Map<string, readonly string[]>();
  #siteId: string;
  #forest: Forest;
  #grid: string | undefined;
  #nowUs = 0;
  #made = 0;

  constructor(options: RegionBookOptions) {
    this.#options = options;
    this.#siteId = this.#idOf("site");
    this.#forest = new Forest({ firstM: options.firstM, rootId: this.siteId, newId: this.newId });
  }

  get forest(): Forest {
    return this.#forest;
  }

  get siteId(): string {
    return this.#siteId;
  }

  /** The id of a scene's public site, from which restricted views of the map continue. */
  get openSiteId(): string {
    return contentId("site", this.#options.sceneId, this.#options.root);
  }

  /** Labelled content has its own ids: the same region drawn from restricted data is another region. */
  #idOf(kind: string, ...parts: readonly (string | number)[]): string {
    const { sceneId, root, labels } = this.#options;
    return contentId(kind, sceneId, root, ...parts, ...labels);
  }

  /** Names of clusters from their creation time and order, so that a second run gives the same. */
  readonly newId = (): string => {
    return this.#idOf("cluster", this.#nowUs, this.#made++);
  };

  /** Continues a forest from the memory. */
  restore(forest: Forest, regions: Iterable<RecordOf<"region">>, places: Iterable<Place>): void {
    this.#forest = forest;
    this.#siteId = forest.idOf(forest.root);
    for (const region of regions) {
      if (region.id === this.siteId) this.#grid = region.grid;
      this.#since.set(region.id, region.validFromUs);
      this.#names.set(region.id, region.name);
      this.#related.set(region.id, region.relationships);
      const { version, recordedAtUs, supersededAtUs, ...record } = region as RecordOf<"region"> &
        Record<string, unknown>;
      this.#written.set(region.id, { record: record as RecordInput, text: "" });
      if (region.type === "floor" && region.anchor !== undefined) {
        const z = region.hull?.[0]?.z ?? region.anchor.p.z;
        this.#floors.set(region.id, { id: region.id, sinceUs: region.validFromUs, z, name: region.name });
      }
    }
    for (const place of places) {
      const node = forest.nodeOf(place.id);
      if (node === undefined) continue;
      let above = forest.parentOf(node);
      while (above !== undefined && !forest.isGroup(above)) above = forest.parentOf(above);
      const group = above === undefined || above === forest.root ? undefined : forest.idOf(above);
      this.#homes.set(place.id, { group, position: forest.centroidOf(node) });
    }
  }

  /** Updates the forest to the rooms and places, writes its summaries, and returns the changed records. */
  async update(
    world: { storeys: readonly Storey[]; rooms: RoomBook; places: readonly Place[]; content: LeafContent },
    timeUs: number,
  ): Promise<RecordInput[]> {
    this.#nowUs = timeUs;
    this.#made = 0;
    const rooms = [...world.rooms.all()];
    const floorOf = this.#matchFloors(world.storeys, rooms, timeUs);
    for (const floor of this.#floors.values()) this.#group(floor.id, undefined, floor.name, floor.sinceUs);
    for (const room of rooms) this.#group(room.id, floorOf.get(room.storey)?.id, room.name, room.sinceUs);
    for (const place of world.places) {
      const room = place.regionId !== undefined && world.rooms.get(place.regionId);
      this.#settle(place, room ? room.id : this.#floorAt(place.positionInWorld.z)?.id);
    }
    for (const { id } of world.rooms.takeEnded()) this.#dissolve(id);
    const related = await summarise(this.#forest, {
      summariser: this.#options.summariser,
      content: world.content,
      group: (id) => this.#factsOf(id, world.rooms),
    });
    for (const [id, lines] of related) this.#related.set(id, lines);
    const { sceneId, labels, root } = this.#options;
    const records = regionRecords(this.#forest, {
      sceneId,
      labels,
      frame: root,
      relationships: (id) => this.#related.get(id),
      sinceUs: (id) => {
        if (!this.#since.has(id)) this.#since.set(id, timeUs);
        return this.#since.get(id)!;
      },
      group: (id) => this.#factsOf(id, world.rooms),
    });
    return this.#changes(records, timeUs);
  }

  /** Stores the consolidated map's blob with the site; empty while there is no site yet. */
  holdGrid(grid: string): RecordInput[] {
    const site = this.#written.get(this.siteId)?.record;
    if (site?.kind !== "region") return [];
    this.#grid = grid;
    return this.#put({ ...site, grid }) ? [{ ...site, grid }] : [];
  }

  /** From now on the site is written without the consolidated map, because not all its readers may see every submap. */
  dropGrid(): void {
    this.#grid = undefined;
  }

  /** A floor for each storey with rooms, a known one if heights agree; named from below. */
  #matchFloors(storeys: readonly Storey[], rooms: readonly Room[], timeUs: number): Map<number, Floor> {
    const found = new Map<number, Floor>();
    for (const { index, floorZ } of storeys) {
      if (!rooms.some(({ storey }) => storey === index)) continue;
      let floor = [...this.#floors.values()].find(({ z }) => Math.abs(z - floorZ) < FLOORS.sameStoreyM);
      if (floor === undefined) {
        const id = this.#idOf("floor", timeUs, index);
        floor = { id, sinceUs: timeUs, z: floorZ, name: "" };
        this.#floors.set(id, floor);
      }
      floor.z = floorZ;
      found.set(index, floor);
    }
    const sorted = [...this.#floors.values()].sort((a, b) => a.z - b.z);
    for (const [i, floor] of sorted.entries()) floor.name = FLOOR_NAMES[i] ?? `floor ${i}`;
    return found;
  }

  #floorAt(z: number): Floor | undefined {
    const sorted = [...this.#floors.values()].sort((a, b) => a.z - b.z);
    return sorted.findLast((floor) => floor.z <= z + FLOORS.sameStoreyM) ?? sorted[0];
  }

  #group(id: string, parent: string | undefined, name: string, sinceUs: number): void {
    const node = this.#forest.putGroup({ id, ...(parent === undefined ? {} : { parent }) });
    if (this.#names.get(id) !== name) {
      this.#forest.touch(node);
      this.#forest.touch(this.#forest.parentOf(node)!);
    }
    this.#names.set(id, name);
    if (!this.#since.has(id)) this.#since.set(id, sinceUs);
  }

  #settle(place: Place, group: string | undefined): void {
    const home = this.#homes.get(place.id);
    const position = place.positionInWorld;
    if (home !== undefined && home.group === group && distance(home.position, position) <= WAYS.radiusM)
      return;
    if (home !== undefined) deleteLeaf(this.#forest, place.id);
    insertLeaf(this.#forest, { id: place.id, position, group });
    this.#homes.set(place.id, { group, position });
  }

  /** Removes a room; its places have moved, and other empty nodes are removed with it. */
  #dissolve(id: string): void {
    const node = this.#forest.nodeOf(id);
    if (node === undefined) return;
    for (const leaf of this.#forest.leavesOf(node).map((each) => this.#forest.idOf(each))) {
      deleteLeaf(this.#forest, leaf);
      this.#homes.delete(leaf);
    }
    deleteGroup(this.#forest, id);
  }

  #factsOf(id: string, rooms: RoomBook): GroupFacts | undefined {
    const room = rooms.get(id);
    if (room !== undefined) {
      const z = room.polygon.minZ ?? 0;
      const hull = room.polygon.points.map(({ x, y }) => ({ x: mm(x), y: mm(y), z: mm(z) }));
      return { type: "room", name: room.name, hull, coverage: room.coverage };
    }
    const floor = this.#floors.get(id);
    if (floor !== undefined) {
      const corners = [...rooms.all()]
        .filter(({ polygon }) => Math.abs((polygon.minZ ?? 0) - floor.z) < FLOORS.sameStoreyM)
        .flatMap(({ polygon }) => polygon.points);
      const hull = convexHull(corners).map(({ x, y }) => ({ x: mm(x), y: mm(y), z: mm(floor.z) }));
      return { type: "floor", name: floor.name, ...(hull.length > 2 ? { hull } : {}) };
    }
    return id === this.siteId ? { type: "site", name: "everything seen" } : undefined;
  }

  /** Whether this differs from what was last written. */
  #put(record: RecordInput): boolean {
    const text = JSON.stringify(record);
    if (this.#written.get(record.id)?.text === text) return false;
    this.#written.set(record.id, { record, text });
    return true;
  }

  /** Records that differ from what was written; records that no longer exist are ended at this time. */
  #changes(records: readonly RecordInput[], timeUs: number): RecordInput[] {
    const out: RecordInput[] = [];
    const there = new Set<string>();
    for (const each of records) {
      there.add(each.id);
      const isSite = each.kind === "region" && each.id === this.siteId && this.#grid !== undefined;
      const record = isSite ? { ...each, grid: this.#grid } : each;
      if (this.#put(record)) out.push(record);
    }
    for (const [id, { record }] of this.#written) {
      if (there.has(id)) continue;
      this.#written.delete(id);
      this.#related.delete(id);
      this.#names.delete(id);
      this.#since.delete(id);
      // Its parts live on elsewhere; the previous version tells its content.
      if (record.kind === "region")
        out.push({ ...record, children: [], validToUs: Math.max(timeUs, record.validFromUs + 1) });
    }
    return out;
  }
}

/** Rounds to millimetres, so that a record does not change with the last bit of a sum. */
function mm(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
