import { RECORD_KINDS } from "../../schema/core.ts";
import type { CheckedRequest } from "../check-request.ts";
import { bm25Idf, bm25Term, wordsOf } from "../lexical.ts";
import type { CallOptions } from "../port.ts";
import { COLUMN, type Row } from "../rows/codec.ts";
import { bodyFilter, type ScanOutcome, scanRows, vectorQuery } from "../rows/scan.ts";
import { spaceTest } from "../space-test.ts";
import { cellRanges } from "./cells.ts";
import { vectorText } from "./copy-data.ts";
import { Contents, recordRow } from "./record-rows.ts";
import { columnsFor, linesOf, namesFrame, plainSearch, sourceOf } from "./search.ts";
import { toText } from "./text.ts";
import type { Look } from "./view.ts";
import { addKeys, addKinds, addVisible, Where } from "./where.ts";
import { meaningTerm } from "./word-store.ts";

/**
 * The server's float32 sums differ from the exact score by at most this for unit vectors of up to 4,096 numbers:
 * (n + 2) · 2⁻²⁴, and a little for good measure.
 */
const ROUNDING = 3e-4;
/** How many more than asked are read first: what the place test refuses, or stands too close to call. */
const SPARE = 24;
const GROWTH = 4;
/** First reach of a search for the nearest without a bound, in metres. */
const FIRST_REACH_M = 4;
const MAX_REACH_M = 2_000;
/** Below this share of the scene its rows drive a semantic search, above it the vectors do. */
const CANDIDATE_SHARE = 0.3;

/**
 * Decides how a request is answered. PostgreSQL's own choice flips with its statistics and, with an approximate index,
 * drops rows; here every plan reads in the order of a bound and goes on until what was not read cannot be among the
 * answers. What has no such plan takes the plain one.
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
  const { test, where } = await conditionsOf(look, request);
  const order = { latest: "r.valid_from DESC, r.id", earliest: "r.valid_from, r.id", id: "r.id" }[
    request.rank as "latest" | "earliest" | "id"
  ];
  for (let count = test === undefined ? request.limit : request.limit + SPARE; ; count *= GROWTH) {
    const rows = (
      await look.session.rows(
        `SELECT ${columnsFor(request)} FROM record r WHERE ${where.sql} ORDER BY ${order} LIMIT ${count}`,
        where.values,
      )
    ).map(recordRow);
    const found = scan(look, request, rows, new Contents(), options, "sql order");
    if (found.ranked.length === request.limit || rows.length < count) return found;
  }
}

/** By meaning alone: by the rows that pass everything else where those are few, else by all vectors. */
async function byMeaning(look: Look, request: CheckedRequest, options: CallOptions): Promise<ScanOutcome> {
  const wanted = vectorQuery(sourceOf(look.scene, new Contents()), "text", request.meaning!)!;
  const { where, isNarrow } = await conditionsOf(look, request);
  const query = vectorText(wanted.query);
  return isNarrow || (await estimate(look, where)) < CANDIDATE_SHARE * look.scene.recordRow
    ? byCandidates(look, request, where, { query, least: wanted.least }, options)
    : byVectors(look, request, where, { query, least: wanted.least }, options);
}

/** Candidates in the order of their best line; a sum over an expression, so that no approximate index can drive it. */
async function byCandidates(
  look: Look,
  request: CheckedRequest,
  where: Where,
  { query, least }: { query: string; least: number },
  options: CallOptions,
): Promise<ScanOutcome> {
  const given = where.value(query);
  const { session, sceneId } = look;
  for (let count = request.limit + SPARE; ; count *= GROWTH) {
    // Vectors are not carried through the sort; only rows, and how far they are.
    const found = await session.rows(
      `SELECT ${columnsFor(request)}, v.d FROM record r CROSS JOIN LATERAL
         (SELECT min(e.embedding <#> ${given}::public.vector) AS d FROM meaning_vector e
            WHERE e.scene_id = $1 AND e.meaning = ANY(r.lines)) v
         WHERE ${where.sql} AND v.d IS NOT NULL ORDER BY v.d + 0, r.id LIMIT ${count}`,
      where.values,
    );
    const rows = found.map((values) => recordRow(values.slice(0, -1)));
    const contents = new Contents();
    await contents.readVectors(session, sceneId, rows.flatMap(linesOf));
    const scanned = scan(look, request, rows, contents, options, "sql candidates");
    if (found.length < count || isComplete(scanned, request.limit, least, -Number(found.at(-1)!.at(-1))))
      return scanned;
  }
}

