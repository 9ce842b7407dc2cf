import type { MemoryReader } from "../../memory/index.ts";
import { writeWhole } from "../whole-file.ts";
import { readWorld } from "../world/read-world.ts";
import type { World, WorldRoom, WorldThing } from "../world/world.ts";
import type { ExportOptions, ExportReport } from "./format.ts";

/** Rooms and their things as simple JSON, to be read by eye or in ten lines of code. */
export async function exportRooms(
  reader: MemoryReader,
  path: string,
  options: ExportOptions,
): Promise<ExportReport> {
  const world = await readWorld(reader, options);
  const bytes = await writeWhole(path, roomPieces(world), options.signal);
  return { bytes, counts: { rooms: world.rooms.length, things: world.things.length }, notes: [] };
}

function* roomPieces({ atUs, rooms, things }: World): Generator<string> {
  const known = new Set(rooms.map(({ id }) => id));
  const byRoom = Map.groupBy(things, ({ roomId }) =>
    roomId !== undefined && known.has(roomId) ? roomId : undefined,
  );
  const held = (id: string | undefined) =>
    `[${(byRoom.get(id) ?? []).map((thing) => `\n    ${JSON.stringify(thingJson(thing))}`).join(",")}]`;
  yield `{"at":${JSON.stringify(isoOf(atUs))},"units":"metres, world frame, z up","rooms":[`;
  let separator = "\n  ";
  for (const room of rooms) {
    yield `${separator}${JSON.stringify(roomJson(room)).slice(0, -1)},"things":${held(room.id)}}`;
    separator = ",\n  ";
  }
  yield `\n],"elsewhere":${held(undefined)}}\n`;
}

function roomJson({ id, name, floor, areaM2, ring }: WorldRoom): object {
  return { id, name, floor, areaM2: short(areaM2), outline: ring.map(({ x, y }) => [short(x), short(y)]) };
}

function thingJson(thing: WorldThing): object {
  const { id, trackId, type, name, category, worldFromBox, sizeM, attributes } = thing;
  const { x, y, z } = worldFromBox.p;
  return {
    id,
    trackId,
    name,
    category,
    ...(type !== "object" && { type }),
    position: [short(x), short(y), short(z)],
    size: [short(sizeM.x), short(sizeM.y), short(sizeM.z)],
    since: isoOf(thing.validFromUs),
    ...(thing.lastSeenUs !== null && { lastSeen: isoOf(thing.lastSeenUs) }),
    ...(thing.supportedBy !== undefined && { on: thing.supportedBy }),
    ...(thing.insideOf !== undefined && { in: thing.insideOf }),
    ...(Object.keys(attributes).length > 0 && { attributes }),
  };
}

/** Millimetres are precise enough for people. */
function short(metres: number): number {
  return Number(metres.toFixed(3));
}

/** Times outside the range of dates stay numbers. */
function isoOf(timeUs: number): string | number {
  const date = new Date(timeUs / 1000);
  return Number.isFinite(date.getTime()) ? date.toISOString() : timeUs;
}
