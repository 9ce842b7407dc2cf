import type { KnownThing } from "../../belief/thing.ts";
import { askMemory, scopeFor } from "../../compose/ask.ts";
import type { Memory } from "../../compose/memory.ts";
import { NONE, readStates } from "../../exchange/feed/decode.ts";
import { readDrawing } from "../../exchange/picture/read-drawing.ts";
import { readWorld } from "../../exchange/world/read-world.ts";
import { distance } from "../../geometry/index.ts";
import { localFace, type MemoryFace } from "../../operations/face.ts";
import { evaluate } from "../../reasoning/index.ts";
import type { Expression } from "../../schema/index.ts";
import { byNotes } from "./by-notes.ts";
import { byMcp, byModelTools, type CallsTool } from "./by-tools.ts";
import { byBelief, byWords } from "./by-words.ts";
import { Claims, type Contradiction } from "./claims.ts";
import { idsOf, knownThing, node, type Scope, type Subject, second, subjectsOf, yes } from "./subjects.ts";

export interface ConsistencyReport {
  /** Number of tracks and rooms tested. */
  readonly subjects: number;
  readonly claims: number;
  readonly contradictions: readonly Contradiction[];
}

/** A memory behind a server: its face over HTTP, and its MCP tools. */
export interface ServedMemory {
  readonly face: MemoryFace;
  readonly call: CallsTool;
  close(): Promise<void>;
}

