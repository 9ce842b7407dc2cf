import type { ReadOptions } from "../options.ts";
import {
  colourGradient,
  depthEdges,
  type EdgeView,
  hasEdges,
  isClearlyBetter,
  scoreOf,
} from "./registration.ts";
import type { Shot, ShotList } from "./shots.ts";

const FRAMES = 8;
/** Largest delay of colour in pictures, early or late: a quarter of a second for most cameras. */
const MOST = 4;

/**
 * Finds whether each depth belongs to an earlier or later picture than its own, from the edges of both while the
 * camera moves; undefined if not, or if there is no evidence. Pictures are then shifted, and those at an end without
 * a partner are dropped. Poses stay with depth, which determines positions.
 */
export async function findDelay(
  list: ShotList,
  options: ReadOptions,
): Promise<{ readonly shots: readonly Shot[]; readonly line: string } | undefined> {
  const { shots } = list;
  const isWhole = shots.every(({ colour, depth }) => colour !== undefined && depth !== undefined);
  if (list.depthCamera || !isWhole || shots.length < 4 * MOST) return undefined;
  const inner = shots.length - 2 * MOST;
  const places = Array.from(
    { length: Math.min(FRAMES, inner) },
    (_, n) => MOST + Math.floor(((n + 0.5) * inner) / Math.min(FRAMES, inner)),
  );
  const byDelay: EdgeView[][] = Array.from({ length: 2 * MOST + 1 }, () => []);
  for (const at of places) {
    const edges = await depthEdges(list, shots[at]!, options);
    if (!edges) return undefined;
    // Concurrently, because pictures are decoded in another thread.
    const gradients = await Promise.all(byDelay.map((_, n) => colourGradient(shots[at + n - MOST]!, edges)));
    for (const [n, gradient] of gradients.entries()) {
      if (!gradient) return undefined;
      byDelay[n]!.push(atEdges({ ...edges, gradient }));
    }
  }
  const delay = delayOf(byDelay);
  if (delay === undefined) return undefined;
  const kept = shots.flatMap((shot, n): Shot[] => {
    const colour = shots[n + delay]?.colour;
    return colour === undefined ? [] : [{ ...shot, colour }];
  });
  const perShotMs = (shots.at(-1)!.timeUs - shots[0]!.timeUs) / 1_000 / (shots.length - 1);
  const line = `Colour comes ${Math.abs(delay)} picture${Math.abs(delay) > 1 ? "s" : ""} (${Math.round(Math.abs(delay) * perShotMs)} ms) too ${delay > 0 ? "late" : "early"} for its depth; mended by their edges.`;
  return { shots: kept, line };
}

/**
 * The edges of a view with the colour gradient at these pixels only: 72 whole pictures of 1920×1080 would take 600
 * MB.
 */
function atEdges({ x, y, z, gradient, intrinsics }: EdgeView): EdgeView {
  const { cx, cy, width } = intrinsics;
  return {
    x: z.map((_, n) => n + 0.5),
    y: new Float32Array(z.length).fill(0.5),
    z,
    gradient: z.map((_, n) => gradient[Math.floor(cy + y[n]!) * width + Math.floor(cx + x[n]!)]!),
    intrinsics: { ...intrinsics, cx: 0, cy: 0, width: z.length, height: 1 },
  };
}

/** The delay of colour in pictures, from views for each delay, earliest to latest; undefined if none. */
export function delayOf(byDelay: readonly (readonly EdgeView[])[]): number | undefined {
  const middle = byDelay.length >> 1;
  const now = byDelay[middle]!;
  if (!hasEdges(now)) return undefined;
  const scores = byDelay.map((views) => scoreOf(views));
  const best = scores.indexOf(Math.max(...scores));
  const isBetter = isClearlyBetter({ views: byDelay[best]!, scoreOf }, { views: now, scoreOf });
  return best !== middle && isBetter ? best - middle : undefined;
}
