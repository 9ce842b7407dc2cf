import type { Percept } from "../schema/core.ts";
import type { RayPoints } from "./depth-rays.ts";
import type { SurfaceCloud } from "./surface.ts";

const GREY = 128;

/**
 * Rays that free nothing leave a coloured point instead. A submap reopened by a late frame has its surface already
 * written.
 */
export function paint(
  surface: SurfaceCloud | undefined,
  rays: RayPoints,
  { rgb, depth, submapFromCamera }: Percept,
): void {
  if (surface === undefined || depth === undefined) return;
  const { x: ex, y: ey, z: ez } = submapFromCamera.p;
  const same = rgb?.width === depth.width && rgb.height === depth.height;
  for (let i = 0; i < rays.count; i++) {
    if (rays.moving[i] || rays.frees[i]) continue;
    const x = rays.points[i * 3]!;
    const y = rays.points[i * 3 + 1]!;
    const z = rays.points[i * 3 + 2]!;
    const at = rgb === undefined ? -1 : 3 * (same ? rays.pixels[i]! : pixelIn(rgb, depth, rays.pixels[i]!));
    const away = Math.sqrt((x - ex) ** 2 + (y - ey) ** 2 + (z - ez) ** 2);
    surface.add(
      x,
      y,
      z,
      away,
      at < 0 ? GREY : rgb!.data[at]!,
      at < 0 ? GREY : rgb!.data[at + 1]!,
      at < 0 ? GREY : rgb!.data[at + 2]!,
    );
  }
}

function pixelIn(
  rgb: { readonly width: number; readonly height: number },
  depth: { readonly width: number; readonly height: number },
  pixel: number,
): number {
  const u = Math.floor(((pixel % depth.width) * rgb.width) / depth.width);
  const v = Math.floor((Math.floor(pixel / depth.width) * rgb.height) / depth.height);
  return v * rgb.width + u;
}
