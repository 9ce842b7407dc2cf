import type { Box, Intrinsics, Transform, Vec3 } from "../geometry/index.ts";
import type { DepthImage, MaskImage, RgbImage } from "./images.ts";

/** Where a frame was taken: in its submap, and that submap in the world by the current map revision. */
export interface FramePlace {
  readonly submap: string;
  readonly submapFromCamera: Transform;
  readonly worldFromSubmap: Transform;
}

/** The detection of each pixel: number n stands for `ids[n - 1]`, 0 for none. */
export interface SegmentImage extends MaskImage {
  readonly ids: readonly string[];
}

/**
 * One posed frame after perception: what later stages see, independent of the recording format. Geometry is given in
 * `submap`, the piece of map that later corrections move; `worldFromSubmap` places it as of the current map revision.
 */
export interface Percept extends FramePlace {
  readonly observationId: string;
  readonly index: number;
  readonly timeUs: number;
  readonly agentId: string;
  readonly sensorId: string;
  readonly sceneId: string;
  readonly labels: readonly string[];
  readonly intrinsics: Intrinsics;
  readonly rgb?: RgbImage | undefined;
  readonly depth?: DepthImage | undefined;
  readonly quality: FrameQuality;
  /** Mostly black: kept as proof of presence, not used for updates (docs/formulas.md#black-frames). */
  readonly restricted: boolean;
  readonly detections: readonly LiftedDetection[];
  /** Absent without segments. By id, so that it stays valid when detections are filtered out. */
  readonly segments?: SegmentImage | undefined;
  /** Captions in the recording itself. */
  readonly captions?: readonly string[] | undefined;
  /** The volumetric map's segmentation of the things it has shown so far; only after a new segmentation. */
  readonly parts?: MapParts | undefined;
  /** The pose of that map, estimated from this frame. */
  readonly submapFromMap?: Transform | undefined;
}

/** The category of a map instance, and its source. */
export interface PartName {
  readonly category: string;
  readonly by: string;
  readonly phrase: string;
  readonly maybe: readonly Maybe[];
  readonly attributes?: Readonly<Record<string, string | number>> | undefined;
}

/** Instances of the volumetric map, by numbers that are stable while it grows. */
export interface MapParts {
  /** Instances that are things by now. */
  readonly shown: readonly number[];
  /**
   * The extent of each of these in the map, in the same order: points around it, x y z in sequence, whose bounding
   * box is its box.
   */
  readonly extents?: readonly Float32Array[] | undefined;
  /** The category of each of these from all of the map's evidence, in the same order. */
  readonly names?: readonly PartName[] | undefined;
  /** Instances that were reported as things and turned out not to be. */
  readonly none: readonly {
    readonly part: number;
    /** The instances that its parts went to, the largest share first. */
    readonly heirs: readonly number[];
    /** Most of it belongs to no instance. */
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

/** A possible category of a thing. */
export interface Maybe {
  readonly category: string;
  readonly p: number;
}

/** One segment of one frame with its text and, where depth allowed, its position. */
export interface LiftedDetection {
  readonly id: string;
  /** Left, top, right, bottom in pixels; right and bottom are exclusive. */
  readonly bbox: readonly [number, number, number, number];
  readonly areaPx: number;
  readonly score: number;
  /** Too uncertain to start a track; it may only confirm an existing one (ByteTrack). */
  readonly faint?: boolean | undefined;
  /** The map instance it shows (`Percept.parts`). */
  readonly part?: number | undefined;
  readonly category?: string | undefined;
  /** The source of its category: "eyes", or a detector's id; absent where the recording gives it. */
  readonly namedBy?: string | undefined;
  /** Alternative categories with their probabilities. */
  readonly maybe?: readonly Maybe[] | undefined;
  /** A phrase that describes it, from the detector or describer. */
  readonly phrase: string;
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  /** Embedding of the phrase; null where the embedder finds no meaning in it. */
  readonly vector: Float32Array | null;
  /** Embedding of the category alone, for comparing categories without attributes. */
  readonly categoryVector: Float32Array | null;
  /** Unit-length colour histogram: compares appearance, not meaning. */
  readonly appearance?: Float32Array | undefined;
  /** Touches the border of the image: its box may grow, and its centre is not trusted. */
  readonly truncated: boolean;
  /** Share of its outline that borders on something nearer. */
  readonly occludedFraction: number;
  /** Absent when too few depths lie in the mask; it can then be found by text and time only. */
  readonly solid?: LiftedSolid | undefined;
}

/** The visible part of a thing in one frame, in the submap's axes (gravity-aligned). */
export interface LiftedSolid {
  /** Per-axis median of the points (docs/formulas.md#fused-box). */
  readonly centroid: Vec3;
  /** 2nd to 98th percentile of the points. */
  readonly box: Box;
  /** One standard deviation of the centroid, from the depth model and the pose. */
  readonly sdM: number;
  /** Median depth along the optical axis. */
  readonly depthM: number;
  /** Number of points behind the centroid and the box. */
  readonly count: number;
  /** Up to 32 of them, x y z in sequence, spread over the surface. */
  readonly samples: Float32Array;
}

/** The matches that tracking found for a percept, for later stages. */
export interface TrackedFrame {
  /** For each detection, in order: the state it belongs to; undefined if tentative or refused. */
  readonly stateOf: readonly (string | undefined)[];
  /** States that this frame began, ended, moved or changed: reasons to keep the view. */
  readonly changed: readonly string[];
}
