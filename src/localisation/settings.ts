import { settings } from "../schema/settings.ts";

/** The settings of correcting and doubting given poses: value, unit, minimum, maximum, source. */
export const LOCALISE = settings("localisation.place", {
  /** Depths used as upright surfaces, and how many of them; neighbouring pixels lie this far apart in a picture of a width. */
  nearM: [0.2, "m", 0.1, 0.4, "datasheet"],
  farM: [6, "m", 3, 8, "datasheet"],
  samples: [1_200, "count", 600, 2_400, "limit"],
  reachPx: [3, "px", 2, 6, "experiment"],
  reachOfWidthPx: [160, "px", 80, 320, "experiment"],
  /** A surface bends less than this between neighbours, otherwise there is an edge; grows with depth noise. */
  bendM: [0.01, "m", 0.005, 0.02, "experiment"],
  bendPerM2: [0.006, "1/m", 0.003, 0.012, "experiment"],
  /** Least cosine of the viewing angle, and least horizontal share of a normal. */
  leastFacing: [0.25, "cosine", 0.1, 0.5, "experiment"],
  leastUpright: [0.5, "share", 0.3, 0.8, "experiment"],
  /** One standard deviation of a sample along its normal: of its surface, and by the square of its distance. */
  sampleSdM: [0.006, "m", 0.003, 0.012, "experiment"],
  sampleSdPerM2: [0.003, "1/m", 0.0015, 0.006, "datasheet"],
  /** Side of the voxels that each keep one surfel, and the observations after which its mean is fixed. */
  voxelM: [0.08, "m", 0.04, 0.16, "experiment"],
  settledLooks: [60, "count", 30, 120, "experiment"],
  /** Least squared cosine between the directions of one surface: 45°. */
  leastAlong2: [0.5, "share", 0.3, 0.8, "experiment"],
  /** Least observations before a surfel is copied for other submaps. */
  leastLooks: [3, "count", 2, 6, "experiment"],
  /** Iterations of a fit; those with the wide search range; the narrow range. */
  rounds: [8, "count", 4, 16, "limit"],
  wideRounds: [3, "count", 1, 6, "experiment"],
  narrowM: [0.03, "m", 0.015, 0.06, "experiment"],
  /** A sample within this distance of a surface lies on it. */
  onSurfaceM: [0.03, "m", 0.015, 0.06, "experiment"],
  /** Neighbouring pixels have correlated errors: each counts as this share of an independent one. */
  independentShare: [0.1, "share", 0.05, 0.2, "experiment"],
  /** Odometry error between two frames: standard deviation at rest, per metre and its root, per radian. */
  restM: [0.004, "m", 0.002, 0.008, "experiment"],
  wayShare: [0.02, "share", 0.01, 0.04, "experiment"],
  restRad: [0.002, "rad", 0.001, 0.004, "experiment"],
  radPerRootM: [0.01, "rad/√m", 0.005, 0.02, "experiment"],
  radPerRad: [0.006, "share", 0.003, 0.012, "experiment"],
  /** How much of a submap's shift one frame may change. */
  shiftSdM: [0.03, "m", 0.015, 0.06, "experiment"],
  shiftSdRad: [0.0075, "rad", 0.004, 0.015, "experiment"],
  /** First search range on a submap's own surfaces, and on those of others. */
  ownWideM: [0.06, "m", 0.03, 0.12, "experiment"],
  othersWideM: [0.15, "m", 0.08, 0.3, "experiment"],
  /** Least matched samples of a valid fit, and least share of them on the surface. */
  leastMet: [60, "count", 30, 120, "experiment"],
  leastLyingShare: [0.5, "share", 0.3, 0.7, "experiment"],
  /** A gain that noise alone hardly ever reaches (the χ² of three unknowns): until then an agent's poses count as exact. */
  noteworthyGain: [16, "χ²", 8, 32, "paper"],
  /** Frames in a row without any match, after which the known surfaces are dropped; and the most that are doubted. */
  mostMisses: [10, "count", 5, 20, "experiment"],
  mostDoubts: [20, "count", 10, 40, "experiment"],
  /** A submap whose shift at the camera is smaller is not moved. */
  toldM: [0.02, "m", 0.01, 0.04, "experiment"],
  toldRad: [0.006, "rad", 0.003, 0.012, "experiment"],
  /** From this shift on a submap in use is written again; indexes must then move everything anchored to it. */
  writtenM: [0.06, "m", 0.03, 0.12, "experiment"],
  writtenRad: [0.02, "rad", 0.01, 0.04, "experiment"],
  /** Submaps with kept surfaces, and the most surfels of each and in total. */
  submaps: [24, "count", 12, 48, "limit"],
  surfelsOfSubmap: [65_536, "count", 32_768, 131_072, "limit"],
  surfelsOfAll: [262_144, "count", 131_072, 524_288, "limit"],
});

