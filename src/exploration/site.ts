import { applyDirection, compose, type Transform, type Vec3 } from "../geometry/index.ts";
import { type IngestOptions, LiveIngest } from "../ingest/index.ts";
import type { SceneMap } from "../map/index.ts";
import type { Commit, MemoryReader, SearchResult, WriteBatch } from "../memory/index.ts";
import type { TextEmbedder } from "../models/index.ts";
import type { AskOptions } from "../reasoning/ask.ts";
import { WORLD_FRAME } from "../schema/index.ts";
import type { Look, Stand } from "../sensors/index.ts";

/** The memory of a place as an explorer uses it; `compose` builds it from a memory. */
export interface SiteMemory {
  /** Reads what every holder of the written labels may see, so that rooms and their texts reveal nothing else. */
  readonly reader: MemoryReader;
  /** Reads what the asking principal may see. */
  readonly asking: MemoryReader;
  /** Access labels of what is seen on the way. */
  readonly labels: readonly string[];
  readonly write: (batch: WriteBatch) => Promise<Commit | undefined>;
  readonly embedder: TextEmbedder;
  readonly background: { readonly mean: number; readonly sd: number };
  readonly sceneId: string;
  readonly models?: IngestOptions["models"];
  /** False for frames without colours: their views would show nothing. */
  readonly keepsViews?: boolean | undefined;
}

/** Rooms change slowly; they are also updated before anything is concluded from them. */
const MAP_EVERY_US = 40_000_000;

/** The result of ingesting one look. */
export interface Taken {
  /** Records created or changed, things and their states first. */
  readonly made: readonly string[];
  /** States in view. */
  readonly inView: readonly string[];
}

const MAX_MADE = 256;

/** An older observation may be outdated. */
export const STALE_US = 12 * 3600e6;
const MAX_PAST_LOOKS = 2_000;

/** A body's stand, from the pose of its camera. */
export function standOf(worldFromCamera: Transform): Stand {
  const ahead = applyDirection(worldFromCamera, { x: 0, y: 0, z: 1 });
  return { positionInWorld: worldFromCamera.p, yawRad: Math.atan2(ahead.y, ahead.x) };
}

/** Contents of the writes since the last look. */
interface Written {
  readonly made: string[];
  readonly inView: string[];
}

/**
 * A reader that caches searches between two looks: a question and its parts repeat the same searches, and nothing is
 * written in between.
 */
function rememberingReader(reader: MemoryReader, searches: Map<string, Promise<SearchResult>>): MemoryReader {
  const search: MemoryReader["search"] = (request, options) => {
    const key = JSON.stringify(request);
    const known = searches.get(key) ?? reader.search(request, options);
    searches.set(key, known);
    return known;
  };
  return new Proxy(reader, {
    get(target, name) {
      if (name === "search") return search;
      const value: unknown = Reflect.get(target, name);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/**
 * A place under exploration: frames go through the real pipeline into the memory, and planning uses the map that the
 * pipeline builds. One for all agents that share a memory.
 */
export class Site {
  readonly memory: SiteMemory;
  readonly #ingest: LiveIngest;
  readonly #written: Written;
  readonly #searches = new Map<string, Promise<SearchResult>>();
  readonly #reader: MemoryReader;
  #nowUs: number;

  private constructor(memory: SiteMemory, ingest: LiveIngest, written: Written, nowUs: number) {
    this.memory = memory;
    this.#ingest = ingest;
    this.#written = written;
    this.#nowUs = nowUs;
    this.#reader = rememberingReader(memory.asking, this.#searches);
  }

  static async open(memory: SiteMemory, nowUs: number): Promise<Site> {
    const written: Written = { made: [], inView: [] };
    const { reader, labels, write, embedder, background, sceneId, models } = memory;
    const ingest = await LiveIngest.open({
      reader,
      labels,
      embedder,
      background,
      sceneId,
      keepsViews: memory.keepsViews,
      mapEveryUs: MAP_EVERY_US,
      ...(models && { models }),
      write: async (batch) => {
        for (const { id, kind } of batch.records ?? [])
          if (id !== undefined && (kind === "track" || kind === "state" || kind === "view"))
            written.made.push(id);
        for (const { stateId } of batch.sightings ?? []) written.inView.push(stateId);
        return write(batch);
      },
    });
    return new Site(memory, ingest, written, nowUs);
  }

  /** The latest time that any agent has reached. */
  get nowUs(): number {
    return this.#nowUs;
  }

  /** Ingests what a body saw; resolves once it is stored. */
  async take({ frames, edges }: Look): Promise<Taken> {
    this.#searches.clear();
    this.#written.made.length = 0;
    this.#written.inView.length = 0;
    if (edges.length > 0) await this.#ingest.edges(edges);
    for (const frame of frames) {
      await this.#ingest.take(frame);
      this.#nowUs = Math.max(this.#nowUs, frame.timeUs);
    }
    const { made, inView } = this.#written;
    return { made: [...new Set(made)].slice(0, MAX_MADE), inView: [...new Set(inView)] };
  }

  /** Stands of recent enough observations of this place: from an earlier question, or another agent's round. */
  async pastLooks(): Promise<Stand[]> {
    const { asking: reader, sceneId } = this.memory;
    const { hits } = await reader.search({
      kinds: ["observation"],
      where: { sceneId: [sceneId] },
      time: { overlaps: { fromUs: this.#nowUs - STALE_US, toUs: this.#nowUs } },
      rank: "latest",
      limit: MAX_PAST_LOOKS,
    });
    const frames = await reader.frames();
    return hits.flatMap(({ record: { anchor } }): Stand[] => {
      const worldFromSubmap = anchor && frames.resolve(WORLD_FRAME, anchor.submap);
      if (worldFromSubmap === undefined || anchor?.q === undefined) return [];
      const { p, q } = compose(worldFromSubmap, { p: anchor.p, q: anchor.q });
      return [standOf({ p, q })];
    });
  }

  /** The map as of the last look; undefined before the first. */
  map(): Promise<SceneMap | undefined> {
    return this.#ingest.map();
  }

  /** Updates rooms and their types, before it is decided whether a room was completely observed. */
  updateRooms(): Promise<void> {
    this.#searches.clear();
    return this.#ingest.updateMap();
  }

  /** The options of a question asked here and now by an agent at a stand. */
  asked(agentId: string, stand: Stand, signal?: AbortSignal): AskOptions {
    const { embedder, background, sceneId } = this.memory;
    const position: Vec3 = stand.positionInWorld;
    return {
      reader: this.#reader,
      embedder,
      background,
      sceneId,
      agentId,
      nowUs: this.#nowUs + 1,
      pose: { position, yawRad: stand.yawRad },
      map: () => this.map(),
      ...(signal && { signal }),
    };
  }

  /** Flushes what the stages hold back; nothing can be ingested after it. */
  close(): Promise<void> {
    return this.#ingest.finish();
  }
}
