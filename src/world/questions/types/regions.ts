import type { Vec3 } from "../../../geometry/index.ts";
import type { Room } from "../../house/types.ts";
import { type Draft, firstOf, type Subtype } from "../draft.ts";
import { answerNames, listed, phrase } from "../phrases.ts";
import { placeWords } from "../place-words.ts";
import type { Known, RoomInfo, Scope } from "../scope.ts";
import { visited } from "./comparison.ts";
import { volumeM3 } from "./facts.ts";
import { centres } from "./purpose.ts";
import { ROOM_ACTIVITIES } from "./purposes.ts";

const TRIES = 20;

/** Places that are meant without being named. */
export const IMPLICIT: readonly Subtype[] = [
  {
    type: "implicit",
    subtype: "implicit/ambience",
    answers: "position",
    make: (scope, random) => {
      const tags = [...new Set(scope.house.rooms.flatMap(({ ambience }) => ambience))].filter(
        (tag) => tag in AMBIENCE,
      );
      if (tags.length < 2) return undefined;
      const [a, b] = random.shuffle(tags.sort()) as [string, string];
      const rooms = scope.house.rooms.filter(({ ambience }) => ambience.includes(a) && ambience.includes(b));
      const draft = placeDraft(scope, rooms);
      if (!draft) return undefined;
      const words = (set: "dev" | "test"): string => `${AMBIENCE[a]![set]} and ${AMBIENCE[b]![set]}`;
      return { ...draft, slots: { ambience: phrase(words("dev"), words("test")) }, about: { tags: [a, b] } };
    },
  },
  {
    type: "implicit",
    subtype: "implicit/activity",
    answers: "position",
    make: (scope, random) =>
      firstOf(random, ROOM_ACTIVITIES, TRIES, (activity) => {
        const rooms = scope.house.rooms.filter(({ type }) => type === activity.type);
        const draft = placeDraft(scope, rooms);
        return (
          draft && {
            ...draft,
            slots: { activity: phrase(activity.dev, activity.test) },
            about: { roomType: activity.type },
          }
        );
      }),
  },
  {
    type: "implicit",
    subtype: "implicit/company",
    answers: "position",
    make: (scope) => {
      const people = scope.known.filter(({ thing }) => thing.type === "person");
      const first = people[0];
      if (first === undefined) return undefined;
      const ids = people.map(({ thing }) => thing.id);
      return {
        answer: {
          type: "position",
          text: placeWords(scope, first.thing, first.placement).text,
          position: first.placement.centre,
          accepted: centres(people),
        },
        slots: {},
        targets: ids,
        evidenceTimesUs: scope.evidence(...ids),
        tolerance: { m: 2 },
        look: "targets",
      };
    },
  },
];

const AMBIENCE: Readonly<Record<string, { dev: string; test: string }>> = {
  bright: phrase("bright", "full of daylight"),
  quiet: phrase("quiet", "calm"),
  cosy: phrase("cosy", "snug"),
  social: phrase("good for company", "fit for meeting people"),
  dim: phrase("dim", "not too bright"),
  private: phrase("private", "undisturbed"),
  "for work": phrase("made for work", "suited to working"),
  "for reading": phrase("good for reading", "suited to reading"),
  playful: phrase("playful", "fun for children"),
  colourful: phrase("colourful", "full of colours"),
  noisy: phrase("noisy", "loud"),
  energetic: phrase("lively", "full of energy"),
};

function placeDraft(scope: Scope, rooms: readonly Room[]): Omit<Draft, "slots"> | undefined {
  const seen = rooms.filter(({ id }) => scope.isLookedOver(id));
  const first = seen[0];
  if (first === undefined || seen.length !== rooms.length || rooms.length > 3) return undefined;
  const middles = seen.map(middleOf);
  return {
    answer: { type: "position", text: first.type, position: middles[0]!, accepted: middles },
    extra: [...new Set(seen.map(({ type }) => `the ${type}`))],
    targets: [],
    regions: seen.map(({ id }) => id),
    evidenceTimesUs: seen.flatMap(({ id }) =>
      scope.sight
        .inRoom(id)
        .slice(0, 3)
        .map(({ timeUs }) => timeUs),
    ),
    tolerance: { m: 2.5 },
    look: "regions",
  };
}

function middleOf({ polygon: { points }, floorZM }: Room): Vec3 {
  const a = points[0]!;
  const c = points[2]!;
  return { x: (a.x + c.x) / 2, y: (a.y + c.y) / 2, z: floorZM };
}

/** The whole, or a whole room: facts that a good answer mentions. */
export const GLOBAL: readonly Subtype[] = [
  {
    type: "global",
    subtype: "global/house",
    answers: "rubric",
    make: (scope) => {
      const types = [
        ...new Set(scope.house.rooms.filter(({ id }) => scope.isLookedOver(id)).map(({ type }) => type)),
      ];
      if (types.length < 3) return undefined;
      const facts = types.map((type): string[] => [type]);
      return rubric(scope, facts, `a home with ${listed(types)}`, {}, visited(scope));
    },
  },
  {
    type: "global",
    subtype: "global/room",
    answers: "rubric",
    make: (scope, random) =>
      firstOf(random, visited(scope), TRIES, (info) => {
        const furniture = scope.known
          .filter(({ thing, placement }) => thing.type === "furniture" && placement.room === info.room.id)
          .sort((a, b) => volumeM3(b.placement) - volumeM3(a.placement))
          .slice(0, 6);
        const facts = distinct(furniture);
        if (facts.length < 3) return undefined;
        const text = `${info.phrase.dev} with ${listed(facts.map((fact) => fact[0]!))}`;
        const ids = furniture.map(({ thing }) => thing.id);
        return {
          ...rubric(scope, facts, text, { room: info.phrase }, [info]),
          targets: ids,
          evidenceTimesUs: scope.evidence(...ids),
        };
      }),
  },
  {
    type: "global",
    subtype: "global/storage",
    answers: "rubric",
    make: (scope) => {
      const storage = scope.known.filter(
        ({ thing }) => thing.type === "furniture" && thing.affordances.some((a) => a.startsWith("store ")),
      );
      const facts = distinct(storage).slice(0, 12);
      if (facts.length < 3) return undefined;
      const ids = storage.map(({ thing }) => thing.id);
      return {
        ...rubric(scope, facts, listed(facts.map((fact) => fact[0]!)), {}, visited(scope)),
        targets: ids,
        evidenceTimesUs: scope.evidence(...ids).slice(0, 64),
      };
    },
  },
];

/** One fact for each category, with all names that count for it. */
function distinct(known: readonly Known[]): string[][] {
  const byCategory = new Map<string, string[]>();
  for (const { thing } of known) {
    const { text, extra } = answerNames(thing);
    const names = [...(byCategory.get(thing.category) ?? [thing.category]), text, ...extra];
    byCategory.set(thing.category, [...new Set(names)].slice(0, 32));
  }
  return [...byCategory.values()];
}

function rubric(
  scope: Scope,
  facts: string[][],
  text: string,
  slots: Draft["slots"],
  rooms: readonly RoomInfo[],
): Draft {
  return {
    answer: { type: "rubric", text, facts },
    slots,
    targets: [],
    regions: rooms.map(({ room }) => room.id),
    evidenceTimesUs: rooms.flatMap(({ room }) =>
      scope.sight
        .inRoom(room.id)
        .slice(0, 2)
        .map((f) => f.timeUs),
    ),
    look: "regions",
  };
}
