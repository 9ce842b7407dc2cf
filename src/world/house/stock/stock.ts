import type { Box, Random } from "../../../geometry/index.ts";
import type { HouseBuilder } from "../builder.ts";
import { boxesClash, boxOfSolid } from "../collide.ts";
import { drawSpecimen, type Specimen } from "../furnish/look.ts";
import type { RoomSpace } from "../furnish/room-space.ts";
import { modelOf, shelvesOf } from "../models.ts";
import { mm, rectAround } from "../plan/rect.ts";
import type { FluentValues, Placement, RoomType } from "../types.ts";
import { turnedHalf, yawOfStep } from "../yaw.ts";
import { findSpot, type Slot } from "./slot.ts";
import { FLOOR_STOCK, MUST_STOCK, PERSONAL, SHARED, STOCK } from "./tables.ts";

/** A room as the stocker sees it. */
export interface Store {
  readonly id: string;
  readonly type: RoomType;
  readonly floorZM: number;
  readonly floorThing: string;
  readonly owner?: string;
  readonly space: RoomSpace;
}

interface Stand {
  readonly store: Store;
  readonly slot: Slot;
  /** Key into STOCK: the host's category, "/in" for its inside. */
  readonly key: string;
  readonly hides: boolean;
}

/** Puts small things into the house until it has `target` of them or no room is left; returns their number. */
export function stockHouse(
  builder: HouseBuilder,
  stores: readonly Store[],
  people: readonly string[],
  target: number,
  perturbation: number,
  random: Random,
): number {
  const stands = standsOf(builder, stores);
  const boxes = furnitureBoxes(builder);
  const place = (stand: Stand, category: string): boolean =>
    placeAt(builder, stand, category, people, boxes, random);
  let placed = 0;
  for (const stand of stands) {
    for (const category of MUST_STOCK[stand.key] ?? [])
      if (placed < target && place(stand, category)) placed++;
  }
  const everything = [...new Set(Object.values(STOCK).flatMap((row) => Object.keys(row)))];
  const weights = stands.map(
    ({ slot: { shelf } }) => Math.min(0.5, (shelf.maxX - shelf.minX) * (shelf.maxY - shelf.minY)) + 0.05,
  );
  for (let misses = 0; placed < target && misses < 200 + target * 6; ) {
    const floor = random.chance(0.12);
    const strange = random.chance(perturbation * 0.5);
    let done = false;
    if (floor || stands.length === 0) {
      const store = random.pick(stores);
      const row = FLOOR_STOCK[store.type];
      done = placeOnFloor(
        builder,
        store,
        strange ? random.pick(everything) : drawn(row, random),
        people,
        random,
      );
    } else {
      const stand = random.weighted(stands, weights);
      const row = STOCK[stand.key];
      if (row !== undefined) done = place(stand, strange ? random.pick(everything) : drawn(row, random));
    }
    if (done) placed++;
    else misses++;
  }
  return placed;
}

/** Starting values: mostly at rest, some things on, full, open or unmade. */
export function startFluents(specimen: Specimen, random: Random): FluentValues {
  const values: Record<string, string> = {};
  for (const name of specimen.model.fluents ?? []) {
    const draw = random.next();
    if (name === "power") values["power"] = draw < 0.35 ? "on" : "off";
    else if (name === "fill") values["fill"] = draw < 0.5 ? "full" : "empty";
    else if (name === "making") values["making"] = draw < 0.3 ? "unmade" : "made";
    else if (name === "occupancy") values["occupancy"] = "free";
    else values["openness"] = "closed";
  }
  return values;
}

/** The owner: always a person for personal things, sometimes for a mug or a book. */
export function ownerFor(
  category: string,
  roomOwner: string | undefined,
  people: readonly string[],
  random: Random,
): string | undefined {
  const somebody = PERSONAL.has(category) || (SHARED.has(category) && random.chance(0.3));
  return somebody ? (roomOwner ?? random.pick(people)) : undefined;
}

