import type { Vec3 } from "../../../geometry/index.ts";
import { sinCos, wrapAngle } from "../../sensors/index.ts";
import { binary, firstOf, type Subtype } from "../draft.ts";
import { clockWords, phrase, spanWords } from "../phrases.ts";
import { refer } from "../refer.ts";
import type { Scope } from "../scope.ts";
import { CLEAR_FRAMES, evidenceTimes } from "../sight.ts";
import type { SeenFrame } from "../world.ts";
import { isFloorFurniture } from "./facts.ts";

const TRIES = 20;
const S = 1_000_000;
const SURE = 1.4;
/** Less than this between the first and the last sighting is shuffling about. */
const MIN_WAY_M = 0.6;
const NEARER_M = 0.8;

/** A person seen in a row of frames by one agent, walking all the while or standing all the while. */
interface Run {
  readonly person: string;
  readonly frames: readonly SeenFrame[];
  readonly isWalking: boolean;
}

function runsOf(scope: Scope): Run[] {
  const people = scope.house.things.filter(({ type }) => type === "person");
  return people.flatMap(({ id }) => {
    const runs: { person: string; frames: SeenFrame[]; isWalking: boolean }[] = [];
    for (const frame of scope.sight.clear(id)) {
      if (frame.agentId !== scope.askedOf) continue;
      const isWalking = scope.segmentAt(id, frame.timeUs).path !== undefined;
      const last = runs.at(-1);
      const follows = last !== undefined && frame.timeUs - last.frames.at(-1)!.timeUs <= 2.5 * S;
      const isSame =
        follows && last.isWalking === isWalking && sameStretch(scope, id, last.frames.at(-1)!, frame);
      if (isSame) last.frames.push(frame);
      else runs.push({ person: id, frames: [frame], isWalking });
    }
    return runs.filter(({ frames }) => frames.length >= CLEAR_FRAMES);
  });
}

function sameStretch(scope: Scope, id: string, a: SeenFrame, b: SeenFrame): boolean {
  return scope.segmentAt(id, a.timeUs) === scope.segmentAt(id, b.timeUs);
}

interface Way {
  readonly run: Run;
  readonly from: Vec3;
  readonly to: Vec3;
  readonly first: SeenFrame;
  readonly last: SeenFrame;
}

/** Runs of a person who covered a distance while in view. */
function waysOf(scope: Scope): Way[] {
  return runsOf(scope).flatMap((run) => {
    const [first, last] = [run.frames[0]!, run.frames.at(-1)!];
    const from = scope.placement(run.person, first.timeUs)?.centre;
    const to = scope.placement(run.person, last.timeUs)?.centre;
    if (!run.isWalking || !from || !to || away(from, to) < MIN_WAY_M) return [];
    return [{ run, from, to, first, last }];
  });
}

function away(a: Vec3, b: Vec3): number {
  const [x, y] = [a.x - b.x, a.y - b.y];
  return Math.sqrt(x * x + y * y);
}

/** Length of the path walked, corners included. */
function wayM(scope: Scope, { run, first, last }: Way): number {
  let sum = 0;
  let here = scope.placement(run.person, first.timeUs)!.centre;
  for (let t = first.timeUs; t <= last.timeUs; t += S / 10) {
    const next = scope.placement(run.person, t)!.centre;
    sum += away(here, next);
    here = next;
  }
  return sum;
}

function atPhrase(scope: Scope, frame: SeenFrame) {
  const agoS = Math.round((scope.askedAtUs - frame.timeUs) / S);
  return phrase(`at ${clockWords(frame.timeUs)}`, agoS < 1 ? "just now" : `${spanWords(agoS)} ago`);
}

const base = (scope: Scope, { run, first, last }: Way) => ({
  targets: [run.person],
  evidenceTimesUs: evidenceTimes(run.frames),
  about: { fromUs: first.timeUs, toUs: last.timeUs },
  slots: { person: scope.thing(run.person).name, when: atPhrase(scope, first) },
  look: "none" as const,
});

