import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Intrinsics, Transform } from "../../geometry/index.ts";
import type { CompiledScene } from "./compiled-scene.ts";
import type { RenderReply, RenderRequest } from "./render-worker.ts";
import { type Picture, Renderer } from "./renderer.ts";

/** A worker keeps this many scenes; older ones are sent again when needed. */
const SCENES_KEPT = 4;

interface Slot {
  readonly worker: Worker;
  readonly scenes: number[];
  load: number;
}

/**
 * Renders pictures in worker threads, one picture a worker at a time. Which worker renders a picture never
 * changes its bits. With no workers it renders in this thread, which small jobs and tests prefer.
 */
export class RenderPool {
  readonly #slots: Slot[] = [];
  readonly #numbers = new WeakMap<CompiledScene, number>();
  readonly #inline = new WeakMap<CompiledScene, Renderer>();
  readonly #waiting = new Map<
    number,
    { resolve: (picture: Picture) => void; reject: (error: Error) => void }
  >();
  #nextScene = 0;
  #nextJob = 0;

  constructor(options: { workers?: number } = {}) {
    const workers = options.workers ?? Math.min(availableParallelism(), 8);
    // From source it is a .ts file, from the build a .js file: whatever this file is.
    const extension = import.meta.url.slice(import.meta.url.lastIndexOf("."));
    const file = new URL(`./render-worker${extension}`, import.meta.url);
    for (let i = 0; i < workers; i++) this.#slots.push(this.#start(file));
  }

  /** How many pictures are worth asking for at once. */
  get width(): number {
    return Math.max(1, this.#slots.length * 2);
  }

  render(scene: CompiledScene, intrinsics: Intrinsics, worldFromCamera: Transform): Promise<Picture> {
    const slot = this.#slots.reduce<Slot | undefined>(
      (best, one) => (best && best.load <= one.load ? best : one),
      undefined,
    );
    if (!slot) {
      const renderer = this.#inline.get(scene) ?? new Renderer(scene);
      this.#inline.set(scene, renderer);
      return Promise.resolve(renderer.render(intrinsics, worldFromCamera));
    }
    const job = this.#nextJob++;
    const number = this.#deliver(slot, scene);
    slot.load++;
    slot.worker.ref();
    return new Promise<Picture>((resolve, reject) => {
      this.#waiting.set(job, { resolve, reject });
      this.#post(slot, { type: "render", job, scene: number, intrinsics, worldFromCamera });
    }).finally(() => {
      // An idle pool does not keep the process alive.
      if (--slot.load === 0) slot.worker.unref();
    });
  }

  /** Ends the threads; pictures still under way are rejected. */
  async close(): Promise<void> {
    await Promise.all(this.#slots.map(({ worker }) => worker.terminate()));
    this.#fail(new Error("the render pool was closed"));
  }

  #start(file: URL): Slot {
    const worker = new Worker(file);
    worker.on("message", ({ job, picture, error }: RenderReply) => {
      const waiting = this.#waiting.get(job);
      this.#waiting.delete(job);
      if (picture) waiting?.resolve(picture);
      else waiting?.reject(new Error(`rendering failed: ${error}`));
    });
    worker.on("error", (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    worker.unref();
    return { worker, scenes: [], load: 0 };
  }

  #deliver(slot: Slot, scene: CompiledScene): number {
    const number = this.#numbers.get(scene) ?? this.#nextScene++;
    this.#numbers.set(scene, number);
    if (!slot.scenes.includes(number)) {
      slot.scenes.push(number);
      this.#post(slot, { type: "scene", number, scene });
      if (slot.scenes.length > SCENES_KEPT)
        this.#post(slot, { type: "forget", number: slot.scenes.shift()! });
    }
    return number;
  }

  #post({ worker }: Slot, request: RenderRequest): void {
    worker.postMessage(request);
  }

  #fail(error: Error): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
