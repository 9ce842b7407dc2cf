import { type Box, centreOf, extentOf, inflate, rayBox, type Vec3 } from "../geometry/index.ts";
import { BELIEVED, bandOfLook, CELL_M, FLOOR_BAND } from "./bands.ts";
import type { Storey } from "./composite.ts";
import type { DistanceField, FloorPlan } from "./paths.ts";
import { WAYS } from "./settings.ts";
import { cellOf } from "./tiles.ts";

const RINGS_M = Array.from({ length: WAYS.rings }, (_, n) => WAYS.ringM * Math.SQRT2 ** n);

/** A standing place from which a target is visible. */
export interface Viewpoint {
  readonly positionInWorld: Vec3;
  /** Towards the middle of the target. */
  readonly yawRad: number;
  /** Share of the target's points that are visible. */
  readonly visible: number;
  /** Path length to it; 0 if no start was given. */
  readonly pathM: number;
  readonly score: number;
}

interface ViewpointOptions {
  /** Path lengths are measured from here; unreachable places are left out. */
  readonly field?: DistanceField;
  readonly eyeHeightM?: number;
  /** Whether a place is in the target's room; such places come first, whatever others see through a door. */
  readonly isInRoom?: (positionInWorld: Vec3) => boolean;
  /** How much is new to see from a place, 0 to 1. */
  readonly novelty?: (positionInWorld: Vec3) => number;
  readonly limit?: number;
}

/** The options of a map query: the map knows paths and rooms itself. */
export interface SeeOptions extends Omit<ViewpointOptions, "field" | "isInRoom"> {
  readonly from?: Vec3;
  /** The target's room; default: the one around its middle. */
  readonly roomId?: string | undefined;
}

/** Rings around the box in free space, best first (docs/formulas.md#viewpoints): visible, facing it, near, and new. */
export function viewpointsOf(
  target: Box,
  plan: FloorPlan,
  storey: Storey,
  options: ViewpointOptions = {},
): Viewpoint[] {
  const {
    field,
    eyeHeightM = WAYS.lookFromM,
    isInRoom = () => true,
    novelty,
    limit = WAYS.maxViews,
  } = options;
  const centre = centreOf(target);
  const size = extentOf(target);
  const found: (Viewpoint & { readonly inRoom: boolean })[] = [];
  for (const ringM of RINGS_M) {
    for (let i = 0; i < WAYS.angles; i++) {
      const angle = (2 * Math.PI * i) / WAYS.angles;
      const [c, s] = [Math.cos(angle), Math.sin(angle)];
      const positionInWorld = {
        x: centre.x + c * (ringM + size.x / 2),
        y: centre.y + s * (ringM + size.y / 2),
        z: storey.floorZ,
      };
      if (!plan.isOpen(positionInWorld)) continue;
      const pathM = field === undefined ? 0 : field.at(positionInWorld);
      if (pathM === Infinity) continue;
      const eye = { ...positionInWorld, z: storey.floorZ + eyeHeightM };
      const inRoom = isInRoom(positionInWorld);
      const visible = visibleShare(target, eye, storey, inRoom ? WAYS.radiusM : 0);
      if (visible === 0) continue;
      const dx = centre.x - positionInWorld.x;
      const dy = centre.y - positionInWorld.y;
      const score =
        visible *
        facing(size, dx, dy) *
        Math.exp(-pathM / WAYS.pathScaleM) *
        (novelty?.(positionInWorld) ?? 1);
      found.push({ positionInWorld, yawRad: Math.atan2(dy, dx), visible, pathM, score, inRoom });
    }
  }
  return found
    .sort((a, b) => Number(b.inRoom) - Number(a.inRoom) || b.score - a.score || a.yawRad - b.yawRad)
    .slice(0, limit)
    .map(({ inRoom: _, ...view }) => view);
}

/** A flat thing is hardly visible from the side. */
function facing(size: Vec3, dx: number, dy: number): number {
  const thin = Math.min(size.x, size.y);
  if (thin > WAYS.flatShare * Math.max(size.x, size.y)) return 1;
  const along = size.x < size.y ? Math.abs(dx) : Math.abs(dy);
  return Math.max(0, along / Math.hypot(dx, dy));
}

function visibleShare(target: Box, eye: Vec3, storey: Storey, ownM: number): number {
  const centre = centreOf(target);
  const size = extentOf(target);
  const points = [centre];
  for (const x of [-1, 1])
    for (const y of [-1, 1])
      for (const z of [-1, 1])
        points.push({
          x: centre.x + (x * WAYS.inner * size.x) / 2,
          y: centre.y + (y * WAYS.inner * size.y) / 2,
          z: centre.z + (z * WAYS.inner * size.z) / 2,
        });
  const own = inflate(target, ownM);
  return points.filter((point) => seesPoint(eye, point, own, storey)).length / points.length;
}

/** Walks the cells between eye and point; only obstacles outside the target's own box hide it. */
function seesPoint(eye: Vec3, point: Vec3, own: Box, storey: Storey): boolean {
  const direction = { x: point.x - eye.x, y: point.y - eye.y, z: point.z - eye.z };
  const until = rayBox({ origin: eye, direction }, own)?.near ?? 1;
  const steps = Math.ceil(Math.hypot(direction.x, direction.y) / (CELL_M / 2));
  for (let i = 1; i < steps * Math.min(1, until); i++) {
    const t = i / steps;
    const band = bandOfLook(eye.z + direction.z * t - storey.floorZ);
    if (band === FLOOR_BAND) continue;
    const [x, y] = [eye.x + direction.x * t, eye.y + direction.y * t];
    if (storey.grid.odds(cellOf(x), cellOf(y), band) >= BELIEVED) return false;
  }
  return true;
}
