import { apply, compose, type FrameGraph } from "../../geometry/index.ts";
import { eachHit, type MemoryReader } from "../../memory/index.ts";
import { LIMITS, type RecordKind, type RecordOf, type Sighting, WORLD_FRAME } from "../../schema/core.ts";
import { Cloud, cloudPieces } from "../world/cloud.ts";
import { roomNames } from "../world/rooms.ts";
import { isMover, thingOf } from "../world/things.ts";
import { floorsOf, isMergedAway, lowest, ringOf, roomOf, type WorldOptions } from "../world/world.ts";
import {
  cloudMessage,
  type EntityText,
  eventMessage,
  framesMessage,
  imageMessage,
  peopleMessage,
  roomEntity,
  sceneMessage,
  thingEntity,
  transformMessage,
} from "./messages.ts";
import { cameraTopics, TOPICS, type Told } from "./topics.ts";

/** Size of all scenes of a topic together, before compression. */
const SCENE_BYTES = 256 * 1024 * 1024;
/** Approximate size of an entity as JSON. */
const ENTITY_BYTES = 1_200;
const MIN_SCENES = 16;
/**
 * Most points of a cloud, and the growth before it is sent again: all clouds together have about five times the
 * points of the last.
 */
export const CLOUD_POINTS = 500_000;
export const CLOUD_GROWTH = 1.25;

export interface HistoryOptions extends WorldOptions {
  /** Size limit for the scenes of one topic. */
  readonly sceneBytes?: number;
}

/** Everything in a memory up to a moment as messages, in order of world time; each source is read as needed. */
export async function* historyOf(reader: MemoryReader, options: HistoryOptions = {}): AsyncGenerator<Told> {
  const { firstUs } = await reader.stats();
  if (firstUs === null) return;
  const graph = await reader.frames();
  const source: Source = { reader, graph, options, movers: await moversOf(reader, options) };
  yield {
    topic: TOPICS.frames,
    schema: "foxglove.FrameTransforms",
    timeUs: firstUs,
    json: framesMessage(graph, firstUs),
  };
  yield* inOrder([
    rooms(source),
    things(source),
    people(source),
    surfaces(source),
    poses(source),
    pictures(source),
    events(source),
  ]);
}

interface Source {
  readonly reader: MemoryReader;
  readonly graph: FrameGraph;
  readonly options: HistoryOptions;
  /** Tracks of things that move by themselves. */
  readonly movers: ReadonlySet<string>;
}

async function moversOf(reader: MemoryReader, { sceneId }: WorldOptions): Promise<Set<string>> {
  const movers = new Set<string>();
  const where = sceneId === undefined ? {} : { where: { sceneId: [sceneId] } };
  for await (const { record } of eachHit(reader, "track", where))
    if (isMover(record.type)) movers.add(record.id);
  return movers;
}

/** Records of a kind that had begun by the moment, earliest first. */
async function* records<K extends RecordKind>(
  { reader, options: { atUs = Number.MAX_SAFE_INTEGER, sceneId } }: Source,
  kind: K,
  category?: string,
): AsyncGenerator<RecordOf<K>> {
  const where = {
    ...(sceneId !== undefined && { sceneId: [sceneId] }),
    ...(category !== undefined && { category: [category] }),
  };
  for await (const { record } of eachHit(reader, kind, { where })) {
    if (record.validFromUs > atUs) return;
    yield record;
  }
}

async function* rooms(source: Source): AsyncGenerator<Told> {
  const drawn: { record: RecordOf<"region">; ring: ReturnType<typeof ringOf> }[] = [];
  for await (const record of records(source, "region", "room")) {
    const ring = ringOf(record, source.graph);
    if (ring.length >= 3 && !isMergedAway(record)) drawn.push({ record, ring });
  }
  const floorsM = floorsOf(drawn.map(({ ring }) => lowest(ring)));
  const names = await roomNames(source.reader, source.options);
  const entities = drawn.map(({ record, ring }) => {
    const room = roomOf(record, ring, floorsM);
    return { ...record, text: roomEntity({ ...room, name: names.get(room.id) ?? room.name }) };
  });
  yield* scenes(source, TOPICS.rooms, async function* () {
    yield* entities;
  });
}

