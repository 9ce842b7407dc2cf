import { computed, signal } from "@preact/signals";
import type { GroundBlock, PointsBlock, WaysBlock } from "../../../src/exchange/feed/decode.ts";
import type { Route, Timeline } from "../../../src/schema/accounts.ts";
import type { RunEndLine, RunHead, RunMap, RunStep } from "../../../src/schema/exploration-run.ts";
import type { FeedScene } from "./feed-types.ts";
import type { Row } from "./rows.ts";
import { TimeAxis } from "./time-axis.ts";

/** The loaded data of a memory. Replaced as a whole on change, so that components need only compare references. */
export interface Loaded {
  readonly scene: FeedScene;
  /** Origin of all seconds in the viewer. */
  readonly originUs: number;
  readonly rows: readonly Row[];
  readonly tracks: ReadonlyMap<string, readonly Row[]>;
  readonly ways: readonly WaysBlock[];
  readonly grounds: readonly GroundBlock[];
  readonly chunks: ReadonlyMap<string, { readonly etag: string; readonly block: PointsBlock }>;
}

/** A recorded exploration; a map applies from its step on. */
export interface ReplayedRun {
  readonly head: RunHead;
  readonly steps: readonly RunStep[];
  readonly maps: readonly RunMap[];
  /** Null if it was interrupted. */
  readonly end: RunEndLine | null;
}

/** Everything loaded, for every map. */
export const whole = signal<Loaded | null>(null);
/**
 * The map shown; null: the world, or the largest map if the world is empty. Unjoined maps have their own coordinates.
 */
export const map = signal<string | null>(null);

export type Phase =
  | { readonly is: "loading"; readonly what: string }
  | { readonly is: "ready" }
  | { readonly is: "empty" }
  | { readonly is: "token"; readonly refused: boolean }
  | { readonly is: "failed"; readonly why: string };

export type Colouring = "class" | "age" | "confidence";
export type Theme = "light" | "dark";

export const phase = signal<Phase>({ is: "loading", what: "" });
/** Whether changes are streamed, or the server is unreachable. */
export const connection = signal<"live" | "away">("live");
/** The data of the map shown. */
export const loaded = computed(() => (whole.value === null ? null : ofMap(whole.value, shownMap.value)));
export const shownMap = computed(() => map.value ?? fullestMap(whole.value));
export const timeline = signal<Timeline | null>(null);

/** The moment shown, in seconds after the origin; null: the latest, also as time goes on. */
export const moment = signal<number | null>(null);
/** The second moment of a comparison. */
export const other = signal<number | null>(null);
/** Whether the memory's belief then is shown beside what was true. */
export const belief = signal(false);
export const playing = signal(false);
/** The robot that is followed. */
export const replay = signal<string | null>(null);
export const selected = signal<string | null>(null);
/** The exploration being replayed, and its step. */
export const run = signal<ReplayedRun | null>(null);
export const runStep = signal(0);
/** Whether a card is shown beside the map: a thing's, or the differences between two views. */
export const isTaken = computed(
  () =>
    selected.value !== null ||
    other.value !== null ||
    belief.value ||
    replay.value !== null ||
    run.value !== null,
);
export const hovered = signal<string | null>(null);
/** Things in the evidence of the answer shown. */
export const lit = signal<ReadonlySet<string>>(new Set());
/** The enlarged picture. */
export const enlarged = signal<{
  readonly path: string;
  readonly box?: readonly number[] | undefined;
  readonly alt: string;
  readonly note: string;
} | null>(null);
export const route = signal<Route | null>(null);
export const spot = signal<{ x: number; y: number; z: number; left: number; top: number } | null>(null);
export const colouring = signal<Colouring>("class");
export const surface = signal(true);
export const stale = signal(false);
/** The storey shown, by its index in `storeys`; null: all. */
export const storey = signal<number | null>(null);
/** Size of the map on the screen, pixels. */
export const area = signal({ width: 0, height: 0 });
export const help = signal(false);
/** What of a large memory is not shown, in a sentence. */
export const left = signal<string | null>(null);
export const notice = signal<string | null>(null);

/** The world first, then maps that are not joined to it: those with surfaces, rooms or things. */
export const maps = computed((): readonly string[] => {
  if (whole.value === null) return [];
  const { scene, rows } = whole.value;
  const found = new Set(scene.maps);
  for (const { map } of rows) found.add(map);
  return [...found];
});

/** Floors this close in height are one storey. */
const SAME_STOREY_M = 1;

