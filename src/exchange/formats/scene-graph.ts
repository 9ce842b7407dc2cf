import { apply, IDENTITY_QUAT, polygonBounds, polygonCentroid, type Vec3 } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import { writeWhole } from "../whole-file.ts";
import { type Colour, colourOf, colourOfName } from "../world/colours.ts";
import { readWorld } from "../world/read-world.ts";
import type { World, WorldPlace, WorldRoom, WorldThing } from "../world/world.ts";
import type { ExportOptions, ExportReport } from "./format.ts";

/** The layers of Hydra's dynamic scene graphs, and the letters of their node symbols. */
const LAYERS = { objects: 2, places: 3, rooms: 4, buildings: 5 } as const;
const LETTERS = { objects: "O", places: "p", rooms: "R", buildings: "B" } as const;
type Layer = keyof typeof LAYERS;
/** The oldest release whose files have all of these fields; every later one reads it. */
const VERSION = { major: 1, minor: 0, patch: 5 };
const ROOM_HEIGHT_M = 2.6;
const NO_LABEL = 4_294_967_295;

/**
 * A dynamic scene graph as spark_dsg saves it in JSON (MIT-SPARK/Spark-DSG, `graph_json_serialization`): objects are
 * children of places, places of rooms, rooms of one building. Our own ids are in the metadata, since a node is a
 * number.
 */
export async function exportSceneGraph(
  reader: MemoryReader,
  path: string,
  options: ExportOptions,
): Promise<ExportReport> {
  const world = await readWorld(reader, options);
  const graph = new GraphText(world);
  const bytes = await writeWhole(path, graph.pieces(), options.signal);
  return { bytes, counts: graph.counts, notes: [] };
}

class GraphText {
  readonly #world: World;
  readonly #nodeOf = new Map<string, string>();
  readonly #labels: Map<string, number>;
  readonly counts = { objects: 0, places: 0, rooms: 0, buildings: 0, edges: 0 };

  constructor(world: World) {
    this.#world = world;
    const categories = [...new Set(world.things.map(({ category }) => category))].sort();
    this.#labels = new Map(categories.map((category, n) => [category, n + 1]));
    for (const { id } of world.things) this.#name("objects", id);
    for (const { id } of world.places) this.#name("places", id);
    for (const { id } of world.rooms) this.#name("rooms", id);
    this.#name("buildings", "building");
  }

  *pieces(): Generator<string> {
    const layerNames = { OBJECTS: 2, AGENTS: 2, PLACES: 3, ROOMS: 4, BUILDINGS: 5 };
    yield `{"SPARK_DSG_header":${JSON.stringify({ project_name: "main", version: VERSION })},`;
    yield `"directed":false,"multigraph":false,"layer_ids":[2,3,4,5],"layer_names":${JSON.stringify(layerNames)},`;
    yield `"metadata":${JSON.stringify({
      loci: { atUs: this.#world.atUs, ids: Object.fromEntries(this.#nodeOf.entries()) },
      labelspaces: { _l2p0: Array.from(this.#labels, ([category, label]) => [label, category]) },
    })},`;
    yield '"nodes":[';
    yield* joined(this.#nodes());
    yield '\n],"edges":[';
    yield* joined(this.#edges());
    yield "\n]}\n";
  }

  /** Ids have 64 bits with a letter on top, beyond JavaScript's exact integers, so they are written as text. */
  #name(layer: Layer, id: string): void {
    const letter = BigInt(LETTERS[layer].charCodeAt(0));
    this.#nodeOf.set(id, String((letter << 56n) | BigInt(this.counts[layer]++)));
  }

  *#nodes(): Generator<string> {
    const { things, places, rooms } = this.#world;
    for (const thing of things) yield this.#node("objects", thing.id, this.#object(thing));
    for (const place of places) yield this.#node("places", place.id, placeAttributes(place));
    for (const room of rooms) yield this.#node("rooms", room.id, this.#room(room));
    yield this.#node("buildings", "building", {
      ...semantic("SemanticNodeAttributes", middleOf(this.#world), "building", [0.5, 0.5, 0.5], NO_LABEL),
      bounding_box: INVALID_BOX,
    });
  }

