import type { Random } from "../../../geometry/index.ts";
import { gapM } from "../../house/relations.ts";
import { binary, type Draft, firstOf, type Subtype } from "../draft.ts";
import { plural } from "../phrases.ts";
import { type Referent, refer } from "../refer.ts";
import type { Known, RoomInfo, Scope } from "../scope.ts";
import { countable } from "./counting.ts";
import { areaM2, isFloorFurniture, spreadM2, volumeM3 } from "./facts.ts";
import { bare } from "./objects.ts";

const TRIES = 40;
/** SPEC §6.1: comparisons need 15 % of size or half a metre. */
export const SIZE_MARGIN = 1.15;
export const DISTANCE_MARGIN_M = 0.5;

const isBigger = (a: number, b: number): boolean => a >= b * SIZE_MARGIN;
/** More volume by the margin, and no less spread out: a rug is not smaller than a lamp. */
const isLarger = ({ placement: a }: Known, { placement: b }: Known): boolean =>
  isBigger(volumeM3(a), volumeM3(b)) && spreadM2(a) >= spreadM2(b);
const solid = (known: Known): boolean => known.thing.type === "furniture" || known.thing.type === "small";

/** Which of two is more, on something that can be measured. */
function measured(subtype: string, isMore: (scope: Scope, more: Known, less: Known) => boolean): Subtype {
  return {
    type: "comparison",
    subtype,
    answers: "binary",
    make: (scope, random, want) =>
      firstOf(random, scope.known.filter(solid), TRIES, (a) => {
        const b = random.pick(scope.known);
        if (a === b || !solid(b) || !(want ? isMore(scope, a, b) : isMore(scope, b, a))) return undefined;
        const first = refer(scope, a.thing, random);
        const second = refer(scope, b.thing, random);
        if (!first || !second) return undefined;
        return pair(scope, [a, b], { first, second }, want);
      }),
  };
}

function pair(scope: Scope, things: readonly Known[], slots: Record<string, Referent>, want: boolean): Draft {
  const targets = things.map(({ thing }) => thing.id);
  return {
    answer: binary(want),
    slots,
    targets,
    evidenceTimesUs: scope.evidence(...targets),
    look: "targets",
  };
}

