import { effect } from "@preact/signals";
import type { Stage } from "../world/stage.ts";
import { shownTurn, turns } from "./asking.ts";
import { showBelief } from "./belief.ts";
import { replay } from "./robots.ts";
import { replayRun } from "./runs.ts";
import * as store from "./store.ts";

/**
 * The address contains everything on the screen, so that a link shows the same at the same moment. t and b are times
 * in µs, m what was believed, s the thing, replay the robot that is followed, run and n an exploration and its step,
 * q the question, c the camera, f the storey, k the colouring.
 */
export function readLink(): { question: string | null; camera: number[] | null; apply(): void } {
  const found = new URLSearchParams(location.hash.slice(1));
  const time = (name: string) =>
    /^\d{1,17}$/.test(found.get(name) ?? "") ? store.fromUs(Number(found.get(name))) : null;
  const camera = found.get("c")?.split(",").map(Number);
  const kind = found.get("k");
  return {
    question: found.get("q"),
    camera: camera?.length === 6 && camera.every(Number.isFinite) ? camera : null,
    apply: () => {
      store.moment.value = time("t");
      store.other.value = time("b");
      if (found.get("m") === "1") void showBelief(true);
      store.selected.value = found.get("s");
      replayed = found.get("replay");
      whenWaysCome();
      const run = found.get("run");
      if (run !== null) void replayRun(run, Number(found.get("n") ?? 0) || 0).catch(() => {});
      const storey = Number(found.get("f") ?? Number.NaN);
      store.storey.value = Number.isInteger(storey) ? storey : null;
      if (kind === "age" || kind === "confidence") store.colouring.value = kind;
      if (found.get("p") === "0") store.surface.value = false;
    },
  };
}

/** The replay in the link, which starts once the robot's trajectory is known. */
let replayed: string | null = null;
function whenWaysCome(): void {
  if (replayed === null) return;
  const stop = effect(() => {
    if ((store.loaded.value?.ways.length ?? 0) === 0) return;
    const id = replayed;
    queueMicrotask(() => {
      stop();
      replayed = null;
      replay(id);
    });
  });
}

const WRITE_MS = 250;
let timer: ReturnType<typeof setTimeout> | undefined;
let write = () => {};

/** The camera came to rest: the address is updated shortly after. */
export function linkLater(): void {
  clearTimeout(timer);
  timer = setTimeout(() => write(), WRITE_MS);
}

/** Updates the address; the history is not filled with every drag. */
export function writeLink(stageNow: () => Stage | null): void {
  // A link's camera is kept until the stage is ready.
  const linked = new URLSearchParams(location.hash.slice(1)).get("c");
  write = () => {
    const parts = new URLSearchParams();
    const put = (name: string, value: string | null | undefined) => value != null && parts.set(name, value);
    put("t", store.moment.value === null ? null : String(store.toUs(store.moment.value)));
    put("b", store.other.value === null ? null : String(store.toUs(store.other.value)));
    put("m", store.belief.value ? "1" : null);
    put("s", store.selected.value);
    put("replay", store.replay.value ?? replayed);
    put("run", store.run.value?.head.id);
    put("n", store.run.value === null ? null : String(store.runStep.value));
    put("q", turns.value.find(({ id }) => id === shownTurn.value)?.question);
    put("f", store.storey.value === null ? null : String(store.storey.value));
    put("k", store.colouring.value === "class" ? null : store.colouring.value);
    put("p", store.surface.value ? null : "0");
    const stage = stageNow();
    put("c", stage === null ? linked : stage.hasMovedCamera ? stage.cameraText() : null);
    history.replaceState(null, "", parts.size > 0 ? `#${parts}` : location.pathname + location.search);
  };
  effect(() => {
    void [store.moment.value, store.other.value, store.selected.value, store.storey.value];
    void [
      store.replay.value,
      store.run.value,
      store.runStep.value,
      store.belief.value,
      store.colouring.value,
      store.surface.value,
      shownTurn.value,
      turns.value,
    ];
    linkLater();
  });
}
