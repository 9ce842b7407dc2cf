import type { Transform } from "../../geometry/index.ts";
import {
  apply,
  boxesIntersect,
  coneContains,
  distance,
  distanceToBox,
  frustumContains,
  intervalsOverlap,
  polygonContains,
  transformCone,
  transformFrustum,
} from "../../geometry/index.ts";
import type { LociRecord, Stored } from "../../schema/index.ts";
import { categoryOf, LociError, ownerOf } from "../../schema/index.ts";
import type { CheckedRequest } from "../check-request.ts";
import { checkRequest } from "../check-request.ts";
import { FUSION_WEIGHTS } from "../fusion.ts";
import { bm25Idf, bm25Term, wordsOf } from "../lexical.ts";
import type { Hit, KeyScores, VectorSpace } from "../port.ts";
import type { MeaningKey, ScalarKey, SearchRequest, SpaceKey, TimeKey } from "../request.ts";
import { cosineOf, unitVector } from "../vectors.ts";
import type { ArrayView } from "./view.ts";

type Place = ReturnType<ArrayView["placeOf"]>;
type MeaningName = "meaning" | "image" | "words";
/** In the order in which fusion adds them up. */
const MEANING_NAMES: readonly MeaningName[] = ["meaning", "image", "words"];

/** A record that passes every key but those of meaning, with the score of each meaning key it is eligible for. */
interface Candidate {
  readonly record: Stored;
  readonly place: Place;
  readonly scores: KeyScores;
}

/** The hits of a request, by looking at every record. */
export function evaluate(view: ArrayView, request: SearchRequest): { hits: Hit[]; checked: CheckedRequest } {
  const checked = checkRequest(request);
  const { candidates, given } = candidatesOf(view, checked);
  const ranked =
    checked.rank === "fused" ? fuse(candidates, given, checked.pool) : rank(candidates, given, checked);
  const hits = ranked.slice(0, checked.limit).map(({ candidate, score }): Hit => {
    const { record, place, scores } = candidate;
    const found = { record: structuredClone(record), score, scores };
    return place === undefined ? found : { ...found, position: place.centre, box: place.box };
  });
  return { hits, checked };
}

/** How many pass the filters. Rank, limit and pool play no part: with several meaning keys any of them will do. */
export function countMatches(view: ArrayView, request: SearchRequest): number {
  const { candidates, given } = candidatesOf(view, checkRequest(request));
  return candidates.filter((c) => given.length === 0 || given.some((name) => c.scores[name] !== undefined))
    .length;
}

function candidatesOf(
  view: ArrayView,
  checked: CheckedRequest,
): { candidates: Candidate[]; given: MeaningName[] } {
  const { kinds, meaning = {}, space, time, where } = checked;
  const given = MEANING_NAMES.filter((name) => meaning[name === "meaning" ? "vector" : name] !== undefined);
  const score = meaningScorer(view, meaning, (record) => kinds === undefined || kinds.includes(record.kind));
  const measure = space === undefined ? () => ({}) : spaceTest(view, space);
  const frames = new Map<string, Transform | undefined>();
  const candidates: Candidate[] = [];
  for (const record of view.records()) {
    if (kinds !== undefined && !kinds.includes(record.kind)) continue;
    if (!passesTime(record, time) || !passesWhere(record, where)) continue;
    const submap = record.anchor?.submap;
    if (submap !== undefined && !frames.has(submap)) frames.set(submap, view.worldFrom(submap));
    const place = view.placeOf(record, submap === undefined ? undefined : frames.get(submap));
    const measured = measure(place);
    if (measured === undefined) continue;
    candidates.push({ record, place, scores: { ...score(record), ...measured } });
  }
  return { candidates, given };
}

/** Under any rank but fused, a hit is eligible for all the meaning keys given. */
function rank(
  candidates: readonly Candidate[],
  given: readonly MeaningName[],
  { rank }: CheckedRequest,
): { candidate: Candidate; score: number }[] {
  const scoreOf = ({ record, scores }: Candidate): number => {
    if (rank === "meaning" || rank === "image" || rank === "words") return scores[rank]!;
    if (rank === "distance") return scores.distanceM!;
    if (rank === "earliest" || rank === "latest") return record.validFromUs;
    return 0; // by id: there is no number to report
  };
  const ascending = rank === "distance" || rank === "earliest" ? 1 : -1;
  return candidates
    .filter(({ scores }) => given.every((name) => scores[name] !== undefined))
    .map((candidate) => ({ candidate, score: scoreOf(candidate) }))
    .sort((a, b) => ascending * (a.score - b.score) || byId(a.candidate, b.candidate));
}