/** Heights of the storeys of the map shown, lowest first: from its ground, and from its rooms. */
export const storeys = computed((): readonly number[] => {
  const { grounds = [], scene } = loaded.value ?? {};
  const rooms = scene?.regions.filter(({ type, toUs }) => type === "room" && toUs === null) ?? [];
  const heights = [...grounds.map(({ floorZ }) => floorZ), ...rooms.map(({ z }) => z)].sort((a, b) => a - b);
  return heights.filter((z, n) => n === 0 || z - heights[n - 1]! > SAME_STOREY_M);
});

/** The height range shown: the chosen storey, from its floor to the next; otherwise all. */
export const shownHeights = computed((): readonly [number, number] => {
  const [lowest] = storeys.value;
  if (storey.value === null) return [storeys.value.length === 1 ? lowest! - FLOOR_SLACK_M : -1e9, 1e9];
  const z = storeys.value[storey.value] ?? lowest ?? 0;
  const next = storeys.value[storey.value + 1];
  return [z - FLOOR_SLACK_M, next === undefined ? z + STOREY_M : next - FLOOR_SLACK_M];
});
const FLOOR_SLACK_M = 0.3;
const STOREY_M = 2.8;

function fullestMap(found: Loaded | null): string {
  const [world = "world", ...others] = maps.value;
  const pointsOf = (name: string) =>
    found!.scene.chunks.reduce((sum, chunk) => sum + (chunk.map === name ? chunk.points : 0), 0) +
    found!.rows.reduce((sum, row) => sum + (row.map === name ? 1 : 0), 0);
  if (found === null || others.length === 0 || pointsOf(world) > 0) return world;
  return others.toSorted((a, b) => pointsOf(b) - pointsOf(a))[0]!;
}

function ofMap(found: Loaded, name: string): Loaded {
  if (maps.value.length < 2) return found;
  const isHere = (one: { readonly map: string }) => one.map === name;
  const tracks = [...found.tracks].map(([id, states]) => [id, states.filter(isHere)] as const);
  const kept = new Set(found.scene.chunks.filter(isHere).map(({ id }) => id));
  return {
    ...found,
    scene: { ...found.scene, regions: found.scene.regions.filter(isHere) },
    rows: found.rows.filter(isHere),
    tracks: new Map(tracks.filter(([, states]) => states.length > 0)),
    grounds: found.grounds.filter(isHere),
    chunks: new Map([...found.chunks].filter(([id]) => kept.has(id))),
  };
}

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const chosen = localStorage.getItem("loci-theme");
export const theme = signal<Theme>(
  chosen === "dark" || chosen === "light" ? chosen : prefersDark.matches ? "dark" : "light",
);

export function setTheme(value: Theme): void {
  theme.value = value;
  localStorage.setItem("loci-theme", value);
}

/** The robots' observation times, as the slider shows them. */
export const axis = computed(() => {
  const found = loaded.value;
  if (!found?.scene.span) return new TimeAxis(new Float64Array(), 0, 1);
  const { span } = found.scene;
  const times: number[] = [];
  for (const way of found.ways) {
    const shift = (way.timeOriginUs - found.originUs) / 1e6;
    for (const time of way.time) times.push(time + shift);
  }
  const step = Math.max(1, Math.floor(found.rows.length / 20_000));
  for (let n = 0; n < found.rows.length; n += step) {
    const { from, lastSeen } = found.rows[n]!;
    times.push(from, lastSeen);
  }
  const at = (us: number) => (us - found.originUs) / 1e6;
  return new TimeAxis(Float64Array.from(times), at(span.fromUs), at(span.toUs));
});

/** The time shown: the chosen moment, or the latest. */
export const time = computed(() => moment.value ?? axis.value.to);

export function toUs(seconds: number): number {
  return Math.round((loaded.value?.originUs ?? 0) + seconds * 1e6);
}

export function fromUs(us: number): number {
  return (us - (loaded.value?.originUs ?? 0)) / 1e6;
}

let noticeTimer: ReturnType<typeof setTimeout> | undefined;

/** Shows a short message at the bottom: "copied". */
export function say(line: string): void {
  notice.value = line;
  clearTimeout(noticeTimer);
  noticeTimer = setTimeout(() => {
    notice.value = null;
  }, 2_600);
}

/** The state of a track at a time, or the last one before. */
export function rowAt(track: string, at: number): Row | undefined {
  const states = loaded.value?.tracks.get(track);
  return states?.findLast((row) => Math.min(row.from, row.departs) <= at) ?? states?.[0];
}

export function roomName(id: string | null): string | undefined {
  return id === null ? undefined : loaded.value?.scene.regions.find((region) => region.id === id)?.name;
}
