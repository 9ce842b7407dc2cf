import { IDENTITY, type Transform } from "../geometry/index.ts";
import { eachHit, type HitOf, type MemoryReader, type SearchRequest } from "../memory/index.ts";
import { asPerceived, inSlices, type RecordKind, type RecordOf, type Stored } from "../schema/core.ts";
import { decodeSurface } from "./codec.ts";
import { isStill } from "./composite.ts";
import { type Consolidated, decodeConsolidated } from "./consolidated.ts";
import { readForest } from "./forest/records.ts";
import type { Ground } from "./ground.ts";
import type { PlaceBook } from "./places.ts";
import type { RegionBook } from "./region-book.ts";
import type { RoomBook } from "./rooms/room-book.ts";
import { PLAIN_ROOM } from "./rooms/types.ts";
import { ROOM_HEIGHT_M } from "./settings.ts";

/** Fills an empty map from the memory. */
export async function restoreMap(
  reader: MemoryReader,
  target: {
    readonly sceneId: string;
    readonly root: string;
    readonly worldFromSubmap: ((submap: string) => Transform | undefined) | undefined;
    readonly untilUs: number;
    readonly ground: Ground;
    readonly places: PlaceBook;
    readonly rooms: RoomBook;
    readonly regions: RegionBook;
  },
): Promise<void> {
  const { sceneId, root, ground, places, rooms, regions } = target;
  const othersFirst = inSlices();
  const frames = await reader.frames();
  const rootFrom =
    target.worldFromSubmap ??
    ((submap: string) => (submap === root ? IDENTITY : frames.resolve(root, submap)));
  const [own, open] = await reader.get([regions.siteId, regions.openSiteId]);
  const site = own ?? open;
  const pieceRecords = await everyRecord(reader, "region", { sceneId: [sceneId], category: ["map"] });
  const maps = pieceRecords.filter(({ validFromUs }) => validFromUs <= target.untilUs);
  const before = await laidBefore(reader, site, maps, rootFrom);
  const pieces = new Map(before?.pieces.map((piece) => [piece.frame, piece]));
  for (const record of maps) {
    const frame = record.anchor?.submap;
    const transform = frame === undefined ? undefined : rootFrom(frame);
    const grid = record.grid === undefined ? undefined : await reader.blob(record.grid);
    await othersFirst();
    if (frame !== undefined && transform !== undefined && grid !== undefined)
      ground.restore(record, frame, transform, grid, pieces.get(frame));
  }
  await othersFirst();
  const ref = ground.newestSurfaceRef();
  const bytes = ref === undefined ? undefined : await reader.blob(ref);
  ground.settle(() => (bytes === undefined ? undefined : decodeSurface(bytes)), before);
  await othersFirst();
  ground.refresh();
  await othersFirst();
  for (const record of await everyRecord(reader, "place", { sceneId: [sceneId] })) {
    const transform = record.anchor === undefined ? undefined : rootFrom(record.anchor.submap);
    if (transform !== undefined) places.restore(record, transform);
  }
  if (site === undefined || site.kind !== "region") return;
  const category = ["room", "floor", "cluster"];
  const named = await everyRecord(reader, "region", { sceneId: [sceneId], category });
  // The map continues with its own names of rooms; people's names are applied elsewhere.
  const known = named.map((record) => asPerceived(record));
  for (const record of known)
    if (record.type === "room" && record.anchor?.submap === root) restoreRoom(record, ground, rooms);
  const forest = await readForest(reader, site as Stored<RecordOf<"region">>, {
    firstM: regions.forest.firstM,
    newId: regions.newId,
    frameFrom: rootFrom,
    perceived: true,
  });
  const mine = known.filter(({ id }) => forest.nodeOf(id) !== undefined);
  regions.restore(forest, [site as Stored<RecordOf<"region">>, ...mine], places.all());
}

/** The consolidated map, if every submap still has its content and pose. */
async function laidBefore(
  reader: MemoryReader,
  site: Stored | undefined,
  maps: readonly RecordOf<"region">[],
  rootFrom: (submap: string) => Transform | undefined,
): Promise<Consolidated | undefined> {
  const bytes = site?.kind === "region" && site.grid !== undefined ? await reader.blob(site.grid) : undefined;
  if (bytes === undefined) return undefined;
  const before = decodeConsolidated(bytes);
  const gridOf = new Map(maps.map(({ anchor, grid }) => [anchor?.submap, grid]));
  const isSame = before.pieces.every(({ frame, grid, transform }) => {
    const now = rootFrom(frame);
    return gridOf.get(frame) === grid && now !== undefined && isStill(now, transform);
  });
  return isSame ? before : undefined;
}

function restoreRoom(record: Stored<RecordOf<"region">>, ground: Ground, rooms: RoomBook): void {
  const points = record.hull?.map(({ x, y }) => ({ x, y }));
  const minZ = record.hull?.[0]?.z;
  const storey = minZ === undefined ? undefined : ground.storeyAt(minZ);
  if (points === undefined || minZ === undefined || storey === undefined) return;
  rooms.restore({
    id: record.id,
    storey: storey.index,
    sinceUs: record.validFromUs,
    polygon: { points, minZ, maxZ: minZ + ROOM_HEIGHT_M },
    type: record.name.replace(/ \d+$/, "") || PLAIN_ROOM,
    name: record.name,
    areaM2: 0,
    coverage: record.coverage,
  });
}

/** Every current record of a kind. */
async function everyRecord<K extends RecordKind>(
  reader: MemoryReader,
  kind: K,
  where: NonNullable<SearchRequest["where"]>,
): Promise<HitOf<K>["record"][]> {
  const found: HitOf<K>["record"][] = [];
  for await (const { record } of eachHit(reader, kind, { where }))
    if (record.validToUs === null) found.push(record);
  return found;
}
