import { settings } from "../../schema/settings.ts";

/** The numbers of `observe`: value, unit, least, most, where it comes from. */
export const OBSERVE = settings("observe", {
  /** …or so long apart where it showed well… */
  confirmSoonUs: [400_000, "µs", 200_000, 800_000, "experiment"],
  /** …or after this many whatever the viewpoint. */
  maxTentatives: [4_096, "count", 1_024, 16_384, "limit"],
  /** A look that reports a thing makes it this much more credible, up to a bound that a few misses can undo. */
  /** The same name from another side or some time later is hardly a mistake made twice, however often it was overlooked. */
  /** Credit that a tentative thing needs: more than one look, and not outnumbered by looks that should have shown it. */
  /** Masks of one thing are split no more often than this, and in this share of its looks. */
  fragmentShare: [0.1, "share", 0.05, 0.2, "experiment"],
  /** Detectors misread a state one time in twenty at the usual distance, and in proportion beyond. */
  misreadP: [0.05, "probability", 0.025, 0.1, "experiment"],
  usualM: [2.5, "m", 1.25, 5, "experiment"],
  maxSurfacePoints: [7, "count", 3.5, 14, "limit"],
  /** docs/formulas.md#same-thing: what shows fewer pixels than this must be seen from two sides, or some time apart. */
  /** What one look, not contradicted by more than a glance, is worth; and what is no larger than this is often shown once. */
  /** The same where one hardly looked away: things are swapped while nobody looks. */
  contraryLooksAtOnce: [5, "count", 2.5, 10, "experiment"],
  /** Directions from which a thing is seen, and how many of the best views are kept of each. */
  bearings: [8, "count", 4, 16, "limit"],
  viewsPerBearing: [3, "count", 1.5, 6, "limit"],
  /** Directions from which a thing was seen that are kept. */
  maxViewpoints: [8, "count", 4, 16, "limit"],
  /** Places where a mover was that are kept. */
  maxTrail: [512, "count", 256, 1020, "limit"],
  /** A side of the fused box is where this share of the views says that the thing has not ended yet. */
  outerQuantile: [0.8, "share", 0.4, 1, "experiment"],
  /** One look beyond all others by this much is left out; none counts for more than so many usual ones. */
  strayM: [0.25, "m", 0.125, 0.5, "experiment"],
  /** A view cut off by the image border, or by something nearer, knows less about where the thing ends. */
  /** So many looks that reach beyond a face move it out, if they are this share of all. */
  beyondShare: [0.15, "share", 0.075, 0.3, "experiment"],
  /** What is as tall as this may be a door, and a door is the same from both sides. */
  maxPhrases: [6, "count", 3, 12, "limit"],
  /** More values than this about one thing are noise: the weakest is forgotten. */
  maxValues: [12, "count", 6, 24, "limit"],
  /** Less likely names than this are not worth remembering. */
  leastMaybe: [0.05, "share", 0.025, 0.1, "limit"],
  /** Observations per thing that a change must outweigh: log-odds against a state having changed since the last look. */
  changeLogOdds: [5.5, "log-odds", 2.75, 11, "experiment"],
  maxHistory: [16, "count", 8, 32, "limit"],
  maxFluents: [32, "count", 16, 64, "limit"],
  /** Cosine between two directions that count as the same side. */
  usualSide: [0.5, "share", 0.25, 1, "experiment"],
});
