import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, show } from "./data/asking.ts";
import { readLink, writeLink } from "./data/link.ts";
import { open } from "./data/load.ts";
import * as store from "./data/store.ts";
import { listenToKeys } from "./keys.ts";
import { AskPanel } from "./panels/ask.tsx";
import { BrowsePanel } from "./panels/browse.tsx";
import { ComparePanel, CompareTitles } from "./panels/compare.tsx";
import { Condition, Help, Notices } from "./panels/conditions.tsx";
import { MapView, SpotMenu } from "./panels/map.tsx";
import { ThingPanel } from "./panels/thing.tsx";
import { TimeBar } from "./panels/timeline.tsx";
import { Toolbar } from "./panels/toolbar.tsx";
import type { Stage } from "./world/stage.ts";

export function App() {
  useEffect(() => listenToKeys(), []);
  useEffect(
    () =>
      effect(() => {
        document.documentElement.dataset["theme"] = store.theme.value;
      }),
    [],
  );
  return (
    <div class="app">
      <main class="side">
        <Header />
        {store.phase.value.is === "ready" && <AskPanel />}
      </main>
      <div class={store.selected.value !== null || store.other.value !== null ? "view beside" : "view"}>
        <MapView onStage={begin} />
        <CompareTitles />
        <Toolbar />
        <BrowsePanel />
        <ComparePanel />
        <ThingPanel />
        <SpotMenu />
        <Notices />
        <Help />
        <Condition />
      </div>
      <TimeBar />
    </div>
  );
}

/** Loads the memory once there is somewhere to draw it, and then does what the address says. */
function begin(stage: Stage | null): void {
  Object.assign(window, { lociViewer: { stage, store, show } });
  void open();
  const stop = effect(() => {
    if (store.phase.value.is === "ready") queueMicrotask(restore);
  });
  const restore = () => {
    stop();
    const link = readLink();
    link.apply();
    if (link.camera) stage?.setCamera(link.camera);
    if (link.question) void ask(link.question);
    writeLink(stage);
  };
}

function Header() {
  return (
    <header>
      <img src="./icon.svg" alt="" width="26" height="26" />
      <strong>Loci</strong>
      <span>a robot's memory</span>
      <i
        class={`live ${store.connection.value}`}
        title={
          store.connection.value === "live" ? "Follows the memory as it is written" : "The server is away"
        }
      />
      <button
        type="button"
        aria-label="Dark or light"
        onClick={() => store.setTheme(store.theme.value === "dark" ? "light" : "dark")}
      >
        {store.theme.value === "dark" ? "☀" : "☾"}
      </button>
      <button
        type="button"
        aria-label="Keys"
        onClick={() => {
          store.help.value = !store.help.value;
        }}
      >
        ?
      </button>
    </header>
  );
}
