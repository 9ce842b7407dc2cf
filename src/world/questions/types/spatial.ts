import { distance, type Vec3 } from "../../../geometry/index.ts";
import { gapM } from "../../house/relations.ts";
import { sinCos, wrapAngle } from "../../sensors/index.ts";
import { binary, type Draft, firstOf, type Subtype } from "../draft.ts";
import { answerNames, phrase, spanWords } from "../phrases.ts";
import { refer } from "../refer.ts";
import type { Known, Scope } from "../scope.ts";
import { isFloorFurniture } from "./facts.ts";

const TRIES = 30;
export const SIDES = ["left", "right", "front", "behind"] as const;
export type Side = (typeof SIDES)[number];
/** Within this sector "left" is beyond doubt; the wider one must hold nothing else. */
const SURE = 1.4;
const DOUBTFUL = 0.7;
const NEAR_M = 2.5;
const NOTHING_ELSE_M = 3.2;

/** The direction of a point for an observer with a position and heading; undefined near the diagonals. */
export function sideOf(from: Vec3, yaw: { sin: number; cos: number }, to: Vec3): Side | undefined {
  const dx = to.x - from.x;
  const dy = to.y - from.y;
  const ahead = dx * yaw.cos + dy * yaw.sin;
  const left = dy * yaw.cos - dx * yaw.sin;
  if (Math.abs(left) > SURE * Math.abs(ahead)) return left > 0 ? "left" : "right";
  if (Math.abs(ahead) > SURE * Math.abs(left)) return ahead > 0 ? "front" : "behind";
  return undefined;
}

/** The one piece of furniture on a side, if there is one and only one near; nothing else even nearly there. */
function onlyOnSide(
  scope: Scope,
  from: Vec3,
  yawRad: number,
  room: string,
  side: "left" | "right",
  atUs: number,
): Known | undefined {
  const { sin, cos } = sinCos(yawRad);
  const found = scope.house.things.flatMap((thing) => {
    const placement = thing.type === "furniture" ? scope.placement(thing.id, atUs) : undefined;
    if (placement === undefined || placement.room !== room || !isFloorFurniture(scope, { thing, placement }))
      return [];
    const dx = placement.centre.x - from.x;
    const dy = placement.centre.y - from.y;
    const distanceM = Math.sqrt(dx * dx + dy * dy);
    const ahead = dx * cos + dy * sin;
    const left = (side === "left" ? 1 : -1) * (dy * cos - dx * sin);
    if (distanceM > NOTHING_ELSE_M || left < DOUBTFUL * Math.abs(ahead)) return [];
    return [{ thing, isSure: left > SURE * Math.abs(ahead) && distanceM < NEAR_M && distanceM > 0.3 }];
  });
  const known = found.length === 1 && found[0]!.isSure ? scope.knownOf(found[0]!.thing.id) : undefined;
  return known !== undefined && known.sinceUs <= atUs ? known : undefined;
}

/** A past moment at which the agent kept its heading: "my right" means something then. */
function steadyMoment(scope: Scope, t: number): boolean {
  const { yawRad } = scope.pose(t);
  return [-1_500_000, -700_000, 700_000, 1_500_000].every(
    (d) => Math.abs(wrapAngle(scope.pose(t + d).yawRad - yawRad)) < 0.12,
  );
}

interface Moment {
  readonly atUs: number;
  readonly agoS: number;
  readonly room: string;
  readonly position: Vec3;
  readonly yawRad: number;
}

/** Whole seconds before now, so that the words say exactly which moment is meant. */
function pastMoments(scope: Scope): Moment[] {
  return scope.sight.frames.flatMap((frame) => {
    if (frame.agentId !== scope.askedOf || frame.room === null) return [];
    const agoS = Math.round((scope.askedAtUs - frame.timeUs) / 1e6);
    const atUs = scope.askedAtUs - agoS * 1_000_000;
    if (agoS < 8 || agoS > 900 || !steadyMoment(scope, atUs)) return [];
    return [{ atUs, agoS, room: frame.room, ...scope.pose(atUs) }];
  });
}

function agoPhrase(agoS: number) {
  return phrase(`${spanWords(agoS)} ago`, agoS < 60 ? `${agoS} s ago` : `${spanWords(agoS)} earlier`);
}

function seen(scope: Scope, known: Known, extra: Partial<Draft> = {}): Omit<Draft, "slots"> {
  const { text, extra: others } = answerNames(known.thing);
  return {
    answer: { type: "text", text },
    extra: others,
    targets: [known.thing.id],
    evidenceTimesUs: scope.evidence(known.thing.id),
    distractors: scope.known.flatMap(({ thing }) => (thing.type === "furniture" ? [thing.name] : [])),
    look: "targets",
    ...extra,
  };
}

