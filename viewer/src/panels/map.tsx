import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import * as store from "../data/store.ts";
import { Plan } from "../world/plan.ts";
import type { Stage } from "../world/stage.ts";

let stage: Stage | null = null;

export function currentStage(): Stage | null {
  return stage;
}

/** What is shown: the sketch from above while the 3D map is loading or unavailable, or the 3D map. */
const drawing = signal<"sketch" | "whole" | "missing">("sketch");

/** Turns the camera to things by their tracks, or to a place. */
export function flyTo(tracks: readonly string[], place?: { x: number; y: number; z: number }): void {
  const time = store.time.value;
  const rows = tracks.map((track) => store.rowAt(track, time)).filter((row) => row !== undefined);
  if (rows.length === 0 && place) {
    stage?.lookAt(place);
    return;
  }
  stage?.flyTo(rows, time);
}

/** Greatest pointer movement between down and up that still counts as a click. */
const CLICK_PX = 5;

/** The map; if the browser cannot draw it, the sketch stays with the reason, and everything else works. */
export function MapView({ onStage }: { onStage: (stage: Stage | null) => void }) {
  const host = useRef<HTMLDivElement>(null);
  const isThere = store.loaded.value?.scene.span != null;
  useEffect(() => {
    if (!isThere) return;
    const plan = new Plan(host.current!);
    const ending = new AbortController();
    const resize = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      store.area.value = { width, height };
    });
    resize.observe(host.current!);
    ending.signal.addEventListener("abort", () => resize.disconnect());
    watchPlan(plan, ending.signal);
    void afterPaint()
      .then(() => import("../world/stage.ts"))
      .then(({ Stage }) => {
        if (ending.signal.aborted) return;
        const made = new Stage(host.current!);
        stage = made;
        drawing.value = "whole";
        plan.dispose();
        ending.signal.addEventListener("abort", watchPointer(made));
        onStage(made);
      })
      .catch(() => {
        drawing.value = "missing";
        onStage(null);
      });
    return () => {
      ending.abort();
      plan.dispose();
      stage?.dispose();
      stage = null;
      drawing.value = "sketch";
    };
  }, [isThere]);
  return (
    <>
      <div class="stage" ref={host} role="img" aria-label="The map of what is known" />
      {isThere && drawing.value === "missing" && (
        <p class="plan-note">
          A plan from above: this browser has no WebGL 2, which the map in three dimensions needs. Everything
          else works.
        </p>
      )}
    </>
  );
}

/** After two frames the rendered content has been painted. */
function afterPaint(): Promise<void> {
  return new Promise((done) => {
    requestAnimationFrame(() =>
      requestAnimationFrame(() => {
        performance.mark("first-useful-paint");
        done();
      }),
    );
  });
}

function watchPlan(plan: Plan, signal: AbortSignal): void {
  plan.canvas.addEventListener(
    "click",
    ({ clientX, clientY }) => {
      store.selected.value = plan.pick(clientX, clientY)?.track ?? null;
    },
    { signal },
  );
}

function watchPointer(made: Stage): () => void {
  const canvas = made.renderer.domElement;
  let down: { x: number; y: number } | null = null;
  let due = 0;
  const ending = new AbortController();
  const { signal } = ending;
  canvas.addEventListener(
    "pointerdown",
    ({ clientX: x, clientY: y }) => {
      down = { x, y };
      store.spot.value = null;
    },
    { signal },
  );
  canvas.addEventListener(
    "pointerup",
    ({ clientX: x, clientY: y }) => {
      const isClick = down !== null && Math.hypot(x - down.x, y - down.y) <= CLICK_PX;
      down = null;
      if (!isClick) return;
      const found = made.pick(x, y);
      if (found && "row" in found) store.selected.value = found.row.track;
      else if (store.selected.value !== null) store.selected.value = null;
      else if (found) {
        const rect = canvas.getBoundingClientRect();
        const { x: gx, y: gy, z: gz } = found.ground;
        store.spot.value = { x: gx, y: gy, z: gz, left: x - rect.left, top: y - rect.top };
      }
    },
    { signal },
  );
  canvas.addEventListener(
    "pointermove",
    ({ clientX: x, clientY: y, buttons }) => {
      if (buttons !== 0) return;
      cancelAnimationFrame(due);
      due = requestAnimationFrame(() => {
        const found = made.pick(x, y);
        const track = found && "row" in found ? found.row.track : null;
        if (store.hovered.value !== track) store.hovered.value = track;
        canvas.style.cursor = track === null ? "grab" : "pointer";
      });
    },
    { signal },
  );
  canvas.addEventListener(
    "pointerleave",
    () => {
      store.hovered.value = null;
    },
    { signal },
  );
  return () => {
    ending.abort();
    cancelAnimationFrame(due);
  };
}