  #node(layer: Layer, id: string, attributes: object): string {
    return `{"id":${this.#nodeOf.get(id)},"layer":${LAYERS[layer]},"partition":0,"attributes":${JSON.stringify(attributes)}}`;
  }

  *#edges(): Generator<string> {
    const { things, places, rooms } = this.#world;
    for (const { id } of rooms) yield this.#edge("building", id);
    for (const place of places) {
      if (place.roomId !== undefined) yield this.#edge(place.roomId, place.id);
      for (const { to, costM } of place.edges) if (place.id < to) yield this.#edge(place.id, to, costM);
    }
    const nearest = nearestPlaces(places);
    for (const thing of things) {
      const place = thing.placeId ?? nearest(thing);
      if (place !== undefined) yield this.#edge(place, thing.id);
    }
  }

  #edge(source: string, target: string, weight?: number): string {
    const [from, to] = [this.#nodeOf.get(source), this.#nodeOf.get(target)];
    if (from === undefined || to === undefined) return "";
    this.counts.edges++;
    const info = { type: "EdgeAttributes", weighted: weight !== undefined, weight: weight ?? 1 };
    return `{"source":${from},"target":${to},"info":${JSON.stringify(info)}}`;
  }

  #object(thing: WorldThing): object {
    const { worldFromBox, sizeM, name, category, lastSeenUs } = thing;
    return {
      ...semantic(
        "ObjectNodeAttributes",
        worldFromBox.p,
        name,
        colourOf(thing),
        this.#labels.get(category) ?? NO_LABEL,
        lastSeenUs ?? thing.validFromUs,
      ),
      bounding_box: {
        type: "OBB",
        dimensions: triple(sizeM),
        world_P_center: triple(worldFromBox.p),
        world_R_center: worldFromBox.q,
      },
      mesh_connections: [],
      registered: false,
      world_R_object: worldFromBox.q,
    };
  }

  #room({ name, ring, validFromUs }: WorldRoom): object {
    const { min, max } = polygonBounds({ points: ring });
    const z = ring[0]!.z;
    const centre = { x: (min.x + max.x) / 2, y: (min.y + max.y) / 2, z: z + ROOM_HEIGHT_M / 2 };
    return {
      ...semantic(
        "RoomNodeAttributes",
        { ...polygonCentroid({ points: ring }), z },
        name,
        colourOfName(name),
        NO_LABEL,
        validFromUs,
      ),
      bounding_box: {
        type: "AABB",
        dimensions: [max.x - min.x, max.y - min.y, ROOM_HEIGHT_M],
        world_P_center: triple(centre),
        world_R_center: IDENTITY_QUAT,
      },
      semantic_class_probabilities: {},
    };
  }
}

const INVALID_BOX = {
  type: "INVALID",
  dimensions: [0, 0, 0],
  world_P_center: [0, 0, 0],
  world_R_center: IDENTITY_QUAT,
};

function semantic(
  type: string,
  position: Vec3,
  name: string,
  [r, g, b]: Colour,
  label: number,
  updatedUs = 0,
): object {
  return {
    type,
    position: triple(position),
    last_update_time_ns: Math.max(0, updatedUs) * 1_000,
    is_active: false,
    is_predicted: false,
    name,
    color: { r: Math.round(r * 255), g: Math.round(g * 255), b: Math.round(b * 255), a: 255 },
    semantic_label: label,
    semantic_feature: { rows: 0, cols: 0, data: [] },
  };
}

function placeAttributes({ id, position }: WorldPlace): object {
  return {
    ...semantic("PlaceNodeAttributes", position, id, [0.6, 0.6, 0.6], NO_LABEL),
    bounding_box: INVALID_BOX,
    distance: 0,
    num_basis_points: 0,
    voxblox_mesh_connections: [],
    pcl_mesh_connections: [],
    mesh_vertex_labels: [],
    deformation_connections: [],
    real_place: true,
    active_frontier: false,
    frontier_scale: [0, 0, 0],
    orientation: IDENTITY_QUAT,
    need_cleanup: false,
    num_frontier_voxels: 0,
  };
}

/** The place for a thing without one: the nearest in its room, or of all if it is in no room. */
function nearestPlaces(places: readonly WorldPlace[]): (thing: WorldThing) => string | undefined {
  const byRoom = Map.groupBy(places, ({ roomId }) => roomId);
  return ({ roomId, worldFromBox }) => {
    let [best, bestM] = [undefined as string | undefined, Infinity];
    for (const { id, position } of roomId === undefined ? places : (byRoom.get(roomId) ?? [])) {
      const metres = Math.hypot(position.x - worldFromBox.p.x, position.y - worldFromBox.p.y);
      if (metres < bestM) [best, bestM] = [id, metres];
    }
    return best;
  };
}

function middleOf({ rooms, things }: World): Vec3 {
  const points = [
    ...rooms.flatMap(({ ring }) => ring),
    ...things.map(({ worldFromBox }) => apply(worldFromBox, { x: 0, y: 0, z: 0 })),
  ];
  const mean = (axis: "x" | "y" | "z") =>
    points.reduce((sum, point) => sum + point[axis], 0) / Math.max(1, points.length);
  return { x: mean("x"), y: mean("y"), z: mean("z") };
}

function triple({ x, y, z }: Vec3): [number, number, number] {
  return [x, y, z];
}

function* joined(lines: Iterable<string>): Generator<string> {
  let separator = "\n";
  for (const line of lines) {
    if (line === "") continue;
    yield separator + line;
    separator = ",\n";
  }
}
