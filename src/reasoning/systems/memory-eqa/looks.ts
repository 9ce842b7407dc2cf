import type { MemoryReader } from "../../../memory/index.ts";
import { isKindOf } from "../../../ontology/index.ts";
import { cuesOf } from "../../../retrieval/index.ts";
import type { RecordOf, Stored } from "../../../schema/index.ts";

/** Views whose features are compared, the latest ones. */
const MOST_VIEWS = 2_000;
/** The score of a kind that may stand for the named one, against 1 for the kind itself. */
const STANDS_FOR = 0.5;

type View = Stored<RecordOf<"view">>;

/**
 * The pictures of a memory without image vectors, by the labels that our own detector gave in them: a vector with one
 * axis per kind of thing, with the root of the area of such things as length. A text is compared with it by the kinds
 * that it names.
 */
export function looksOf(reader: MemoryReader, { nowUs }: { readonly nowUs: number }) {
  let known: Promise<readonly Feature[]> | undefined;
  return async (text: string) => {
    known ??= featuresOf(reader, nowUs);
    const concepts = cuesOf(text).concepts.map(({ words, same, kinds }) => ({
      own: [words, ...same],
      others: kinds,
    }));
    if (concepts.length === 0) return [];
    return (await known)
      .map(({ id, shares }) => ({ id, score: likeness(shares, concepts) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  };
}

interface Feature {
  readonly id: string;
  /** Unit length. */
  readonly shares: ReadonlyMap<string, number>;
}

interface Named {
  readonly own: readonly string[];
  readonly others: readonly string[];
}

/** The cosine of a view with a text that names each of its concepts once. */
function likeness(shares: ReadonlyMap<string, number>, concepts: readonly Named[]): number {
  let sum = 0;
  for (const { own, others } of concepts) {
    let best = 0;
    for (const [kind, share] of shares) {
      const isOwn = own.some((word) => isKindOf(kind, word));
      const fit = isOwn ? 1 : others.some((word) => isKindOf(kind, word)) ? STANDS_FOR : 0;
      best = Math.max(best, fit * share);
    }
    sum += best;
  }
  return sum / Math.sqrt(concepts.length);
}

async function featuresOf(reader: MemoryReader, nowUs: number): Promise<Feature[]> {
  const { hits } = await reader.search({
    kinds: ["view"],
    time: { overlaps: { fromUs: 0, toUs: nowUs + 1 } },
    rank: "latest",
    limit: MOST_VIEWS,
  });
  const views = hits.map(({ record }) => record as View);
  const ids = [...new Set(views.flatMap(({ visible }) => visible.map(({ stateId }) => stateId)))];
  const states = ids.length === 0 ? [] : await reader.get(ids);
  const kindOf = new Map(
    states.flatMap((state) => (state?.kind === "state" ? [[state.id, state.category] as const] : [])),
  );
  return views.map((view) => ({ id: view.id, shares: sharesOf(view, kindOf) }));
}

function sharesOf({ visible }: View, kindOf: ReadonlyMap<string, string>): Map<string, number> {
  const areas = new Map<string, number>();
  for (const { stateId, bbox } of visible) {
    const kind = kindOf.get(stateId);
    if (kind === undefined) continue;
    const [left, top, right, bottom] = bbox;
    const area = Math.max(0, right - left) * Math.max(0, bottom - top);
    areas.set(kind, (areas.get(kind) ?? 0) + area);
  }
  // Roots of areas: their squares add up to the whole, which makes the vector one of unit length.
  const whole = [...areas.values()].reduce((sum, area) => sum + area, 0);
  return new Map([...areas].map(([kind, area]) => [kind, whole > 0 ? Math.sqrt(area / whole) : 0]));
}