/** The settings of whether a pose can be believed. */
export const BELIEVED = settings("localisation.belief", {
  /**
   * Without dead reckoning only an impossible speed excludes a pose: frames may be few, clocks wrong, and the camera
   * carried.
   */
  mostMPerS: [10, "m/s", 5, 20, "experiment"],
  mostM: [2, "m", 1, 4, "experiment"],
  /** Allowed difference between a pose and dead reckoning, at rest and per metre. */
  offM: [0.35, "m", 0.2, 0.7, "experiment"],
  offPerM: [0.05, "share", 0.02, 0.1, "experiment"],
  offRad: [0.15, "rad", 0.08, 0.3, "experiment"],
  radPerM: [0.02, "rad/m", 0.01, 0.04, "experiment"],
  /** A camera may be this far from the centre of its robot, which turns about it. */
  offPerRad: [0.3, "m", 0.15, 0.6, "experiment"],
  /** A shorter motion does not determine a direction. */
  leastWayM: [0.4, "m", 0.2, 0.8, "experiment"],
  /** A pose with a larger standard deviation, as its robot states it, is uncertain. */
  vagueM: [0.5, "m", 0.25, 1, "experiment"],
  vagueRad: [0.2, "rad", 0.1, 0.4, "experiment"],
  /** Most surfels that a frame is compared with, and the least number in view for a verdict. */
  mostCompared: [4_000, "count", 2_000, 8_000, "limit"],
  leastCompared: [25, "count", 12, 50, "experiment"],
  nearM: [0.3, "m", 0.15, 0.6, "datasheet"],
  farM: [5, "m", 3, 8, "datasheet"],
  /** A surface is confirmed within this distance, plus a share of its range. */
  metM: [0.2, "m", 0.1, 0.4, "experiment"],
  metShare: [0.06, "share", 0.03, 0.12, "experiment"],
  /** A frame contradicts the map if it sees through this share of the surfaces that it confirms or sees through. */
  throughShare: [0.4, "share", 0.2, 0.7, "experiment"],
  /** It confirms its pose if it confirms this many, and this share of them. */
  confirmedLeast: [120, "count", 60, 240, "experiment"],
  confirmedShare: [0.8, "share", 0.6, 0.95, "experiment"],
});