/**
 * The weighted sum of standard scores over the best `pool` of each key: the mean and the deviation of a key are taken
 * over the candidates of all keys, summed in the order of ids; a record unknown to a vector key gets the lowest of
 * them, one without any of the words gets nothing.
 */
function fuse(
  candidates: readonly Candidate[],
  given: readonly MeaningName[],
  pool: number,
): { candidate: Candidate; score: number }[] {
  const members = new Set<Candidate>();
  for (const name of given) {
    const own = candidates.filter((c) => c.scores[name] !== undefined);
    own.sort((a, b) => b.scores[name]! - a.scores[name]! || byId(a, b));
    for (const c of own.slice(0, pool)) members.add(c);
  }
  const ordered = [...members].sort(byId);
  const fused = new Map(ordered.map((c) => [c, 0]));
  for (const name of given) {
    const known = ordered.flatMap((c) => c.scores[name] ?? []);
    if (known.length === 0) continue;
    const least = name === "words" ? 0 : Math.min(...known);
    const value = (c: Candidate) => c.scores[name] ?? least;
    const mean = ordered.reduce((sum, c) => sum + value(c), 0) / ordered.length;
    const variance =
      ordered.reduce((sum, c) => sum + (value(c) - mean) * (value(c) - mean), 0) / ordered.length;
    const deviation = Math.sqrt(variance);
    if (deviation <= 1e-9) continue;
    for (const c of ordered)
      fused.set(c, fused.get(c)! + FUSION_WEIGHTS[name] * ((value(c) - mean) / deviation));
  }
  return [...fused]
    .map(([candidate, score]) => ({ candidate, score }))
    .sort((a, b) => b.score - a.score || byId(a.candidate, b.candidate));
}

function byId(a: Candidate, b: Candidate): number {
  return a.record.id < b.record.id ? -1 : 1;
}

/** Each key's own score of a record, present only where the record is eligible for that key. */
function meaningScorer(
  view: ArrayView,
  meaning: MeaningKey,
  inKinds: (record: LociRecord) => boolean,
): (record: LociRecord) => KeyScores {
  const { state } = view;
  const line = meaning.vector && queryVector(view, "text", meaning.vector);
  const image = meaning.image && queryVector(view, "image", meaning.image);
  const lineFloor = line && floorOf(view, "text", meaning);
  const imageFloor = image && floorOf(view, "image", meaning);
  const words = meaning.words === undefined ? undefined : bm25(view.records().filter(inKinds), meaning.words);
  return (record) => {
    const scores: { meaning?: number; image?: number; words?: number } = {};
    if (line !== undefined) {
      const cosines = record.text.flatMap((text) => {
        const vector = state.texts.get(text);
        return vector ? [cosineOf(line, vector)] : [];
      });
      const best = Math.max(...cosines);
      if (cosines.length > 0 && best >= lineFloor!) scores.meaning = best;
    }
    const imageVector = record.image === undefined ? undefined : state.imageVectors.get(record.image);
    if (image !== undefined && imageVector !== undefined) {
      const cosine = cosineOf(image, imageVector);
      if (cosine >= imageFloor!) scores.image = cosine;
    }
    const lexical = words?.(record);
    if (lexical !== undefined) scores.words = lexical;
    return scores;
  };
}

/** A query of another length, or for a memory that has no embedder yet, is a mismatch; it is made unit first. */
function queryVector(view: ArrayView, space: VectorSpace, vector: Float32Array): Float32Array {
  const embedder = view.state.embedders[space];
  if (embedder === null) {
    throw new LociError(
      "embedder-mismatch",
      `this memory has no ${space} embedder, so no vector to compare with`,
    );
  }
  return unitVector(vector, embedder.dim, `meaning (${space})`);
}

/** The lowest cosine let through; a z-threshold without a calibration cannot be converted and is refused. */
function floorOf(view: ArrayView, space: VectorSpace, { minCosine, minZ }: MeaningKey): number {
  const floor = minCosine ?? Number.NEGATIVE_INFINITY;
  if (minZ === undefined) return floor;
  const calibration = view.state.calibrations.get(space);
  if (calibration === undefined) {
    throw new LociError(
      "invalid-input",
      `meaning.minZ: the ${space} space is not calibrated; calibrate it first`,
    );
  }
  return Math.max(floor, calibration.mean + minZ * calibration.sd);
}

