import type { Vec3 } from "../geometry/index.ts";
import { isObject } from "./agents/index.ts";
import type { LiveHouse } from "./live-house.ts";

/** A house as boxes, for bodies that are no simulator of ours (clients/python/loci_body.py). */
export interface BoxWorldFile {
  readonly version: 1;
  /** x, y, z of the floor, and the heading. */
  readonly start: readonly [number, number, number, number];
  readonly things: readonly { readonly number: number; readonly category: string; readonly text: string }[];
  readonly boxes: readonly {
    /** The thing that it is part of; those not listed are walls, floors and the like. */
    readonly thing: number;
    readonly centre: readonly [number, number, number];
    readonly size: readonly [number, number, number];
    readonly yaw: number;
    readonly rgb: readonly [number, number, number];
    readonly floor?: true;
  }[];
}

/**
 * A simulated house as it is at its start. Cylinders and ellipsoids become the boxes around them, patterns and letters
 * are lost: the same rooms and things, of plainer shape.
 */
export function boxWorldOf(house: LiveHouse): BoxWorldFile {
  const { timeline, startUs } = house;
  const { positionInWorld: at, yawRad } = house.start();
  const snapshot = timeline.snapshotAt(startUs);
  const three = ({ x, y, z }: Vec3) => [x, y, z] as const;
  const things = timeline.house.things.filter((thing) => {
    const placement = snapshot.placementOf(thing.id);
    return placement !== undefined && !placement.hidden;
  });
  return {
    version: 1,
    start: [at.x, at.y, at.z, yawRad],
    things: things.filter(isObject).map(({ number, category, name, colour, material }) => ({
      number,
      category,
      text: [colour, material, name].filter((word) => word !== undefined).join(" "),
    })),
    boxes: things.flatMap((thing) =>
      snapshot.solidsOf(thing.id).map(({ centre, size, yawRad: yaw, paint }) => ({
        thing: thing.number,
        centre: three(centre),
        size: three(size),
        yaw,
        rgb: paint.rgb,
        ...(thing.category === "floor" && { floor: true as const }),
      })),
    ),
  };
}
