import { apply, compose, type FrameGraph, type Vec3 } from "../../geometry/index.ts";
import { type Change, eachHit, logEndOf, type MemoryReader } from "../../memory/index.ts";
import { type RecordOf, type Stored, WORLD_FRAME } from "../../schema/core.ts";
import { Cloud, cloudPieces } from "../world/cloud.ts";
import { atMoment, withCategory } from "../world/read-world.ts";
import { roomNames } from "../world/rooms.ts";
import { isMover, thingOf } from "../world/things.ts";
import { floorsOf, isMergedAway, lowest, ringOf, roomOf, type WorldThing } from "../world/world.ts";
import { CLOUD_POINTS, pictureOf } from "./history.ts";
import {
  cloudMessage,
  type EntityText,
  eventMessage,
  framesMessage,
  peopleMessage,
  roomEntity,
  sceneMessage,
  thingEntity,
  transformMessage,
} from "./messages.ts";
import { cameraTopics, TOPICS, type Told } from "./topics.ts";

export interface LiveOptions {
  /** Only this scene. */
  readonly sceneId?: string;
  readonly signal: AbortSignal;
  /** A message that replaces the last one on its topic. */
  readonly onTold: (told: Told) => void;
  /** The content of the last message on a topic was forgotten. */
  readonly onGone: (topic: string) => void;
}

/** Scenes are sent at most this often, and building them takes at most a tenth of the time. */
const TELL_EVERY_MS = 200;
const TELL_SHARE = 10;
/** Clouds are large and grow slowly. */
const CLOUD_EVERY_MS = 5_000;
/** Labels may be added to formerly visible records without any change event, so everything is read again this often. */
const REREAD_EVERY_MS = 60_000;
/** How many observations back the cameras are searched for. */
const LOOKS_BACK = 200;

/** Sends the latest message of every topic, and then each change, until stopped. */
export async function followLive(reader: MemoryReader, options: LiveOptions): Promise<void> {
  const { signal } = options;
  const logEndUs = await logEndOf(reader);
  const scene = new LiveScene(reader, options);
  await scene.readAll();
  await scene.readCameras();
  scene.tell(true);
  // Changes, full reads and sending are serialised: nothing half-read is sent, and nothing forgotten comes back.
  let last: Promise<void> = Promise.resolve();
  const inTurn = (work: () => Promise<void> | void): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };
  const stop = new AbortController();
  const until = AbortSignal.any([signal, stop.signal]);
  const telling = tellWhile(scene, inTurn, until);
  try {
    const from = logEndUs === null ? {} : { afterUs: logEndUs };
    for await (const change of reader.changes({ ...from, signal: until }))
      await inTurn(() => scene.take(change));
  } finally {
    stop.abort();
    await telling;
  }
}

async function tellWhile(
  scene: LiveScene,
  inTurn: (work: () => Promise<void> | void) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let [cloudMs, rereadMs] = [Date.now(), Date.now()];
  while (!signal.aborted) {
    const beganMs = Date.now();
    if (scene.hasChanged && beganMs - rereadMs >= REREAD_EVERY_MS) {
      rereadMs = beganMs;
      await inTurn(() => scene.readAll());
    }
    const withCloud = beganMs - cloudMs >= CLOUD_EVERY_MS;
    if (withCloud) cloudMs = beganMs;
    await inTurn(() => scene.tell(withCloud));
    await pause(Math.max(TELL_EVERY_MS, TELL_SHARE * (Date.now() - beganMs)), signal);
  }
}

/** The current scene, kept as text that only needs its time. */
class LiveScene {
  readonly #reader: MemoryReader;
  readonly #options: LiveOptions;
  #graph!: FrameGraph;
  #nowUs = 0;
  #things = new Map<string, EntityText>();
  #rooms = new Map<string, { readonly record: RecordOf<"region">; readonly ring: readonly Vec3[] }>();
  #roomNames: ReadonlyMap<string, string> = new Map();
  #people = new Map<string, { thing: WorldThing; at?: Vec3 }>();
  #movers = new Set<string>();
  #cloud = new Cloud(CLOUD_POINTS);
  #pieces = new Set<string>();
  readonly #stale = new Set<string>();
  /** The record behind the last message of each topic. */
  readonly #toldOf = new Map<string, string>();
  hasChanged = false;

  constructor(reader: MemoryReader, options: LiveOptions) {
    this.#reader = reader;
    this.#options = options;
  }