/** Sizes, heights, distances, numbers; of two with yes or no, of four with a choice. */
export const COMPARISON: readonly Subtype[] = [
  measured("comparison/bigger", (_, more, less) => isLarger(more, less)),
  measured(
    "comparison/taller",
    (scope, more, less) =>
      isFloorFurniture(scope, more) &&
      isFloorFurniture(scope, less) &&
      isBigger(more.placement.extent.z, less.placement.extent.z),
  ),
  {
    type: "comparison",
    subtype: "comparison/closer",
    answers: "binary",
    make: (scope, random, want) =>
      firstOf(
        random,
        scope.known.filter((k) => isFloorFurniture(scope, k)),
        TRIES,
        (a) => {
          const here = scope.known.filter(
            (k) => k !== a && k.placement.room === a.placement.room && isFloorFurniture(scope, k),
          );
          if (here.length < 2) return undefined;
          const [b, c] = random.shuffle(here) as [Known, Known];
          const near = gapM(a.placement, b.placement);
          const far = gapM(a.placement, c.placement);
          if (!(want ? far - near : near - far) || (want ? far - near : near - far) < DISTANCE_MARGIN_M)
            return undefined;
          const first = refer(scope, a.thing, random);
          const second = refer(scope, b.thing, random);
          const third = refer(scope, c.thing, random);
          if (!first || !second || !third) return undefined;
          return pair(scope, [a, b, c], { first, second, third }, want);
        },
      ),
  },
  {
    type: "comparison",
    subtype: "comparison/room-bigger",
    answers: "binary",
    make: (scope, random, want) =>
      firstOf(random, visited(scope), TRIES, (a) => {
        const b = random.pick(visited(scope));
        const [x, y] = [areaM2(a.room.polygon.points), areaM2(b.room.polygon.points)];
        if (a === b || !(want ? isBigger(x, y) : isBigger(y, x))) return undefined;
        return roomsDraft(scope, [a, b], {
          answer: binary(want),
          slots: { first: a.phrase, second: b.phrase },
        });
      }),
  },
  {
    type: "comparison",
    subtype: "comparison/more",
    answers: "binary",
    make: (scope, random, want) =>
      firstOf(random, scope.known, TRIES, ({ thing }) => {
        const counted = perRoom(scope, thing.id);
        if (counted === undefined || counted.rooms.length < 2) return undefined;
        const [a, b] = random.shuffle(counted.rooms) as [Counted, Counted];
        if (want ? a.ids.length <= b.ids.length : b.ids.length <= a.ids.length) return undefined;
        const ids = [...a.ids, ...b.ids];
        return {
          ...roomsDraft(scope, [a.info, b.info], {
            answer: binary(want),
            slots: { things: plural(counted.noun), first: a.info.phrase, second: b.info.phrase },
          }),
          targets: ids,
          evidenceTimesUs: scope.evidence(...ids),
          about: { noun: counted.noun },
        };
      }),
  },
  {
    type: "comparison",
    subtype: "comparison/largest",
    answers: "choice",
    isChoice: true,
    make: (scope, random) => ofFour(scope, random, (k) => volumeM3(k.placement), isLarger),
  },
  {
    type: "comparison",
    subtype: "comparison/nearest",
    answers: "choice",
    isChoice: true,
    make: (scope, random) =>
      firstOf(
        random,
        scope.known.filter((k) => isFloorFurniture(scope, k)),
        6,
        (anchor) => {
          const words = refer(scope, anchor.thing, random);
          if (!words) return undefined;
          const made = ofFour(
            scope,
            random,
            (k) =>
              k === anchor || k.placement.room !== anchor.placement.room || !isFloorFurniture(scope, k)
                ? undefined
                : -gapM(k.placement, anchor.placement),
            (more, less) =>
              gapM(less.placement, anchor.placement) - gapM(more.placement, anchor.placement) >=
              DISTANCE_MARGIN_M,
          );
          return made && { ...made, slots: { anchor: words }, targets: [...made.targets, anchor.thing.id] };
        },
      ),
  },
  {
    type: "comparison",
    subtype: "comparison/room-most",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, ({ thing }) => {
        const counted = perRoom(scope, thing.id);
        if (counted === undefined || counted.isPartial) return undefined;
        const [most, next] = [...counted.rooms].sort((a, b) => b.ids.length - a.ids.length);
        if (!most || !next || next.ids.length === 0 || most.ids.length === next.ids.length) return undefined;
        const ids = counted.rooms.flatMap((r) => r.ids);
        return {
          ...roomsDraft(scope, [most.info], {
            answer: { type: "text", text: bare(most.info.phrase.dev) },
            slots: { things: plural(counted.noun) },
          }),
          extra: [most.info.phrase.dev, bare(most.info.phrase.test)],
          targets: ids,
          evidenceTimesUs: scope.evidence(...ids),
          distractors: scope.rooms.map(({ phrase }) => bare(phrase.dev)),
          about: { noun: counted.noun },
        };
      }),
  },
  {
    type: "comparison",
    subtype: "comparison/room-largest",
    answers: "choice",
    isChoice: true,
    make: (scope, random) => {
      const rooms = random.shuffle(visited(scope)).slice(0, 4);
      if (rooms.length < 4) return undefined;
      const sorted = [...rooms].sort((a, b) => areaM2(b.room.polygon.points) - areaM2(a.room.polygon.points));
      const [best, second] = sorted as [RoomInfo, RoomInfo];
      if (!isBigger(areaM2(best.room.polygon.points), areaM2(second.room.polygon.points))) return undefined;
      const answer = { type: "text", text: bare(best.phrase.dev) } as const;
      return {
        ...roomsDraft(scope, sorted, { answer, slots: {} }),
        distractors: sorted.slice(1).map(({ phrase }) => bare(phrase.dev)),
      };
    },
  },
];

/** Same room, same colour: one of four. */
export const RELATIONSHIP_CHOICES: readonly Subtype[] = [
  oneOfFour("relationship/which-same-room", (a, b) => a.placement.room === b.placement.room),
  oneOfFour("relationship/which-same-colour", (a, b) => a.thing.colour === b.thing.colour),
];

