import type { KnownThing } from "../../belief/thing.ts";
import { scopeFor } from "../../compose/ask.ts";
import { localFace } from "../../compose/face.ts";
import type { Memory } from "../../compose/memory.ts";
import { readStates } from "../../exchange/feed/decode.ts";
import { readWorld } from "../../exchange/world/read-world.ts";
import { eachHit } from "../../memory/index.ts";
import { movesItself } from "../../ontology/index.ts";
import { evaluate, print } from "../../reasoning/index.ts";
import type { Expression } from "../../schema/index.ts";
import { Claims, type Contradiction } from "./claims.ts";

export interface ConsistencyReport {
  /** Tracks and rooms that were asked about. */
  readonly subjects: number;
  readonly claims: number;
  readonly contradictions: readonly Contradiction[];
}

type Scope = Awaited<ReturnType<typeof scopeFor>>;
type Row = Readonly<Record<string, string | number | boolean>>;
type State = KnownThing["state"];

/** States that are asked back by value. */
const FLUENTS = ["openness", "power", "fill"] as const;
/** A stay that was over at once is what a merge left behind (µs). */
const LEAST_STAY_US = 1_500_000;

/**
 * Asks every face of a memory about each of its things and rooms and reports where two of them disagree: questions by id
 * and by words, truths, sets, listings, changes, the life of a thing, the viewer's feed, and exports.
 */
export async function checkMemory(
  memory: Memory,
  options: { readonly mostThings?: number; readonly signal?: AbortSignal } = {},
): Promise<ConsistencyReport> {
  const call = options.signal ? { signal: options.signal } : {};
  const claims = new Claims();
  const scope = await scopeFor(memory, {}, call);
  const latest = await latestStays(scope, options.mostThings ?? Infinity);
  await Promise.all([byListings(claims, memory, latest), byFeed(claims, memory, scope, latest)]);
  await byExport(claims, memory, latest);
  const gone = await idsOf(node("affected", [node("changes", [], { kinds: ["gone"] })]), scope);
  for (const [track, { state }] of latest) {
    options.signal?.throwIfAborted();
    await byQuestions(claims, track, state, scope);
    await byLife(claims, memory, track, state);
    if (!movesItself(state.category) && isGoneByRecord(state, scope) && gone)
      claims.add({
        subject: track,
        aspect: "there",
        face: "changes of anything",
        value: yes(!gone.has(track)),
      });
  }
  const rooms = await byRooms(claims, memory, scope);
  return { subjects: latest.size + rooms, claims: claims.count, contradictions: claims.contradictions() };
}

/** Only what was missed by a look is told as gone; the listing of all changes says nothing of the rest. */
function isGoneByRecord({ validToUs }: State, { memory }: Scope): boolean {
  return validToUs !== null && validToUs <= memory.nowUs;
}

/** The latest stay of each thing, merges followed. */
async function latestStays({ memory }: Scope, most: number): Promise<Map<string, KnownThing>> {
  const found = new Map<string, KnownThing>();
  for await (const { record } of eachHit(memory.options.reader, "state")) {
    if (record.validFromUs > memory.nowUs) continue;
    if (record.validToUs !== null && record.validToUs - record.validFromUs < LEAST_STAY_US) continue;
    const thing = await memory.thingOfState(record.id, 1);
    if (thing && found.size < most) found.set(thing.trackId, thing);
  }
  return found;
}

