import { createHash } from "node:crypto";
import type { SceneMap } from "../map/index.ts";
import { eachHit } from "../memory/each-hit.ts";
import type { MemoryReader } from "../memory/port.ts";
import { type Stored, WORLD_FRAME } from "../schema/core.ts";
import type { Memory } from "./memory.ts";

/** Allowed staleness of a cached map: checking its sources takes a search, and robots write all the time. */
const BEHIND_MS = 2_000;
const MAX_MAPS = 16;

/**
 * The maps of a memory as a reader sees them, each opened once and reopened when its sources change: new submaps,
 * corrections, rooms.
 */
class SceneMaps {
  readonly #memory: Memory;
  readonly #kept = new Map<string, { readonly state: string; readonly map: Promise<SceneMap> }>();
  readonly #states = new Map<string, KnownState>();

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  async of(sceneId = "default", root = WORLD_FRAME): Promise<SceneMap> {
    const state = await this.state(sceneId);
    const key = `${sceneId} ${root}`;
    const known = this.#kept.get(key);
    if (known?.state === state) return known.map;
    const map = this.#open(sceneId, root);
    if (this.#kept.size >= MAX_MAPS) this.#kept.clear();
    this.#kept.set(key, { state, map });
    // A map that failed to open is tried again.
    map.catch(() => this.#kept.delete(key));
    return map;
  }

  /** A digest of everything the maps of a scene are drawn from. */
  state(sceneId = "default"): Promise<string> {
    const generation = this.#memory.engine.generation();
    const known = this.#states.get(sceneId);
    const nowMs = performance.now();
    if (known && (known.generation === generation || nowMs - known.atMs < BEHIND_MS)) return known.state;
    const state = this.#memory.reader().then((reader) => stateOf(reader, sceneId));
    if (this.#states.size >= MAX_MAPS) this.#states.clear();
    this.#states.set(sceneId, { state, generation, atMs: nowMs });
    state.catch(() => this.#states.delete(sceneId));
    return state;
  }

  async #open(sceneId: string, root: string): Promise<SceneMap> {
    const { SceneMap } = await import("../map/index.ts");
    return SceneMap.open(await this.#memory.reader(), { sceneId, root });
  }
}

interface KnownState {
  readonly state: Promise<string>;
  readonly generation: number;
  readonly atMs: number;
}

const maps = new WeakMap<Memory, SceneMaps>();

/** The maps of a memory, shared by all callers. */
export function mapsOf(memory: Memory): SceneMaps {
  let known = maps.get(memory);
  if (known === undefined) {
    known = new SceneMaps(memory);
    maps.set(memory, known);
  }
  return known;
}

async function stateOf(reader: MemoryReader, sceneId: string): Promise<string> {
  const hash = createHash("sha256").update(String((await reader.frames()).revision));
  const where = { sceneId: [sceneId], category: ["map", "room", "floor", "site"] };
  for await (const { record } of eachHit(reader, "region", { where }))
    hash.update(`\n${record.id} ${(record as Stored).version}`);
  return hash.digest("hex");
}
