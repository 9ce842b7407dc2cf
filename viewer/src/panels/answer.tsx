import { useState } from "preact/hooks";
import type { AnswerRecord } from "../../../src/schema/answer.ts";
import { ask, copy, show, shownTurn, showWay, type Turn, tracksOf } from "../data/asking.ts";
import * as store from "../data/store.ts";
import { counted, metres, momentText } from "../data/words.ts";
import { EvidenceCard, thingName } from "./evidence.tsx";
import { flyTo } from "./map.tsx";
import { GoalButtons } from "./spot.tsx";

const STATUS: Record<AnswerRecord["status"], string | null> = {
  answered: null,
  "not-seen": "Never seen",
  "looked-absent": "Looked: not there",
  "false-premise": "That is not so",
  ambiguous: "Several fit",
  insufficient: "Not enough to tell",
  denied: "Not yours to know",
};

const MOST_SHOWN = 4;

/** A question, its answer, and everything behind it. */
export function TurnView({ turn, isLast }: { turn: Turn; isLast: boolean }) {
  const isShown = shownTurn.value === turn.id;
  return (
    <article class={`turn${isShown ? " shown" : ""}`}>
      <button
        type="button"
        class="question"
        aria-pressed={isShown}
        onClick={() => show(isShown ? null : turn.id)}
      >
        {turn.question}
      </button>
      {(turn.asOf !== null || turn.isBelief) && (
        <p class="asof">
          {turn.asOf !== null && `as of ${momentText(turn.asOf)}`}
          {turn.isBelief && " by what was believed then"}
        </p>
      )}
      {turn.problem && <p class="problem">{turn.problem}</p>}
      {!turn.answer && !turn.problem && <Thinking turn={turn} />}
      {turn.answer && <AnswerView turn={turn} answer={turn.answer} isLast={isLast} />}
    </article>
  );
}

function Thinking({ turn }: { turn: Turn }) {
  const [reading] = turn.readings;
  return (
    <div class="thinking" role="status">
      <span class="pulse" />{" "}
      {turn.evidence.length > 0
        ? "Putting it into words"
        : reading
          ? "Looking it up"
          : "Reading the question"}
      {reading && <code>{reading}</code>}
    </div>
  );
}

function AnswerView({ turn, answer, isLast }: { turn: Turn; answer: AnswerRecord; isLast: boolean }) {
  const [isWhole, setWhole] = useState(false);
  const status = STATUS[answer.status];
  const tracks = tracksOf(turn);
  const shown = isWhole ? turn.evidence : turn.evidence.slice(0, MOST_SHOWN);
  return (
    <>
      <p class="answer" role="status">
        {sentence(answer)}
      </p>
      <p class="sure">
        {status && <span class="status">{status}</span>}
        {answer.status !== "insufficient" && <Sureness value={answer.confidence} />}
        {answer.trace.ms["total"] !== undefined && <span>{Math.round(answer.trace.ms["total"])} ms</span>}
      </p>
      <Candidates turn={turn} answer={answer} />
      {shown.length > 0 && (
        <>
          <h3>Evidence</h3>
          <div class="evidences">
            {shown.map((one) => (
              <EvidenceCard
                key={one.ref}
                evidence={one}
                number={tracks.length > 1 && one.trackId ? tracks.indexOf(one.trackId) + 1 : null}
                onPick={() => goTo(one.trackId, one.position)}
              />
            ))}
          </div>
          {turn.evidence.length > shown.length && (
            <button type="button" class="link" onClick={() => setWhole(true)}>
              all {counted(turn.evidence.length, "piece")} of evidence
            </button>
          )}
        </>
      )}
      {answer.contradictions.length > 0 && <p class="faint">{answer.contradictions.join(" · ")}</p>}
      <WayView answer={answer} />
      <details class="how">
        <summary>How it was found</summary>
        <Trace answer={answer} readings={turn.readings} />
      </details>
      {isLast && <FollowUps tracks={tracks} />}
    </>
  );
}

