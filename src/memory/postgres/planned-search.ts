import { RECORD_KINDS } from "../../schema/core.ts";
import type { CheckedRequest } from "../check-request.ts";
import { bm25Idf, bm25Term, wordsOf } from "../lexical.ts";
import type { CallOptions } from "../port.ts";
import { COLUMN, type Row } from "../rows/codec.ts";
import { bodyFilter, type ScanOutcome, scanRows, vectorQuery } from "../rows/scan.ts";
import { readVector } from "./copy-data.ts";
import type { Value, Values } from "./database.ts";
import { Contents } from "./record-rows.ts";
import { COVERED, columnsFor, linesOf, type Narrowed, narrowed, plainSearch, sourceOf } from "./search.ts";
import { toText } from "./text.ts";
import type { Look } from "./view.ts";
import { addKinds, addVisible, selectFrom, Where } from "./where.ts";

/**
 * How many more rows than requested are read first, for those that the place test refuses or that are too close to
 * call.
 */
const SPARE = 6;
/** The same where the server's own test is as good as ours: boxes. */
const SPARE_IN_BOX = 1;
const GROWTH = 4;
/** First reach of a search for the nearest without a bound, in metres. */
const FIRST_REACH_M = 4;
const MAX_REACH_M = 2_000;
/** Up to this many passing rows are led to their vectors one by one; more are looked up together. */
const FEW = 300;
/**
 * From this share of the scene on all vectors drive a semantic search, below it the rows that pass the other
 * conditions.
 */
const WIDE_SHARE = 0.4;

/**
 * Decides how a request is answered. PostgreSQL's own choice flips with its statistics and, with an approximate index,
 * drops rows; here every plan reads in the order of a bound until no unread row can be among the answers. Requests
 * without such a plan are scanned.
 */
export async function plannedSearch(
  look: Look,
  request: CheckedRequest,
  options: CallOptions = {},
): Promise<ScanOutcome> {
  const { meaning, rank, space, where } = request;
  if (look.options.asOfMemoryUs !== undefined || bodyFilter(where) !== undefined)
    return plainSearch(look, request, options);
  const isVector =
    meaning?.vector !== undefined && meaning.image === undefined && meaning.words === undefined;
  if (isVector && rank === "meaning") return byMeaning(look, request, options);
  const isWords = meaning?.words !== undefined && meaning.image === undefined;
  if (
    isWords &&
    look.options.asOfWorldUs === undefined &&
    (rank === "words" ? !meaning.vector : rank === "fused")
  )
    return byWords(look, request, options);
  if (meaning === undefined) {
    if (rank === "latest" || rank === "earliest" || rank === "id") return inOrder(look, request, options);
    if (space?.type === "nearest" && space.maxM === undefined) return byReach(look, request, options);
  }
  return plainSearch(look, request, options);
}

/** The nearest without a bound: a reach that grows until enough lie within it. */
async function byReach(look: Look, request: CheckedRequest, options: CallOptions): Promise<ScanOutcome> {
  const { space, limit } = request;
  for (let maxM = FIRST_REACH_M; space?.type === "nearest" && maxM <= MAX_REACH_M; maxM *= GROWTH) {
    const found = await plainSearch(look, { ...request, space: { ...space, maxM } }, options);
    if (found.ranked.length === limit) return { ...found, driver: "sql place" };
  }
  return plainSearch(look, request, options);
}

/** By time or id: read in that order until enough pass. */
async function inOrder(look: Look, request: CheckedRequest, options: CallOptions): Promise<ScanOutcome> {
  const { test, source, where, how } = await narrowed(look, request);
  const order = { latest: "r.valid_from DESC, r.id", earliest: "r.valid_from, r.id", id: "r.id" }[
    request.rank as "latest" | "earliest" | "id"
  ];
  const { columns, rowOf } = columnsFor(look, request);
  for (let count = test === undefined ? request.limit : request.limit + SPARE; ; count *= GROWTH) {
    const found = await look.session[how](
      `${selectFrom(source, where, columns)} ORDER BY ${order} LIMIT ${count}`,
      where.values,
    );
    const scanned = scan(look, request, found.map(rowOf), new Contents(), options, "sql order");
    if (scanned.ranked.length === request.limit || found.length < count) return scanned;
  }
}

