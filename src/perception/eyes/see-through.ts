import type { Frame } from "../../schema/core.ts";
import type { Seeing } from "./seeing.ts";

/**
 * The items of a recording in order, its frames with detections. `frameOf` selects the frames to process; items in
 * between wait with them.
 */
export async function* seeThrough<I>(
  items: AsyncIterable<I>,
  seeing: Pick<Seeing, "take" | "finish">,
  frameOf: (item: I) => Promise<Frame | undefined>,
  withFrame: (item: I, frame: Frame) => I,
): AsyncGenerator<I> {
  const queue: { readonly item: I; readonly waits: boolean }[] = [];
  function* upTo(frame: Frame): Generator<I> {
    for (let next = queue.shift(); next; next = queue.shift()) {
      yield next.waits ? withFrame(next.item, frame) : next.item;
      if (next.waits) return;
    }
  }
  for await (const item of items) {
    const frame = await frameOf(item);
    queue.push({ item, waits: frame !== undefined });
    for (const ready of frame ? await seeing.take(frame) : []) yield* upTo(ready);
    while (queue[0]?.waits === false) yield queue.shift()!.item;
  }
  for await (const ready of seeing.finish()) yield* upTo(ready);
  for (const { item } of queue) yield item;
}
