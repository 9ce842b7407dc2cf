import type { QuestionWorld, SeenFrame } from "./world.ts";

/** A fact is known when it was visible in at least this many frames with at least this many pixels (SPEC §6.1). */
export const CLEAR_FRAMES = 3;
export const CLEAR_PIXELS = 60;
/** Evidence times given with a question, and the least gap between two of them. */
const MAX_TIMES = 16;
const APART_US = 2_000_000;

/** What some agents had seen of each thing up to a moment. */
export class Sight {
  /** Frames before the moment, in order of time. */
  readonly frames: readonly SeenFrame[];
  readonly #clear = new Map<string, SeenFrame[]>();
  readonly #any = new Map<string, SeenFrame[]>();

  constructor(world: QuestionWorld, untilUs: number, agentIds?: ReadonlySet<string>) {
    this.frames = world.frames.filter(
      (frame) => frame.timeUs <= untilUs && (agentIds?.has(frame.agentId) ?? true),
    );
    for (const frame of this.frames) {
      for (const { id, pixels } of frame.visible) {
        push(this.#any, id, frame);
        if (pixels >= CLEAR_PIXELS) push(this.#clear, id, frame);
      }
    }
  }

  /** Frames that show it well, in order of time. */
  clear(id: string, fromUs = -Infinity, toUs = Infinity): readonly SeenFrame[] {
    const all = this.#clear.get(id) ?? [];
    return fromUs === -Infinity && toUs === Infinity
      ? all
      : all.filter(({ timeUs }) => timeUs >= fromUs && timeUs <= toUs);
  }

  isClear(id: string, fromUs = -Infinity, toUs = Infinity): boolean {
    return this.clear(id, fromUs, toUs).length >= CLEAR_FRAMES;
  }

  /** Frames with any pixel of it. */
  glimpses(id: string): readonly SeenFrame[] {
    return this.#any.get(id) ?? [];
  }

  isSeen(id: string): boolean {
    return this.#any.has(id);
  }

  /** Frames taken from within a room. */
  inRoom(room: string): readonly SeenFrame[] {
    return this.frames.filter((frame) => frame.room === room);
  }
}

/** A few times that stand for many frames: the first, the last and some between. */
export function evidenceTimes(frames: readonly SeenFrame[]): number[] {
  const times: number[] = [];
  for (const { timeUs } of frames)
    if (times.length === 0 || timeUs - times.at(-1)! >= APART_US) times.push(timeUs);
  const last = frames.at(-1)?.timeUs;
  if (last !== undefined && times.at(-1) !== last) times.push(last);
  if (times.length <= MAX_TIMES) return times;
  return Array.from(
    { length: MAX_TIMES },
    (_, i) => times[Math.round((i * (times.length - 1)) / (MAX_TIMES - 1))]!,
  );
}

function push(map: Map<string, SeenFrame[]>, id: string, frame: SeenFrame): void {
  const list = map.get(id);
  if (list) list.push(frame);
  else map.set(id, [frame]);
}