/**
 * By meaning alone: by the vectors of the rows that pass the other conditions, or by all vectors where much of the
 * scene does.
 */
async function byMeaning(look: Look, request: CheckedRequest, options: CallOptions): Promise<ScanOutcome> {
  const wanted = vectorQuery(sourceOf(look.scene, new Contents()), "text", request.meaning!)!;
  const candidates = await narrowed(look, request, { wide: WIDE_SHARE, indexed: COVERED });
  const spare = request.space === undefined || request.space.type === "box" ? SPARE_IN_BOX : SPARE;
  const isFew = candidates.share * look.scene.recordRow < FEW;
  const isWide = candidates.share >= WIDE_SHARE;
  const given = candidates.where.value(wanted.query);
  const { length: dim } = wanted.query;
  // Vectors beyond the threshold may be left out; the slack keeps those too close to call.
  const most = Number.isFinite(wanted.least)
    ? candidates.where.value(slackOf(dim) - wanted.least)
    : undefined;
  // A wide search also returns vectors of rows that do not pass.
  let count = Math.ceil((request.limit + spare) * (isWide ? 1.5 / candidates.share : 1));
  for (; ; count *= GROWTH) {
    const found = await (isFew ? fewCandidates : manyVectors)(look, request, candidates, {
      given,
      count,
      within: most === undefined ? "" : ` WHERE n.d <= ${most}`,
      isWide,
    });
    const near = nearOf(found, columnsFor(look, request).rowOf);
    const driver = isWide ? "sql vectors" : "sql candidates";
    const scanned = scan(look, request, near.rows, near.contents, options, driver);
    const isAll = (isFew ? found.length : near.meanings) < count;
    if (isAll || isComplete(scanned, request.limit, wanted.least, -near.farthest, dim)) return scanned;
  }
}

/** The query vector, as a value of the statement, and how many rows are read. */
interface Nearest {
  readonly given: string;
  readonly count: number;
  /** How far they may be, as a condition. */
  readonly within: string;
  /** Searches all vectors, not only those of rows that pass. */
  readonly isWide: boolean;
}

/** Sorts by an expression, so that no approximate index can drive it. */
const distanceTo = (given: string): string => `(v.embedding <#> ${given}::public.vector) + 0 AS d`;

/** Few bytes for what comes as text: half as many again in hexadecimal. */
const vectorOf = (table: string): string => `encode(vector_send(${table}.embedding), 'base64')`;

/**
 * The lines of candidates in the order of their distance, with their vectors for the exact score. Candidates are found
 * in an index alone, each is led to its vectors, and the nearest to the rest of their rows.
 */
function fewCandidates(
  look: Look,
  request: CheckedRequest,
  { source, where, how }: Narrowed,
  { given, count, within }: Nearest,
): Promise<Values[]> {
  const { columns } = columnsFor(look, request);
  return look.session[how](
    `SELECT r.*, n.meaning, n.d, ${vectorOf("n")} FROM
       (SELECT r.row, r.meaning, v.embedding, ${distanceTo(given)} FROM
         (SELECT r.row, unnest(r.lines) AS meaning FROM (${selectFrom(source, where, "r.row, r.lines")}) r) r
         CROSS JOIN LATERAL (SELECT v.embedding FROM meaning_vector v
           WHERE v.scene_id = $1 AND v.meaning = r.meaning OFFSET 0) v ORDER BY d LIMIT ${count}) n
       CROSS JOIN LATERAL (SELECT ${columns} FROM record r WHERE r.scene_id = $1 AND r.row = n.row OFFSET 0) r${within}`,
    where.values,
  );
}

/**
 * The nearest vectors, all or those of candidates, which are looked up together in their own order; then the records
 * that have them and pass. Vectors are left out of the sort and read once, with the first of their records.
 */
