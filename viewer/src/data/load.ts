import {
  readGround,
  readPoints,
  readStates,
  readWays,
  type StatesBlock,
  type WaysBlock,
} from "../../../src/exchange/feed/decode.ts";
import type { Timeline } from "../../../src/schema/accounts.ts";
import { ApiProblem, call, eventsOf, getBytes, getJson, postJson } from "./api.ts";
import type { FeedScene } from "./feed-types.ts";
import { linkTracks, rowsOf } from "./rows.ts";
import { connection, type Loaded, left, phase, timeline, whole } from "./store.ts";

/** States per request, and the most rows and trajectory points: with more a browser gets slow. */
const STATES_A_PAGE = 8_192;
const MOST_ROWS = 400_000;
const MOST_WAY_BLOCKS = 20;
const MOST_POINTS = 8_000_000;
/** The coarse map comes first: one point per cube of 24 cm. */
const COARSE = 1;
const AT_ONCE = 4;

let following: AbortController | null = null;

/** Loads the memory and follows it; called again, it starts over. */
export async function open(): Promise<void> {
  following?.abort();
  const ending = new AbortController();
  following = ending;
  const { signal } = ending;
  phase.value = { is: "loading", what: "the memory" };
  try {
    await loadAll(signal);
    connection.value = "live";
    void follow(signal);
  } catch (error) {
    if (signal.aborted) return;
    phase.value = failed(error);
    if (error instanceof ApiProblem && error.status === 0) {
      await pause(RETRY_MS, signal);
      if (!signal.aborted) void open();
    }
  }
}

function failed(error: unknown) {
  if (error instanceof ApiProblem && error.status === 401) {
    return { is: "token", refused: sessionStorage.getItem("loci-token") !== null } as const;
  }
  return { is: "failed", why: (error as Error).message } as const;
}

async function loadAll(signal: AbortSignal): Promise<void> {
  // Requested concurrently; only the first response tells which parts exist.
  const first = statesAfter(null, signal);
  first.catch(() => {});
  const scene = await getJson<FeedScene>("v1/feed", { signal });
  const originUs = scene.span?.fromUs ?? 0;
  const nothing = { rows: [], tracks: new Map(), ways: [], grounds: [], chunks: new Map() };
  const hasMap = scene.chunks.length > 0 || scene.regions.length > 0;
  if (scene.span === null || (scene.counts.states === 0 && !hasMap)) {
    whole.value = { scene, originUs, ...nothing };
    phase.value = { is: "empty" };
    return;
  }
  phase.value = { is: "loading", what: "rooms and things" };
  const block = await first;
  const rows = rowsOf(block, originUs);
  left.value = leftOf(rows.length, block.next !== null, scene);
  whole.value = { scene, originUs, ...nothing, rows, tracks: linkTracks(rows) };
  phase.value = { is: "ready" };
  void restOf(scene, block, signal);
  void refreshTimeline(signal);
}

/** What the page leaves out, permanently or until it has arrived. */
function leftOf(rows: number, isMore: boolean, { counts, chunks }: FeedScene): string | null {
  const points = chunks.reduce((sum, chunk) => sum + chunk.points, 0);
  const many = (n: number) => n.toLocaleString("en");
  const parts = [
    ...(isMore ? [`the first ${many(rows)} of ${many(counts.states)} states of things`] : []),
    ...(points > MOST_POINTS ? [`${MOST_POINTS / 1e6} of ${Math.round(points / 1e6)} million points`] : []),
  ];
  if (parts.length === 0) return null;
  const end = isMore && rows < MOST_ROWS ? "more are coming" : "questions are answered from all of it";
  return `Of a memory this large the map shows ${parts.join(" and ")}; ${end}.`;
}

/** Further things, trajectories, floors and surfaces load while the first are shown; surfaces start coarse. */
async function restOf(scene: FeedScene, first: StatesBlock, signal: AbortSignal): Promise<void> {
  const add = (part: Partial<Loaded>) => {
    if (!signal.aborted && whole.value?.scene === scene) whole.value = { ...whole.value, ...part };
  };
  try {
    const coarse = chunksOf(scene, new Map(), COARSE, signal);
    const [ways, grounds] = await Promise.all([waysOf(signal), groundsOf(signal)]);
    add({ ways, grounds });
    add({ chunks: await coarse });
    add({ chunks: await chunksOf(scene, new Map(), undefined, signal) });
    if (first.next !== null) add(await moreStates(first, scene, signal));
  } catch (error) {
    if (!signal.aborted) away(error);
  }
}

async function moreStates(
  first: StatesBlock,
  scene: FeedScene,
  signal: AbortSignal,
): Promise<Pick<Loaded, "rows" | "tracks">> {
  const { originUs } = whole.value!;
  const rows = rowsOf(first, originUs);
  let after = first.next;
  while (after !== null && rows.length < MOST_ROWS) {
    const block = await statesAfter(after, signal);
    for (const row of rowsOf(block, originUs)) rows.push(row);
    after = block.next;
    left.value = leftOf(rows.length, after !== null, scene);
  }
  return { rows, tracks: linkTracks(rows) };
}

async function statesAfter(after: string | null, signal: AbortSignal): Promise<StatesBlock> {
  const query = after === null ? "" : `&after=${encodeURIComponent(after)}`;
  return readStates(await getBytes(`v1/feed/states?limit=${STATES_A_PAGE}${query}`, signal));
}

