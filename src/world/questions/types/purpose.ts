import type { Vec3 } from "../../../geometry/index.ts";
import type { FluentName } from "../../house/types.ts";
import { type Draft, firstOf, type Subtype } from "../draft.ts";
import { answerNames, numberWord, phrase } from "../phrases.ts";
import { refer } from "../refer.ts";
import type { Known, Scope } from "../scope.ts";
import { hasOneRoom } from "./facts.ts";
import { HOUSE_TOLERANCE_M } from "./objects.ts";
import { ACTIONS, PURPOSES } from "./purposes.ts";

const TRIES = 20;

/** Known things that serve a purpose, the nearest by straight distance first. */
function serving(scope: Scope, affordance: string): Known[] {
  const { position } = scope.pose();
  const away = (p: Vec3): number => {
    const [x, y, z] = [p.x - position.x, p.y - position.y, p.z - position.z];
    return x * x + y * y + 9 * z * z;
  };
  return scope.known
    .filter(({ thing }) => thing.affordances.includes(affordance))
    .sort((a, b) => away(a.placement.centre) - away(b.placement.centre));
}

function served(scope: Scope, found: readonly Known[]): Omit<Draft, "slots" | "answer"> {
  const ids = found.map(({ thing }) => thing.id);
  return {
    targets: ids,
    evidenceTimesUs: scope.evidence(...ids),
    tolerance: { m: HOUSE_TOLERANCE_M },
    look: "targets",
  };
}

/** What to use, where to go, what to do about it. */
export const FUNCTIONAL: readonly Subtype[] = [
  {
    type: "functional",
    subtype: "functional/what",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, PURPOSES, TRIES, (purpose) => {
        const found = serving(scope, purpose.affordance);
        if (found.length === 0 || found.length > 8) return undefined;
        const names = found.flatMap(({ thing }) => {
          const { text, extra } = answerNames(thing);
          return [text, ...extra];
        });
        const [text, ...extra] = [...new Set(names)] as [string, ...string[]];
        return {
          ...served(scope, found),
          answer: { type: "text", text, position: found[0]!.placement.centre, accepted: centres(found) },
          extra,
          slots: { purpose: phrase(purpose.dev, purpose.test) },
          about: { affordance: purpose.affordance },
        };
      }),
  },
  {
    type: "functional",
    subtype: "functional/where",
    answers: "position",
    make: (scope, random) =>
      firstOf(random, PURPOSES, TRIES, (purpose) => {
        const found = serving(scope, purpose.affordance);
        if (found.length === 0 || found.length > 8) return undefined;
        const first = found[0]!;
        const { text } = answerNames(first.thing);
        const room = scope.roomInfo(first.placement.room)?.phrase.dev;
        return {
          ...served(scope, found),
          answer: {
            type: "position",
            text: room === undefined ? `at the ${text}` : `at the ${text} in ${room}`,
            position: first.placement.centre,
            accepted: centres(found),
          },
          slots: { purpose: phrase(purpose.dev, purpose.test) },
          about: { affordance: purpose.affordance },
        };
      }),
  },
  {
    type: "functional",
    subtype: "functional/action",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, ACTIONS, TRIES, (action) => {
        const found = serving(scope, action.affordance).filter(
          ({ thing }) => scope.fluent(thing.id, action.fluent as FluentName) === action.from,
        );
        if (found.length === 0) return undefined;
        const said = found.flatMap(({ thing }) => {
          const { text, extra } = answerNames(thing);
          return [text, ...extra].flatMap((name) => action.verb.map((verb) => `${verb} the ${name}`));
        });
        const [text, ...extra] = [...new Set(said)] as [string, ...string[]];
        return {
          ...served(scope, found),
          answer: { type: "text", text, position: found[0]!.placement.centre, accepted: centres(found) },
          extra: extra.slice(0, 60),
          slots: { need: phrase(action.dev, action.test) },
          about: { affordance: action.affordance, fluent: action.fluent, from: action.from },
        };
      }),
  },
];

/** What kind of room, where am I, for how many. */
export const KNOWLEDGE: readonly Subtype[] = [
  {
    type: "world-knowledge",
    subtype: "knowledge/room-type",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, (known) => {
        const words = refer(scope, known.thing, random, false);
        const room = scope.house.rooms.find(({ id }) => id === known.placement.room);
        if (!words || !room || !hasOneRoom(known.thing)) return undefined;
        return {
          answer: { type: "text", text: room.type },
          extra: [`a ${room.type}`],
          slots: { thing: words },
          targets: [known.thing.id],
          regions: [room.id],
          evidenceTimesUs: scope.evidence(known.thing.id),
          distractors: [...new Set(scope.house.rooms.map(({ type }) => type))],
          look: "targets",
        };
      }),
  },
  {
    type: "world-knowledge",
    subtype: "knowledge/here",
    answers: "text",
    make: (scope) => {
      const frame = scope.sight.frames.findLast(({ agentId }) => agentId === scope.askedOf);
      const room = scope.house.rooms.find(({ id }) => id === frame?.room);
      if (!frame || !room || scope.askedAtUs - frame.timeUs > 2_000_000) return undefined;
      return {
        answer: { type: "text", text: room.type },
        extra: [`the ${room.type}`, `in the ${room.type}`],
        slots: {},
        targets: [],
        regions: [room.id],
        evidenceTimesUs: [frame.timeUs],
        distractors: [...new Set(scope.house.rooms.map(({ type }) => type))],
        look: "none",
      };
    },
  },
  {
    type: "world-knowledge",
    subtype: "knowledge/sleeps",
    answers: "count",
    make: (scope) => {
      const beds = scope.present().filter(({ thing }) => /bed$|crib/.test(thing.category));
      if (beds.length === 0 || beds.some(({ thing }) => thing.category === "crib")) return undefined;
      if (!beds.every(({ thing }) => scope.knownOf(thing.id))) return undefined;
      const count = beds.reduce((sum, { thing }) => sum + (thing.category === "bed" ? 2 : 1), 0);
      const ids = beds.map(({ thing }) => thing.id);
      return {
        answer: { type: "count", count, text: String(count) },
        extra: [numberWord(count)],
        slots: {},
        targets: ids,
        evidenceTimesUs: scope.evidence(...ids),
        distractors: [count - 1, count + 1, count + 2, count + 3].map(String),
        look: "targets",
      };
    },
  },
];

export function centres(found: readonly Known[]): Vec3[] {
  return found.map(({ placement }) => placement.centre);
}
