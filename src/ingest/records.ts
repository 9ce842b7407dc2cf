import { contentId, type Percept, type RecordInput, type TrackedFrame } from "../schema/core.ts";
import type { Frame } from "../sensors/index.ts";

/** One observation of one sensor has one id, however often its packet arrives. */
export function observationIdOf(
  sceneId: string,
  { agentId, sensorId, timeUs }: Pick<Frame, "agentId" | "sensorId" | "timeUs">,
): string {
  return contentId("obs", sceneId, agentId, sensorId, timeUs);
}

/** The observation of a frame: also the proof of having looked where nothing was found. */
export function observationOf(percept: Percept): RecordInput {
  const { p, q } = percept.submapFromCamera;
  return {
    kind: "observation",
    id: percept.observationId,
    sceneId: percept.sceneId,
    author: percept.agentId,
    labels: [...percept.labels],
    validFromUs: percept.timeUs,
    validToUs: percept.timeUs + 1,
    anchor: { submap: percept.submap, p, q },
    sensorId: percept.sensorId,
    intrinsics: { ...percept.intrinsics },
    quality: { ...percept.quality },
  };
}

/** An observation without a pose: found by time, and by what the recording said about it. */
export function floatingOf(frame: Frame, sceneId: string, labels: readonly string[]): RecordInput[] {
  const id = observationIdOf(sceneId, frame);
  const common = {
    sceneId,
    author: frame.agentId,
    labels: [...labels],
    validFromUs: frame.timeUs,
    validToUs: frame.timeUs + 1,
  };
  const look: RecordInput = { ...common, kind: "observation", id, sensorId: frame.sensorId };
  const lines = (frame.captions ?? []).filter((line) => line.trim() !== "");
  if (lines.length === 0) return [look];
  return [look, { ...common, kind: "caption", id: contentId("cap", id), source: "vlm", text: [...lines] }];
}

/** A frame without the faint detections that no track confirmed. */
export function withoutFaint(
  percept: Percept,
  tracked: TrackedFrame,
): { readonly percept: Percept; readonly tracked: TrackedFrame } {
  const stays = percept.detections.map(({ faint }, n) => faint !== true || tracked.stateOf[n] !== undefined);
  if (!stays.includes(false)) return { percept, tracked };
  return {
    percept: { ...percept, detections: percept.detections.filter((_, n) => stays[n]) },
    tracked: { ...tracked, stateOf: tracked.stateOf.filter((_, n) => stays[n]) },
  };
}

/** The detections of a frame, each with its state if it was matched. */
export function detectionsOf(percept: Percept, stateOf: readonly (string | undefined)[]): RecordInput[] {
  return percept.detections.map((one, n): RecordInput => {
    const stateId = stateOf[n];
    const { solid } = one;
    return {
      kind: "detection",
      id: one.id,
      sceneId: percept.sceneId,
      author: percept.agentId,
      labels: [...percept.labels],
      validFromUs: percept.timeUs,
      validToUs: percept.timeUs + 1,
      observationId: percept.observationId,
      ...(stateId !== undefined && { stateId }),
      bbox: [...one.bbox],
      score: one.score,
      ...(one.category !== undefined && { category: one.category }),
      points: solid?.count ?? 0,
      truncated: one.truncated,
      occludedFraction: one.occludedFraction,
      ...(solid && {
        anchor: { submap: percept.submap, p: solid.centroid },
        extent: {
          x: solid.box.max.x - solid.box.min.x,
          y: solid.box.max.y - solid.box.min.y,
          z: solid.box.max.z - solid.box.min.z,
        },
      }),
    };
  });
}
