import { angleBetween, distance } from "../../geometry/index.ts";
import { LociError, throwIfAborted } from "../../schema/index.ts";
import { type Frame, openRecording, type ReadOptions, type RecordingReader } from "../../sensors/index.ts";

/** Most frames kept without being read; the oldest are dropped first. */
const MAX_FRAMES = 128;
const SAME_M = 0.05;
const SAME_RAD = 0.05;

/** A robot's frames, buffered until they are read: the robot streams them, and they are also requested in between. */
export class RobotEyes {
  readonly #reader: RecordingReader;
  readonly #stop = new AbortController();
  #frames: Frame[] = [];
  #failure: unknown;
  #wake: () => void = () => {};

  private constructor(reader: RecordingReader) {
    this.#reader = reader;
    void this.#follow();
  }

  static async open(url: string, options: ReadOptions): Promise<RobotEyes> {
    return new RobotEyes(await openRecording(url, options));
  }

  /** The first frame available; it stays in the buffer. */
  async first(withinMs: number, signal?: AbortSignal): Promise<Frame> {
    await this.#until(0, withinMs, signal);
    return this.#frames[0]!;
  }

  /** All frames since the last look, up to one taken at or after this moment. */
  async look(sinceUs: number, withinMs: number, signal?: AbortSignal): Promise<Frame[]> {
    await this.#until(sinceUs, withinMs, signal);
    const seen = this.#frames;
    this.#frames = [];
    return seen.toSorted((a, b) => a.timeUs - b.timeUs);
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await this.#reader.close();
  }

  async #until(sinceUs: number, withinMs: number, signal?: AbortSignal): Promise<void> {
    const late = AbortSignal.timeout(withinMs);
    const stop = signal ? AbortSignal.any([signal, late]) : late;
    while (!this.#frames.some(({ timeUs }) => timeUs >= sinceUs)) {
      throwIfAborted(signal);
      if (this.#failure !== undefined) throw this.#failure;
      if (late.aborted)
        throw new LociError("source-unavailable", `the robot sent no picture within ${withinMs / 1000} s`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        stop.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  }

  async #follow(): Promise<void> {
    try {
      for await (const item of this.#reader.items({ signal: this.#stop.signal })) {
        if (item.kind !== "frame") continue;
        // A robot standing still sees the same again: the newest frame is enough.
        const last = this.#frames.at(-1);
        if (last && isSameView(last, item.frame)) this.#frames.pop();
        this.#frames.push(item.frame);
        if (this.#frames.length > MAX_FRAMES) this.#frames.shift();
        this.#wake();
      }
      this.#failure = new LociError("source-unavailable", "the robot sends no pictures any more");
    } catch (error) {
      this.#failure = error;
    }
    this.#wake();
  }
}

function isSameView(
  { worldFromCamera: a, sensorId }: Frame,
  { worldFromCamera: b, ...other }: Frame,
): boolean {
  return (
    a !== undefined &&
    b !== undefined &&
    sensorId === other.sensorId &&
    distance(a.p, b.p) <= SAME_M &&
    angleBetween(a.q, b.q) <= SAME_RAD
  );
}
