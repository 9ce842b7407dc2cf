import type { Vec3 } from "../../geometry/index.ts";
import { type HouseSnapshot, isMover } from "../house/types.ts";
import { cosOfStep, sinOfStep, stepOfYaw, turnedHalf } from "../house/yaw.ts";
import type { Solid } from "../solid.ts";

export interface RobotSize {
  /** Default 0.2. */
  readonly radiusM?: number;
  /** What hangs higher is no obstacle; default 1.6. */
  readonly heightM?: number;
}

/** Side of a cell. */
export const CELL_M = 0.05;
/** Things lower than this are driven over: rugs, thresholds. */
const STEP_OVER_M = 0.03;

/** Two nodes joined by stairs, with the length of the flight. */
export interface StairLink {
  readonly from: number;
  readonly to: number;
  readonly lengthM: number;
}

/**
 * Where the centre of a robot can be, on every floor, at one moment: cells of 0.05 m with floor under them whose
 * centre is at least the robot's radius from every solid in its way. People are not obstacles: they move. A node is a
 * cell of a floor; nodes of the next floor follow those of the one below.
 */
export class FreeSpace {
  readonly columns: number;
  readonly rows: number;
  readonly floors: number;
  readonly stairs: readonly StairLink[];
  /** 1 where the robot can be. */
  readonly free: Uint8Array;
  readonly #x0: number;
  readonly #y0: number;
  readonly #floorZ: readonly number[];

