import type { Vec3 } from "../../geometry/index.ts";
import type { QuestionInput } from "../../schema/index.ts";
import { SceneSource } from "../agents/index.ts";
import type { Room } from "../house/types.ts";
import type { FreeSpace } from "../navigation/free-space.ts";
import { distanceField, pathLengthM, pathTo } from "../navigation/geodesic.ts";
import {
  coverPath,
  type EvidencePath,
  minimalEvidencePath,
  Navigation,
  type Viewpoint,
} from "../navigation/index.ts";
import { intrinsicsOf, Visibility, worldFromCameraOf } from "../sensors/index.ts";
import { CLEAR_PIXELS } from "./sight.ts";
import type { QuestionWorld } from "./world.ts";

const LATTICE_M = 0.8;
const NEAREST_M = 0.5;
const FARTHEST_M = 4;
/** One forward step of a robot, as the papers count them. */
const STEP_M = 0.25;
const MAX_TARGETS = 24;
/** How far from a free cell a start may be. */
const OFF_M = 0.3;
const HEADINGS = [0, Math.PI / 2, Math.PI, -Math.PI / 2] as const;

type MinPath = NonNullable<QuestionInput["minPath"]>;

/**
 * From where everything in the house is visible at one moment: a lattice of standing points, each looked round from
 * once. Walks are optimal over these points by grid distances; their length is that of the straightened path
 * (docs/formulas.md#least-walk).
 */
export class ViewAtlas {
  readonly #space: FreeSpace;
  readonly #rooms: readonly Room[];
  readonly #points: { readonly position: Vec3; readonly node: number; readonly room: string }[] = [];
  readonly #views = new Map<string, Viewpoint[]>();
  readonly #rows = new Map<number, Float64Array>();

  constructor(world: QuestionWorld, timeUs: number) {
    const { timeline, camera } = world;
    const { house } = timeline;
    this.#space = new Navigation(timeline).at(timeUs);
    this.#rooms = house.rooms;
    const visibility = new Visibility(new SceneSource(timeline).at(timeUs));
    const intrinsics = intrinsicsOf(camera);
    const centres = house.things.map((thing) => timeline.placementAt(thing.id, timeUs)?.centre);
    for (const room of house.rooms) {
      for (const position of this.#lattice(room)) {
        this.#points.push({ position, node: this.#space.nodeAt(position), room: room.id });
        for (const yawRad of HEADINGS) {
          for (const { thing, pixels } of visibility.look(
            intrinsics,
            worldFromCameraOf(camera, position, yawRad),
          )) {
            const centre = centres[thing - 1];
            if (pixels < CLEAR_PIXELS || centre === undefined) continue;
            const [x, y] = [centre.x - position.x, centre.y - position.y];
            const away = Math.sqrt(x * x + y * y);
            if (away < NEAREST_M || away > FARTHEST_M) continue;
            const { id } = house.things[thing - 1]!;
            const views = this.#views.get(id);
            if (views === undefined) this.#views.set(id, [{ position, yawRad }]);
            else if (views.at(-1)!.position !== position) views.push({ position, yawRad });
          }
        }
      }
    }
  }

