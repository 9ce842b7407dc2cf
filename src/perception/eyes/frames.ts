import { isKindOf } from "../../ontology/index.ts";
import { settings } from "../../schema/settings.ts";
import { type Colours, coloursOf, type Rgb } from "./colours.ts";
import { usualLongM } from "./known-kinds.ts";
import type { Surface } from "./links.ts";
import type { Region } from "./pieces.ts";
import { laidOut, type Measured, pointsOf, reachOf } from "./spans.ts";

/** Value, unit, minimum, maximum, source. */
const FRAMES = settings("eyes.frames", {
  /** Typical width of a frame; a picture of which no more than this was seen shows only its frame. */
  frameM: [0.1, "m", 0.05, 0.2, "experiment"],
  whole: [0.75, "share", 0.375, 0.875, "experiment"],
});

/**
 * The colours of glass, whatever its frame; a rim in these colours counts as a frame only if this share of the
 * shortest mirror's length was seen.
 */
const GLASS = new Set(["white", "grey"]);

interface Framed extends Pick<Measured, "longM"> {
  readonly region: Pick<Region, "members">;
}

/** Whether only an edge of a picture's frame was seen, which is not the colour that people mean. */
export function isFrameOnly(label: string | undefined, { longM, highM }: Measured): boolean {
  return label !== undefined && isKindOf(label, "picture") && Math.min(longM, highM) < FRAMES.frameM;
}

/**
 * The colour of a mirror is its frame's, since its glass reflects the room. The voxels at its lower end and its sides
 * determine it, because the upper end is often out of view. This is right for all eleven mirrors of simulated houses
 * 73, 74, 77, 79, 80, 83, 84, 86 and 87, on which it was chosen; all voxels together say white for every one, right
 * for six.
 */
export function frameColoursOf(
  { point }: Pick<Surface, "point">,
  { region: { members }, longM }: Framed,
  sizeM: number,
  colours: readonly Rgb[],
): Colours {
  const { along } = laidOut(pointsOf(point, members));
  const up = Float64Array.from(members, (n) => point[3 * n + 2]!);
  const [left, right] = reachOf(along);
  const [low] = reachOf(up);
  const rim = colours.filter(
    (_, n) => up[n]! < low + sizeM || along[n]! < left + sizeM || along[n]! > right - sizeM,
  );
  // Rim voxels also mix in the wall and the glass, so the second colour is the frame's.
  const { colour, accent } = coloursOf(rim);
  const frame = [colour, accent].find((word) => word !== undefined && !GLASS.has(word));
  if (frame !== undefined) return { colour: frame };
  return colour !== undefined && longM >= FRAMES.whole * usualLongM("mirror") ? { colour } : {};
}
