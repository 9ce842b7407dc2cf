import type { TruthAnswer } from "../../../schema/index.ts";
import type { HouseThing } from "../../house/types.ts";
import { binary, firstOf, type Subtype } from "../draft.ts";
import { clockWords, numberWord, phrase, spanWords } from "../phrases.ts";
import { refer } from "../refer.ts";
import type { Scope } from "../scope.ts";
import { evidenceTimes } from "../sight.ts";
import type { SeenFrame } from "../world.ts";
import { bare } from "./objects.ts";

const TRIES = 20;
const S = 1_000_000;
/** docs/formulas.md#metrics allows two minutes on drives of half an hour; tours of a house allow half a minute. */
export const TIME_TOLERANCE_S = 30;
/** Shorter stays are walking through; whether they count is disputable. */
export const SHORTEST_VISIT_US = 4 * S;

export function timeAnswer(scope: Scope, atUs: number): TruthAnswer {
  const agoS = (scope.askedAtUs - atUs) / S;
  return { type: "time", atUs, agoS, text: `${spanWords(agoS)} ago, at ${clockWords(atUs)}` };
}

/** When a thing came into view for good, or left it: clear frames, and no glimpse much before or after. */
export function firstSight(scope: Scope, id: string, withinUs = 5 * S): number | undefined {
  const first = scope.sight.clear(id)[0];
  const glimpse = scope.sight.glimpses(id)[0];
  if (!first || !glimpse || !scope.sight.isClear(id)) return undefined;
  return first.timeUs - glimpse.timeUs <= withinUs ? first.timeUs : undefined;
}

export function lastSight(scope: Scope, id: string): number | undefined {
  const last = scope.sight.clear(id).at(-1);
  const glimpse = scope.sight.glimpses(id).at(-1);
  if (!last || !glimpse || !scope.sight.isClear(id)) return undefined;
  return glimpse.timeUs - last.timeUs <= 5 * S ? last.timeUs : undefined;
}

function movablesOf(scope: Scope): readonly HouseThing[] {
  return scope.house.things.filter(
    ({ type }) => type === "small" || type === "furniture" || type === "person",
  );
}

/** When, how long between, what first. */
export const TEMPORAL: readonly Subtype[] = [
  sightSubtype("temporal/last-seen", (scope, id) => {
    const at = lastSight(scope, id);
    return at !== undefined && scope.askedAtUs - at >= 20 * S ? at : undefined;
  }),
  sightSubtype("temporal/first-seen", (scope, id) => {
    const at = firstSight(scope, id);
    return at !== undefined && at - scope.world.timeline.startUs >= 10 * S ? at : undefined;
  }),
  {
    type: "temporal",
    subtype: "temporal/before",
    answers: "binary",
    make: (scope, random, want) =>
      firstOf(random, movablesOf(scope), 3 * TRIES, (a) => {
        const b = random.pick(movablesOf(scope));
        const [first, second] = [firstSight(scope, a.id), firstSight(scope, b.id)];
        if (first === undefined || second === undefined) return undefined;
        if ((want ? second - first : first - second) < 15 * S) return undefined;
        const one = refer(scope, a, random, false);
        const two = refer(scope, b, random, false);
        if (!one || !two) return undefined;
        return {
          answer: binary(want),
          slots: { first: one, second: two },
          targets: [a.id, b.id],
          evidenceTimesUs: [first, second].sort((x, y) => x - y),
          look: "none",
        };
      }),
  },
  {
    type: "temporal",
    subtype: "temporal/gap",
    answers: "duration",
    make: (scope, random) =>
      firstOf(random, movablesOf(scope), 3 * TRIES, (a) => {
        const b = random.pick(movablesOf(scope));
        const [first, second] = [firstSight(scope, a.id), firstSight(scope, b.id)];
        if (first === undefined || second === undefined || second - first < 20 * S) return undefined;
        const one = refer(scope, a, random, false);
        const two = refer(scope, b, random, false);
        if (!one || !two) return undefined;
        const durationS = (second - first) / S;
        return {
          answer: { type: "duration", durationS, text: `about ${spanWords(durationS)}` },
          slots: { first: one, second: two },
          targets: [a.id, b.id],
          evidenceTimesUs: [first, second],
          tolerance: { s: 15, share: 0.15 },
          look: "none",
        };
      }),
  },
];

