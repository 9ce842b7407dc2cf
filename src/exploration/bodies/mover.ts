import type { Stand } from "../../sensors/index.ts";

/** A way to drive a robot: by Nav2, by a goal on a topic, or by velocities. */
export interface Mover {
  /**
   * Drives there and resolves when the robot is at rest. On abort it stops the robot first, then throws `aborted`;
   * throws `source-unavailable` if the robot is unreachable.
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
