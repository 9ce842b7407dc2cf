import { LIMITS, type Maybe } from "../../schema/core.ts";

/** What tells kinds of print apart: the darkest places relative to the lightest, and whether it is coloured. */
export interface Shades {
  readonly darkest: number;
  readonly isColoured: boolean;
}

/** The data of a region to be named. */
export interface Nameable {
  /** The network's votes, a mean probability per word. */
  readonly votes: ArrayLike<number>;
  /** The close-up votes, a mean probability per category; absent for a network that knows words only. */
  readonly kindVotes?: ReadonlyMap<string, number>;
  readonly longM: number;
  readonly wideM: number;
  readonly highM: number;
  /** Height of its lowest point above the floor; NaN if the floor is unknown. */
  readonly aboveM: number;
  /** Whether a level surface supports it; absent if not checked. */
  readonly isBorne?: boolean;
  /** Absent if not computed, or too little was seen. */
  readonly shades?: Shades | undefined;
  readonly middle: readonly number[];
}

/** A name if it is certain enough, and alternatives, likeliest first. */
export interface Named {
  readonly label: string | undefined;
  readonly maybe: readonly Maybe[];
}

/** Demotes the name to an alternative: it rests on one observation, or contradicts the shape. */
export function unnamed({ label, maybe }: Named): Named {
  if (label === undefined) return { label, maybe };
  const p = Math.max(0, 1 - maybe.reduce((sum, one) => sum + one.p, 0)) / 2;
  const all = [...maybe, { category: label, p }].sort((a, b) => b.p - a.p);
  return { label: undefined, maybe: all.slice(0, LIMITS.maybes) };
}
