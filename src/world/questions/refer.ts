import type { Random } from "../../geometry/index.ts";
import type { HouseThing } from "../house/types.ts";
import { couldBe, nounsOf, synonymsOf } from "./phrases.ts";
import type { Scope } from "./scope.ts";

/** A noun phrase that identifies one thing of the house, in both sets of wordings. */
export interface Referent {
  readonly id: string;
  readonly dev: string;
  readonly test: string;
  /** What the phrases claim, for the checker. */
  readonly claims: {
    readonly nouns: readonly string[];
    readonly colour?: string;
    readonly room?: string;
    readonly says?: string;
  };
}

interface Qualifiers {
  readonly colour?: boolean;
  readonly room?: boolean;
  readonly says?: boolean;
}

const PLAIN: readonly Qualifiers[] = [{}, { colour: true }, { says: true }];
const PLACED: readonly Qualifiers[] = [{ room: true }, { colour: true, room: true }];

/**
 * Finds words for a thing that fit nothing else that is, or until then was, in the house. Simple phrases come first;
 * now and then one is more specific than necessary, as people are. Undefined if no phrase distinguishes it from its
 * twins. Rooms are those of the moment of asking: questions about the past go without them.
 */
export function refer(
  scope: Scope,
  thing: HouseThing,
  random: Random,
  roomAllowed = true,
): Referent | undefined {
  const nouns = nounsOf(thing);
  if (nouns.length === 0) return undefined;
  if (thing.type === "person")
    return { id: thing.id, dev: thing.name, test: thing.name, claims: { nouns: [thing.name] } };
  const devNoun = random.pick(nouns);
  const others = [...synonymsOf(thing), ...nouns];
  const testNoun = random.pick(others);
  const isOfTwoRooms = thing.type === "door" || thing.type === "window";
  const forms = [...PLAIN, ...(roomAllowed && !isOfTwoRooms ? PLACED : [])];
  const first = random.chance(0.25) ? random.int(0, forms.length) : 0;
  for (const qualifiers of [forms[first]!, ...forms]) {
    const dev = worded(scope, thing, devNoun, qualifiers, "dev");
    if (dev === undefined) continue;
    const test =
      worded(scope, thing, testNoun, qualifiers, "test") ??
      worded(scope, thing, devNoun, qualifiers, "test")!;
    const { colour, room, says } = dev;
    return {
      id: thing.id,
      dev: dev.text,
      test: test.text,
      claims: {
        nouns: [...new Set([dev.noun, test.noun])],
        ...(colour !== undefined && { colour }),
        ...(room !== undefined && { room }),
        ...(says !== undefined && { says }),
      },
    };
  }
  return undefined;
}

interface Worded {
  readonly text: string;
  readonly noun: string;
  readonly colour?: string;
  readonly room?: string;
  readonly says?: string;
}

function worded(
  scope: Scope,
  thing: HouseThing,
  noun: string,
  qualifiers: Qualifiers,
  set: "dev" | "test",
): Worded | undefined {
  const colour = qualifiers.colour ? thing.colour : undefined;
  const says = qualifiers.says ? scope.world.timeline.textAt(thing.id, scope.askedAtUs) : undefined;
  const roomId = qualifiers.room ? (scope.placement(thing.id)?.room ?? undefined) : undefined;
  const info = roomId === undefined ? undefined : scope.roomInfo(roomId);
  if (qualifiers.colour && colour === undefined) return undefined;
  if (qualifiers.says && says === undefined) return undefined;
  if (qualifiers.room && info === undefined) return undefined;
  const isOnly = scope.house.things.every(
    (other) =>
      other === thing ||
      !couldBe(other, noun) ||
      (colour !== undefined && other.colour !== colour) ||
      (says !== undefined && other.text !== says) ||
      !couldHaveBeenMeant(scope, other, roomId),
  );
  if (!isOnly) return undefined;
  const words = [
    "the",
    ...(colour === undefined ? [] : [colour]),
    noun,
    ...(says === undefined ? [] : [`that says “${says}”`]),
    ...(info === undefined ? [] : [`in ${info.phrase[set]}`]),
  ].join(" ");
  return {
    text: words,
    noun,
    ...(colour !== undefined && { colour }),
    ...(says !== undefined && { says }),
    ...(info !== undefined && { room: info.room.id }),
  };
}

/** With a room, only what is there now counts; without one, everything that was in the house until now. */
function couldHaveBeenMeant(scope: Scope, other: HouseThing, roomId: string | undefined): boolean {
  if (other.type === "structure") return false;
  if (roomId !== undefined) return scope.placement(other.id)?.room === roomId;
  const { segments } = scope.world.timeline.historyOf(other.id);
  return segments.some(({ fromUs, placement }) => fromUs <= scope.askedAtUs && placement !== undefined);
}
