import type { Timeline } from "../dynamics/index.ts";
import { type CompiledScene, compileScene } from "../sensors/index.ts";
import type { Solid } from "../solid.ts";

/**
 * The compiled world at any time. Solids of unchanged things are reused, and while nothing changes the same scene
 * object is returned, so that pictures of a quiet house share one tree.
 */
export class SceneSource {
  readonly #timeline: Timeline;
  readonly #solids = new Map<string, Solid[]>();
  #scene: CompiledScene | undefined;
  #timeUs = 0;

  constructor(timeline: Timeline) {
    this.#timeline = timeline;
  }

  at(timeUs: number): CompiledScene {
    const timeline = this.#timeline;
    if (this.#scene) {
      const changed = timeline.changedBetween(this.#timeUs, timeUs);
      this.#timeUs = timeUs;
      if (changed.length === 0) return this.#scene;
      for (const id of changed) this.#solids.set(id, timeline.solidsOf(id, timeUs));
    } else {
      this.#timeUs = timeUs;
      for (const { id } of timeline.house.things) this.#solids.set(id, timeline.solidsOf(id, timeUs));
    }
    this.#scene = compileScene([...this.#solids.values()].flat(), timeline.lightsAt(timeUs));
    return this.#scene;
  }
}