async function byQuestions(claims: Claims, track: string, state: State, scope: Scope): Promise<void> {
  const { memory } = scope;
  const it = knownThing(state);
  const say = (aspect: string, face: string, value: string | undefined) => {
    if (value !== undefined) claims.add({ subject: track, aspect, face, value });
  };
  const isMover = movesItself(state.category);
  if (!isMover) {
    say("there", "is it still here?", await truthOf(node("within", [it, node("house")]), scope));
    say(
      "there",
      "has it gone?",
      no(await truthOf(node("exists", [node("changes", [it], { kinds: ["gone"] })]), scope)),
    );
  }
  const place = await evaluate(node("place", [it]), scope);
  const [item] = place.kind === "words" ? place.items : [];
  if (item?.standing && !isMover && item.standing.status !== "unknown")
    say("there", "where is it?", yes(item.standing.status === "there"));
  const room = item?.room;
  if (room) say("room", "where is it?", room.id);
  const thing = item?.thing;
  if (!thing || !item.standing || item.standing.status !== "there") return;
  if (room) {
    const inside = node("in", [
      node("things", [], { category: state.category }),
      node("known", [], { category: room.name, rooms: [room.id] }),
    ]);
    const ids = await idsOf(inside, scope);
    if (ids && !isTwin(ids, track))
      say("room", "what is in that room?", ids.has(track) ? room.id : "elsewhere");
    say(
      "room",
      "is it in that room?",
      (await truthOf(
        node("within", [it, node("known", [], { category: room.name, rooms: [room.id] })]),
        scope,
      )) === "yes"
        ? room.id
        : "elsewhere",
    );
  }
  await byHolder(say, it, track, scope, thing.heldBy);
  for (const name of FLUENTS) {
    const told = await evaluate(node("attribute", [it], { name }), scope);
    const value = told.kind === "words" ? told.items[0]?.words : undefined;
    if (value === undefined || state.attributes[name] === undefined) continue;
    say(name, "what is it?", value);
    const is = await truthOf(node("is", [it], { attribute: name, value }), scope);
    if (is !== undefined) say(name, "is it so?", is === "yes" ? value : "otherwise");
    const so = await idsOf(node("things", [], { category: state.category, [name]: value }), scope);
    if (so && !isTwin(so, track)) say(name, "which are so?", so.has(track) ? value : "otherwise");
  }
  const seen = await memory.lastSeenUs(thing);
  const when = await evaluate(node("when", [it], { which: "last" }), scope);
  if (when.kind === "times" && when.spans[0]) {
    say("last seen", "when did you last see it?", second(when.spans.at(-1)!.fromUs));
    say("last seen", "belief", second(seen));
  }
}

/** Twins in one place are told as one, by either of their names. */
function isTwin(ids: ReadonlySet<string>, track: string): boolean {
  return !ids.has(track) && ids.size > 0;
}

async function byHolder(
  say: (aspect: string, face: string, value: string | undefined) => void,
  it: Expression,
  track: string,
  scope: Scope,
  held: { readonly relation: "on" | "in"; readonly stateId: string; readonly trackId: string } | undefined,
): Promise<void> {
  if (!held) return;
  const holder = await scope.memory.thingOfState(held.stateId, 1);
  if (!holder || (await scope.memory.standing(holder)).status !== "there") return;
  const { relation } = held;
  const anchor = knownThing(holder.state);
  const value = `${relation} ${held.trackId}`;
  say("held", "where is it?", value);
  const there = await idsOf(node("relate", [node("things"), anchor], { relation }), scope);
  if (there) say("held", "what is there?", there.has(track) ? value : "elsewhere");
  const is = await truthOf(node("within", [it, anchor], { relation }), scope);
  if (is !== undefined) say("held", "is it there?", is === "yes" ? value : "elsewhere");
}

async function byListings(
  claims: Claims,
  memory: Memory,
  latest: ReadonlyMap<string, KnownThing>,
): Promise<void> {
  const face = localFace(memory);
  const { rows } = await face.list({ what: "things" });
  const listed = new Map(rows.map((row) => [String(row["id"]), row]));
  const people = await face.list({ what: "people" });
  for (const [track, { category }] of latest) {
    const row = listed.get(track) ?? twinOf(latest.get(track)!, rows, latest);
    if (!movesItself(category))
      claims.add({ subject: track, aspect: "there", face: "things", value: yes(row !== undefined) });
    if (row) claims.add({ subject: track, aspect: "room name", face: "things", value: String(row["room"]) });
  }
  for (const row of people.rows) {
    const id = String(row["id"]);
    if (latest.has(id))
      claims.add({ subject: id, aspect: "room name", face: "people", value: String(row["room"]) });
  }
}

/** One thing that was taken for two is listed once: the row of its kind in its place (m). */
const ONE_PLACE_M = 0.6;

function twinOf(
  { category, position }: KnownThing,
  rows: readonly Row[],
  latest: ReadonlyMap<string, KnownThing>,
): Row | undefined {
  return rows.find((row) => {
    const at = String(row["at"]).split(" ").map(Number);
    const [x = NaN, y = NaN, z = NaN] = at;
    return (
      latest.get(String(row["id"]))?.category === category &&
      position !== undefined &&
      Math.hypot(x - position.x, y - position.y, z - position.z) < ONE_PLACE_M
    );
  });
}

