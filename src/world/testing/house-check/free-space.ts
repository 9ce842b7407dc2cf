import type { House, HouseSnapshot } from "../../house/types.ts";
import type { Fault } from "./fault.ts";
import { flatDistanceM, type Upright } from "./upright.ts";

const CELL_M = 0.05;
const ROBOT_RADIUS_M = 0.2;
const ROBOT_HEIGHT_M = 1.6;
/** An unreachable pocket small enough to ignore: behind a chair, in a niche. */
const POCKET_M2 = 0.35;

/** All floor on which a robot of 0.2 m radius can stand is one piece, over the stairs too, with the doors open. */
export function freeSpace(scene: HouseSnapshot, solids: ReadonlyMap<string, readonly Upright[]>): Fault[] {
  const { house } = scene;
  const closedDoors = new Set(
    house.openings.flatMap((o) =>
      o.kind === "door" && o.thing !== undefined && scene.fluentOf(o.thing, "openness") === "closed"
        ? [o.thing]
        : [],
    ),
  );
  const people = new Set(house.things.filter((t) => t.type === "person").map((t) => t.id));
  const obstacles = [...solids].flatMap(([id, own]) => (closedDoors.has(id) || people.has(id) ? [] : own));
  const faults: Fault[] = [];
  const maps = Array.from({ length: house.floors }, (_, floor) => floorMap(house, floor, obstacles));
  maps.forEach((map, floor) => {
    const sizes = new Map<number, number>();
    for (const label of map.labels) if (label > 0) sizes.set(label, (sizes.get(label) ?? 0) + 1);
    const main = [...sizes].sort((a, b) => b[1] - a[1])[0]?.[0] ?? -1;
    for (const [label, cells] of sizes) {
      const area = cells * CELL_M * CELL_M;
      if (label !== main && area > POCKET_M2)
        faults.push({
          code: "cut-off",
          thing: `floor-${floor}`,
          detail: `${area.toFixed(2)} m² of floor cannot be reached`,
        });
    }
    const reached = (x: number, y: number): boolean => map.labels[map.cellAt(x, y)] === main;
    for (const room of house.rooms.filter((r) => r.floor === floor)) {
      const { points } = room.polygon;
      let any = false;
      for (let x = points[0]!.x; x < points[2]!.x && !any; x += CELL_M)
        for (let y = points[0]!.y; y < points[2]!.y && !any; y += CELL_M) any = reached(x, y);
      if (!any) faults.push({ code: "cut-off", thing: room.id, detail: "no way in" });
    }
    for (const opening of house.openings) {
      if (opening.floor !== floor || opening.kind === "window" || opening.kind === "entrance") continue;
      if (!reached(opening.centre.x, opening.centre.y))
        faults.push({ code: "cut-off", thing: opening.id, detail: "no way through" });
    }
    for (const { foot, head, fromFloor, toFloor, thing } of house.stairs) {
      if (fromFloor === floor && !reached(foot.x, foot.y))
        faults.push({ code: "cut-off", thing, detail: "its foot cannot be reached" });
      if (toFloor === floor && !reached(head.x, head.y))
        faults.push({ code: "cut-off", thing, detail: "its head cannot be reached" });
    }
  });
  if (house.floors > 1 && house.stairs.length === 0)
    faults.push({ code: "cut-off", thing: "floor-1", detail: "there are no stairs" });
  return faults;
}

/** Free cells labelled by component, 0 for blocked ones. */
function floorMap(
  house: House,
  floor: number,
  obstacles: readonly Upright[],
): { labels: Int32Array; cellAt: (x: number, y: number) => number } {
  const points = house.rooms.flatMap((room) => room.polygon.points);
  const x0 = Math.min(...points.map((p) => p.x));
  const y0 = Math.min(...points.map((p) => p.y));
  const columns = Math.ceil((Math.max(...points.map((p) => p.x)) - x0) / CELL_M);
  const rows = Math.ceil((Math.max(...points.map((p) => p.y)) - y0) / CELL_M);
  const labels = new Int32Array(columns * rows).fill(-1);
  const z = house.rooms.find((room) => room.floor === floor)!.floorZM;
  for (const o of obstacles) {
    if (o.high < z + 0.05 || o.low > z + ROBOT_HEIGHT_M) continue;
    const low = (v: number, half: number, from: number): number =>
      Math.max(0, Math.floor((v - half - ROBOT_RADIUS_M - from) / CELL_M));
    const high = (v: number, half: number, from: number, count: number): number =>
      Math.min(count - 1, Math.ceil((v + half + ROBOT_RADIUS_M - from) / CELL_M));
    for (let row = low(o.y, o.ay, y0); row <= high(o.y, o.ay, y0, rows); row++) {
      for (let column = low(o.x, o.ax, x0); column <= high(o.x, o.ax, x0, columns); column++) {
        if (flatDistanceM(x0 + (column + 0.5) * CELL_M, y0 + (row + 0.5) * CELL_M, o) < ROBOT_RADIUS_M)
          labels[row * columns + column] = 0;
      }
    }
  }
  markStairwell(
    house,
    floor,
    (x, y) => Math.floor((y - y0) / CELL_M) * columns + Math.floor((x - x0) / CELL_M),
    labels,
  );
  label(labels, columns);
  return {
    labels,
    cellAt: (x, y) => Math.floor((y - y0) / CELL_M) * columns + Math.floor((x - x0) / CELL_M),
  };
}

/** Above the stairs there is no floor to stand on: the room's floor solids have a hole there. */
function markStairwell(
  house: House,
  floor: number,
  cellAt: (x: number, y: number) => number,
  labels: Int32Array,
): void {
  for (const { foot, head, toFloor } of house.stairs) {
    if (toFloor !== floor) continue;
    const width = 0.95 / 2 + ROBOT_RADIUS_M;
    const along = foot.y === head.y;
    const [a, b] = along
      ? [Math.min(foot.x, head.x), Math.max(foot.x, head.x)]
      : [Math.min(foot.y, head.y), Math.max(foot.y, head.y)];
    const rises = along ? Math.sign(head.x - foot.x) : Math.sign(head.y - foot.y);
    const from = a + (rises > 0 ? 0.25 : 0.45 - ROBOT_RADIUS_M);
    const to = b - (rises > 0 ? 0.45 - ROBOT_RADIUS_M : 0.25);
    for (let u = from; u <= to; u += CELL_M / 2) {
      for (let v = -width; v <= width; v += CELL_M / 2) {
        const cell = along ? cellAt(u, foot.y + v) : cellAt(foot.x + v, u);
        if (cell >= 0 && cell < labels.length) labels[cell] = 0;
      }
    }
  }
}

function label(labels: Int32Array, columns: number): void {
  let next = 1;
  const stack: number[] = [];
  for (let start = 0; start < labels.length; start++) {
    if (labels[start] !== -1) continue;
    const own = next++;
    labels[start] = own;
    stack.push(start);
    while (stack.length > 0) {
      const cell = stack.pop()!;
      const column = cell % columns;
      for (const [ok, to] of [
        [column > 0, cell - 1],
        [column < columns - 1, cell + 1],
        [cell >= columns, cell - columns],
        [cell + columns < labels.length, cell + columns],
      ] as const) {
        if (ok && labels[to] === -1) {
          labels[to] = own;
          stack.push(to);
        }
      }
    }
  }
}
