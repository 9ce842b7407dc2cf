import { settings } from "../../schema/settings.ts";

/** Which stays other robots' pictures show to have ended: value, unit, minimum, maximum, source. */
export const MISSED = settings("belief.missed", {
  /**
   * A thing is missed where it is less likely than this to be still there. In simulated houses 20852, 21072 and 23102 (two
   * robots, noise .5) the one thing that was gone had a likelihood of 1e-9, and of the 25 that were there none less than 4e-4.
   */
  stillThereP: [1e-6, "probability", 1e-8, 1e-4, "experiment"],
  /** A thing in a smaller share of its neighbours' pictures is too often hidden, and in fewer pictures hardly known. */
  leastShare: [0.3, "share", 0.15, 0.6, "experiment"],
  leastLooks: [3, "count", 2, 6, "experiment"],
  /** The fewest pictures of its neighbours without it, and how long after its last one they count: on another visit. */
  leastMisses: [10, "count", 5, 20, "experiment"],
  afterUs: [20_000_000, "µs", 10_000_000, 60_000_000, "experiment"],
  /** Neighbours stand this near, at about the same height. */
  besideM: [1.2, "m", 0.6, 2, "experiment"],
  levelM: [0.5, "m", 0.25, 1, "experiment"],
  /** Larger memories are left to their trackers; of more sightings the latest are read. */
  mostStates: [2_000, "count", 500, 8_000, "limit"],
  mostSightings: [40_000, "count", 10_000, 160_000, "limit"],
  /** The most steps in a chain of merges that are followed. */
  mostMerges: [8, "count", 4, 16, "limit"],
});

/** Which looks at a person or vehicle were at something else. */
export const STRAYS = settings("belief.strays", {
  /** The most looks at one person that are put in order, the latest: eight minutes in view at two pictures a second. */
  mostLooks: [1_000, "count", 250, 4_000, "limit"],
  /**
   * A robot that sees a person sees them in more than one picture: a look without another this long before and after it is
   * alone. In simulated houses 20852, 21072 and 23102 at noise .5, two pictures a second, all four that were alone in a room of
   * their own were of nobody.
   */
  aloneUs: [5_000_000, "µs", 2_000_000, 10_000_000, "experiment"],
  /** Nobody was on one storey this soon before or after being on another, if they were seen there only once. */
  stairsUs: [10_000_000, "µs", 5_000_000, 20_000_000, "experiment"],
  /** Nobody walks faster than this; positions of looks are this far off. */
  fastestMps: [2.5, "m/s", 1.5, 4, "paper"],
  offM: [1.5, "m", 0.5, 3, "experiment"],
});

/** Whether a thing is where it was last seen. */
export const PRESENCE = settings("belief.presence", {
  /**
   * A person or vehicle is believed to stay where it was last seen for no longer than this; an ordinary walk through a room
   * takes as long.
   */
  inSightUs: [30_000_000, "µs", 10_000_000, 120_000_000, "experiment"],
  /**
   * What stays where it is must have been seen this often, and over this long, to be missed: a robot that drives past a piece
   * of furniture sees it longer. In simulated house 20852 a ghost of a sideboard had 3 looks within 2.5 s.
   */
  fixedLooks: [5, "count", 3, 10, "experiment"],
  fixedUs: [5_000_000, "µs", 2_000_000, 10_000_000, "experiment"],
});

