import { settings } from "../schema/settings.ts";
import type { SourcePlan } from "../sensors/index.ts";
import { isLiveFormat } from "../sensors/live/formats.ts";

const PACE = settings("compose.pace", {
  /** Frames that our own eyes take in a second on two cores. */
  eyesHz: [4, "1/s", 2, 8, "experiment"],
  /** A duration from this on is told. */
  tellS: [120, "s", 60, 600, "limit"],
});

/**
 * What will come of a recording, in one sentence for people: things with places, pictures with places, or pictures
 * found by text and time alone. Undefined for what only reading tells: live robots, and recordings of our own.
 */
export function outcomeOf(
  plan: SourcePlan,
  { detector, odometry }: { readonly detector: string; readonly odometry: string },
): string | undefined {
  const { format, streams, frames, captions, graphs, poses, isMisfit } = plan;
  if (isLiveFormat(format)) return undefined;
  if (frames === 0)
    return captions + graphs === 0 ? undefined : "What is told, found by text, time and place.";
  const has = (use: string) => streams.some((stream) => stream.use === use);
  if (!has("colour") && !has("depth") && !has("cloud")) return undefined;
  const isPlaced = odometry !== "none" && (odometry !== "recorded" || poses !== null);
  const isMeasured = has("depth") || has("cloud");
  const isLookedAt = detector !== "none";
  const seen = isLookedAt ? "things" : "no things (no detector is chosen)";
  const what = !isPlaced
    ? `Pictures${isLookedAt ? " and what is seen in them" : ""}, found by text and time; nothing has a place, because there are no poses`
    : isMeasured
      ? `${isLookedAt ? "Things with places" : "Surfaces"}, rooms and ways between them`
      : `Pictures that know where the camera stood, with ${seen} in them; nothing else has a place, because there is no depth`;
  const drifts = isPlaced && odometry === "icp" ? ", in a map of its own that drifts" : "";
  const wrong =
    isMisfit && isMeasured && isPlaced ? "; wrong places until depths and poses fit each other (above)" : "";
  return `${what}${drifts}${wrong}${detector === "eyes" ? within(frames) : ""}.`;
}

/** How long it takes, where that is worth knowing. */
function within(frames: number): string {
  const lastsS = frames / PACE.eyesHz;
  if (lastsS < PACE.tellS) return "";
  const minutes = Math.round(lastsS / 60);
  return `; after some ${minutes < 120 ? `${minutes} minutes` : `${Math.round(minutes / 60)} hours`} on two cores`;
}