/** Left and right of an observer at a given place, of the agent some time ago, and distances in metres. */
export const SPATIAL: readonly Subtype[] = [
  {
    type: "spatial",
    subtype: "spatial/standing",
    answers: "text",
    make: (scope, random) =>
      firstOf(
        random,
        scope.known.filter((k) => isFloorFurniture(scope, k)),
        TRIES,
        (a) => {
          const here = random.shuffle(
            scope.known.filter(
              (k) => k !== a && k.placement.room === a.placement.room && isFloorFurniture(scope, k),
            ),
          );
          const [b, c] = here;
          if (!b || !c) return undefined;
          const fx = b.placement.centre.x - a.placement.centre.x;
          const fy = b.placement.centre.y - a.placement.centre.y;
          const length = Math.sqrt(fx * fx + fy * fy);
          const side =
            length < 0.8 || gapM(a.placement, c.placement) < 0.3
              ? undefined
              : sideOf(a.placement.centre, { cos: fx / length, sin: fy / length }, c.placement.centre);
          const words = [a, b, c].map((k) => refer(scope, k.thing, random));
          if (side === undefined || side === "front" || words.some((w) => w === undefined)) return undefined;
          const ids = [a, b, c].map((k) => k.thing.id);
          return {
            answer: { type: "text", text: side },
            extra: side === "behind" ? ["behind me", "back"] : [`to the ${side}`, `on the ${side}`],
            slots: { at: words[0]!, facing: words[1]!, thing: words[2]! },
            targets: ids,
            evidenceTimesUs: scope.evidence(...ids),
            frame: { kind: "viewer", ref: a.thing.id, position: a.placement.centre },
            distractors: SIDES.filter((s) => s !== side).map((s) => s),
            look: "targets",
          };
        },
      ),
  },
  {
    type: "spatial",
    subtype: "spatial/distance",
    answers: "quantity",
    make: (scope, random) =>
      firstOf(
        random,
        scope.known.filter((k) => isFloorFurniture(scope, k)),
        TRIES,
        (a) => {
          const b = random.pick(scope.known.filter((k) => isFloorFurniture(scope, k)));
          const isApart = gapM(a.placement, b.placement) >= 0.8;
          if (a === b || a.placement.room !== b.placement.room || !isApart) return undefined;
          // Measured between centres, as question writers do.
          const distanceM = Math.round(distance(a.placement.centre, b.placement.centre) * 100) / 100;
          const first = refer(scope, a.thing, random);
          const second = refer(scope, b.thing, random);
          if (!first || !second) return undefined;
          return {
            answer: {
              type: "quantity",
              quantity: { value: distanceM, unit: "m" },
              text: `about ${distanceM.toFixed(1)} m`,
            },
            slots: { first, second },
            targets: [a.thing.id, b.thing.id],
            evidenceTimesUs: scope.evidence(a.thing.id, b.thing.id),
            tolerance: { m: 0.3, share: 0.15 },
            look: "targets",
          };
        },
      ),
  },
  {
    type: "spatial",
    subtype: "spatial/past-ego",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, pastMoments(scope), TRIES, ({ atUs, agoS, room, position, yawRad }) => {
        const side = random.pick(["left", "right"] as const);
        const only = onlyOnSide(scope, position, yawRad, room, side, atUs);
        if (only === undefined) return undefined;
        return {
          ...seen(scope, only),
          slots: { side, when: agoPhrase(agoS) },
          frame: { kind: "ego", ref: scope.askedOf, atUs, position, yawRad },
          about: { side, room },
          look: "none",
        };
      }),
  },
  {
    type: "spatial",
    subtype: "spatial/past-ego-is",
    answers: "binary",
    make: (scope, random, want) =>
      firstOf(random, pastMoments(scope), TRIES, ({ atUs, agoS, room, position, yawRad }) => {
        const side = random.pick(["left", "right"] as const);
        const only = onlyOnSide(scope, position, yawRad, room, side, atUs);
        const words = only && refer(scope, only.thing, random);
        if (!only || !words) return undefined;
        const asked = want ? side : side === "left" ? "right" : "left";
        return {
          ...seen(scope, only),
          answer: binary(want),
          extra: [],
          slots: { thing: words, side: asked, when: agoPhrase(agoS) },
          frame: { kind: "ego", ref: scope.askedOf, atUs, position, yawRad },
          about: { side: asked, room },
          look: "none",
        };
      }),
  },
  {
    type: "spatial",
    subtype: "spatial/entering",
    answers: "text",
    make: (scope, random) => {
      const doors = scope.house.openings.filter(({ kind }) => kind === "door" || kind === "arch");
      return firstOf(random, doors, TRIES, ({ rooms, centre, along }) => {
        const [one, two] = random.shuffle(rooms);
        const into = scope.roomInfo(one ?? null);
        const from = scope.roomInfo(two ?? null);
        const joins = doors.filter((d) => d.rooms.includes(one!) && d.rooms.includes(two!));
        if (!into || !from || joins.length !== 1) return undefined;
        const [a, , c] = into.room.polygon.points as [Vec3, Vec3, Vec3];
        // The heading is a quarter turn: across the wall, into the room.
        const ahead = along === "x" ? (a.y + c.y) / 2 - centre.y : (a.x + c.x) / 2 - centre.x;
        const quarter = along === "x" ? (ahead > 0 ? 1 : -1) : ahead > 0 ? 0 : 2;
        const yawRad = quarter * (Math.PI / 2);
        const side = random.pick(["left", "right"] as const);
        const only = onlyOnSide(scope, centre, yawRad, into.room.id, side, scope.askedAtUs);
        if (only === undefined) return undefined;
        return {
          ...seen(scope, only),
          slots: { room: into.phrase, from: from.phrase, side },
          regions: [into.room.id, from.room.id],
          frame: { kind: "viewer", position: centre, yawRad },
          about: { side, room: into.room.id },
        };
      });
    },
  },
];
