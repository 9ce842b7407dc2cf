import {
  ELSEWHERE,
  type Guess,
  type HabitModel,
  type HabitParameters,
  learnHabits,
  likelyAt,
  PARAMETERS,
  usual,
} from "../../reasoning/habits/index.ts";
import { brier, expectedCalibrationError } from "../metrics/calibration.ts";
import {
  type Estimate,
  groupedBootstrap,
  meanOf,
  type PairedEstimate,
  pairedBootstrap,
} from "../statistics.ts";
import type { Ask, ForecastCase } from "./forecast-case.ts";

/** A distribution over places; unnamed places share the rest. */
type Belief = ReadonlyMap<string, number>;

/** The tasks: a future day, a moment after the last observation, or the usual place at an hour. */
export const TASKS = ["likely at", "since last seen", "usual"] as const;
export type Task = (typeof TASKS)[number];
export const METHODS = ["habits", "last seen", "most frequent"] as const;
export type Method = (typeof METHODS)[number];

/** The result of one method on one question. */
export interface Outcome {
  readonly household: string;
  readonly group: ForecastCase["group"];
  readonly task: Task;
  readonly right: boolean;
  /** Probability of its best place. */
  readonly confidence: number;
  /** Σ (p − truth)² over all places. */
  readonly squared: number;
  readonly logLoss: number;
}

export interface MethodScore {
  readonly method: Method;
  readonly accuracy: Estimate;
  readonly brier: number;
  readonly logLoss: number;
  /** Calibration of the best place: confidence against frequency. */
  readonly ece: number;
  readonly topBrier: number;
  /** Habits minus this method, on the same questions; whole households are drawn if there are several. */
  readonly ahead?: PairedEstimate;
}

/** Beliefs are capped at this distance from certainty: a wrong certainty would cost infinitely much. */
const MIN_P = 0.005;
const HOUR_US = 3_600_000_000;
const DAY_US = 24 * HOUR_US;

export type Outcomes = ReadonlyMap<Method, readonly Outcome[]>;

/**
 * Asks every question of every case. The baselines get what they need to be calibrated: most frequent is the whole
 * distribution of the observed time, last seen is mixed with it by its best weight in hindsight.
 */
export function askAll(cases: readonly ForecastCase[], parameters: HabitParameters = PARAMETERS): Outcomes {
  const asked = cases.flatMap((one) => {
    const model = learnHabits(one.input, parameters);
    return [
      ...one.asks.map((ask) =>
        questionOf(one, "likely at", ask.truth, model, likelyAt(model, ask.timeUs, undefined, parameters)),
      ),
      ...one.asks.flatMap((ask) =>
        ask.last === undefined
          ? []
          : [
              questionOf(
                one,
                "since last seen",
                ask.truth,
                model,
                likelyAt(model, ask.timeUs, ask.last, parameters),
                ask,
              ),
            ],
      ),
      ...usualAsks(one).map(({ hour, timeUs, truth }) =>
        questionOf(one, "usual", truth, model, usualGuess(model, hour, timeUs, parameters)),
      ),
    ];
  });
  const outcomes = new Map<Method, readonly Outcome[]>([
    ["habits", asked.map((q) => outcomeOf(q, q.habits))],
    ["most frequent", asked.map((q) => outcomeOf(q, q.frequent))],
  ]);
  const byTask = TASKS.flatMap((task) => lastSeenAtBest(asked.filter((q) => q.task === task)));
  const inOrder = new Map(byTask);
  outcomes.set(
    "last seen",
    asked.map((q) => inOrder.get(q)!),
  );
  return outcomes;
}

/** The figures of each method for some of the questions. */
export function scoreOf(outcomes: Outcomes, among: (outcome: Outcome) => boolean): MethodScore[] {
  const habits = outcomes.get("habits")!.filter(among);
  return METHODS.flatMap((method): MethodScore[] => {
    const own = outcomes.get(method)!.filter(among);
    if (own.length === 0) return [];
    const groups = [...Map.groupBy(own, ({ household }) => household).values()];
    const forecasts = own.map(({ confidence, right }) => ({ confidence, right }));
    const pairs = Map.groupBy(
      own.map((outcome, n) => ({
        household: outcome.household,
        a: Number(habits[n]!.right),
        b: Number(outcome.right),
      })),
      ({ household }) => household,
    );
    // A single household is drawn by its questions: that interval is for this household only.
    const drawn = pairs.size > 1 ? [...pairs.values()] : [...pairs.values()].flat().map((pair) => [pair]);
    return [
      {
        method,
        accuracy: groupedBootstrap(
          (groups.length > 1 ? groups : own.map((outcome) => [outcome])).map((group) =>
            group.map(({ right }) => Number(right)),
          ),
        ),
        brier: meanOf(own.map(({ squared }) => squared)),
        logLoss: meanOf(own.map(({ logLoss }) => logLoss)),
        ece: expectedCalibrationError(forecasts)!,
        topBrier: brier(forecasts)!,
        ...(method !== "habits" && { ahead: pairedBootstrap(drawn) }),
      },
    ];
  });
}

