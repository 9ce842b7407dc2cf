import type { LociRecord, RecordKind } from "./records.ts";

/** The category by which a record is filtered, if its kind has one. */
export function categoryOf(record: LociRecord): string | undefined {
  switch (record.kind) {
    case "detection":
    case "track":
    case "state":
      return record.category;
    case "region":
    case "event":
      return record.type;
    case "caption":
      return record.topic;
    default:
      return undefined;
  }
}

/** The record that this one belongs to: a state's track, a detection's state, a relation's subject. */
export function ownerOf(record: LociRecord): string | undefined {
  switch (record.kind) {
    case "state":
      return record.trackId;
    case "detection":
      return record.stateId;
    case "view":
      return record.observationId;
    case "relation":
      return record.subject;
    case "region":
      return record.parent;
    default:
      return undefined;
  }
}

/** Every blob that a record keeps alive. */
export function blobsOf(record: LociRecord): string[] {
  const refs: (string | undefined)[] = [record.image];
  if (record.kind === "observation") refs.push(record.rgb, record.depth, record.cloud);
  if (record.kind === "detection") refs.push(record.mask);
  if (record.kind === "state") refs.push(record.points);
  if (record.kind === "view") refs.push(record.thumb, record.overlay, record.signature);
  if (record.kind === "region") refs.push(record.grid, record.surface);
  if (record.kind === "agent") refs.push(...(record.givenUp ?? []).map(({ times }) => times));
  return [...new Set(refs.filter((ref) => ref !== undefined))];
}

/**
 * The required references of each kind: when what they name is forgotten, the record is deleted too. Any other
 * reference is dropped, and the record is kept. A test checks this against the schema, so that a new kind or field
 * cannot be missed.
 */
export const GOES_WITH: Readonly<Record<RecordKind, readonly string[]>> = {
  observation: [],
  detection: ["observationId", "stateId"],
  track: ["mergedInto"],
  state: ["trackId"],
  view: ["observationId"],
  caption: [],
  place: [],
  region: [],
  relation: ["subject", "object", "object2"],
  event: ["who", "detail"],
  agent: [],
};

/** Ids of other records that this one references, with the field: for verify and forget. */
export function referencesOf(record: LociRecord): { field: string; id: string }[] {
  const out: { field: string; id: string }[] = [];
  const one = (field: string, id: string | undefined) => id !== undefined && out.push({ field, id });
  const many = (field: string, list: readonly string[]) => {
    for (const id of list) out.push({ field, id });
  };
  switch (record.kind) {
    case "detection":
      one("observationId", record.observationId);
      one("stateId", record.stateId);
      break;
    case "track":
      one("mergedInto", record.mergedInto);
      many(
        "maybeSameAs",
        record.maybeSameAs.map((m) => m.id),
      );
      break;
    case "state":
      one("trackId", record.trackId);
      many("views", record.views);
      one("supportedBy", record.supportedBy);
      one("insideOf", record.insideOf);
      one("regionId", record.regionId);
      one("placeId", record.placeId);
      one("movedFrom", record.movedFrom?.stateId);
      break;
    case "view":
      one("observationId", record.observationId);
      many(
        "visible",
        record.visible.map((v) => v.stateId),
      );
      one("supersedes", record.supersedes);
      break;
    case "caption":
      many("states", record.states);
      many("views", record.views);
      one("regionId", record.regionId);
      break;
    case "place":
      many("views", record.views);
      many("captions", record.captions);
      many(
        "edges",
        record.edges.map((e) => e.to),
      );
      one("regionId", record.regionId);
      break;
    case "region":
      one("parent", record.parent);
      many("children", record.children);
      break;
    case "relation":
      one("subject", record.subject);
      one("object", record.object);
      one("object2", record.object2);
      break;
    case "event":
      many("who", record.who);
      one("regionId", record.regionId);
      break;
  }
  return out;
}
