import type { Box, FrameGraph, Vec3 } from "../../geometry/index.ts";
import { intervalsOverlap } from "../../geometry/index.ts";
import { type EmbedderInfo, LociError, throwIfAborted } from "../../schema/core.ts";
import type { CheckedRequest } from "../check-request.ts";
import { bm25Idf, bm25Term, wordsOf } from "../lexical.ts";
import type { Calibration, CallOptions, ReaderOptions, VectorSpace } from "../port.ts";
import { type Candidate, rankCandidates } from "../ranking.ts";
import type { MeaningKey, ScalarKey, TimeKey } from "../request.ts";
import { type SpaceTest, spaceTest } from "../space-test.ts";
import { cosineOf, unitVector } from "../vectors.ts";
import { type Cell, COLUMN, parsedCell, type Row, unpackIds } from "./codec.ts";
import type { Place } from "./place.ts";

/** A row that passed, before its body is read. */
export interface ScanCandidate extends Candidate {
  readonly row: Row;
  readonly centre: Vec3 | undefined;
  readonly box: Box | undefined;
}

export interface ScanOutcome {
  readonly ranked: { readonly candidate: ScanCandidate; readonly score: number }[];
  /** Everything that passed the filters, for counting. */
  readonly passed: number;
  readonly driver: string;
  readonly steps: { readonly step: string; readonly left: number }[];
}

/** What a scan looks up besides the rows themselves. */
export interface ScanSource extends VectorSpaces {
  readonly names: {
    /** How a name is written in a cell; undefined if it never was. */
    find(text: string): Cell | undefined;
  };
  textOf(meaning: number): string;
  vectorOf(meaning: number): Float32Array | undefined;
}

/** The rights of a scan. */
export interface ScanView {
  readonly options: ReaderOptions;
  /** Whether a believed row is visible: labels and world time. */
  sees(row: Row): boolean;
  knownFrames(): FrameGraph;
  placeOf(row: Row): Place | undefined;
}

/** The rows of a scan, and what found them. */
export interface ScanInput {
  readonly rows: Iterable<Row>;
  readonly driver: string;
  /** The word score of a row, where it is known already: then the rows need not be complete. */
  readonly wordScore?: (row: Row) => number | undefined;
}

/**
 * Plain search: every row that the reader can see goes through every key. Slow and exact; it is what the resident index
 * is checked against, and what answers as-of questions about the memory's own past. The rows are all believed ones of
 * the requested kinds; without words to find, rows that cannot pass may be left out.
 */
export function scanRows(
  source: ScanSource,
  view: ScanView,
  request: CheckedRequest,
  { rows, driver, wordScore }: ScanInput,
  { signal }: CallOptions = {},
): ScanOutcome {
  const { meaning, space, time, where, rank, limit, pool } = request;
  throwIfAborted(signal);
  const test = space && spaceTest(space, view.knownFrames(), view.options.mapRevision);
  const filter = scalarFilter(source, where);
  const words = meaning?.words === undefined || wordScore ? undefined : new WordScorer(source, meaning.words);
  const scoreWords = wordScore ?? (words && ((row: Row) => words.score(row)));
  const candidates: ScanCandidate[] = [];
  let seen = 0;
  for (const row of rows) {
    if (!view.sees(row)) continue;
    if ((++seen & 0x3ff) === 0) throwIfAborted(signal);
    words?.read(row);
    if (time && !timePasses(row, time)) continue;
    if (!filter(row)) continue;
    const place = view.placeOf(row);
    if (test && (place === undefined || !test.accepts(place.centre, place.box))) continue;
    candidates.push(candidateOf(row, place, test));
  }
  const steps = [
    { step: "visible", left: seen },
    { step: "place, time, conditions", left: candidates.length },
  ];
  const given: ("meaning" | "image" | "words")[] = [];
  if (meaning?.vector) given.push("meaning");
  if (meaning?.image) given.push("image");
  if (scoreWords) given.push("words");
  scoreVectors(source, candidates, meaning);
  for (const candidate of scoreWords === undefined ? [] : candidates) {
    const score = scoreWords?.(candidate.row);
    if (score !== undefined) candidate.words = score;
  }
  const passed =
    given.length === 0 ? candidates : candidates.filter((c) => given.some((key) => c[key] !== undefined));
  if (given.length > 0) steps.push({ step: "meaning", left: passed.length });
  return {
    ranked: rankCandidates(candidates, given, rank, limit, pool),
    passed: passed.length,
    driver,
    steps,
  };
}

function candidateOf(
  row: Row,
  place: { centre: Vec3; box: Box } | undefined,
  test: SpaceTest | undefined,
): ScanCandidate {
  return {
    row,
    id: String(row[COLUMN.id]),
    validFromUs: Number(row[COLUMN.validFrom]),
    centre: place?.centre,
    box: place?.box,
    distanceM: test?.from && place ? test.distanceM(place.centre, place.box) : undefined,
  };
}

function timePasses(row: Row, time: TimeKey): boolean {
  const fromUs = Number(row[COLUMN.validFrom]);
  const toUs = row[COLUMN.validTo] === null ? null : Number(row[COLUMN.validTo]);
  if (time.overlaps && !intervalsOverlap({ fromUs, toUs }, time.overlaps)) return false;
  if (time.before !== undefined && (toUs === null || toUs > time.before)) return false;
  return time.after === undefined || fromUs >= time.after;
}

