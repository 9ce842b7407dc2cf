import { useEffect, useRef } from "preact/hooks";
import { DEMO_QUESTIONS } from "../../../src/interfaces/cli/demo-questions.ts";
import { ask, draft, forgetTalk, isAsking, turns } from "../data/asking.ts";
import * as store from "../data/store.ts";
import { counted, momentText, spanText } from "../data/words.ts";
import { TurnView } from "./answer.tsx";

/** The question box and the conversation under it. */
export function AskPanel() {
  const end = useRef<HTMLDivElement>(null);
  const count = turns.value.length;
  const last = turns.value.at(-1);
  useEffect(() => {
    if (count > 0)
      end.current
        ?.querySelector(".turn:last-of-type")
        ?.scrollIntoView({ block: "start", behavior: "smooth" });
  }, [count, last?.answer !== null]);
  return (
    <section class="ask" aria-label="Ask the memory">
      <Intro isShort={count > 0} />
      <QuestionForm />
      <div class="scroll" ref={end}>
        {count === 0 && <Examples />}
        {turns.value.map((turn) => (
          <TurnView key={turn.id} turn={turn} isLast={turn === last} />
        ))}
        {count > 0 && !isAsking.value && (
          <button type="button" class="link" onClick={forgetTalk}>
            New question
          </button>
        )}
      </div>
    </section>
  );
}

function Intro({ isShort }: { isShort: boolean }) {
  const found = store.loaded.value;
  if (!found?.scene.span) return null;
  const robots = new Set(
    found.ways.flatMap(({ ways }) => ways.filter(({ type }) => type === "agent").map(({ id }) => id)),
  );
  const rooms = found.scene.regions.filter(({ type, toUs }) => type === "room" && toUs === null).length;
  const { fromUs, toUs } = found.scene.span;
  return (
    <div class={isShort ? "intro short" : "intro"}>
      <h1>What the robots remember</h1>
      {store.maps.value.length > 1 && (
        <p class="note">
          {counted(store.maps.value.length, "map")} that nobody has joined: “{store.shownMap.value}” is shown,
          the others are in the list above the map. How they lie to each other is not known.
        </p>
      )}
      {store.left.value !== null && <p class="note">{store.left.value}</p>}
      <p>
        {counted(found.tracks.size, "thing")}
        {rooms > 0 && ` in ${counted(rooms, "room")}`}
        {robots.size > 0 && `, seen by ${counted(robots.size, "robot")}`}, {spanText(fromUs, toUs)}.
        {!isShort &&
          " Ask where something is, when it was seen, or what changed; drag the time below to see it happen."}
      </p>
    </div>
  );
}

function QuestionForm() {
  const isPast = store.moment.value !== null;
  return (
    <form
      class="box"
      onSubmit={(event) => {
        event.preventDefault();
        void ask(draft.value);
      }}
    >
      <label class="hidden" for="question">
        Your question
      </label>
      <input
        id="question"
        type="text"
        autocomplete="off"
        maxLength={2000}
        placeholder={
          turns.value.length > 0 ? "Ask a follow-up question" : "Ask: “Where did I leave the kettle?”"
        }
        value={draft.value}
        onInput={(event) => {
          draft.value = event.currentTarget.value;
        }}
      />
      <button type="submit" disabled={draft.value.trim() === ""} aria-label="Ask">
        Ask
      </button>
      {isPast && <span class="asof">as of {momentText(store.time.value)}</span>}
    </form>
  );
}

/** Most things named in suggested questions, if the demo's do not fit. */
const MOST_NAMED = 3;

/** The demo's questions if they fit the memory, else questions about its content. */
function examples(found: store.Loaded): string[] {
  const seen = new Map<string, number>();
  for (const { category, seen: times, type } of found.rows)
    if (type === "object") seen.set(category, (seen.get(category) ?? 0) + Math.max(times, 1));
  const fits = DEMO_QUESTIONS.filter(({ about }) => about.every((kind) => seen.has(kind)));
  if (fits.some(({ about }) => about.length > 0)) return fits.map(({ text }) => text);
  const known = [...seen].sort((a, b) => b[1] - a[1]).slice(0, MOST_NAMED);
  return [
    ...known.map(([kind]) => `Where is the ${kind}?`),
    "What has been moved since yesterday?",
    "Describe what is here",
  ];
}

function Examples() {
  const found = store.loaded.value;
  if (found === null) return null;
  return (
    <div class="examples">
      <h2>Try one</h2>
      {examples(found).map((question) => (
        <button type="button" class="chip" key={question} onClick={() => void ask(question)}>
          {question}
        </button>
      ))}
    </div>
  );
}
