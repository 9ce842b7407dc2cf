import { show } from "./data/asking.ts";
import { showBelief } from "./data/belief.ts";
import { replay } from "./data/robots.ts";
import { replayRun, stepBy } from "./data/runs.ts";
import * as store from "./data/store.ts";
import { currentStage } from "./panels/map.tsx";
import { step, togglePlay, toLatest } from "./panels/timeline.tsx";
import { toggleCompare } from "./panels/toolbar.tsx";

const ACTIONS: Record<string, (event: KeyboardEvent) => void> = {
  "/": () => document.querySelector<HTMLInputElement>("#question")?.focus(),
  " ": togglePlay,
  ArrowLeft: ({ shiftKey }) => move(-1, shiftKey),
  ArrowRight: ({ shiftKey }) => move(1, shiftKey),
  l: toLatest,
  c: toggleCompare,
  b: () => void showBelief(!store.belief.value),
  f: () => currentStage()?.frameAll(),
  s: () => {
    store.surface.value = !store.surface.value;
  },
  d: () => store.setTheme(store.theme.value === "dark" ? "light" : "dark"),
  "?": () => {
    store.help.value = !store.help.value;
  },
  Escape: back,
};

/** Steps through an exploration, else through time. */
function move(by: number, isFar: boolean): void {
  if (store.run.value !== null) stepBy(by);
  else step(by * (isFar ? 0.05 : 0.01));
}

/** One step back: help, a place, a thing, a comparison, highlights. */
function back(): void {
  if (store.enlarged.value !== null) store.enlarged.value = null;
  else if (store.help.value) store.help.value = false;
  else if (store.spot.value !== null) store.spot.value = null;
  else if (store.replay.value !== null) replay(null);
  else if (store.run.value !== null) void replayRun(null);
  else if (store.selected.value !== null) store.selected.value = null;
  else if (store.other.value !== null) store.other.value = null;
  else if (store.belief.value) void showBelief(false);
  else {
    store.route.value = null;
    show(null);
  }
}

/** Keyboard shortcuts; disabled while typing. */
export function listenToKeys(): () => void {
  const listen = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement;
    const isTyping = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping) {
      if (event.key === "Escape") target.blur();
      return;
    }
    if (event.key === " " && /^(BUTTON|SUMMARY|A)$/.test(target.tagName)) return;
    const action = ACTIONS[event.key];
    if (action === undefined) return;
    event.preventDefault();
    action(event);
  };
  addEventListener("keydown", listen);
  return () => removeEventListener("keydown", listen);
}