  /** The shortest walk that shows all targets; undefined if one is not visible from anywhere reachable. */
  toTargets(start: Vec3, targets: readonly string[]): MinPath | undefined {
    const sets = [...new Set(targets)].map((id) => this.#views.get(id) ?? []);
    if (sets.length === 0 || sets.length > MAX_TARGETS) return undefined;
    return this.#finish(start, minimalEvidencePath(start, sets, this.#distance));
  }

  /**
   * A walk that observes whole rooms, for counts and absences; approximate. With `isPartial` it covers what is
   * reachable: a corner behind a cupboard does not make a house impossible to search.
   */
  overRooms(
    start: Vec3,
    roomIds: readonly string[],
    { isPartial = false }: { readonly isPartial?: boolean } = {},
  ): MinPath | undefined {
    const rooms = new Set(roomIds);
    const candidates = this.#points.filter(
      ({ room, position }) =>
        rooms.has(room) && (!isPartial || Number.isFinite(this.#distance(start, position))),
    );
    const cells = this.#rooms.filter(({ id }) => rooms.has(id)).flatMap((room) => cellsOf(room));
    if (candidates.length === 0) return undefined;
    // Rooms are convex, so all of a room within range is visible from any point in it.
    const covers = candidates.map(
      ({ position, room }) =>
        new Set(
          cells.flatMap((cell) => {
            const [x, y] = [cell.x - position.x, cell.y - position.y];
            return cell.room === room && x * x + y * y <= FARTHEST_M * FARTHEST_M ? [cell.id] : [];
          }),
        ),
    );
    const reached = new Set(covers.flatMap((cover) => [...cover]));
    const viewpoints = candidates.map(({ position }) => ({ position, yawRad: 0 }));
    return this.#finish(start, coverPath(start, viewpoints, covers, [...reached], this.#distance));
  }

  #lattice(room: Room): Vec3[] {
    const a = room.polygon.points[0]!;
    const c = room.polygon.points[2]!;
    const found: Vec3[] = [];
    for (let x = a.x + LATTICE_M / 2; x < c.x; x += LATTICE_M) {
      for (let y = a.y + LATTICE_M / 2; y < c.y; y += LATTICE_M) {
        const node = this.#space.nodeAt({ x, y, z: room.floorZM });
        if (node >= 0 && this.#space.free[node] === 1) found.push(this.#space.pointOf(node));
      }
    }
    return found;
  }

  /** Grid distances, one search for each point that is asked about. */
  readonly #distance = (a: Vec3, b: Vec3): number => {
    const from = this.#space.nearestFree(a);
    const to = this.#space.nearestFree(b);
    if (from < 0 || to < 0) return Infinity;
    let row = this.#rows.get(from);
    if (row === undefined) {
      const { distanceM } = distanceField(this.#space, from);
      row = Float64Array.from(this.#points, ({ node }) => distanceM[node]!);
      this.#rows.set(from, row);
    }
    const i = this.#points.findIndex(({ node }) => node === to);
    return i < 0 ? Infinity : row[i]!;
  };

  #finish(start: Vec3, path: EvidencePath | undefined): MinPath | undefined {
    if (path === undefined || !Number.isFinite(path.lengthM) || !this.#isOnFloor(start)) return undefined;
    let m = 0;
    let here = start;
    for (const { position } of path.viewpoints) {
      m += this.#straightened(here, position);
      here = position;
    }
    if (!Number.isFinite(m)) return undefined;
    return {
      m: Math.round(m * 1000) / 1000,
      steps: Math.ceil(m / STEP_M) + path.viewpoints.length,
      viewpoints: path.viewpoints.map(({ position, yawRad }) => ({ position, yawRad: yawRad ?? 0 })),
      approximate: path.approximate,
    };
  }

  /** On the stairs an agent stands on no floor: paths from there would begin elsewhere. */
  #isOnFloor(start: Vec3): boolean {
    const node = this.#space.nearestFree(start);
    if (node < 0) return false;
    const { x, y, z } = this.#space.pointOf(node);
    return Math.abs(z - start.z) < 0.1 && Math.abs(x - start.x) < OFF_M && Math.abs(y - start.y) < OFF_M;
  }

  #straightened(from: Vec3, to: Vec3): number {
    const a = this.#space.nearestFree(from);
    const b = this.#space.nearestFree(to);
    if (a < 0 || b < 0) return Infinity;
    const way = pathTo(this.#space, distanceField(this.#space, a, [b]), b);
    return way === undefined ? Infinity : pathLengthM(way);
  }
}

interface Cell {
  readonly id: string;
  readonly room: string;
  readonly x: number;
  readonly y: number;
}

function cellsOf({ id, polygon: { points } }: Room): Cell[] {
  const a = points[0]!;
  const c = points[2]!;
  const cells: Cell[] = [];
  for (let x = a.x + 0.5; x < c.x; x++)
    for (let y = a.y + 0.5; y < c.y; y++) cells.push({ id: `${id}/${cells.length}`, room: id, x, y });
  return cells;
}