function sightSubtype(subtype: string, when: (scope: Scope, id: string) => number | undefined): Subtype {
  return {
    type: "temporal",
    subtype,
    answers: "time",
    make: (scope, random) =>
      firstOf(random, movablesOf(scope), 2 * TRIES, (thing) => {
        const atUs = when(scope, thing.id);
        const words = atUs === undefined ? undefined : refer(scope, thing, random, false);
        if (atUs === undefined || !words) return undefined;
        return {
          answer: timeAnswer(scope, atUs),
          slots: { thing: words },
          targets: [thing.id],
          evidenceTimesUs: [atUs],
          tolerance: { s: TIME_TOLERANCE_S },
          look: "none",
        };
      }),
  };
}

export interface Visit {
  readonly room: string;
  readonly frames: readonly SeenFrame[];
}

/** Stays of the agent in rooms, one after the other; frames in doorways belong to none. */
export function visitsOf(scope: Scope): Visit[] {
  const visits: { room: string; frames: SeenFrame[] }[] = [];
  for (const frame of scope.sight.frames) {
    if (frame.agentId !== scope.askedOf || frame.room === null) continue;
    const last = visits.at(-1);
    if (last?.room === frame.room) last.frames.push(frame);
    else visits.push({ room: frame.room, frames: [frame] });
  }
  return visits;
}

function lasting({ frames }: Visit): number {
  return frames.at(-1)!.timeUs - frames[0]!.timeUs;
}

