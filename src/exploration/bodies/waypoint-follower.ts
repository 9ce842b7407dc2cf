import type { Vec3 } from "../../geometry/index.ts";
import type { Stand } from "../../sensors/index.ts";

/** A command to a differential-drive robot: forward speed, and turn rate to the left. */
export interface Velocity {
  readonly forwardMps: number;
  readonly turnRadps: number;
}

export interface FollowLimits {
  readonly speedMps: number;
  readonly turnRadps: number;
  /** Limit for speeding up and for braking. */
  readonly accelerationMps2: number;
  readonly turnAccelerationRadps2: number;
  /** Look-ahead distance along the path: less follows more closely, more drives more smoothly. */
  readonly lookAheadM: number;
  /** It stops this far before an obstacle on its path. */
  readonly clearM: number;
  /** Tolerances of arrival, in position and in heading. */
  readonly reachM: number;
  readonly facingRad: number;
  /** Farther from its path than this it stops and needs a new one. */
  readonly offWayM: number;
}

export const FOLLOW_LIMITS: FollowLimits = {
  speedMps: 0.4,
  turnRadps: 1,
  accelerationMps2: 0.5,
  turnAccelerationRadps2: 2,
  lookAheadM: 0.5,
  clearM: 0.15,
  reachM: 0.08,
  facingRad: 0.08,
  offWayM: 0.6,
};

export type FollowState = "driving" | "arrived" | "blocked" | "off-way";

export interface Followed {
  readonly velocity: Velocity;
  readonly state: FollowState;
}

/** Beyond this angle the path ahead is behind the robot: it turns on the spot first. */
const TURN_FIRST_RAD = 0.7;
/** Step with which the path ahead is checked. */
const PROBE_M = 0.05;
const STILL: Velocity = { forwardMps: 0, turnRadps: 0 };
/** Latency of a command from us to the wheels; braking begins that much earlier. */
const REACTION_S = 0.2;
/** Longest time between two poses that counts for acceleration. */
const MAX_STEP_S = 0.5;

/**
 * Follows a path with velocities, by regulated pure pursuit. It aims at a point some distance ahead on the path (the
 * carrot), slows down for bends, for the end and for obstacles, and respects its acceleration limit. Its only state
 * is its progress and its last command; poses come from the caller.
 */
export class WaypointFollower {
  readonly #way: readonly Vec3[];
  readonly #yawRad: number;
  readonly #limits: FollowLimits;
  /** Path length up to each of its corners. */
  readonly #along: readonly number[];
  #doneM = 0;
  #isFacing = false;
  #last: Velocity = STILL;

