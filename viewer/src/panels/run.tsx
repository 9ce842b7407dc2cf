import { useEffect } from "preact/hooks";
import type { FrontierLine, RunStep } from "../../../src/schema/exploration-run.ts";
import { askForRuns, replayRun, runs, shownStep, stepBy, toStep, tracksOf } from "../data/runs.ts";
import * as store from "../data/store.ts";
import { clockText, counted, metres, squareMetres, whenText } from "../data/words.ts";
import { agentName, thingName } from "./evidence.tsx";
import { flyTo } from "./map.tsx";

/** Explorations that were recorded; each can be replayed step by step. */
export function Runs() {
  useEffect(() => void askForRuns(), []);
  if (runs.value.length === 0) return null;
  return (
    <>
      <h3>Explorations</h3>
      <ul class="rows runs">
        {runs.value.map(({ id, question, startedUs, end, steps }) => (
          <li key={id}>
            <button type="button" onClick={() => void replayRun(id)} title="Step by step">
              <b>{question}</b>
              <small>
                {whenText(startedUs)}, {steps === null ? "cut off" : counted(steps, "step")}
                {end !== null && `, ${end}`} · replay ▶
              </small>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The label of each kind of decision. */
const DECIDED: Readonly<Record<RunStep["decision"]["kind"], string>> = {
  "look-around": "looks around",
  recall: "goes to what the memory knows",
  verify: "goes to make sure",
  explore: "explores",
  inspect: "looks closer",
  stay: "stays",
  answer: "answers",
};

/** One step of an exploration: what was known, the options, the decision and its outcome. */
export function RunCard() {
  const run = store.run.value;
  const step = shownStep();
  if (run === null) return null;
  return (
    <aside class="card run" aria-label="Replay of an exploration">
      <button type="button" class="close" aria-label="End the replay" onClick={() => void replayRun(null)}>
        ×
      </button>
      <p class="kind">{run.head.task === "navigate" ? "Going to" : "Exploring"}</p>
      <h2>{run.head.question}</h2>
      {step === null ? (
        <p class="faint">No step was recorded.</p>
      ) : (
        <StepView step={step} count={run.steps.length} />
      )}
      {run.end !== null && store.runStep.value >= run.steps.length - 1 && (
        <section class="ended">
          <h3>How it ended: {run.end.end}</h3>
          <p>{run.end.why}</p>
          {run.end.answer && <p class="verdict">{run.end.answer.text}</p>}
          <p class="faint">
            {counted(run.end.steps, "step")},{" "}
            {metres(Object.values(run.end.pathM).reduce((sum, m) => sum + m, 0))} driven.
          </p>
          {run.end.looked.length > 0 && (
            <p class="tags">
              {run.end.looked.map(({ room, share }) => (
                <span key={room}>
                  {room} {Math.round(share * 100)} %
                </span>
              ))}
            </p>
          )}
        </section>
      )}
    </aside>
  );
}

function StepView({ step, count }: { step: RunStep; count: number }) {
  const n = store.runStep.value;
  return (
    <>
      <div class="stepper">
        <button type="button" aria-label="Step back" disabled={n === 0} onClick={() => stepBy(-1)}>
          ‹
        </button>
        <input
          type="range"
          aria-label="Step"
          min={0}
          max={count - 1}
          value={n}
          onInput={(event) => toStep(Number(event.currentTarget.value))}
        />
        <button type="button" aria-label="Step on" disabled={n >= count - 1} onClick={() => stepBy(1)}>
          ›
        </button>
      </div>
      <p class="faint">
        Step {n + 1} of {count}, {clockText(step.timeUs)}, {metres(step.pathM)} so far
        {step.coverage !== undefined && `, ${Math.round(step.coverage * 100)} % looked at`}
      </p>
      <p class="decision">
        <b>
          {agentName(step.agentId)} {DECIDED[step.decision.kind]}
        </b>
        <span>{step.decision.reason}</span>
        {step.went && (
          <small>
            {step.went.outcome}, {metres(step.went.pathM)}
            {step.went.why !== undefined && `: ${step.went.why}`}
          </small>
        )}
      </p>
      {step.belief && (
        <p class="belief">
          So far: {step.belief.text} <small>{Math.round(step.belief.confidence * 100)} %</small>
        </p>
      )}
      {step.checklist.length > 0 && (
        <ul class="checklist">
          {step.checklist.map(({ what, known }) => (
            <li key={what}>
              {known ? "✓" : "·"} {what}
            </li>
          ))}
        </ul>
      )}
      <Frontiers frontiers={step.frontiers} />
      <Records title="Memories it rests on" ids={step.used} />
      <Records title="Memories it made" ids={step.made} />
    </>
  );
}

const FATES = ["chosen", "kept", "claimed", "discarded"] as const;

function Frontiers({ frontiers }: { frontiers: readonly FrontierLine[] }) {
  if (frontiers.length === 0) return <p class="faint">No border of the unknown is left here.</p>;
  const sorted = frontiers.toSorted((a, b) => FATES.indexOf(a.fate) - FATES.indexOf(b.fate));
  return (
    <>
      <h3>{counted(frontiers.length, "border")} of the unknown</h3>
      <ul class="frontiers">
        {sorted.map((frontier) => (
          <li key={frontier.id} class={frontier.fate}>
            <button type="button" onClick={() => flyTo([], frontier.middle)}>
              <b>{frontier.fate}</b>
              <span>
                {squareMetres(frontier.gainM2)} unknown
                {frontier.costM !== null
                  ? `, ${metres(frontier.costM)} away`
                  : frontier.why === undefined && ", no way there"}
              </span>
              {frontier.why !== undefined && <em>{frontier.why}</em>}
              <small>{scoresText(frontier.scores)}</small>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

/** Scores in words; those in the line above are left out. */
const SCORES: Readonly<Record<string, (value: number) => string | undefined>> = {
  gainM2: () => undefined,
  costM: () => undefined,
  showing: (value) => `promises ${value.toFixed(2)}`,
  shownM2: (value) => (value === 0 ? undefined : `seen from there ${squareMetres(value)}`),
  stop: (value) => (value === 0 ? undefined : `stop ${value} of the tour`),
  near: (value) => `likely there ${value.toFixed(2)}`,
};

function scoresText(scores: FrontierLine["scores"]): string {
  return Object.entries(scores)
    .flatMap(([name, value]) => (SCORES[name] ? (SCORES[name](value) ?? []) : `${name} ${value.toFixed(2)}`))
    .join(" · ");
}

const MOST_LISTED = 12;

/** Records by their things; others are only counted. */
function Records({ title, ids }: { title: string; ids: readonly string[] }) {
  if (ids.length === 0) return null;
  const tracks = tracksOf(ids);
  return (
    <>
      <h3>
        {title} ({ids.length})
      </h3>
      <ul class="rows">
        {tracks.slice(0, MOST_LISTED).map((track) => {
          const row = store.rowAt(track, store.time.value);
          return (
            <li key={track}>
              <button
                type="button"
                onMouseEnter={() => {
                  store.hovered.value = track;
                }}
                onClick={() => flyTo([track])}
              >
                {row ? thingName(row) : track}
              </button>
            </li>
          );
        })}
        {tracks.length > MOST_LISTED && <li class="faint">and {tracks.length - MOST_LISTED} more things</li>}
        {tracks.length === 0 && <li class="faint">pictures and notes</li>}
      </ul>
    </>
  );
}
