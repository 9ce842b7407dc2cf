import type { Quat, Vec3 } from "../../geometry/index.ts";
import { centreOf, compose, extentOf, inflate, normalize, rotate } from "../../geometry/index.ts";
import type { Percept } from "../../schema/core.ts";
import { ASSOCIATE } from "../settings/associate.ts";
import { COMMON, SLIP_SHARE } from "../settings/common.ts";
import type { AlignedFrame, Candidate } from "../state/frame.ts";
import { FrameView } from "../state/frame-view.ts";
import type { Scene } from "../state/scene.ts";
import { ALL_FACES, faceBit, placeSolid } from "../state/shape.ts";
import type { Correspondence } from "../state/submap-places.ts";
import type { Thing } from "../state/thing.ts";
import { categoryOf } from "../state/words.ts";
import { associate } from "./association.ts";

/**
 * Matches the detections of a frame to things. First loosely, to estimate how much the submap has drifted from older
 * ones; then, with the drift removed, strictly, so that similar neighbours are told apart by their places.
 */
export async function alignFrame(
  scene: Scene,
  percept: Percept,
  use: (index: number) => boolean,
): Promise<AlignedFrame> {
  const { places } = scene;
  places.enter(percept.agentId, percept.submap, percept.worldFromSubmap);
  let candidates = placeDetections(scene, percept, use);
  if (scene.mode !== "paper") {
    const jump = jumpOf(scene, percept.agentId, candidates);
    if (jump) {
      places.nudge(percept.agentId, jump);
      candidates = placeDetections(scene, percept, use);
    }
    for (let round = 0; round < 2; round++) {
      const { matched } = await associateIn(scene, percept, candidates, false);
      const pairs = correspondences(scene, percept, candidates, matched);
      const last = round + 1 === 2;
      const movedM = places.learn(percept.agentId, pairs, percept.submapFromCamera.p, last);
      if (!last && movedM < COMMON.slackM) {
        places.learn(percept.agentId, pairs, percept.submapFromCamera.p, true);
        break;
      }
      candidates = placeDetections(scene, percept, use);
    }
    candidates = placeDetections(scene, percept, use);
  }
  const { matched, adjudicated } = await associateIn(scene, percept, candidates, true);
  const worldFromCamera = compose(places.placeOf(percept.submap)!, percept.submapFromCamera);
  return {
    percept,
    worldFromCamera,
    view: new FrameView(worldFromCamera, percept.intrinsics, percept.depth),
    candidates,
    matched,
    adjudicated,
    place: (other) => placeDetections(scene, percept, other),
  };
}

function placeDetections(scene: Scene, percept: Percept, use: (index: number) => boolean): Candidate[] {
  const worldFromSubmap = scene.places.placeOf(percept.submap)!;
  const camera = compose(worldFromSubmap, percept.submapFromCamera);
  const cameraInWorld = camera.p;
  const candidates: Candidate[] = [];
  percept.detections.forEach((detection, index) => {
    if (!detection.solid || !use(index)) return;
    const isPartial = detection.truncated || detection.occludedFraction > COMMON.slightShare;
    const context = {
      submap: percept.submap,
      worldFromSubmap,
      cameraInWorld,
      focalPx: percept.intrinsics.fx,
      isPartial,
      open:
        detection.occludedFraction > COMMON.slightShare
          ? ALL_FACES
          : facesCut(detection.bbox, percept, camera.q),
    };
    candidates.push({ index, detection, solid: placeSolid(detection.solid, context) });
  });
  return candidates;
}

/**
 * The faces towards which a detection is cut off by the border of the image: those that point out of the camera's view.
 */
function facesCut(
  [left, top, right, bottom]: readonly [number, number, number, number],
  { intrinsics: { fx, fy, cx, cy, width, height } }: Percept,
  worldFromCamera: Quat,
): number {
  const borders: Vec3[] = [];
  if (left <= 1) borders.push({ x: -fx, y: 0, z: -cx });
  if (right >= width - 1) borders.push({ x: fx, y: 0, z: cx - width });
  if (top <= 1) borders.push({ x: 0, y: -fy, z: -cy });
  if (bottom >= height - 1) borders.push({ x: 0, y: fy, z: cy - height });
  let open = 0;
  for (const border of borders) {
    const outward = rotate(worldFromCamera, normalize(border));
    for (const axis of ["x", "y", "z"] as const) {
      if (Math.abs(outward[axis]) > COMMON.alongCosine) open |= faceBit(axis, outward[axis] > 0 ? 1 : -1);
    }
  }
  return open;
}