async function* things(source: Source): AsyncGenerator<Told> {
  yield* scenes(source, TOPICS.things, async function* () {
    for await (const record of records(source, "state")) {
      if (source.movers.has(record.trackId) || isMergedAway(record)) continue;
      const thing = thingOf(record, source.graph, "object");
      if (thing) yield { ...record, text: thingEntity(thing) };
    }
  });
}

interface Lasting {
  readonly id: string;
  readonly validFromUs: number;
  readonly validToUs: number | null;
  readonly text: EntityText;
}

/**
 * A complete scene for each moment at which something appeared or disappeared; if that is too much, one for every few
 * of those moments. The records are read twice: for the moments, then for the content of each.
 */
async function* scenes(
  { options: { atUs = Number.MAX_SAFE_INTEGER, sceneBytes = SCENE_BYTES } }: Source,
  topic: string,
  read: () => AsyncIterable<Lasting>,
): AsyncGenerator<Told> {
  const steps = new Map<number, number>();
  const step = (timeUs: number, by: number) => steps.set(timeUs, (steps.get(timeUs) ?? 0) + by);
  for await (const { validFromUs, validToUs } of read()) {
    step(validFromUs, 1);
    if (validToUs !== null && validToUs <= atUs) step(validToUs, -1);
  }
  const moments = keptMoments(steps, sceneBytes);
  let next = 0;
  const alive = new Map<string, Lasting>();
  const tell = (timeUs: number): Told => {
    for (const [id, { validToUs }] of alive) if (validToUs !== null && validToUs <= timeUs) alive.delete(id);
    const json = sceneMessage(
      Array.from(alive.values(), ({ text }) => text),
      timeUs,
    );
    return { topic, schema: "foxglove.SceneUpdate", timeUs, json };
  };
  for await (const lasting of read()) {
    while (next < moments.length && moments[next]! < lasting.validFromUs) yield tell(moments[next++]!);
    alive.set(lasting.id, lasting);
  }
  while (next < moments.length) yield tell(moments[next++]!);
}

/** The moments to emit: all, or every nth and the last. */
function keptMoments(steps: ReadonlyMap<number, number>, sceneBytes: number): number[] {
  const moments = [...steps.keys()].sort((a, b) => a - b);
  let [alive, most] = [0, 1];
  for (const moment of moments) {
    alive += steps.get(moment)!;
    most = Math.max(most, alive);
  }
  const allowed = Math.max(MIN_SCENES, Math.floor(sceneBytes / (most * ENTITY_BYTES)));
  const every = Math.ceil(moments.length / allowed);
  return moments.filter((_, i) => i % every === 0 || i === moments.length - 1);
}

async function* people(source: Source): AsyncGenerator<Told> {
  if (source.movers.size === 0) return;
  const { reader, graph, options } = source;
  const states = new Map<string, RecordOf<"state">>();
  for await (const record of records(source, "state"))
    if (source.movers.has(record.trackId)) states.set(record.id, record);
  for await (const [timeUs, seen] of sightingsByTime(reader, [...states.keys()], options.atUs)) {
    const shown = seen.flatMap(({ stateId, anchor }) => {
      const worldFromSubmap = anchor && graph.resolve(WORLD_FRAME, anchor.submap);
      const thing = thingOf(states.get(stateId)!, graph, "person");
      return thing && worldFromSubmap ? [{ thing, at: apply(worldFromSubmap, anchor.p) }] : [];
    });
    if (shown.length > 0)
      yield {
        topic: TOPICS.people,
        schema: "foxglove.SceneUpdate",
        timeUs,
        json: peopleMessage(shown, timeUs),
      };
  }
}

