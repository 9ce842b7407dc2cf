import fc from "fast-check";
import { fromYaw } from "../../../geometry/index.ts";
import type { FrameEdgeInput, RecordInput, RecordKind, SightingInput } from "../../../schema/index.ts";
import { blobRefOf, RECORD_KINDS } from "../../../schema/index.ts";
import type { WriteBatch } from "../../port.ts";
import { bytesOf, vectorOf } from "./fixtures.ts";

/**
 * Seeded scenes. What fast-check draws are drafts: small numbers that are turned into valid records only when
 * it is known which ids exist, so that any draft list is a valid scene and shrinks to a small one.
 */

/** Few words, much shared, plurals, accents, a line without words and one without a vector. */
export const LINES = [
  "red mug",
  "a red mug on the table",
  "blue mugs",
  "mug mug mug table",
  "Kitchen table",
  "the door is open",
  "Tür ÖFFNET sich",
  "FRAGILE 42",
  "…!?",
  "chair",
  "red red chair by the door",
  "never embedded mug",
] as const;
const NO_VECTOR = "never embedded mug";
/** Lines that share one vector: equal scores must fall back on the id. */
const SAME_VECTOR: Readonly<Record<string, string>> = { chair: "red mug", "FRAGILE 42": "red mug" };

export const BLOBS = ["one", "two", "three", "four"].map(bytesOf);
export const BLOB_REFS = BLOBS.map(blobRefOf);
export const LABELS = ["alice", "bob"] as const;
export const SCENES = ["home", "work"] as const;
export const AUTHORS = ["r1", "r2"] as const;
export const CATEGORIES = ["mug", "chair", "door"] as const;
export const SUBMAPS = ["world", "map-a", "map-b", "map-c", "map-lost"] as const;
export const SLOTS = 4;

export const lineVector = (line: string): Float32Array => vectorOf(SAME_VECTOR[line] ?? line);
export const imageVector = (index: number): Float32Array => vectorOf(`image ${index % 3}`);

export function vectorsOf(records: readonly RecordInput[]): { text: string; vector: Float32Array }[] {
  const lines = new Set(records.flatMap((record) => record.text ?? []));
  lines.delete(NO_VECTOR);
  return [...lines].map((text) => ({ text, vector: lineVector(text) }));
}

/** The blobs that records name, all but the last with an image vector. */
export function blobsFor(records: readonly RecordInput[]): Pick<WriteBatch, "blobs" | "imageVectors"> {
  const mentioned = JSON.stringify(records);
  const used = BLOBS.map((_, i) => i).filter((i) => mentioned.includes(BLOB_REFS[i]!));
  return {
    blobs: used.map((i) => BLOBS[i]!),
    imageVectors: used.filter((i) => i < 3).map((i) => ({ blob: BLOB_REFS[i]!, vector: imageVector(i) })),
  };
}

/** Three submaps, one under another; each revision moves some of them. `map-lost` has an unknown parent. */
export function framesAt(revision: number): FrameEdgeInput[] {
  const edge = (parent: string, child: string, x: number, y: number, yaw: number): FrameEdgeInput => ({
    parent,
    child,
    transform: { p: { x, y, z: 0 }, q: fromYaw(yaw) },
    kind: "submap",
    revision,
  });
  if (revision === 0) {
    return [
      edge("world", "map-a", 1, 2, 0),
      edge("world", "map-b", -3, 0.5, 0.7),
      edge("map-b", "map-c", 2, 2, -0.3),
      edge("nowhere", "map-lost", 0, 0, 0),
    ];
  }
  return [edge("world", "map-b", -3 + revision / 3, 0.5, 0.7 + revision / 10)].concat(
    revision === 2 ? [edge("world", "map-a", 1, 2.25, Math.PI / 2)] : [],
  );
}

export interface RecordDraft {
  readonly kind: RecordKind;
  readonly slot: number;
  readonly fromUs: number;
  readonly lengthUs: number | null;
  readonly lines: readonly number[];
  readonly labels: readonly string[];
  readonly scene: number;
  readonly category: number;
  readonly place: { submap: number; x: number; y: number; z: number; size: number | null } | null;
  readonly blob: number | null;
  /** Which of the known ids optional references go to. */
  readonly picks: readonly number[];
}

