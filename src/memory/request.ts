import type { Cone, Frustum, Interval, Polygon, TimeUs, Vec3 } from "../geometry/index.ts";
import type { RecordKind } from "../schema/core.ts";

/**
 * One search: any mixture of meaning, place, time and plain conditions. All keys filter; `rank` says which of them
 * orders the remaining records. Filters always apply before ranking.
 */
export interface SearchRequest {
  /** The kinds to search; default: all. */
  readonly kinds?: readonly RecordKind[];
  readonly meaning?: MeaningKey;
  readonly space?: SpaceKey;
  readonly time?: TimeKey;
  readonly where?: ScalarKey;
  readonly rank?: RankBy;
  /** How many hits at most; default 10. */
  readonly limit?: number;
  /**
   * True allows an engine that has a graph of a large memory to answer a purely semantic search by it: a few of the
   * best may be missing, and the plan says so. Scores, order and access rights do not change. Default: exact.
   */
  readonly approximate?: boolean;
}

/**
 * What it is about. `vector` is compared with the best line of a record, `image` with its image vector (both
 * cosine), `words` are matched lexically (BM25 over what the reader can see). A record without the vector in
 * question is not found by it. Thresholds: raw cosine, or z-units above the calibrated background (docs/formulas.md#background).
 */
export interface MeaningKey {
  readonly vector?: Float32Array;
  readonly image?: Float32Array;
  readonly words?: string;
  readonly minCosine?: number;
  readonly minZ?: number;
  /** For fused ranking: how many of each key's best take part; default max(100, limit). */
  readonly pool?: number;
}

/**
 * Where it is. A record's place is its box in the world at the reader's map revision (the axis-aligned bounds
 * of its submap box; a point without extent). `box` and, by default, distances go to that box; `cone`,
 * `region` and `frustum` test its centre. Keys that name a `frame` are given in that frame.
 */
export type SpaceKey =
  | { readonly type: "box"; readonly min: Vec3; readonly max: Vec3 }
  | {
      readonly type: "radius";
      readonly centre: Vec3;
      readonly radiusM: number;
      readonly metric?: DistanceMetric;
      readonly frame?: string;
    }
  | {
      readonly type: "nearest";
      readonly point: Vec3;
      readonly maxM?: number;
      readonly metric?: DistanceMetric;
      readonly frame?: string;
    }
  | ({ readonly type: "cone"; readonly frame?: string } & Cone)
  | ({ readonly type: "region" } & Polygon)
  | ({ readonly type: "frustum"; readonly frame?: string } & Frustum);

/** Distance to the closest point of the record's box, or to its centre. */
export type DistanceMetric = "box" | "centre";

/** When it was so, in world time. Conditions given together must all hold. */
export interface TimeKey {
  readonly overlaps?: Interval;
  /** Ended at or before this time. */
  readonly before?: TimeUs;
  /** Began at or after this time. */
  readonly after?: TimeUs;
}

/** Plain conditions; a list means any of its values. */
export interface ScalarKey {
  readonly ids?: readonly string[];
  readonly sceneId?: readonly string[];
  readonly author?: readonly string[];
  readonly category?: readonly string[];
  /** The record it is about: the track of a state, the subject of a relation (schema's `ownerOf`). */
  readonly owner?: readonly string[];
  readonly regionId?: readonly string[];
  readonly attributes?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * The order of the hits; ties go by id. `fused` takes each meaning key's own best `pool` among the records that pass
 * every other key, and orders them all by the weighted sum of their standard scores (fusion.ts): words and vectors have
 * no common scale, but their distances from the background can be added. Default: fused if several meaning keys are
 * given, else that key, else distance where the space key has a point to measure from, else latest first.
 */
export type RankBy = "meaning" | "image" | "words" | "fused" | "distance" | "earliest" | "latest" | "id";

export const DEFAULT_LIMIT = 10;
export const DEFAULT_POOL = 100;
