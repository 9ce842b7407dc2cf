import type { Stand } from "../../sensors/index.ts";

/** How a robot is made to drive: by Nav2, by a goal on a topic, or by velocities. */
export interface Mover {
  /**
   * Drives there and resolves when the robot is at rest. When the signal comes the robot is stopped first, and then
   * `aborted` is thrown; `source-unavailable` where it cannot be reached.
   */
  move(to: Stand, options: MoveOptions): Promise<Moved>;
}

export interface MoveOptions {
  readonly signal: AbortSignal;
  readonly maxSpeedMps: number;
}

export interface Moved {
  readonly outcome: "arrived" | "refused" | "stuck";
  readonly why?: string | undefined;
}
