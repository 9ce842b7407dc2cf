import { computed } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { Timeline } from "../../../src/schema/accounts.ts";
import * as store from "../data/store.ts";
import type { Stretch, TimeAxis } from "../data/time-axis.ts";
import { clockText, dayText, lengthText, momentText, whenText } from "../data/words.ts";

/** Duration of playing the whole axis. */
const PLAY_S = 24;
const BARS = 160;
const MOST_MARKS = 160;

/** The time bar: observation activity, events, and the moment that the map shows. */
export function TimeBar() {
  const axis = store.axis.value;
  usePlaying();
  if (store.phase.value.is !== "ready") return null;
  const isLatest = store.moment.value === null;
  return (
    <section class="time" aria-label="Time">
      <div class="clock">
        <button
          type="button"
          class="play"
          aria-label={store.playing.value ? "Pause" : "Play"}
          onClick={togglePlay}
        >
          {store.playing.value ? "❚❚" : "▶"}
        </button>
        <div>
          <b>{clockText(store.toUs(store.time.value))}</b>
          <span>{dayText(store.toUs(store.time.value))}</span>
        </div>
        <button
          type="button"
          class={isLatest ? "chip on" : "chip"}
          aria-pressed={isLatest}
          onClick={toLatest}
        >
          {isLatest ? "Latest" : "Go to latest"}
        </button>
      </div>
      <Track axis={axis} />
      <Legend />
    </section>
  );
}

export function togglePlay(): void {
  const isAtEnd = store.axis.value.shareOf(store.time.value) > 0.999;
  if (!store.playing.value && isAtEnd) store.moment.value = store.axis.value.from;
  store.playing.value = !store.playing.value;
}

export function toLatest(): void {
  store.playing.value = false;
  store.moment.value = null;
}

/** Moves the moment by a share of the axis. */
export function step(share: number): void {
  const { axis, time } = store;
  const next = Math.min(Math.max(axis.value.shareOf(time.value) + share, 0), 1);
  store.moment.value = next >= 1 ? null : axis.value.timeAt(next);
}

function usePlaying(): void {
  const isPlaying = store.playing.value;
  useEffect(() => {
    if (!isPlaying) return;
    let last = performance.now();
    let handle = requestAnimationFrame(function tick(now) {
      step((now - last) / 1000 / PLAY_S);
      last = now;
      if (store.moment.value === null) store.playing.value = false;
      else handle = requestAnimationFrame(tick);
    });
    return () => cancelAnimationFrame(handle);
  }, [isPlaying]);
}

function Track({ axis }: { axis: TimeAxis }) {
  const track = useRef<HTMLDivElement>(null);
  const shareAt = (clientX: number) => {
    const { left, width } = track.current!.getBoundingClientRect();
    return Math.min(Math.max((clientX - left) / width, 0), 1);
  };
  const setTo = (which: "moment" | "other", share: number) => {
    if (which === "moment") store.moment.value = share >= 0.999 ? null : axis.timeAt(share);
    else store.other.value = axis.timeAt(share);
  };
  const begin = (event: PointerEvent) => {
    store.playing.value = false;
    const share = shareAt(event.clientX);
    const { other } = store;
    const isOther =
      other.value !== null &&
      Math.abs(axis.shareOf(other.value) - share) < Math.abs(axis.shareOf(store.time.value) - share);
    const which = isOther ? "other" : "moment";
    const target = event.currentTarget as HTMLElement;
    target.setPointerCapture(event.pointerId);
    setTo(which, share);
    const move = (moved: PointerEvent) => setTo(which, shareAt(moved.clientX));
    target.addEventListener("pointermove", move);
    target.addEventListener("lostpointercapture", () => target.removeEventListener("pointermove", move), {
      once: true,
    });
  };
  return (
    <div class="track" ref={track} onPointerDown={begin}>
      {scenery.value}
      <div class="past" style={{ width: `${axis.shareOf(store.time.value) * 100}%` }} />
      {store.other.value !== null && (
        <Handle
          axis={axis}
          at={store.other.value}
          name="Left moment"
          letter="A"
          onStep={(at) => setTo("other", at)}
        />
      )}
      <Handle
        axis={axis}
        at={store.time.value}
        name={store.other.value === null ? "Moment" : "Right moment"}
        letter={store.other.value === null ? "" : "B"}
        onStep={(at) => setTo("moment", at)}
      />
    </div>
  );
}

