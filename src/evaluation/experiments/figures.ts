import { SCENES_TO_DRAW } from "../runner/cell.ts";
import { bootstrap, type Estimate, meanOf, type PairedEstimate, pairedBootstrap } from "../statistics.ts";
import type { Mark, ReportRow } from "./mark.ts";

/** Selects figures; missing fields default to the headline's. */
export interface Which {
  readonly suite?: string;
  readonly slice?: string;
  readonly metric?: string;
}

export const HEADLINE = "correct";
export const ALL = "all";
/** The same questions without the blind-answerable ones. */
export const WITHOUT_BLIND = "without blind-answerable";
/** The mean over question types: each type counts the same. */
export const MACRO = "correct, mean over types";

/** Marks as figures: means with intervals, and paired differences. */
export class Figures {
  readonly marks: readonly Mark[];
  readonly configs: readonly string[];
  readonly suites: readonly string[];

  constructor(marks: readonly Mark[]) {
    this.marks = marks;
    this.configs = [...new Set(marks.map(({ config }) => config))];
    this.suites = [...new Set(marks.map(({ suite }) => suite))];
  }

  /** The mean, or null if nothing was measured. */
  value(config: string, which: Which = {}): number | null {
    const marks = this.#of(config, which);
    return marks.length === 0 ? null : meanOf(marks.map(({ value }) => value));
  }

  estimate(config: string, which: Which = {}): Estimate | null {
    const marks = this.#of(config, which);
    return marks.length === 0 ? null : bootstrap(groupsOf(marks), (drawn) => meanOf(valuesOf(drawn.flat())));
  }

  /** How much more the first has than the second, on the same items. */
  difference(a: string, b: string, which: Which = {}): PairedEstimate | null {
    const other = new Map(this.#of(b, which).map((mark) => [itemOf(mark), mark.value]));
    const pairs = this.#of(a, which).flatMap((mark) => {
      const against = other.get(itemOf(mark));
      return against === undefined ? [] : [{ ...mark, pair: { a: mark.value, b: against } }];
    });
    return pairs.length === 0
      ? null
      : pairedBootstrap(groupsOf(pairs).map((group) => group.map(({ pair }) => pair)));
  }

  /** Every figure, in order of measurement. */
  rows(): ReportRow[] {
    const rows: ReportRow[] = [];
    for (const suite of this.suites)
      for (const config of this.configs) {
        const own = this.marks.filter((mark) => mark.config === config && mark.suite === suite);
        for (const metric of new Set(own.map((mark) => mark.metric))) {
          const marks = own.filter((mark) => mark.metric === metric);
          const slices = [ALL, ...new Set(marks.flatMap((mark) => mark.slices))];
          for (const slice of slices) {
            const estimate = this.estimate(config, { suite, slice, metric })!;
            rows.push({ config, suite, slice, metric, ...interval(estimate) });
          }
          const macro = metric === HEADLINE ? macroOf(marks) : null;
          if (macro) rows.push({ config, suite, slice: ALL, metric: MACRO, ...interval(macro) });
        }
      }
    return rows;
  }

  #of(config: string, { suite, slice = ALL, metric = HEADLINE }: Which): Mark[] {
    return this.marks.filter(
      (mark) =>
        mark.config === config &&
        mark.metric === metric &&
        (suite === undefined || mark.suite === suite) &&
        (slice === ALL || mark.slices.includes(slice)),
    );
  }
}

/** Null if the items have no types, or only one. */
function macroOf(marks: readonly Mark[]): Estimate | null {
  if (marks.some(({ type }) => type === undefined) || new Set(marks.map(({ type }) => type)).size < 2)
    return null;
  return bootstrap(groupsOf(marks), (drawn) => {
    const kinds = [...Map.groupBy(drawn.flat(), ({ type }) => type).values()];
    return meanOf(kinds.map((kind) => meanOf(valuesOf(kind))));
  });
}

/** Whole scenes are drawn if there are enough of them: twenty questions about one house are not twenty houses. */
function groupsOf<M extends Mark>(marks: readonly M[]): M[][] {
  const scenes = [...Map.groupBy(marks, ({ scene }) => scene).values()];
  return scenes.length >= SCENES_TO_DRAW ? scenes : marks.map((mark) => [mark]);
}

function valuesOf(marks: readonly Mark[]): number[] {
  return marks.map(({ value }) => value);
}

function itemOf({ suite, scene, item }: Mark): string {
  return `${suite}/${scene}/${item}`;
}

function interval({ value, low, high }: Estimate): Pick<ReportRow, "value" | "low" | "high"> {
  return { value: rounded(value), low: rounded(low), high: rounded(high) };
}

/** Four digits exceed the precision of any of these figures. */
function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
