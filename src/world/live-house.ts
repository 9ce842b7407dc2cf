import { Random } from "../geometry/index.ts";
import { LociError } from "../schema/index.ts";
import type { Stand } from "../sensors/index.ts";
import { Eyes, isObject, SimulatedBody } from "./agents/index.ts";
import { makeTimeline, type Timeline } from "./dynamics/index.ts";
import { generateHouse } from "./house/index.ts";
import { CELL_M } from "./navigation/free-space.ts";
import { Navigation } from "./navigation/index.ts";
import { allNoise } from "./noise/index.ts";
import { type CameraSpec, DEFAULT_CAMERA, type RenderPool } from "./sensors/index.ts";

/** Monday 5 January 2026, 09:00 UTC, as recordings begin. */
const START_US = Date.UTC(2026, 0, 5, 9) * 1000;
const LIFE_MINUTES = 120;

export interface LiveHouseOptions {
  readonly seed: number | string;
  readonly rooms?: number | undefined;
  readonly floors?: number | undefined;
  readonly objects?: number | undefined;
  /** Of senses and odometry, 0–1. */
  readonly noise?: number | undefined;
  /** Events per hour, and the number of people; default a quiet house. */
  readonly rate?: number | undefined;
  readonly people?: number | undefined;
}

/** A simulated house for bodies to move in: what `explore` uses without a robot. */
export class LiveHouse {
  readonly timeline: Timeline;
  readonly eyes: Eyes;
  readonly navigation: Navigation;
  readonly startUs: number;
  readonly #noise: number;
  readonly #random: Random;

  constructor(
    options:
      | LiveHouseOptions
      | { readonly timeline: Timeline; readonly noise?: number | undefined; readonly seed: number | string },
  ) {
    const { seed, noise = 0 } = options;
    this.timeline = "timeline" in options ? options.timeline : timelineOf(options);
    this.startUs = this.timeline.startUs;
    // Bodies that may climb stairs must see them; in recordings stairs are not listed as things.
    this.eyes = new Eyes(this.timeline, (thing) => isObject(thing) || thing.category === "staircase");
    this.navigation = new Navigation(this.timeline);
    this.#noise = noise;
    this.#random = new Random(`live/${seed}`);
  }

  /** Floor area where a robot can stand, in square metres, over all storeys. */
  areaM2(timeUs = this.startUs): number {
    let cells = 0;
    for (const one of this.navigation.at(timeUs).free) cells += one;
    return cells * CELL_M * CELL_M;
  }

  /** A place to begin: the middle of a room, another one for each agent. */
  start(agent = 0): Stand {
    const { rooms } = this.timeline.house;
    const ground = rooms.filter(({ floor }) => floor === 0);
    for (let n = 0; n < ground.length; n++) {
      const { polygon, floorZM } = ground[(agent + n) % ground.length]!;
      const [xs, ys] = [polygon.points.map(({ x }) => x), polygon.points.map(({ y }) => y)];
      const middle = (values: readonly number[]) => (Math.min(...values) + Math.max(...values)) / 2;
      const positionInWorld = this.navigation.standNear(
        { x: middle(xs), y: middle(ys), z: floorZM },
        this.startUs,
      );
      if (positionInWorld) return { positionInWorld, yawRad: 0 };
    }
    throw new LociError("invalid-input", "expected free space in the house, found nowhere to stand");
  }

  /** A body in this house; without a pool it sees depth and things but no colours, some fifty times faster. */
  body(
    agentId: string,
    options: {
      readonly start?: Stand | undefined;
      readonly startUs?: number | undefined;
      readonly pool?: RenderPool | undefined;
      readonly camera?: CameraSpec | undefined;
    } = {},
  ): SimulatedBody {
    const { start = this.start(), startUs = this.startUs, pool, camera = DEFAULT_CAMERA } = options;
    const levels = { ...allNoise(this.#noise), frameOffset: 0, unreliable: 0, time: 0, network: 0 };
    return new SimulatedBody({
      agentId,
      eyes: this.eyes,
      navigator: this.navigation,
      start,
      startUs,
      camera,
      ...(pool && { pool }),
      ...(this.#noise > 0 && { noise: { random: this.#random.fork(agentId), levels } }),
    });
  }
}

function timelineOf({ seed, rooms, floors, objects, rate = 0, people = 0 }: LiveHouseOptions): Timeline {
  const house = generateHouse(seed, {
    ...(rooms !== undefined && { rooms }),
    ...(floors !== undefined && { floors }),
    ...(objects !== undefined && { objects }),
  });
  return makeTimeline(house, { seed, startUs: START_US, durationUs: LIFE_MINUTES * 60e6, rate, people });
}
