import { join } from "node:path";
import type { VectorSpace } from "../port.ts";
import { floatsOf } from "../rows/codec.ts";
import type { Connection } from "../sqlite/connection.ts";
import { dropOthers } from "./drop.ts";
import {
  type GraphFacts,
  type GraphPosition,
  isTrue,
  keepGraph,
  keptGraph,
  positionOf,
  VECTORS_OF,
} from "./graph-file.ts";
import { tailWorthAdding } from "./protocol.ts";
import { type Graph, newGraph } from "./usearch.ts";

/** Vectors read at a time, each time in a transaction of its own: a long one would keep the log from being folded in. */
const VECTORS_PER_STEP = 250;
/** Forgetting or new vectors of old texts invalidate a build; it restarts this often before it gives up for now. */
const MAX_BUILDS = 3;
/** One thread, so that the same memory gives the same graph and a search has a core to itself. */
const THREADS = 1;

export interface BuildHooks {
  /** A graph is on disk, whole and checked. Called twice where a kept one was extended. */
  onGraph(facts: GraphFacts): void;
  onProgress(done: number, total: number): void;
  /** Asked between steps; whatever was not finished then is dropped. */
  isStopped(): boolean;
}

/**
 * Brings the graph of a space up to the truth: the kept one is checked, then extended by newer vectors if they are
 * many; without a valid one, a new one is built. Meanwhile the memory may be written.
 */
export function bringUp(connection: Connection, folder: string, space: VectorSpace, hooks: BuildHooks): void {
  const kept = keptGraph(connection, folder, space);
  if (kept === undefined) dropOthers(folder, space);
  else {
    hooks.onGraph(kept);
    const now = positionOf(connection);
    if (now === undefined || now.record - kept.record <= tailWorthAdding(kept.vectors)) return;
  }
  for (let attempt = 1; attempt <= MAX_BUILDS && !hooks.isStopped(); attempt++) {
    const facts = buildOnce(connection, folder, space, attempt === 1 ? kept : undefined, hooks);
    if (facts === undefined) continue;
    dropOthers(folder, space, facts.file);
    hooks.onGraph(facts);
    return;
  }
}

/** Undefined if it was stopped or the truth changed meanwhile; then nothing of it is left on disk. */
function buildOnce(
  connection: Connection,
  folder: string,
  space: VectorSpace,
  base: GraphFacts | undefined,
  hooks: BuildHooks,
): GraphFacts | undefined {
  const start = positionOf(connection);
  const dim = connection.embedder(space)?.dim;
  if (start === undefined || dim === undefined) return undefined;
  const graph = newGraph(dim);
  if (base !== undefined) graph.load(join(folder, base.file));
  const source = new VectorSource(connection, space, dim);
  // While a large graph is built much may be written: what came meanwhile is added before it is saved. The position
  // is taken before the vectors are read, so that it never claims more than there is.
  let position: GraphPosition = start;
  let lastKey = base?.lastKey ?? 0;
  for (let added = Number.POSITIVE_INFINITY; added > VECTORS_PER_STEP; ) {
    const before = graph.size();
    position = positionOf(connection) ?? position;
    lastKey = addAll(graph, source, lastKey, hooks);
    added = graph.size() - before;
    if (hooks.isStopped()) return undefined;
  }
  const { epoch, forgotten } = start;
  const made = { ...position, epoch, forgotten, dim, lastKey, vectors: graph.size() };
  if (!isTrue(connection, space, made)) return undefined;
  const facts = keepGraph(connection, folder, space, made, (path) => graph.save(path));
  // Something may have been forgotten while the file was written: then it must not stay.
  if (facts !== undefined && isTrue(connection, space, facts)) return facts;
  dropOthers(folder, space);
  return undefined;
}

function addAll(graph: Graph, source: VectorSource, after: number, hooks: BuildHooks): number {
  const total = source.count();
  let lastKey = after;
  while (!hooks.isStopped()) {
    const { keys, vectors } = source.after(lastKey);
    if (keys.length === 0) break;
    graph.add(keys, vectors, THREADS);
    lastKey = Number(keys.at(-1));
    hooks.onProgress(Math.min(graph.size(), total), total);
  }
  return lastKey;
}

/** The vectors of a space in the order of their keys. */
class VectorSource {
  readonly #connection: Connection;
  readonly #ofSpace: string;
  readonly #dim: number;

  constructor(connection: Connection, space: VectorSpace, dim: number) {
    this.#connection = connection;
    this.#ofSpace = VECTORS_OF[space];
    this.#dim = dim;
  }

  count(): number {
    return Number(this.#connection.row(`SELECT count(*) ${this.#ofSpace}`)?.[0]);
  }

  after(key: number): { keys: BigUint64Array; vectors: Float32Array } {
    const rows = this.#connection.rows(
      `SELECT v.meaning, v.data ${this.#ofSpace} AND v.meaning > ? ORDER BY v.meaning LIMIT ${VECTORS_PER_STEP}`,
      key,
    );
    // Another embedder's vectors have replaced the table's: stop reading, and the check will fail.
    if (rows.some(([, data]) => (data as Uint8Array).byteLength !== this.#dim * 4)) rows.length = 0;
    const keys = new BigUint64Array(rows.length);
    const vectors = new Float32Array(rows.length * this.#dim);
    rows.forEach(([meaning, data], i) => {
      keys[i] = BigInt(meaning as number);
      vectors.set(floatsOf(data as Uint8Array), i * this.#dim);
    });
    return { keys, vectors };
  }
}