/** An answer is often a phrase; on the screen it is capitalised like a sentence. */
function sentence({ text, status }: AnswerRecord): string {
  const said = text.trim() === "" ? (STATUS[status] ?? "No answer.") : text.trim();
  const whole = said.charAt(0).toUpperCase() + said.slice(1);
  return /[.!?…”]$/.test(whole) ? whole : `${whole}.`;
}

function Sureness({ value }: { value: number }) {
  return (
    <span class="sureness" title="Of answers with 80 %, about 8 in 10 are right">
      <span class="meter" aria-hidden="true">
        <span style={{ width: `${value * 100}%` }} />
      </span>
      {Math.round(value * 100)} % sure
    </span>
  );
}

/** Several things fit: a click chooses one. */
function Candidates({ turn, answer }: { turn: Turn; answer: AnswerRecord }) {
  const tracks = tracksOf(turn);
  const isOpen =
    answer.status === "ambiguous" || answer.contradictions.some((line) => /things fit/.test(line));
  if (!isOpen || tracks.length < 2) return null;
  return (
    <div class="candidates">
      <span class="faint">Which one?</span>
      {tracks.slice(0, 8).map((track) => {
        const row = store.rowAt(track, store.time.value);
        if (!row) return null;
        const room = store.roomName(row.room);
        return (
          <button type="button" class="chip" key={track} onClick={() => goTo(track)}>
            {thingName(row)}
            {room && <small> {room}</small>}
          </button>
        );
      })}
    </div>
  );
}

function WayView({ answer }: { answer: AnswerRecord }) {
  const route = store.route.value;
  const to = answer.position?.trackId ?? answer.position?.point;
  if (!to) return null;
  return (
    <p class="way">
      <button type="button" class="chip" onClick={() => void showWay(to)}>
        Show the way there
      </button>
      {answer.navGoal && <GoalButtons to={to} />}
      {route && (
        <span class="faint">
          {metres(route.lengthM)}{" "}
          {route.by === "straight"
            ? "in a straight line"
            : `through ${route.rooms.map(({ name }) => name).join(", ")}`}
        </span>
      )}
    </p>
  );
}

function Trace({ answer, readings }: { answer: AnswerRecord; readings: readonly string[] }) {
  const plan = answer.trace.plan as { notation?: string[] } | undefined;
  const notation = plan?.notation ?? readings.slice(0, 1);
  return (
    <>
      <p class="faint">The question was read as</p>
      {notation.map((line) => (
        <code key={line}>{line}</code>
      ))}
      <ol>
        {answer.trace.rounds.map((round, n) => (
          <li key={`${n} ${round.strategy}`}>
            {round.strategy ?? "search"}: {counted(round.found, "record")} found
            {round.broadened > 0 && `, broadened ${round.broadened}×`}
            {round.sufficient ? ", enough" : ", not enough"}
            {round.ms !== undefined && ` · ${Math.round(round.ms)} ms`}
          </li>
        ))}
      </ol>
      <button type="button" class="link" onClick={() => void copy(JSON.stringify(answer, null, 2), "Answer")}>
        Copy the whole answer as JSON
      </button>
    </>
  );
}

const MOST_FOLLOW_UPS = 3;

/** Suggested follow-up questions. "It" refers to one thing only; of several, each is named. */
function FollowUps({ tracks }: { tracks: readonly string[] }) {
  const names = tracks.flatMap((track) => {
    const row = store.rowAt(track, store.time.value);
    return row === undefined ? [] : [row.type === "person" ? thingName(row) : `the ${thingName(row)}`];
  });
  const questions =
    names.length === 1
      ? ["When did you last see it?", "What is next to it?", "Has it been moved?"]
      : [...new Set(names)].slice(0, MOST_FOLLOW_UPS).map((name) => `When did you last see ${name}?`);
  if (questions.length === 0) return null;
  return (
    <div class="followups">
      {questions.map((question) => (
        <button type="button" class="chip" key={question} onClick={() => void ask(question)}>
          {question}
        </button>
      ))}
    </div>
  );
}

function goTo(track: string | undefined, position?: { x: number; y: number; z: number }): void {
  if (track) store.selected.value = track;
  flyTo(track ? [track] : [], position);
}
