import type { Transform } from "../../geometry/index.ts";
import type { Frame } from "../../schema/core.ts";
import type { Filled } from "./holes.ts";
import type { FrameStates } from "./states.ts";

/** What a scene holds of each frame until it is shown, and how many frames it has. */
interface Holding {
  readonly frames: number;
  readonly poses: Map<number, Transform>;
  readonly states: Map<number, FrameStates>;
  readonly filled: Map<number, Filled>;
}

interface Kept<S> {
  readonly frame: Frame;
  readonly number: number;
  readonly scene: S;
  /** Gives the scene back what it forgot of the frame when it was first shown. */
  readonly restore: () => void;
}

/** Frames of robots that were shown before their map was whole, the oldest first; bounded, the oldest go. */
export class Early<S extends Holding> {
  readonly #kept: Kept<S>[] = [];
  #bytes = 0;

  get length(): number {
    return this.#kept.length;
  }

  /** Call it before the frame is shown. */
  keep(
    frame: Frame,
    number: number,
    scene: S,
    most: { readonly window: number; readonly windowBytes: number },
  ): void {
    const restores = [scene.poses, scene.states, scene.filled].map((of: Map<number, unknown>) => {
      const value = of.get(number);
      return () => void (value !== undefined && of.set(number, value));
    });
    const restore = () => {
      for (const one of restores) one();
    };
    this.#kept.push({ frame, number, scene, restore });
    this.#bytes += bytesOf(frame);
    while (this.#kept.length > most.window || this.#bytes > most.windowBytes) this.#shift();
  }

  /** The oldest, if so many others came after it, ready to be shown again. */
  next(after: number): { readonly frame: Frame; readonly number: number } | undefined {
    const [first] = this.#kept;
    if (!first || (after > 0 && first.scene.frames - first.number <= after)) return undefined;
    this.#shift();
    first.restore();
    return first;
  }

  #shift(): void {
    this.#bytes -= bytesOf(this.#kept.shift()!.frame);
  }
}

export function bytesOf({ rgb, depth }: Frame): number {
  return (rgb?.data.byteLength ?? 0) + (depth?.data.byteLength ?? 0);
}