/** The settings of odometry from depth and brightness. */
export const ODOMETRY = settings("localisation.odometry", {
  /** Approximate width of the finest aligned picture: more pixels cost time and add little; how often it is halved. */
  widthPx: [160, "px", 80, 320, "recording"],
  levels: [3, "count", 2, 4, "recording"],
  /** Second differences of inverse depth, as a share of it, above which a pixel lies on an edge. */
  edgeShare: [0.04, "share", 0.02, 0.08, "recording"],
  /** Pixels of one block of a surface differ in inverse depth by less than this share. */
  blockShare: [0.1, "share", 0.05, 0.2, "recording"],
  nearM: [0.1, "m", 0.05, 0.2, "datasheet"],
  farM: [20, "m", 5, 40, "datasheet"],
  /** Normals further apart than this (cosine) belong to different sides. */
  facing: [0.8, "cosine", 0.6, 0.95, "recording"],
  /** Depth noise (docs/formulas.md#noise), with a floor for errors of the surface model. */
  floorM: [0.002, "m", 0.001, 0.004, "experiment"],
  growthPerM2: [0.0019, "1/m", 0.001, 0.004, "datasheet"],
  /** Brightness noise, and the difference from which two pixels show different things. */
  lumaSd: [0.02, "share", 0.01, 0.04, "recording"],
  lumaGate: [0.2, "share", 0.1, 0.4, "recording"],
  /** Smaller brightness gradients, per pixel, are shading, which moves with the lamp and not with the wall. */
  lumaSlope: [0.015, "share", 0.008, 0.03, "recording"],
  /** With a smaller share, or number, of matched pixels it is another place. */
  trackedShare: [0.35, "share", 0.2, 0.5, "recording"],
  leastMatches: [60, "count", 30, 120, "recording"],
  /** A new keyframe after this much motion, or when the old one no longer shows enough of the picture. */
  keyframeM: [0.3, "m", 0.15, 0.6, "recording"],
  keyframeRad: [0.26, "rad", 0.13, 0.5, "recording"],
  overlapShare: [0.6, "share", 0.3, 0.8, "recording"],
  /**
   * Number of keyframes kept, and used at once. Few, because keyframes of an earlier visit carry the drift of that
   * time, and a picture matched with old and new ones at once is distorted and slides.
   */
  keyframes: [24, "count", 12, 48, "recording"],
  asked: [3, "count", 1, 6, "recording"],
  /** A keyframe this near in position and direction shows the same things. */
  sameM: [1.5, "m", 0.8, 3, "recording"],
  sameRad: [0.8, "rad", 0.4, 1.6, "recording"],
  /** The initial search: distance limits of its iterations and of its verdict, and the iterations. */
  startGateM: [0.4, "m", 0.2, 0.8, "recording"],
  startFitM: [0.15, "m", 0.08, 0.3, "recording"],
  startRounds: [3, "count", 2, 6, "limit"],
  /** … the rotations that it tries to either side, and their step: at two frames per second a robot can turn 23°. */
  turns: [4, "count", 2, 8, "experiment"],
  turnRad: [0.14, "rad", 0.07, 0.28, "experiment"],
  /** … the least share of a picture that it compares, and what a residual and a difference in brightness are measured by. */
  startShare: [0.125, "share", 0.06, 0.25, "recording"],
  startM: [0.02, "m", 0.01, 0.04, "recording"],
  startLuma: [0.015, "share", 0.008, 0.03, "recording"],
  /** A guess farther than this from the extrapolation must fit much better. */
  leapM: [0.3, "m", 0.15, 0.6, "recording"],
  /** A guess is good enough to stop with this share matched, as near as this. */
  goodShare: [0.85, "share", 0.7, 0.95, "recording"],
  goodM: [0.015, "m", 0.008, 0.03, "recording"],
  goodLuma: [0.02, "share", 0.01, 0.04, "recording"],
  /** Uncertainty of an extrapolated pose, one standard deviation. */
  priorRad: [0.2, "rad", 0.1, 0.4, "experiment"],
  priorM: [0.15, "m", 0.08, 0.3, "experiment"],
  /** Variance ratio of the worst direction to the others from which it counts as unconstrained. */
  openRatio: [8, "ratio", 4, 16, "recording"],
  /** A step along it must lower the difference in brightness to this share. */
  betterShare: [0.9, "share", 0.7, 0.98, "recording"],
  /** Possible error of a path through such geometry, as a share, and its least step, even if it seemed to stand still. */
  openDoubt: [0.2, "share", 0.1, 0.4, "experiment"],
  leastOpenM: [0.03, "m", 0.015, 0.06, "experiment"],
  /** Neighbouring pixels have correlated errors: this many count as one. */
  correlated: [20, "count", 10, 40, "experiment"],
  /** Share of each step not trusted, for errors that an alignment cannot detect. */
  doubt: [0.005, "share", 0.002, 0.01, "experiment"],
});