function standsOf(builder: HouseBuilder, stores: readonly Store[]): Stand[] {
  return stores.flatMap((store) =>
    builder.things.flatMap((thing, i): Stand[] => {
      const start = builder.starts[i]!;
      if (thing.roomAtStart !== store.id || thing.type !== "furniture") return [];
      return shelvesOf(start.look, start.fluents).map((shelf) => ({
        store,
        slot: { host: thing.id, hostPlacement: start.placement, shelf, items: [] },
        key: shelf.kind === "cavity" ? `${thing.category}/in` : thing.category,
        hides: shelf.kind === "cavity" && start.fluents.openness !== "open",
      }));
    }),
  );
}

/** What small things must keep out of, by host: whole boxes of furniture, doors and curtains. */
function furnitureBoxes(builder: HouseBuilder): { id: string; box: Box }[] {
  return builder.things.flatMap((thing, i) => {
    const { centre, extent, yawRad } = builder.starts[i]!.placement;
    return thing.type === "structure"
      ? []
      : [{ id: thing.id, box: boxOfSolid({ centre, size: extent, yawRad }) }];
  });
}

function placeAt(
  builder: HouseBuilder,
  stand: Stand,
  category: string,
  people: readonly string[],
  boxes: readonly { id: string; box: Box }[],
  random: Random,
): boolean {
  const { slot, store } = stand;
  const specimen = drawSpecimen(modelOf(category), random);
  const inside = slot.shelf.kind !== "top";
  const clash = (box: Box): boolean =>
    !inside && boxes.some((other) => other.id !== slot.host && boxesClash(box, other.box));
  const spot = findSpot(slot, category, specimen.look.size, random, clash);
  if (spot === undefined) return false;
  const placement: Placement = {
    centre: spot.centre,
    extent: specimen.look.size,
    yawRad: spot.yawRad,
    room: store.id,
    supportedBy: slot.host,
    ...(inside ? { insideOf: slot.host } : {}),
    hidden: stand.hides,
  };
  slot.items.push(spot.rect);
  builder.addSpecimen(
    specimen,
    "small",
    placement,
    startFluents(specimen, random),
    ownerFor(category, store.owner, people, random),
  );
  return true;
}

/** By a wall or a piece of furniture, out of people's way. */
function placeOnFloor(
  builder: HouseBuilder,
  store: Store,
  category: string,
  people: readonly string[],
  random: Random,
): boolean {
  const specimen = drawSpecimen(modelOf(category), random);
  const { size } = specimen.look;
  const { inner } = store.space;
  const step = random.pick([0, 0, 2, 4, 6, 12, 14, 18, 22]);
  const half = turnedHalf(size.x, size.y, step);
  const side = random.int(0, 4);
  const near = random.range(0.02, 0.4);
  const x =
    side === 0
      ? inner.x0 + half.x + near
      : side === 1
        ? inner.x1 - half.x - near
        : random.range(inner.x0 + half.x, inner.x1 - half.x);
  const y =
    side === 2
      ? inner.y0 + half.y + near
      : side === 3
        ? inner.y1 - half.y - near
        : random.range(inner.y0 + half.y, inner.y1 - half.y);
  const rect = rectAround(mm(x), mm(y), half.x, half.y);
  const taken = { rect, z0: 0, z1: size.z };
  if (!store.space.fits(taken, undefined)) return false;
  store.space.place(taken);
  const placement: Placement = {
    centre: { x: mm(x), y: mm(y), z: store.floorZM + size.z / 2 },
    extent: size,
    yawRad: yawOfStep(step),
    room: store.id,
    supportedBy: store.floorThing,
    hidden: false,
  };
  builder.addSpecimen(
    specimen,
    "small",
    placement,
    startFluents(specimen, random),
    ownerFor(category, store.owner, people, random),
  );
  return true;
}

function drawn(row: Readonly<Record<string, number>>, random: Random): string {
  const names = Object.keys(row);
  return random.weighted(
    names,
    names.map((name) => row[name]!),
  );
}
