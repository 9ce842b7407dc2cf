import type { Transform } from "../../geometry/index.ts";
import { apply } from "../../geometry/index.ts";
import { eachHit, type MemoryReader } from "../../memory/index.ts";
import type { TextEmbedder } from "../../models/index.ts";
import {
  asPerceived,
  LIMITS,
  type Presence,
  type RecordOf,
  type Stored,
  WORLD_FRAME,
} from "../../schema/core.ts";
import { COMMON } from "../settings/common.ts";
import { RECORDS } from "../settings/records.ts";
import { isFluent } from "../state/fluents.ts";
import type { Scene } from "../state/scene.ts";
import { Thing } from "../state/thing.ts";
import { writtenAs } from "./thing-records.ts";

export interface ResumeOptions {
  readonly worldFromSubmap?: ((submap: string) => Transform | undefined) | undefined;
  readonly embedder?: TextEmbedder | undefined;
}

/** Loads the open states of a scene, their tracks and presence, and the stays that ended lately. */
export async function resume(scene: Scene, reader: MemoryReader, options: ResumeOptions): Promise<void> {
  const where = { sceneId: [scene.sceneId] };
  const open: Stored<RecordOf<"state">>[] = [];
  // Only open records overlap the end of time.
  const endOfTime = { fromUs: LIMITS.timeUs - 2, toUs: LIMITS.timeUs - 1 };
  for await (const { record } of eachHit(reader, "state", { where, time: { overlaps: endOfTime } })) {
    open.push(record);
  }
  const past = await reader.search({
    kinds: ["state"],
    where,
    time: { before: LIMITS.timeUs },
    rank: "latest",
    limit: RECORDS.maxEndedRead,
  });
  const ended = past.hits.map(({ record }) => record).filter((record) => record.kind === "state");
  const stays = [...open, ...ended.filter(({ validFromUs, validToUs }) => validToUs! > validFromUs + 1)];
  for (const thing of await readThings(scene, reader, stays, options)) {
    scene.byState.set(thing.stateId, thing);
    thing.identity.wasKnown = true;
    if (thing.identity.endedUs !== undefined) scene.ended.push(thing);
    else if (thing.type === "object") scene.things.add(thing);
    else scene.movers.add(thing);
    scene.latestUs = Math.max(scene.latestUs, thing.evidence.lastSeenUs);
  }
  scene.ended.sort((a, b) => a.identity.endedUs! - b.identity.endedUs!);
  for (const thing of scene.ended) thing.links.successor = successorOf(scene, thing);
}

/** Stored stays as things, with their tracks and presence; those without a known place are left out. */
export async function readThings(
  scene: Scene,
  reader: MemoryReader,
  stays: readonly RecordOf<"state">[],
  options: ResumeOptions,
): Promise<Thing[]> {
  // A person's description of a thing does not predict a detector's.
  const all = stays.map((stay) => asPerceived(stay));
  if (all.length === 0) return [];
  await readTracks(scene, reader, all);
  const graph = await reader.frames();
  const placeOf =
    options.worldFromSubmap ?? ((submap: string) => graph.resolve(WORLD_FRAME, submap) ?? undefined);
  const presences = new Map<string, Presence>();
  for (let at = 0; at < all.length; at += RECORDS.perRead) {
    const ids = all.slice(at, at + RECORDS.perRead).map(({ id }) => id);
    for (const presence of await reader.presence(ids)) presences.set(presence.stateId, presence);
  }
  const vectors = await embedNames(all, options.embedder);
  return all.flatMap((state) => thingOf(scene, state, presences.get(state.id), placeOf, vectors) ?? []);
}

async function readTracks(
  scene: Scene,
  reader: MemoryReader,
  states: readonly RecordOf<"state">[],
): Promise<void> {
  const ids = [...new Set(states.map(({ trackId }) => trackId))];
  for (let at = 0; at < ids.length; at += RECORDS.perRead) {
    for (const track of await reader.get(ids.slice(at, at + RECORDS.perRead))) {
      if (track?.kind !== "track") continue;
      const { id, author, labels, validFromUs, mergedInto, maybeSameAs, type } = track;
      scene.tracks.set(id, { id, author, labels, firstSeenUs: validFromUs, mergedInto, maybeSameAs });
      if (type === "person" || type === "mover") scene.moverTracks.set(id, type);
    }
  }
}

