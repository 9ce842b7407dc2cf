import type { Vec3 } from "../geometry/index.ts";
import type { AnswerEvidence, RecordKind } from "../schema/index.ts";
import type { Belief } from "./belief.ts";
import { isGuessed, nameBelief } from "./names.ts";
import type { RoomView } from "./room-names.ts";
import { SEARCH } from "./settings/search.ts";
import type { KnownThing } from "./thing.ts";

/** Things weighted by their number of sightings, the likeliest first: a thing seen once may be a mistake. */
export async function supported(things: readonly KnownThing[], memory: Belief): Promise<KnownThing[]> {
  const presence = await memory.presence(things.slice(0, SEARCH.mostWeighed).map(({ state }) => state.id));
  // A place exists independently of how often its label was seen.
  const looks = ({ state, spot }: KnownThing) => (spot ? 0 : presence.get(state.id)?.seenCount || 0);
  // A thing that was noted and never observed counts as much as the one observed most.
  const unseen = Math.max(...things.map(looks)) || Infinity;
  return things
    .map((thing) => {
      const seen = looks(thing) || unseen;
      return { ...thing, fit: thing.fit * (seen <= 1 ? 0.75 : seen === 2 ? 0.88 : 1) };
    })
    .sort(likelier);
}

/** The better fit first; a stable order among equals. */
export function likelier(a: KnownThing, b: KnownThing): number {
  return b.fit - a.fit || (a.trackId < b.trackId ? -1 : a.trackId > b.trackId ? 1 : 0);
}

/** Trust in a thing that was found: how well it fits, how often it was seen, whether it is the only one. */
export async function trust(thing: KnownThing, memory: Belief, isAlone = true): Promise<number> {
  const presence = (await memory.presence([thing.state.id])).get(thing.state.id);
  const sureness = isGuessed(thing) ? nameBelief(thing.state).p : 1;
  const support = 1 - 0.5 ** Math.max(1, presence?.seenCount ?? 1);
  return Math.min(0.97, (0.5 + 0.5 * thing.fit) * (0.7 + 0.3 * support) * (isAlone ? 1 : 0.55)) * sureness;
}

/** The records that a value about these things rests on. */
export function evidenceFor(things: readonly KnownThing[]): AnswerEvidence[] {
  return things.slice(0, SEARCH.mostEvidence).map((thing) => evidenceOf(thing, thing.name));
}

export function evidenceOf(thing: KnownThing, why: string, atUs = thing.state.validFromUs): AnswerEvidence {
  const namedBy = thing.state.perceived ? "a person" : thing.state.namedBy;
  return {
    ref: thing.state.id,
    kind: thing.spot ? "region" : thing.agentId === undefined ? "state" : "observation",
    why: `${isGuessed(thing) ? "perhaps " : ""}${why === "" ? thing.category : why}${namedBy === undefined ? "" : `, so named by ${namedBy}`}`,
    atUs,
    agentId: thing.state.author,
    score: thing.fit,
    trackId: thing.trackId,
    ...(thing.position && { position: thing.position }),
    ...(thing.state.views[0] !== undefined && { viewId: thing.state.views[0] }),
  };
}

export function evidenceOfRooms(rooms: readonly RoomView[]): AnswerEvidence[] {
  return rooms
    .slice(0, SEARCH.mostEvidence)
    .map(({ record, name, centre }) => evidenceOfRecord(record, record.text[0] ?? name, 1, centre));
}

export function evidenceOfRecord(
  record: {
    readonly id: string;
    readonly kind: RecordKind;
    readonly validFromUs: number;
    readonly author: string;
  },
  why: string,
  score: number,
  position?: Vec3,
): AnswerEvidence {
  return {
    ref: record.id,
    kind: record.kind,
    why: why === "" ? record.kind : why,
    atUs: record.validFromUs,
    agentId: record.author,
    score,
    ...(position && { position }),
  };
}
