import { type FrameEdge, FrameGraph } from "../../geometry/index.ts";
import { OWNER, type ReaderOptions } from "../port.ts";
import { type Cell, COLUMN, labelsOf, type Row } from "../rows/codec.ts";
import { type Place, placeOfRow } from "../rows/place.ts";
import type { Connection } from "./connection.ts";

/** An edge of the frame graph, and its recording time. */
export interface VisibleEdge {
  readonly recordedAtUs: number;
  readonly edge: FrameEdge;
}

/** The view of one reader: principal, as-of points and map revision together. */
export class ReadView {
  readonly options: ReaderOptions;
  readonly #connection: Connection;
  readonly #held: ReadonlySet<string> | "*";
  readonly #allowed = new Map<number, boolean>();
  #visible:
    | { readonly state: string; readonly edges: readonly VisibleEdge[]; readonly graph: FrameGraph }
    | undefined;
  #frames: { graph: FrameGraph; edges: number } | undefined;
  /** The frames of visible records up to a row. Rows are only added, unless something is forgotten. */
  #ofRecords = { frames: new Set<string>(), row: 0, forgotten: 0 };

  constructor(connection: Connection, options: ReaderOptions) {
    this.options = options;
    this.#connection = connection;
    const { labels } = options.principal ?? OWNER;
    this.#held = labels === "*" ? "*" : new Set(labels);
  }

  /** Whether everything can be seen, so that counts need no filter. */
  get unrestricted(): boolean {
    return this.#held === "*";
  }

  mayRead(labelSet: number): boolean {
    if (this.#held === "*") return true;
    let allowed = this.#allowed.get(labelSet);
    if (allowed === undefined) {
      const labels = labelsOf(this.#connection.labelSets.textOf(labelSet));
      allowed = this.holds(labels);
      this.#allowed.set(labelSet, allowed);
    }
    return allowed;
  }

  holds(labels: readonly string[]): boolean {
    const held = this.#held;
    return held === "*" || labels.every((label) => held.has(label));
  }

  /** Every label set that is known and may be read. */
  readableLabelSets(): number[] {
    return this.#connection
      .rows("SELECT id FROM label_set")
      .map((row) => Number(row[0]))
      .filter((id) => this.mayRead(id));
  }

  /** The memory-time condition as SQL; its parameters come from `memoryTime`. */
  get believed(): string {
    return this.options.asOfMemoryUs === undefined
      ? "superseded_at IS NULL"
      : "recorded_at <= ? AND (superseded_at IS NULL OR superseded_at > ?)";
  }

  get memoryTime(): Cell[] {
    const t = this.options.asOfMemoryUs;
    return t === undefined ? [] : [t, t];
  }

  /** Whether a believed row is visible to this reader: labels and world time. */
  sees(row: Row): boolean {
    if (!this.mayRead(Number(row[COLUMN.labels]))) return false;
    const t = this.options.asOfWorldUs;
    if (t === undefined) return true;
    const to = row[COLUMN.validTo];
    return Number(row[COLUMN.validFrom]) <= t && (to === null || Number(to) > t);
  }

  /** Whether a sighting shows itself: its own labels are held, and its state is visible at all. */
  seesSighting(state: Cell | undefined, labels: Cell | undefined): boolean {
    return this.unrestricted || (this.mayRead(Number(labels)) && this.maySeeState(Number(state)));
  }

  /** Whether the believed version of a state is visible; its sightings would reveal it. */
  maySeeState(stateName: number): boolean {
    const row = this.#connection.row(
      `SELECT labels FROM record WHERE id = ? AND ${this.believed}`,
      this.#connection.names.textOf(stateName),
      ...this.memoryTime,
    );
    return row !== undefined && this.mayRead(Number(row[0]));
  }

  /**
   * Frames as known at the reader's memory time; read again when edges were added, since that time may be in the
   * future.
   */
  frames(): FrameGraph {
    const { asOfMemoryUs } = this.options;
    if (asOfMemoryUs === undefined) return this.#connection.frameGraph(undefined);
    const edges = Number(this.#connection.row("SELECT coalesce(max(row), 0) FROM frame_edge")?.[0]);
    if (this.#frames?.edges !== edges)
      this.#frames = { edges, graph: this.#connection.frameGraph(asOfMemoryUs) };
    return this.#frames.graph;
  }

  /** The frames that this reader may see, as a graph. */
  knownFrames(): FrameGraph {
    return this.unrestricted ? this.frames() : this.visibleFrames().graph;
  }

  /**
   * The part of the frames that this reader may know of: those that visible records and sightings depend on, up to the
   * root. Robot names, times and map corrections that belong to hidden records only are hidden with them.
   */
  visibleFrames(): { readonly edges: readonly VisibleEdge[]; readonly graph: FrameGraph } {
    const connection = this.#connection;
    const state = ["frame_edge", "record", "sighting", "forgotten"]
      .map((table) => this.#lastRow(table))
      .join();
    if (this.#visible?.state === state) return this.#visible;
    const until = this.options.asOfMemoryUs ?? Number.MAX_SAFE_INTEGER;
    const all = connection
      .rows(
        `SELECT parent, child, stamp, kind, revision, px, py, pz, qw, qx, qy, qz, recorded_at FROM frame_edge
           WHERE recorded_at <= ? ORDER BY row`,
        until,
      )
      .map((row) => ({ recordedAtUs: Number(row[12]), edge: connection.edgeOf(row) }));
    const edges = this.unrestricted ? all : this.#needed(all, until);
    const graph = this.unrestricted ? this.frames() : new FrameGraph(edges.map(({ edge }) => edge));
    this.#visible = { state, edges, graph };
    return this.#visible;
  }

  #needed(all: readonly VisibleEdge[], until: number): VisibleEdge[] {
    const connection = this.#connection;
    const [row, forgotten] = [this.#lastRow("record"), this.#lastRow("forgotten")];
    if (forgotten !== this.#ofRecords.forgotten) this.#ofRecords = { frames: new Set(), row: 0, forgotten };
    const known = this.#ofRecords;
    for (const [submap, labels] of connection.rows(
      "SELECT DISTINCT submap, labels FROM record WHERE row > ? AND submap IS NOT NULL AND recorded_at <= ?",
      known.row,
      until,
    ))
      if (this.mayRead(Number(labels))) known.frames.add(connection.names.textOf(Number(submap)));
    known.row = row;
    const frames = new Set(known.frames);
    const hang = (submap: Cell | undefined) => frames.add(connection.names.textOf(Number(submap)));
    for (const [submap, state, labels] of connection.rows(
      "SELECT DISTINCT submap, state, labels FROM sighting WHERE submap IS NOT NULL AND recorded_at <= ?",
      until,
    ))
      if (this.seesSighting(state, labels)) hang(submap);
    for (let before = -1; before !== frames.size; ) {
      before = frames.size;
      for (const { edge } of all) if (frames.has(edge.child)) frames.add(edge.parent);
    }
    return all.filter(({ edge }) => frames.has(edge.child));
  }

  #lastRow(table: string): number {
    return Number(this.#connection.row(`SELECT coalesce(max(row), 0) FROM ${table}`)?.[0]);
  }

  /** The position of a row in the world, if it has one. */
  placeOf(row: Row): Place | undefined {
    return placeOfRow(this.#connection, row, this.frames(), this.options.mapRevision);
  }
}