function manyVectors(
  look: Look,
  request: CheckedRequest,
  { source, where, how }: Narrowed,
  { given, count, within, isWide }: Nearest,
): Promise<Values[]> {
  const { columns } = columnsFor(look, request);
  // Vectors of another length belong to images, if there are any.
  const { embedders } = look.scene.settings;
  const sameLength = embedders?.image ? ` AND vector_dims(v.embedding) = ${embedders.text!.dim}` : "";
  const lines = `SELECT unnest(r.lines) FROM (${selectFrom(source, where, "r.lines")}) r`;
  const among = isWide ? sameLength : ` AND v.meaning = ANY(ARRAY(${lines}))`;
  return look.session[how](
    `SELECT r.*, n.meaning, n.d, CASE WHEN r.nth = 1 THEN
         (SELECT ${vectorOf("v")} FROM meaning_vector v WHERE v.scene_id = $1 AND v.meaning = n.meaning) END FROM
       (SELECT v.meaning, ${distanceTo(given)} FROM meaning_vector v
         WHERE v.scene_id = $1${among} ORDER BY d LIMIT ${count}) n
       LEFT JOIN LATERAL (SELECT ${columns}, row_number() OVER () AS nth
         FROM posting p JOIN record r ON r.scene_id = p.scene_id AND r.row = p.row
         WHERE p.scene_id = $1 AND p.term = '#' || n.meaning AND ${where.sql} OFFSET 0) r ON true${within}`,
    where.values,
  );
}

/** Rows that end with a meaning, how far it is, and its vector: a record for each of its lines, or none. */
function nearOf(found: readonly Values[], rowOf: (values: Values) => Row) {
  const contents = new Contents();
  const rows = new Map<Value, Row>();
  const meanings = new Set<Value>();
  let farthest = -Infinity;
  for (const values of found) {
    const [meaning, d, vector] = values.slice(-3);
    meanings.add(meaning!);
    farthest = Math.max(farthest, Number(d));
    if (vector !== null)
      contents.vectors.set(Number(meaning), readVector(Buffer.from(String(vector), "base64")));
    if (values[0] !== null && !rows.has(values[0]!)) rows.set(values[0]!, rowOf(values));
  }
  return { rows: [...rows.values()], contents, meanings: meanings.size, farthest };
}

/** How far the server's sum may differ from the exact score: for unit vectors (n + 2) · 2⁻²⁴, with a margin. */
const slackOf = (dim: number): number => (dim + 32) * 2 ** -23;

/** Whether no unread row can be among the answers: each of them scores at most `bound` in the server's sums. */
function isComplete(
  { ranked }: ScanOutcome,
  limit: number,
  least: number,
  bound: number,
  dim: number,
): boolean {
  const worst = ranked.length === limit ? ranked.at(-1)!.score : least;
  return worst > bound + slackOf(dim);
}

/** By words, and optionally by meaning: each key's own best, by postings and by vectors, then all keys of those. */
async function byWords(look: Look, request: CheckedRequest, options: CallOptions): Promise<ScanOutcome> {
  const { meaning, rank, limit, pool } = request;
  const narrow = await narrowed(look, request);
  const scored = await wordScores(look, request, narrow);
  const wordScore = (row: Row) => scored.scores.get(Number(row[COLUMN.row]));
  const rows = new Map<number, Row>();
  const need = rank === "fused" ? pool : limit;
  for (let taken = 0, count = need + SPARE; taken < scored.ordered.length; count *= GROWTH) {
    // Rows of equal score are kept or cut together.
    let end = Math.min(taken + count, scored.ordered.length);
    while (end < scored.ordered.length && scored.ordered[end]!.score === scored.ordered[end - 1]!.score)
      end++;
    for (const row of await rowsBy(look, request, scored.ordered.slice(taken, end)))
      rows.set(Number(row[COLUMN.row]), row);
    taken = end;
    const passed = scanRows(sourceOf(look.scene, new Contents()), look, wordsOnly(request, need), {
      rows: rows.values(),
      driver: "sql words",
      wordScore,
    });
    if (passed.ranked.length === need) break;
  }
  if (meaning?.vector) {
    const { words: _words, ...vector } = meaning;
    const near = await byMeaning(
      look,
      { ...request, meaning: vector, rank: "meaning", limit: pool },
      options,
    );
    for (const { candidate } of near.ranked) rows.set(Number(candidate.row[COLUMN.row]), candidate.row);
  }
  const contents = new Contents();
  if (meaning?.vector)
    await contents.readVectors(look.session, look.sceneId, [...rows.values()].flatMap(linesOf));
  return scan(look, request, [...rows.values()], contents, options, "sql words", wordScore);
}

