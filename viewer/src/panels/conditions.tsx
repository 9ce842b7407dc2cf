import { useState } from "preact/hooks";
import { setToken, token } from "../data/api.ts";
import { open } from "../data/load.ts";
import * as store from "../data/store.ts";

/** Shown while there is no map: loading, an empty memory, a locked one, or an unreachable server. */
export function Condition() {
  const phase = store.phase.value;
  if (phase.is === "ready") return null;
  if (phase.is === "loading") {
    return (
      <div class="page" role="status">
        <span class="pulse" />
        <p>Loading {phase.what || "…"}</p>
      </div>
    );
  }
  if (phase.is === "empty") {
    return (
      <div class="page">
        <h2>Nothing remembered yet</h2>
        <p>This memory is empty. As soon as a robot writes to it, it shows here.</p>
        <p>
          To try: <code>npm run -s loci -- remember "the ladder is in the garage" --at 1,2,0</code> or{" "}
          <code>npm run -s loci -- ingest RECORDING</code>
        </p>
      </div>
    );
  }
  if (phase.is === "token") return <TokenForm isRefused={phase.refused} />;
  return (
    <div class="page">
      <h2>The memory cannot be shown</h2>
      <p>{phase.why}</p>
      <button type="button" class="chip" onClick={() => void open()}>
        Try again
      </button>
    </div>
  );
}

function TokenForm({ isRefused }: { isRefused: boolean }) {
  const [given, setGiven] = useState("");
  return (
    <form
      class="page"
      onSubmit={(event) => {
        event.preventDefault();
        setToken(given.trim());
        void open();
      }}
    >
      <h2>This memory needs a token</h2>
      <p>
        {isRefused && token.value ? "That one was not let in." : "Whoever runs it makes one with"}{" "}
        {!(isRefused && token.value) && <code>loci token add NAME</code>}
      </p>
      <label class="hidden" for="token">
        Token
      </label>
      <input
        id="token"
        type="password"
        autocomplete="off"
        placeholder="loci_…"
        value={given}
        onInput={(event) => setGiven(event.currentTarget.value)}
      />
      <button type="submit" class="chip on" disabled={given.trim() === ""}>
        Open
      </button>
    </form>
  );
}

/** One line over the map while the server is unreachable, and for confirmations. */
export function Notices() {
  return (
    <div class="notices" role="status">
      {store.connection.value === "away" && store.phase.value.is === "ready" && (
        <span class="away">
          <span class="pulse" /> The server is away. What is shown is what was known; it goes on by itself.
        </span>
      )}
      {store.notice.value && <span>{store.notice.value}</span>}
    </div>
  );
}

const KEYS: [string, string][] = [
  ["/", "ask"],
  ["space", "play"],
  ["← →", "earlier, later (shift: further)"],
  ["l", "latest"],
  ["c", "compare two moments"],
  ["b", "what was believed then"],
  ["f", "fit the map"],
  ["s", "surfaces"],
  ["d", "dark or light"],
  ["esc", "close, unlight"],
];

export function Help() {
  if (!store.help.value) return null;
  return (
    <div class="card help" role="dialog" aria-label="Keys">
      <button
        type="button"
        class="close"
        aria-label="Close"
        onClick={() => {
          store.help.value = false;
        }}
      >
        ×
      </button>
      <h2>Keys</h2>
      <dl>
        {KEYS.map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <p class="faint">
        Drag to turn, right drag to shift, wheel to come closer. Click a thing for its life, the floor for a
        way there.
      </p>
    </div>
  );
}