/** The agent's own actions: where it was, how often, how long, how far it went. */
export const EGO: readonly Subtype[] = [
  {
    type: "ego",
    subtype: "ego/visited",
    answers: "binary",
    make: (scope, random, want) =>
      firstOf(random, scope.rooms, TRIES, ({ room, phrase: words }) => {
        const frames = scope.sight.inRoom(room.id).filter(({ agentId }) => agentId === scope.askedOf);
        if (want ? !scope.isLookedOver(room.id) || frames.length < 8 : frames.length > 0) return undefined;
        return {
          answer: binary(want),
          slots: { room: words },
          targets: [],
          regions: [room.id],
          evidenceTimesUs: evidenceTimes(frames),
          look: "none",
        };
      }),
  },
  {
    type: "ego",
    subtype: "ego/times",
    answers: "count",
    make: (scope, random) =>
      firstOf(random, scope.rooms, TRIES, ({ room, phrase: words }) => {
        const all = visitsOf(scope);
        const own = all.filter((visit) => visit.room === room.id);
        if (own.length === 0 || own.some((visit) => lasting(visit) < SHORTEST_VISIT_US)) return undefined;
        const away = own.slice(1).map((visit, i) => visit.frames[0]!.timeUs - own[i]!.frames.at(-1)!.timeUs);
        if (away.some((us) => us < SHORTEST_VISIT_US)) return undefined;
        return {
          answer: { type: "count", count: own.length, text: String(own.length) },
          extra: [
            numberWord(own.length),
            ...(own.length === 1 ? ["once"] : own.length === 2 ? ["twice"] : []),
          ],
          slots: { room: words },
          targets: [],
          regions: [room.id],
          evidenceTimesUs: own.map(({ frames }) => frames[0]!.timeUs),
          distractors: [own.length - 1, own.length + 1, own.length + 2, own.length + 3]
            .filter((n) => n > 0)
            .map(String),
          look: "none",
        };
      }),
  },
  {
    type: "ego",
    subtype: "ego/duration",
    answers: "duration",
    make: (scope, random) =>
      firstOf(random, scope.rooms, TRIES, ({ room, phrase: words }) => {
        const own = visitsOf(scope).filter((visit) => visit.room === room.id);
        const durationS = Math.round(own.reduce((sum, visit) => sum + lasting(visit), 0) / S);
        if (durationS < 10) return undefined;
        return {
          answer: { type: "duration", durationS, text: spanWords(durationS) },
          slots: { room: words },
          targets: [],
          regions: [room.id],
          evidenceTimesUs: own.map(({ frames }) => frames[0]!.timeUs),
          tolerance: { s: 10, share: 0.2 },
          look: "none",
        };
      }),
  },
  {
    type: "ego",
    subtype: "ego/next-room",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, scope.rooms, TRIES, ({ room, phrase: words }) => {
        const all = visitsOf(scope);
        const i = all.findIndex((visit) => visit.room === room.id);
        const next = i < 0 ? undefined : all[i + 1];
        const info = next && scope.roomInfo(next.room);
        if (!next || !info || lasting(all[i]!) < SHORTEST_VISIT_US || lasting(next) < SHORTEST_VISIT_US)
          return undefined;
        return {
          answer: { type: "text", text: bare(info.phrase.dev) },
          extra: [info.phrase.dev, bare(info.phrase.test)],
          slots: { room: words },
          targets: [],
          regions: [room.id, info.room.id],
          evidenceTimesUs: [next.frames[0]!.timeUs],
          distractors: scope.rooms.map((other) => bare(other.phrase.dev)),
          look: "none",
        };
      }),
  },
  {
    type: "ego",
    subtype: "ego/room-ago",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, visitsOf(scope), TRIES, (visit) => {
        const info = scope.roomInfo(visit.room);
        if (!info || lasting(visit) < 3 * SHORTEST_VISIT_US) return undefined;
        const middleUs = (visit.frames[0]!.timeUs + visit.frames.at(-1)!.timeUs) / 2;
        const agoS = Math.round((scope.askedAtUs - middleUs) / S);
        if (agoS < 15) return undefined;
        const atUs = scope.askedAtUs - agoS * S;
        return {
          answer: { type: "text", text: bare(info.phrase.dev) },
          extra: [info.phrase.dev, bare(info.phrase.test), `in ${info.phrase.dev}`],
          slots: { when: phrase(`${spanWords(agoS)} ago`, `at ${clockWords(atUs)}`) },
          targets: [],
          regions: [info.room.id],
          evidenceTimesUs: [atUs],
          distractors: scope.rooms.map((other) => bare(other.phrase.dev)),
          about: { atUs },
          look: "none",
        };
      }),
  },
  {
    type: "ego",
    subtype: "ego/distance",
    answers: "quantity",
    make: (scope, random) => {
      const minutes = random.int(1, 6);
      const fromUs = scope.askedAtUs - minutes * 60 * S;
      if (fromUs < scope.world.timeline.startUs) return undefined;
      let way = 0;
      let last = scope.pose(fromUs).position;
      for (let t = fromUs; t <= scope.askedAtUs; t += S / 5) {
        const { position } = scope.pose(t);
        const [x, y, z] = [position.x - last.x, position.y - last.y, position.z - last.z];
        way += Math.sqrt(x * x + y * y + z * z);
        last = position;
      }
      if (way < 2) return undefined;
      const value = Math.round(way * 10) / 10;
      return {
        answer: { type: "quantity", quantity: { value, unit: "m" }, text: `about ${Math.round(value)} m` },
        slots: { span: minutes === 1 ? "minute" : `${numberWord(minutes)} minutes` },
        targets: [],
        evidenceTimesUs: [fromUs, scope.askedAtUs],
        tolerance: { share: 0.2 },
        about: { fromUs },
        look: "none",
      };
    },
  },
];