async function byLife(claims: Claims, memory: Memory, track: string, state: State): Promise<void> {
  const life = await localFace(memory).life(track, { pictures: 0 });
  const last = life.stays.at(-1);
  if (!movesItself(state.category))
    claims.add({ subject: track, aspect: "there", face: "life", value: yes(life.isThere) });
  if (last?.room) claims.add({ subject: track, aspect: "room", face: "life", value: last.room.id });
  if (life.isThere && last?.room)
    claims.add({ subject: track, aspect: "room name", face: "life", value: last.room.name });
}

async function byFeed(
  claims: Claims,
  memory: Memory,
  { memory: belief }: Scope,
  latest: ReadonlyMap<string, KnownThing>,
): Promise<void> {
  const face = localFace(memory);
  const tracks = new Map(Array.from(latest, ([track, { state }]) => [state.id, track]));
  let after: string | null | undefined;
  do {
    const block = readStates(await face.stateColumns(after ? { after } : {}));
    for (let n = 0; n < block.count; n++) {
      const track = tracks.get(block.id.at(n));
      if (track === undefined || movesItself(latest.get(track)!.category)) continue;
      const endsUs = block.timeOriginUs + block.to[n]! * 1e6;
      claims.add({ subject: track, aspect: "there", face: "feed", value: yes(endsUs > belief.nowUs) });
    }
    after = block.next;
  } while (after);
}

async function byExport(
  claims: Claims,
  memory: Memory,
  latest: ReadonlyMap<string, KnownThing>,
): Promise<void> {
  const world = await readWorld(await memory.reader());
  const drawn = new Map(world.things.map((thing) => [thing.trackId, thing]));
  for (const [track, { category }] of latest) {
    const thing = drawn.get(track);
    if (!movesItself(category))
      claims.add({ subject: track, aspect: "there", face: "export", value: yes(thing !== undefined) });
    if (thing?.roomId !== undefined)
      claims.add({ subject: track, aspect: "room", face: "export", value: thing.roomId });
  }
}

/** Rooms: how many things each holds and how large it is, by question and by listing. */
async function byRooms(claims: Claims, memory: Memory, scope: Scope): Promise<number> {
  const { rows } = await localFace(memory).list({ what: "rooms" });
  for (const row of rows) {
    const id = String(row["id"]);
    const room = node("known", [], { category: String(row["name"]), rooms: [id] });
    const count = await evaluate(node("count", [node("in", [node("things"), room])]), scope);
    if (count.kind !== "number") continue;
    claims.add({ subject: id, aspect: "things", face: "rooms", value: String(row["things"]) });
    claims.add({
      subject: id,
      aspect: "things",
      face: "how many things?",
      value: String(Math.round(count.value)),
    });
  }
  return rows.length;
}

/** A thing by the id of its stay, so that no name is in doubt. */
function knownThing({ id, category }: State): Expression {
  return node("known", [], { category, states: [id] });
}

function node(op: string, of: readonly Expression[] = [], options: Record<string, unknown> = {}): Expression {
  return { op, of: [...of], with: options } as Expression;
}

async function truthOf(expression: Expression, scope: Scope): Promise<string | undefined> {
  const value = await evaluate(expression, scope);
  return value.kind === "truth" ? yes(value.truth) : undefined;
}

/** The tracks of a set; undefined where the answer is none. */
async function idsOf(expression: Expression, scope: Scope): Promise<Set<string> | undefined> {
  const value = await evaluate(expression, scope);
  if (value.kind === "things") return new Set(value.things.map(({ trackId }) => trackId));
  if (value.kind === "unknown") return value.reason === "not-understood" ? undefined : new Set();
  throw new Error(`expected things from ${print(expression)}, got ${value.kind}`);
}

function yes(is: boolean): string {
  return is ? "yes" : "no";
}

function no(is: string | undefined): string | undefined {
  return is === undefined ? undefined : is === "yes" ? "no" : "yes";
}

function second(us: number): string {
  return String(Math.round(us / 1e6));
}
