import { copy } from "../data/asking.ts";
import { showBelief } from "../data/belief.ts";
import * as store from "../data/store.ts";
import { currentStage } from "./map.tsx";

/** How the map is drawn. */
export function Toolbar() {
  if (store.phase.value.is !== "ready") return null;
  const storeys = store.storeys.value.length;
  return (
    <div class="toolbar" role="toolbar" aria-label="Map">
      <Maps />
      {storeys > 1 && <Storeys count={storeys} />}
      <div class="group">
        <Toggle
          value={store.surface}
          name="Camera view"
          title="The surfaces that the cameras saw, or plain boxes without them (s)"
        />
        <Toggle
          value={store.stale}
          name="Last looked at"
          title="How long ago each spot of the floor was looked at"
        />
      </div>
      <label class="group select">
        <span>Colour</span>
        <select
          value={store.colouring.value}
          onChange={(event) => {
            store.colouring.value = event.currentTarget.value as store.Colouring;
          }}
        >
          <option value="class">by kind</option>
          <option value="age">by when last seen</option>
          <option value="confidence">by how sure</option>
        </select>
      </label>
      <div class="group">
        <button
          type="button"
          aria-pressed={store.other.value !== null}
          onClick={toggleCompare}
          title="Two moments side by side (c)"
        >
          Compare times
        </button>
        <button
          type="button"
          aria-pressed={store.belief.value}
          onClick={() => void showBelief(!store.belief.value)}
          title="What was so, beside what the memory believed at the time (b)"
        >
          As believed then
        </button>
        <button type="button" onClick={() => currentStage()?.frameAll()} title="The whole map (f)">
          Whole map
        </button>
        <button
          type="button"
          onClick={() => void copy(location.href, "Link to this moment")}
          title="A link to what is on the screen"
        >
          Copy link
        </button>
      </div>
    </div>
  );
}

/** The legend of the current colouring, if it is a scale. */
export function Scale() {
  if (store.phase.value.is !== "ready") return null;
  const colouring = store.colouring.value;
  const lines = [
    ...(store.stale.value ? [["Floor", "looked at just now", "long ago"] as const] : []),
    ...(colouring === "age" ? [["Things", "seen just now", "long ago"] as const] : []),
    ...(colouring === "confidence" ? [["Things", "sure", "unsure"] as const] : []),
  ];
  if (lines.length === 0) return null;
  return (
    <div class="scale">
      {lines.map(([what, from, to]) => (
        <p key={what}>
          <b>{what}</b> {from} <i /> {to}
        </p>
      ))}
    </div>
  );
}

function Toggle({ value, name, title }: { value: { value: boolean }; name: string; title: string }) {
  return (
    <button
      type="button"
      aria-pressed={value.value}
      title={title}
      onClick={() => {
        value.value = !value.value;
      }}
    >
      {name}
    </button>
  );
}

/** Maps that are not joined to the world: each has its own coordinates, so only one is shown at a time. */
function Maps() {
  const maps = store.maps.value;
  if (maps.length < 2) return null;
  return (
    <label class="group select">
      <span>Map</span>
      <select
        value={store.shownMap.value}
        onChange={(event) => {
          store.map.value = event.currentTarget.value;
          store.storey.value = null;
          queueMicrotask(() => currentStage()?.frameAll(false));
        }}
      >
        {maps.map((name, n) => (
          <option key={name} value={name}>
            {n === 0 ? name : `${name} (not joined)`}
          </option>
        ))}
      </select>
    </label>
  );
}

function Storeys({ count }: { count: number }) {
  const pick = (storey: number | null) => () => {
    store.storey.value = storey;
  };
  return (
    <div class="group">
      <button type="button" aria-pressed={store.storey.value === null} onClick={pick(null)}>
        All floors
      </button>
      {Array.from({ length: count }, (_, n) => (
        <button type="button" key={String(n)} aria-pressed={store.storey.value === n} onClick={pick(n)}>
          {n === 0 ? "Ground" : `Floor ${n}`}
        </button>
      ))}
    </div>
  );
}

/** Starts with the first and the latest moment: the changes over the whole known time. */
export function toggleCompare(): void {
  if (store.other.value !== null) {
    store.other.value = null;
    return;
  }
  void showBelief(false);
  const { axis } = store;
  const [first] = axis.value.stretches.filter(({ isGap }) => !isGap);
  const end = first && first.to < axis.value.to ? first.to : axis.value.timeAt(0.25);
  store.other.value = store.time.value > end ? end : axis.value.from;
}
