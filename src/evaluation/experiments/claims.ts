import type { Claim } from "./experiment.ts";
import type { Figures, Which } from "./figures.ts";

interface Above extends Which {
  /** Least difference. */
  readonly by?: number;
  readonly id?: string;
  readonly because?: string;
}

/** The first is above the second by at least that much, and significantly (the paired 95 % interval is above zero). */
export function above(a: string, b: string, options: Above = {}): Claim {
  const { by = 0, id = `${a} > ${b}${sliceOf(options)}` } = options;
  const much = by === 0 ? "" : ` by ${by} or more`;
  return {
    id,
    text: `${a} is above ${b}${much}${within(options)}`,
    holds: (figures) => {
      const difference = figures.difference(a, b, options);
      return difference && difference.value >= by && difference.low > 0;
    },
  };
}

/** The first is below the second: fewer steps, less redundancy. */
export function below(a: string, b: string, options: Above = {}): Claim {
  const claim = above(b, a, options);
  const much = options.by === undefined ? "" : ` by ${options.by} or more`;
  return {
    ...claim,
    id: options.id ?? `${a} < ${b}${sliceOf(options)}`,
    text: `${a} is below ${b}${much}${within(options)}`,
  };
}

/** The first is not below the second: the difference is at least zero, or its interval reaches above zero. */
export function notBelow(a: string, b: string, options: Which = {}): Claim {
  return {
    id: `${a} ≥ ${b}${sliceOf(options)}`,
    text: `${a} is not below ${b}${within(options)}`,
    holds: (figures) => {
      const difference = figures.difference(a, b, options);
      return difference && difference.high >= 0;
    },
  };
}

/** The two differ by no more than this. */
export function alike(a: string, b: string, by: number, options: Which = {}): Claim {
  return {
    id: `|${a} − ${b}| ≤ ${by}${sliceOf(options)}`,
    text: `${a} and ${b} differ by ${by} at most${within(options)}`,
    holds: (figures) => {
      const difference = figures.difference(a, b, options);
      return difference && Math.abs(difference.value) <= by;
    },
  };
}

/** A claim that the others cannot express. */
export function claim(id: string, text: string, holds: (figures: Figures) => boolean | null): Claim {
  return { id, text, holds };
}

function sliceOf({ suite, slice, metric }: Which): string {
  const parts = [suite, slice, metric].filter((part) => part !== undefined);
  return parts.length === 0 ? "" : ` (${parts.join(", ")})`;
}

function within({ suite, slice, metric }: Which): string {
  const of = [metric && `in ${metric}`, slice && `on ${slice}`, suite && `of ${suite}`];
  const said = of.filter((part) => part !== undefined);
  return said.length === 0 ? "" : `, ${said.join(" ")}`;
}
