/** What a live source has heard and lost so far. */
export interface LiveCounts {
  readonly isConnected: boolean;
  /** Connections that were lost and made again. */
  readonly reconnects: number;
  /** Messages of topics that are used. */
  readonly heard: number;
  /** Messages that could not be read. */
  readonly damaged: number;
  /** Messages that the robot's bridge repeated, as after a reconnection. */
  readonly repeated: number;
  /** Pictures that came faster than they were taken in. */
  readonly dropped: number;
  /** Pictures without a depth or a pose within the tolerance. */
  readonly withoutDepth: number;
  readonly withoutPose: number;
  readonly frames: number;
}

/** Whether a format is a running robot: it does not wait, cannot be read twice and has no end of its own. */
export function isLiveFormat(format: string): boolean {
  return format === "rosbridge" || format === "foxglove";
}

/** Whether a format is what robots publish or record, whose poses count from wherever their tracker began. */
export function isRobotFormat(format: string): boolean {
  return isLiveFormat(format) || format === "mcap" || format === "db3" || format === "bag";
}
