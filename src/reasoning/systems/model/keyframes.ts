import type { EncodedImage } from "../../../models/index.ts";
import type { Evidence } from "../../../retrieval/index.ts";
import type { SystemOptions } from "../system.ts";
import { timeText } from "./lines.ts";

/** A kept view as a picture, with what is drawn into it. */
export interface Shown {
  readonly image: EncodedImage;
  readonly item: Evidence;
  /** When and where it was taken, and what its numbers stand for. */
  readonly caption: string;
}

const MOST_THINGS = 24;

/**
 * The pictures of views, annotated where ingest drew numbers into them: the caption ties each number to the thing, by the id
 * that `idOf` gives. A view whose picture retention forgot is left out.
 */
export async function picturesOf(
  views: readonly Evidence[],
  { reader, nowUs }: SystemOptions,
  idOf: (stateId: string) => string | undefined = () => undefined,
): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (const item of views) {
    const { record } = item;
    if (record.kind !== "view") continue;
    const overlay = record.overlay === undefined ? undefined : await reader.blob(record.overlay);
    const bytes = overlay ?? (await reader.blob(record.thumb));
    if (bytes === undefined) continue;
    const visible = record.visible.slice(0, MOST_THINGS);
    const states = visible.length === 0 ? [] : await reader.get(visible.map(({ stateId }) => stateId));
    const things = states.flatMap((state, n) => {
      if (state?.kind !== "state") return [];
      const id = idOf(state.id);
      const number = overlay ? `${n + 1} = ` : "";
      return [`${number}${id === undefined ? "" : `[${id}] `}${state.name}`];
    });
    const where = record.room === undefined ? "" : `, ${record.room}`;
    const shows = things.length === 0 ? "" : `; ${overlay ? "numbers" : "shows"}: ${things.join(", ")}`;
    shown.push({
      image: { bytes },
      item,
      caption: `${timeText(record.validFromUs, nowUs)}${where}${shows}`,
    });
  }
  return shown;
}
