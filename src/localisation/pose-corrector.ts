import { apply, compose, type Transform, transformDelta, type Vec3 } from "../geometry/index.ts";
import type { DepthImage, Frame, FramePlace } from "../schema/core.ts";
import { type Agreement, agreementOf, confirms, contradicts } from "./agreement.ts";
import { type Fit, layOn, type Stand } from "./fit.ts";
import { after, asTransform, inverse, overGround, type Planar, STILL } from "./planar.ts";
import { canFollow, turnOf } from "./pose-gate.ts";
import { SampleReader, type Samples } from "./samples.ts";
import { LOCALISE } from "./settings.ts";
import { Surfels } from "./surfels.ts";

/** What it needs of a frame, at the robot's estimated pose. */
interface Believed
  extends FramePlace,
    Pick<Frame, "agentId" | "timeUs" | "odometry" | "depth" | "intrinsics"> {
  /** False for a submap that is the map itself, or that cannot be moved. */
  readonly isMovable: boolean;
}

/** The pose of a frame from its surfaces. */
interface Placed extends Pick<FramePlace, "submapFromCamera" | "worldFromSubmap"> {
  /** It sees much of the known area and matches none of it: it was not taken at its given pose. */
  readonly isDoubtful: boolean;
}

/** The surfaces seen from one submap, and the errors of its poses and of its own pose. */
interface Piece {
  readonly number: number;
  readonly surfels: Surfels;
  /** Corrects given poses in the submap: odometry's error since the submap began. */
  drift: Planar;
  /** Corrects the submap's pose in the map so that its surfaces fit those of others. */
  shift: Planar;
  /** As last reported: it follows in steps, because consumers recompose the submap on each. */
  told: Planar;
  /** As last reported for writing. */
  written: Planar;
  /** The last frame matched other submaps' surfaces. */
  isPlaced: boolean;
  worldFromSubmap: Transform;
  last: Transform;
  misses: number;
}

/** The last trusted frame of an agent, and the number of doubted ones since. */
interface Followed extends Pick<Believed, "submap" | "submapFromCamera" | "odometry" | "timeUs"> {
  /** Rotation of dead reckoning's frame relative to the map. */
  readonly turnRad?: number | undefined;
  readonly doubts: number;
}

/** In a submap's own store all surfels count. */
const NO_OWNER = -1;

/**
 * Registers every frame on surfaces seen before. Odometry loses a degree within a few metres, several centimetres
 * across a room; walls and furniture show the error at once. It makes two corrections, over the ground only: of the
 * pose in its submap, from that submap's surfaces, and of the submap's pose, from other submaps' surfaces. The first
 * becomes part of the stored poses; the second holds until the map itself is corrected.
 */
export class PoseCorrector {
  readonly #reader = new SampleReader();
  /** In order of last use. */
  readonly #pieces = new Map<string, Piece>();
  readonly #current = new Map<string, string>();
  readonly #latestUs = new Map<string, number>();
  readonly #followed = new Map<string, Followed>();
  /** Agents whose poses have shown errors. Those of others are not corrected: noise would only disturb them. */
  readonly #drifting = new Set<string>();
  #others = new Surfels(LOCALISE.surfelsOfAll);
  #numbered = 0;

