import { boxFromCentre, type Interval, type Vec3 } from "../geometry/index.ts";
import type { MemoryReader } from "../memory/index.ts";
import { movesItself } from "../ontology/index.ts";
import type { Sighting } from "../schema/core.ts";
import { inWorld } from "./poses.ts";
import { LOOKS } from "./settings/looks.ts";
import { lookKey, straysOf } from "./strays.ts";
import type { KnownThing } from "./thing.ts";

/** The part of a memory that following a person needs. */
interface Watched {
  readonly nowUs: number;
  readonly options: { readonly reader: Pick<MemoryReader, "frames" | "get" | "sightings"> };
  recordsOf(thing: KnownThing): Promise<string[]>;
  roomAt(position: Vec3): Promise<{ readonly id: string; readonly storey: number } | undefined>;
  once<T>(key: string, read: () => Promise<T>): Promise<T>;
}

/** A person or vehicle as it was at a time: the position and size in the nearest sighting. */
export async function asSeenAt(thing: KnownThing, during: Interval, memory: Watched): Promise<KnownThing> {
  if (!movesItself(thing.category) || thing.agentId !== undefined) return thing;
  const look = await lookAt(thing, during, memory);
  const position = look?.anchor && inWorld(await memory.options.reader.frames(), look.anchor);
  if (!position) return thing;
  const extent = await extentIn(look, memory);
  const room = await memory.roomAt(position);
  return {
    ...thing,
    position,
    box: extent ? boxFromCentre(position, extent) : thing.box && movedBox(thing, position),
    roomId: room?.id,
    heldBy: undefined,
  };
}

async function lookAt(
  thing: KnownThing,
  { fromUs, toUs }: Interval,
  memory: Watched,
): Promise<Sighting | undefined> {
  const endUs = Math.min(toUs ?? memory.nowUs + 1, memory.nowUs + 1);
  const stateIds = await memory.recordsOf(thing);
  const strays = await straysOf(thing, memory);
  const one = async (from: number, to: number, order: "earliest" | "latest") => {
    const during = { fromUs: from, toUs: Math.max(to, from + 1) };
    const { reader } = memory.options;
    const limit = 1 + strays.size;
    const looks = await reader.sightings({ stateIds, outcomes: ["seen"], during, order, limit });
    return looks.find((look) => !strays.has(lookKey(look)));
  };
  const within = await one(fromUs, endUs, "latest");
  if (within) return within;
  const before = await one(thing.state.validFromUs - 1, fromUs, "latest");
  if (before && fromUs - before.timeUs <= LOOKS.moverNearUs) return before;
  const after = await one(endUs, endUs + LOOKS.moverNearUs, "earliest");
  return after ?? before;
}

/** The size in a sighting: a sitting person is lower than a standing one. */
async function extentIn({ detectionId }: Sighting, memory: Watched): Promise<Vec3 | undefined> {
  if (detectionId === undefined) return undefined;
  const [detection] = await memory.options.reader.get([detectionId]);
  if (detection?.kind !== "detection" || !detection.extent) return undefined;
  const { x, y, z } = detection.extent;
  const sideM = Math.max(x, y);
  return { x: sideM, y: sideM, z };
}

function movedBox({ box, position }: KnownThing, to: Vec3): KnownThing["box"] {
  if (!box || !position) return box;
  const by = { x: to.x - position.x, y: to.y - position.y, z: to.z - position.z };
  const add = (p: Vec3) => ({ x: p.x + by.x, y: p.y + by.y, z: p.z + by.z });
  return { min: add(box.min), max: add(box.max) };
}
