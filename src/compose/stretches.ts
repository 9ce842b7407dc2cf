import { transformDelta } from "../geometry/index.ts";
import { settings } from "../schema/settings.ts";
import type { Frame } from "../sensors/index.ts";

/** When the poses of a source may have begun anew from another origin. */
const JUMP = settings("arrival.jumps", {
  /** A robot indoors, or a camera that is carried, goes no faster … */
  speedMps: [1.5, "m/s", 0.5, 5, "datasheet"],
  /** … and turns no faster. */
  turnRadps: [2.5, "rad/s", 1, 6, "datasheet"],
  /** Added to either: poses are corrected as their map is. */
  slackM: [0.3, "m", 0.1, 1, "recording"],
  slackRad: [0.35, "rad", 0.1, 1, "recording"],
  /** A pause of so many usual intervals, and at least so long, is one in which poses may have begun anew … */
  pauseTimes: [4, "intervals", 2, 20, "limit"],
  pauseS: [2, "s", 0.5, 30, "limit"],
  /** … and after which a pose within the slack and so much of a step goes on as before. */
  restM: [0.3, "m", 0.1, 2, "recording"],
});
/** Weight of the newest interval in the usual one. */
const NEWEST = 0.2;

interface Way {
  readonly stretch: number;
  readonly frame: Frame;
  readonly usualS: number;
}

/**
 * Cuts the frames of a source into stretches within which their poses can have one origin. A tracker that starts again
 * says the same name of another place: its poses jump, or go on elsewhere after a pause. Poses that jump away and back
 * are one stretch with an outlier.
 */
export class Stretches {
  readonly #now = new Map<string, Way>();
  readonly #before = new Map<string, Way>();
  #count = 0;

  /** The number of the stretch that a frame belongs to, from 0. */
  of(frame: Frame): number {
    const { sensorId } = frame;
    const last = this.#now.get(sensorId);
    if (frame.worldFromCamera === undefined) return last?.stretch ?? this.#count;
    if (last !== undefined && follows(frame, last)) return this.#goOn(frame, last);
    const earlier = this.#before.get(sensorId);
    if (earlier !== undefined && follows(frame, earlier)) return this.#goOn(frame, earlier);
    // Another camera of the robot has noticed it first.
    const isNew = last === undefined ? this.#now.size === 0 : last.stretch === this.#count;
    if (isNew && last !== undefined) this.#count++;
    if (last !== undefined) this.#before.set(sensorId, last);
    return this.#keep({ stretch: this.#count, frame, usualS: last?.usualS ?? 0 });
  }

  #goOn(frame: Frame, { stretch, frame: before, usualS }: Way): number {
    const s = Math.abs(frame.timeUs - before.timeUs) / 1e6;
    return this.#keep({ stretch, frame, usualS: usualS === 0 ? s : usualS + NEWEST * (s - usualS) });
  }

  #keep(way: Way): number {
    // Only where a frame was taken is needed of it.
    const { sensorId, timeUs, worldFromCamera, mapFrame, index, agentId, intrinsics } = way.frame;
    const frame = { sensorId, timeUs, worldFromCamera, mapFrame, index, agentId, intrinsics };
    this.#now.set(sensorId, { ...way, frame });
    return way.stretch;
  }
}

function follows(frame: Frame, { frame: before, usualS }: Way): boolean {
  if (frame.mapFrame !== before.mapFrame) return false;
  const seconds = Math.abs(frame.timeUs - before.timeUs) / 1e6;
  const { translationM, rotationRad } = transformDelta(before.worldFromCamera!, frame.worldFromCamera!);
  // Of the first interval nothing says whether it is a pause.
  if (usualS > 0 && seconds > Math.max(JUMP.pauseS, JUMP.pauseTimes * usualS))
    return translationM <= JUMP.slackM + JUMP.restM && rotationRad <= JUMP.slackRad;
  return (
    translationM <= JUMP.slackM + JUMP.speedMps * seconds &&
    rotationRad <= JUMP.slackRad + JUMP.turnRadps * seconds
  );
}
