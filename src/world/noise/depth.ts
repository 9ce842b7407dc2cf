import type { Random } from "../../geometry/index.ts";
import type { Picture } from "../sensors/index.ts";
import { strength } from "./levels.ts";

/** A surface seen at more than 75° is mostly lost; the tangent is in metres of depth per metre across. */
const GRAZING_TANGENT = 3.73;
const DROP_GRAZING = 0.5;
const DROP_ANY = 0.02;
const DROP_DARK = 0.25;
const DARK = 28;

/**
 * Depth as a structured-light camera gives it: σ(z) = 0.0012 + 0.0019 (z − 0.4)² m (Nguyen 2012), drop-outs on
 * grazing and black surfaces and 2 % anywhere. Returns a copy.
 */
export function noisyDepth(random: Random, level: number, picture: Picture, focalPx: number): Uint16Array {
  const { width, height, depthMm, instances, rgb } = picture;
  const out = Uint16Array.from(depthMm);
  if (level === 0) return out;
  const s = strength(level);
  for (let j = 0, at = 0; j < height; j++) {
    for (let i = 0; i < width; i++, at++) {
      const mm = depthMm[at]!;
      if (mm === 0) continue;
      const z = mm / 1000;
      const right =
        i + 1 < width && instances[at + 1] === instances[at] ? Math.abs(depthMm[at + 1]! - mm) : 0;
      const below =
        j + 1 < height && instances[at + width] === instances[at] ? Math.abs(depthMm[at + width]! - mm) : 0;
      const across = mm / focalPx;
      const grazing = Math.max(right, below) > GRAZING_TANGENT * across;
      const luma = rgb[at * 3]! * 0.3 + rgb[at * 3 + 1]! * 0.59 + rgb[at * 3 + 2]! * 0.11;
      const drop = (grazing ? DROP_GRAZING : luma < DARK ? DROP_DARK : DROP_ANY) * s;
      if (random.chance(drop)) {
        out[at] = 0;
        continue;
      }
      const sigmaMm = (1.2 + 1.9 * (z - 0.4) * (z - 0.4)) * s;
      const noisy = Math.floor(mm + random.normal(0, sigmaMm) + 0.5);
      out[at] = noisy < 1 ? 1 : Math.min(noisy, 65_534);
    }
  }
  return out;
}
