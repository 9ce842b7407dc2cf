import type { Vec3 } from "../../../geometry/index.ts";
import type { TruthAnswer } from "../../../schema/index.ts";
import { roomAt } from "../../dynamics/index.ts";
import { Navigation } from "../../navigation/index.ts";
import { type Draft, firstOf, type Subtype } from "../draft.ts";
import { withArticle } from "../phrases.ts";
import { placeWords } from "../place-words.ts";
import { refer } from "../refer.ts";
import type { Known, Scope } from "../scope.ts";
import type { QuestionWorld } from "../world.ts";
import { observedMove } from "./change.ts";
import { countable } from "./counting.ts";
import { hasOneRoom, isFloorFurniture } from "./facts.ts";
import { bare, HOUSE_TOLERANCE_M } from "./objects.ts";
import { firstSight, lastSight, TIME_TOLERANCE_S, timeAnswer } from "./time.ts";

const TRIES = 20;
const S = 1_000_000;
/** The same thing is nearest by path and by straight line, by this margin: no detour changes the answer. */
const NEARER_M = 1.5;
/** On long paths, detours around furniture could make up for a metre or two. */
const NEARER_SHARE = 0.25;
const THIS_PIXELS = 150;

const navigations = new WeakMap<QuestionWorld, Navigation>();

function navigationOf(world: QuestionWorld): Navigation {
  const known = navigations.get(world);
  if (known !== undefined) return known;
  const made = new Navigation(world.timeline);
  navigations.set(world, made);
  return made;
}

/** A free place before a thing, in its own room: what hangs on a wall is not reached from behind it. */
function standBy(scope: Scope, navigation: Navigation, id: string): Vec3 | undefined {
  const { centre, room: roomId } = scope.placement(id)!;
  const room = scope.house.rooms.find((r) => r.id === roomId)!;
  const [a, , c] = room.polygon.points as [Vec3, Vec3, Vec3];
  for (const share of [0, 0.15, 0.3, 0.5, 0.75, 1]) {
    const x = centre.x + share * ((a.x + c.x) / 2 - centre.x);
    const y = centre.y + share * ((a.y + c.y) / 2 - centre.y);
    const stand = navigation.standNear({ x, y, z: room.floorZM }, scope.askedAtUs, 0.7);
    if (stand !== undefined && roomAt(scope.house, stand) === roomId) return stand;
  }
  return undefined;
}

/** Nearest by walking from where the agent is. */
export const NEAREST: readonly Subtype[] = [
  {
    type: "nearest",
    subtype: "nearest/walk",
    answers: "position",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, ({ thing }) => {
        const what = countable(scope, thing);
        if (!what || what.all.length < 2 || what.all.length > 12) return undefined;
        if (!what.all.every((id) => scope.knownOf(id))) return undefined;
        const { position } = scope.pose();
        // On the stairs one is between two floors, and nothing is simply near.
        if (scope.house.rooms.every(({ floorZM }) => Math.abs(floorZM - position.z) > 0.1)) return undefined;
        const lines = what.all
          .map((id) => {
            const { centre } = scope.placement(id)!;
            const [x, y, z] = [centre.x - position.x, centre.y - position.y, centre.z - position.z];
            return { id, centre, lineM: Math.sqrt(x * x + y * y + z * z) };
          })
          .sort((a, b) => a.lineM - b.lineM);
        if (lines[1]!.lineM - lines[0]!.lineM < NEARER_M) return undefined;
        const navigation = navigationOf(scope.world);
        const ways = lines.slice(0, 6).map(({ id }) => {
          const stand = standBy(scope, navigation, id);
          return stand === undefined ? Infinity : navigation.geodesicM(position, stand, scope.askedAtUs);
        });
        const [first, ...rest] = ways as [number, ...number[]];
        const margin = Math.max(NEARER_M, NEARER_SHARE * first);
        if (first === Infinity || rest.some((way) => way - first < margin)) return undefined;
        const known = scope.knownOf(lines[0]!.id)!;
        return {
          answer: {
            type: "position",
            text: placeWords(scope, known.thing, known.placement).text,
            position: known.placement.centre,
          },
          slots: { thing: what.noun, aThing: withArticle(what.noun) },
          targets: lines.map(({ id }) => id),
          evidenceTimesUs: scope.evidence(known.thing.id),
          tolerance: { m: HOUSE_TOLERANCE_M },
          frame: { kind: "ego", ref: scope.askedOf, position },
          about: { noun: what.noun },
          look: "none",
        };
      }),
  },
];

/** What is plainly in the middle of what the agent sees at this moment. */
export function pointedAt(scope: Scope): { known: Known; image: NonNullable<Draft["image"]> }[] {
  const frame = scope.sight.frames.findLast(({ agentId }) => agentId === scope.askedOf);
  if (frame === undefined || scope.askedAtUs - frame.timeUs > 2 * S) return [];
  const { width, height } = scope.world.camera;
  return frame.visible.flatMap(({ id, pixels, bbox }) => {
    const known = scope.knownOf(id);
    const inside = bbox[0] > 2 && bbox[1] > 2 && bbox[2] < width - 2 && bbox[3] < height - 2;
    if (!known || pixels < THIS_PIXELS || !inside || known.thing.type === "person") return [];
    const image = {
      agentId: frame.agentId,
      timeUs: frame.timeUs,
      bbox: [...bbox] as [number, number, number, number],
    };
    return [{ known, image }];
  });
}

