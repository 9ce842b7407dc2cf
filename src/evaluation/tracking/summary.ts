import { bootstrap, type Estimate } from "../statistics.ts";
import { addRatios, f1Of, quantile, type Ratio, type Scores, shareOf } from "./ratio.ts";
import type { TrackingScore } from "./score.ts";

/** One figure over all recordings, with its interval and its target. */
export interface Figure {
  readonly name: string;
  /** Null if nothing was counted. */
  readonly estimate: Estimate | null;
  /** How many things, links, rooms or decisions are behind it. */
  readonly counted: number;
  readonly target?: { readonly atLeast: number } | { readonly atMost: number };
  readonly isMet?: boolean;
}

export interface TrackingSummary {
  readonly seeds: readonly string[];
  readonly figures: readonly Figure[];
}

type Statistic = (scores: readonly TrackingScore[]) => number;

interface FigureRule {
  readonly name: string;
  readonly of: Statistic;
  readonly counted: Statistic;
  readonly target?: Figure["target"];
}

const sum = (scores: readonly TrackingScore[], of: (score: TrackingScore) => number) =>
  scores.reduce((total, score) => total + of(score), 0);

const total = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);

function share(name: string, of: (score: TrackingScore) => Ratio, target?: Figure["target"]): FigureRule {
  const ratio = (scores: readonly TrackingScore[]) => addRatios(scores.map(of));
  return {
    name,
    of: (scores) => shareOf(ratio(scores)),
    counted: (scores) => ratio(scores).total,
    ...(target && { target }),
  };
}

function triple(name: string, of: (score: TrackingScore) => Scores, f1?: Figure["target"]): FigureRule[] {
  const both = (scores: readonly TrackingScore[]): Scores => ({
    precision: addRatios(scores.map((score) => of(score).precision)),
    recall: addRatios(scores.map((score) => of(score).recall)),
  });
  return [
    share(`${name} precision`, (score) => of(score).precision),
    share(`${name} recall`, (score) => of(score).recall),
    {
      name: `${name} F1`,
      of: (scores) => f1Of(both(scores)),
      counted: (scores) => both(scores).precision.total + both(scores).recall.total,
      ...(f1 && { target: f1 }),
    },
  ];
}

function spread(
  name: string,
  of: (score: TrackingScore) => readonly number[],
  at: number,
  target?: Figure["target"],
): FigureRule {
  return {
    name,
    of: (scores) => quantile(scores.flatMap(of), at),
    counted: (scores) => sum(scores, (score) => of(score).length),
    ...(target && { target }),
  };
}

function perHour(name: string, of: (score: TrackingScore) => number, target?: Figure["target"]): FigureRule {
  return {
    name,
    of: (scores) => sum(scores, of) / sum(scores, ({ identity }) => identity.objectHours),
    counted: (scores) => sum(scores, of),
    ...(target && { target }),
  };
}

const RULES: readonly FigureRule[] = [
  share("track precision", ({ tracks }) => tracks.precision, { atLeast: 0.9 }),
  share("track recall", ({ tracks }) => tracks.recall, { atLeast: 0.9 }),
  perHour("id switches per object-hour", ({ identity }) => identity.switches, { atMost: 0.05 }),
  perHour("  of those, over a move not recognised", ({ identity }) => identity.overMoves),
  perHour("  strictly, single looks too", ({ identity }) => identity.strictSwitches),
  share("detections given to the right track", ({ identity }) => identity.purity),
  spread("place error, median (m)", ({ places }) => places.errorsM, 0.5, { atMost: 0.15 }),
  spread("place error, p90 (m)", ({ places }) => places.errorsM, 0.9),
  spread("box overlap, median IoU", ({ places }) => places.boxIous, 0.5),
  share("twin counts exact, rooms", ({ twins }) => twins.rooms, { atLeast: 0.95 }),
  share("counts exact, rooms × categories", ({ twins }) => twins.categories),
  ...triple("moves", ({ moves }) => moves, { atLeast: 0.85 }),
  share("moves recall, old place unseen too", ({ moves }) => moves.unverified),
  share("moves recall, of twins", ({ moves }) => moves.ofTwins),
  share("moves whose old place was seen again", ({ moves }) => moves.checked),
  ...triple("absences", ({ absences }) => absences, { atLeast: 0.9 }),
  share("departures whose place was seen again", ({ absences }) => absences.checked),
  {
    name: "gone while merely out of view",
    of: (scores) => sum(scores, ({ absences }) => absences.falseOutOfView),
    counted: (scores) => sum(scores, ({ absences }) => absences.precision.total),
    target: { atMost: 0 },
  },
  ...triple("rooms", ({ rooms }) => rooms, { atLeast: 0.85 }),
  {
    name: "room outlines, mean IoU",
    of: (scores) =>
      sum(scores, ({ rooms }) => total(rooms.ious)) / sum(scores, ({ rooms }) => rooms.ious.length),
    counted: (scores) => sum(scores, ({ rooms }) => rooms.ious.length),
  },
  share("rooms named by type", ({ rooms }) => rooms.named),
  share("room of each thing", ({ rooms }) => rooms.ofThings, { atLeast: 0.95 }),
  share("category", ({ places }) => places.category),
  share("fluents", ({ places }) => places.fluents),
  share("colour", ({ places }) => places.colour),
];

/**
 * All figures over all recordings: counts are summed before division (micro), and the interval draws whole
 * recordings, because the things of one house are not independent.
 */
export function summarise(scores: readonly TrackingScore[]): TrackingSummary {
  return {
    seeds: scores.map(({ seed }) => seed),
    figures: RULES.map(({ name, of, counted, target }) => {
      const value = of(scores);
      const estimate = Number.isFinite(value)
        ? bootstrap(scores, (drawn) => {
            const one = of(drawn);
            // A draw without any move says nothing about moves.
            return Number.isFinite(one) ? one : value;
          })
        : null;
      return {
        name,
        estimate,
        counted: counted(scores),
        ...(target && { target }),
        ...(target && estimate && { isMet: meets(value, target) }),
      };
    }),
  };
}

/** A table for people: figure, value with its interval, count, target. */
export function formatSummary({ seeds, figures }: TrackingSummary): string {
  const rows = figures.map(({ name, estimate, counted, target, isMet }) => [
    name,
    estimate === null ? "–" : number(estimate.value),
    estimate === null ? "" : `[${number(estimate.low)}, ${number(estimate.high)}]`,
    String(Math.round(counted)),
    target === undefined ? "" : "atLeast" in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`,
    isMet === undefined ? "" : isMet ? "met" : "missed",
  ]);
  const all = [["figure", "value", "95 %", "counted", "asked", ""], ...rows];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((row) => row[column]!.length)));
  const line = (row: readonly string[]) =>
    row
      .map((text, column) => (column === 0 ? text.padEnd(widths[0]!) : text.padStart(widths[column]!)))
      .join("  ")
      .trimEnd();
  return [`${seeds.length} recordings (seeds ${seeds.join(", ")})`, ...all.map(line)].join("\n");
}

function meets(value: number, target: NonNullable<Figure["target"]>): boolean {
  return "atLeast" in target ? value >= target.atLeast : value <= target.atMost;
}

function number(value: number): string {
  return Number.isInteger(value) ? String(value) : value.toFixed(3);
}
