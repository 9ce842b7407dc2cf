import type { MemoryReader } from "../memory/index.ts";
import { GivenUpObservations } from "../memory/retention/index.ts";
import type { Frame } from "../sensors/index.ts";

/** Frames of this run by id: the reader knows only what was there before. */
const RECENT_FRAMES = 1_000_000;

/**
 * Which frames were ingested already: in this run, in an earlier one, or in one whose observations were deleted
 * since.
 */
export class KnownFrames {
  readonly #reader: MemoryReader;
  readonly #givenUp: GivenUpObservations;
  readonly #recent = new Set<string>();

  private constructor(reader: MemoryReader, givenUp: GivenUpObservations) {
    this.#reader = reader;
    this.#givenUp = givenUp;
  }

  static async open(reader: MemoryReader, sceneId: string): Promise<KnownFrames> {
    return new KnownFrames(reader, await GivenUpObservations.read(reader, sceneId));
  }

  /** Whether it is known; from now on it is. */
  async has(observationId: string, frame: Pick<Frame, "agentId" | "sensorId" | "timeUs">): Promise<boolean> {
    if (this.#recent.has(observationId) || this.#givenUp.has(frame)) return true;
    this.#recent.add(observationId);
    if (this.#recent.size > RECENT_FRAMES)
      for (const oldest of this.#recent) {
        this.#recent.delete(oldest);
        break;
      }
    return (await this.#reader.get([observationId]))[0] !== undefined;
  }
}