  /** Reads all lasting content as it is now. */
  async readAll(): Promise<void> {
    const reader = this.#reader;
    const { sceneId } = this.#options;
    this.hasChanged = false;
    this.#nowUs = Math.max(this.#nowUs, (await reader.stats()).lastUs ?? 0);
    this.#graph = await reader.frames();
    const now = atMoment(this.#nowUs, sceneId);
    const scene = sceneId === undefined ? {} : { where: { sceneId: [sceneId] } };
    this.#movers = new Set();
    for await (const { record } of eachHit(reader, "track", scene))
      if (isMover(record.type)) this.#movers.add(record.id);
    this.#things = new Map();
    this.#people = new Map();
    for await (const { record } of eachHit(reader, "state", now)) this.#state(record);
    this.#rooms = new Map();
    for await (const { record } of eachHit(reader, "region", withCategory(now, "room"))) this.#region(record);
    this.#cloud = new Cloud(CLOUD_POINTS);
    this.#pieces = new Set();
    for await (const piece of cloudPieces(reader, this.#graph, sceneId === undefined ? {} : { sceneId })) {
      this.#cloud.lay(piece);
      this.#pieces.add(piece.id);
    }
    await this.#nameRooms();
    for (const topic of [TOPICS.things, TOPICS.rooms, TOPICS.surface, TOPICS.frames]) this.#stale.add(topic);
  }

  async #nameRooms(): Promise<void> {
    const { sceneId } = this.#options;
    const scene = sceneId === undefined ? {} : { sceneId };
    this.#roomNames = await roomNames(this.#reader, { atUs: this.#nowUs, ...scene });
  }

  /** Reads the last camera poses, their pictures, and the last events. */
  async readCameras(): Promise<void> {
    const { sceneId } = this.#options;
    const where = sceneId === undefined ? {} : { where: { sceneId: [sceneId] } };
    for (const kind of ["observation", "view", "event"] as const) {
      const { hits } = await this.#reader.search({
        kinds: [kind],
        rank: "latest",
        limit: LOOKS_BACK,
        ...where,
      });
      for (const { record } of hits.reverse()) await this.#record(record);
    }
  }

  async take(change: Change): Promise<void> {
    this.hasChanged = true;
    if (change.frames > 0) await this.#frames();
    for (const record of change.put)
      if (this.#options.sceneId === undefined || record.sceneId === this.#options.sceneId)
        await this.#record(record);
    const seen = change.sightings.filter(
      ({ stateId, outcome }) => outcome === "seen" && this.#people.has(stateId),
    );
    for (const { stateId, anchor, timeUs } of seen) {
      const worldFromSubmap = anchor && this.#graph.resolve(WORLD_FRAME, anchor.submap);
      if (worldFromSubmap === undefined) continue;
      this.#people.set(stateId, { ...this.#people.get(stateId)!, at: apply(worldFromSubmap, anchor!.p) });
      this.#nowUs = Math.max(this.#nowUs, timeUs);
      this.#stale.add(TOPICS.people);
    }
    if (change.forgotten.length > 0) await this.#forget(change.forgotten);
    if (this.#stale.has(TOPICS.rooms)) await this.#nameRooms();
  }

  /** Sends what changed since the last call. */
  tell(withCloud: boolean): void {
    const timeUs = this.#nowUs;
    const send = (topic: string, schema: Told["schema"], json: () => string) => {
      if (this.#stale.delete(topic)) this.#options.onTold({ topic, schema, timeUs, json: json() });
    };
    send(TOPICS.frames, "foxglove.FrameTransforms", () => framesMessage(this.#graph, timeUs));
    send(TOPICS.rooms, "foxglove.SceneUpdate", () => sceneMessage(this.#roomEntities(), timeUs));
    send(TOPICS.things, "foxglove.SceneUpdate", () => sceneMessage(this.#things.values(), timeUs));
    send(TOPICS.people, "foxglove.SceneUpdate", () => {
      const seen = [...this.#people.values()].flatMap(({ thing, at }) => (at ? [{ thing, at }] : []));
      for (const [id, person] of this.#people) this.#people.set(id, { thing: person.thing });
      return peopleMessage(seen, timeUs);
    });
    if (withCloud)
      send(TOPICS.surface, "foxglove.PointCloud", () => cloudMessage(this.#cloud.points(), timeUs));
  }

  #roomEntities(): EntityText[] {
    const drawn = [...this.#rooms.values()];
    const floorsM = floorsOf(drawn.map(({ ring }) => lowest(ring)));
    return drawn.map(({ record, ring }) => {
      const room = roomOf(record, ring, floorsM);
      return roomEntity({ ...room, name: this.#roomNames.get(room.id) ?? room.name });
    });
  }

  async #record(record: Stored): Promise<void> {
    this.#nowUs = Math.max(this.#nowUs, record.validFromUs);
    switch (record.kind) {
      case "track":
        return this.#track(record);
      case "state":
        return this.#state(record);
      case "region":
        return record.type === "map" ? this.#map(record) : this.#region(record);
      case "observation":
        return this.#pose(record);
      case "view":
        return this.#show(await pictureOf(this.#reader, record), record.id);
      case "event": {
        const json = eventMessage(record);
        return this.#show(
          { topic: TOPICS.events, schema: "foxglove.Log", timeUs: record.validFromUs, json },
          record.id,
        );
      }
    }
  }

  #track({ id, type }: RecordOf<"track">): void {
    if (isMover(type)) this.#movers.add(id);
  }

  #state(record: RecordOf<"state">): void {
    const { id, trackId, validToUs } = record;
    const isOver = isMergedAway(record) || (validToUs !== null && validToUs <= this.#nowUs);
    const isPerson = this.#movers.has(trackId);
    const thing = isOver ? undefined : thingOf(record, this.#graph, isPerson ? "person" : "object");
    this.#things.delete(id);
    this.#people.delete(id);
    if (thing && isPerson) this.#people.set(id, { thing });
    else if (thing) this.#things.set(id, thingEntity(thing));
    this.#stale.add(TOPICS.things);
  }

  #region(record: RecordOf<"region">): void {
    if (record.type !== "room") return;
    const ring = record.validToUs === null ? ringOf(record, this.#graph) : [];
    if (ring.length >= 3) this.#rooms.set(record.id, { record, ring });
    else this.#rooms.delete(record.id);
    this.#stale.add(TOPICS.rooms);
  }

  /** A new or grown submap; its points replace its earlier ones. */
  async #map(record: RecordOf<"region">): Promise<void> {
    for await (const piece of cloudPieces(this.#reader, this.#graph, { ids: [record.id] })) {
      this.#cloud.lay(piece);
      this.#pieces.add(piece.id);
      this.#stale.add(TOPICS.surface);
    }
  }

  #pose({ id, author, sensorId, anchor, validFromUs }: RecordOf<"observation">): void {
    const worldFromSubmap = anchor && this.#graph.resolve(WORLD_FRAME, anchor.submap);
    if (anchor?.q === undefined || worldFromSubmap === undefined) return;
    const { frame, pose } = cameraTopics(author, sensorId);
    const worldFromCamera = compose(worldFromSubmap, { p: anchor.p, q: anchor.q });
    const json = transformMessage(frame, worldFromCamera, validFromUs);
    this.#show({ topic: pose, schema: "foxglove.FrameTransform", timeUs: validFromUs, json }, id);
  }

  #show(told: Told | undefined, recordId: string): void {
    if (told === undefined) return;
    this.#toldOf.set(told.topic, recordId);
    this.#options.onTold(told);
  }

  /** New frames do not affect existing anchors; moved frames move everything. */
  async #frames(): Promise<void> {
    const before = this.#graph;
    this.#graph = await this.#reader.frames();
    this.#stale.add(TOPICS.frames);
    const moved = this.#graph.changedFrames(before.revision, this.#graph.revision);
    if (moved.some((change) => change.before !== undefined)) await this.readAll();
  }

  async #forget(ids: readonly string[]): Promise<void> {
    for (const id of ids) {
      if (this.#things.delete(id)) this.#stale.add(TOPICS.things);
      if (this.#rooms.delete(id)) this.#stale.add(TOPICS.rooms);
      if (this.#people.delete(id)) this.#stale.add(TOPICS.people);
    }
    const gone = new Set(ids);
    for (const [topic, id] of this.#toldOf) {
      if (!gone.has(id)) continue;
      this.#toldOf.delete(topic);
      this.#options.onGone(topic);
    }
    if (ids.some((id) => this.#pieces.has(id))) await this.readAll();
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
    if (signal.aborted) done();
  });
}