/** The least that a record can be: for what others refer to. */
export const BARE_DRAFT: Omit<RecordDraft, "kind" | "slot"> = {
  fromUs: 0,
  lengthUs: null,
  lines: [],
  labels: [],
  scene: 0,
  category: 0,
  place: null,
  blob: null,
  picks: [0, 0, 0],
};

const small = (max: number) => fc.nat({ max });
export const coordinate = fc.integer({ min: -24, max: 24 }).map((n) => n / 4);

export const recordDraft: fc.Arbitrary<RecordDraft> = fc.record({
  kind: fc.constantFrom(...RECORD_KINDS, "caption" as const, "state" as const),
  slot: small(SLOTS - 1),
  fromUs: small(100),
  lengthUs: fc.option(fc.integer({ min: 1, max: 60 })),
  lines: fc.uniqueArray(small(LINES.length - 1), { maxLength: 3 }),
  labels: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray([...LABELS])),
  scene: small(1),
  category: small(2),
  place: fc.option(
    fc.record({
      submap: small(SUBMAPS.length - 1),
      x: coordinate,
      y: coordinate,
      z: fc.constantFrom(0, 0.5, 1),
      size: fc.option(fc.constantFrom(0, 0.5, 2)),
    }),
    { freq: 6 },
  ),
  blob: fc.option(small(3)),
  picks: fc.array(small(50), { minLength: 3, maxLength: 3 }),
});

export const idOf = (kind: RecordKind, slot: number): string => `${kind}-${slot}`;

/**
 * A draft as a record, given what may be referred to; undefined where a required reference has nothing to go
 * to. Required references depend on the slot alone, so that a record never changes hands between versions.
 */
export function toRecord(draft: RecordDraft, mayName: ReadonlySet<string>): RecordInput | undefined {
  const { kind, slot, place, blob, picks } = draft;
  const id = idOf(kind, slot);
  const common = {
    id,
    sceneId: SCENES[draft.scene]!,
    author: AUTHORS[draft.category % 2]!,
    labels: [...draft.labels],
    validFromUs: draft.fromUs,
    validToUs: draft.lengthUs === null ? null : draft.fromUs + draft.lengthUs,
    text: draft.lines.map((i) => LINES[i]!),
    ...(blob === null ? {} : { image: BLOB_REFS[blob]! }),
    ...(place === null ? {} : placeOf(place)),
  };
  const known = [...mayName].filter((name) => name !== id).sort();
  const some = (kinds: readonly RecordKind[], pick: number): string[] => {
    const fitting = known.filter((name) => kinds.some((k) => name.startsWith(`${k}-`)));
    return fitting.length === 0 || pick % 4 === 0 ? [] : [fitting[pick % fitting.length]!];
  };
  const one = <F extends string>(field: F, kinds: readonly RecordKind[], pick: number) => {
    const [found] = some(kinds, pick);
    return (found === undefined ? {} : { [field]: found }) as { [K in F]?: string };
  };
  const category = CATEGORIES[draft.category]!;
  const [p0, p1, p2] = [picks[0]!, picks[1]!, picks[2]!];
  const needs = (name: string): string | undefined => (mayName.has(name) ? name : undefined);
  const inRegion = one("regionId", ["region"], p0);
  switch (kind) {
    case "observation":
      return { ...common, kind, sensorId: "camera" };
    case "detection": {
      const observationId = needs(idOf("observation", slot % 2));
      if (observationId === undefined) return undefined;
      return { ...common, kind, observationId, score: 0.5, category, ...one("stateId", ["state"], p0) };
    }
    case "track":
      return {
        ...common,
        kind,
        name: category,
        category,
        maybeSameAs: some(["track"], p0).map((other) => ({ id: other, p: 0.5 })),
        ...one("mergedInto", ["track"], p1),
      };
    case "state": {
      const trackId = needs(idOf("track", slot % 2));
      if (trackId === undefined) return undefined;
      return {
        ...common,
        ...inRegion,
        ...one("supportedBy", ["state"], p1),
        ...one("placeId", ["place"], p2),
        kind,
        trackId,
        name: category,
        category,
        views: some(["view"], p2),
        attributes: p1 % 2 === 0 ? {} : { open: { value: p2 % 3 === 0, p: 1, support: 1, lastUs: 5 } },
        ...some(["state"], p0)
          .map((stateId) => ({ movedFrom: { stateId, p: 0.5 } }))
          .at(0),
      };
    }
    case "view": {
      const observationId = needs(idOf("observation", slot % 2));
      if (observationId === undefined) return undefined;
      return {
        ...common,
        ...one("supersedes", ["view"], p1),
        kind,
        observationId,
        thumb: BLOB_REFS[p0 % 4]!,
        visible: some(["state"], p2).map((stateId) => ({
          stateId,
          bbox: [0, 0, 1, 1],
          depthM: 1,
          fraction: 1,
        })),
      };
    }
    case "caption":
      return {
        ...common,
        ...inRegion,
        kind,
        source: "template",
        topic: category,
        states: some(["state"], p1),
        views: some(["view"], p2),
      };
    case "place":
      return {
        ...common,
        ...inRegion,
        kind,
        yawRad: 0,
        captions: some(["caption"], p1),
        edges: some(["place"], p2).map((to) => ({ to, costM: 1, type: "clear" as const })),
      };
    case "region":
      return {
        ...common,
        ...one("parent", ["region"], p0),
        kind,
        type: "room",
        level: 1,
        name: category,
        children: some(["place"], p1),
      };
    case "relation": {
      const subject = needs(idOf("state", slot % 3));
      const object = needs(idOf("state", (slot + 1) % 3));
      if (subject === undefined || object === undefined) return undefined;
      return { ...common, ...one("object2", ["state"], p0), kind, subject, predicate: "on", object };
    }
    case "event":
      return {
        ...common,
        ...inRegion,
        kind,
        type: "appear",
        who: some(["track", "state"], p1),
        detail: { p1 },
      };
    case "agent":
      return { ...common, kind, name: "robot", bodyFrame: "base" };
  }
}

