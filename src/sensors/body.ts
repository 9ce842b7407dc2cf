import type { Box, Vec3 } from "../geometry/index.ts";
import type { FrameEdgeInput } from "../schema/index.ts";
import type { Frame } from "./frame.ts";

/** Where a body stands: the point of the floor below it, and where it faces. */
export interface Stand {
  readonly positionInWorld: Vec3;
  readonly yawRad: number;
}

/** Where a body believes to stand, and how far it may be off: whoever drives must know how sure that is. */
export interface Whereabouts extends Stand {
  readonly timeUs: number;
  /** Standard deviations of place and heading; 0 where the poses are given as true. */
  readonly sdM: number;
  readonly yawSdRad: number;
}

/**
 * The action model of a body: a round thing that drives forward along a way and turns on the spot. It cannot jump:
 * whatever it does costs metres and radians, and all of them are reported.
 */
export interface BodyModel {
  readonly radiusM: number;
  readonly speedMps: number;
  readonly turnRadps: number;
  readonly eyeHeightM: number;
  readonly horizontalFovRad: number;
  /** Of the camera that things are found with: how large something is in the picture, and so from how near it is seen. */
  readonly focalPx: number;
  /** Beyond it depth, and so free space, is not known. */
  readonly sightM: number;
}

export interface CallLimits {
  readonly signal?: AbortSignal | undefined;
}

export interface GoLimits extends CallLimits {
  /** It stops, with `limit`, once it has driven so far or for so long by its own clock. */
  readonly maxPathM?: number | undefined;
  readonly maxTimeS?: number | undefined;
  /** Slower than its model where asked; never faster. */
  readonly maxSpeedMps?: number | undefined;
  /** Told on the way, as often as the body learns where it is: whoever watches over a drive calls nothing meanwhile. */
  readonly onMove?: ((at: Whereabouts) => void) | undefined;
}

/**
 * How a drive ended. `arrived`: it stands there. `refused`: it did not set out (no way, outside the fence, not sure
 * where it is). `stuck`: it set out and something stopped it. `limit`: metres or time ran out on the way.
 * `cancelled`: the signal came.
 */
export const GO_OUTCOMES = ["arrived", "refused", "stuck", "limit", "cancelled"] as const;
export type GoOutcome = (typeof GO_OUTCOMES)[number];

export interface Went {
  readonly outcome: GoOutcome;
  /** Driven and turned, whatever the outcome. */
  readonly pathM: number;
  readonly turnRad: number;
  readonly at: Whereabouts;
  /** For people, where it did not arrive: "no way leads there". */
  readonly why?: string | undefined;
}

/** What a body saw since it was last asked, in order of time, and what its SLAM corrected meanwhile. */
export interface Look {
  readonly frames: readonly Frame[];
  /** Corrections of the map; empty where poses are given in one fixed frame. */
  readonly edges: readonly FrameEdgeInput[];
}

/**
 * A robot as an explorer sees it; a real one, or the simulator's. One call at a time. A body that cannot answer throws
 * `source-unavailable`; one that never answers is given up by the caller's signal. Safety is the body's own: no caller
 * can make it leave its fence, drive faster, or drive while it does not know where it is.
 */
export interface Body {
  readonly agentId: string;
  readonly model: BodyModel;
  whereabouts(limits?: CallLimits): Promise<Whereabouts>;
  /** What was seen on the way since the last look, a frame taken now included. It is up to the caller to take it in. */
  look(limits?: CallLimits): Promise<Look>;
  /** Drives to a stand and turns to face its heading; resolves when it is at rest again. */
  go(to: Stand, limits?: GoLimits): Promise<Went>;
  /** Drives to the nearer end of a flight of stairs and over it to the other; only bodies that can climb have it. */
  climb?(flight: Box, limits?: GoLimits): Promise<Went>;
  /** Gives back what it holds (connections); safe to call twice. */
  close?(): Promise<void>;
}
