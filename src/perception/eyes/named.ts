import { LIMITS, type Maybe } from "../../schema/core.ts";

/** What print is told apart by: how dark its darkest places are, by the lightest, and whether it has a colour. */
export interface Shades {
  readonly darkest: number;
  readonly isColoured: boolean;
}

/** What is known of a region that is to be named. */
export interface Nameable {
  /** What the eyes say, a mean probability a word. */
  readonly votes: ArrayLike<number>;
  /** What their closer looks say, a mean probability a kind; absent of eyes that know words only. */
  readonly kindVotes?: ReadonlyMap<string, number>;
  readonly longM: number;
  readonly wideM: number;
  readonly highM: number;
  /** Its lowest place above the floor; no number where the floor is not known. */
  readonly aboveM: number;
  /** Something level bears it; absent where nobody looked. */
  readonly isBorne?: boolean;
  /** Absent where nobody looked, or too little was seen. */
  readonly shades?: Shades | undefined;
  readonly middle: readonly number[];
}

/** A name that is sure enough, if there is one, and what else it may be, likeliest first. */
export interface Named {
  readonly label: string | undefined;
  readonly maybe: readonly Maybe[];
}

/** What one look says it is, or what it cannot be by its shape, it only may be. */
export function unnamed({ label, maybe }: Named): Named {
  if (label === undefined) return { label, maybe };
  const p = Math.max(0, 1 - maybe.reduce((sum, one) => sum + one.p, 0)) / 2;
  const all = [...maybe, { category: label, p }].sort((a, b) => b.p - a.p);
  return { label: undefined, maybe: all.slice(0, LIMITS.maybes) };
}
