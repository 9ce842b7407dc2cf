import { useEffect, useState } from "preact/hooks";
import type { Life, Stay } from "../../../src/schema/accounts.ts";
import { ApiProblem, postJson } from "../data/api.ts";
import { ask, copy, lifeOf, showWay } from "../data/asking.ts";
import * as store from "../data/store.ts";
import { clockText, counted, dayText, lengthText, whenText } from "../data/words.ts";
import { agentName } from "./evidence.tsx";
import { flyTo } from "./map.tsx";
import { Picture } from "./picture.tsx";

/** The life of the selected thing: its places, the agents that saw it, its events and pictures. */
export function ThingPanel() {
  const track = store.selected.value;
  const revision = store.loaded.value?.scene.revision;
  const [life, setLife] = useState<Life | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    setProblem(null);
    if (track === null) return;
    let isOver = false;
    if (life?.id !== track) setLife(null);
    lifeOf(track).then(
      (found) => !isOver && setLife(found),
      (error: Error) => !isOver && setProblem(error.message),
    );
    return () => {
      isOver = true;
    };
  }, [track, revision]);
  if (track === null) return null;
  return (
    <aside class="card thing" aria-label="The life of a thing">
      <button type="button" class="close" aria-label="Close" onClick={close}>
        ×
      </button>
      {problem && <p class="problem">{problem}</p>}
      {!life && !problem && <p class="faint">{store.rowAt(track, store.time.value)?.name ?? "…"}</p>}
      {life && <LifeView life={life} track={track} />}
    </aside>
  );
}

function close(): void {
  store.selected.value = null;
}

function LifeView({ life, track }: { life: Life; track: string }) {
  const last = life.stays.at(-1);
  const end = store.toUs(store.axis.value.to);
  const ago = life.lastSeenUs === null ? null : (end - life.lastSeenUs) / 1e6;
  return (
    <>
      <p class="kind">{life.category}</p>
      <h2>{life.name}</h2>
      <p>
        {life.isThere
          ? last?.room
            ? `In the ${last.room.name}`
            : "Still there, as far as is known"
          : last?.absentUs
            ? "Looked: not there any more"
            : "Not where it was"}
        {ago !== null && `, last seen ${ago < 2 ? "just now" : `${lengthText(ago)} before the latest`}.`}
      </p>
      <Attributes stay={last} />
      <p class="actions">
        <button type="button" class="chip" onClick={() => flyTo([track])}>
          Look at it
        </button>
        <button type="button" class="chip" onClick={() => void showWay(track)}>
          The way there
        </button>
        <button type="button" class="chip" onClick={() => void ask(`What is next to the ${life.category}?`)}>
          What is next to it?
        </button>
      </p>
      {life.pictures.length > 0 && (
        <>
          <h3>Pictures</h3>
          <div class="pictures">
            {life.pictures.slice(0, 12).map((picture) => (
              <button
                type="button"
                key={picture.viewId}
                title={`${whenText(picture.atUs)}, ${agentName(picture.by)}`}
                onClick={() => {
                  store.moment.value = store.fromUs(picture.atUs);
                }}
              >
                <Picture
                  path={`v1/blobs/${picture.image}`}
                  box={picture.box}
                  alt={`${life.name}, ${whenText(picture.atUs)}`}
                />
                <small>{pictureTime(picture.atUs, life.pictures)}</small>
              </button>
            ))}
          </div>
        </>
      )}
      <h3>Its life</h3>
      <Story life={life} />
      <p class="faint">
        Seen {counted(life.seen, "time")} by{" "}
        {life.seenBy.map(({ agent, seen }) => `${agentName(agent)} (${seen})`).join(", ")}.
      </p>
      <Correct life={life} />
      <button type="button" class="link" onClick={() => void copy(JSON.stringify(life, null, 2), "Life")}>
        Copy as JSON
      </button>
    </>
  );
}

/** When a picture was taken: the hour, and the day if there are several. */
function pictureTime(atUs: number, pictures: Life["pictures"]): string {
  const days = new Set(pictures.map((picture) => dayText(picture.atUs)));
  return days.size > 1 ? `${dayText(atUs)}, ${clockText(atUs).slice(0, 5)}` : clockText(atUs);
}

function Attributes({ stay }: { stay: Stay | undefined }) {
  const found = Object.entries(stay?.attributes ?? {});
  if (found.length === 0) return null;
  return (
    <p class="tags">
      {found.slice(0, 8).map(([name, { value, p }]) => (
        <span key={name} title={`${name}, ${Math.round(p * 100)} %`}>
          {typeof value === "boolean" ? `${value ? "" : "not "}${name}` : String(value)}
        </span>
      ))}
    </p>
  );
}

interface Step {
  readonly atUs: number;
  readonly kind: string;
  readonly text: string;
  readonly note: string;
}

/** States and events in order of time; a click goes to that moment. */
function Story({ life }: { life: Life }) {
  const stays = life.stays.flatMap((stay, n): Step[] => {
    const where = stay.room ? `in the ${stay.room.name}` : "somewhere";
    const began = {
      atUs: stay.fromUs,
      kind: n === 0 ? "came" : "moved",
      text: n === 0 ? `First seen ${where}` : `Found ${where}`,
      note: `seen ${counted(stay.seen, "time")}`,
    };
    if (stay.absentUs === null) return [began];
    return [began, { atUs: stay.absentUs, kind: "gone", text: "Somebody looked: not there", note: "" }];
  });
  const events = life.events
    .filter(({ type }) => type !== "pass" && type !== "appear" && type !== "disappear")
    .map(
      (event): Step => ({
        atUs: event.fromUs,
        kind: event.type === "move" ? "moved" : "changed",
        text: event.text,
        note: agentName(event.by),
      }),
    );
  const steps = [...stays, ...events].sort((a, b) => a.atUs - b.atUs);
  return (
    <ol class="story">
      {steps.slice(-40).map((step) => (
        <li key={`${step.atUs} ${step.text}`}>
          <button
            type="button"
            onClick={() => {
              store.moment.value = store.fromUs(step.atUs);
            }}
          >
            <i class={`mark ${step.kind}`} />
            <span>{step.text}</span>
            <small>
              {whenText(step.atUs)}
              {step.note && ` · ${step.note}`}
            </small>
          </button>
        </li>
      ))}
    </ol>
  );
}

/** Corrections by people: what it is, and its name. */
function Correct({ life }: { life: Life }) {
  const [text, setText] = useState("");
  const send = (what: "name" | "kind") => {
    const said = text.trim();
    if (said === "") return;
    const done =
      what === "name"
        ? postJson("v1/names", { target: life.id, name: said })
        : postJson("v1/corrections", { target: life.id, is: said });
    done.then(
      () => {
        setText("");
        store.say("Remembered");
      },
      (error: Error) =>
        store.say(
          error instanceof ApiProblem && error.status === 404
            ? "This server takes no corrections"
            : error.message,
        ),
    );
  };
  return (
    <details class="correct">
      <summary>You know better?</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send("kind");
        }}
      >
        <label class="hidden" for="correction">
          What it is, or its name
        </label>
        <input
          id="correction"
          value={text}
          maxLength={200}
          placeholder="printer, or “Grandma's corner”"
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <button type="submit" class="chip">
          That is what it is
        </button>
        <button type="button" class="chip" onClick={() => send("name")}>
          That is its name
        </button>
      </form>
    </details>
  );
}
