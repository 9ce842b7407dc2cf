import { ofThings, type Spoken } from "./spoken-of.ts";
import { singleThings } from "./wanted.ts";

const ORDINALS: readonly string[] = ["first", "second", "third", "fourth"];

/** Words that select one of several by its position. */
export const IN_TURN = /^(?:first|second|third|fourth|last|former|latter)$/;

/** The word for "the first ones": sets of things that were mentioned one after the other. */
export const SEVERAL = "ones";

/** The n-th of the sets of one kind mentioned in order: "the curtains in the hall" before "the curtains in here". */
export function setsInTurn(all: readonly Spoken[], which: string): readonly Spoken[] {
  const sets = all.filter(({ things }) => things.length > 1);
  const kind = sets[0]?.things[0]?.category;
  const alike = sets.filter(({ things }) => things.every(({ category }) => category === kind));
  const keyOf = ({ things }: Spoken) =>
    things
      .map(({ trackId }) => trackId)
      .sort()
      .join(" ");
  const each = [...new Map(alike.map((one) => [keyOf(one), one])).values()].toReversed();
  return nth(each, which);
}

/** The n-th of the last list; otherwise of the things of one kind mentioned in order. */
export function inTurn(all: readonly Spoken[], which: string): readonly Spoken[] {
  const several = all[0]?.things.length === 1 ? undefined : all.find((one) => one.things.length > 1);
  const [last] = singleThings(all).filter(({ isHolder }) => !isHolder);
  const kind = last?.things[0]?.category;
  const told = several
    ? several.things.map((thing) => ofThings([thing]))
    : singleThings(all)
        .toReversed()
        .filter((one) => one.things[0]?.category === kind);
  const each = [...new Map(told.map((one) => [one.things[0]?.trackId, one])).values()];
  return nth(each, which);
}

function nth(each: readonly Spoken[], which: string): readonly Spoken[] {
  const n =
    which === "former"
      ? 0
      : which === "latter" || which === "last"
        ? each.length - 1
        : ORDINALS.indexOf(which);
  const one = each.length > 1 ? each[n] : undefined;
  return one ? [one] : [];
}
