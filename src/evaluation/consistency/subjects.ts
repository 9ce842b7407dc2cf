import type { Standing } from "../../belief/presence.ts";
import { isPlainName, type RoomView } from "../../belief/room-names.ts";
import { isStay, type KnownThing } from "../../belief/thing.ts";
import type { scopeFor } from "../../compose/ask.ts";
import { eachHit } from "../../memory/index.ts";
import { movesItself } from "../../ontology/index.ts";
import { evaluate } from "../../reasoning/index.ts";
import type { Expression } from "../../schema/index.ts";

export type Scope = Awaited<ReturnType<typeof scopeFor>>;

/** A thing to test, as it is believed to be. */
export interface Subject {
  readonly thing: KnownThing;
  readonly track: string;
  readonly standing: Standing;
  readonly room: RoomView | undefined;
  readonly isMover: boolean;
  /** A description that fits it alone, by the belief; undefined if there is none. */
  readonly words: string | undefined;
}

/** Categories that do not name a kind of thing. */
const NAMELESS: ReadonlySet<string> = new Set(["thing", "object", "unknown"]);

/** Every thing of a memory by its latest state, merges followed; at most `most`, in the order they were seen. */
export async function subjectsOf(scope: Scope, most = Infinity): Promise<ReadonlyMap<string, Subject>> {
  const { memory } = scope;
  const found = new Map<string, KnownThing>();
  for await (const { record } of eachHit(memory.options.reader, "state")) {
    if (record.validFromUs > memory.nowUs || !isStay(record)) continue;
    const thing = await memory.thingOfState(record.id, 1);
    if (thing && found.size < most) found.set(thing.trackId, thing);
  }
  const rooms = await memory.rooms();
  const subjects = new Map<string, Subject>();
  for (const [track, thing] of found)
    subjects.set(track, {
      thing,
      track,
      standing: await memory.standing(thing),
      room: await memory.roomOf(thing),
      isMover: movesItself(thing.category),
      words: await wordsFor(thing, rooms, scope),
    });
  return subjects;
}

/** The shortest distinguishing description of a thing: its category, with its colour, or with its room. */
async function wordsFor(
  thing: KnownThing,
  rooms: readonly RoomView[],
  scope: Scope,
): Promise<string | undefined> {
  const { category, state, trackId } = thing;
  if (NAMELESS.has(category)) return undefined;
  const colour = state.attributes["colour"]?.value;
  const room = await scope.memory.roomOf(thing);
  const isOnlyRoom = room && rooms.filter(({ name }) => name === room.name).length === 1;
  const all = node("things", [], { category });
  const candidates: (readonly [string, Expression])[] = [[category, all]];
  if (typeof colour === "string")
    candidates.push([`${colour} ${category}`, node("things", [], { category, colour })]);
  // "The room" may be any room without a better name.
  if (room && isOnlyRoom && !isPlainName(room.name))
    candidates.push([
      `${category} in the ${room.name}`,
      node("in", [all, node("rooms", [], { name: room.name })]),
    ]);
  for (const [words, expression] of candidates) {
    const ids = await idsOf(expression, scope);
    if (ids?.size === 1 && ids.has(trackId)) return `the ${words}`;
  }
  return undefined;
}

/** A thing by the id of its state, so that no name is ambiguous. */
export function knownThing({ id, category }: KnownThing["state"]): Expression {
  return node("known", [], { category, states: [id] });
}

export function node(
  op: string,
  of: readonly Expression[] = [],
  options: Record<string, unknown> = {},
): Expression {
  return { op, of: [...of], with: options } as Expression;
}

/** The tracks of a set; undefined if the answer is not a set. */
export async function idsOf(expression: Expression, scope: Scope): Promise<Set<string> | undefined> {
  const value = await evaluate(expression, scope);
  if (value.kind === "things") return new Set(value.things.map(({ trackId }) => trackId));
  return value.kind === "unknown" && value.reason !== "not-understood" ? new Set() : undefined;
}

export function yes(is: boolean): string {
  return is ? "yes" : "no";
}

/** Times truncated to the second. */
export function second(us: number): string {
  return String(Math.floor(us / 1e6));
}
