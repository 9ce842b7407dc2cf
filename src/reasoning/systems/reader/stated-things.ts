import type { Vec3 } from "../../../geometry/index.ts";
import {
  contentId,
  LIMITS,
  type RecordInput,
  recordSchema,
  type Sighting,
  type Stored,
  WORLD_FRAME,
} from "../../../schema/index.ts";
import { type Stated, type Statement, statementsIn } from "./statements.ts";

/** A record of text, with the place it was made at. */
export interface Spoken {
  readonly record: Stored;
  readonly position?: Vec3 | undefined;
}

/** Things, rooms and looks as texts state them, and which text each comes from. */
export interface StatedThings {
  readonly records: readonly Stored[];
  readonly sightings: readonly Sighting[];
  /** The latest text that speaks of a stated record, by that record's id. */
  readonly saidBy: ReadonlyMap<string, Spoken>;
}

/** Attributes that distinguish things where only words are known; states change. */
const TELLING = ["colour", "material"] as const;
/** The assumed size of a thing known only from words, metres: that of portable things. */
const SIDE_M = 0.3;
/** A state that was said once; more that say so make it surer, as three of four do. */
const SAID_P = 0.75;

interface Thing {
  readonly key: string;
  readonly first: Statement;
  readonly said: { readonly by: Spoken; readonly one: Statement; readonly room: string | undefined }[];
  holder: { readonly by: "on" | "in"; readonly key: string } | undefined;
}

/**
 * The things of which texts speak, as records that the algebra reads like those of things that were tracked. Text has no
 * identity: things of one kind and look are one, unless one sentence speaks of several. They are where their text was made.
 */
export function statedThings(texts: readonly Spoken[]): StatedThings {
  const things = new Map<string, Thing>();
  const known = new Map<string, Stated[]>();
  const read = texts
    .toSorted((a, b) => a.record.validFromUs - b.record.validFromUs)
    .map((by) => ({ by, sentences: by.record.text.flatMap((line) => readOnce(line, known)) }));
  const everywhere = looksOf(read.flatMap(({ sentences }) => sentences));
  for (const { by, sentences } of read) {
    const here = looksOf(sentences);
    for (const { room = roomOf(by), things: statements } of sentences) {
      const keys = numbered(statements.map((one) => wholeOf(one, here, everywhere)));
      statements.forEach((one, n) => {
        for (const key of keys[n]!) {
          const thing = things.get(key) ?? { key, first: one, said: [], holder: undefined };
          things.set(key, thing);
          thing.said.push({ by, one, room });
          if (one.holder) thing.holder = { by: one.holder.by, key: keys[one.holder.at]![0]! };
        }
      });
    }
  }
  const all = [...things.values()];
  const rooms = roomsOf(all);
  const made = all.map((thing) => recordsOf(thing, rooms, things));
  return {
    records: [...rooms.values(), ...made.flatMap(({ records }) => records)],
    sightings: made.flatMap(({ sightings }) => sightings),
    saidBy: new Map([
      ...all.flatMap(({ said }) =>
        said.flatMap(({ by, room }) => (room ? [[rooms.get(room)!.id, by] as const] : [])),
      ),
      ...made.flatMap(({ records, latest }) => records.map(({ id }) => [id, latest] as const)),
    ]),
  };
}

/** A view knows in which room it was taken, though its lines name things alone. */
const roomOf = ({ record }: Spoken) => (record.kind === "view" ? record.room : undefined);

/** The things that the statements of one sentence are about: "two chairs" are the first and the second of their look. */
function numbered(statements: readonly Statement[]): string[][] {
  const seen = new Map<string, number>();
  return statements.map((one) => {
    const look = lookOf(one);
    const from = seen.get(look) ?? 0;
    const count = Math.max(1, Math.min(one.count, LIMITS.refsPerRecord));
    seen.set(look, from + count);
    return Array.from({ length: count }, (_, n) => `${look} ${from + n}`);
  });
}

/** Different looks by category: a statement of each. */
type Looks = ReadonlyMap<string, ReadonlyMap<string, Statement>>;

function looksOf(sentences: readonly Stated[]): Looks {
  const looks = new Map<string, Map<string, Statement>>();
  for (const one of sentences.flatMap(({ things }) => things)) {
    const of = looks.get(one.category) ?? new Map<string, Statement>();
    looks.set(one.category, of.set(lookOf(one), one));
  }
  return looks;
}

/** Captions of one place repeat their lines. */
function readOnce(line: string, known: Map<string, Stated[]>): Stated[] {
  const read = known.get(line) ?? statementsIn(line);
  known.set(line, read);
  return read;
}

