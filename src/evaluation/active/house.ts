import type { Stand } from "../../exploration/index.ts";
import type { QuestionRecord } from "../../schema/index.ts";
import type { Timeline } from "../../world/dynamics/index.ts";
import { LiveHouse } from "../../world/live-house.ts";
import { makeQuestions } from "../../world/questions/index.ts";
import { ViewAtlas } from "../../world/questions/min-path.ts";
import { imagineHouse } from "../../world/recorder/index.ts";
import { DEFAULT_START_US } from "../../world/recorder/options.ts";

/** A house with questions that require exploration, each starting where the tour behind them ended. */
export interface ActiveHouse {
  readonly seed: number | string;
  readonly timeline: Timeline;
  readonly areaM2: number;
  readonly startUs: number;
  readonly questions: readonly {
    readonly record: QuestionRecord;
    /** The shortest walk that shows what the answer needs, in metres, and its stops. */
    readonly leastM: number;
    readonly route: readonly Stand[];
  }[];
}

const TOUR_MINUTES = 8;
const LIFE_MINUTES = 600;
/** Questions about the whole house need all of it to be seen; the generator's walk shows only the parts that count. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set([
  "counting/house",
  "counting/rooms-with",
  "comparison/room-most",
]);

/**
 * A quiet house of one storey and its MT-like questions. They are about what a tour showed clearly and have a
 * shortest walk; the asked agent has seen nothing of it.
 */
export function activeHouse(options: {
  readonly seed: number | string;
  readonly count: number;
  readonly wording: "dev" | "test";
  /** Only questions without an answer here. */
  readonly isUnanswerable?: boolean | undefined;
}): ActiveHouse {
  const { seed, count, wording, isUnanswerable = false } = options;
  const { world } = imagineHouse({
    family: "house",
    seed,
    minutes: TOUR_MINUTES,
    fps: 1,
    noise: 0,
    out: "unused",
    rate: 0,
    people: 0,
    floors: 1,
    life: { startUs: DEFAULT_START_US, minutes: LIFE_MINUTES },
  });
  const made = makeQuestions(world, {
    suite: "mt",
    count,
    seed,
    wording,
    scope: "active",
    ...(isUnanswerable && { unanswerable: 1 }),
  }).filter(({ answerable }) => !isUnanswerable || !answerable);
  const { timeline } = world;
  const startUs = made[0]?.askedAtUs ?? timeline.startUs;
  const atlas = new ViewAtlas(world, startUs);
  const { rooms } = timeline.house;
  return {
    seed,
    timeline,
    areaM2: new LiveHouse({ timeline, seed }).areaM2(startUs),
    startUs,
    questions: made.map((record) => {
      const whole = OF_THE_WHOLE.has(record.subtype)
        ? atlas.overRooms(record.start!.position, roomsAsked(rooms, record), { isPartial: true })
        : undefined;
      const { m, viewpoints } = whole ?? record.minPath!;
      const route = viewpoints.map(({ position, yawRad }) => ({ positionInWorld: position, yawRad }));
      return { record, leastM: m, route };
    }),
  };
}

/** The rooms that a question about the whole house concerns: those among its options, else all. */
function roomsAsked(rooms: Timeline["house"]["rooms"], { options = [] }: QuestionRecord): string[] {
  const named = rooms.filter(({ type, name }) => options.includes(type) || options.includes(name));
  return (named.length > 1 ? named : rooms).map(({ id }) => id);
}