  place(frame: Believed): Placed {
    const { agentId, timeUs, submapFromCamera, worldFromSubmap, depth, intrinsics, isMovable } = frame;
    // Odometry error is modelled from one frame to the next, so a late frame gets no correction of drift.
    const isLate = timeUs < (this.#latestUs.get(agentId) ?? timeUs);
    if (!isLate) this.#latestUs.set(agentId, timeUs);
    const piece = this.#enter(frame, isLate);
    if (this.#isDoubtful(piece, frame, isLate)) return { ...this.#believed(piece, frame), isDoubtful: true };
    if (depth !== undefined && !isLate) {
      const samples = this.#reader.read(depth, intrinsics, submapFromCamera.q);
      const isLost = !this.#followOdometry(piece, samples, frame);
      if (!isLost) {
        const { p } = compose(asTransform(piece.drift), submapFromCamera);
        if (isMovable) this.#fitToOthers(piece, samples, p, this.#leastGainOf(agentId));
        addSamples(piece.surfels, samples, { ...p, turnRad: piece.drift.turnRad });
      }
    }
    const { p } = compose(asTransform(piece.drift), submapFromCamera);
    if (differ(piece.shift, piece.told, apply(worldFromSubmap, p), LOCALISE.toldM, LOCALISE.toldRad))
      piece.told = piece.shift;
    return { ...this.#believed(piece, frame), isDoubtful: false };
  }

  #believed(
    { drift, told }: Piece,
    { submapFromCamera, worldFromSubmap }: Believed,
  ): Omit<Placed, "isDoubtful"> {
    return {
      submapFromCamera: compose(asTransform(drift), submapFromCamera),
      worldFromSubmap: compose(asTransform(told), worldFromSubmap),
    };
  }

  /**
   * Whether a frame can hardly have been taken at its given pose: dead reckoning excludes it after the last trusted
   * pose and the frame does not confirm it; or the frame sees through walls. After many doubted frames the robot is
   * trusted again, because the world may have changed.
   */
  #isDoubtful(piece: Piece, frame: Believed, isLate: boolean): boolean {
    const { agentId, submap, submapFromCamera, worldFromSubmap, odometry, timeUs, depth } = frame;
    const before = this.#followed.get(agentId);
    const known = before && this.#pieces.get(before.submap);
    const now = { worldFromCamera: compose(worldFromSubmap, submapFromCamera), odometry, timeUs };
    const last = before &&
      known && { ...before, worldFromCamera: compose(known.worldFromSubmap, before.submapFromCamera) };
    const came = last === undefined || canFollow(last, now, before?.turnRad);
    const shown = depth === undefined ? undefined : this.#agreement(piece, frame, depth);
    const isSeenThrough = shown !== undefined && contradicts(shown);
    const isConfirmed = shown !== undefined && confirms(shown);
    const doubts = before?.doubts ?? 0;
    if ((isSeenThrough || (!came && !isConfirmed)) && before && doubts < LOCALISE.mostDoubts) {
      if (!isLate) this.#followed.set(agentId, { ...before, doubts: doubts + 1 });
      return true;
    }
    if (isLate) return false;
    const turnRad = (last && turnOf(last, now)) ?? before?.turnRad;
    this.#followed.set(agentId, { submap, submapFromCamera, odometry, timeUs, turnRad, doubts: 0 });
    return false;
  }

  /** Agreement with the submap's own surfaces, and with those of others nearby. */
  #agreement(piece: Piece, frame: Believed, depth: DepthImage): Agreement {
    const { submapFromCamera, worldFromSubmap, intrinsics } = frame;
    const inSubmap = compose(asTransform(piece.drift), submapFromCamera);
    const own = agreementOf(piece.surfels, inSubmap, depth, intrinsics);
    const inWorld = compose(compose(asTransform(piece.told), worldFromSubmap), inSubmap);
    const others = agreementOf(this.#others, inWorld, depth, intrinsics);
    return {
      tested: own.tested + others.tested,
      met: own.met + others.met,
      through: own.through + others.through,
    };
  }

  /**
   * Submaps whose pose differs from the last one reported for writing: one in use once the difference matters, one
   * left behind, or all at the end, to the centimetre.
   */
  moved(isLast = false): { submap: string; worldFromSubmap: Transform }[] {
    const current = new Set(isLast ? [] : this.#current.values());
    return [...this.#pieces].flatMap(([submap, piece]) => {
      const { shift, written, worldFromSubmap, last } = piece;
      const [mostM, mostRad] = current.has(submap)
        ? [LOCALISE.writtenM, LOCALISE.writtenRad]
        : [LOCALISE.toldM, LOCALISE.toldRad];
      if (!differ(shift, written, apply(worldFromSubmap, last.p), mostM, mostRad)) return [];
      piece.written = shift;
      return [{ submap, worldFromSubmap: compose(asTransform(shift), worldFromSubmap) }];
    });
  }

  /** The map was corrected and supersedes our shifts. */
  correct(worldFromSubmap: (submap: string) => Transform | undefined): void {
    for (const [submap, piece] of this.#pieces) {
      const now = worldFromSubmap(submap);
      if (!now || isSame(now, piece.worldFromSubmap)) continue;
      piece.worldFromSubmap = now;
      piece.shift = STILL;
      piece.told = STILL;
    }
    for (const piece of this.#pieces.values()) piece.written = STILL;
    this.#others = new Surfels(LOCALISE.surfelsOfAll);
    const current = new Set(this.#current.values());
    for (const [submap, piece] of this.#pieces) if (!current.has(submap)) this.#lay(piece);
  }

  /** The submap state of a frame. A new one starts with the shift at the end of its agent's last one. */
  #enter(
    { agentId, submap, submapFromCamera, worldFromSubmap, isMovable }: Believed,
    isLate: boolean,
  ): Piece {
    const left = this.#current.get(agentId);
    const before = left === undefined ? undefined : this.#pieces.get(left);
    let piece = this.#pieces.get(submap);
    if (left !== submap && !isLate) {
      this.#current.set(agentId, submap);
      if (before) this.#lay(before);
    }
    if (!piece) {
      const shift = before && isMovable ? shiftAtEnd(before) : STILL;
      piece = {
        number: ++this.#numbered,
        surfels: new Surfels(LOCALISE.surfelsOfSubmap),
        drift: STILL,
        shift,
        told: STILL,
        written: STILL,
        isPlaced: false,
        worldFromSubmap,
        last: submapFromCamera,
        misses: 0,
      };
    }
    this.#pieces.delete(submap);
    this.#pieces.set(submap, piece);
    for (const oldest of this.#pieces.keys()) {
      if (this.#pieces.size <= LOCALISE.submaps) break;
      this.#pieces.delete(oldest);
    }
    return piece;
  }

  /**
   * Corrects a submap's drift from its own surfaces. False if the frame sees much that is known and matches none of
   * it: then it must not blur the known surfaces, unless this has gone on for a while.
   */
  #followOdometry(piece: Piece, samples: Samples, { agentId, submapFromCamera }: Believed): boolean {
    const { translationM, rotationRad } = transformDelta(piece.last, submapFromCamera);
    piece.last = submapFromCamera;
    const options = {
      sdM: LOCALISE.restM + LOCALISE.wayShare * translationM,
      sdRad:
        LOCALISE.restRad + LOCALISE.radPerRootM * Math.sqrt(translationM) + LOCALISE.radPerRad * rotationRad,
      wideM: LOCALISE.ownWideM,
      owner: NO_OWNER,
      leastGain: this.#leastGainOf(agentId),
    };
    const from = (drift: Planar) =>
      layOn(piece.surfels, samples, standOf(drift, submapFromCamera.p, 0, drift.turnRad), options);
    let found = from(piece.drift);
    if (!isSure(found) && !isStill(piece.drift)) {
      // Poses that were corrected between two frames have no drift any more.
      const undrifted = from(STILL);
      if (isSure(undrifted)) found = undrifted;
    }
    if (found.gain >= LOCALISE.noteworthyGain) this.#drifting.add(agentId);
    if (isSure(found) || found.met < LOCALISE.leastMet) {
      piece.misses = 0;
      piece.drift = bringing(submapFromCamera.p, found.stand, found.stand.turnRad);
      return true;
    }
    if (++piece.misses < LOCALISE.mostMisses) return false;
    piece.surfels.clear();
    piece.drift = STILL;
    piece.misses = 0;
    return true;
  }

  #fitToOthers(piece: Piece, samples: Samples, cameraInSubmap: Vec3, leastGain: number): void {
    const worldFromSubmap = overGround(piece.worldFromSubmap);
    if (!worldFromSubmap) return;
    const before = after(piece.shift, worldFromSubmap);
    const start = standOf(
      before,
      cameraInSubmap,
      piece.worldFromSubmap.p.z,
      before.turnRad + piece.drift.turnRad,
    );
    const found = layOn(this.#others, samples, start, {
      sdM: LOCALISE.shiftSdM,
      sdRad: LOCALISE.shiftSdRad,
      wideM: piece.isPlaced ? LOCALISE.ownWideM : LOCALISE.othersWideM,
      owner: piece.number,
      leastGain,
    });
    piece.isPlaced = isSure(found);
    if (!piece.isPlaced) return;
    const turnRad = piece.shift.turnRad + found.stand.turnRad - start.turnRad;
    const { x, y } = apply(piece.worldFromSubmap, cameraInSubmap);
    piece.shift = bringing({ x, y }, found.stand, turnRad);
  }

  #leastGainOf(agentId: string): number {
    return this.#drifting.has(agentId) ? 0 : LOCALISE.noteworthyGain;
  }

