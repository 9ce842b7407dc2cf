import { apply, distance, type Transform, type Vec3 } from "../geometry/index.ts";
import { contentId, LIMITS, type RecordInput, type RecordOf } from "../schema/core.ts";
import { FLOORS, WAYS } from "./settings.ts";

type EdgeType = RecordOf<"place">["edges"][number]["type"];

/** A node of the topological map: where an agent stood, and which places are reachable from there. */
export interface Place {
  readonly id: string;
  readonly author: string;
  readonly labels: readonly string[];
  readonly submap: string;
  readonly positionInSubmap: Vec3;
  readonly yawRad: number;
  readonly sinceUs: number;
  readonly edges: Map<string, { costM: number; type: EdgeType }>;
  readonly views: string[];
  readonly captions: string[];
  /** Captions made there; the forest's leaves are summarised from them. */
  lines: readonly string[];
  regionId?: string | undefined;
  positionInWorld: Vec3;
}

const EDGE_RANK: Readonly<Record<EdgeType, number>> = { clear: 0, traversed: 1, door: 2 };

/**
 * The places of a scene and the paths between them (docs/formulas.md#taking-in). A new one is created when its agent
 * is farther than the spacing from every place that it could walk straight to; consecutive ones are joined by a
 * traversed edge.
 */
export class PlaceBook {
  readonly #spacingM: number;
  readonly #sceneId: string;
  readonly #places = new Map<string, Place>();
  readonly #cells = new Map<string, Place[]>();
  readonly #changed = new Set<string>();
  readonly #last = new Map<string, { place: Place; timeUs: number }>();

  constructor(sceneId: string, spacingM: number) {
    this.#sceneId = sceneId;
    this.#spacingM = spacingM;
  }

  get size(): number {
    return this.#places.size;
  }

  all(): IterableIterator<Place> {
    return this.#places.values();
  }

  get(id: string): Place | undefined {
    return this.#places.get(id);
  }

