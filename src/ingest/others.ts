import { type Commit, logEndOf, type MemoryReader } from "../memory/index.ts";
import type { RecordOf } from "../schema/core.ts";
import type { Gather } from "./gather.ts";
import type { MapFrames } from "./map-frames.ts";
import type { Stages } from "./stages.ts";

/**
 * Follows the changes of other writers of the same memory, so that an object seen by two robots at once becomes one
 * track.
 */
export class Others {
  readonly #reader: MemoryReader;
  readonly #sceneId: string;
  /** Memory times of our own writes that were not read back yet. */
  readonly #own = new Set<number>();
  #heardUs: number;

  private constructor(reader: MemoryReader, sceneId: string, heardUs: number) {
    this.#reader = reader;
    this.#sceneId = sceneId;
    this.#heardUs = heardUs;
  }

  static async open(reader: MemoryReader, sceneId: string): Promise<Others> {
    return new Others(reader, sceneId, (await logEndOf(reader)) ?? 0);
  }

  /** Our own writes are not news. */
  wrote({ commitUs }: Commit): void {
    this.#own.add(commitUs);
  }

  /**
   * Passes the changes of other writers since the last call to the trackers of all maps; returns whether there were
   * any.
   */
  async tell(
    stages: ReadonlyMap<string, Promise<Stages>>,
    frames: MapFrames,
    gather: Gather,
  ): Promise<boolean> {
    const states = await this.#news();
    if (states.length === 0) return false;
    const graph = await this.#reader.frames();
    for (const [root, opened] of stages) {
      const placeOf = (submap: string) => {
        if (!frames.knows(submap) && submap !== root) return graph.resolve(root, submap);
        return frames.rootOf(submap) === root ? frames.rootFrom(submap) : undefined;
      };
      gather.add(await (await opened).tracker.hear(this.#reader, states, placeOf));
    }
    return true;
  }

  /** The current states of the scene that others wrote since the last call. */
  async #news(): Promise<RecordOf<"state">[]> {
    const states = new Map<string, RecordOf<"state">>();
    for await (const change of this.#reader.changes({ afterUs: this.#heardUs, live: false })) {
      this.#heardUs = Math.max(this.#heardUs, change.commitUs);
      if (this.#own.delete(change.commitUs)) continue;
      for (const record of change.put)
        if (record.kind === "state" && record.sceneId === this.#sceneId) states.set(record.id, record);
    }
    return [...states.values()];
  }
}