async function waysOf(signal: AbortSignal): Promise<WaysBlock[]> {
  const blocks: WaysBlock[] = [];
  let from: string | null = null;
  do {
    const block: WaysBlock = readWays(
      await getBytes(`v1/feed/ways${from === null ? "" : `?from=${from}`}`, signal),
    );
    blocks.push(block);
    from = block.next;
  } while (from !== null && blocks.length < MOST_WAY_BLOCKS);
  return blocks;
}

async function groundsOf(signal: AbortSignal) {
  const list = await getJson<{ id: string }[]>("v1/feed/ground", { signal });
  return Promise.all(
    list.map(async ({ id }) =>
      readGround(await getBytes(`v1/feed/ground/${encodeURIComponent(id)}`, signal)),
    ),
  );
}

/** The chunks of the map; unchanged ones are kept. */
async function chunksOf(
  scene: FeedScene,
  held: Loaded["chunks"],
  level: number | undefined,
  signal: AbortSignal,
) {
  const chunks = new Map<string, { etag: string; block: ReturnType<typeof readPoints> }>();
  let points = 0;
  const wanted = scene.chunks.filter((chunk) => {
    points += chunk.points;
    return points <= MOST_POINTS || level !== undefined;
  });
  for (let n = 0; n < wanted.length; n += AT_ONCE) {
    await Promise.all(
      wanted.slice(n, n + AT_ONCE).map(async ({ id, etag }) => {
        const kept = held.get(id);
        const query = level === undefined ? "" : `?level=${level}`;
        chunks.set(
          id,
          kept?.etag === etag
            ? kept
            : {
                // A coarse chunk is never taken for the complete one.
                etag: level === undefined ? etag : `${etag} coarse`,
                block: readPoints(await getBytes(`v1/feed/map/${encodeURIComponent(id)}${query}`, signal)),
              },
        );
      }),
    );
  }
  return chunks;
}

async function refreshTimeline(signal: AbortSignal): Promise<void> {
  try {
    timeline.value = await postJson<Timeline>(
      "v1/timeline",
      { buckets: 400, limit: 400, types: EVENTS_SHOWN },
      signal,
    );
  } catch {
    // Without it the slider has no marks; everything else works.
  }
}

/** Events of things; robots' turns and stops are visible in their trajectories. */
const EVENTS_SHOWN = ["appear", "disappear", "move", "state-change"];

const RETRY_MS = 2_000;
const POLL_MS = 5_000;
/** Commits come by the dozen while a robot writes; they are collected for this long. */
const GATHER_MS = 400;

/** Follows the memory until it is opened again: by its change stream, or by polling every few seconds. */
async function follow(signal: AbortSignal): Promise<void> {
  let revision = whole.value?.scene.revision ?? "0.0";
  const catchUp = async () => {
    revision = await update(revision, signal);
    connection.value = "live";
  };
  let isTold = true;
  while (!signal.aborted) {
    try {
      if (!isTold) {
        await pause(POLL_MS, signal);
        await catchUp();
        continue;
      }
      const response = await call("v1/changes", { accept: "text/event-stream", signal });
      await catchUp();
      // Sequentially: each update starts where the previous one ended.
      let work = Promise.resolve();
      let isDue = false;
      for await (const _ of eventsOf(response)) {
        if (isDue) continue;
        isDue = true;
        work = work
          .then(() => pause(GATHER_MS, signal))
          .then(() => {
            isDue = false;
            return catchUp();
          })
          .catch(away);
      }
      throw new ApiProblem(0, "unreachable", "the server closed the stream");
    } catch (error) {
      if (signal.aborted) return;
      // A server without a change stream is polled every few seconds.
      if (error instanceof ApiProblem && error.status === 404) isTold = false;
      else away(error);
      await pause(RETRY_MS, signal);
    }
  }
}

function away(error: unknown): void {
  if (error instanceof ApiProblem && error.status === 401) phase.value = failed(error);
  else connection.value = "away";
}

async function update(revision: string, signal: AbortSignal): Promise<string> {
  const held = whole.value;
  if (held === null) return revision;
  const block = readStates(await getBytes(`v1/feed/states?since=${encodeURIComponent(revision)}`, signal));
  if (block.reload || phase.value.is === "empty") {
    if (block.reload || block.count > 0) await loadAll(signal);
    return block.revision ?? revision;
  }
  if (block.revision === revision && block.count === 0 && block.gone.length === 0) return revision;
  const scene = await getJson<FeedScene>("v1/feed", { signal });
  const fresh = rowsOf(block, held.originUs);
  const replaced = new Set([...fresh.map(({ id }) => id), ...block.gone]);
  const rows = [...held.rows.filter(({ id }) => !replaced.has(id)), ...fresh];
  const mapChanged = scene.chunks.some(({ id, etag }) => held.chunks.get(id)?.etag !== etag);
  const isWaiting = held.ways.length === 0;
  const [chunks, grounds, ways] = await Promise.all([
    mapChanged ? chunksOf(scene, held.chunks, undefined, signal) : held.chunks,
    mapChanged ? groundsOf(signal) : held.grounds,
    scene.span?.toUs === held.scene.span?.toUs && !isWaiting ? held.ways : waysOf(signal),
  ]);
  whole.value = { ...held, scene, rows, tracks: linkTracks(rows), chunks, grounds, ways };
  void refreshTimeline(signal);
  return block.revision ?? revision;
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
