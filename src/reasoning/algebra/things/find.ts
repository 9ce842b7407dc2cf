import { outlineOf } from "../../../belief/candidates.ts";
import type { Description } from "../../../belief/description.ts";
import { contradictionOf, detailFit, printedOn } from "../../../belief/matching.ts";
import { isSpot } from "../../../belief/spots.ts";
import { type Against, distinctTracks, isLiveAt, type KnownThing } from "../../../belief/thing.ts";
import { evidenceFor, likelier, supported, trust } from "../../../belief/trust.ts";
import { apart } from "../../../belief/twins.ts";
import { type Box, centreOf } from "../../../geometry/index.ts";
import { headOf, movesItself } from "../../../ontology/index.ts";
import type { Scope } from "../operator.ts";
import type { ThingsValue } from "../value.ts";
import { agreement, attributeAt, SIZE_WORDS, STATES } from "./attributes.ts";
import { completenessOfNamed } from "./coverage.ts";
import { sizeOf } from "./measure.ts";
import { GONE } from "./standing.ts";
import { ownOnly } from "./witness.ts";

/** A set contains the things at least this likely to be in it, and not far behind the likeliest. */
const MEMBER = 0.45;
const BESIDE_BEST = 0.6;
/** An unobserved state may hold; an observed other state makes it unlikely. */
const UNNOTICED = 0.85;
const OTHERWISE = 0.12;
/** Factor for the smallest where the large one is asked for. */
const LEAST_OF_SIZE = 0.35;
/** For a singular reference, the most candidates that are compared. */
const LIKELIEST = 24;

/** The things that fit a description, at the time that is meant; those that fit only in part are `elsewhere`. */
export async function findThings(description: Description, scope: Scope): Promise<ThingsValue> {
  const { memory, enough } = scope;
  const isAny = isAnything(description);
  const [lasting, changing] = parted(description, scope);
  const found = isAny ? await whatever(scope) : await namedOrMarked(lasting, scope);
  const sized = await bySize(legible(found.things, description), description, scope);
  const judged = await Promise.all(sized.map((thing) => weighedBy(thing, lasting, changing, scope)));
  const weighed = await supported(judged, memory);
  // The things beside an anchor are not the likeliest by name alone.
  const isFew = enough?.few && !enough.boxes && !enough.rooms;
  const own = await ownOnly(isFew ? weighed.slice(0, LIKELIEST) : weighed, scope);
  const distinct = await apart(own, memory);
  const phrase = isAny ? "thing" : description.phrase;
  return thingsValue(distinct, {
    phrase,
    complete: await completenessOfNamed(phrase, enough?.rooms, scope),
    times: found.times,
    scope,
  });
}

/**
 * If text was read on other things of its kind, one without readable text is not what a question about the text means.
 */
function legible(things: readonly KnownThing[], { attributes }: Description): readonly KnownThing[] {
  if (attributes["text"] === undefined) return things;
  const read = things.filter(({ state, spot }) => spot || printedOn(state).length > 0);
  return read.length > 0 ? read : things;
}

function isAnything({ head, mods, attributes, owner }: Description): boolean {
  return (
    head === "object" && mods.length === 0 && Object.keys(attributes).length === 0 && owner === undefined
  );
}

interface Found {
  readonly things: readonly KnownThing[];
  readonly times: number;
}

/** "The tax folder": if no thing has that name, a folder with the text "tax". */
async function namedOrMarked(description: Description, scope: Scope): Promise<Found> {
  const found = await named(description, scope);
  const kind = headOf(description.head)?.name;
  const mark = description.head.endsWith(` ${kind}`)
    ? description.head.slice(0, -kind!.length - 1)
    : undefined;
  if (mark === undefined || found.things.some(({ fit }) => fit >= MEMBER)) return found;
  const marked = { ...description, head: kind!, attributes: { ...description.attributes, text: mark } };
  const { things, times } = await named(marked, scope);
  const those = things.filter(({ state }) =>
    printedOn(state).some((text) => text.toLowerCase().includes(mark)),
  );
  return those.length > 0 ? { things: those, times } : found;
}

async function named(description: Description, scope: Scope): Promise<Found> {
  const { memory, enough, broadened } = scope;
  const during = scope.during && { during: scope.during };
  if (description.head === "object") {
    if (description.attributes["text"] !== undefined)
      return { things: await memory.written(description, scope.during), times: 1 };
    const all = await whatever(scope);
    return {
      ...all,
      things: all.things.map((thing) => ({ ...thing, fit: detailFit(description, thing.state) })),
    };
  }
  const scoped = { broadened, doubtful: enough?.doubtful, ...during };
  // In a large building only the rooms in question are read, unless there is none in them.
  if (enough?.rooms && (await memory.house()) === undefined) {
    const here = await memory.things(description, { ...scoped, all: true, rooms: enough.rooms });
    if (here.length > 0) return { things: here, times: memory.shareOf(here) };
  }
  // Beside one thing, the nearest candidates are needed.
  const [box, other] = enough?.few ? (enough.boxes ?? []) : [];
  const around = enough?.near ?? (box && !other ? centreOf(box) : undefined);
  const near = around && { near: around };
  // The things of a room are separated from the others later: the likeliest may all be in other rooms.
  const isFew = enough?.few && !enough.rooms;
  const things = await memory.things(description, { ...scoped, all: !isFew && !near, ...near });
  return { things, times: near ? 1 : memory.shareOf(things) };
}