function wordsOnly(request: CheckedRequest, limit: number): CheckedRequest {
  return { ...request, meaning: { words: request.meaning!.words! }, rank: "words", limit };
}

async function rowsBy(
  look: Look,
  request: CheckedRequest,
  some: readonly { readonly row: number }[],
): Promise<Row[]> {
  const { columns, rowOf } = columnsFor(look, request);
  const found = await look.session.rows(
    `SELECT ${columns} FROM record r WHERE r.scene_id = $1 AND r.row = ANY($2::bigint[])`,
    [look.sceneId, some.map(({ row }) => row)],
  );
  return found.map(rowOf);
}

/** BM25 of every row that has one of the words and passes the server's conditions, best first. */
async function wordScores(look: Look, request: CheckedRequest, { source, where }: Narrowed) {
  const { session, sceneId } = look;
  const terms = [...new Set(wordsOf(request.meaning!.words!))];
  const asked = terms.map(toText);
  const visible = addKinds(addVisible(new Where(sceneId), look.options), request.kinds);
  const counted = new Where(sceneId, "t");
  if (request.kinds)
    counted.add(
      "t.kind = ANY(?::smallint[])",
      request.kinds.map((kind) => RECORD_KINDS.indexOf(kind)),
    );
  if (look.eyes.held) counted.add("t.labels <@ ?::text[]", look.eyes.held);
  const [total] = await session.rows(
    `SELECT coalesce(sum(t.records), 0), coalesce(sum(t.words), 0) FROM word_total t WHERE ${counted.sql}`,
    counted.values,
  );
  const [documents, words] = [Number(total![0]), Number(total![1])];
  const among = visible.value(asked);
  const frequencies = new Map(
    (
      await session.rows(
        `SELECT p.term, count(*) FROM posting p JOIN record r ON r.scene_id = p.scene_id AND r.row = p.row
           WHERE p.scene_id = $1 AND p.term = ANY(${among}::text[]) AND ${visible.sql} GROUP BY p.term`,
        visible.values,
      )
    ).map(([term, count]) => [String(term), Number(count)]),
  );
  const wanted = where.value(asked);
  const postings = await session.rows(
    `SELECT p.row, p.term, p.tf, r.words, r.id FROM posting p
       JOIN (${selectFrom(source, where, "r.row, r.words, r.id")}) r ON r.row = p.row
       WHERE p.scene_id = $1 AND p.term = ANY(${wanted}::text[])`,
    where.values,
  );
  const byRow = Map.groupBy(postings, ([row]) => Number(row));
  const scores = new Map<number, number>();
  const ordered: { row: number; id: string; score: number }[] = [];
  for (const [row, found] of byRow) {
    const tfs = new Map(found.map(([, term, tf]) => [String(term), Number(tf)]));
    let score = 0;
    // In the order of the question, so that every engine gets the same sums to the last bit.
    for (const term of asked) {
      const tf = tfs.get(term);
      if (tf !== undefined)
        score += bm25Term(
          bm25Idf(documents, frequencies.get(term)!),
          tf,
          Number(found[0]![3]),
          words / documents,
        );
    }
    scores.set(row, score);
    ordered.push({ row, id: String(found[0]![4]), score });
  }
  ordered.sort((a, b) => b.score - a.score);
  return { scores, ordered };
}

function scan(
  look: Look,
  request: CheckedRequest,
  rows: readonly Row[],
  contents: Contents,
  { signal }: CallOptions,
  driver: string,
  wordScore?: (row: Row) => number | undefined,
): ScanOutcome {
  const found = scanRows(
    sourceOf(look.scene, contents),
    look,
    request,
    { rows, driver, ...(wordScore && { wordScore }) },
    signal ? { signal } : {},
  );
  return {
    ...found,
    steps: [{ step: `read by ${driver.slice(4)}`, left: rows.length }, ...found.steps.slice(1)],
  };
}
