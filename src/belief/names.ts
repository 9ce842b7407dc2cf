import { areKin, FIT, nameFit, typicalSizeM } from "../ontology/index.ts";
import { NAMELESS } from "../schema/core.ts";
import { settings } from "../schema/settings.ts";
import type { KnownThing, StateRecord } from "./thing.ts";

/** What the names that the eyes give are worth: value, unit, minimum, maximum, source. */
export const NAMES = settings("belief.names", {
  /** Lowest and highest probability that is read from the eyes: their own certainty at either end means little. */
  leastP: [0.02, "probability", 0.005, 0.1, "recording"],
  /** Weight of the eyes' own log-odds, and what is added to it for large things and for small ones. */
  oddsWeight: [0.43, "ratio", 0.1, 1, "recording"],
  largeOdds: [0.92, "log-odds", -2, 2, "recording"],
  smallOdds: [-0.84, "log-odds", -3, 1, "recording"],
  /** Weight of the logarithm of how many times smaller than its kind a thing is: much smaller ones are pieces. */
  sizeWeight: [2.1, "log-odds", 0.5, 4, "recording"],
  /** A kind with at least this usual size is large. */
  largeM: [0.7, "m", 0.4, 1.2, "recording"],
  /** A name at least this probable is said as it is; one at least this probable with "perhaps". */
  sureP: [0.7, "probability", 0.5, 0.9, "recording"],
  perhapsP: [0.25, "probability", 0.1, 0.5, "recording"],
  /** A withheld name at least this probable is a hint in lists. */
  hintP: [0.1, "probability", 0.05, 0.25, "recording"],
});

/** The eyes sign the names that they give with this. */
const EYES = "eyes";

type Named = Pick<StateRecord, "category"> &
  Partial<Pick<StateRecord, "maybe" | "namedBy" | "perceived" | "extent">>;

/** How a thing may be called. */
export interface NameBelief {
  /** Said as it is, said with "perhaps", or not said. */
  readonly standing: "is" | "perhaps" | "unnamed";
  /** The likeliest kind. */
  readonly category: string;
  /** The calibrated probability that the kind is right. */
  readonly p: number;
}

/**
 * How sure the name of a thing is. Names by people and by recordings are taken as they are. The eyes' own certainty is
 * calibrated on real rooms, where a third of their surest names is wrong: small things are confused more than
 * furniture, and what is much smaller than its kind is a piece of something else.
 */
export function nameBelief({ category, maybe = [], namedBy, perceived, extent }: Named): NameBelief {
  if (perceived || (category !== NAMELESS && namedBy !== EYES)) return { standing: "is", category, p: 1 };
  const [likeliest] = maybe;
  if (category === NAMELESS && !likeliest) return { standing: "unnamed", category, p: 0 };
  const kind = category === NAMELESS ? likeliest!.category : category;
  const p = calibrated(kind, category === NAMELESS ? likeliest!.p : ownP(category, maybe), extent);
  // The eyes withheld this name: it is never more than a guess.
  const isSure = category !== NAMELESS && p >= NAMES.sureP;
  return { standing: isSure ? "is" : p >= NAMES.perhapsP ? "perhaps" : "unnamed", category: kind, p };
}

/** The probability that a thing is of a kind, by its name and by what else the eyes took it for. */
export function kindP(asked: string, record: Named): number {
  const { category, p } = nameBelief(record);
  if (record.perceived || (record.category !== NAMELESS && isAlike(asked, category))) return p;
  const { maybe = [] } = record;
  const own = maybe.reduce((sum, one) => sum + (isAlike(asked, one.category) ? one.p : 0), 0);
  return own === 0 ? 0 : calibrated(asked, own, record.extent);
}

function isAlike(asked: string, own: string): boolean {
  return areKin(asked, own) || nameFit(asked, own) >= FIT.alike;
}

/** Whether a name is no more than a guess. */
export function isDoubtful(record: Named): boolean {
  return nameBelief(record).standing !== "is";
}

/** Whether a thing is called by a name that is no more than a guess. */
export function isGuessed({ category, state }: Pick<KnownThing, "category" | "state">): boolean {
  return category !== NAMELESS && isDoubtful(state);
}

/** A name for a map, where there is room for a word: "black printer?" where it is no more than a guess. */
export function labelOf(state: KnownThing["state"]): string {
  return isGuessed({ category: state.category, state }) ? `${state.name}?` : state.name;
}

/** The eyes' own probability of the name that they gave: what they left to names of other kinds is missing from it. */
function ownP(category: string, maybe: NonNullable<Named["maybe"]>): number {
  return 1 - maybe.reduce((sum, one) => sum + (areKin(one.category, category) ? 0 : one.p), 0);
}

/** The share of names of this kind, certainty and size that is right in real rooms; never more than the eyes' own. */
function calibrated(category: string, p: number, extent: Named["extent"]): number {
  const own = Math.min(1 - NAMES.leastP, Math.max(NAMES.leastP, p));
  const usualM = typicalSizeM(category) ?? 0;
  const seenM = extent ? Math.max(extent.x, extent.y, extent.z) : usualM;
  const smaller = usualM > 0 && seenM > 0 ? Math.min(0, Math.log(seenM / usualM)) : 0;
  const odds =
    NAMES.oddsWeight * Math.log(own / (1 - own)) +
    NAMES.sizeWeight * smaller +
    (usualM >= NAMES.largeM ? NAMES.largeOdds : NAMES.smallOdds);
  return Math.min(own, 1 / (1 + Math.exp(-odds)));
}
