import { settings } from "../../schema/settings.ts";

/** Racks, from their labels. */
export const RACKS = settings("belief.racks", {
  /** Slots this far apart across their row stand back to back: less than an aisle, more than the depth of a board. */
  backM: [2, "m", 1, 4, "experiment"],
  /** Places are in line with each other up to this share of a bay. */
  inLine: [0.6, "share", 0.3, 0.8, "experiment"],
  /** The next bay is at most this many bays away, so that an unseen bay is not skipped. */
  next: [1.5, "bays", 1.1, 3, "experiment"],
  /** From this many on, codes with the same beginning are one system of places; a stock number on a cupboard is not. */
  series: [4, "count", 2, 8, "experiment"],
  /** Sides of a row are farther apart than this, boards of one side less. */
  sideM: [1, "m", 0.5, 2, "experiment"],
  /** A label farther than this share of a bay from the place of its number was misread. */
  outOfLine: [0.75, "share", 0.375, 0.875, "experiment"],
  /** A label that is off by more than this is placed where its number belongs. */
  doubtful: [0.25, "share", 0.125, 0.5, "experiment"],
  /** Labels nearer to each other than this belong to one place, read differently. */
  samePlaceM: [0.3, "m", 0.15, 0.6, "experiment"],
  /** A row has a level if at least this share of its bays has it; a rarer one is a misread code. */
  leastBays: [0.15, "share", 0.075, 0.3, "experiment"],
  /** The width of a bay where no labels tell it. */
  bayM: [1.3, "m", 0.65, 2.6, "experiment"],
  /** The most labels used to find the direction of a row and the alignment of its bays. */
  mostAsked: [200, "count", 100, 400, "limit"],
  /** The most unread bays between two that were read. */
  mostBetween: [20, "count", 10, 40, "limit"],
  /** Opposite bays are aligned with each other up to this share of a bay. */
  inStep: [0.6, "share", 0.3, 0.8, "experiment"],
  /** Of many boards only the edge was seen: this share of them is smaller than the whole. */
  whole: [0.75, "share", 0.375, 0.875, "experiment"],
  /** Of a board seen from the front only the edge is known; the middle of the goods is this far behind it. */
  depthM: [0.5, "m", 0.25, 1, "experiment"],
  /** The weight of the distance to the middle of a slot, relative to the distance to its edge. */
  middle: [0.1, "share", 0.05, 0.2, "experiment"],
  /** The height of a level where the labels do not tell it: a carton and the room to lift it. */
  levelM: [0.8, "m", 0.4, 1.6, "experiment"],
  /**
   * Probabilities that a slot is empty: its own label was read; a label of its bay was read; and, for an occupied slot,
   * that it is not.
   */
  empty: [0.8, "probability", 0.5, 0.9, "experiment"],
  emptyInBay: [0.65, "probability", 0.125, 0.825, "experiment"],
  taken: [0.85, "probability", 0.625, 0.925, "experiment"],
  /** A place with an unknown state is not a member of a set with that state. */
  unseen: [0.4, "probability", 0.2, 0.8, "experiment"],
});
