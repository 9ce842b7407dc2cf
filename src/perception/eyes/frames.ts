import { isKindOf } from "../../ontology/index.ts";
import { type Colours, coloursOf, type Rgb } from "./colours.ts";
import { usualLongM } from "./known-kinds.ts";
import type { Surface } from "./links.ts";
import type { Region } from "./pieces.ts";
import { laidOut, type Measured, pointsOf, reachOf } from "./spans.ts";

/** A frame is about as wide as this; of a picture of which no more was seen than this, nothing else was. */
const FRAME_M = 0.1;
/** As glass is, whatever its frame; a rim of these is a frame's only where as much of a mirror is seen as this share of how long the shortest are. */
const GLASS = new Set(["white", "grey"]);
const WHOLE = 0.75;

interface Framed extends Pick<Measured, "longM"> {
  readonly region: Pick<Region, "members">;
}

/** Whether all that was seen of a picture is an edge of its frame, which is not what people call its colour. */
export function isFrameOnly(label: string | undefined, { longM, highM }: Measured): boolean {
  return label !== undefined && isKindOf(label, "picture") && Math.min(longM, highM) < FRAME_M;
}

/**
 * The colour of a mirror is that of its frame, since its glass shows the room: the places at its lower end and its sides tell it, the
 * upper end is often out of view. It is right of all eleven mirrors of simulated houses 73, 74, 77, 79, 80, 83, 84, 86 and 87, which chose
 * it; all places together are white of every one, which is right of six.
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
  // Voxels at a rim are of the wall and of the glass as well: a second colour is the frame's.
  const { colour, accent } = coloursOf(rim);
  const frame = [colour, accent].find((word) => word !== undefined && !GLASS.has(word));
  if (frame !== undefined) return { colour: frame };
  return colour !== undefined && longM >= WHOLE * usualLongM("mirror") ? { colour } : {};
}
