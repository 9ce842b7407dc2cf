import type { MemoryReader } from "../memory/index.ts";
import type { RecordOf, Stored } from "../schema/core.ts";
import type { Evidence } from "./evidence.ts";

/** A picture to view beside the text, with ids for the numbers drawn into it. */
export interface Keyframe {
  readonly viewId: string;
  readonly timeUs: number;
  /** Encoded as it was stored. */
  readonly bytes: Uint8Array;
  /** Whether the legend's numbers are drawn into the picture; else the legend gives each thing's position. */
  readonly drawn: boolean;
  /** One line a thing: its number, its id, its name. */
  readonly legend: readonly string[];
}

export interface KeyframeOptions {
  readonly reader: MemoryReader;
  /** How many pictures at most. */
  readonly most?: number;
}

const DEFAULT_MOST = 4;
const MAX_VIEWS = 64;
const MAX_THINGS = 24;

/**
 * The pictures that belong to evidence, best evidence first, each once: a view itself, else the view of a caption,
 * a thing or a place that is nearest to it in time. Ingest has drawn a number on every thing of a view, in the order
 * of `visible`; the legend ties those numbers to ids, so that an answer about "3" can be cited.
 */
export async function keyframesOf(items: readonly Evidence[], options: KeyframeOptions): Promise<Keyframe[]> {
  const { reader, most = DEFAULT_MOST } = options;
  const wanted = items.map((item) => ({ timeUs: item.record.validFromUs, ids: viewsOf(item.record) }));
  const ids = [...new Set(wanted.flatMap((one) => one.ids))].slice(0, MAX_VIEWS);
  const views = new Map<string, Stored<RecordOf<"view">>>();
  for (const record of ids.length === 0 ? [] : await reader.get(ids))
    if (record?.kind === "view") views.set(record.id, record);
  const chosen = new Map<string, Stored<RecordOf<"view">>>();
  for (const one of wanted) {
    const near = one.ids
      .flatMap((id) => views.get(id) ?? [])
      .sort(
        (a, b) =>
          Math.abs(a.validFromUs - one.timeUs) - Math.abs(b.validFromUs - one.timeUs) ||
          (a.id < b.id ? -1 : 1),
      );
    const view = near.find(({ id }) => !chosen.has(id));
    if (view !== undefined && chosen.size < most) chosen.set(view.id, view);
  }
  const frames: Keyframe[] = [];
  for (const view of chosen.values()) {
    const frame = await frameOf(view, reader);
    if (frame !== undefined) frames.push(frame);
  }
  return frames;
}

/** Undefined where the picture is gone: retention forgets pictures before it forgets what was in them. */
async function frameOf(view: Stored<RecordOf<"view">>, reader: MemoryReader): Promise<Keyframe | undefined> {
  const overlay = view.overlay === undefined ? undefined : await reader.blob(view.overlay);
  const bytes = overlay ?? (await reader.blob(view.thumb));
  if (bytes === undefined) return undefined;
  const drawn = overlay !== undefined;
  const things = view.visible.slice(0, MAX_THINGS);
  const states = things.length === 0 ? [] : await reader.get(things.map(({ stateId }) => stateId));
  const legend = things.map(({ stateId, bbox }, i) => {
    const state = states[i];
    const name = state?.kind === "state" ? state.name : "thing";
    const where = drawn ? "" : ` in the box ${bbox.map((value) => Math.round(value)).join(", ")}`;
    return `${i + 1} = [${stateId}] ${name}${where}`;
  });
  return { viewId: view.id, timeUs: view.validFromUs, bytes, drawn, legend };
}

function viewsOf(record: Stored): readonly string[] {
  if (record.kind === "view") return [record.id];
  return record.kind === "caption" || record.kind === "state" || record.kind === "place" ? record.views : [];
}
