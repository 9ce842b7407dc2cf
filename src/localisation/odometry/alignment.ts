import { compose, invert, type Transform, toMatrix } from "../../geometry/index.ts";
import { NormalEquations } from "../normal-equations.ts";
import { type Contacts, tukey } from "../registration.ts";
import { ODOMETRY } from "../settings.ts";
import type { Surface } from "./surface.ts";

/** A picture with a final pose, at one resolution. */
export interface Reference {
  readonly surface: Surface;
  readonly originFromCamera: Transform;
}

/** The fit of a pose to its references: `shown` are the pixels that fall into one, `met` those on its surface. */
export interface Fit extends Contacts {
  /** Mean distance of the matched pixels from the surface. */
  readonly meanM: number;
  /** Mean brightness difference of matched pixels on texture; 0 without any. */
  readonly meanLuma: number;
}

/**
 * Accumulates the point-to-plane problem (Chen and Medioni 1992) with projective association (KinectFusion, Newcombe
 * et al. 2011): each point of the picture is projected into a reference and measured against the plane there. With
 * pictures, brightness is compared too (Steinbrücker et al. 2011), which constrains the camera where geometry lets it
 * slide: along a corridor, in front of a wall. Residuals beyond `gateM` are other surfaces; smaller ones are weighted
 * by Tukey's biweight, so that moved things have less influence. `stride` takes every n-th pixel.
 */
export function measureFit(
  picture: Surface,
  originFromCamera: Transform,
  references: readonly Reference[],
  gateM: number,
  stride = 1,
): Fit {
  const equations = new NormalEquations();
  let shown = 0;
  let met = 0;
  let sum = 0;
  let lumaSum = 0;
  let textured = 0;
  for (const { surface, originFromCamera: originFromReference } of references) {
    const m = toMatrix(compose(invert(originFromReference), originFromCamera).q);
    const t = compose(invert(originFromReference), originFromCamera).p;
    const r = toMatrix(originFromReference.q);
    const { fx, fy, cx, cy, width, height } = surface.intrinsics;
    const { points, normals, luma } = surface;
    for (let i = 0; i < picture.valid.length; i += stride) {
      const at = picture.valid[i]! * 3;
      const px = picture.points[at]!;
      const py = picture.points[at + 1]!;
      const pz = picture.points[at + 2]!;
      // Seen from the camera's own place in the reference, and from the reference.
      const ax = m[0] * px + m[1] * py + m[2] * pz;
      const ay = m[3] * px + m[4] * py + m[5] * pz;
      const az = m[6] * px + m[7] * py + m[8] * pz;
      const z = az + t.z;
      if (z < ODOMETRY.nearM) continue;
      const x = ax + t.x;
      const y = ay + t.y;
      const exactU = (x / z) * fx + cx;
      const exactV = (y / z) * fy + cy;
      const u = Math.floor(exactU);
      const v = Math.floor(exactV);
      if (u < 0 || v < 0 || u >= width || v >= height) continue;
      const to = (v * width + u) * 3;
      const nx = normals[to]!;
      if (Number.isNaN(nx)) continue;
      shown++;
      const ny = normals[to + 1]!;
      const nz = normals[to + 2]!;
      const residual = nx * (x - points[to]!) + ny * (y - points[to + 1]!) + nz * (z - points[to + 2]!);
      const gate = gateM * Math.max(1, z / 3);
      if (!(Math.abs(residual) < gate)) continue;
      const qx = picture.normals[at]!;
      const qy = picture.normals[at + 1]!;
      const qz = picture.normals[at + 2]!;
      const facing =
        nx * (m[0] * qx + m[1] * qy + m[2] * qz) +
        ny * (m[3] * qx + m[4] * qy + m[5] * qz) +
        nz * (m[6] * qx + m[7] * qy + m[8] * qz);
      if (facing < ODOMETRY.facing) continue;
      met++;
      sum += Math.abs(residual);
      const sd = ODOMETRY.floorM + ODOMETRY.growthPerM2 * pz * pz;
      equations.add(
        r[0] * ax + r[1] * ay + r[2] * az,
        r[3] * ax + r[4] * ay + r[5] * az,
        r[6] * ax + r[7] * ay + r[8] * az,
        r[0] * nx + r[1] * ny + r[2] * nz,
        r[3] * nx + r[4] * ny + r[5] * nz,
        r[6] * nx + r[7] * ny + r[8] * nz,
        residual,
        tukey(residual, gate) / (sd * sd),
      );
      if (!luma || !picture.luma) continue;
      const left = Math.floor(exactU - 0.5);
      const top = Math.floor(exactV - 0.5);
      if (left < 0 || top < 0 || left + 1 >= width || top + 1 >= height) continue;
      // Bilinear brightness and its slope in the reference.
      const right = exactU - 0.5 - left;
      const down = exactV - 0.5 - top;
      const corner = top * width + left;
      const l00 = luma[corner]!;
      const l10 = luma[corner + 1]!;
      const l01 = luma[corner + width]!;
      const l11 = luma[corner + width + 1]!;
      const value = (1 - down) * ((1 - right) * l00 + right * l10) + down * ((1 - right) * l01 + right * l11);
      const difference = value - picture.luma[picture.valid[i]!]!;
      if (Math.abs(difference) > ODOMETRY.lumaGate) continue;
      const slopeU = (1 - down) * (l10 - l00) + down * (l11 - l01);
      const slopeV = (1 - right) * (l01 - l00) + right * (l11 - l10);
      if (Math.abs(slopeU) + Math.abs(slopeV) < ODOMETRY.lumaSlope) continue;
      lumaSum += Math.abs(difference);
      textured++;
      const gu = slopeU * (fx / z);
      const gv = slopeV * (fy / z);
      const gz = -(gu * x + gv * y) / z;
      equations.add(
        r[0] * ax + r[1] * ay + r[2] * az,
        r[3] * ax + r[4] * ay + r[5] * az,
        r[6] * ax + r[7] * ay + r[8] * az,
        r[0] * gu + r[1] * gv + r[2] * gz,
        r[3] * gu + r[4] * gv + r[5] * gz,
        r[6] * gu + r[7] * gv + r[8] * gz,
        difference,
        tukey(difference, ODOMETRY.lumaGate) / (ODOMETRY.lumaSd * ODOMETRY.lumaSd),
      );
    }
  }
  const meanM = met > 0 ? sum / met : Infinity;
  return { equations, shown, met, meanM, meanLuma: textured > 0 ? lumaSum / textured : 0 };
}