  constructor(scene: HouseSnapshot, robot: RobotSize = {}) {
    const { radiusM = 0.2, heightM = 1.6 } = robot;
    const { house } = scene;
    const points = house.rooms.flatMap((room) => room.polygon.points);
    this.#x0 = Math.min(...points.map((p) => p.x)) - 0.1;
    this.#y0 = Math.min(...points.map((p) => p.y)) - 0.1;
    this.columns = Math.ceil((Math.max(...points.map((p) => p.x)) + 0.1 - this.#x0) / CELL_M);
    this.rows = Math.ceil((Math.max(...points.map((p) => p.y)) + 0.1 - this.#y0) / CELL_M);
    this.floors = house.floors;
    this.#floorZ = Array.from(
      { length: house.floors },
      (_, floor) => house.rooms.find((room) => room.floor === floor)!.floorZM,
    );
    this.free = new Uint8Array(this.columns * this.rows * this.floors);
    const obstacles: Solid[] = [];
    for (const thing of house.things) {
      if (isMover(thing)) continue;
      const placement = scene.placementOf(thing.id);
      // Carried things are not in the way either; the contents of closed furniture add nothing.
      if (placement === undefined || placement.hidden || placement.supportedBy?.startsWith("person-"))
        continue;
      for (const solid of scene.solidsOf(thing.id)) {
        if (thing.category === "floor") this.#lay(solid);
        else obstacles.push(solid);
      }
    }
    for (const solid of obstacles) this.#block(solid, radiusM, heightM);
    this.stairs = house.stairs.flatMap(({ foot, head }) => {
      const from = this.nodeAt(foot);
      const to = this.nodeAt(head);
      if (from < 0 || to < 0 || this.free[from] !== 1 || this.free[to] !== 1) return [];
      const d = { x: head.x - foot.x, y: head.y - foot.y, z: head.z - foot.z };
      return [{ from, to, lengthM: Math.sqrt(d.x * d.x + d.y * d.y + d.z * d.z) }];
    });
  }

  /** The cell under a point of the floor nearest below it, or −1 outside the house. */
  nodeAt({ x, y, z }: Vec3): number {
    const column = Math.floor((x - this.#x0) / CELL_M);
    const row = Math.floor((y - this.#y0) / CELL_M);
    if (column < 0 || row < 0 || column >= this.columns || row >= this.rows) return -1;
    return (this.#floorOf(z) * this.rows + row) * this.columns + column;
  }

  isFree(point: Vec3): boolean {
    const node = this.nodeAt(point);
    return node >= 0 && this.free[node] === 1;
  }

  /** The middle of a cell, on its floor. */
  pointOf(node: number): Vec3 {
    const cell = node % (this.columns * this.rows);
    const floor = Math.floor(node / (this.columns * this.rows));
    return {
      x: this.#x0 + ((cell % this.columns) + 0.5) * CELL_M,
      y: this.#y0 + (Math.floor(cell / this.columns) + 0.5) * CELL_M,
      z: this.#floorZ[floor]!,
    };
  }

  /** The free cell nearest to a point on its floor, or −1 when none is within reach. Ties go to the lower node. */
  nearestFree(point: Vec3, withinM = 1.5): number {
    const start = this.nodeAt(point);
    if (start >= 0 && this.free[start] === 1) return start;
    const reach = Math.ceil(withinM / CELL_M);
    const column = Math.floor((point.x - this.#x0) / CELL_M);
    const row = Math.floor((point.y - this.#y0) / CELL_M);
    const base = this.#floorOf(point.z) * this.rows;
    let best = -1;
    let bestSquared = withinM * withinM;
    for (let r = Math.max(0, row - reach); r <= Math.min(this.rows - 1, row + reach); r++) {
      for (let c = Math.max(0, column - reach); c <= Math.min(this.columns - 1, column + reach); c++) {
        const node = (base + r) * this.columns + c;
        if (this.free[node] !== 1) continue;
        const dx = this.#x0 + (c + 0.5) * CELL_M - point.x;
        const dy = this.#y0 + (r + 0.5) * CELL_M - point.y;
        const squared = dx * dx + dy * dy;
        if (squared < bestSquared) [best, bestSquared] = [node, squared];
      }
    }
    return best;
  }

  /** Whether the straight line between two points of one floor runs over free cells only. */
  isClear(a: Vec3, b: Vec3): boolean {
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const steps = Math.max(1, Math.ceil((Math.sqrt(dx * dx + dy * dy) / CELL_M) * 4));
    for (let i = 0; i <= steps; i++) {
      const t = i / steps;
      if (!this.isFree({ x: a.x + dx * t, y: a.y + dy * t, z: a.z })) return false;
    }
    return true;
  }

  /** Free floor in square metres. */
  areaM2(): number {
    let cells = 0;
    for (const cell of this.free) cells += cell;
    return cells * CELL_M * CELL_M;
  }

  /** Square metres reachable from a node, by the same steps as the paths, stairs included. */
  reachableM2(from: number): number {
    if (from < 0 || this.free[from] !== 1) return 0;
    const seen = new Uint8Array(this.free.length);
    const stack = [from];
    seen[from] = 1;
    let cells = 0;
    const perFloor = this.columns * this.rows;
    const visit = (node: number): void => {
      if (this.free[node] === 1 && seen[node] === 0) {
        seen[node] = 1;
        stack.push(node);
      }
    };
    for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
      cells++;
      const cell = node % perFloor;
      const column = cell % this.columns;
      if (column > 0) visit(node - 1);
      if (column < this.columns - 1) visit(node + 1);
      if (cell >= this.columns) visit(node - this.columns);
      if (cell + this.columns < perFloor) visit(node + this.columns);
      for (const { from: low, to: high } of this.stairs) {
        if (node === low) visit(high);
        if (node === high) visit(low);
      }
    }
    return cells * CELL_M * CELL_M;
  }

  #floorOf(z: number): number {
    let floor = 0;
    while (floor + 1 < this.floors && z > this.#floorZ[floor + 1]! - 0.3) floor++;
    return floor;
  }

  /** Cells over a floor slab can be stood on. */
  #lay({ centre, size }: Solid): void {
    const top = centre.z + size.z / 2;
    const floor = this.#floorZ.findIndex((z) => Math.abs(z - top) < 0.01);
    if (floor < 0) return;
    const [c0, c1] = span(centre.x - size.x / 2 - this.#x0, centre.x + size.x / 2 - this.#x0, this.columns);
    const [r0, r1] = span(centre.y - size.y / 2 - this.#y0, centre.y + size.y / 2 - this.#y0, this.rows);
    for (let row = r0; row < r1; row++) {
      const from = (floor * this.rows + row) * this.columns;
      this.free.fill(1, from + c0, from + Math.max(c0, c1));
    }
  }

  /** Clears the cells whose middle is nearer to the solid's footprint than the radius. */
  #block({ centre, size, yawRad, shape }: Solid, radiusM: number, heightM: number): void {
    const step = stepOfYaw(yawRad);
    const c = cosOfStep(step);
    const s = sinOfStep(step);
    const half = turnedHalf(size.x, size.y, step);
    const isRound = shape !== "box" && size.x === size.y;
    // A disc is a point with a wider berth.
    const berth = isRound ? radiusM + size.x / 2 : radiusM;
    const hx = isRound ? 0 : size.x / 2;
    const hy = isRound ? 0 : size.y / 2;
    const [c0, c1] = span(
      centre.x - half.x - radiusM - this.#x0,
      centre.x + half.x + radiusM - this.#x0,
      this.columns,
    );
    const [r0, r1] = span(
      centre.y - half.y - radiusM - this.#y0,
      centre.y + half.y + radiusM - this.#y0,
      this.rows,
    );
    for (let floor = 0; floor < this.floors; floor++) {
      const z = this.#floorZ[floor]!;
      if (centre.z + size.z / 2 <= z + STEP_OVER_M || centre.z - size.z / 2 >= z + heightM) continue;
      for (let row = r0; row < r1; row++) {
        const dy = this.#y0 + (row + 0.5) * CELL_M - centre.y;
        const from = (floor * this.rows + row) * this.columns;
        for (let column = c0; column < c1; column++) {
          const dx = this.#x0 + (column + 0.5) * CELL_M - centre.x;
          const ex = Math.max(0, Math.abs(dx * c + dy * s) - hx);
          const ey = Math.max(0, Math.abs(dy * c - dx * s) - hy);
          if (ex * ex + ey * ey < berth * berth) this.free[from + column] = 0;
        }
      }
    }
  }
}

/** First and last + 1 of the cells whose middle lies between two offsets. */
function span(low: number, high: number, count: number): [number, number] {
  return [Math.max(0, Math.ceil(low / CELL_M - 0.5)), Math.min(count, Math.floor(high / CELL_M - 0.5) + 1)];
}