async function embedNames(
  states: readonly RecordOf<"state">[],
  embedder: TextEmbedder | undefined,
): Promise<Map<string, Float32Array | null>> {
  const vectors = new Map<string, Float32Array | null>();
  if (!embedder) return vectors;
  const names = [...new Set(states.flatMap(({ name, category, text }) => [name, category, ...text]))];
  for (let at = 0; at < names.length; at += RECORDS.embedAtOnce) {
    const some = names.slice(at, at + RECORDS.embedAtOnce);
    const found = await embedder.embed(some);
    for (const [i, name] of some.entries()) vectors.set(name, found[i] ?? null);
  }
  return vectors;
}

function thingOf(
  scene: Scene,
  state: RecordOf<"state">,
  presence: Presence | undefined,
  placeOf: (submap: string) => Transform | undefined,
  vectors: ReadonlyMap<string, Float32Array | null>,
): Thing | undefined {
  const place = state.anchor && placeOf(state.anchor.submap);
  if (!state.anchor || !place) return undefined;
  scene.places.know(state.anchor.submap, place);
  const centre = apply(place, state.anchor.p);
  const thing = new Thing({
    stateId: state.id,
    trackId: state.trackId,
    type: scene.moverTracks.get(state.trackId) ?? "object",
    labels: state.labels,
    author: state.author,
    worldBox: { min: centre, max: centre },
    timeUs: state.validFromUs,
  });
  thing.identity.isConfirmed = true;
  thing.identity.isStored = true;
  thing.evidence.existence = COMMON.fewLooks;
  thing.evidence.detections = Math.max(COMMON.fewLooks, presence?.seenCount ?? 0);
  thing.evidence.seenAgainUs = thing.evidence.firstSeenUs;
  thing.evidence.lastSeenUs = Math.max(state.validFromUs, presence?.lastSeenUs ?? state.validFromUs);
  thing.evidence.seenBeforeUs = thing.evidence.lastSeenUs;
  thing.identity.endedUs = state.validToUs ?? undefined;
  thing.identity.lastWrittenUs = thing.evidence.lastSeenUs;
  thing.links.regionId = state.regionId;
  thing.links.supportedBy = state.supportedBy;
  thing.links.insideOf = state.insideOf;
  thing.links.movedFrom = state.movedFrom;
  readWords(thing, state, vectors);
  const sideM = COMMON.toleranceM;
  const { x, y, z } = state.extent ?? { x: sideM, y: sideM, z: sideM };
  thing.shape.addKnown(state.anchor.submap, state.anchor.p, place.q, { x: x / 2, y: y / 2, z: z / 2 });
  thing.replace(scene.places.placeOf);
  const { submap, p } = state.anchor;
  thing.identity.written = {
    key: writtenAs(thing),
    submap,
    p,
    diagonalM: thing.diagonalM,
    atUs: thing.evidence.lastSeenUs,
  };
  return thing;
}

function readWords(
  thing: Thing,
  { name, category, namedBy, maybe, text, attributes }: RecordOf<"state">,
  vectors: ReadonlyMap<string, Float32Array | null>,
): void {
  const { words, fluents } = thing.evidence;
  const looks = Math.min(RECORDS.maxLooksRead, thing.evidence.detections);
  words.categories.add(category, looks / 2);
  if (namedBy !== undefined) words.addNamer(category, namedBy, looks / 2);
  for (const { category: other, p } of maybe ?? []) words.addMaybe(other, (p * looks) / 2);
  const vector = vectors.get(category);
  if (vector) words.setCategoryVector(category, vector);
  words.addPhrase(name, category, vectors.get(name) ?? null, looks / 2);
  for (const line of text) {
    if (line !== name && !line.startsWith("the ") && !line.endsWith("?"))
      words.addPhrase(line, category, vectors.get(line) ?? null, looks / 2 / 2);
  }
  for (const [attribute, { value, p, support, lastUs }] of Object.entries(attributes)) {
    if (isFluent(attribute, value)) fluents.set(attribute, value, support, lastUs);
    words.votesOn(attribute).add(value, Math.max(0.5, (p * looks) / 2));
  }
}

/** The stay that continued another one, by its `movedFrom`. */
function successorOf(scene: Scene, ended: Thing): Thing | undefined {
  for (const thing of scene.byState.values()) {
    if (thing.links.movedFrom?.stateId === ended.stateId) return thing;
  }
  return undefined;
}
