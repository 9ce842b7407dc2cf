import {
  apply,
  compose,
  type Intrinsics,
  type Transform,
  transformDelta,
  type Vec3,
} from "../geometry/index.ts";
import type { DepthImage } from "../schema/core.ts";
import { type Agreement, agreementOf, confirms, contradicts } from "./agreement.ts";
import { type Fit, layOn, type Stand } from "./fit.ts";
import { after, asTransform, inverse, overGround, type Planar, STILL } from "./planar.ts";
import { canFollow, turnOf } from "./pose-gate.ts";
import { SampleReader, type Samples } from "./samples.ts";
import { Surfels } from "./surfels.ts";

/** A frame as a robot believes it to be placed. */
export interface BelievedFrame {
  readonly agentId: string;
  readonly timeUs: number;
  readonly submap: string;
  readonly submapFromCamera: Transform;
  /** By the map alone. */
  readonly worldFromSubmap: Transform;
  /** False for a submap that is the map itself, or that nobody can be told to lie elsewhere. */
  readonly isMovable: boolean;
  /** Dead reckoning, where there is any. */
  readonly odometry?: { readonly frame: string; readonly odomFromBody: Transform } | undefined;
  readonly depth?: DepthImage | undefined;
  readonly intrinsics: Intrinsics;
}

/** Where it was taken, by the surfaces that it shows. */
export interface PlacedFrame {
  readonly submapFromCamera: Transform;
  readonly worldFromSubmap: Transform;
  /** It shows much that is known and lies on none of it: wherever it was taken, it was not there. */
  readonly isDoubtful: boolean;
}

/** What was seen from one submap, and by how much its poses and its place are off. */
interface Piece {
  readonly number: number;
  readonly surfels: Surfels;
  /** Takes poses as they were given to poses in the submap: what odometry lost since the submap began. */
  drift: Planar;
  /** Takes the submap from where the map has it to where its surfaces fit those of others. */
  shift: Planar;
  /** As it was last handed out: it follows in steps, since whoever is told lays the submap anew. */
  told: Planar;
  /** As it was last handed out to be written. */
  written: Planar;
  /** Others' surfaces were met by the last frame. */
  isPlaced: boolean;
  worldFromSubmap: Transform;
  last: Transform;
  misses: number;
}

/** The last frame of an agent that was believed, and how many were not since. */
interface Followed extends Pick<BelievedFrame, "submap" | "submapFromCamera" | "odometry" | "timeUs"> {
  /** How dead reckoning's frame is turned against the map. */
  readonly turnRad?: number | undefined;
  readonly doubts: number;
}

/** Submaps whose surfaces are kept, and the most of each and of all together. */
const PIECES = 24;
const SURFELS_OF_PIECE = 65_536;
const SURFELS_OF_ALL = 262_144;
/** Odometry between two frames: a standard deviation at rest, per metre and its root, per radian. */
const REST_M = 0.004;
const SHARE_OF_WAY = 0.02;
const REST_RAD = 0.002;
const RAD_PER_ROOT_M = 0.01;
const RAD_PER_RAD = 0.006;
/** How much of a submap's shift one frame may take back. */
const SHIFT_SD_M = 0.03;
const SHIFT_SD_RAD = 0.0075;
const OWN_WIDE_M = 0.06;
const OTHERS_WIDE_M = 0.15;
/** In a submap's own store all pieces count. */
const NO_OWNER = -1;
/** A fit counts when this many samples met a surface and this share of them lies on it. */
const LEAST_MET = 60;
const LEAST_LYING = 0.5;
/** A gain that noise alone hardly ever brings: until then an agent's poses are taken for exact. */
const NOTEWORTHY = 16;
/** Frames in a row that lie on nothing known, after which what is known is given up. */
const MOST_MISSES = 10;
/** Frames in a row that are doubted. */
const MOST_DOUBTS = 20;
/** A submap that moved by less at the camera is left where it is. */
const TOLD_M = 0.02;
const TOLD_RAD = 0.006;
/** A submap in use is written anew from here on: whoever indexes what hangs on it has to move all of that. */
const WRITTEN_M = 0.06;
const WRITTEN_RAD = 0.02;

/**
 * Lays every frame on the surfaces seen before. Odometry loses a degree within a few metres, which is a hand's
 * breadth across a room; walls and furniture say at once by how much. Two corrections, over the ground only: of the
 * pose in its submap, by what that submap has seen, and of the submap's place, by what others have. The first is
 * part of the poses that are remembered; the second holds until the map itself is corrected.
 */
export class PoseCorrector {
  readonly #reader = new SampleReader();
  /** In the order of their last use. */
  readonly #pieces = new Map<string, Piece>();
  readonly #current = new Map<string, string>();
  readonly #latestUs = new Map<string, number>();
  readonly #followed = new Map<string, Followed>();
  /** Agents whose poses were seen to be off. Those of the others stay as they are: noise would only shake them. */
  readonly #drifting = new Set<string>();
  #others = new Surfels(SURFELS_OF_ALL);
  #numbered = 0;

  place(frame: BelievedFrame): PlacedFrame {
    const { agentId, timeUs, submapFromCamera, worldFromSubmap, depth, intrinsics, isMovable } = frame;
    // By how far odometry slipped is known from one frame to the next; of one that comes late, nothing is.
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
    if (differ(piece.shift, piece.told, apply(worldFromSubmap, p), TOLD_M, TOLD_RAD))
      piece.told = piece.shift;
    return { ...this.#believed(piece, frame), isDoubtful: false };
  }

  #believed(
    { drift, told }: Piece,
    { submapFromCamera, worldFromSubmap }: BelievedFrame,
  ): Omit<PlacedFrame, "isDoubtful"> {
    return {
      submapFromCamera: compose(asTransform(drift), submapFromCamera),
      worldFromSubmap: compose(asTransform(told), worldFromSubmap),
    };
  }

