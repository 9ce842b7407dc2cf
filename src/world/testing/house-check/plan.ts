import type { HouseSnapshot, Opening, Room } from "../../house/types.ts";
import type { Fault } from "./fault.ts";
import { depthM, type Upright, upright } from "./upright.ts";

const WALL_M = 0.05;

/** Doors and windows are holes in walls between the rooms they name, and things are in the rooms they name. */
export function planFaults(scene: HouseSnapshot, solids: ReadonlyMap<string, readonly Upright[]>): Fault[] {
  const faults: Fault[] = [];
  const rooms = new Map(scene.house.rooms.map((room) => [room.id, room]));
  const walls = scene.house.things
    .filter((t) => t.category === "wall" || t.category === "facade")
    .flatMap((t) => solids.get(t.id) ?? []);
  for (const opening of scene.house.openings) {
    const fault = (detail: string): void =>
      void faults.push({ code: "door-astray", thing: opening.id, detail });
    const [first, second] = opening.rooms.map((id) => (id === null ? null : rooms.get(id)));
    if (first === undefined || first === null || second === undefined) {
      fault(`names a room that does not exist`);
      continue;
    }
    if (!onEdge(opening, first) || (second !== null && !onEdge(opening, second)))
      fault("is not on a wall of the rooms it names");
    const others = scene.house.rooms.filter((r) => r !== first && r !== second && r.floor === opening.floor);
    if (others.some((r) => onEdge(opening, r))) fault("touches a third room");
    if (second !== null && sideOf(opening, first) === sideOf(opening, second))
      fault("has both rooms on the same side");
    const { centre, widthM, heightM, along } = opening;
    const hole = upright(opening.id, {
      centre: { ...centre, z: centre.z + heightM / 2 },
      size: along === "x" ? { x: widthM, y: 0.1, z: heightM } : { x: 0.1, y: widthM, z: heightM },
      yawRad: 0,
    });
    if (walls.some((wall) => depthM(hole, wall) > 0.001)) fault("is walled up");
  }
  for (const thing of scene.house.things) {
    const placement = scene.placementOf(thing.id);
    if (
      placement === undefined ||
      thing.type === "structure" ||
      thing.type === "door" ||
      thing.type === "window" ||
      thing.type === "person"
    )
      continue;
    const room = placement.room === null ? undefined : rooms.get(placement.room);
    if (room === undefined || !holds(room, placement.centre))
      faults.push({ code: "record", thing: thing.id, detail: `is not in room ${placement.room}` });
  }
  return faults;
}

/** The whole width of the hole lies along one edge of the room, half a wall away. */
function onEdge({ along, centre, widthM }: Opening, room: Room): boolean {
  const [a, , b] = room.polygon.points as [{ x: number; y: number }, unknown, { x: number; y: number }];
  const [across, u] = along === "x" ? [centre.y, centre.x] : [centre.x, centre.y];
  const [low, high, from, to] = along === "x" ? [a.y, b.y, a.x, b.x] : [a.x, b.x, a.y, b.y];
  const near = Math.abs(across - (low - WALL_M)) < 0.01 || Math.abs(across - (high + WALL_M)) < 0.01;
  return near && u - widthM / 2 >= from - 0.01 && u + widthM / 2 <= to + 0.01;
}

function sideOf({ along, centre }: Opening, room: Room): boolean {
  const [a, , b] = room.polygon.points as [{ x: number; y: number }, unknown, { x: number; y: number }];
  return along === "x" ? (a.y + b.y) / 2 > centre.y : (a.x + b.x) / 2 > centre.x;
}

function holds(
  { polygon: { points }, floorZM, ceilingM }: Room,
  { x, y, z }: { x: number; y: number; z: number },
): boolean {
  const a = points[0]!;
  const b = points[2]!;
  return x >= a.x && x <= b.x && y >= a.y && y <= b.y && z >= floorZM && z <= floorZM + ceilingM;
}
