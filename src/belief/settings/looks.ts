import { settings } from "../../schema/settings.ts";

/** Where robots, people and things were, look by look. */
export const LOOKS = settings("belief.looks", {
  /** The most positions that are read, the latest of a span: an hour and more of a robot's own observations. */
  mostSteps: [10_000, "count", 5_000, 20_000, "limit"],
  mostSightings: [4_000, "count", 2_000, 8_000, "limit"],
  /** Observations this long before a span tell the situation at its beginning. */
  beforeUs: [60_000_000, "µs", 30_000_000, 120_000_000, "experiment"],
  /** A sighting stands for the time until the next one, a second at most. */
  lookUs: [1_000_000, "µs", 500_000, 2_000_000, "experiment"],
  /** A return within this time means that the room was not left. */
  backUs: [3_000_000, "µs", 1_500_000, 6_000_000, "experiment"],
  /** Shorter stays are steps over a threshold. */
  leastVisitUs: [1_500_000, "µs", 750_000, 3_000_000, "experiment"],
  /** A step shorter than this does not change the room. */
  sameSpotM: [0.1, "m", 0.05, 0.2, "experiment"],
  /** An observation at most this far from a moment gives the agent's pose then. */
  nearUs: [10_000_000, "µs", 5_000_000, 20_000_000, "experiment"],
  mostLooks: [5_000, "count", 2_500, 10_000, "limit"],
  /**
   * A sighting at most this far from a moment gives the person's position then; otherwise the last one before it does.
   */
  moverNearUs: [10_000_000, "µs", 5_000_000, 20_000_000, "experiment"],
  /** Fewer looks at a place, or looks over less time, show something that passes or was misread. */
  leastLooks: [3, "count", 1, 6, "experiment"],
  leastUs: [1_000_000, "µs", 500_000, 2_000_000, "experiment"],
  /** A body is known to be elsewhere from this distance on, however small its kind is. */
  leastReachM: [1, "m", 0.5, 2, "experiment"],
  /** Pictures at most this far from the given time still show what was pointed at. */
  pointedNearUs: [1_000_000, "µs", 500_000, 2_000_000, "experiment"],
  mostDetections: [400, "count", 200, 800, "limit"],
  /** Boxes that overlap less than this show something else. */
  leastOverlap: [0.2, "share", 0.1, 0.4, "experiment"],
  /** Clocks differ, so the best box within a second is taken; one of another moment must fit this much better. */
  offByASecond: [0.3, "share", 0.15, 0.6, "experiment"],
  /** A detection that tracking assigned to no track belongs to the known thing within this distance of it. */
  samePlaceM: [0.6, "m", 0.3, 1.2, "experiment"],
});