  #lay({ number, surfels, shift, worldFromSubmap }: Piece): void {
    const level = overGround(worldFromSubmap);
    if (!level) return;
    const { turnRad, x, y } = after(shift, level);
    this.#others.addAll(surfels, number, Math.cos(turnRad), Math.sin(turnRad), x, y, worldFromSubmap.p.z);
  }
}

function isSure({ met, lying }: Fit): boolean {
  return met >= LOCALISE.leastMet && lying >= LOCALISE.leastLyingShare * met;
}

function standOf({ turnRad, x, y }: Planar, at: Vec3, z: number, turnOfSamples: number): Stand {
  const [cos, sin] = [Math.cos(turnRad), Math.sin(turnRad)];
  return {
    x: cos * at.x - sin * at.y + x,
    y: sin * at.x + cos * at.y + y,
    z: at.z + z,
    turnRad: turnOfSamples,
  };
}

/** The motion with this rotation that maps one point to another. */
function bringing(from: { x: number; y: number }, to: { x: number; y: number }, turnRad: number): Planar {
  const [cos, sin] = [Math.cos(turnRad), Math.sin(turnRad)];
  return { turnRad, x: to.x - cos * from.x + sin * from.y, y: to.y - sin * from.x - cos * from.y };
}

/** The error with which the agent's next submap starts: shift and drift combined. */
function shiftAtEnd({ shift, drift, worldFromSubmap }: Piece): Planar {
  const level = overGround(worldFromSubmap);
  return level ? after(shift, after(level, after(drift, inverse(level)))) : STILL;
}

