import { useEffect, useState } from "preact/hooks";
import type { Diff } from "../../../src/schema/accounts.ts";
import { postJson } from "../data/api.ts";
import { believed, showBelief } from "../data/belief.ts";
import * as store from "../data/store.ts";
import { mistakes } from "../data/versions.ts";
import { counted, metres, momentText } from "../data/words.ts";
import { isStacked } from "../world/views.ts";
import { flyTo } from "./map.tsx";

const SETTLE_MS = 250;

/** The differences between the two moments shown. */
export function ComparePanel() {
  const { other, time } = store;
  const [diff, setDiff] = useState<Diff | null>(null);
  const isOpen = other.value !== null;
  useEffect(() => {
    if (other.value === null) return;
    const ending = new AbortController();
    const body = { a: store.toUs(other.value), b: store.toUs(time.value) };
    const timer = setTimeout(() => {
      postJson<Diff>("v1/diff", body, ending.signal).then(setDiff, () => setDiff(null));
    }, SETTLE_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [other.value, time.value]);
  if (!isOpen) return null;
  return (
    <aside class="card compare" aria-label="What differs">
      <h2>What differs</h2>
      <p class="faint">
        <b>A</b> {momentText(other.value!)} — <b>B</b> {momentText(time.value)}
      </p>
      {diff && (
        <>
          <List
            kind="moved"
            name="Moved"
            things={diff.moved}
            note={(thing) => `${metres(thing.distanceM)} away`}
          />
          <List
            kind="gone"
            name="Gone"
            things={diff.gone}
            note={(thing) => (thing.looked ? "looked: not there" : "")}
          />
          <List kind="came" name="New" things={diff.appeared} note={() => ""} />
          <List
            kind="changed"
            name="Changed"
            things={diff.changed}
            note={(thing) => `${String(thing.from ?? "?")} → ${String(thing.to)}`}
          />
          <List kind="found" name="First seen" things={diff.found} note={() => "nobody had looked before"} />
          <p class="faint">{counted(diff.same, "thing")} in the same place.</p>
        </>
      )}
    </aside>
  );
}

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly room?: { readonly name: string } | undefined;
}

function List<T extends Listed>({
  kind,
  name,
  things,
  note,
}: {
  kind: string;
  name: string;
  things: readonly T[];
  note: (thing: T) => string;
}) {
  if (things.length === 0) return null;
  return (
    <>
      <h3>
        <i class={`mark ${kind}`} /> {name}
      </h3>
      <ul class="rows">
        {things.slice(0, 40).map((thing) => (
          <li key={`${thing.id} ${note(thing)}`}>
            <button
              type="button"
              onClick={() => {
                store.selected.value = thing.id;
                flyTo([thing.id]);
              }}
            >
              {thing.name}
              <small>{[thing.room?.name, note(thing)].filter(Boolean).join(" · ")}</small>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

const MISTAKES = {
  unknown: ["came", "Not known yet"],
  gone: ["gone", "Believed to be there"],
  elsewhere: ["moved", "Believed elsewhere"],
  named: ["changed", "Taken for something else"],
} as const;

/** The differences between what the memory believed and what was true. */
export function BeliefPanel() {
  const [was, had] = [store.loaded.value, believed.value];
  if (!store.belief.value || was === null || store.selected.value !== null) return null;
  const found = had === null ? [] : mistakes(was, had, store.time.value);
  return (
    <aside class="card compare" aria-label="What was believed">
      <button type="button" class="close" aria-label="Close" onClick={() => void showBelief(false)}>
        ×
      </button>
      <h2>What it did not know yet</h2>
      <p class="faint">
        <b>A</b> is what was so at {momentText(store.time.value)}, as is known today, <b>B</b> what the memory
        believed when it had seen as far as that. Questions are answered by what was believed.
      </p>
      {had === null && <p class="faint">Asking what was believed …</p>}
      {had !== null && found.length === 0 && <p>It knew all of this then.</p>}
      {(Object.keys(MISTAKES) as (keyof typeof MISTAKES)[]).map((kind) => (
        <List
          key={kind}
          kind={MISTAKES[kind][0]}
          name={MISTAKES[kind][1]}
          things={found
            .filter((one) => one.kind === kind)
            .map(({ track: id, name, room, was: taken }) => {
              const place = store.roomName(room);
              return { id, name, taken, ...(place !== undefined && { room: { name: place } }) };
            })}
          note={({ taken }) => (kind === "named" ? `for a ${taken}` : "")}
        />
      ))}
    </aside>
  );
}

/** Titles of the two halves of the map. */
export function CompareTitles() {
  const { other, time, belief } = store;
  if (other.value === null && !belief.value) return null;
  const { width, height } = store.area.value;
  const isFlat = isStacked(width, height);
  return (
    <div class={isFlat ? "halves flat" : "halves"} aria-hidden="true">
      <span>
        <b>A</b> {belief.value ? "As it was" : momentText(other.value!)}
      </span>
      <span>
        <b>B</b> {belief.value ? "As believed then" : momentText(time.value)}
      </span>
    </div>
  );
}
