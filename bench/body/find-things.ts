import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exploreWith } from "../../src/compose/explore.ts";
import { openMemory } from "../../src/compose.ts";
import { distance, type Vec3 } from "../../src/geometry/index.ts";
import type { Body } from "../../src/sensors/index.ts";
import type { LiveHouse } from "../../src/world/live-house.ts";

/** Something to go to: the only one that is called so in the house, large enough to be found, and where it stands. */
export interface Target {
  readonly category: string;
  readonly centre: Vec3;
  readonly halfM: number;
  readonly shortestM: number;
}

/** The smallest side of a target, and how near one has to end up to have reached it. */
const LARGE_M = 0.3;
const REACHED_M = 2;
/** The place that is told is right within this of the middle, or within the thing. */
const RIGHT_M = 0.5;
const STEPS = 40;

/** The targets of a house, the farthest from its start first. */
export function targetsOf(house: LiveHouse): Target[] {
  const snapshot = house.timeline.snapshotAt(house.startUs);
  const things = house.timeline.house.things.filter(({ movable, type }) => !movable && type !== "person");
  const start = house.start().positionInWorld;
  return things
    .flatMap(({ id, category }): Target[] => {
      const placement = snapshot.placementOf(id);
      const isAlone = !house.timeline.house.things.some(
        (other) => other.id !== id && `${other.category} ${other.name}`.includes(category),
      );
      if (!isAlone || !placement || placement.hidden) return [];
      const { centre, extent } = placement;
      const sides = [extent.x, extent.y, extent.z].sort((a, b) => a - b);
      if (sides[1]! < LARGE_M || sides[2]! > 4) return [];
      const stand = house.navigation.standNear({ ...centre, z: start.z }, house.startUs);
      const path = stand && house.navigation.path(start, stand, house.startUs);
      if (!path) return [];
      const shortestM = path.slice(1).reduce((sum, point, n) => sum + distance(path[n]!, point), 0);
      return [{ category, centre, halfM: Math.hypot(extent.x, extent.y) / 2, shortestM }];
    })
    .sort((a, b) => b.shortestM - a.shortestM);
}

export interface Found {
  /** It says where the thing is, and the thing is there: what counts as success in simulated houses. */
  readonly isRight: boolean;
  /** It also ended up near it. */
  readonly isFound: boolean;
  /** Success weighted by path length (Anderson et al. 2018). */
  readonly spl: number;
  readonly steps: number;
  readonly pathM: number;
  readonly end: string;
}

/** Sends a body to a target with an empty memory, and scores where it really ends up: as for simulated houses. */
export async function goFind(body: Body, target: Target): Promise<Found> {
  const folder = await mkdtemp(join(tmpdir(), "loci-find-"));
  const memory = await openMemory(join(folder, "memory"));
  try {
    const explored = await exploreWith(memory, {
      question: `the ${target.category}`,
      task: "navigate",
      bodies: [body],
      budget: { steps: STEPS, pathM: 3 * STEPS, seconds: 60 * STEPS },
      keepsViews: false,
    });
    const { positionInWorld: at } = await body.whereabouts();
    const offM = Math.hypot(at.x - target.centre.x, at.y - target.centre.y) - target.halfM;
    const pathM = explored.pathM[body.agentId] ?? 0;
    const isFound = explored.end === "answered" && offM <= REACHED_M;
    const said = explored.answer?.position?.point;
    const isRight =
      explored.end === "answered" &&
      said !== undefined &&
      Math.hypot(said.x - target.centre.x, said.y - target.centre.y) <= Math.max(RIGHT_M, target.halfM);
    const spl = isRight ? target.shortestM / Math.max(target.shortestM, pathM, 1e-6) : 0;
    return { isRight, isFound, spl, steps: explored.steps, pathM, end: explored.end };
  } finally {
    await memory.close();
    await rm(folder, { recursive: true, force: true });
  }
}