/** "This": what the picture shows, with the memory of where else, when and where before. */
export const MULTIMODAL: readonly Subtype[] = [
  {
    type: "multimodal",
    subtype: "multimodal/another",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, pointedAt(scope), TRIES, ({ known, image }) => {
        const what = countable(scope, known.thing);
        const others = what?.all.filter((id) => id !== known.thing.id) ?? [];
        const other = others.length === 1 ? scope.knownOf(others[0]!) : undefined;
        if (!what || !other) return undefined;
        const { text, extra } = placeWords(scope, other.thing, other.placement);
        return {
          answer: { type: "text", text, position: other.placement.centre },
          extra,
          slots: {},
          targets: [other.thing.id, known.thing.id],
          evidenceTimesUs: scope.evidence(other.thing.id),
          tolerance: { m: HOUSE_TOLERANCE_M },
          image,
          about: { noun: what.noun },
          look: "none",
        };
      }),
  },
  {
    type: "multimodal",
    subtype: "multimodal/first-seen",
    answers: "time",
    make: (scope, random) =>
      firstOf(random, pointedAt(scope), TRIES, ({ known, image }) => {
        const at = firstSight(scope, known.thing.id);
        if (at === undefined || scope.askedAtUs - at < 40 * S) return undefined;
        return {
          answer: timeAnswer(scope, at),
          slots: {},
          targets: [known.thing.id],
          evidenceTimesUs: [at],
          tolerance: { s: TIME_TOLERANCE_S },
          image,
          look: "none",
        };
      }),
  },
  {
    type: "multimodal",
    subtype: "multimodal/belongs",
    answers: "text",
    make: (scope, random) =>
      firstOf(random, pointedAt(scope), TRIES, ({ known, image }) => {
        const moved = observedMove(scope, known.thing);
        if (moved === undefined) return undefined;
        const { text, extra } = placeWords(scope, known.thing, moved.before.placement);
        return {
          answer: { type: "text", text, position: moved.before.placement.centre },
          extra,
          slots: {},
          targets: [known.thing.id],
          evidenceTimesUs: scope.sight
            .clear(known.thing.id, moved.before.fromUs, moved.movedUs - 1)
            .slice(-8)
            .map(({ timeUs }) => timeUs),
          tolerance: { m: HOUSE_TOLERANCE_M },
          image,
          about: { movedUs: moved.movedUs },
          look: "none",
        };
      }),
  },
];

/** Two questions in one sentence, about one thing. */
export const COMPOUND: readonly Subtype[] = [
  compound("compound/height-when", (scope, known) => {
    const heightM = Math.round(known.placement.extent.z * 100) / 100;
    const at = lastSight(scope, known.thing.id);
    if (!isFloorFurniture(scope, known) || heightM < 0.3 || at === undefined) return undefined;
    return [
      { type: "quantity", quantity: { value: heightM, unit: "m" }, text: `${heightM.toFixed(1)} m` },
      timeAnswer(scope, at),
    ];
  }),
  compound("compound/colour-room", (scope, known) => {
    const info = scope.roomInfo(known.placement.room);
    const { colour } = known.thing;
    if (!info || colour === undefined || !hasOneRoom(known.thing)) return undefined;
    return [
      { type: "text", text: colour },
      { type: "text", text: bare(info.phrase.dev) },
    ];
  }),
  compound("compound/where-when", (scope, known) => {
    const at = firstSight(scope, known.thing.id);
    if (at === undefined || known.thing.type !== "small") return undefined;
    const { text } = placeWords(scope, known.thing, known.placement);
    return [{ type: "text", text, position: known.placement.centre }, timeAnswer(scope, at)];
  }),
];

type Part = Exclude<TruthAnswer, { type: "compound" }>;

function compound(
  subtype: string,
  parts: (scope: Scope, known: Known) => (TruthAnswer | Part)[] | undefined,
): Subtype {
  return {
    type: "compound",
    subtype,
    answers: "compound",
    make: (scope, random) =>
      firstOf(random, scope.known, TRIES, (known) => {
        if (known.thing.type === "person") return undefined;
        const found = parts(scope, known) as Part[] | undefined;
        const words = found && refer(scope, known.thing, random, false);
        if (!found || !words) return undefined;
        if (subtype === "compound/colour-room" && words.claims.colour !== undefined) return undefined;
        return {
          answer: { type: "compound", parts: found, text: found.map((part) => part.text).join("; ") },
          slots: { thing: words },
          targets: [known.thing.id],
          evidenceTimesUs: scope.evidence(known.thing.id),
          tolerance: { share: 0.25, s: TIME_TOLERANCE_S, m: HOUSE_TOLERANCE_M },
          look: "targets",
        };
      }),
  };
}