/** All things, as far as it is enough to read. */
async function whatever({ memory, enough, during }: Scope): Promise<Found> {
  if (enough?.boxes) {
    const around = await Promise.all(
      enough.boxes.map(({ min, max }: Box) => memory.around({ type: "box", min, max }, during)),
    );
    return { things: distinctTracks(around.flat()), times: 1 };
  }
  if (enough?.rooms) {
    const inside = await Promise.all(
      enough.rooms.map((room) =>
        isSpot(room)
          ? memory.around(outlineOf(room)!, during)
          : memory.everything({ roomId: room.id, ...(during && { during }) }),
      ),
    );
    return { things: distinctTracks(inside.flat()), times: 1 };
  }
  const things = await memory.everything({ ...(during && { during }), all: enough?.every });
  return { things, times: memory.shareOf(things) };
}

/** "The large one": larger things are likelier, the smallest of many hardly. */
async function bySize(
  things: readonly KnownThing[],
  { mods }: Description,
  { memory }: Scope,
): Promise<readonly KnownThing[]> {
  const word = mods.map((mod) => SIZE_WORDS[mod.toLowerCase()]).find((one) => one !== undefined);
  if (!word || things.length < 2) return things;
  const [dimension, sign] = word;
  const sizes = await Promise.all(things.map((thing) => sizeOf(thing, dimension, memory)));
  const order = things
    .map((thing, n) => ({ thing, size: sign * (sizes[n] ?? 0) }))
    .sort((a, b) => b.size - a.size);
  return order.map(({ thing }, n) => ({
    ...thing,
    fit: thing.fit * (1 - (LEAST_OF_SIZE * n) / (order.length - 1)),
  }));
}

/** Splits a description into the part that cannot have changed since the time that is meant, and the rest. */
function parted(
  description: Description,
  { during }: Scope,
): [Description, readonly (readonly [string, string])[]] {
  const all = Object.entries(description.attributes);
  const changing = during === undefined ? [] : all.filter(([name]) => STATES.has(name));
  const lasting = all.filter(([name]) => !changing.some(([one]) => one === name));
  return [{ ...description, attributes: Object.fromEntries(lasting) }, changing];
}

/** Each with the evidence against it: its firmly known other values; and whether it is gone. */
async function weighedBy(
  thing: KnownThing,
  lasting: Description,
  changing: readonly (readonly [string, string])[],
  scope: Scope,
): Promise<KnownThing> {
  const against: Against[] = [];
  let { fit } = thing;
  const said = contradictionOf(lasting, thing.state);
  if (said) {
    const says = said.attribute === "text" ? `says “${said.value}”` : `is ${said.value}`;
    against.push({ part: "attribute", says });
  }
  for (const [name, value] of changing) {
    const belief = await attributeAt(thing, name, scope);
    const agreed = belief ? agreement(name, belief.value, value) : UNNOTICED;
    fit *= Math.max(OTHERWISE, agreed);
    if (agreed === 0) against.push({ part: "attribute", says: `was ${belief!.value}` });
  }
  // People come and go; a question about them means their last place.
  const isGone = !isLiveAt(thing, scope.memory.nowUs) && !movesItself(thing.category);
  if (scope.during === undefined && isGone) {
    fit *= GONE;
    against.push({ part: "gone", says: "is gone" });
  }
  const unnoticed = await unnoticedOf(thing, [...Object.entries(lasting.attributes), ...changing], scope);
  return { ...thing, fit, ...(against.length > 0 && { against }), ...(unnoticed && { unnoticed }) };
}

/** A state asked for that was not observed. A seat on which no person was seen is free. */
async function unnoticedOf(
  thing: KnownThing,
  asked: readonly (readonly [string, string])[],
  scope: Scope,
): Promise<string | undefined> {
  for (const [name, value] of asked)
    if (STATES.has(name) && name !== "occupancy" && !(await attributeAt(thing, name, scope))) return value;
  return undefined;
}

interface SetParts {
  readonly phrase: string;
  readonly complete: ThingsValue["complete"];
  readonly scope: Scope;
  readonly times?: number | undefined;
  readonly elsewhere?: readonly KnownThing[] | undefined;
  readonly lacking?: ThingsValue["lacking"];
  readonly where?: string | undefined;
  readonly told?: number | undefined;
}

/** A set of candidates: members are those without contrary evidence that are likely enough. */
export async function thingsValue(candidates: readonly KnownThing[], parts: SetParts): Promise<ThingsValue> {
  const best = Math.max(0, ...candidates.map(({ fit, against }) => (against ? 0 : fit)));
  const least = Math.max(MEMBER, best * BESIDE_BEST);
  const things: KnownThing[] = [];
  const elsewhere: KnownThing[] = [...(parts.elsewhere ?? [])];
  for (const thing of candidates)
    (thing.against === undefined && thing.fit >= least ? things : elsewhere).push(thing);
  return {
    kind: "things",
    things: things.sort(likelier),
    phrase: parts.phrase,
    p: things[0] ? await trust(things[0], parts.scope.memory) : 0.7,
    complete: parts.complete,
    evidence: evidenceFor(things),
    ...(parts.times !== undefined && parts.times > 1 && { times: parts.times }),
    ...(elsewhere.length > 0 && { elsewhere: elsewhere.sort(likelier) }),
    ...(parts.lacking && { lacking: parts.lacking }),
    ...(parts.where !== undefined && { where: parts.where }),
    ...(parts.told !== undefined && { told: parts.told }),
  };
}
