import { settings } from "../../schema/settings.ts";

/** How well a thing fits a description. */
export const MATCHING = settings("belief.matching", {
  /** Factors for parts of a description that contradict a thing, or that are unknown of it. */
  unknownAttribute: [0.85, "share", 0.625, 0.925, "experiment"],
  kinColour: [0.45, "share", 0.225, 0.9, "experiment"],
  wrongAttribute: [0.12, "share", 0.06, 0.24, "experiment"],
  missingModifier: [0.8, "share", 0.5, 0.9, "experiment"],
  /** Factor for a colour that only a part of the thing has. */
  accent: [0.9, "share", 0.75, 0.95, "experiment"],
  /** Fit where the category contains the name with more words, and where only the thing's own name contains it. */
  byKind: [0.9, "share", 0.75, 0.95, "experiment"],
  byName: [0.65, "share", 0.125, 0.825, "experiment"],
  otherName: [0.6, "share", 0.3, 0.8, "experiment"],
  /** Fit of things that only a minority of sightings gave the name; they count where no other thing has it. */
  takenFor: [0.5, "share", 0.25, 1, "experiment"],
  /**
   * A thing with a general name may be the special kind asked for if it is as large as that kind, within this factor: no
   * single view shows the whole of a thing.
   */
  asLarge: [3, "ratio", 1, 6, "experiment"],
  /** Fits of things with a general name, such as plant: of the right size, and of the wrong size. */
  broadly: [0.65, "share", 0.125, 0.825, "experiment"],
  otherSize: [0.5, "share", 0.25, 1, "experiment"],
  /** A second label less likely than this is ignored: of 29 such labels in simulated houses one is true. */
  hardly: [0.1, "share", 0.05, 0.2, "experiment"],
  /** The most names whose fits are kept. */
  mostKept: [5_000, "count", 2_500, 10_000, "limit"],
  /** Factors for text that could not be read, that says something else, and of which some words agree. */
  unread: [0.35, "share", 0.175, 0.7, "experiment"],
  otherWords: [0.05, "share", 0.025, 0.1, "experiment"],
  someWords: [0.6, "share", 0.3, 0.8, "experiment"],
  /** A belief at least this probable contradicts a different description; similar colours need a higher probability. */
  firm: [0.6, "share", 0.3, 0.8, "experiment"],
  firmKin: [0.9, "share", 0.75, 0.95, "experiment"],
  /** Fit of a thing with another label whose category has the name asked for. */
  ofTheKind: [0.86, "share", 0.65, 0.93, "experiment"],
  /** From this fit on, a thing has exactly the name asked for. */
  veryName: [0.95, "share", 0.875, 0.975, "experiment"],
  /** Factor for a thing once mistaken for what is asked for, where others really are that. */
  mistaken: [0.8, "share", 0.5, 0.9, "experiment"],
  /**
   * Factor for other things of the kind where a compound name matches: where there is a front door, another door is
   * hardly meant.
   */
  otherKind: [0.6, "share", 0.3, 0.8, "experiment"],
  /**
   * Factor for a thing whose name can hardly be right: one that more likely has the name is meant before it, and alone
   * it is still meant.
   */
  hardlyNamed: [0.5, "share", 0.25, 0.85, "recording"],
  /**
   * A thing seen this many times as often as a neighbour of another category with the same text is the one that bears it.
   */
  often: [3, "ratio", 1, 6, "experiment"],
  /** A piece of a thing lies no farther from it. */
  besideM: [0.6, "m", 0.3, 1.2, "experiment"],
  /** The most words in the name of a room. */
  mostWords: [3, "count", 1, 6, "limit"],
  mostNameWords: [5, "count", 2, 10, "limit"],
  /** Two stays nearer than this are taken for one thing that was detected twice. */
  samePlaceM: [0.6, "m", 0.3, 1.2, "experiment"],
  /** Solid things cannot overlap more than this. */
  onePlaceIou: [0.5, "share", 0.25, 1, "experiment"],
});
