import type { FeedScene, GroundFloor, MapChunks } from "../exchange/feed/index.ts";
import type { CallOptions, MemoryStats } from "../memory/port.ts";
import { momentUs } from "../memory/query.ts";
import type { MapChunkQuery, SceneQuery, StateColumnsQuery, WaysColumnsQuery } from "../schema/core.ts";
import type { FacePart } from "./face-part.ts";
import type { Memory } from "./memory.ts";
import { mapsOf } from "./scene-maps.ts";

/** Bytes with a tag that changes with their content. */
export interface Tagged {
  readonly etag: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The data feed of a 4D viewer: docs/feed.md. Blocks are decoded by `exchange/feed/decode.ts`, also in browsers. */
export interface FeedFace {
  /** The scene: rooms, time span, revision, and the chunks of the map. */
  scene(query?: SceneQuery, call?: CallOptions): Promise<FeedScene>;
  mapChunk(id: string, query?: MapChunkQuery, call?: CallOptions): Promise<Tagged | undefined>;
  /** The states of things as a block of columns: all of them, page by page, or the changes since a revision. */
  stateColumns(query?: StateColumnsQuery, call?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** The trajectories of agents and people. */
  wayColumns(query?: WaysColumnsQuery, call?: CallOptions): Promise<Uint8Array<ArrayBuffer>>;
  /** Each storey from above: observed and unobserved ground, walls, time of the last observation. */
  grounds(query?: SceneQuery, call?: CallOptions): Promise<Omit<GroundFloor, "bytes">[]>;
  ground(id: string, query?: SceneQuery, call?: CallOptions): Promise<Tagged | undefined>;
}

/** A chunk's name determines its content, so all readers of a memory can share chunks. */
const chunksOf = new WeakMap<object, MapChunks>();

/**
 * `counts` counts what the actor may see. It is cached, because counting a large memory takes long. A slightly old
 * revision only causes some content to be sent again.
 */
export function feedFace({ seen }: FacePart, counts: () => Promise<MemoryStats>): FeedFace {
  const grounds = new Grounds(seen);
  return {
    scene: async ({ scene } = {}, call = {}) => {
      const { sceneOf } = await import("../exchange/feed/index.ts");
      const reader = await seen.reader();
      const chunks = await (await chunksFor(seen)).list(reader, { ...call, sceneId: scene });
      return sceneOf(reader, chunks, scene, counts);
    },
    mapChunk: async (id, { scene, level } = {}, call = {}) =>
      (await chunksFor(seen)).chunk(await seen.reader(), id, {
        ...call,
        sceneId: scene,
        level,
      }),
    stateColumns: async ({ scene, since, ...query } = {}, call = {}) => {
      const { parseRevision, statesBlock, statesSince } = await import("../exchange/feed/index.ts");
      const options = { ...query, ...call, sceneId: scene };
      const reader = await seen.reader();
      return since === undefined
        ? statesBlock(reader, options)
        : statesSince(reader, parseRevision(since), options);
    },
    wayColumns: async ({ scene, from, to, stepM } = {}, call = {}) => {
      const { waysBlock } = await import("../exchange/feed/index.ts");
      const during = {
        fromUs: from === undefined ? Number.MIN_SAFE_INTEGER : momentUs(from),
        toUs: to === undefined ? null : momentUs(to),
      };
      return waysBlock(await seen.reader(), { ...call, sceneId: scene, during, stepM });
    },
    grounds: async ({ scene } = {}) => (await grounds.of(scene)).map(({ bytes: _, ...floor }) => floor),
    ground: async (id, { scene } = {}) => (await grounds.of(scene)).find((floor) => floor.id === id),
  };
}

/** The storeys of every map of a scene, redrawn when the maps have changed. */
class Grounds {
  readonly #memory: Memory;
  readonly #drawn = new Map<string, { readonly state: string; readonly floors: Promise<GroundFloor[]> }>();

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  async of(sceneId = "default"): Promise<GroundFloor[]> {
    const state = await mapsOf(this.#memory).state(sceneId);
    const known = this.#drawn.get(sceneId);
    if (known?.state === state) return known.floors;
    const floors = this.#draw(sceneId);
    if (this.#drawn.size >= MAX_DRAWN) this.#drawn.clear();
    this.#drawn.set(sceneId, { state, floors });
    floors.catch(() => this.#drawn.delete(sceneId));
    return floors;
  }

  async #draw(sceneId: string): Promise<GroundFloor[]> {
    const { groundOf, surfacesOf } = await import("../exchange/feed/index.ts");
    const names = new Set((await surfacesOf(await this.#memory.reader(), sceneId)).map(({ map }) => map));
    const floors: GroundFloor[] = [];
    for (const name of [...names].sort())
      floors.push(...groundOf(await mapsOf(this.#memory).of(sceneId, name), name));
    return floors;
  }
}

const MAX_DRAWN = 16;

async function chunksFor({ engine }: Memory): Promise<MapChunks> {
  const { MapChunks } = await import("../exchange/feed/index.ts");
  let chunks = chunksOf.get(engine);
  if (chunks === undefined) {
    chunks = new MapChunks();
    chunksOf.set(engine, chunks);
  }
  return chunks;
}
