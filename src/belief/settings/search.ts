import { settings } from "../../schema/settings.ts";

/** How much is read for a question, and what counts as found. */
export const SEARCH = settings("belief.search", {
  /** Tracking moves the states of merged tracks to the surviving one; for up to this many results that is checked. */
  mostFollowed: [200, "count", 100, 400, "limit"],
  /** The most things that a listing returns one by one. */
  listHits: [5_000, "count", 2_500, 10_000, "limit"],
  /** This many things of a category are enough to choose from. */
  few: [60, "count", 30, 120, "limit"],
  /** The most things with text on them that are searched. */
  writtenHits: [80, "count", 40, 160, "limit"],
  /** The side of a cell of the grid of all things, about one piece of furniture; and the most cells of one thing. */
  cellM: [1, "m", 0.5, 2, "limit"],
  mostCells: [64, "count", 16, 256, "limit"],
  mostAround: [500, "count", 250, 1_000, "limit"],
  /** The most results of one search for candidates, and what is enough of them. */
  hits: [80, "count", 40, 160, "limit"],
  candidatesFew: [50, "count", 25, 100, "limit"],
  /** The limit for each search that filters by attributes: fewer are enough. */
  fewAlike: [24, "count", 12, 48, "limit"],
  /** The most kinds of a general word that are searched. */
  mostKinds: [800, "count", 400, 1_600, "limit"],
  /** The most members of a set that are read; of a larger set all are counted, and those read stand for the rest. */
  setHits: [400, "count", 200, 800, "limit"],
  sampleHits: [150, "count", 75, 300, "limit"],
  /** Above this number of rooms, only the room in the record is asked for, not the outline. */
  mostOutlines: [4, "count", 2, 8, "limit"],
  /** Above this number of stays (more than a house has) results are not cached. */
  mostKept: [2_000, "count", 1_000, 4_000, "limit"],
  /** The most steps in a chain of merges that are followed. */
  mostHops: [8, "count", 4, 16, "limit"],
  /** The number of tracks whose merges are cached. */
  mostKnown: [32_768, "count", 16_384, 65_536, "limit"],
  /** The most events of a span that are read. */
  mostEvents: [5_000, "count", 2_500, 10_000, "limit"],
  /** This many of the first and of the last observations include one of each robot. */
  mostLookedAt: [500, "count", 250, 1_000, "limit"],
  /** The most captions naming the thing that are searched for notes. */
  mostRead: [200, "count", 100, 400, "limit"],
  /** The most things with text on them that are read; of a larger building only those asked for. */
  mostLabelled: [4_000, "count", 2_000, 8_000, "limit"],
  /** Only the latest captions are read: old ones do not rename a room. */
  mostTold: [1_000, "count", 500, 2_000, "limit"],
  /** The most records at either end that may be notes before observations are searched for by kind. */
  mostNotes: [16, "count", 8, 32, "limit"],
  /** The most things whose number of sightings is looked up; among more, single sightings matter little. */
  mostWeighed: [200, "count", 100, 400, "limit"],
  mostEvidence: [20, "count", 10, 40, "limit"],
  /** The most values cached for one state of a memory; a memory has few scenes. */
  mostValues: [256, "count", 128, 512, "limit"],
  /** After this many changed records, or sightings, everything is read again. */
  mostChanged: [512, "count", 256, 1_024, "limit"],
  mostSeen: [8_192, "count", 4_096, 16_384, "limit"],
  /** A read shared with other callers is tried this often; if commits outdate it each time, the caller reads for itself. */
  mostShared: [3, "count", 1, 6, "limit"],
  /** An update under way may have begun before the caller's latest commit; the second one includes it. */
  mostRenewals: [2, "count", 1, 4, "limit"],
});
