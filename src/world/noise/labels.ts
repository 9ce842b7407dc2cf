import type { Random } from "../../geometry/index.ts";
import { COLOUR_NEIGHBOURS, FAMILIES } from "./confusions.ts";
import { strength } from "./levels.ts";

const WRONG_CATEGORY = 0.06;
const WRONG_COLOUR = 0.04;
const WRONG_STATE = 0.05;
/** Rates hold at this distance and grow in proportion, up to three times. */
const USUAL_M = 2.5;

/** What is said about one segment. */
export interface Label {
  readonly category: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text?: string | undefined;
  /** How many times larger the writing is than print on household things. */
  readonly lettering?: number | undefined;
}

/** Every other value that a state can take, to draw wrong ones from. */
export type StateValues = Readonly<Record<string, readonly string[]>>;

/**
 * A label with a detector's mistakes: another category of its family, a neighbouring colour, a wrong state; more with
 * distance. Text is legible only up close (4 m at the usual size, farther if larger).
 */
export function noisyLabel(
  random: Random,
  level: number,
  label: Label,
  distanceM: number,
  context: {
    readonly states: StateValues;
    readonly categories: readonly string[];
    /** Share of labels replaced by an unrelated category. */
    readonly falseShare?: number;
  },
): Label {
  if (context.falseShare && random.chance(context.falseShare)) {
    const category = otherOf(random, label.category, context.categories);
    return noisyLabel(random, level, { ...label, category, name: category }, distanceM, {
      ...context,
      falseShare: 0,
    });
  }
  if (level === 0) return label;
  const rate = strength(level) * Math.min(3, Math.max(0.4, distanceM / USUAL_M));
  let { category, name } = label;
  if (random.chance(WRONG_CATEGORY * rate)) {
    category = otherOf(random, category, familyOf(category, context.categories));
    name = category;
  }
  const attributes: Record<string, string> = {};
  for (const [key, value] of Object.entries(label.attributes)) {
    const states = context.states[key];
    if (key === "colour" && random.chance(WRONG_COLOUR * rate)) {
      attributes[key] = otherOf(random, value, COLOUR_NEIGHBOURS[value] ?? Object.keys(COLOUR_NEIGHBOURS));
    } else if (states && random.chance(WRONG_STATE * rate)) {
      attributes[key] = otherOf(random, value, states);
    } else attributes[key] = value;
  }
  const printM = distanceM / (label.lettering ?? 1);
  const printRate = strength(level) * Math.min(3, Math.max(0.4, printM / USUAL_M));
  const unreadable = label.text !== undefined && random.chance(Math.min(1, (printRate * printM) / 12));
  return { category, name, attributes, ...(label.text !== undefined && !unreadable && { text: label.text }) };
}

function familyOf(category: string, present: readonly string[]): readonly string[] {
  return FAMILIES.find((family) => family.includes(category)) ?? present;
}

function otherOf(random: Random, value: string, values: readonly string[]): string {
  const others = values.filter((other) => other !== value);
  return others.length > 0 ? random.pick(others) : value;
}
