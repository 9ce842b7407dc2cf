import type { Vec3 } from "../../geometry/index.ts";
import type { CompiledScene } from "./compiled-scene.ts";
import { sinCos } from "./exact-trig.ts";
import { RayCaster } from "./ray-caster.ts";
import { FAR_M } from "./renderer.ts";

/** A planar ring of beams around the body, counter-clockwise from straight behind. */
export interface LidarSpec {
  readonly beams: number;
  readonly heightM: number;
  readonly rangeM: number;
}

export const DEFAULT_LIDAR: LidarSpec = { beams: 180, heightM: 0.3, rangeM: 12 };

/** Ranges in millimetres, 0 where nothing is within reach; the frame's RangeScan without its type. */
export function scanRing(
  scene: CompiledScene,
  { beams, heightM, rangeM }: LidarSpec,
  bodyInWorld: Vec3,
  yawRad: number,
): { startRad: number; stepRad: number; rangesMm: Uint16Array } {
  const caster = new RayCaster(scene);
  const stepRad = (2 * Math.PI) / beams;
  const rangesMm = new Uint16Array(beams);
  for (let beam = 0; beam < beams; beam++) {
    const { sin, cos } = sinCos(yawRad - Math.PI + beam * stepRad);
    const limit = Math.min(rangeM, FAR_M);
    if (caster.closest(bodyInWorld.x, bodyInWorld.y, bodyInWorld.z + heightM, cos, sin, 0, limit)) {
      rangesMm[beam] = Math.floor(caster.distance * 1000 + 0.5);
    }
  }
  return { startRad: -Math.PI, stepRad, rangesMm };
}