/** Boxes with a code that were carried elsewhere while no robot looked. */
export const TRANSFERS = settings("belief.transfers", {
  /** The most things with text on them that are compared; in a larger building only the moves that tracking saw count. */
  mostMarked: [4_000, "count", 1_000, 16_000, "limit"],
  /** Stays of one code and colour this near each other are one box that was tracked twice; the next on a pallet is farther. */
  onePlaceM: [0.3, "m", 0.15, 0.5, "experiment"],
  /** A box in motion is seen this seldom in one place, and again so soon and so near. */
  passingLooks: [3, "count", 2, 6, "experiment"],
  passingUs: [5_000_000, "µs", 2_000_000, 10_000_000, "experiment"],
  passingM: [6, "m", 3, 10, "experiment"],
  /** A box that was carried is put down at least this far away. */
  carriedM: [2, "m", 1, 4, "experiment"],
  /** Stock of one code stands together: a like box this near to the new place is its neighbour there. */
  stockM: [3, "m", 1.5, 6, "experiment"],
  /** So many, and such a share, of a slot's neighbours that were seen this long before a box show that it was not there yet. */
  earlierUs: [20_000_000, "µs", 10_000_000, 60_000_000, "experiment"],
  leastNeighbours: [3, "count", 2, 6, "experiment"],
  neighbourShare: [0.8, "share", 0.6, 1, "experiment"],
  /**
   * Probabilities that like boxes in two places are one that was moved: from the floor into a rack or back, and into a slot
   * whose neighbours had been seen without it. In the simulated warehouses 20413, 20523, 20633, 20853, 21073 and 23103 all
   * four and the one that were found so were moves.
   */
  carriedP: [0.8, "probability", 0.5, 0.95, "experiment"],
  newlyP: [0.9, "probability", 0.5, 0.98, "experiment"],
  /** A box is taken for the one that left its place from this on. */
  leastP: [0.5, "probability", 0.3, 0.8, "experiment"],
});

/** Who brought a thing to its place, or changed its state. */
export const CARRIERS = settings("belief.carriers", {
  /** A person who puts a thing down comes this near to its place on the floor, and nearer by so much than before. */
  atM: [1.5, "m", 0.8, 2.5, "experiment"],
  cameM: [1, "m", 0.5, 2, "experiment"],
  /** In a longer time another person may have come and gone. */
  longestUs: [120_000_000, "µs", 30_000_000, 300_000_000, "experiment"],
  /** A person reaches this far, and is seen there at most this long before or after what they did. */
  reachM: [1.5, "m", 0.8, 2.5, "experiment"],
  justUs: [2_000_000, "µs", 1_000_000, 5_000_000, "experiment"],
  /** A person who passed by in a longer time than this need not have changed anything. */
  whileUs: [30_000_000, "µs", 10_000_000, 120_000_000, "experiment"],
  /** The probability that one of the people within reach changed a state. */
  doneP: [0.85, "probability", 0.5, 0.95, "experiment"],
  mostPeople: [24, "count", 8, 64, "limit"],
});

/** Which changes of state are misreadings. */
export const MISREAD = settings("belief.misread", {
  /** A robot would have witnessed a change between two observations this close together. */
  witnessedUs: [2_000_000, "µs", 1_000_000, 5_000_000, "experiment"],
  /** Observations this long before and after a change tell whether any robot was watching. */
  aroundUs: [20_000_000, "µs", 10_000_000, 60_000_000, "experiment"],
  /**
   * A state needs at least this many observations: a robot that watches a room for three seconds has more. In eleven simulated
   * houses at noise .5 (seeds 81001, 92001 to 93006) five of seven false changes had fewer on one side; the one real change with
   * fewer was kept.
   */
  leastLooks: [5, "count", 3, 10, "experiment"],
  /**
   * A state that ends this soon was made and undone by a person in view, or was misread. In simulated house 20752 at noise .5,
   * seven false states lasted 1 to 22 s with no person near; real states change at most twice an hour.
   */
  briefUs: [30_000_000, "µs", 10_000_000, 120_000_000, "experiment"],
  mostLooks: [4_000, "count", 1_000, 16_000, "limit"],
  /** Observations farther apart than this belong to two visits. */
  visitUs: [5_000_000, "µs", 2_000_000, 20_000_000, "experiment"],
  /** A record tells the value of an attribute that it holds with at least this probability. */
  leastP: [0.5, "probability", 0.4, 0.8, "experiment"],
});
