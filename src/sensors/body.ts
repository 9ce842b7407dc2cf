import type { Box, Vec3 } from "../geometry/index.ts";
import type { FrameEdgeInput } from "../schema/index.ts";
import type { Frame } from "./frame.ts";

/** The pose of a body on the floor: the floor point below it, and its heading. */
export interface Stand {
  readonly positionInWorld: Vec3;
  readonly yawRad: number;
}

/** A body's estimated pose with its uncertainty: a caller that plans drives needs both. */
export interface Whereabouts extends Stand {
  readonly timeUs: number;
  /** Standard deviations of position and heading; 0 for ground-truth poses. */
  readonly sdM: number;
  readonly yawSdRad: number;
}

/**
 * The action model of a body: a round robot that drives forward along a path and turns on the spot. It cannot jump:
 * every action costs metres and radians, and all of them are reported.
 */
export interface BodyModel {
  readonly radiusM: number;
  readonly speedMps: number;
  readonly turnRadps: number;
  readonly eyeHeightM: number;
  readonly horizontalFovRad: number;
  /** Focal length of the detection camera: it determines a thing's size in the picture, and so its detection range. */
  readonly focalPx: number;
  /** Beyond this range depth, and so free space, is unknown. */
  readonly sightM: number;
}

export interface CallLimits {
  readonly signal?: AbortSignal | undefined;
}

export interface GoLimits extends CallLimits {
  /** It stops, with `limit`, after this distance, or after this time by its own clock. */
  readonly maxPathM?: number | undefined;
  readonly maxTimeS?: number | undefined;
  /** A lower speed than its model's if requested; never a higher one. */
  readonly maxSpeedMps?: number | undefined;
  /** Called during the drive with each new pose: a caller that monitors a drive makes no other calls meanwhile. */
  readonly onMove?: ((at: Whereabouts) => void) | undefined;
}

/**
 * How a drive ended. `arrived`: it stands there. `refused`: it did not start (no path, outside the fence, uncertain
 * pose). `stuck`: something stopped it. `limit`: metres or time ran out. `cancelled`: the signal fired.
 */
export const GO_OUTCOMES = ["arrived", "refused", "stuck", "limit", "cancelled"] as const;
export type GoOutcome = (typeof GO_OUTCOMES)[number];

export interface Went {
  readonly outcome: GoOutcome;
  /** Distance driven and angle turned, whatever the outcome. */
  readonly pathM: number;
  readonly turnRad: number;
  readonly at: Whereabouts;
  /** For people, if it did not arrive: "no way leads there". */
  readonly why?: string | undefined;
}

/** What a body saw since the last call, in order of time, with its SLAM's corrections in the meantime. */
export interface Look {
  readonly frames: readonly Frame[];
  /** Map corrections; empty if poses are given in one fixed frame. */
  readonly edges: readonly FrameEdgeInput[];
}

/**
 * A robot as an explorer sees it, real or simulated. One call at a time. A body that cannot answer throws
 * `source-unavailable`; for one that never answers, the caller aborts. Safety is the body's own: no caller can make
 * it leave its fence, drive faster, or drive with an uncertain pose.
 */
export interface Body {
  readonly agentId: string;
  readonly model: BodyModel;
  whereabouts(limits?: CallLimits): Promise<Whereabouts>;
  /** Frames since the last look, including one taken now. The caller ingests them. */
  look(limits?: CallLimits): Promise<Look>;
  /** Drives to a stand and turns to its heading; resolves when it is at rest again. */
  go(to: Stand, limits?: GoLimits): Promise<Went>;
  /** Drives to the nearer end of a flight of stairs and climbs it to the other; only on bodies that can climb. */
  climb?(flight: Box, limits?: GoLimits): Promise<Went>;
  /** Releases its connections; safe to call twice. */
  close?(): Promise<void>;
}