  /**
   * Whether a frame was hardly taken from where it is said to be: dead reckoning cannot have led there from the last
   * pose that was believed, and what it shows does not say that it is there all the same; or it sees through walls.
   * Who is doubted for long is believed in the end: then what was known is no longer so.
   */
  #isDoubtful(piece: Piece, frame: BelievedFrame, isLate: boolean): boolean {
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
    if ((isSeenThrough || (!came && !isConfirmed)) && before && doubts < MOST_DOUBTS) {
      if (!isLate) this.#followed.set(agentId, { ...before, doubts: doubts + 1 });
      return true;
    }
    if (isLate) return false;
    const turnRad = (last && turnOf(last, now)) ?? before?.turnRad;
    this.#followed.set(agentId, { submap, submapFromCamera, odometry, timeUs, turnRad, doubts: 0 });
    return false;
  }

  /** With what the submap itself has seen, and with what others have about there. */
  #agreement(piece: Piece, frame: BelievedFrame, depth: DepthImage): Agreement {
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
   * Submaps that lie elsewhere than was last handed out here, and so is remembered: one that is still in use once that
   * matters, one that was left behind, or all at the end, to the centimetre.
   */
  moved(isLast = false): { submap: string; worldFromSubmap: Transform }[] {
    const current = new Set(isLast ? [] : this.#current.values());
    return [...this.#pieces].flatMap(([submap, piece]) => {
      const { shift, written, worldFromSubmap, last } = piece;
      const [mostM, mostRad] = current.has(submap) ? [WRITTEN_M, WRITTEN_RAD] : [TOLD_M, TOLD_RAD];
      if (!differ(shift, written, apply(worldFromSubmap, last.p), mostM, mostRad)) return [];
      piece.written = shift;
      return [{ submap, worldFromSubmap: compose(asTransform(shift), worldFromSubmap) }];
    });
  }

  /** The map was corrected: it knows better than our shifts did. */
  correct(worldFromSubmap: (submap: string) => Transform | undefined): void {
    for (const [submap, piece] of this.#pieces) {
      const now = worldFromSubmap(submap);
      if (!now || isSame(now, piece.worldFromSubmap)) continue;
      piece.worldFromSubmap = now;
      piece.shift = STILL;
      piece.told = STILL;
    }
    for (const piece of this.#pieces.values()) piece.written = STILL;
    this.#others = new Surfels(SURFELS_OF_ALL);
    const current = new Set(this.#current.values());
    for (const [submap, piece] of this.#pieces) if (!current.has(submap)) this.#lay(piece);
  }

  /** The piece that a frame belongs to. A new one starts with the shift at which its agent left the last. */
  #enter(
    { agentId, submap, submapFromCamera, worldFromSubmap, isMovable }: BelievedFrame,
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
        surfels: new Surfels(SURFELS_OF_PIECE),
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
      if (this.#pieces.size <= PIECES) break;
      this.#pieces.delete(oldest);
    }
    return piece;
  }

  /**
   * Corrects a piece's drift by what the piece itself has seen. False when the frame shows much that is known and
   * lies on none of it: then it must not blur what is known, until that has been useless for a while.
   */
  #followOdometry(piece: Piece, samples: Samples, { agentId, submapFromCamera }: BelievedFrame): boolean {
    const { translationM, rotationRad } = transformDelta(piece.last, submapFromCamera);
    piece.last = submapFromCamera;
    const options = {
      sdM: REST_M + SHARE_OF_WAY * translationM,
      sdRad: REST_RAD + RAD_PER_ROOT_M * Math.sqrt(translationM) + RAD_PER_RAD * rotationRad,
      wideM: OWN_WIDE_M,
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
    if (found.gain >= NOTEWORTHY) this.#drifting.add(agentId);
    if (isSure(found) || found.met < LEAST_MET) {
      piece.misses = 0;
      piece.drift = bringing(submapFromCamera.p, found.stand, found.stand.turnRad);
      return true;
    }
    if (++piece.misses < MOST_MISSES) return false;
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
      sdM: SHIFT_SD_M,
      sdRad: SHIFT_SD_RAD,
      wideM: piece.isPlaced ? OWN_WIDE_M : OTHERS_WIDE_M,
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
    return this.#drifting.has(agentId) ? 0 : NOTEWORTHY;
  }

  #lay({ number, surfels, shift, worldFromSubmap }: Piece): void {
    const level = overGround(worldFromSubmap);
    if (!level) return;
    const { turnRad, x, y } = after(shift, level);
    this.#others.addAll(surfels, number, Math.cos(turnRad), Math.sin(turnRad), x, y, worldFromSubmap.p.z);
  }
}

function isSure({ met, lying }: Fit): boolean {
  return met >= LEAST_MET && lying >= LEAST_LYING * met;
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

/** The motion that turns by so much and takes one point to another. */
function bringing(from: { x: number; y: number }, to: { x: number; y: number }, turnRad: number): Planar {
  const [cos, sin] = [Math.cos(turnRad), Math.sin(turnRad)];
  return { turnRad, x: to.x - cos * from.x + sin * from.y, y: to.y - sin * from.x - cos * from.y };
}

/** Where the next submap of the same agent is off, as odometry goes on from here: by shift and drift together. */
function shiftAtEnd({ shift, drift, worldFromSubmap }: Piece): Planar {
  const level = overGround(worldFromSubmap);
  return level ? after(shift, after(level, after(drift, inverse(level)))) : STILL;
}

/** Whether two motions take a place, and what lies about it, to different places. */
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