/** How people and the agent itself moved: relative to the camera, and to the room. */
export const MOTION: readonly Subtype[] = [
  {
    type: "motion",
    subtype: "motion/direction",
    answers: "motion",
    make: (scope, random) =>
      firstOf(random, waysOf(scope), TRIES, (way) => {
        const { sin, cos } = sinCos(way.first.yawRad);
        const [dx, dy] = [way.to.x - way.from.x, way.to.y - way.from.y];
        const ahead = dx * cos + dy * sin;
        const left = dy * cos - dx * sin;
        const sideways = Math.abs(left) > SURE * Math.abs(ahead);
        if (!sideways && Math.abs(ahead) < SURE * Math.abs(left)) return undefined;
        const direction = sideways ? (left > 0 ? "left" : "right") : ahead > 0 ? "away" : "towards";
        const text = sideways
          ? `to the ${direction}`
          : direction === "away"
            ? "away from you"
            : "towards you";
        return {
          ...base(scope, way),
          answer: { type: "motion", moving: true, direction, text },
          frame: {
            kind: "ego",
            ref: scope.askedOf,
            atUs: way.first.timeUs,
            position: way.first.positionInWorld,
            yawRad: way.first.yawRad,
          },
        };
      }),
  },
  {
    type: "motion",
    subtype: "motion/towards",
    answers: "binary",
    make: (scope, random, want) =>
      firstOf(random, waysOf(scope), 2 * TRIES, (way) => {
        const room = scope.placement(way.run.person, way.last.timeUs)?.room;
        const marks = scope.known.filter(
          (k) =>
            k.placement.room === room &&
            k.sinceUs <= way.first.timeUs &&
            isFloorFurniture(scope, k) &&
            (away(way.from, k.placement.centre) - away(way.to, k.placement.centre)) * (want ? 1 : -1) >
              NEARER_M,
        );
        if (marks.length === 0) return undefined;
        const mark = random.pick(marks);
        const words = refer(scope, mark.thing, random);
        if (!words) return undefined;
        const draft = base(scope, way);
        return {
          ...draft,
          answer: binary(want),
          slots: { ...draft.slots, mark: words },
          targets: [way.run.person, mark.thing.id],
          frame: { kind: "world" },
        };
      }),
  },
  {
    type: "motion",
    subtype: "motion/walking",
    answers: "binary",
    make: (scope, random, want) =>
      firstOf(
        random,
        runsOf(scope).filter(({ isWalking }) => isWalking === want),
        TRIES,
        (run) => {
          const middle = run.frames[Math.floor(run.frames.length / 2)]!;
          return {
            answer: binary(want),
            slots: { person: scope.thing(run.person).name, when: atPhrase(scope, middle) },
            targets: [run.person],
            evidenceTimesUs: evidenceTimes(run.frames),
            about: { atUs: middle.timeUs },
            look: "none",
          };
        },
      ),
  },
  {
    type: "motion",
    subtype: "motion/speed",
    answers: "quantity",
    make: (scope, random) =>
      firstOf(random, waysOf(scope), TRIES, (way) => {
        const seconds = (way.last.timeUs - way.first.timeUs) / S;
        const speed = Math.round((wayM(scope, way) / seconds) * 100) / 100;
        return {
          ...base(scope, way),
          answer: {
            type: "quantity",
            quantity: { value: speed, unit: "m/s" },
            text: `about ${speed.toFixed(1)} m/s`,
          },
          tolerance: { share: 0.3 },
        };
      }),
  },
  {
    type: "motion",
    subtype: "motion/own-turn",
    answers: "motion",
    make: (scope, random) =>
      firstOf(random, scope.sight.frames, 2 * TRIES, (frame) => {
        if (frame.agentId !== scope.askedOf) return undefined;
        const agoS = Math.round((scope.askedAtUs - frame.timeUs) / S);
        const atUs = scope.askedAtUs - agoS * S;
        if (agoS < 5 || atUs - 2 * S < scope.world.timeline.startUs) return undefined;
        const turned = [-2, -1, 0, 1].map((s) =>
          wrapAngle(scope.pose(atUs + (s + 1) * S).yawRad - scope.pose(atUs + s * S).yawRad),
        );
        if (!turned.every((a) => a > 0.3) && !turned.every((a) => a < -0.3)) return undefined;
        const turn = turned[0]! > 0 ? "counter-clockwise" : "clockwise";
        return {
          answer: {
            type: "motion",
            moving: true,
            turn,
            text: `${turn}, to the ${turned[0]! > 0 ? "left" : "right"}`,
          },
          extra: [turn, turned[0]! > 0 ? "left" : "right"],
          slots: { when: phrase(`${spanWords(agoS)} ago`, `at ${clockWords(atUs)}`) },
          targets: [],
          evidenceTimesUs: [atUs],
          frame: { kind: "ego", ref: scope.askedOf, atUs },
          about: { atUs },
          look: "none",
        };
      }),
  },
];