interface Question {
  readonly case: ForecastCase;
  readonly task: Task;
  readonly truth: string;
  readonly habits: Belief;
  readonly frequent: Belief;
  readonly lastKey: string;
}

function questionOf(
  one: ForecastCase,
  task: Task,
  truth: string,
  model: HabitModel,
  guess: Guess,
  ask?: Ask,
): Question {
  const frequent = new Map(model.places.map((key, i) => [key, model.overall[i]!]));
  const latest = one.input.stays.toSorted((a, b) => a.fromUs - b.fromUs).at(-1)!;
  return {
    case: one,
    task,
    truth,
    habits: beliefOf(guess),
    frequent,
    lastKey: ask?.last?.placeKey ?? latest.placeKey,
  };
}

function beliefOf({ places, elsewhere }: Guess): Belief {
  return new Map([...places.map(({ placeKey, p }) => [placeKey, p] as const), [ELSEWHERE, elsewhere]]);
}

function outcomeOf({ case: one, task, truth }: Question, belief: Belief): Outcome {
  const [best, confidence] = [...belief].reduce((a, b) => (b[1] > a[1] ? b : a), ["", -1]);
  const p = belief.get(truth) ?? 0;
  let squared = (1 - p) * (1 - p);
  for (const [key, q] of belief) if (key !== truth) squared += q * q;
  return {
    household: one.household,
    group: one.group,
    task,
    right: best === truth,
    confidence,
    squared,
    logLoss: -Math.log(Math.max(MIN_P, p)),
  };
}

/** The place where it was last seen with weight q, the rest by frequency; q is the one with the least loss. */
function lastSeenAtBest(questions: readonly Question[]): [Question, Outcome][] {
  const tried = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9].map((weight) =>
    questions.map((q): [Question, Outcome] => {
      const mixed = new Map([...q.frequent].map(([key, p]) => [key, (1 - weight) * p]));
      mixed.set(q.lastKey, (mixed.get(q.lastKey) ?? 0) + weight);
      // Its answer is the last seen place, however often the thing was elsewhere.
      const right = q.lastKey === q.truth;
      return [q, { ...outcomeOf(q, mixed), right, confidence: mixed.get(q.lastKey)! }];
    }),
  );
  const loss = (all: readonly [Question, Outcome][]) =>
    all.reduce((sum, [, { logLoss }]) => sum + logLoss, 0);
  return tried.reduce((a, b) => (loss(b) < loss(a) ? b : a));
}

/** The result of `usual` for an hour; the guess if it was never observed then. */
function usualGuess(model: HabitModel, hour: number, timeUs: number, parameters: HabitParameters): Guess {
  const guess = likelyAt(model, timeUs, undefined, parameters);
  const { places, elsewhere, observedDays } = usual(model, { hour });
  if (observedDays === 0) return guess;
  // Confidence of the shares, by the number of days behind them.
  const sure = observedDays / (observedDays + 1);
  const belief = new Map(guess.places.map(({ placeKey, p }) => [placeKey, (1 - sure) * p]));
  for (const { placeKey, share } of places) belief.set(placeKey, (belief.get(placeKey) ?? 0) + sure * share);
  return {
    places: [...belief].map(([placeKey, p]) => ({ placeKey, p })),
    elsewhere: sure * elsewhere + (1 - sure) * guess.elsewhere,
    observedDays,
  };
}

/** Hours with the thing's most frequent place in them, over the test days. */
function usualAsks({ asks, input }: ForecastCase): { hour: number; timeUs: number; truth: string }[] {
  const offsetUs = (input.utcOffsetMin ?? 0) * 60_000_000;
  const hourOf = ({ timeUs }: Ask) => Math.floor(((timeUs + offsetUs) % DAY_US) / HOUR_US);
  return [...Map.groupBy(asks, hourOf)].flatMap(([hour, own]) => {
    const counts = [...Map.groupBy(own, ({ truth }) => truth)].map(([truth, { length }]) => ({
      truth,
      length,
    }));
    counts.sort((a, b) => b.length - a.length);
    if (counts[1]?.length === counts[0]!.length) return [];
    return [{ hour, timeUs: own[0]!.timeUs + HOUR_US / 2, truth: counts[0]!.truth }];
  });
}
