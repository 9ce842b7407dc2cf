import type { Vec3 } from "../../geometry/index.ts";
import type { Frame } from "../../sensors/index.ts";
import type { BodyPose } from "./trajectory.ts";

/** What a robot can be told to do, one thing at a time. */
export type BodyAction =
  | { readonly type: "forward"; readonly distanceM: number }
  | { readonly type: "turn"; readonly angleRad: number }
  | { readonly type: "look"; readonly tiltRad: number }
  | { readonly type: "go-to"; readonly positionInWorld: Vec3; readonly yawRad?: number | undefined }
  | { readonly type: "wait"; readonly durationUs: number };

export interface StepResult {
  readonly pose: BodyPose;
  readonly timeUs: number;
  /** What it drove. */
  readonly distanceM: number;
  /** It stopped before its aim: a wall, a closed door, no way. */
  readonly blocked: boolean;
}

/** A robot as an explorer sees it: it acts and it looks. A real one, or the simulator's. */
export interface Body {
  readonly agentId: string;
  readonly timeUs: number;
  step(action: BodyAction, options?: { signal?: AbortSignal | undefined }): Promise<StepResult>;
  observe(options?: { signal?: AbortSignal | undefined }): Promise<Frame>;
}