/** The scalar conditions as one test of a row; names that were never stored match nothing. */
export function scalarFilter(
  { names }: Pick<ScanSource, "names">,
  where: ScalarKey | undefined,
): (row: Row) => boolean {
  const tests: ((row: Row) => boolean)[] = [];
  const named = (column: number, list: readonly string[] | undefined) => {
    if (list === undefined) return;
    const cells = new Set(list.map((text) => names.find(text)));
    tests.push((row) => row[column] !== null && cells.has(row[column]));
  };
  const literal = (column: number, list: readonly string[] | undefined) => {
    if (list === undefined) return;
    const values = new Set(list);
    tests.push((row) => values.has(String(row[column])));
  };
  literal(COLUMN.id, where?.ids);
  named(COLUMN.scene, where?.sceneId);
  named(COLUMN.author, where?.author);
  named(COLUMN.category, where?.category);
  literal(COLUMN.owner, where?.owner);
  const inBody = bodyFilter(where);
  if (inBody) tests.push((row) => inBody(bodyFacts(String(row[COLUMN.body]))));
  return (row) => tests.every((test) => test(row));
}

/** The parts of a record's body that conditions refer to. */
export interface BodyFacts {
  readonly regionId?: string;
  readonly attributes?: Readonly<Record<string, { readonly value: unknown }>>;
}

export function bodyFacts(text: string): BodyFacts {
  const { regionId, attributes } = parsedCell(text) as BodyFacts;
  return { ...(regionId !== undefined && { regionId }), ...(attributes && { attributes }) };
}

/** The conditions that only the body can answer, if there are any. */
export function bodyFilter(where: ScalarKey | undefined): ((body: BodyFacts) => boolean) | undefined {
  const attributes = Object.entries(where?.attributes ?? {});
  const regions = where?.regionId && new Set(where.regionId);
  if (attributes.length === 0 && regions === undefined) return undefined;
  return (body) => {
    if (regions && !(body.regionId !== undefined && regions.has(body.regionId))) return false;
    return attributes.every(([name, value]) => body.attributes?.[name]?.value === value);
  };
}

/** The embedder and calibration of each vector space. */
export interface VectorSpaces {
  embedder(space: VectorSpace): EmbedderInfo | null;
  calibration(space: VectorSpace): Calibration | null;
}

/** The unit query vector and the least cosine that counts, for one space. */
export function vectorQuery(spaces: VectorSpaces, space: VectorSpace, meaning: MeaningKey) {
  const given = space === "text" ? meaning.vector : meaning.image;
  if (given === undefined) return undefined;
  const embedder = spaces.embedder(space);
  if (embedder === null) {
    throw new LociError(
      "embedder-mismatch",
      `this memory has no ${space} embedder yet, so nothing can be compared with a vector`,
    );
  }
  const query = unitVector(given, embedder.dim, space === "text" ? "meaning.vector" : "meaning.image");
  let least = meaning.minCosine ?? Number.NEGATIVE_INFINITY;
  if (meaning.minZ !== undefined) {
    const calibration = spaces.calibration(space);
    if (calibration === null) {
      throw new LociError(
        "invalid-input",
        `meaning.minZ: the ${space} space has no calibration yet; calibrate it or use minCosine`,
      );
    }
    least = Math.max(least, calibration.mean + meaning.minZ * calibration.sd);
  }
  return { query, least };
}

function scoreVectors(
  source: ScanSource,
  candidates: readonly ScanCandidate[],
  meaning: MeaningKey | undefined,
): void {
  if (meaning === undefined) return;
  for (const space of ["text", "image"] as const) {
    const wanted = vectorQuery(source, space, meaning);
    if (wanted === undefined) continue;
    for (const candidate of candidates) {
      const meanings =
        space === "text"
          ? unpackIds(candidate.row[COLUMN.lines])
          : [candidate.row[COLUMN.image]].filter((id) => typeof id === "number");
      let best = Number.NEGATIVE_INFINITY;
      for (const id of meanings) {
        const vector = source.vectorOf(id);
        if (vector) best = Math.max(best, cosineOf(wanted.query, vector));
      }
      if (best === Number.NEGATIVE_INFINITY || best < wanted.least) continue;
      if (space === "text") candidate.meaning = best;
      else candidate.image = best;
    }
  }
}

/** BM25 over the rows read: statistics of all of them, scores of the requested ones. */
class WordScorer {
  readonly #source: ScanSource;
  readonly #query: string[];
  readonly #lengths = new Map<number, { length: number; counts: number[] }>();
  readonly #documents: number[];
  #total = 0;
  #count = 0;

  constructor(source: ScanSource, query: string) {
    this.#source = source;
    this.#query = [...new Set(wordsOf(query))];
    this.#documents = this.#query.map(() => 0);
  }

  read(row: Row): void {
    const counts = this.#query.map(() => 0);
    let length = 0;
    for (const meaning of unpackIds(row[COLUMN.lines])) {
      for (const word of wordsOf(this.#source.textOf(meaning))) {
        length++;
        const at = this.#query.indexOf(word);
        if (at >= 0) counts[at]!++;
      }
    }
    if (length === 0) return;
    this.#count++;
    this.#total += length;
    counts.forEach((count, i) => {
      if (count > 0) this.#documents[i]!++;
    });
    this.#lengths.set(Number(row[COLUMN.row]), { length, counts });
  }

  score(row: Row): number | undefined {
    const known = this.#lengths.get(Number(row[COLUMN.row]));
    if (known === undefined || known.counts.every((count) => count === 0)) return undefined;
    const meanLength = this.#total / this.#count;
    let score = 0;
    known.counts.forEach((tf, i) => {
      if (tf > 0) score += bm25Term(bm25Idf(this.#count, this.#documents[i]!), tf, known.length, meanLength);
    });
    return score;
  }
}
