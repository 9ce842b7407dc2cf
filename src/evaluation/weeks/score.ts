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

/** A distribution over places; what it does not name has the rest. */
type Belief = ReadonlyMap<string, number>;

/** What is asked: of days to come, of a moment after a last look, or of an hour as it usually is. */
export const TASKS = ["likely at", "since last seen", "usual"] as const;
export type Task = (typeof TASKS)[number];
export const METHODS = ["habits", "last seen", "most frequent"] as const;
export type Method = (typeof METHODS)[number];

/** How one method fared with one question. */
export interface Outcome {
  readonly household: string;
  readonly group: ForecastCase["group"];
  readonly task: Task;
  readonly right: boolean;
  /** Of its best place. */
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
  /** Of the best place: confidence against how often it was right. */
  readonly ece: number;
  readonly topBrier: number;
  /** Habits less this method, by the same questions; households are drawn as a whole where there are several. */
  readonly ahead?: PairedEstimate;
}

/** No answer is taken to be surer than this: a wrong certainty would cost without end. */
const MIN_P = 0.005;
const HOUR_US = 3_600_000_000;
const DAY_US = 24 * HOUR_US;

export type Outcomes = ReadonlyMap<Method, readonly Outcome[]>;

/**
 * Asks every question of every case. The baselines are given what they need to be calibrated: most frequent is the
 * whole distribution of the observed time, last seen is mixed with it by the weight that suits it best in hindsight.
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
    // One household alone is drawn by its questions: that interval is of this household only.
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
      // Its answer is where it was last seen, however often it was elsewhere.
      const right = q.lastKey === q.truth;
      return [q, { ...outcomeOf(q, mixed), right, confidence: mixed.get(q.lastKey)! }];
    }),
  );
  const loss = (all: readonly [Question, Outcome][]) =>
    all.reduce((sum, [, { logLoss }]) => sum + logLoss, 0);
  return tried.reduce((a, b) => (loss(b) < loss(a) ? b : a));
}

/** What `usual` says of an hour; where nobody ever looked at it, the guess. */
function usualGuess(model: HabitModel, hour: number, timeUs: number, parameters: HabitParameters): Guess {
  const guess = likelyAt(model, timeUs, undefined, parameters);
  const { places, elsewhere, observedDays } = usual(model, { hour });
  if (observedDays === 0) return guess;
  // Shares of so many days are as sure as those days make them.
  const sure = observedDays / (observedDays + 1);
  const belief = new Map(guess.places.map(({ placeKey, p }) => [placeKey, (1 - sure) * p]));
  for (const { placeKey, share } of places) belief.set(placeKey, (belief.get(placeKey) ?? 0) + sure * share);
  return {
    places: [...belief].map(([placeKey, p]) => ({ placeKey, p })),
    elsewhere: sure * elsewhere + (1 - sure) * guess.elsewhere,
    observedDays,
  };
}

/** Hours with the place at which the thing was most of the time in them, over the days asked about. */
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
