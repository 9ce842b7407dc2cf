import type { Drawing, DrawnPath } from "../../exchange/picture/index.ts";
import { floorAt, legsOf } from "../../exchange/picture/index.ts";
import type { Point2 } from "../../geometry/index.ts";
import type { Truth } from "./truth.ts";
import type { TruthPlacement } from "./truth-schema.ts";

/** Sampling interval of a person's path. */
const STEP_US = 500_000;

/**
 * The truth at a time as a scene, to be drawn beside a memory: all rooms, every countable thing that is there and not
 * shut away, the true paths of people and agents until then. A memory is tested only on what was seen, so only that
 * is drawn.
 */
export function truthDrawing(truth: Truth, atUs: number = truth.endUs - 1): Drawing {
  const { house } = truth.document;
  const floorsM = [...new Set(house.rooms.map(({ polygon }) => polygon.minZ))].sort((a, b) => a - b);
  const things = truth.things
    .filter(({ id, type }) => type !== "person" && truth.isCountable(id))
    .flatMap(({ id, category }) => {
      const placement = truth.placementAt(id, atUs)?.placement;
      if (placement === undefined || placement.hidden) return [];
      const { centre, extent } = placement;
      const floor = floorAt(floorsM, centre.z - extent.z / 2);
      const isOverhead = centre.z - extent.z / 2 > floorsM[floor]! + 1.75;
      return [{ name: category, ring: ringOf(placement), floor, isGone: false, isOverhead }];
    });
  const moves = truth.things.flatMap(({ id, name, type }) => {
    const stays =
      type === "person" || type === "door" ? [] : truth.staysOf(id).filter(({ fromUs }) => fromUs <= atUs);
    return stays.slice(1).map(({ placement }, i) => ({
      name,
      from: stays[i]!.placement.centre,
      to: placement.centre,
      floor: floorAt(floorsM, placement.centre.z),
    }));
  });
  const people = truth.things
    .filter(({ id, type }) => type === "person" && truth.isCountable(id))
    .map(({ id, name }): DrawnPath => {
      const points = [];
      for (let timeUs = truth.document.startUs; timeUs <= atUs; timeUs += STEP_US) {
        const placement = truth.placementAt(id, timeUs)?.placement;
        if (placement) points.push(placement.centre);
      }
      return { name, legs: legsOf(points, floorsM) };
    });
  const agents = [...Map.groupBy(truth.frames, ({ agentId }) => agentId)].map(([name, frames]) => {
    const points = frames
      .filter(({ trueUs }) => trueUs <= atUs)
      .map(({ worldFromCamera }) => worldFromCamera.p);
    return { name, legs: legsOf(points, floorsM) };
  });
  return {
    title: "the truth",
    floorsM,
    rooms: house.rooms.map(({ name, polygon }) => ({
      name,
      ring: polygon.points,
      floor: floorAt(floorsM, polygon.minZ),
    })),
    things,
    moves,
    people,
    agents,
    ground: [],
    openings: (house.openings ?? [])
      .filter(({ kind }) => kind !== "window")
      .map(({ along, centre, widthM }) => {
        const [x, y] = along === "x" ? [widthM / 2, 0] : [0, widthM / 2];
        return {
          from: { x: centre.x - x, y: centre.y - y },
          to: { x: centre.x + x, y: centre.y + y },
          floor: floorAt(floorsM, centre.z),
        };
      }),
  };
}

function ringOf({ centre, extent, yawRad }: TruthPlacement): Point2[] {
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  return [
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
  ].map(([a, b]) => {
    const [x, y] = [(a! * extent.x) / 2, (b! * extent.y) / 2];
    return { x: centre.x + x * cos - y * sin, y: centre.y + x * sin + y * cos };
  });
}
