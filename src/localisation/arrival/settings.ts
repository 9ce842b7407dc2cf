/**
 * Settings for recognising a recording in the known world. Lengths in metres, angles in radians. Chosen on halves of
 * three real rooms (7-Scenes, TUM, a phone's study) and on pairs of different rooms.
 */
export const ARRIVAL = {
  /** Spacing of points in either cloud; 0.04 to 0.1 m; the map's own points are 0.06 m apart. */
  voxelM: 0.08,
  /** Frames of the arriving recording that are compared with the map; 10 to 80. */
  views: 48,
  /** Side of the squares of the coarse search over shifts, and of the map's cells in it; 0.1 to 0.3 m. */
  squareM: 0.15,
  /** Rotations tried, over the full circle; 36 to 144: 4° are 0.2 m at 3 m, within a square and its neighbours. */
  turns: 90,
  /** Points of the arriving cloud that vote for a shift; 200 to 800. */
  voters: 400,
  /** Lookup budget of the search, beyond which squares grow; 10⁸ to 2·10⁹: seconds on one core. */
  mostLookups: 6e8,
  /**
   * Peaks per rotation, candidates refined coarsely, and those of them refined finely and judged; 2 to 6, 20 to 100,
   * 6 to 24.
   */
  peaks: 3,
  tried: 48,
  fitted: 12,
  /** Levels of each cloud (floor, tables) that are matched, and their thickness; 2 to 5, 0.05 to 0.15 m. */
  levels: 3,
  levelM: 0.08,
  /**
   * Samples, iterations and search range (from, to; metres) of the coarse and of the fine fit; 0.3 to 0.6 covers the
   * error left by squares and rotations.
   */
  roughFit: { samples: 300, rounds: 5, firstReachM: 0.4, lastReachM: 0.2 },
  fit: { samples: 1_200, rounds: 12, firstReachM: 0.3, lastReachM: 0.12 },
  /** A known point is confirmed by a depth within this, plus a share of its range; depth cameras err by 1 to 3 %. */
  metM: 0.06,
  metShare: 0.02,
  /** … and seen through if the depth is farther by this multiple; 2 to 4. */
  throughTimes: 2.5,
  /** Poses nearer to each other than this are one. */
  sameM: 0.3,
  sameRad: 0.15,
} as const;

/**
 * When a pose is accepted: `score` adds the frames' agreement, the similarity of colours and the strength of the
 * constraint, each relative to a neutral value. Of nine right and 33 wrong poses in the rooms named above, right ones
 * score
 * 1.2 and more, and wrong ones that are no neighbour of a right one at most -0.6.
 */
export const BELIEF = {
  /** Share of known points confirmed rather than seen through; a room with moved furniture has 0.9. */
  share: 0.93,
  shareWeight: 20,
  /** Correlation of brightness on matching surfaces; other rooms reach 0.5, other light costs 0.2. */
  alike: 0.45,
  alikeWeight: 6,
  /** Samples that constrain the pose against a horizontal shift, in its weakest direction. */
  holds: 10,
  /** … limited to a factor of e on either side. */
  mostHold: 1,
  /** Least score of an accepted pose, and its least lead over any other with as many points in favour. */
  least: 0.5,
  ahead: 0.8,
  /** … as a share of its points in favour; 0.5 to 0.8: in a room with four similar walls 0.9, with furniture 0.5. */
  rivalShare: 0.6,
  /** Least known points that frames confirm: 3 m² at 8 cm. */
  leastMet: 500,
} as const;
