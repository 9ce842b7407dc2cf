import type { Box, Intrinsics, Transform, Vec3 } from "../geometry/index.ts";
import type { DepthImage, RgbImage } from "./images.ts";

/**
 * One posed frame after perception: what tracking and map see, and nothing of how it was recorded. Geometry is
 * given in `submap`, the piece of map that later corrections move; `worldFromSubmap` says where that piece lies
 * by the map revision of the moment.
 */
export interface Percept {
  readonly observationId: string;
  readonly index: number;
  readonly timeUs: number;
  readonly agentId: string;
  readonly sensorId: string;
  readonly sceneId: string;
  readonly labels: readonly string[];
  readonly submap: string;
  readonly worldFromSubmap: Transform;
  readonly submapFromCamera: Transform;
  readonly intrinsics: Intrinsics;
  readonly rgb?: RgbImage | undefined;
  readonly depth?: DepthImage | undefined;
  readonly quality: FrameQuality;
  /** Mostly black: kept as proof of having been there, not used to update anything (docs/formulas.md#black-frames). */
  readonly restricted: boolean;
  readonly detections: readonly LiftedDetection[];
  /** What a map of its own says of the things that it showed so far; only where it was cut anew. */
  readonly parts?: MapParts | undefined;
  /** Where that map lies, by the place of this frame. */
  readonly submapFromMap?: Transform | undefined;
}

/** What a thing of a map is, and who says so. */
export interface PartName {
  readonly category: string;
  readonly by: string;
  readonly phrase: string;
  readonly maybe: readonly Maybe[];
  readonly attributes?: Readonly<Record<string, string | number>> | undefined;
}

/** Things of a map, by numbers that stay the same while it grows. */
export interface MapParts {
  /** Those that are things by now. */
  readonly shown: readonly number[];
  /** How far each of these reaches in the map, in the same order: points around it, x y z after each other, of which it has the box. */
  readonly extents?: readonly Float32Array[] | undefined;
  /** What each of these is by all that the map has, in the same order. */
  readonly names?: readonly PartName[] | undefined;
  /** Those that were shown as things and are none. */
  readonly none: readonly {
    readonly part: number;
    /** The things that it was of, the one with most of it first. */
    readonly heirs: readonly number[];
    /** Most of it is of no thing. */
    readonly isNothing: boolean;
  }[];
}

export interface FrameQuality {
  /** Share of pixels that are black. */
  readonly black: number;
  /** Variance of the Laplacian of luma; low is blurred. */
  readonly blur: number;
  /** Share of pixels with a depth. */
  readonly validDepth: number;
}

/** A name that a thing may have. */
export interface Maybe {
  readonly category: string;
  readonly p: number;
}

/** One segment of one frame with its words and, where depth allowed, its place. */
export interface LiftedDetection {
  readonly id: string;
  /** Left, top, right, bottom in pixels; right and bottom are exclusive. */
  readonly bbox: readonly [number, number, number, number];
  readonly areaPx: number;
  readonly score: number;
  /** Too unsure to make a thing known by itself; it may say that one that is known is still there (ByteTrack). */
  readonly faint?: boolean | undefined;
  /** Which thing of the map it shows (`Percept.parts`). */
  readonly part?: number | undefined;
  readonly category?: string | undefined;
  /** Who calls it so: "eyes", a detector by its id; absent where the recording says it. */
  readonly namedBy?: string | undefined;
  /** What else it may be, with its probability. */
  readonly maybe?: readonly Maybe[] | undefined;
  /** The phrase about it, as the detector or describer put it. */
  readonly phrase: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Of the phrase; null where it has no meaning to the embedder. */
  readonly vector: Float32Array | null;
  /** Vector of the category alone, for comparing kinds without their attributes. */
  readonly categoryVector: Float32Array | null;
  /** Histogram of its colours, of unit length: compares looks, not meaning. */
  readonly appearance?: Float32Array | undefined;
  /** Touches the border of the image: its box may grow, its centre is not trusted. */
  readonly truncated: boolean;
  /** Share of its outline that lies against something nearer. */
  readonly occludedFraction: number;
  /** Absent when too few depths lie in the mask: then it is found by text and time only. */
  readonly solid?: LiftedSolid | undefined;
}

/** The part of a thing that a frame saw, in the submap's axes (gravity-aligned). */
export interface LiftedSolid {
  /** Per-axis median of the points (docs/formulas.md#fused-box). */
  readonly centroid: Vec3;
  /** 2nd to 98th percentile of the points. */
  readonly box: Box;
  /** One standard deviation of the centroid, from the depth model and the pose. */
  readonly sdM: number;
  /** Median depth along the optical axis. */
  readonly depthM: number;
  /** Points behind the centroid and the box. */
  readonly count: number;
  /** Up to 32 of them, x y z after each other, spread over the surface. */
  readonly samples: Float32Array;
}

/** The matches that tracking found for a percept, for the stages that come after it. */
export interface TrackedFrame {
  /** For each detection, in order: the state it belongs to, or undefined while tentative or refused. */
  readonly stateOf: readonly (string | undefined)[];
  /** States begun, ended, moved or changed by this frame: reasons to keep the view. */
  readonly changed: readonly string[];
}
