import { apply, ecefToGeodetic, type FrameGraph, polygonArea, type Vec3 } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import { WORLD_FRAME } from "../../schema/core.ts";
import { writeWhole } from "../whole-file.ts";
import { readWorld } from "../world/read-world.ts";
import type { World, WorldPlace, WorldRoom, WorldThing } from "../world/world.ts";
import type { ExportOptions, ExportReport } from "./format.ts";

/** The geodetic frame of satellite fixes (sensors/ros). */
const EARTH_FRAME = "earth";
/** A hundredth of a millimetre on the ground; further digits are noise. */
const DEGREE_DIGITS = 10;
const METRE_DIGITS = 4;

type Position = readonly [number, number, number];
type ToPosition = (point: Vec3) => Position;

/**
 * Rooms and things as polygons, places as points. If the frame graph gives the world's position on Earth, these are
 * WGS 84 degrees as in RFC 7946; else metres in the world frame, and the file says so.
 */
export async function exportGeoJson(
  reader: MemoryReader,
  path: string,
  options: ExportOptions,
): Promise<ExportReport> {
  const world = await readWorld(reader, options);
  const toEarth = toDegrees(world.graph);
  const bytes = await writeWhole(path, geoJsonPieces(world, toEarth), options.signal);
  const { rooms, things, places } = world;
  return {
    bytes,
    counts: { rooms: rooms.length, things: things.length, places: places.length },
    notes: toEarth
      ? []
      : ["coordinates are local metres, not degrees: nothing in this memory says where on Earth it lies"],
  };
}

/** Converts a point in the world to degrees, if possible. */
function toDegrees(graph: FrameGraph): ToPosition | undefined {
  const earthFromWorld = graph.frames().includes(EARTH_FRAME)
    ? graph.resolve(EARTH_FRAME, WORLD_FRAME)
    : undefined;
  if (earthFromWorld === undefined) return undefined;
  return (point) => {
    const { latitudeDeg, longitudeDeg, altitudeM } = ecefToGeodetic(apply(earthFromWorld, point));
    return [
      rounded(longitudeDeg, DEGREE_DIGITS),
      rounded(latitudeDeg, DEGREE_DIGITS),
      rounded(altitudeM, METRE_DIGITS),
    ];
  };
}

function* geoJsonPieces(world: World, toEarth: ToPosition | undefined): Generator<string> {
  const at = toEarth ?? (({ x, y, z }) => [x, y, z].map((m) => rounded(m, METRE_DIGITS)) as never);
  yield '{"type":"FeatureCollection",';
  yield `"loci":${JSON.stringify({
    atUs: world.atUs,
    coordinates: toEarth ? "WGS 84 degrees, metres above the ellipsoid" : "local metres, not degrees",
    ...(!toEarth && { frame: WORLD_FRAME }),
  })},"features":[`;
  let separator = "\n";
  for (const feature of featuresOf(world, at)) {
    yield separator + JSON.stringify(feature);
    separator = ",\n";
  }
  yield "\n]}\n";
}

function* featuresOf({ rooms, things, places }: World, at: ToPosition): Generator<object> {
  for (const room of rooms) yield roomFeature(room, at);
  for (const thing of things) yield thingFeature(thing, at);
  for (const place of places) yield placeFeature(place, at);
}

function roomFeature({ id, name, floor, ring, areaM2, validFromUs }: WorldRoom, at: ToPosition): object {
  return {
    type: "Feature",
    id,
    geometry: polygonOf(ring, at),
    properties: { kind: "room", name, floor, areaM2: rounded(areaM2, METRE_DIGITS), validFromUs },
  };
}

function thingFeature(thing: WorldThing, at: ToPosition): object {
  const { id, trackId, type, name, category, sizeM, validFromUs, validToUs, lastSeenUs, roomId } = thing;
  return {
    type: "Feature",
    id,
    geometry: polygonOf(footprintOf(thing), at),
    properties: {
      kind: "thing",
      type,
      name,
      category,
      trackId,
      heightM: rounded(sizeM.z, METRE_DIGITS),
      validFromUs,
      validToUs,
      lastSeenUs,
      ...(roomId !== undefined && { roomId }),
      attributes: thing.attributes,
    },
  };
}

function placeFeature({ id, position, yawRad, roomId, edges }: WorldPlace, at: ToPosition): object {
  return {
    type: "Feature",
    id,
    geometry: { type: "Point", coordinates: at(position) },
    properties: { kind: "place", yawRad, ...(roomId !== undefined && { roomId }), edges },
  };
}

/** The corners of a box's base. */
function footprintOf({ worldFromBox, sizeM }: WorldThing): Vec3[] {
  const [x, y, z] = [sizeM.x / 2, sizeM.y / 2, -sizeM.z / 2];
  return [
    { x: -x, y: -y, z },
    { x, y: -y, z },
    { x, y, z },
    { x: -x, y, z },
  ].map((corner) => apply(worldFromBox, corner));
}

/** A closed ring, counter-clockwise as RFC 7946 requires. */
function polygonOf(ring: readonly Vec3[], at: ToPosition): object {
  const turned = polygonArea({ points: ring }) < 0 ? ring.toReversed() : ring;
  const corners = turned.map(at);
  return { type: "Polygon", coordinates: [[...corners, corners[0]]] };
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
