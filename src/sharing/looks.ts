import { apply, type Transform, type Vec3 } from "../geometry/index.ts";
import { before } from "../map/thing-rooms.ts";
import type { MemoryReader } from "../memory/index.ts";
import type { Sighting } from "../schema/core.ts";

/** How many of the latest observations of each thing are read. */
const LOOKS = 64;
/** From where it was seen as many of them say. */
const LOOKS_FROM = 6;
/** States, and records, asked for at a time. */
const AT_ONCE = 32;
const AT_A_READ = 500;

/** The latest observations of each of these states. */
export async function looksAt(
  reader: MemoryReader,
  stateIds: readonly string[],
  limit = LOOKS,
): Promise<Map<string, readonly Sighting[]>> {
  const found = new Map<string, readonly Sighting[]>();
  for (let at = 0; at < stateIds.length; at += AT_ONCE)
    await Promise.all(
      stateIds.slice(at, at + AT_ONCE).map(async (stateId) => {
        found.set(
          stateId,
          await reader.sightings({ stateIds: [stateId], outcomes: ["seen"], order: "latest", limit }),
        );
      }),
    );
  return found;
}

/** The frames that showed each of them: two that one frame showed are seldom one. */
export function framesOf(looks: ReadonlyMap<string, readonly Sighting[]>): Map<string, ReadonlySet<string>> {
  return new Map(
    [...looks].map(([stateId, seen]) => [
      stateId,
      new Set(seen.map(({ observationId, agentId, timeUs }) => observationId ?? `${agentId} ${timeUs}`)),
    ]),
  );
}

/** Where each state was seen from lately: a point a little in front of it, for each observation. */
export async function seenFrom(
  reader: MemoryReader,
  stateIds: readonly string[],
  placeOf: (frame: string) => Transform | undefined,
): Promise<Map<string, Vec3[]>> {
  const looks = await looksAt(reader, stateIds, LOOKS_FROM);
  const all = [...looks.values()].flat();
  const ids = [...new Set(all.flatMap(({ detectionId, observationId }) => [detectionId, observationId]))];
  const known = ids.filter((id) => id !== undefined);
  const places = new Map<string, Vec3>();
  for (let at = 0; at < known.length; at += AT_A_READ)
    for (const record of await reader.get(known.slice(at, at + AT_A_READ))) {
      const place = record?.anchor && placeOf(record.anchor.submap);
      if (place) places.set(record.id, apply(place, record.anchor!.p));
    }
  const pointOf = ({ detectionId, observationId }: Sighting) => {
    const [point, eye] = [places.get(detectionId ?? ""), places.get(observationId ?? "")];
    return point && eye ? [before(point, eye)] : [];
  };
  return new Map([...looks].map(([stateId, seen]) => [stateId, seen.flatMap(pointOf)]));
}