/** The part that does not change while time is dragged; returning the same node skips its diff. */
const scenery = computed(() => {
  const axis = store.axis.value;
  return (
    <>
      {bars(axis)}
      {marks(axis)}
      {axis.stretches.map((stretch) => (
        <StretchView key={stretch.from} stretch={stretch} axis={axis} />
      ))}
    </>
  );
});

interface HandleProps {
  readonly axis: TimeAxis;
  readonly at: number;
  readonly name: string;
  readonly letter: string;
  readonly onStep: (share: number) => void;
}

const STEPS: Record<string, number> = {
  ArrowLeft: -0.01,
  ArrowRight: 0.01,
  PageDown: -0.1,
  PageUp: 0.1,
  Home: -1,
  End: 1,
};

function Handle({ axis, at, name, letter, onStep }: HandleProps) {
  const share = axis.shareOf(at);
  return (
    <div
      class="handle"
      style={{ left: `${share * 100}%` }}
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(share * 100)}
      aria-valuetext={momentText(at)}
      onKeyDown={(event) => {
        const by = STEPS[event.key];
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        onStep(Math.min(Math.max(share + by, 0), 1));
      }}
    >
      <span>{letter}</span>
    </div>
  );
}

function StretchView({ stretch, axis }: { stretch: Stretch; axis: TimeAxis }) {
  const style = { left: `${stretch.x0 * 100}%`, width: `${(stretch.x1 - stretch.x0) * 100}%` };
  if (stretch.isGap) {
    return (
      <div class="gap" style={style} title="Nobody looked">
        <span>
          {lengthText(stretch.to - stretch.from)} <em>unseen</em>
        </span>
      </div>
    );
  }
  const isLast = stretch === axis.stretches.at(-1);
  return (
    <div class="stretch" style={style}>
      <span>{whenText(store.toUs(stretch.from))}</span>
      {isLast && <span>{clockText(store.toUs(stretch.to))}</span>}
    </div>
  );
}

/** The activity of robots as bars: their trajectory points over the axis. */
function bars(axis: TimeAxis) {
  const found = store.loaded.value;
  const counts = new Array<number>(BARS).fill(0);
  for (const way of found?.ways ?? []) {
    const shift = (way.timeOriginUs - found!.originUs) / 1e6;
    for (const time of way.time) {
      const bar = Math.min(BARS - 1, Math.floor(axis.shareOf(time + shift) * BARS));
      counts[bar] = counts[bar]! + 1;
    }
  }
  const most = Math.max(1, ...counts);
  return (
    <svg class="bars" viewBox={`0 0 ${BARS} 1`} preserveAspectRatio="none" aria-hidden="true">
      {counts.map((count, n) =>
        count === 0 ? null : (
          <rect
            key={String(n)}
            x={n + 0.15}
            width={0.7}
            y={1 - Math.sqrt(count / most)}
            height={Math.sqrt(count / most)}
          />
        ),
      )}
    </svg>
  );
}

function marks(axis: TimeAxis) {
  const events = store.timeline.value?.events ?? [];
  return (
    <>
      {events.slice(-MOST_MARKS).map((event) => (
        <i
          key={event.id}
          class={`mark ${kindOf(event)}`}
          style={{ left: `${axis.shareOf(store.fromUs(event.fromUs)) * 100}%` }}
          title={`${event.text} · ${whenText(event.fromUs)}`}
        />
      ))}
    </>
  );
}

export function kindOf({ type }: Timeline["events"][number]): "moved" | "gone" | "came" | "changed" {
  return type === "move" ? "moved" : type === "disappear" ? "gone" : type === "appear" ? "came" : "changed";
}

function Legend() {
  const kinds = new Set(store.timeline.value?.events.map(kindOf));
  return (
    <p class="legend">
      {(["moved", "came", "gone", "changed"] as const)
        .filter((kind) => kinds.has(kind))
        .map((kind) => (
          <span key={kind}>
            <i class={`mark ${kind}`} /> {kind}
          </span>
        ))}
      <span>
        <i class="mark look" /> robots looking
      </span>
    </p>
  );
}
