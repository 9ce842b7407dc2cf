import type { Box, Interval, Vec3 } from "../../geometry/index.ts";
import type { DistanceMetric, RankBy } from "../request.ts";
import type { Space } from "./memory-view.ts";

/**
 * A search in numbers: a `SearchRequest` after names were looked up, frames resolved and the reader's rights turned
 * into label sets. Every condition filters; a list means any of its values, so an empty one matches nothing; name 0 is
 * "none" and never matches. The meaning of each key is request.ts's, to the last bit.
 */
export interface NumericQuery {
  /** Bit k set: rows of kind k. Absent: all. */
  readonly kinds?: number;
  /** The label sets this reader may see. Absent: all. */
  readonly labelSets?: readonly number[];
  readonly scenes?: readonly number[];
  readonly authors?: readonly number[];
  readonly categories?: readonly number[];
  readonly owners?: readonly number[];
  readonly ids?: readonly string[];
  readonly place?: PlaceQuery;
  readonly time?: TimeQuery;
  readonly text?: VectorQuery;
  readonly image?: VectorQuery;
  /** Distinct words, in the order in which their scores are added. */
  readonly words?: readonly string[];
  readonly rank: RankBy;
  readonly limit: number;
  /** Needed by fused ranking alone. */
  readonly pool?: number;
}

/**
 * `within` is a radius or, with Infinity, all that has a place, measured from the point. `shape` is anything
 * that a predicate on the centre decides and that `bounds` holds entirely; with `from` it can be ranked by the
 * centre's distance.
 */
export type PlaceQuery =
  | { readonly type: "box"; readonly min: Vec3; readonly max: Vec3 }
  | {
      readonly type: "within";
      readonly point: Vec3;
      readonly radiusM: number;
      readonly metric: DistanceMetric;
    }
  | {
      readonly type: "shape";
      readonly bounds: Box;
      readonly from?: Vec3;
      readonly accepts: (centre: Vec3) => boolean;
    };

export interface TimeQuery {
  readonly overlaps?: Interval;
  /** Ended at or before. */
  readonly before?: number;
  /** Began at or after. */
  readonly after?: number;
}

export interface VectorQuery {
  /** Of unit length, as `unitVector` makes it. */
  readonly vector: Float32Array;
  /** The lowest cosine let through. */
  readonly min?: number;
}

/** The data that the index requests from its caller. */
export interface SearchHooks {
  /** The exact vectors of different meanings that are not resident, in the keys' order. They must be those inserted. */
  readonly exact: (space: Space, keys: readonly number[]) => readonly Float32Array[];
  /** Conditions that are no columns, asked in rank order until enough pass. */
  readonly residual?: (row: number) => boolean;
}

export interface IndexHit {
  /** The caller's row number. */
  readonly row: number;
  readonly id: string;
  readonly slot: number;
  /** The value that ranked it. */
  readonly score: number;
  readonly scores: HitScores;
}

export interface HitScores {
  meaning?: number;
  image?: number;
  words?: number;
  distanceM?: number;
}

/** Which key drove, and how many rows each step left. */
export interface IndexPlan {
  readonly driver: string;
  readonly steps: readonly { readonly step: string; readonly left: number }[];
}

export interface IndexResult {
  readonly hits: IndexHit[];
  readonly plan: IndexPlan;
}
