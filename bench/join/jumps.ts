/**
 * Frames whose localisation was lost, put into a recording: every so often a robot believes for a few frames to be metres off.
 */
import { compose, fromYaw, Random, type Transform } from "../../src/geometry/index.ts";
import type { RecordingItem, RecordingReader } from "../../src/sensors/index.ts";

/** Frames between two jumps, and how long one lasts. */
const EVERY = 24;
const LASTS = 3;

/** The same recording with jumps of one to three metres and up to a right angle; `jumped` is told their times. */
export function withJumps(
  recording: RecordingReader,
  seed: number,
  jumped: (timeUs: number) => void = () => {},
  /** Leaves those frames out instead. */
  isCut = false,
): RecordingReader {
  return {
    ...recording,
    close: () => recording.close(),
    async *items(options = {}): AsyncGenerator<RecordingItem> {
      const random = new Random(`jumps/${seed}`);
      const counts = new Map<string, number>();
      const offsets = new Map<string, Transform>();
      for await (const item of recording.items(options)) {
        if (item.kind !== "frame") {
          yield item;
          continue;
        }
        const { frame } = item;
        const n = counts.get(frame.agentId) ?? 0;
        counts.set(frame.agentId, n + 1);
        const at = n % EVERY;
        if (n < EVERY || at >= LASTS) {
          yield item;
          continue;
        }
        if (at === 0) offsets.set(frame.agentId, offsetOf(random));
        jumped(frame.timeUs);
        if (!isCut) yield { kind: "frame", frame: moved(frame, offsets.get(frame.agentId)!) };
      }
    },
  };
}

function offsetOf(random: Random): Transform {
  const [heading, awayM] = [random.range(-Math.PI, Math.PI), random.range(1, 3)];
  return {
    p: { x: awayM * Math.cos(heading), y: awayM * Math.sin(heading), z: 0 },
    q: fromYaw(random.range(-Math.PI / 2, Math.PI / 2)),
  };
}

type Frame = Extract<RecordingItem, { kind: "frame" }>["frame"];

/** Turned where it stands, and shifted. */
function moved(frame: Frame, offset: Transform): Frame {
  const off = (pose: Transform): Transform => {
    const turned = compose({ p: { x: 0, y: 0, z: 0 }, q: offset.q }, { p: { x: 0, y: 0, z: 0 }, q: pose.q });
    const { x, y, z } = pose.p;
    return { p: { x: x + offset.p.x, y: y + offset.p.y, z }, q: turned.q };
  };
  return {
    ...frame,
    ...(frame.worldFromCamera && { worldFromCamera: off(frame.worldFromCamera) }),
    ...(frame.submap && {
      submap: { ...frame.submap, submapFromCamera: off(frame.submap.submapFromCamera) },
    }),
  };
}
