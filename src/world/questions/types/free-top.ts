import type { Placement } from "../../house/types.ts";
import { cosOfStep, sinOfStep, stepOfYaw } from "../../house/yaw.ts";

const STEP_M = 0.01;

interface Rect {
  readonly minX: number;
  readonly maxX: number;
  readonly minY: number;
  readonly maxY: number;
}

/**
 * Whether a footprint fits on the free part of a top, along either axis of the host: every centimetre is tried.
 * What stands there takes the rectangle around it in the host's axes.
 */
export function fitsOnTop(
  host: Placement,
  others: readonly Placement[],
  size: { readonly x: number; readonly y: number },
): boolean {
  const taken = others.map((other) => rectIn(host, other));
  return free(host, taken, size.x, size.y) || free(host, taken, size.y, size.x);
}

function free({ extent }: Placement, taken: readonly Rect[], width: number, depth: number): boolean {
  const x1 = extent.x / 2 - width;
  const y1 = extent.y / 2 - depth;
  for (let x = -extent.x / 2; x <= x1 + 1e-9; x += STEP_M) {
    for (let y = -extent.y / 2; y <= y1 + 1e-9; y += STEP_M) {
      const clear = taken.every(
        (r) => x + width <= r.minX || x >= r.maxX || y + depth <= r.minY || y >= r.maxY,
      );
      if (clear) return true;
    }
  }
  return false;
}

function rectIn(host: Placement, { centre, extent, yawRad }: Placement): Rect {
  const own = stepOfYaw(host.yawRad);
  const dx = centre.x - host.centre.x;
  const dy = centre.y - host.centre.y;
  const x = dx * cosOfStep(own) + dy * sinOfStep(own);
  const y = dy * cosOfStep(own) - dx * sinOfStep(own);
  const turned = stepOfYaw(yawRad) - own;
  const c = Math.abs(cosOfStep(turned));
  const s = Math.abs(sinOfStep(turned));
  const halfX = (extent.x * c + extent.y * s) / 2;
  const halfY = (extent.x * s + extent.y * c) / 2;
  return { minX: x - halfX, maxX: x + halfX, minY: y - halfY, maxY: y + halfY };
}