function placeOf(place: NonNullable<RecordDraft["place"]>) {
  const { submap, x, y, z, size } = place;
  return {
    anchor: { submap: SUBMAPS[submap]!, p: { x, y, z } },
    ...(size === null ? {} : { extent: { x: size, y: size / 2, z: size } }),
  };
}

/** Drafts as records in their order, each naming only earlier ones; the last draft of an id counts. */
export function toRecords(
  drafts: readonly RecordDraft[],
  known: Iterable<string>,
  mayName: (id: string, from: string) => boolean = () => true,
): RecordInput[] {
  const names = new Set(known);
  const last = new Map(drafts.map((draft) => [idOf(draft.kind, draft.slot), draft]));
  const records: RecordInput[] = [];
  const ordered = [...last].sort(([a], [b]) => RANK.indexOf(kindIn(a)) - RANK.indexOf(kindIn(b)));
  for (const [id, draft] of ordered) {
    const record = toRecord(draft, new Set([...names].filter((name) => mayName(name, id))));
    if (record === undefined) continue;
    records.push(record);
    names.add(id);
  }
  return records;
}

/** Required references go from right to left here. */
const RANK: readonly string[] = ["observation", "track", "state", ...RECORD_KINDS];
const kindIn = (id: string): string => id.slice(0, id.lastIndexOf("-"));

export interface SightingDraft {
  readonly slot: number;
  readonly outcome: SightingInput["outcome"];
  readonly labels: readonly string[];
  readonly timeUs: number;
}

/** Times differ within a scene: the order of two observations at one instant is no part of the contract. */
export const sightingDraft: fc.Arbitrary<SightingDraft> = fc.record({
  slot: small(SLOTS - 1),
  outcome: fc.constantFrom("seen", "seen", "absent", "occluded", "replaced"),
  labels: fc.oneof({ weight: 3, arbitrary: fc.constant([]) }, fc.subarray([...LABELS])),
  timeUs: fc.integer({ min: -50_000, max: 150_000 }),
});

export function toSightings(
  drafts: readonly SightingDraft[],
  known: ReadonlySet<string>,
  taken: Set<number>,
) {
  return drafts.flatMap(({ slot, ...rest }): SightingInput[] => {
    const stateId = idOf("state", slot);
    if (!known.has(stateId) || taken.has(rest.timeUs)) return [];
    taken.add(rest.timeUs);
    return [{ stateId, ...rest, labels: [...rest.labels] }];
  });
}