/** All vectors in the order of their distance, and the records that have them. */
async function byVectors(
  look: Look,
  request: CheckedRequest,
  where: Where,
  { query, least }: { query: string; least: number },
  options: CallOptions,
): Promise<ScanOutcome> {
  const { session, sceneId } = look;
  for (let count = 4 * request.limit + SPARE; ; count *= GROWTH) {
    const near = await session.rows(
      `SELECT e.meaning, (e.embedding <#> $2::public.vector) + 0 AS d FROM meaning_vector e
         WHERE e.scene_id = $1 AND vector_dims(e.embedding) = vector_dims($2::public.vector) ORDER BY d LIMIT ${count}`,
      [sceneId, query],
    );
    const having = new Where(sceneId);
    having.values.splice(0, Infinity, ...where.values);
    having.conditions.splice(0, Infinity, ...where.conditions);
    having.add(
      "r.row IN (SELECT p.row FROM posting p WHERE p.scene_id = $1 AND p.term = ANY(?::text[]))",
      near.map(([meaning]) => meaningTerm(Number(meaning))),
    );
    const rows = (
      await session.rows(`SELECT ${columnsFor(request)} FROM record r WHERE ${having.sql}`, having.values)
    ).map(recordRow);
    const contents = new Contents();
    await contents.readVectors(session, sceneId, rows.flatMap(linesOf));
    const scanned = scan(look, request, rows, contents, options, "sql vectors");
    if (near.length < count || isComplete(scanned, request.limit, least, -Number(near.at(-1)![1])))
      return scanned;
  }
}

/** Whether nothing that was not read can be among the answers: all of that scores at most `bound`, as the server sums. */
function isComplete({ ranked }: ScanOutcome, limit: number, least: number, bound: number): boolean {
  const worst = ranked.length === limit ? ranked.at(-1)!.score : least;
  return worst > bound + ROUNDING;
}

/** By words, and by meaning beside them: each key's own best, by postings and by vectors, and then all keys of those. */
async function byWords(look: Look, request: CheckedRequest, options: CallOptions): Promise<ScanOutcome> {
  const { meaning, rank, limit, pool } = request;
  const { where } = await conditionsOf(look, request);
  const scored = await wordScores(look, request, where);
  const wordScore = (row: Row) => scored.scores.get(Number(row[COLUMN.row]));
  const rows = new Map<number, Row>();
  const need = rank === "fused" ? pool : limit;
  for (let taken = 0, count = need + SPARE; taken < scored.ordered.length; count *= GROWTH) {
    // Rows of one score stand or fall together.
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
  { session, sceneId }: Look,
  request: CheckedRequest,
  some: readonly { readonly row: number }[],
): Promise<Row[]> {
  const found = await session.rows(
    `SELECT ${columnsFor(request)} FROM record r WHERE r.scene_id = $1 AND r.row = ANY($2::bigint[])`,
    [sceneId, some.map(({ row }) => row)],
  );
  return found.map(recordRow);
}

/** BM25 of every row that has one of the words and passes what the server can tell, best first. */
async function wordScores(look: Look, request: CheckedRequest, where: Where) {
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
    `SELECT p.row, p.term, p.tf, r.words, r.id FROM posting p JOIN record r ON r.scene_id = p.scene_id AND r.row = p.row
       WHERE p.scene_id = $1 AND p.term = ANY(${wanted}::text[]) AND ${where.sql}`,
    where.values,
  );
  const byRow = Map.groupBy(postings, ([row]) => Number(row));
  const scores = new Map<number, number>();
  const ordered: { row: number; id: string; score: number }[] = [];
  for (const [row, found] of byRow) {
    const tfs = new Map(found.map(([, term, tf]) => [String(term), Number(tf)]));
    let score = 0;
    // In the order of the question: sums are the same to the last bit whoever computes them.
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

/** What the server can tell of a request, and whether its place alone leaves few. */
async function conditionsOf(look: Look, request: CheckedRequest) {
  const frames = await look.readFrames(namesFrame(request));
  const revision = look.options.mapRevision;
  const test = request.space && spaceTest(request.space, look.knownFrames(), revision);
  const where = addKinds(addVisible(new Where(look.sceneId), look.options), request.kinds);
  addKeys(where, request, test && { test, frames, revision });
  const identity = { p: { x: 0, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } };
  const { ids, owner } = request.where ?? {};
  const isNarrow =
    ids !== undefined ||
    owner !== undefined ||
    (test?.bounds ? cellRanges(test.bounds, identity) !== undefined : false);
  return { test, where, isNarrow };
}

/** About how many rows pass, by the server's statistics; it is not asked where no key narrows. */
async function estimate(look: Look, where: Where): Promise<number> {
  const [plan] = await look.session.rows(
    `EXPLAIN (FORMAT JSON) SELECT 1 FROM record r WHERE ${where.sql}`,
    where.values,
  );
  const [parsed] = (typeof plan![0] === "string" ? JSON.parse(plan![0]) : plan![0]) as [
    { Plan: { "Plan Rows": number } },
  ];
  return parsed.Plan["Plan Rows"];
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
