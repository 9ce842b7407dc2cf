import { angleBetween, lengthOf, type Quat, subtract, type Vec3 } from "../../../geometry/index.ts";
import type { Hit, MemoryReader } from "../../../memory/index.ts";
import { wordsOf } from "../../../memory/lexical.ts";
import { jaccard } from "../../../retrieval/ranking/diversify.ts";
import { LIMITS, type RecordOf, type Stored } from "../../../schema/index.ts";

/**
 * When an entry is of a known place (eq. 3–4): metres and radians. The paper's 5 m reach through walls, so ours are smaller and
 * within one room (docs/formulas.md#views).
 */
const KNOWN = {
  ours: { withinM: 1.5, withinRad: (20 * Math.PI) / 180 },
  paper: { withinM: 5, withinRad: (15 * Math.PI) / 180 },
} as const;
/** α of eq. 5, and from where on two entries say the same; the paper gives no threshold. */
const ALPHA = 0.5;
const SIMILAR = 0.75;
const MOST_ENTRIES = 2_000;

type Caption = Stored<RecordOf<"caption">>;

interface Entry {
  readonly id: string;
  readonly position: Vec3;
  readonly facing: Quat | undefined;
  readonly regionId: string | undefined;
  readonly states: ReadonlySet<string>;
  readonly words: ReadonlySet<string>;
}

/**
 * Entries that the paper's library would have deleted: captions of a place of which a newer one, from the same side, shows and
 * says nearly the same. Views need no such look: ingest writes a view of a known place under the id of the older one. Nothing
 * is deleted, so times before are still known to other systems.
 */
export async function supersededIn(
  reader: MemoryReader,
  { nowUs, mode = "ours" }: { readonly nowUs: number; readonly mode?: "ours" | "paper" | undefined },
): Promise<string[]> {
  const { hits } = await reader.search({
    kinds: ["caption"],
    time: { overlaps: { fromUs: -LIMITS.timeUs, toUs: nowUs + 1 } },
    rank: "latest",
    limit: MOST_ENTRIES,
  });
  const entries = await entriesOf(hits, reader);
  const cells = new Map<string, Entry[]>();
  const { withinM } = KNOWN[mode];
  const superseded: string[] = [];
  for (const entry of entries) {
    const near = neighbours(entry.position, withinM).flatMap((key) => cells.get(key) ?? []);
    if (near.some((newer) => isKnown(entry, newer, mode) && similarity(entry, newer) >= SIMILAR)) {
      superseded.push(entry.id);
      continue;
    }
    const key = cellOf(entry.position, withinM).join(" ");
    cells.set(key, [...(cells.get(key) ?? []), entry]);
  }
  return superseded;
}

/** Within both, of one and the same entry: a pose far away with an equal heading is no known place. */
function isKnown(entry: Entry, newer: Entry, mode: keyof typeof KNOWN): boolean {
  const { withinM, withinRad } = KNOWN[mode];
  if (lengthOf(subtract(entry.position, newer.position)) >= withinM) return false;
  if (mode === "ours" && entry.regionId !== newer.regionId) return false;
  // A caption without a picture has no side that it was made from.
  if (!entry.facing || !newer.facing) return entry.facing === newer.facing;
  return angleBetween(entry.facing, newer.facing) < withinRad;
}

/** SIM of eq. 5 for texts: their contents and their words, each as the shared part. */
function similarity(a: Entry, b: Entry): number {
  const shown = a.states.size + b.states.size === 0 ? 1 : jaccard(a.states, b.states);
  return ALPHA * shown + (1 - ALPHA) * jaccard(a.words, b.words);
}

async function entriesOf(hits: readonly Hit[], reader: MemoryReader): Promise<Entry[]> {
  const captions = hits.flatMap(({ record, position }) =>
    record.kind === "caption" && position ? [{ caption: record as Caption, position }] : [],
  );
  const viewIds = [...new Set(captions.flatMap(({ caption }) => caption.views[0] ?? []))];
  const views = viewIds.length === 0 ? [] : await reader.get(viewIds);
  const facing = new Map(views.flatMap((view) => (view?.anchor?.q ? [[view.id, view.anchor.q]] : [])));
  return captions.map(({ caption, position }) => ({
    id: caption.id,
    position,
    facing: facing.get(caption.views[0] ?? ""),
    regionId: caption.regionId,
    states: new Set(caption.states),
    words: new Set(wordsOf(caption.text.join(" "))),
  }));
}

function cellOf({ x, y }: Vec3, sideM: number): [number, number] {
  return [Math.floor(x / sideM), Math.floor(y / sideM)];
}

function neighbours(point: Vec3, sideM: number): string[] {
  const [x, y] = cellOf(point, sideM);
  return [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => `${x + dx} ${y + dy}`));
}