export interface CheckOptions {
  readonly mostThings?: number | undefined;
  /** Serves the memory, so that HTTP and MCP are tested too. */
  readonly serve?: ((memory: Memory) => Promise<ServedMemory>) | undefined;
  /** The memory is a copy, into which notes may be written. */
  readonly isCopy?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

type Row = Readonly<Record<string, string | number | boolean>>;

/** States that are also queried by value. */
const FLUENTS = ["openness", "power", "fill"] as const;

/**
 * Queries every face of a memory about each of its things, people, rooms and notes, and reports where two of them
 * disagree: questions by id and in English, truths, sets, listings, changes, the life of a thing, search, the
 * viewer's feed, exports, pictures, the tools of language models, MCP and HTTP.
 */
export async function checkMemory(memory: Memory, options: CheckOptions = {}): Promise<ConsistencyReport> {
  const { signal } = options;
  const claims = new Claims();
  const scope = await scopeFor(memory, {}, signal ? { signal } : {});
  const subjects = await subjectsOf(scope, options.mostThings);
  const served = await options.serve?.(memory);
  try {
    const local = localFace(memory);
    for (const [name, face] of [["", local] as const, ...(served ? [["HTTP ", served.face] as const] : [])]) {
      await byListings(claims, face, subjects, name);
      await byFeed(claims, face, scope, subjects, name);
    }
    await byExport(claims, memory, subjects);
    const gone = await idsOf(node("affected", [node("changes", [], { kinds: ["gone"] })]), scope);
    const ask = (question: string) => askMemory(memory, question, { navigate: false });
    for (const [track, subject] of subjects) {
      signal?.throwIfAborted();
      await byBelief(claims, subject);
      await byQuestions(claims, subject, scope);
      await byWords(claims, subject, ask, scope);
      await byModelTools(claims, subject, scope);
      await byLife(claims, local, subject, "");
      if (served) {
        await byMcp(claims, subject, served.call);
        await byLife(claims, served.face, subject, "HTTP ");
        const asked = (question: string) => served.face.ask(question, { navigate: false });
        await byWords(claims, subject, asked, scope, { face: "HTTP ", isBrief: true });
      }
      // Only things observed to be absent are listed as gone; the listing of all changes does not cover others.
      const { status } = subject.standing;
      if (!subject.isMover && (status === "gone" || gone?.has(track)) && gone)
        claims.add({
          subject: track,
          aspect: "there",
          face: "changes of anything",
          value: yes(!gone.has(track)),
        });
    }
    const rooms = await byRooms(claims, local, scope);
    if (options.isCopy) await byNotes(claims, memory, served?.call);
    return { subjects: subjects.size + rooms, claims: claims.count, contradictions: claims.contradictions() };
  } finally {
    await served?.close();
  }
}

async function byQuestions(
  claims: Claims,
  { track, thing: { state }, isMover }: Subject,
  scope: Scope,
): Promise<void> {
  const { memory } = scope;
  const it = knownThing(state);
  const say = (aspect: string, face: string, value: string | undefined) => {
    if (value !== undefined) claims.add({ subject: track, aspect, face, value });
  };
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
  await byHolder(say, it, thing, scope);
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

/** Twins in one place may be reported as one, by either of their names. */
function isTwin(ids: ReadonlySet<string>, track: string): boolean {
  return !ids.has(track) && ids.size > 0;
}

async function byHolder(
  say: (aspect: string, face: string, value: string | undefined) => void,
  it: Expression,
  thing: KnownThing,
  scope: Scope,
): Promise<void> {
  const { heldBy: held, trackId: track } = thing;
  if (!held) return;
  const holder = await scope.memory.thingOfState(held.stateId, 1);
  if (!holder || (await scope.memory.standing(holder)).status !== "there") return;
  const { relation } = held;
  const anchor = knownThing(holder.state);
  const value = `${relation} ${held.trackId}`;
  say("held", "where is it?", value);
  const there = await evaluate(node("relate", [node("things"), anchor], { relation }), scope);
  const things = there.kind === "things" ? there.things : [];
  const isThere = things.some(({ trackId }) => trackId === track);
  // One thing that was tracked twice is reported once.
  const isTold = isThere || things.some((other) => isOnePlace(other, thing));
  if (there.kind === "things") say("held", "what is there?", isTold ? value : "elsewhere");
  const is = await truthOf(node("within", [it, anchor], { relation }), scope);
  if (is !== undefined) say("held", "is it there?", is === "yes" ? value : "elsewhere");
}

async function byListings(
  claims: Claims,
  face: MemoryFace,
  subjects: ReadonlyMap<string, Subject>,
  name: string,
): Promise<void> {
  const { rows } = await face.list({ what: "things" });
  const listed = new Map(rows.map((row) => [String(row["id"]), row]));
  const people = await face.list({ what: "people" });
  for (const [track, { thing, isMover, standing }] of subjects) {
    const row =
      listed.get(track) ?? (standing.status === "there" ? twinOf(thing, rows, subjects) : undefined);
    if (!isMover)
      claims.add({ subject: track, aspect: "there", face: `${name}things`, value: yes(row !== undefined) });
    if (row && standing.status === "there")
      claims.add({ subject: track, aspect: "room name", face: `${name}things`, value: String(row["room"]) });
  }
  for (const row of people.rows) {
    const id = String(row["id"]);
    if (subjects.get(id)?.standing.status === "there")
      claims.add({ subject: id, aspect: "room name", face: `${name}people`, value: String(row["room"]) });
  }
}

/** One thing that was tracked twice is listed once: the row of its category within this distance (m). */
const ONE_PLACE_M = 0.6;

function twinOf(
  thing: KnownThing,
  rows: readonly Row[],
  subjects: ReadonlyMap<string, Subject>,
): Row | undefined {
  return rows.find((row) => {
    const other = subjects.get(String(row["id"]))?.thing;
    return other !== undefined && isOnePlace(other, thing);
  });
}

function isOnePlace(one: KnownThing, other: KnownThing): boolean {
  const isNear = one.position && other.position && distance(one.position, other.position) < ONE_PLACE_M;
  return one.category === other.category && isNear === true;
}

async function byLife(
  claims: Claims,
  face: MemoryFace,
  { track, isMover, standing }: Subject,
  name: string,
): Promise<void> {
  const life = await face.life(track, { pictures: 0 });
  const say = (aspect: string, value: string) =>
    claims.add({ subject: track, aspect, face: `${name}life`, value });
  const last = life.stays.at(-1);
  if (!isMover && standing.status !== "unknown") say("there", yes(life.isThere));
  if (last?.room) say("room", last.room.id);
  if (life.isThere && last?.room) say("room name", last.room.name);
}

/** The viewer's labels: at rest if it is there, "looked, not there" if an observation missed it; its room by name. */
async function byFeed(
  claims: Claims,
  face: MemoryFace,
  { memory: { nowUs } }: Scope,
  subjects: ReadonlyMap<string, Subject>,
  name: string,
): Promise<void> {
  const { regions } = await face.scene();
  const rooms = new Map(regions.map((region) => [region.id, region.name]));
  const byState = new Map(Array.from(subjects.values(), (subject) => [subject.thing.state.id, subject]));
  let after: string | null | undefined;
  do {
    const block = readStates(await face.stateColumns(after ? { after } : {}));
    for (let n = 0; n < block.count; n++) {
      const { track, isMover, standing } = byState.get(block.id.at(n)) ?? {};
      if (track === undefined || isMover || standing === undefined) continue;
      const say = (aspect: string, value: string) =>
        claims.add({ subject: track, aspect, face: `${name}feed`, value });
      const isResting = block.timeOriginUs + block.to[n]! * 1e6 > nowUs;
      const isMissed = block.timeOriginUs + block.absent[n]! * 1e6 <= nowUs;
      if (standing.status !== "unknown") say("there", yes(isResting));
      if (standing.status !== "taken") say("looked, not there", yes(!isResting && isMissed));
      const room = rooms.get(block.room[n] === NONE ? "" : block.rooms.at(block.room[n]!));
      if (standing.status === "there" && room !== undefined) say("room name", room);
    }
    after = block.next;
  } while (after);
  for (const [track, { isMover, standing }] of subjects)
    if (!isMover && standing.status !== "taken")
      claims.add({
        subject: track,
        aspect: "looked, not there",
        face: "belief",
        value: yes(standing.status === "gone"),
      });
}

async function byExport(
  claims: Claims,
  memory: Memory,
  subjects: ReadonlyMap<string, Subject>,
): Promise<void> {
  const reader = await memory.reader();
  const world = await readWorld(reader);
  const drawn = new Map(world.things.map((thing) => [thing.trackId, thing]));
  const rooms = new Map(world.rooms.map(({ id, name }) => [id, name]));
  for (const [track, { isMover }] of subjects) {
    const thing = drawn.get(track);
    if (!isMover)
      claims.add({ subject: track, aspect: "there", face: "export", value: yes(thing !== undefined) });
    if (thing?.roomId === undefined) continue;
    claims.add({ subject: track, aspect: "room", face: "export", value: thing.roomId });
    claims.add({ subject: track, aspect: "room name", face: "export", value: rooms.get(thing.roomId)! });
  }
  const { things } = await readDrawing(reader, { ground: false });
  const away = [...subjects.values()].filter(
    ({ isMover, standing: { status }, thing }) =>
      !isMover && (status === "gone" || status === "taken") && thing.position,
  );
  const gone = (face: string, value: number) =>
    claims.add({ subject: "things that are gone", aspect: "count", face, value: String(value) });
  gone("belief", away.length);
  gone("picture", things.filter(({ isGone }) => isGone).length);
}

/** Rooms: how many things each holds and how large it is, by question and by listing. */
async function byRooms(claims: Claims, face: MemoryFace, scope: Scope): Promise<number> {
  const { rows } = await face.list({ what: "rooms" });
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

async function truthOf(expression: Expression, scope: Scope): Promise<string | undefined> {
  const value = await evaluate(expression, scope);
  return value.kind === "truth" ? yes(value.truth) : undefined;
}

function no(is: string | undefined): string | undefined {
  return is === undefined ? undefined : is === "yes" ? "no" : "yes";
}
