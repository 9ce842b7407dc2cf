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
/** Pictures by which colour may be early or late: a quarter of a second of most cameras. */
const MOST = 4;

/**
 * Whether each depth belongs to an earlier or later picture than the one beside it, by the edges of both while the camera
 * moves; undefined where it does not, or where nothing says so. Then pictures are moved along, and those at an end,
 * which have no partner any more, are left out. Poses stay with depth, since what is seen gets its place by it.
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
    // Together, as pictures are decoded beside this thread.
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

/** A view as a row of its edges, with how the colours change at these alone: 72 whole pictures would be 600 MB of 1920×1080. */
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

/** By how many pictures colour is late, of views for each delay from the earliest to the latest; undefined for none. */
export function delayOf(byDelay: readonly (readonly EdgeView[])[]): number | undefined {
  const middle = byDelay.length >> 1;
  const now = byDelay[middle]!;
  if (!hasEdges(now)) return undefined;
  const scores = byDelay.map((views) => scoreOf(views));
  const best = scores.indexOf(Math.max(...scores));
  const isBetter = isClearlyBetter({ views: byDelay[best]!, scoreOf }, { views: now, scoreOf });
  return best !== middle && isBetter ? best - middle : undefined;
}
