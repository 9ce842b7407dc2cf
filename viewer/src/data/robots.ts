import { signal } from "@preact/signals";
import { ApiProblem, getJson, postJson } from "./api.ts";
import { WAY_COLOURS } from "./colours.ts";
import * as store from "./store.ts";

/** An agent that moved and observed. */
export interface Robot {
  readonly id: string;
  readonly name: string;
  readonly colour: string;
  /** Its first and last observation, seconds after the origin. */
  readonly from: number;
  readonly to: number;
  readonly lengthM: number;
}

/** A longer gap between two trajectory points is a rest, and a larger step in metres a transport. */
const REST_S = 60;
const LIFT_M = 5;

/** The robots of a memory in order of first appearance, which also determines their colours. */
export function robotsOf({ ways, originUs }: Pick<store.Loaded, "ways" | "originUs">): Robot[] {
  const found = new Map<string, { name: string; from: number; to: number; lengthM: number }>();
  for (const block of ways) {
    const shift = (block.timeOriginUs - originUs) / 1e6;
    for (const { id, name, type, first, points } of block.ways) {
      if (type !== "agent" || points === 0) continue;
      const robot = found.get(id) ?? { name, from: Infinity, to: -Infinity, lengthM: 0 };
      found.set(id, robot);
      robot.from = Math.min(robot.from, block.time[first]! + shift);
      robot.to = Math.max(robot.to, block.time[first + points - 1]! + shift);
      for (let n = first + 1; n < first + points; n++) {
        const [a, b] = [3 * (n - 1), 3 * n];
        const { position: p, time } = block;
        const step = Math.hypot(p[b]! - p[a]!, p[b + 1]! - p[a + 1]!);
        if (time[n]! - time[n - 1]! < REST_S && step < LIFT_M) robot.lengthM += step;
      }
    }
  }
  return Array.from(found, ([id, robot], n) => ({
    id,
    ...robot,
    colour: WAY_COLOURS[n % WAY_COLOURS.length]!,
  }));
}

/** Follows a robot: time runs from its first observation, and the camera stays behind it. */
export function replay(id: string | null): void {
  store.replay.value = id;
  if (id === null || store.loaded.value === null) return;
  const robot = robotsOf(store.loaded.value).find((one) => one.id === id);
  if (robot === undefined) return;
  [store.selected.value, store.other.value, store.belief.value] = [null, null, false];
  if (store.time.value < robot.from || store.time.value >= robot.to - 1) store.moment.value = robot.from;
  store.playing.value = true;
}

interface View {
  readonly id: string;
  readonly validFromUs: number;
}

/** How old a picture may be and still show what the robot sees. */
const SEEN_S = 15;

/** A robot's last picture before a moment; null if there is none. */
export async function pictureBy(robot: string, atUs: number, signal: AbortSignal): Promise<string | null> {
  const { hits } = await postJson<{ hits: readonly { record: View }[] }>(
    "v1/search",
    { kinds: ["view"], author: robot, from: atUs - SEEN_S * 1e6, to: atUs, rank: "latest", limit: 1 },
    signal,
  );
  const [hit] = hits;
  return hit === undefined ? null : `v1/views/${encodeURIComponent(hit.record.id)}/picture`;
}

/** The receiver of goals, if a robot is connected. */
export interface Listener {
  readonly address: string;
  readonly topic: string;
}

export const listener = signal<Listener | null>(null);

export async function askForListener(): Promise<void> {
  try {
    const found = await getJson<{ address: string | null; topic: string | null }>("v1/robot");
    listener.value = found.address === null ? null : { address: found.address, topic: found.topic ?? "" };
  } catch (error) {
    // An older server does not have this.
    if (!(error instanceof ApiProblem)) throw error;
    listener.value = null;
  }
}

export interface Goal {
  readonly position: { readonly x: number; readonly y: number };
  readonly yawRad: number;
  readonly pathM?: number;
  readonly reachable?: boolean;
}

export function goalText({ position, yawRad }: Goal): string {
  const degrees = Math.round((yawRad * 180) / Math.PI);
  return `${position.x.toFixed(2)}, ${position.y.toFixed(2)}, facing ${degrees}°`;
}
