import { FrameGraph, type Interval } from "../../geometry/index.ts";
import { RECORD_KINDS } from "../../schema/core.ts";
import type { CheckedRequest } from "../check-request.ts";
import { wordsOf } from "../lexical.ts";
import type { ReaderOptions } from "../port.ts";
import type { ColumnIndex } from "../resident/column-index.ts";
import type { NumericQuery, PlaceQuery, TimeQuery, VectorQuery } from "../resident/query.ts";
import { type VectorSpaces, vectorQuery } from "../rows/scan.ts";
import { spaceTest } from "../space-test.ts";

const NO_FRAMES = new FrameGraph([]);

/** The rights of a search of the index, and its numbering of names. */
export interface NumberedView {
  readonly options: ReaderOptions;
  readonly unrestricted: boolean;
  readableLabelSets(): readonly number[];
  knownFrames(): FrameGraph;
}

/**
 * A checked request in the index's numbers, or undefined if only the truth can answer it: the memory's past,
 * another map revision, word statistics of a world time, vectors that the index does not know yet.
 */
export function numericQuery(
  { names }: { readonly names: { find(text: string): number | undefined } },
  index: ColumnIndex,
  spaces: VectorSpaces,
  view: NumberedView,
  request: CheckedRequest,
): NumericQuery | undefined {
  const { asOfMemoryUs, asOfWorldUs, mapRevision } = view.options;
  if (asOfMemoryUs !== undefined || mapRevision !== undefined) return undefined;
  if (asOfWorldUs !== undefined && request.meaning?.words !== undefined) return undefined;
  const time = timeQuery(request, asOfWorldUs);
  if (time === null) return undefined;
  const { meaning, where, rank, limit, pool } = request;
  const text = meaning && vectorKey(spaces, "text", meaning);
  const image = meaning && vectorKey(spaces, "image", meaning);
  // Just declared: the index that has this space is still being made.
  if (text && text.vector.length !== index.dimOf("text")) return undefined;
  if (image && image.vector.length !== index.dimOf("image")) return undefined;
  // Every field is there from the start: whatever reads queries then always meets objects of one form.
  const query: AllFields<NumericQuery> = {
    rank,
    limit,
    pool,
    kinds: undefined,
    labelSets: undefined,
    scenes: undefined,
    authors: undefined,
    categories: undefined,
    owners: undefined,
    ids: undefined,
    place: request.space && placeQuery(view, request),
    time,
    text,
    image,
    words: undefined,
  };
  if (request.kinds)
    query.kinds = request.kinds.reduce((mask, kind) => mask | (1 << RECORD_KINDS.indexOf(kind)), 0);
  if (!view.unrestricted) query.labelSets = view.readableLabelSets();
  if (where) {
    const numbers = (list: readonly string[]) =>
      list.map((name) => names.find(name) ?? 0).filter((n) => n > 0);
    if (where.sceneId) query.scenes = numbers(where.sceneId);
    if (where.author) query.authors = numbers(where.author);
    if (where.category) query.categories = numbers(where.category);
    if (where.owner) query.owners = where.owner.map((owner) => index.numberOf(owner)).filter((n) => n > 0);
    if (where.ids) query.ids = where.ids;
  }
  if (meaning?.words !== undefined) query.words = [...new Set(wordsOf(meaning.words))];
  return query as NumericQuery;
}

type AllFields<T> = { -readonly [K in keyof Required<T>]: T[K] | undefined };

function placeQuery(view: NumberedView, request: CheckedRequest): PlaceQuery {
  const key = request.space!;
  if (key.type === "box") return { type: "box", min: key.min, max: key.max };
  // The world frame needs no transform, and this is the place that trackers ask for with every detection.
  if (key.type === "radius" && key.frame === undefined)
    return { type: "within", point: key.centre, radiusM: key.radiusM, metric: key.metric ?? "box" };
  const test = spaceTest(
    key,
    "frame" in key && key.frame !== undefined ? view.knownFrames() : NO_FRAMES,
    undefined,
  );
  if (key.type === "radius" || key.type === "nearest") {
    return { type: "within", point: test.from!, radiusM: test.maxM, metric: test.metric };
  }
  const accepts = (centre: Parameters<typeof test.accepts>[0]) =>
    test.accepts(centre, { min: centre, max: centre });
  return { type: "shape", bounds: test.bounds!, accepts, ...(test.from ? { from: test.from } : {}) };
}

/** Both the request's times and "so at that time" as one condition; null if they cannot be one. */
function timeQuery({ time }: CheckedRequest, asOfWorldUs: number | undefined): TimeQuery | undefined | null {
  if (asOfWorldUs === undefined) return time;
  const at: Interval = { fromUs: asOfWorldUs, toUs: asOfWorldUs + 1 };
  if (time?.overlaps === undefined) return { ...time, overlaps: at };
  const { fromUs, toUs } = time.overlaps;
  const inside = fromUs <= asOfWorldUs && (toUs === null || toUs > asOfWorldUs);
  return inside ? { ...time, overlaps: at } : null;
}

function vectorKey(
  spaces: VectorSpaces,
  space: "text" | "image",
  meaning: NonNullable<CheckedRequest["meaning"]>,
): VectorQuery | undefined {
  const wanted = vectorQuery(spaces, space, meaning);
  if (wanted === undefined) return undefined;
  const { query: vector, least } = wanted;
  return least === Number.NEGATIVE_INFINITY ? { vector } : { vector, min: least };
}
