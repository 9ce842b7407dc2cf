import type { Box, TimeUs, Transform, Vec3 } from "../../geometry/index.ts";
import { apply, boxFromCentre, FrameGraph, IDENTITY, transformBox } from "../../geometry/index.ts";
import type { LociRecord, Presence, Sighting, Stored } from "../../schema/index.ts";
import { WORLD_FRAME } from "../../schema/index.ts";
import type { ReaderOptions, SightingQuery } from "../port.ts";
import { OWNER } from "../port.ts";
import type { ArrayState } from "./state.ts";

const NO_EXTENT: Vec3 = { x: 0, y: 0, z: 0 };

/**
 * What one reader may see of a state. Decided here:
 * - Labels belong to a version: a reader sees the versions whose labels it holds all of. A record that gets a label is
 *   hidden from then on; what was public before stays readable as-of before. To hide that too, forget it.
 * - A version is believed at memory time t iff recordedAtUs ≤ t < supersededAtUs; without asOfMemoryUs, iff it is not
 *   superseded. asOfWorldUs t additionally needs validFromUs ≤ t < validToUs.
 * - A sighting is visible iff its own labels are held, it was recorded by then, and the version of its state believed
 *   then is visible by its labels: otherwise its time and place would reveal a hidden state. asOfWorldUs plays no part:
 *   a sighting is an instant, asked for by `during`.
 * - A reader sees exactly the frames that its records and sightings depend on, up to the root.
 */
export class ArrayView {
  readonly state: ArrayState;
  readonly options: ReaderOptions;

  constructor(state: ArrayState, options: ReaderOptions) {
    this.state = state;
    this.options = options;
  }

  get seesAll(): boolean {
    return this.#labels === "*";
  }

  /** Every version the principal may see that had been recorded by the as-of memory time. */
  versions(): Stored[] {
    return this.state.rows.filter((row) => row.recordedAtUs <= this.#memoryUs && this.#holds(row.labels));
  }

  /** The records as this reader finds them: the one version of each that is visible and believed. */
  records(): Stored[] {
    const worldUs = this.options.asOfWorldUs;
    return this.versions().filter(
      (row) =>
        this.#believed(row) &&
        (worldUs === undefined ||
          (row.validFromUs <= worldUs && (row.validToUs === null || worldUs < row.validToUs))),
    );
  }

  edges(): ArrayState["edges"] {
    const known = this.state.edges.filter((row) => row.recordedAtUs <= this.#memoryUs);
    if (this.seesAll) return known;
    const anchored = [...this.versions(), ...this.sightingRows().map(({ sighting }) => sighting)];
    const frames = new Set(anchored.flatMap(({ anchor }) => (anchor ? [anchor.submap] : [])));
    for (let before = -1; before !== frames.size; ) {
      before = frames.size;
      for (const { edge } of known) if (frames.has(edge.child)) frames.add(edge.parent);
    }
    return known.filter(({ edge }) => frames.has(edge.child));
  }

  graph(): FrameGraph {
    return new FrameGraph(
      this.edges().map((row) => row.edge),
      WORLD_FRAME,
    );
  }

  /** mapRevision where given, else the highest revision among the edges visible; 0 without edges. */
  revision(): number {
    return this.options.mapRevision ?? Math.max(0, ...this.edges().map((row) => row.edge.revision));
  }

  /** worldFromFrame at the reader's revision, for frames that do not move: a moving one has no single place. */
  worldFrom(frame: string): Transform | undefined {
    if (frame === WORLD_FRAME) return IDENTITY;
    return this.graph().resolve(WORLD_FRAME, frame, { revision: this.revision() });
  }

  /** Undefined for a record without a position: no anchor, or a submap that does not resolve. */
  placeOf(
    record: LociRecord,
    worldFromSubmap: Transform | undefined,
  ): { centre: Vec3; box: Box } | undefined {
    const { anchor, extent } = record;
    if (anchor === undefined || worldFromSubmap === undefined) return undefined;
    return {
      centre: apply(worldFromSubmap, anchor.p),
      box: transformBox(worldFromSubmap, boxFromCentre(anchor.p, extent ?? NO_EXTENT)),
    };
  }

  sightingRows(): ArrayState["sightings"] {
    const visibleStates = new Set(
      this.versions()
        .filter((row) => row.kind === "state" && this.#believed(row))
        .map((row) => row.id),
    );
    return this.state.sightings.filter(
      ({ recordedAtUs, sighting }) =>
        recordedAtUs <= this.#memoryUs && this.#holds(sighting.labels) && visibleStates.has(sighting.stateId),
    );
  }

  /** Earliest first unless asked otherwise; equal times in the order of writing, or its reverse for latest. */
  sightings(query: SightingQuery): Sighting[] {
    const { stateIds, during, outcomes, order = "earliest", limit } = query;
    const found = this.sightingRows()
      .map((row) => row.sighting)
      .filter(
        (s) =>
          (stateIds === undefined || stateIds.includes(s.stateId)) &&
          (outcomes === undefined || outcomes.includes(s.outcome)) &&
          (during === undefined ||
            (s.timeUs >= during.fromUs && (during.toUs === null || s.timeUs < during.toUs))),
      )
      .sort((a, b) => a.timeUs - b.timeUs);
    if (order === "latest") found.reverse();
    return found.slice(0, limit);
  }

  /** The fold of docs/formulas.md#presence. One answer per id asked; an id unknown or hidden has never been seen. */
  presence(stateId: string): Presence {
    const rows = this.sightings({ stateIds: [stateId] });
    const seen = rows.filter((s) => s.outcome === "seen").map((s) => s.timeUs);
    const absent = rows.filter((s) => s.outcome === "absent").map((s) => s.timeUs);
    const first = seen[0] ?? null;
    const last = seen.at(-1) ?? null;
    return {
      stateId,
      firstSeenUs: first,
      lastSeenUs: last,
      lastAbsentBeforeUs: first === null ? null : (absent.findLast((t) => t < first) ?? null),
      firstAbsentAfterUs: last === null ? null : (absent.find((t) => t > last) ?? null),
      seenCount: seen.length,
    };
  }

  get #labels(): readonly string[] | "*" {
    return (this.options.principal ?? OWNER).labels;
  }

  get #memoryUs(): TimeUs {
    return this.options.asOfMemoryUs ?? Number.POSITIVE_INFINITY;
  }

  #believed(row: Stored): boolean {
    const asOf = this.options.asOfMemoryUs;
    if (asOf === undefined) return row.supersededAtUs === null;
    return row.recordedAtUs <= asOf && (row.supersededAtUs === null || asOf < row.supersededAtUs);
  }

  #holds(labels: readonly string[]): boolean {
    const held = this.#labels;
    return held === "*" || labels.every((label) => held.includes(label));
  }
}
