import { Random } from "../../geometry/index.ts";
import { contentId, type QuestionInput, type QuestionRecord } from "../../schema/index.ts";
import { makeQuestion } from "./dataset.ts";
import { midnightUs, type Stay } from "./stay.ts";

/** Number of things asked about per day. */
const THINGS_A_DAY = 12;
/** Shorter stays are not asked about: a minute either way would change the answer. */
const SHORTEST_STAY_US = 5 * 60_000_000;

type Draft = Pick<QuestionInput, "type" | "subtype" | "text" | "answer"> & Partial<QuestionInput>;

/** Where was it at a time, where was it before, how often was it moved; asked at the end of each day. */
export function moveQuestions(stays: readonly Stay[], days: number): QuestionRecord[] {
  return Array.from({ length: days }, (_, day) => {
    const random = new Random(`moves-${day}`);
    const byThing = Map.groupBy(
      stays.filter((stay) => stay.day === day),
      ({ trackId }) => trackId,
    );
    // Two things with one name could not be told apart in a question.
    const names = Map.groupBy([...byThing.values()], ([first]) => first!.thing);
    const clear = [...names.values()].flatMap((same) => (same.length === 1 ? same : []));
    return random
      .shuffle(clear)
      .slice(0, THINGS_A_DAY)
      .flatMap((own) => draftsOf(random, own, day))
      .map((draft) =>
        makeQuestion({
          id: contentId("homer", day, draft.subtype, draft.text),
          family: "homer-plus",
          suite: "homer-plus",
          askedAtUs: midnightUs(day + 1) - 1,
          ...draft,
        }),
      );
  }).flat();
}

function draftsOf(random: Random, own: readonly Stay[], day: number): Draft[] {
  const { thing, trackId } = own[0]!;
  const targets = [trackId];
  const drafts: Draft[] = [
    {
      type: "counting",
      subtype: "moves",
      text: `How many times was the ${thing} moved on ${dateText(day)}?`,
      answer: { type: "count", text: String(own.length), count: own.length },
      evidenceTimesUs: own.map(({ fromUs }) => fromUs),
      targets,
    },
  ];
  const long = own.filter(({ fromUs, toUs }) => toUs - fromUs >= SHORTEST_STAY_US);
  if (long.length > 0) {
    const stay = random.pick(long);
    const atUs = stay.fromUs + Math.floor((stay.toUs - stay.fromUs) / 2);
    drafts.push({
      type: "temporal",
      subtype: "where-at",
      text: `Where was the ${thing} at ${clockText(atUs)} on ${dateText(day)}?`,
      answer: { type: "text", text: stay.where },
      evidenceTimesUs: [stay.fromUs],
      targets,
    });
  }
  const moved = own.filter((stay, i) => i > 0 && own[i - 1]!.place !== stay.place);
  if (moved.length > 0) {
    const stay = random.pick(moved);
    const before = own[own.indexOf(stay) - 1]!;
    drafts.push({
      type: "change",
      subtype: "where-before",
      text: `Where was the ${thing} before it was moved at ${clockText(stay.fromUs)} on ${dateText(day)}?`,
      answer: { type: "text", text: before.where },
      evidenceTimesUs: [before.fromUs, stay.fromUs],
      targets,
    });
  }
  const early = own[0]!.fromUs - midnightUs(day);
  if (early >= 2 * SHORTEST_STAY_US && random.chance(0.3)) {
    drafts.push({
      type: "temporal",
      subtype: "where-at",
      text: `Where was the ${thing} at ${clockText(midnightUs(day) + Math.floor(early / 2))} on ${dateText(day)}?`,
      answer: { type: "none", text: "Nobody had seen it that day yet.", status: "not-seen" },
      unanswerableReason: "never-seen",
      targets,
    });
  }
  return drafts;
}

function dateText(day: number): string {
  return new Date(midnightUs(day) / 1000).toISOString().slice(0, 10);
}

/** To the second: some things are moved twice in a minute. */
function clockText(timeUs: number): string {
  return new Date(timeUs / 1000).toISOString().slice(11, 19);
}