/** The sightings of each moment, page by page. */
async function* sightingsByTime(
  reader: MemoryReader,
  stateIds: readonly string[],
  atUs = Number.MAX_SAFE_INTEGER - 1,
): AsyncGenerator<[number, Sighting[]]> {
  let fromUs = Number.MIN_SAFE_INTEGER;
  for (;;) {
    const page = await reader.sightings({
      stateIds,
      outcomes: ["seen"],
      order: "earliest",
      during: { fromUs, toUs: atUs + 1 },
      limit: LIMITS.hitsPerSearch,
    });
    const isLast = page.length < LIMITS.hitsPerSearch;
    const endUs = page.at(-1)?.timeUs;
    // The last moment of a full page may continue in the next one.
    for (const [timeUs, seen] of Map.groupBy(page, (sighting) => sighting.timeUs))
      if (isLast || timeUs !== endUs || timeUs === fromUs) yield [timeUs, seen];
    if (isLast || endUs === undefined) return;
    fromUs = endUs === fromUs ? endUs + 1 : endUs;
  }
}

async function* surfaces({ reader, graph, options }: Source): AsyncGenerator<Told> {
  const cloud = new Cloud(CLOUD_POINTS);
  let told = 0;
  let lastUs: number | undefined;
  const tell = (timeUs: number): Told => {
    told = cloud.count;
    return {
      topic: TOPICS.surface,
      schema: "foxglove.PointCloud",
      timeUs,
      json: cloudMessage(cloud.points(), timeUs),
    };
  };
  for await (const piece of cloudPieces(reader, graph, options)) {
    cloud.lay(piece);
    lastUs = piece.timeUs;
    if (cloud.count > told * CLOUD_GROWTH) yield tell(lastUs);
  }
  if (lastUs !== undefined && cloud.count !== told) yield tell(lastUs);
}

async function* poses(source: Source): AsyncGenerator<Told> {
  for await (const { author, sensorId, anchor, validFromUs } of records(source, "observation")) {
    const worldFromSubmap = anchor && source.graph.resolve(WORLD_FRAME, anchor.submap);
    if (anchor?.q === undefined || worldFromSubmap === undefined) continue;
    const { frame, pose } = cameraTopics(author, sensorId);
    const worldFromCamera = compose(worldFromSubmap, { p: anchor.p, q: anchor.q });
    yield {
      topic: pose,
      schema: "foxglove.FrameTransform",
      timeUs: validFromUs,
      json: transformMessage(frame, worldFromCamera, validFromUs),
    };
  }
}

async function* pictures(source: Source): AsyncGenerator<Told> {
  for await (const view of records(source, "view")) {
    const told = await pictureOf(source.reader, view);
    if (told) yield told;
  }
}

/** The picture of a view, if it still exists. */
export async function pictureOf(reader: MemoryReader, view: RecordOf<"view">): Promise<Told | undefined> {
  const bytes = await reader.blob(view.thumb);
  const [observation] = await reader.get([view.observationId]);
  const sensorId = observation?.kind === "observation" ? observation.sensorId : "camera";
  const { frame, image } = cameraTopics(view.author, sensorId);
  const json = bytes && imageMessage(bytes, frame, view.validFromUs);
  return json === undefined
    ? undefined
    : { topic: image, schema: "foxglove.CompressedImage", timeUs: view.validFromUs, json };
}

async function* events(source: Source): AsyncGenerator<Told> {
  for await (const event of records(source, "event"))
    yield {
      topic: TOPICS.events,
      schema: "foxglove.Log",
      timeUs: event.validFromUs,
      json: eventMessage(event),
    };
}

/** Merges several ordered streams into one; only the next message of each is held. */
async function* inOrder(streams: readonly AsyncGenerator<Told>[]): AsyncGenerator<Told> {
  const heads: { told: Told; stream: AsyncGenerator<Told> }[] = [];
  const advance = async (stream: AsyncGenerator<Told>) => {
    const { value, done } = await stream.next();
    if (!done) heads.push({ told: value, stream });
  };
  try {
    for (const stream of streams) await advance(stream);
    while (heads.length > 0) {
      let first = 0;
      for (let i = 1; i < heads.length; i++) if (heads[i]!.told.timeUs < heads[first]!.told.timeUs) first = i;
      const [{ told, stream }] = heads.splice(first, 1) as [{ told: Told; stream: AsyncGenerator<Told> }];
      yield told;
      await advance(stream);
    }
  } finally {
    for (const stream of streams) await stream.return(undefined);
  }
}
