import type { Transform, Vec3 } from "../../geometry/index.ts";
import type { Trajectory } from "../agents/index.ts";
import { SceneSource } from "../agents/index.ts";
import { roomAt, type Timeline } from "../dynamics/index.ts";
import {
  type CameraSpec,
  type CompiledScene,
  intrinsicsOf,
  Visibility,
  type VisibleInstance,
  worldFromOptical,
} from "../sensors/index.ts";

export interface SeenThing {
  readonly id: string;
  readonly pixels: number;
  readonly bbox: readonly [number, number, number, number];
}

/** What an agent really saw at one moment, by true time and true pose. */
export interface SeenFrame {
  readonly agentId: string;
  readonly timeUs: number;
  /** The point of the floor under the agent. */
  readonly positionInWorld: Vec3;
  readonly yawRad: number;
  readonly room: string | null;
  readonly visible: readonly SeenThing[];
}

export interface QuestionAgent {
  readonly id: string;
  readonly trajectory: Trajectory;
}

/** Everything questions are made from: the timeline, the agents' poses, and what each of them saw. */
export interface QuestionWorld {
  readonly timeline: Timeline;
  readonly agents: readonly QuestionAgent[];
  readonly camera: CameraSpec;
  /** In order of time, then of agent. */
  readonly frames: readonly SeenFrame[];
}

/** A frame as the recorder knows it. */
export interface TrueFrame {
  readonly agentId: string;
  readonly trueUs: number;
  readonly room: string | null;
  readonly visible: readonly VisibleInstance[];
}

/** A frame observed without rendering, with all that truth.json says about frames but their segments. */
export interface LookedFrame extends TrueFrame {
  readonly worldFromCamera: Transform;
}

/** A frame to be taken, as the recorder's schedule has it. */
export interface PlannedShot {
  readonly agent: QuestionAgent;
  readonly trueUs: number;
}

export function questionWorld(parts: {
  readonly timeline: Timeline;
  readonly agents: readonly QuestionAgent[];
  readonly camera: CameraSpec;
  readonly frames: readonly TrueFrame[];
}): QuestionWorld {
  const { timeline, agents, camera } = parts;
  const byId = new Map(agents.map((agent) => [agent.id, agent]));
  const frames = parts.frames.flatMap((frame): SeenFrame[] => {
    const pose = byId.get(frame.agentId)?.trajectory.at(frame.trueUs);
    if (pose === undefined) return [];
    const { positionInWorld, yawRad } = pose;
    const visible = frame.visible.map(({ thing, pixels, bbox }) => ({
      id: timeline.house.things[thing - 1]!.id,
      pixels,
      bbox,
    }));
    return [
      { agentId: frame.agentId, timeUs: frame.trueUs, positionInWorld, yawRad, room: frame.room, visible },
    ];
  });
  frames.sort((a, b) => a.timeUs - b.timeUs || (a.agentId < b.agentId ? -1 : 1));
  return { timeline, agents, camera, frames };
}

/**
 * The same frames as a recording would have, without rendering: semantic visibility counts what the renderer would
 * paint (docs/formulas.md#simulator), some hundred times faster.
 */
export function lookAlong(
  timeline: Timeline,
  camera: CameraSpec,
  shots: readonly PlannedShot[],
): LookedFrame[] {
  const scenes = new SceneSource(timeline);
  const intrinsics = intrinsicsOf(camera);
  let scene: CompiledScene | undefined;
  let visibility: Visibility | undefined;
  return [...shots]
    .sort((a, b) => a.trueUs - b.trueUs)
    .map(({ agent, trueUs }) => {
      const now = scenes.at(trueUs);
      if (visibility === undefined || now !== scene) [scene, visibility] = [now, new Visibility(now)];
      const { positionInWorld, yawRad, tiltRad } = agent.trajectory.at(trueUs);
      const eye = { ...positionInWorld, z: positionInWorld.z + camera.heightM };
      const worldFromCamera = worldFromOptical(eye, yawRad, tiltRad);
      const visible = visibility.look(intrinsics, worldFromCamera);
      const room = roomAt(timeline.house, positionInWorld) ?? null;
      return { agentId: agent.id, trueUs, room, visible, worldFromCamera };
    });
}
