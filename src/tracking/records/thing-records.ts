import type { Vec3 } from "../../geometry/index.ts";
import { apply, centreOf, extentOf, invert, yawOf } from "../../geometry/index.ts";
import { contentId, LIMITS } from "../../schema/core.ts";
import { COMMON } from "../settings/common.ts";
import { RECORDS } from "../settings/records.ts";
import { isFluent } from "../state/fluents.ts";
import type { TrackEntry } from "../state/scene.ts";
import type { SubmapPlaces } from "../state/submap-places.ts";
import type { Thing } from "../state/thing.ts";
import type { RecordInputOf } from "./journal.ts";

type Attributes = NonNullable<RecordInputOf<"state">["attributes"]>;

/** The state of a thing as it is believed now; `writtenAs` of the same thing tells whether that is news. */
export function stateRecord(thing: Thing, sceneId: string, places: SubmapPlaces): RecordInputOf<"state"> {
  const where = anchorOf(thing, places);
  return {
    kind: "state",
    id: thing.stateId,
    sceneId,
    author: thing.author,
    labels: [...thing.labels],
    validFromUs: thing.evidence.firstSeenUs,
    validToUs: thing.identity.endedUs ?? null,
    ...where,
    text: linesOf(thing),
    trackId: thing.trackId,
    name: clipped(thing.words.name),
    category: clipped(thing.words.category),
    ...(thing.words.namedBy !== undefined && { namedBy: clipped(thing.words.namedBy) }),
    ...maybeOf(thing),
    attributes: attributesOf(thing),
    ...(thing.links.supportedBy !== undefined && { supportedBy: thing.links.supportedBy }),
    ...(thing.links.insideOf !== undefined && { insideOf: thing.links.insideOf }),
    ...(thing.links.regionId !== undefined && { regionId: thing.links.regionId }),
    ...(thing.links.movedFrom !== undefined && { movedFrom: thing.links.movedFrom }),
  };
}

/** The identity behind one or more states, with the name of the latest of them. */
export function trackRecord(entry: TrackEntry, thing: Thing, sceneId: string): RecordInputOf<"track"> {
  const name = clipped(thing.words.name);
  return {
    kind: "track",
    id: entry.id,
    sceneId,
    author: entry.author,
    labels: [...entry.labels],
    validFromUs: entry.firstSeenUs,
    validToUs: null,
    text: [name],
    type: thing.type,
    name,
    category: clipped(thing.words.category),
    aliases: thing.words
      .phrases(COMMON.slightShare)
      .map(clipped)
      .filter((phrase) => phrase !== name)
      .slice(0, RECORDS.maxAliases),
    ...(entry.mergedInto !== undefined && { mergedInto: entry.mergedInto }),
    maybeSameAs: entry.maybeSameAs.slice(0, RECORDS.maxMaybes),
    salience: Math.min(10, thing.diagonalM),
  };
}

/** An event that happened to things: `fromUs` to `toUs`, at least one microsecond. */
export function eventRecord(options: {
  readonly type: RecordInputOf<"event">["type"];
  readonly sceneId: string;
  readonly author: string;
  readonly labels: readonly string[];
  readonly fromUs: number;
  readonly toUs: number;
  readonly who: readonly string[];
  readonly detail: NonNullable<RecordInputOf<"event">["detail"]>;
  readonly p?: number;
  readonly anchor?: RecordInputOf<"event">["anchor"];
  readonly line: string;
  readonly regionId?: string | undefined;
}): RecordInputOf<"event"> {
  const { type, sceneId, fromUs, who, detail } = options;
  return {
    kind: "event",
    id: contentId("event", sceneId, options.author, type, fromUs, ...who),
    sceneId,
    author: options.author,
    labels: [...options.labels],
    validFromUs: fromUs,
    validToUs: Math.max(fromUs + 1, options.toUs),
    ...(options.anchor && { anchor: options.anchor }),
    ...(options.regionId !== undefined && { regionId: options.regionId }),
    text: [options.line.slice(0, LIMITS.lineChars)],
    type,
    who: [...who],
    detail,
    p: options.p ?? 1,
  };
}

