import { distance, type Vec3 } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { Stored } from "../../schema/core.ts";

type StoredOf<K extends Stored["kind"]> = Extract<Stored, { kind: K }>;

export interface SpacedView {
  readonly view: StoredOf<"view">;
  readonly position: Vec3;
}

/** MemoryEQA takes five to ten views of a scene. */
const MOST = 10;
const LEAST_APART_M = 1.5;
const READ = 5_000;

/** Views that lie apart: each next one is the farthest from those chosen, until none is far enough. */
export async function spacedViews(reader: MemoryReader): Promise<SpacedView[]> {
  const { hits } = await reader.search({ kinds: ["view"], rank: "latest", limit: READ });
  const left = hits.flatMap(({ record, position }) =>
    record.kind === "view" && position && record.visible.length > 0 ? [{ view: record, position }] : [],
  );
  left.sort((a, b) => b.view.visible.length - a.view.visible.length);
  const taken: SpacedView[] = left.slice(0, 1);
  while (taken.length < MOST) {
    const [best] = left
      .map((one) => ({ one, m: Math.min(...taken.map(({ position }) => distance(position, one.position))) }))
      .sort((a, b) => b.m - a.m);
    if (!best || best.m < LEAST_APART_M) break;
    taken.push(best.one);
  }
  return taken;
}
