import type { Vec3 } from "../../geometry/index.ts";
import { lerp } from "../../geometry/index.ts";
import { arcTangent2, wrapAngle } from "../sensors/index.ts";

/** A body's pose: the point of the floor under it, its heading, and the tilt of its camera. */
export interface BodyPose {
  readonly positionInWorld: Vec3;
  readonly yawRad: number;
  readonly tiltRad: number;
}

export interface Motion {
  readonly speedMps: number;
  readonly turnRadps: number;
}

/** A household robot. */
export const DEFAULT_MOTION: Motion = { speedMps: 0.6, turnRadps: 0.8 };
/** Smaller motions do not count as a turn or a path. */
const STILL = 1e-6;

interface Keyframe extends BodyPose {
  readonly timeUs: number;
}

/** A body's pose at any time: straight lines and steady turns between keyframes, at rest outside them. */
export class Trajectory {
  readonly #frames: Keyframe[];

  constructor(startUs: number, start: BodyPose) {
    this.#frames = [{ ...start, timeUs: startUs }];
  }

  get endUs(): number {
    return this.#frames.at(-1)!.timeUs;
  }

  get end(): BodyPose {
    return this.#frames.at(-1)!;
  }

  at(timeUs: number): BodyPose {
    const frames = this.#frames;
    let low = 0;
    let high = frames.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (frames[middle]!.timeUs <= timeUs) low = middle;
      else high = middle - 1;
    }
    const a = frames[low]!;
    const b = frames[low + 1];
    if (!b || timeUs <= a.timeUs) return pick(a);
    const t = (timeUs - a.timeUs) / (b.timeUs - a.timeUs);
    return {
      positionInWorld: lerp(a.positionInWorld, b.positionInWorld, t),
      yawRad: wrapAngle(a.yawRad + wrapAngle(b.yawRad - a.yawRad) * t),
      tiltRad: a.tiltRad + (b.tiltRad - a.tiltRad) * t,
    };
  }

  /** Turns on the spot, never more than half a turn between keyframes. */
  turnBy(angleRad: number, { turnRadps }: Motion): void {
    let left = angleRad;
    while (Math.abs(left) > STILL) {
      const part = Math.abs(left) > 2 ? Math.sign(left) * 2 : left;
      const end = this.end;
      this.#push({ ...end, yawRad: wrapAngle(end.yawRad + part) }, Math.abs(part) / turnRadps);
      left -= part;
    }
  }

  turnTo(yawRad: number, motion: Motion): void {
    this.turnBy(wrapAngle(yawRad - this.end.yawRad), motion);
  }

  /** Turns towards each next point and drives there. */
  follow(path: readonly Vec3[], motion: Motion): void {
    for (const point of path) {
      const { positionInWorld: from } = this.end;
      const x = point.x - from.x;
      const y = point.y - from.y;
      const z = point.z - from.z;
      const way = Math.sqrt(x * x + y * y + z * z);
      if (way < STILL) continue;
      if (Math.abs(x) + Math.abs(y) > STILL) this.turnTo(arcTangent2(y, x), motion);
      this.#push({ ...this.end, positionInWorld: point }, way / motion.speedMps);
    }
  }

  tilt(tiltRad: number, seconds: number): void {
    this.#push({ ...this.end, tiltRad }, seconds);
  }

  wait(seconds: number): void {
    this.#push(this.end, seconds);
  }

  #push(pose: BodyPose, seconds: number): void {
    const timeUs = this.endUs + Math.max(1, Math.round(seconds * 1e6));
    this.#frames.push({ ...pick(pose), timeUs });
  }
}

function pick({ positionInWorld, yawRad, tiltRad }: BodyPose): BodyPose {
  return { positionInWorld, yawRad, tiltRad };
}
