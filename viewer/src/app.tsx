import { effect } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ask, show } from "./data/asking.ts";
import { linkLater, readLink, writeLink } from "./data/link.ts";
import { open } from "./data/load.ts";
import * as store from "./data/store.ts";
import { listenToKeys } from "./keys.ts";
import { AskPanel } from "./panels/ask.tsx";
import { BrowsePanel } from "./panels/browse.tsx";
import { BeliefPanel, ComparePanel, CompareTitles } from "./panels/compare.tsx";
import { Condition, Help, Notices } from "./panels/conditions.tsx";
import { Enlarged } from "./panels/evidence.tsx";
import { currentStage, MapView } from "./panels/map.tsx";
import { ReplayCard } from "./panels/robots.tsx";
import { RunCard } from "./panels/run.tsx";
import { SpotMenu } from "./panels/spot.tsx";
import { ThingPanel } from "./panels/thing.tsx";
import { TimeBar } from "./panels/timeline.tsx";
import { Scale, Toolbar } from "./panels/toolbar.tsx";
import type { Stage } from "./world/stage.ts";

export function App() {
  useEffect(() => begin(), []);
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
      <div class={store.isTaken.value ? "view beside" : "view"}>
        <MapView onStage={onStage} />
        <CompareTitles />
        <Toolbar />
        <Scale />
        <BrowsePanel />
        <ComparePanel />
        <BeliefPanel />
        <ThingPanel />
        <ReplayCard />
        <RunCard />
        <SpotMenu />
        <Notices />
        <Help />
        <Enlarged />
        <Condition />
      </div>
      <TimeBar />
    </div>
  );
}

/** Loads the memory, and then applies the address. For tests: undefined means no stage yet, null none at all. */
function begin(): void {
  const inside: { stage: Stage | null | undefined; store: typeof store; show: typeof show } = {
    stage: undefined,
    store,
    show,
  };
  Object.assign(window, { lociViewer: inside });
  void open();
  const stop = effect(() => {
    if (store.phase.value.is === "ready") queueMicrotask(restore);
  });
  const restore = () => {
    stop();
    const { apply, question } = readLink();
    apply();
    if (question) void ask(question);
    writeLink(currentStage);
  };
}

/** Applies the link's camera as soon as there is a stage. */
function onStage(stage: Stage | null): void {
  const { lociViewer } = window as unknown as { lociViewer: { stage: Stage | null | undefined } };
  lociViewer.stage = stage;
  const { camera } = readLink();
  if (camera) stage?.setCamera(camera);
  stage?.controls.addEventListener("rest", linkLater);
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