  restore(record: RecordOf<"place">, worldFromSubmap: Transform): void {
    if (record.anchor === undefined) return;
    this.#add({
      id: record.id,
      author: record.author,
      labels: record.labels,
      submap: record.anchor.submap,
      positionInSubmap: record.anchor.p,
      yawRad: record.yawRad,
      sinceUs: record.validFromUs,
      edges: new Map(record.edges.map(({ to, costM, type }) => [to, { costM, type }])),
      views: [...record.views],
      captions: [...record.captions],
      lines: record.text,
      regionId: record.regionId,
      positionInWorld: apply(worldFromSubmap, record.anchor.p),
    });
  }

  /** The agent's current place, created if none is near enough and in sight. */
  visit(visit: {
    readonly observationId: string;
    readonly agentId: string;
    readonly labels: readonly string[];
    readonly timeUs: number;
    readonly submap: string;
    readonly worldFromSubmap: Transform;
    readonly positionInSubmap: Vec3;
    readonly yawRad: number;
    readonly isClear: (from: Vec3, to: Vec3) => boolean;
    readonly regionId?: string | undefined;
  }): Place {
    const positionInWorld = apply(visit.worldFromSubmap, visit.positionInSubmap);
    let here = this.nearest(positionInWorld, this.#spacingM, visit.isClear);
    if (here === undefined) {
      here = {
        id: contentId("place", this.#sceneId, visit.observationId),
        author: visit.agentId,
        labels: visit.labels,
        submap: visit.submap,
        positionInSubmap: visit.positionInSubmap,
        yawRad: visit.yawRad,
        sinceUs: visit.timeUs,
        edges: new Map(),
        views: [],
        captions: [],
        lines: [],
        regionId: visit.regionId,
        positionInWorld,
      };
      this.#add(here);
      this.#changed.add(here.id);
    }
    const last = this.#last.get(visit.agentId);
    // A late packet tells where the agent was, not where it went.
    if (last === undefined || visit.timeUs >= last.timeUs) {
      if (last !== undefined && last.place !== here && visit.timeUs - last.timeUs <= FLOORS.restAfterUs)
        this.join(last.place, here, "traversed");
      this.#last.set(visit.agentId, { place: here, timeUs: visit.timeUs });
    }
    return here;
  }

  /** The nearest place within a distance along the floor, optionally only in a clear line. */
  nearest(
    positionInWorld: Vec3,
    withinM: number,
    isClear?: (a: Vec3, b: Vec3) => boolean,
    belowM = 2 * FLOORS.sameStoreyM,
  ): Place | undefined {
    let [best, nearest] = [undefined as Place | undefined, withinM];
    const { x, y } = positionInWorld;
    for (const place of this.near(positionInWorld, withinM, belowM)) {
      const apart = Math.hypot(place.positionInWorld.x - x, place.positionInWorld.y - y);
      if (apart > nearest || (isClear !== undefined && !isClear(positionInWorld, place.positionInWorld)))
        continue;
      if (apart === nearest && best !== undefined && best.id < place.id) continue;
      [best, nearest] = [place, apart];
    }
    return best;
  }

  /** Every place within a distance along the floor, on the same storey: not above, and at most this far below. */
  near({ x, y, z }: Vec3, withinM: number, belowM = 2 * FLOORS.sameStoreyM): Place[] {
    const reach = Math.ceil(withinM / this.#spacingM);
    const [cx, cy] = [Math.floor(x / this.#spacingM), Math.floor(y / this.#spacingM)];
    const found: Place[] = [];
    for (let v = cy - reach; v <= cy + reach; v++) {
      for (let u = cx - reach; u <= cx + reach; u++) {
        for (const place of this.#cells.get(`${u}/${v}`) ?? []) {
          const p = place.positionInWorld;
          const isOn = p.z <= z + 2 * FLOORS.sameStoreyM && p.z >= z - belowM;
          if (isOn && Math.hypot(p.x - x, p.y - y) <= withinM) found.push(place);
        }
      }
    }
    return found;
  }

  /** Joins two places in both directions. A walked edge outranks a clear one, and a door outranks both. */
  join(a: Place, b: Place, type: EdgeType): void {
    const known = a.edges.get(b.id);
    if (known !== undefined && EDGE_RANK[known.type] >= EDGE_RANK[type]) return;
    if (known === undefined && (a.edges.size >= WAYS.maxEdges || b.edges.size >= WAYS.maxEdges)) return;
    const costM = distance(a.positionInWorld, b.positionInWorld);
    a.edges.set(b.id, { costM, type });
    b.edges.set(a.id, { costM, type });
    this.#changed.add(a.id).add(b.id);
  }

  /** Attaches a view, a caption or words to a place. */
  note(
    id: string,
    { view, caption, lines = [] }: { view?: string; caption?: string; lines?: readonly string[] },
  ): void {
    const place = this.#places.get(id);
    if (place === undefined) return;
    if (view !== undefined && place.views.length < WAYS.maxLinks && !place.views.includes(view))
      place.views.push(view);
    if (caption !== undefined && place.captions.length < WAYS.maxLinks && !place.captions.includes(caption))
      place.captions.push(caption);
    const added = lines.filter((line) => line.length > 0 && !place.lines.includes(line));
    place.lines = [...place.lines, ...added].slice(0, WAYS.maxLines);
    this.#changed.add(id);
  }

  /** Assigns a place to its room. */
  assign(place: Place, regionId: string | undefined): void {
    if (place.regionId === regionId) return;
    place.regionId = regionId;
    this.#changed.add(place.id);
  }

  /** Places move with their submaps. */
  correct(worldFromSubmap: (submap: string) => Transform | undefined): void {
    this.#cells.clear();
    for (const place of this.#places.values()) {
      const transform = worldFromSubmap(place.submap);
      if (transform !== undefined) place.positionInWorld = apply(transform, place.positionInSubmap);
      this.#file(place);
    }
  }

  /** Records of what changed since the last call; only new places while their edges may wait. */
  take(onlyNew?: string): RecordInput[] {
    const ids = onlyNew === undefined ? [...this.#changed] : [onlyNew].filter((id) => this.#changed.has(id));
    for (const id of ids) this.#changed.delete(id);
    return ids.map((id) => this.#recordOf(this.#places.get(id)!));
  }

  #add(place: Place): void {
    this.#places.set(place.id, place);
    this.#file(place);
  }

  #file(place: Place): void {
    const { x, y } = place.positionInWorld;
    const key = `${Math.floor(x / this.#spacingM)}/${Math.floor(y / this.#spacingM)}`;
    const there = this.#cells.get(key);
    if (there === undefined) this.#cells.set(key, [place]);
    else there.push(place);
  }

  #recordOf(place: Place): RecordInput {
    const edges = Array.from(place.edges, ([to, { costM, type }]) => ({ to, costM, type }));
    return {
      kind: "place",
      id: place.id,
      sceneId: this.#sceneId,
      author: place.author,
      labels: [...place.labels],
      validFromUs: place.sinceUs,
      validToUs: null,
      anchor: { submap: place.submap, p: place.positionInSubmap },
      yawRad: place.yawRad,
      // An edge to a place that is not written yet is written with that place.
      edges: edges.filter(({ to }) => this.#places.has(to)).slice(0, LIMITS.refsPerRecord),
      views: [...place.views],
      captions: [...place.captions],
      text: [...place.lines],
      ...(place.regionId === undefined ? {} : { regionId: place.regionId }),
    };
  }
}