/** Whether two motions differ noticeably at a place and around it. */
function differ(a: Planar, b: Planar, place: Vec3, mostM: number, mostRad: number): boolean {
  const [p, q] = [standOf(a, place, 0, 0), standOf(b, place, 0, 0)];
  return Math.hypot(p.x - q.x, p.y - q.y) >= mostM || Math.abs(a.turnRad - b.turnRad) >= mostRad;
}

function addSamples(surfels: Surfels, { count, points, normals }: Samples, stand: Stand): void {
  const [cos, sin] = [Math.cos(stand.turnRad), Math.sin(stand.turnRad)];
  for (let i = 0; i < count; i++) {
    const [x, y, nx, ny] = [points[3 * i]!, points[3 * i + 1]!, normals[2 * i]!, normals[2 * i + 1]!];
    surfels.add(
      stand.x + cos * x - sin * y,
      stand.y + sin * x + cos * y,
      stand.z + points[3 * i + 2]!,
      cos * nx - sin * ny,
      sin * nx + cos * ny,
    );
  }
}

function isStill({ turnRad, x, y }: Planar): boolean {
  return turnRad === 0 && x === 0 && y === 0;
}

function isSame(a: Transform, b: Transform): boolean {
  const { translationM, rotationRad } = transformDelta(a, b);
  return translationM < 1e-9 && rotationRad < 1e-7;
}
