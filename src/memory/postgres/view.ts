import type { FrameEdge, FrameGraph } from "../../geometry/index.ts";
import { FrameGraph as Graph } from "../../geometry/index.ts";
import { OWNER, type ReaderOptions } from "../port.ts";
import { type Cell, COLUMN, type Row } from "../rows/codec.ts";
import { type Place, placeOfRow } from "../rows/place.ts";
import type { ScanView } from "../rows/scan.ts";
import type { Session } from "./database.ts";
import { PLAIN } from "./record-rows.ts";
import type { SampleCache, SceneSample } from "./sample.ts";
import { EDGE_COLUMNS, edgeOf, type FrameCache, graphAsOf, type SceneState } from "./scene.ts";
import { fromText, toText } from "./text.ts";

/** An edge of the frame graph, and its recording time. */
export interface VisibleEdge {
  readonly recordedAtUs: number;
  readonly edge: FrameEdge;
}

/** The reader's rights, and the time it reads as of. */
export class Eyes {
  readonly options: ReaderOptions;
  readonly #held: ReadonlySet<string> | "*";
  readonly #allowed = new Map<string, boolean>();

  constructor(options: ReaderOptions) {
    this.options = options;
    const { labels } = options.principal ?? OWNER;
    this.#held = labels === "*" ? "*" : new Set(labels);
  }

  /** Whether everything can be seen, so that counts need no filter. */
  get unrestricted(): boolean {
    return this.#held === "*";
  }

  /** The labels that are held, as the tables write them; undefined for all. */
  get held(): string[] | undefined {
    return this.#held === "*" ? undefined : [...this.#held].map(toText);
  }

  get untilUs(): number {
    return this.options.asOfMemoryUs ?? Number.MAX_SAFE_INTEGER;
  }

  holds(labels: readonly string[]): boolean {
    const held = this.#held;
    return held === "*" || labels.every((label) => held.has(label));
  }

  mayRead(labels: Cell | undefined): boolean {
    if (this.#held === "*") return true;
    const key = String(labels);
    let allowed = this.#allowed.get(key);
    if (allowed === undefined) {
      allowed = this.holds(JSON.parse(key) as string[]);
      this.#allowed.set(key, allowed);
    }
    return allowed;
  }

  sees(row: Row): boolean {
    if (!this.mayRead(row[COLUMN.labels])) return false;
    const t = this.options.asOfWorldUs;
    if (t === undefined) return true;
    const to = row[COLUMN.validTo];
    return Number(row[COLUMN.validFrom]) <= t && (to === null || Number(to) > t);
  }
}

/** What an engine keeps of its scene between reads. */
export interface Kept {
  readonly frames: FrameCache;
  readonly samples: SampleCache;
}

/** One call's read of a scene: everything in it is of one moment. */
export class Look implements ScanView {
  readonly session: Session;
  readonly scene: SceneState;
  readonly eyes: Eyes;
  readonly #cache: FrameCache;
  readonly #samples: SampleCache;
  #frames: FrameGraph | undefined;
  #known: FrameGraph | undefined;

  constructor(session: Session, scene: SceneState, eyes: Eyes, kept: Kept) {
    this.session = session;
    this.scene = scene;
    this.eyes = eyes;
    this.#cache = kept.frames;
    this.#samples = kept.samples;
  }

  get options(): ReaderOptions {
    return this.eyes.options;
  }

  get sceneId(): number {
    return this.scene.sceneId;
  }

  /** A few rows of the scene, where it is large enough to need them for a plan. */
  sample(): Promise<SceneSample | undefined> {
    return this.#samples.sample(this.session, this.scene);
  }

  sees = (row: Row): boolean => this.eyes.sees(row);

  /** Reads the frames that places need, and with `named` also those that a request may name. */
  async readFrames(named: boolean): Promise<FrameGraph> {
    const { asOfMemoryUs } = this.options;
    this.#frames ??=
      asOfMemoryUs === undefined
        ? await this.#cache.graph(this.session, this.scene)
        : await graphAsOf(this.session, this.sceneId, asOfMemoryUs);
    if (named) this.#known ??= this.eyes.unrestricted ? this.#frames : (await this.visibleFrames()).graph;
    return this.#frames;
  }

  /** The frames that a request may name; if it names none, any frames will do. */
  knownFrames = (): FrameGraph => this.#known ?? this.#frames!;

  placeOf = (row: Row): Place | undefined => placeOfRow(PLAIN, row, this.#frames!, this.options.mapRevision);

  /**
   * The part of the frames that this reader may know of: those that visible records and sightings depend on, up to the
   * root. Robot names, times and map corrections that belong to hidden records only are hidden with them.
   */
  async visibleFrames(): Promise<{ readonly edges: readonly VisibleEdge[]; readonly graph: FrameGraph }> {
    const { session, sceneId, eyes } = this;
    const all: VisibleEdge[] = (
      await session.rows(
        `SELECT ${EDGE_COLUMNS}, recorded_at FROM frame_edge WHERE scene_id = $1 AND recorded_at <= $2 ORDER BY row`,
        [sceneId, eyes.untilUs],
      )
    ).map((row) => ({ recordedAtUs: Number(row[12]), edge: edgeOf(row) }));
    const edges = eyes.unrestricted ? all : await this.#needed(all);
    return { edges, graph: new Graph(edges.map(({ edge }) => edge)) };
  }

  async #needed(all: readonly VisibleEdge[]): Promise<VisibleEdge[]> {
    const { session, sceneId, eyes } = this;
    const frames = new Set<string>();
    for (const [submap] of await session.rows(
      `SELECT DISTINCT submap FROM record
         WHERE scene_id = $1 AND submap IS NOT NULL AND recorded_at <= $2 AND labels <@ $3::text[]`,
      [sceneId, eyes.untilUs, eyes.held],
    ))
      frames.add(fromText(String(submap)));
    const sighted = await session.rows(
      `SELECT DISTINCT s.submap FROM sighting s JOIN record r ON r.scene_id = s.scene_id AND r.id = s.state
         WHERE s.scene_id = $1 AND s.submap IS NOT NULL AND s.recorded_at <= $2 AND s.labels <@ $3::text[]
           AND r.scene_id = $1 AND r.recorded_at <= $2 AND (r.superseded_at IS NULL OR r.superseded_at > $2)
           AND r.labels <@ $3::text[]`,
      [sceneId, eyes.untilUs, eyes.held],
    );
    for (const [submap] of sighted) frames.add(fromText(String(submap)));
    for (let before = -1; before !== frames.size; ) {
      before = frames.size;
      for (const { edge } of all) if (frames.has(edge.child)) frames.add(edge.parent);
    }
    return all.filter(({ edge }) => frames.has(edge.child));
  }
}