function associateIn(scene: Scene, percept: Percept, candidates: readonly Candidate[], isAligned: boolean) {
  const { things, mode, background, adjudicator, readings } = scene;
  const own = new Set(percept.labels);
  return associate(candidates, {
    things,
    mode,
    background,
    adjudicator,
    readings,
    isAligned,
    // A match must not reveal things that readers of this percept may not see.
    mayMatch: ({ labels }) => labels.every((label) => own.has(label)),
  });
}

/** Things of this frame that other submaps have placed, where both observations are whole enough to compare centres. */
function correspondences(
  scene: Scene,
  percept: Percept,
  candidates: readonly Candidate[],
  matched: readonly (Thing | undefined)[],
): Correspondence[] {
  const pairs: Correspondence[] = [];
  candidates.forEach(({ solid }, row) => {
    const thing = matched[row];
    if (!thing || solid.isPartial || thing.evidence.detections < 2) return;
    const known = thing.shape.boxInWorld(scene.places.placeOf, percept.submap);
    if (!known) return;
    const e = extentOf(known);
    if (!alike(e.x, solid.half.x) || !alike(e.y, solid.half.y) || !alike(e.z, solid.half.z)) return;
    const sdM = solid.pixelM + SLIP_SHARE * Math.max(e.x, e.y);
    pairs.push({
      thingId: thing.stateId,
      pointInSubmap: solid.centreInSubmap,
      target: centreOf(known),
      sdM,
    });
  });
  return pairs;
}

/** A detection, and a thing of its kind that it would be after a shift. */
interface Vote {
  readonly row: number;
  readonly x: number;
  readonly y: number;
  /** Log-odds by what is written on both and said of both. */
  readonly said: number;
}

/**
 * A shift that brings several detections onto known things, where hardly any fit as they are: the drift of a long loop,
 * too large for pairwise matching. Every detection votes for each shift to a thing of its kind. Shelves repeat, so a
 * shift must explain more things than fit in this submap already, and what is written on them must not speak against it.
 */
function jumpOf(scene: Scene, agentId: string, candidates: readonly Candidate[]): Vec3 | undefined {
  const votes: Vote[] = [];
  let still = 0;
  for (const [row, { detection, solid }] of candidates.entries()) {
    if (solid.isPartial) continue;
    const centre = centreOf(solid.box);
    let stays = false;
    for (const thing of scene.things.near(inflate(solid.box, ASSOCIATE.jumpM))) {
      if (!thing.isConfirmed || thing.words.category !== categoryOf(detection)) continue;
      const e = extentOf(thing.worldBox);
      if (!alike(e.x, solid.half.x) || !alike(e.y, solid.half.y) || !alike(e.z, solid.half.z)) continue;
      const [x, y, z] = [thing.centre.x - centre.x, thing.centre.y - centre.y, thing.centre.z - centre.z];
      if (Math.abs(z) > COMMON.placeM || Math.hypot(x, y) > ASSOCIATE.jumpM) continue;
      if (Math.hypot(x, y) < COMMON.placeM) stays = true;
      votes.push({ row, x, y, said: scene.readings.evidence(detection, thing.words) });
    }
    if (stays) still++;
  }
  const best = largestAgreement(votes);
  const byRow = new Map<number, number>();
  for (const { row, said } of best)
    byRow.set(row, Math.max(said, byRow.get(row) ?? Number.NEGATIVE_INFINITY));
  if (byRow.size < COMMON.fewLooks || byRow.size < 2 * still + 1) return undefined;
  if (byRow.size <= scene.places.agreeing(agentId)) return undefined;
  if ([...byRow.values()].reduce((sum, said) => sum + said, 0) < 0) return undefined;
  const mean = (axis: "x" | "y") => best.reduce((sum, vote) => sum + vote[axis], 0) / best.length;
  const [x, y] = [mean("x"), mean("y")];
  // Smaller shifts are found by pairwise matching; as a jump they would be a coincidence of a few detections of other
  // things.
  return Math.hypot(x, y) < COMMON.placeM ? undefined : { x, y, z: 0 };
}

/** The votes of about one shift that the most detections share. */
function largestAgreement(votes: readonly Vote[]): readonly Vote[] {
  let best: readonly Vote[] = [];
  let most = 0;
  for (const { x, y } of votes) {
    const agreeing = votes.filter((other) => Math.hypot(other.x - x, other.y - y) < COMMON.placeM);
    const rows = new Set(agreeing.map(({ row }) => row)).size;
    if (rows > most) [best, most] = [agreeing, rows];
  }
  return best;
}

function alike(sideM: number, halfM: number): boolean {
  return Math.abs(sideM - 2 * halfM) < COMMON.placeM + COMMON.partShare * Math.max(sideM, 2 * halfM);
}