/** "the fridge is closed" is about the black one that the same text, or no more than one look anywhere, tells of. */
function wholeOf(one: Statement, here: Looks, everywhere: Looks): Statement {
  for (const all of [here, everywhere]) {
    const richer = [...(all.get(one.category)?.values() ?? [])].filter((other) => isRicher(other, one));
    if (richer.length === 1) return { ...richer[0]!, count: one.count };
  }
  return one;
}

/** Says all of a thing that another statement says, and more. */
function isRicher(more: Statement, less: Statement): boolean {
  if (more.category !== less.category) return false;
  const pairs = [
    [more.name, less.name],
    [more.text, less.text],
    ...TELLING.map((attribute) => [more.attributes[attribute], less.attributes[attribute]]),
  ];
  const isAlike = pairs.every(([a, b]) => b === undefined || a === b);
  return isAlike && pairs.some(([a, b]) => a !== undefined && b === undefined);
}

function lookOf({ category, name = "", text = "", attributes }: Statement): string {
  return [category, name, text, ...TELLING.map((attribute) => attributes[attribute] ?? "")].join("|");
}

function roomsOf(things: readonly Thing[]): Map<string, Stored> {
  const rooms = new Map<string, Stored>();
  for (const { said } of things)
    for (const { by, room } of said) {
      if (room === undefined || rooms.has(room)) continue;
      rooms.set(
        room,
        stored({
          ...frameOf(by),
          kind: "region",
          type: "room",
          level: 1,
          id: contentId("room", "stated", room),
          name: room,
          text: [room],
        }),
      );
    }
  return rooms;
}

function recordsOf(thing: Thing, rooms: ReadonlyMap<string, Stored>, all: ReadonlyMap<string, Thing>) {
  const { key, first, said, holder } = thing;
  const latest = said.at(-1)!.by;
  const trackId = contentId("track", "stated", key);
  const phrase = phraseOf(thing);
  const room = mostSaid(said.flatMap(({ room: one }) => one ?? []));
  const regionId = room === undefined ? undefined : rooms.get(room)?.id;
  const held = holder && all.has(holder.key) ? contentId("state", "stated", holder.key) : undefined;
  const common = {
    ...frameOf(latest),
    validFromUs: said[0]!.by.record.validFromUs,
    name: phrase,
    category: first.category,
    text: [phrase],
  };
  const state = stored({
    ...common,
    kind: "state",
    id: contentId("state", "stated", key),
    trackId,
    attributes: attributesOf(thing),
    ...(common.anchor && { extent: { x: SIDE_M, y: SIDE_M, z: SIDE_M } }),
    ...(regionId !== undefined && { regionId }),
    ...(held !== undefined && (holder?.by === "in" ? { insideOf: held } : { supportedBy: held })),
  });
  const type = first.category === "person" ? "person" : "object";
  const track = stored({ ...common, kind: "track", type, id: trackId });
  const sightings = said.map(
    ({ by }): Sighting => ({
      stateId: state.id,
      timeUs: by.record.validFromUs,
      outcome: "seen",
      agentId: by.record.author,
      observationId: by.record.id,
      labels: [],
    }),
  );
  return { records: [track, state], sightings, latest };
}

/** The attributes of a thing by its texts: for changing ones the latest word counts. */
function attributesOf({
  said,
}: Thing): Record<string, { value: string; p: number; support: number; lastUs: number }> {
  const attributes: ReturnType<typeof attributesOf> = {};
  for (const { by, one } of said)
    for (const [name, value] of Object.entries(one.attributes)) {
      const support = attributes[name]?.value === value ? attributes[name].support + 1 : 1;
      attributes[name] = { value, p: 1 - (1 - SAID_P) ** support, support, lastUs: by.record.validFromUs };
    }
  return attributes;
}

function phraseOf({ first: { name, category, attributes, text } }: Thing): string {
  if (name !== undefined) return name;
  const look = TELLING.flatMap((attribute) => attributes[attribute] ?? []);
  const written = text === undefined ? "" : ` that says “${text}”`;
  return `${[...look, category].join(" ")}${written}`.slice(0, LIMITS.nameChars);
}

function frameOf({ record, position }: Spoken) {
  const { sceneId, author, validFromUs } = record;
  const anchor = position && { anchor: { submap: WORLD_FRAME, p: position } };
  return { sceneId, author, validFromUs, validToUs: null, labels: [], ...anchor };
}

function stored(input: RecordInput): Stored {
  return { ...recordSchema.parse(input), version: 1, recordedAtUs: 0, supersededAtUs: null };
}

function mostSaid(words: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}
