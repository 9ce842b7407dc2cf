import { signal } from "@preact/signals";
import type { RunLine, RunMap, RunStep } from "../../../src/schema/exploration-run.ts";
import { ApiProblem, getJson } from "./api.ts";
import * as store from "./store.ts";

/** A recorded exploration. */
export interface RunSummary {
  readonly id: string;
  readonly question: string;
  readonly startedUs: number;
  readonly end: string | null;
  readonly why: string | null;
  readonly steps: number | null;
}

export const runs = signal<readonly RunSummary[]>([]);

export async function askForRuns(): Promise<void> {
  try {
    runs.value = (await getJson<{ runs: RunSummary[] }>("v1/runs")).runs;
  } catch (error) {
    // An older server records none.
    if (!(error instanceof ApiProblem)) throw error;
  }
}

/** Opens a recorded exploration at one of its steps; the map follows. */
export async function replayRun(id: string | null, step = 0): Promise<void> {
  if (id === null) {
    store.run.value = null;
    store.lit.value = new Set();
    return;
  }
  const { lines } = await getJson<{ lines: RunLine[] }>(`v1/runs/${encodeURIComponent(id)}`);
  const [head] = lines;
  if (head?.kind !== "run") return;
  const end = lines.find((line) => line.kind === "end") ?? null;
  [store.selected.value, store.other.value, store.belief.value] = [null, null, false];
  [store.replay.value, store.playing.value] = [null, false];
  store.run.value = {
    head,
    steps: lines.filter((line) => line.kind === "step"),
    maps: lines.filter((line) => line.kind === "map"),
    end,
  };
  toStep(step);
}

/** Shows a step: the memory as of its moment, with the things behind its decision highlighted. */
export function toStep(step: number): void {
  const run = store.run.value;
  if (run === null || run.steps.length === 0) return;
  const n = Math.min(Math.max(step, 0), run.steps.length - 1);
  store.runStep.value = n;
  const { timeUs, used } = run.steps[n]!;
  // A run outside this memory's time span still has its own map to show.
  const time = store.fromUs(timeUs);
  const { from, to } = store.axis.value;
  store.moment.value = time >= from && time < to ? time : null;
  store.lit.value = new Set(tracksOf(used));
}

export function stepBy(by: number): void {
  toStep(store.runStep.value + by);
}

/** The step shown; null without a replay. */
export function shownStep(): RunStep | null {
  return store.run.value?.steps[store.runStep.value] ?? null;
}

/** The floor as known then, of the robot's storey. */
export function mapAt(maps: readonly RunMap[], { n, pose }: RunStep): RunMap | null {
  const known = maps.filter((map) => map.n <= n);
  const [near] = known.toSorted(
    (a, b) => Math.abs(a.floorZ - pose.position.z) - Math.abs(b.floorZ - pose.position.z) || b.n - a.n,
  );
  return near ?? null;
}

/** The things of records: states and tracks that this page has loaded. */
export function tracksOf(ids: readonly string[]): string[] {
  const found = store.loaded.value;
  if (found === null) return [];
  const wanted = new Set(ids);
  const tracks = new Set<string>();
  for (const { id, track } of found.rows) if (wanted.has(id) || wanted.has(track)) tracks.add(track);
  return [...tracks];
}