/**
 * Centre and size in the submap with most evidence for the thing. The fused box is along the world's axes and a
 * record's is along its submap's, so the size is chosen such that the box, rotated into the world, is as large as the
 * fused one.
 */
export function anchorOf(
  thing: Thing,
  places: SubmapPlaces,
): Pick<RecordInputOf<"state">, "anchor" | "extent"> {
  const submap = thing.shape.submap;
  const place = places.placeOf(submap);
  if (!place) return {};
  const e = extentOf(thing.worldBox);
  const [x, y] = sizeBeforeTurn(e, yawOf(place.q));
  return {
    anchor: { submap, p: apply(invert(place), centreOf(thing.worldBox)) },
    extent: { x, y, z: e.z },
  };
}

/** A key of what would be written: compared with the last one written, to detect changes. */
export function writtenAs(thing: Thing): string {
  const { words, trackId, type } = thing;
  const { supportedBy, insideOf, regionId, movedFrom } = thing.links;
  const attributes = Object.entries(attributesOf(thing)).map(([name, { value }]) => [name, value]);
  return JSON.stringify([
    trackId,
    type,
    words.name,
    words.category,
    words.maybe.map(({ category }) => category).sort(),
    attributes,
    supportedBy,
    insideOf,
    regionId,
    movedFrom?.stateId,
    thing.identity.endedUs,
  ]);
}

function maybeOf({ words }: Thing): Pick<RecordInputOf<"state">, "maybe"> {
  const maybe = words.maybe.map(({ category, p }) => ({
    category: clipped(category),
    p: Math.round(100 * p) / 100,
  }));
  return maybe.length > 0 ? { maybe } : {};
}

function attributesOf(thing: Thing): Attributes {
  const out: Attributes = {};
  const fluents = new Set<string>();
  for (const { name, value, p, support, lastUs } of thing.evidence.fluents.entries()) {
    out[name] = { value, p, support, lastUs };
    fluents.add(name);
  }
  for (const [name, votes] of [...thing.words.attributes, ...thing.words.asides]) {
    const value = votes.best();
    if (value === undefined || fluents.has(name) || isFluent(name, value)) continue;
    const support = Math.max(1, Math.round(votes.shareOf(value) * thing.evidence.detections));
    out[name] = { value, p: Math.min(1, votes.shareOf(value)), support, lastUs: thing.evidence.lastSeenUs };
  }
  return out;
}

function linesOf(thing: Thing): string[] {
  const { category, name } = thing.words;
  const lines = [name, ...thing.words.phrases(COMMON.slightShare)];
  for (const { value } of thing.evidence.fluents.entries()) {
    if (typeof value === "string") lines.push(`the ${category} is ${value}`);
  }
  // An uncertain label is searchable as well; the mark distinguishes it from the name.
  for (const { category: other } of thing.words.maybe) lines.push(`${other}?`);
  return [...new Set(lines.map((line) => line.slice(0, LIMITS.lineChars)))].slice(
    0,
    RECORDS.maxLines + LIMITS.maybes,
  );
}

function sizeBeforeTurn(e: Vec3, yawRad: number): [number, number] {
  const [c, s] = [Math.abs(Math.cos(yawRad)), Math.abs(Math.sin(yawRad))];
  const determinant = c * c - s * s;
  if (Math.abs(determinant) > COMMON.slightShare) {
    const x = (c * e.x - s * e.y) / determinant;
    const y = (c * e.y - s * e.x) / determinant;
    if (x > 0 && y > 0) return [x, y];
  }
  // No such box exists: a square with the same sum of sides; at 45° exactly the fused box.
  const side = (e.x + e.y) / 2 / (c + s);
  return [side, side];
}

function clipped(name: string): string {
  return name.slice(0, LIMITS.nameChars) || "thing";
}
