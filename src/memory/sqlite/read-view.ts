import type { FrameGraph } from "../../geometry/index.ts";
import { OWNER, type ReaderOptions } from "../port.ts";
import { type Cell, COLUMN, type Row } from "./codec.ts";
import type { Connection } from "./connection.ts";
import { type Place, placeOfRow } from "./place.ts";

/** What one reader may see, and where things are for it: principal, as-of points and map revision together. */
export class ReadView {
  readonly options: ReaderOptions;
  readonly #connection: Connection;
  readonly #held: ReadonlySet<string> | "*";
  readonly #allowed = new Map<number, boolean>();
  #frames: { graph: FrameGraph; edges: number } | undefined;

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
      const labels = JSON.parse(this.#connection.labelSets.textOf(labelSet)) as string[];
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

  /** Whether the version of a state that is believed shows itself; its sightings tell of it. */
  maySeeState(stateName: number): boolean {
    const row = this.#connection.row(
      `SELECT labels FROM record WHERE id = ? AND ${this.believed}`,
      this.#connection.names.textOf(stateName),
      ...this.memoryTime,
    );
    return row !== undefined && this.mayRead(Number(row[0]));
  }

  /** Frames as known at the reader's memory time; read again when edges were added, since that time may be to come. */
  frames(): FrameGraph {
    const { asOfMemoryUs } = this.options;
    if (asOfMemoryUs === undefined) return this.#connection.frameGraph(undefined);
    const edges = Number(this.#connection.row("SELECT coalesce(max(row), 0) FROM frame_edge")?.[0]);
    if (this.#frames?.edges !== edges)
      this.#frames = { edges, graph: this.#connection.frameGraph(asOfMemoryUs) };
    return this.#frames.graph;
  }

  /** Where a row is in the world, if it is anywhere. */
  placeOf(row: Row): Place | undefined {
    return placeOfRow(this.#connection, row, this.frames(), this.options.mapRevision);
  }
}