function oneOfFour(subtype: string, holds: (a: Known, b: Known) => boolean): Subtype {
  const isColour = subtype.endsWith("colour");
  const suits = (k: Known): boolean => solid(k) && (!isColour || k.thing.colour !== undefined);
  return {
    type: "relationship",
    subtype,
    answers: "choice",
    isChoice: true,
    make: (scope, random) =>
      firstOf(random, scope.known.filter(suits), TRIES, (anchor) => {
        const say = (k: Known): Referent | undefined => {
          const words = refer(scope, k.thing, random, isColour);
          return isColour && words?.claims.colour !== undefined ? undefined : words;
        };
        const words = refer(scope, anchor.thing, random, isColour);
        const others = random.shuffle(scope.known.filter((k) => k !== anchor && suits(k)));
        const right = firstSaid(
          others.filter((k) => holds(anchor, k)),
          say,
          1,
        );
        const wrong = firstSaid(
          others.filter((k) => !holds(anchor, k)),
          say,
          3,
        );
        if (!words || right.length < 1 || wrong.length < 3) return undefined;
        if (new Set([...right, ...wrong].map(({ words: w }) => w.dev)).size < 4) return undefined;
        const ids = [right[0]!, ...wrong].map(({ known }) => known.thing.id);
        return {
          answer: { type: "text", text: right[0]!.words.dev },
          slots: { anchor: words },
          targets: [...ids, anchor.thing.id],
          evidenceTimesUs: scope.evidence(...ids, anchor.thing.id),
          distractors: wrong.map(({ words: w }) => w.dev),
          look: "targets",
        };
      }),
  };
}

interface Said {
  readonly known: Known;
  readonly words: Referent;
}

function firstSaid(
  pool: readonly Known[],
  say: (known: Known) => Referent | undefined,
  count: number,
): Said[] {
  const found: Said[] = [];
  for (const known of pool.slice(0, 12)) {
    const words = say(known);
    if (words !== undefined) found.push({ known, words });
    if (found.length === count) break;
  }
  return found;
}

function ofFour(
  scope: Scope,
  random: Random,
  value: (known: Known) => number | undefined,
  isMore: (more: Known, less: Known) => boolean,
): Draft | undefined {
  const pool = random.shuffle(scope.known.filter((k) => solid(k) && value(k) !== undefined));
  const said = firstSaid(pool, (k) => refer(scope, k.thing, random), 4);
  if (said.length < 4 || new Set(said.map(({ words }) => words.dev)).size < 4) return undefined;
  said.sort((a, b) => value(b.known)! - value(a.known)!);
  if (!said.slice(1).every(({ known }) => isMore(said[0]!.known, known))) return undefined;
  const ids = said.map(({ known }) => known.thing.id);
  return {
    answer: { type: "text", text: said[0]!.words.dev },
    slots: {},
    targets: ids,
    evidenceTimesUs: scope.evidence(...ids),
    distractors: said.slice(1).map(({ words }) => words.dev),
    look: "targets",
  };
}

interface Counted {
  readonly info: RoomInfo;
  readonly ids: readonly string[];
}

/** Counts of one noun in every room that has a word and was looked over. */
function perRoom(
  scope: Scope,
  id: string,
): { noun: string; rooms: Counted[]; isPartial: boolean } | undefined {
  const what = countable(scope, scope.thing(id));
  if (what === undefined || what.all.length > 24) return undefined;
  const rooms = visited(scope).map((info) => ({
    info,
    ids: what.all.filter((other) => scope.placement(other)!.room === info.room.id),
  }));
  const known = rooms.filter(({ ids }) => ids.every((other) => scope.knownOf(other)));
  const counted = known.reduce((sum, { ids }) => sum + ids.length, 0);
  return { noun: what.noun, rooms: known, isPartial: counted !== what.all.length };
}

export function visited(scope: Scope): RoomInfo[] {
  return scope.rooms.filter(({ room }) => scope.isLookedOver(room.id));
}

function roomsDraft(scope: Scope, rooms: readonly RoomInfo[], rest: Pick<Draft, "answer" | "slots">): Draft {
  const frames = rooms.flatMap(({ room }) => scope.sight.inRoom(room.id).slice(0, 3));
  return {
    ...rest,
    targets: [],
    regions: rooms.map(({ room }) => room.id),
    evidenceTimesUs: frames.map(({ timeUs }) => timeUs).sort((a, b) => a - b),
    look: "regions",
  };
}