  /** `way` begins at the robot's position; a path of one point only turns. */
  constructor(way: readonly Vec3[], yawRad: number, limits: FollowLimits = FOLLOW_LIMITS) {
    this.#way = way;
    this.#yawRad = yawRad;
    this.#limits = limits;
    let along = 0;
    this.#along = way.map((point, i) => {
      along += i === 0 ? 0 : distance(way[i - 1]!, point);
      return along;
    });
  }

  /** Metres left on the path. */
  get leftM(): number {
    return Math.max(0, this.#lengthM - this.#doneM);
  }

  /**
   * The next command for the current stand, `seconds` after the last one; `isFree` says whether the robot can stand
   * at a point.
   */
  step({ positionInWorld: at, yawRad }: Stand, seconds: number, isFree: (point: Vec3) => boolean): Followed {
    const stepS = Math.min(Math.max(seconds, 0), MAX_STEP_S);
    const offM = this.#advance(at);
    const end = this.#way.at(-1)!;
    this.#isFacing ||= distance(at, end) <= this.#limits.reachM || this.#way.length === 1;
    if (this.#isFacing) return this.#face(yawRad, stepS);
    if (offM > this.#limits.offWayM) return { velocity: this.#brake(stepS), state: "off-way" };
    const carrot = this.#pointAt(this.#doneM + this.#limits.lookAheadM);
    const bearing = wrapped(Math.atan2(carrot.y - at.y, carrot.x - at.x) - yawRad);
    const freeM = this.#freeAhead(at, carrot, isFree);
    const wanted = this.#pursue(bearing, distance(at, carrot), freeM);
    const velocity = this.#limited(wanted, stepS);
    const isBlocked = freeM < this.#limits.clearM + PROBE_M && velocity.forwardMps === 0;
    return { velocity: isBlocked ? this.#say(STILL) : velocity, state: isBlocked ? "blocked" : "driving" };
  }

  get #lengthM(): number {
    return this.#along.at(-1) ?? 0;
  }

  /**
   * Advances to the nearest point of the path, never back and no further than the look-ahead; returns the distance
   * from the path.
   */
  #advance(at: Vec3): number {
    const reach = this.#doneM + 2 * this.#limits.lookAheadM;
    let [best, nearest] = [this.#doneM, Infinity];
    for (let i = 1; i < this.#way.length; i++) {
      if (this.#along[i]! < this.#doneM) continue;
      if (this.#along[i - 1]! > reach) break;
      const [a, b] = [this.#way[i - 1]!, this.#way[i]!];
      const lengthM = this.#along[i]! - this.#along[i - 1]!;
      const share =
        lengthM === 0 ? 0 : ((at.x - a.x) * (b.x - a.x) + (at.y - a.y) * (b.y - a.y)) / lengthM ** 2;
      const alongM = this.#along[i - 1]! + Math.min(Math.max(share, 0), 1) * lengthM;
      const clamped = Math.min(Math.max(alongM, this.#doneM), reach);
      const away = distance(at, this.#pointAt(clamped));
      if (away < nearest - 1e-9) [best, nearest] = [clamped, away];
    }
    this.#doneM = best;
    return Number.isFinite(nearest) ? nearest : distance(at, this.#way[0]!);
  }

  #pursue(bearing: number, carrotM: number, freeM: number): Velocity {
    const { speedMps, turnRadps, accelerationMps2, clearM } = this.#limits;
    if (Math.abs(bearing) > TURN_FIRST_RAD)
      return { forwardMps: 0, turnRadps: Math.sign(bearing) * this.#turnFor(Math.abs(bearing)) };
    // Less room than one probe step counts as none: the robot would creep forever.
    const roomM = freeM - clearM < PROBE_M ? 0 : freeM - clearM;
    const toEndM = this.leftM;
    const curvature = (2 * Math.sin(bearing)) / Math.max(carrotM, 1e-3);
    const forBends = Math.abs(curvature) < 1e-6 ? speedMps : turnRadps / Math.abs(curvature);
    const forwardMps = Math.min(
      speedMps * Math.cos(bearing) ** 2,
      forBends,
      stoppingSpeed(roomM, accelerationMps2),
      // Slightly faster than would end exactly there, so that it arrives instead of creeping forever.
      stoppingSpeed(toEndM, accelerationMps2) + 0.05,
    );
    return { forwardMps: roomM === 0 ? 0 : forwardMps, turnRadps: curvature * forwardMps };
  }

  #face(yawRad: number, stepS: number): Followed {
    const error = wrapped(this.#yawRad - yawRad);
    const isThere = Math.abs(error) <= this.#limits.facingRad;
    const wanted = isThere
      ? STILL
      : { forwardMps: 0, turnRadps: Math.sign(error) * this.#turnFor(Math.abs(error)) };
    const velocity = this.#limited(wanted, stepS);
    const isStill = velocity.forwardMps === 0 && velocity.turnRadps === 0;
    return { velocity, state: isThere && isStill ? "arrived" : "driving" };
  }

  #turnFor(angleRad: number): number {
    return Math.min(this.#limits.turnRadps, stoppingSpeed(angleRad, this.#limits.turnAccelerationRadps2));
  }

  #brake(stepS: number): Velocity {
    return this.#limited(STILL, stepS);
  }

  /** Clamps the change of speed and the speed to their limits. */
  #limited({ forwardMps, turnRadps }: Velocity, stepS: number): Velocity {
    const { speedMps, turnRadps: turnMost, accelerationMps2, turnAccelerationRadps2 } = this.#limits;
    return this.#say({
      forwardMps: within(toward(this.#last.forwardMps, forwardMps, accelerationMps2 * stepS), 0, speedMps),
      turnRadps: within(
        toward(this.#last.turnRadps, turnRadps, turnAccelerationRadps2 * stepS),
        -turnMost,
        turnMost,
      ),
    });
  }

  #say(velocity: Velocity): Velocity {
    this.#last = velocity;
    return velocity;
  }

  /** Free distance from the robot to the carrot and on along the path, checked as far as its braking distance. */
  #freeAhead(at: Vec3, carrot: Vec3, isFree: (point: Vec3) => boolean): number {
    const { speedMps, accelerationMps2, clearM, lookAheadM } = this.#limits;
    const needM =
      clearM + speedMps * (REACTION_S + MAX_STEP_S) + speedMps ** 2 / (2 * accelerationMps2) + PROBE_M;
    const toCarrotM = distance(at, carrot);
    for (let far = PROBE_M; far <= needM; far += PROBE_M) {
      const point =
        far <= toCarrotM
          ? between(at, carrot, far / toCarrotM)
          : this.#pointAt(this.#doneM + lookAheadM + far - toCarrotM);
      if (!isFree(point)) return far - PROBE_M;
      if (far > toCarrotM && this.#doneM + lookAheadM + far - toCarrotM >= this.#lengthM) return Infinity;
    }
    return Infinity;
  }

  #pointAt(alongM: number): Vec3 {
    const i = this.#along.findIndex((corner) => corner >= alongM);
    if (i <= 0) return this.#way[i === 0 ? 0 : this.#way.length - 1]!;
    const lengthM = this.#along[i]! - this.#along[i - 1]!;
    return between(this.#way[i - 1]!, this.#way[i]!, (alongM - this.#along[i - 1]!) / lengthM);
  }
}

/** The speed from which it can stop within a distance, reaction time included. */
function stoppingSpeed(roomM: number, deceleration: number): number {
  const late = deceleration * REACTION_S;
  return Math.max(0, Math.sqrt(late ** 2 + 2 * deceleration * roomM) - late);
}

/** Wraps an angle to within half a turn. */
export function wrapped(angleRad: number): number {
  return Math.atan2(Math.sin(angleRad), Math.cos(angleRad));
}

function toward(from: number, to: number, by: number): number {
  return Math.abs(to - from) <= by ? to : from + Math.sign(to - from) * by;
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

function distance(a: Vec3, b: Vec3): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

function between(a: Vec3, b: Vec3, share: number): Vec3 {
  return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share, z: a.z + (b.z - a.z) * share };
}
