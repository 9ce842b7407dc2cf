import type { Solid } from "../solid.ts";
import { partsOf } from "./models.ts";
import type { FluentValues, House, HouseSnapshot, HouseThing, Look, Part, Placement } from "./types.ts";
import { cosOfStep, sinOfStep, stepOfYaw, yawOfStep } from "./yaw.ts";

/** The solids of a thing where it stands and in the state it is in. */
export function solidsFor(
  thing: HouseThing,
  look: Look,
  placement: Placement,
  fluents: FluentValues,
): Solid[] {
  const parts = look.parts ?? partsOf({ ...look, size: placement.extent }, fluents);
  return parts.map((part) => placed(thing.number, part, placement));
}

/** The house as it begins. */
export function startSnapshot(house: House): HouseSnapshot {
  const indexOf = new Map(house.things.map((thing, i) => [thing.id, i]));
  const startOf = (id: string) => {
    const i = indexOf.get(id);
    return i === undefined ? undefined : house.starts[i];
  };
  return {
    house,
    placementOf: (id) => {
      const placement = startOf(id)?.placement;
      return placement?.room == null ? undefined : placement;
    },
    fluentOf: (id, fluent) => startOf(id)?.fluents[fluent],
    solidsOf: remembered((id) => {
      const i = indexOf.get(id);
      const start = i === undefined ? undefined : house.starts[i];
      if (i === undefined || start === undefined || start.placement.room === null) return [];
      return solidsFor(house.things[i]!, start.look, start.placement, start.fluents);
    }),
  };
}

/** A scene stands still, so each thing's solids are built once. */
export function remembered(build: (id: string) => readonly Solid[]): (id: string) => readonly Solid[] {
  const known = new Map<string, readonly Solid[]>();
  return (id) => {
    const solids = known.get(id) ?? build(id);
    known.set(id, solids);
    return solids;
  };
}

function placed(number: number, part: Part, { centre, extent, yawRad }: Placement): Solid {
  const step = stepOfYaw(yawRad);
  const c = cosOfStep(step);
  const s = sinOfStep(step);
  const { x, y, z } = part.centre;
  return {
    thing: number,
    shape: part.shape,
    centre: {
      x: centre.x + x * c - y * s,
      y: centre.y + x * s + y * c,
      z: centre.z - extent.z / 2 + z,
    },
    size: part.size,
    yawRad: yawOfStep(step + stepOfYaw(part.yawRad)),
    paint: part.paint,
  };
}
