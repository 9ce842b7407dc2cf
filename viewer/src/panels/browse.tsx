import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { Coverage } from "../../../src/schema/accounts.ts";
import { postJson } from "../data/api.ts";
import { classColour, css } from "../data/colours.ts";
import { type Row, showsAs } from "../data/rows.ts";
import * as store from "../data/store.ts";
import { counted, lengthText, whenText } from "../data/words.ts";
import { thingName } from "./evidence.tsx";
import { currentStage, flyTo } from "./map.tsx";
import { Robots } from "./robots.tsx";
import { Runs } from "./run.tsx";
import { kindOf } from "./timeline.tsx";

export const browsing = signal<"rooms" | "events" | "robots" | null>(null);
const MOST_LISTED = 200;

/** Rooms with their content, and events. */
export function BrowsePanel() {
  // Names are placed beside the card, whatever its size.
  useEffect(() => currentStage()?.redraw(), [browsing.value, store.isTaken.value]);
  if (store.phase.value.is !== "ready" || store.isTaken.value) return null;
  const tab = (name: "rooms" | "events" | "robots", text: string) => (
    <button
      type="button"
      aria-pressed={browsing.value === name}
      onClick={() => {
        browsing.value = browsing.value === name ? null : name;
      }}
    >
      {text}
    </button>
  );
  return (
    <aside
      class={browsing.value === null ? "card browse closed" : "card browse"}
      aria-label="Rooms, things and events"
    >
      <div class="tabs">
        {tab("rooms", "Rooms and things")}
        {tab("events", "What happened")}
        {tab("robots", "Robots")}
      </div>
      {browsing.value === "rooms" && <Rooms />}
      {browsing.value === "events" && <Events />}
      {browsing.value === "robots" && <Robots />}
      {browsing.value === "robots" && <Runs />}
    </aside>
  );
}

function Rooms() {
  const [wanted, setWanted] = useState("");
  const found = store.loaded.value!;
  const time = store.time.value;
  const words = wanted.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = found.rows.filter(
    (row) =>
      showsAs(row, time) !== null &&
      words.every(
        (word) => row.name.toLowerCase().includes(word) || row.category.toLowerCase().includes(word),
      ),
  );
  const byRoom = Map.groupBy(shown.slice(0, 20_000), ({ room }) => room);
  const coverage = useCoverage(found.scene.revision);
  const rooms = found.scene.regions.filter(({ type, toUs }) => type === "room" && toUs === null);
  return (
    <>
      <label class="hidden" for="find">
        Find a thing
      </label>
      <input
        id="find"
        type="search"
        placeholder="Find a thing"
        value={wanted}
        onInput={(event) => setWanted(event.currentTarget.value)}
      />
      {[...rooms.map(({ id, name }) => ({ id, name })), { id: null, name: "elsewhere" }].map(
        ({ id, name }) => {
          const rows = byRoom.get(id) ?? [];
          if (id === null && rows.length === 0) return null;
          const seen = coverage?.rooms.find((room) => room.id === id);
          return (
            <details key={name + id} open={words.length > 0 && rows.length > 0}>
              <summary>
                <b>{name}</b>
                <span>{counted(rows.length, "thing")}</span>
                {seen && (
                  <small>
                    {Math.round(seen.share * 100)} % looked at
                    {seen.lastUs !== null && `, ${agoText((coverage!.nowUs - seen.lastUs) / 1e6)}`}
                  </small>
                )}
              </summary>
              <ThingList rows={rows} />
            </details>
          );
        },
      )}
    </>
  );
}

function agoText(seconds: number): string {
  return seconds < 5 ? "just now" : `last ${lengthText(seconds)} ago`;
}

function useCoverage(revision: string): Coverage | null {
  const [coverage, setCoverage] = useState<Coverage | null>(null);
  useEffect(() => {
    postJson<Coverage>("v1/coverage", {}).then(setCoverage, () => {});
  }, [revision]);
  return coverage;
}

function ThingList({ rows }: { rows: readonly Row[] }) {
  return (
    <ul class="rows">
      {rows.slice(0, MOST_LISTED).map((row) => (
        <li key={row.id}>
          <button
            type="button"
            onMouseEnter={() => {
              store.hovered.value = row.track;
            }}
            onClick={() => {
              store.selected.value = row.track;
              flyTo([row.track]);
            }}
          >
            <i class="dot" style={{ background: css(classColour(row.category)) }} />
            {thingName(row)}
          </button>
        </li>
      ))}
      {rows.length > MOST_LISTED && <li class="faint">and {rows.length - MOST_LISTED} more</li>}
    </ul>
  );
}

function Events() {
  const events = store.timeline.value?.events ?? [];
  if (events.length === 0) return <p class="faint">Nothing moved, came, went or changed so far.</p>;
  return (
    <ol class="story">
      {events
        .toReversed()
        .slice(0, MOST_LISTED)
        .map((event) => (
          <li key={event.id}>
            <button
              type="button"
              onClick={() => {
                store.moment.value = store.fromUs(event.fromUs);
                if (event.position) flyTo([], event.position);
              }}
            >
              <i class={`mark ${kindOf(event)}`} />
              <span>{event.text}</span>
              <small>{whenText(event.fromUs)}</small>
            </button>
          </li>
        ))}
    </ol>
  );
}