/**
 * BM25 over the records that this reader sees, of the kinds asked for, that have at least one word; before any
 * other key. Each distinct query word counts once, in the order of first appearance.
 */
function bm25(records: readonly LociRecord[], query: string): (record: LociRecord) => number | undefined {
  const wordsIn = (record: LociRecord): string[] => record.text.flatMap(wordsOf);
  const corpus = records.map(wordsIn).filter((words) => words.length > 0);
  const meanLength = corpus.reduce((sum, words) => sum + words.length, 0) / corpus.length;
  const terms = [...new Set(wordsOf(query))].map((word) => {
    const df = corpus.filter((words) => words.includes(word)).length;
    return { word, idf: bm25Idf(corpus.length, df) };
  });
  return (record) => {
    const words = wordsIn(record);
    let score: number | undefined;
    for (const { word, idf } of terms) {
      const tf = words.filter((w) => w === word).length;
      if (tf > 0) score = (score ?? 0) + bm25Term(idf, tf, words.length, meanLength);
    }
    return score;
  };
}

/** Tests a place; undefined fails it. A record without a place is found by no space key. */
function spaceTest(view: ArrayView, space: SpaceKey): (place: Place) => { distanceM?: number } | undefined {
  const inner = placeTest(space, "frame" in space ? frameOf(view, space.frame) : undefined);
  return (place) => (place === undefined ? undefined : inner(place));
}

function frameOf(view: ArrayView, frame: string | undefined): Transform | undefined {
  if (frame === undefined) return undefined;
  const worldFromFrame = view.worldFrom(frame);
  if (worldFromFrame !== undefined) return worldFromFrame;
  throw new LociError(
    "invalid-input",
    `space.frame: "${frame}" has no fixed place in the world at this revision`,
  );
}

function placeTest(
  space: SpaceKey,
  worldFromFrame: Transform | undefined,
): (place: NonNullable<Place>) => { distanceM?: number } | undefined {
  switch (space.type) {
    case "box":
      return ({ box }) => (boxesIntersect(box, space) ? {} : undefined);
    case "region":
      return ({ centre }) => (polygonContains(space, centre) ? {} : undefined);
    case "radius":
    case "nearest": {
      const given = space.type === "radius" ? space.centre : space.point;
      const point = worldFromFrame ? apply(worldFromFrame, given) : given;
      const reach = (space.type === "radius" ? space.radiusM : space.maxM) ?? Number.POSITIVE_INFINITY;
      return ({ centre, box }) => {
        const distanceM = space.metric === "centre" ? distance(point, centre) : distanceToBox(point, box);
        return distanceM <= reach ? { distanceM } : undefined;
      };
    }
    case "cone": {
      const cone = worldFromFrame ? transformCone(worldFromFrame, space) : space;
      return ({ centre }) =>
        coneContains(cone, centre) ? { distanceM: distance(cone.apex, centre) } : undefined;
    }
    case "frustum": {
      const frustum = worldFromFrame ? transformFrustum(worldFromFrame, space) : space;
      return ({ centre }) =>
        frustumContains(frustum, centre)
          ? { distanceM: distance(frustum.worldFromCamera.p, centre) }
          : undefined;
    }
  }
}

function passesTime(record: LociRecord, time: TimeKey | undefined): boolean {
  const { overlaps, before, after } = time ?? {};
  const valid = { fromUs: record.validFromUs, toUs: record.validToUs };
  if (overlaps !== undefined && !intervalsOverlap(valid, overlaps)) return false;
  if (before !== undefined && !(valid.toUs !== null && valid.toUs <= before)) return false;
  return after === undefined || valid.fromUs >= after;
}

/** A list means any of its values, so an empty list matches nothing; a record without the field never matches. */
function passesWhere(record: LociRecord, where: ScalarKey | undefined): boolean {
  if (where === undefined) return true;
  const anyOf = (list: readonly string[] | undefined, value: string | undefined): boolean =>
    list === undefined || (value !== undefined && list.includes(value));
  const attributes = record.kind === "state" ? record.attributes : {};
  return (
    anyOf(where.ids, record.id) &&
    anyOf(where.sceneId, record.sceneId) &&
    anyOf(where.author, record.author) &&
    anyOf(where.category, categoryOf(record)) &&
    anyOf(where.owner, ownerOf(record)) &&
    anyOf(where.regionId, "regionId" in record ? record.regionId : undefined) &&
    Object.entries(where.attributes ?? {}).every(([name, value]) => attributes[name]?.value === value)
  );
}
