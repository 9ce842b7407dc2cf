import { Random } from "../../geometry/index.ts";
import { contentId, type QuestionRecord, questionSchema } from "../../schema/index.ts";
import type { HouseThing } from "../house/types.ts";
import { couldBe, nounsOf, type Phrase, phrase, synonymsOf } from "../questions/phrases.ts";
import { factsOf, trackIdOf, type WeekFacts } from "./facts.ts";
import type { ImaginedWeeks } from "./imagine-weeks.ts";
import { looksAt, subjectsOf } from "./looks.ts";
import type { Asked, WeekDraft } from "./question-draft.ts";
import { MAKERS } from "./question-kinds.ts";
import { WEEK_WORDINGS } from "./wordings.ts";

const DAY_US = 86_400_000_000;

export interface WeekQuestionsOptions {
  /** Days in the memory; later ones only serve questions about tomorrow. */
  readonly days: number;
  readonly count: number;
  readonly seed: number | string;
  readonly wording: "dev" | "test";
}

/**
 * Questions about weeks with answers that follow from what the robot saw: past, present, several pasts, usual,
 * likely, unusual. Kinds alternate and things are drawn at random; ambiguous questions are not asked.
 */
export function makeWeekQuestions(weeks: ImaginedWeeks, options: WeekQuestionsOptions): QuestionRecord[] {
  const { timeline, household, rounds } = weeks;
  const random = new Random(`weeks/${options.seed}`);
  const endUs = timeline.startUs + options.days * DAY_US;
  const kept = rounds.filter(({ toUs }) => toUs < endUs);
  const facts = factsOf(timeline, kept);
  const nowUs = kept.at(-1)?.toUs ?? endUs;
  const known = knownThings(weeks, facts);
  const nameOf = (id: string) => nameAmong(known, timeline.thing(id));
  const asked = subjectsOf(timeline, household).flatMap((subject): Asked[] => {
    const looks = looksAt(facts, timeline, subject);
    const name = looks.length === 0 ? undefined : nameOf(subject.id);
    const thing = timeline.thing(subject.id);
    const own = random.fork(`${subject.id}/${subject.fluent ?? ""}`);
    return name
      ? [{ weeks, subject, thing, name, looks, days: options.days, nowUs, random: own, nameOf }]
      : [];
  });
  const decks = MAKERS.map(({ subtype, make }) =>
    random
      .fork(subtype)
      .shuffle(asked.flatMap((one) => make(one).map((draft) => questionOf(draft, one, options)))),
  );
  const questions: QuestionRecord[] = [];
  for (let turn = 0; questions.length < options.count && decks.some((deck) => turn < deck.length); turn++)
    for (const deck of decks)
      if (turn < deck.length && questions.length < options.count) questions.push(deck[turn]!);
  return questions;
}

function questionOf(
  draft: WeekDraft,
  { subject, nowUs, name }: Asked,
  options: WeekQuestionsOptions,
): QuestionRecord {
  const { subtype, slots, answer, extra = [], tolerance = {}, reason } = draft;
  const fill = (set: "dev" | "test") =>
    WEEK_WORDINGS[subtype]![set].map((text) =>
      capital(text.replace(/\{(\w+)\}/g, (_, slot: string) => (slot === "thing" ? name : slots[slot]!)[set])),
    );
  const paraphrases = { dev: fill("dev"), test: fill("test") };
  const wordings = paraphrases[options.wording];
  const id = contentId("weeks", options.seed, options.wording, subtype, JSON.stringify(slots), subject.id);
  return questionSchema.parse({
    id,
    family: "weeks",
    suite: "weeks",
    type: draft.type,
    subtype,
    text: new Random(id).pick(wordings),
    paraphrases,
    answer,
    extra: [...extra],
    targets: [trackIdOf(subject)],
    evidenceTimesUs: draft.evidenceUs.slice(0, 200),
    tolerance,
    scope: "episodic",
    askedAtUs: nowUs,
    askedOf: "robot-1",
    difficulty: "medium",
    answerable: answer.type !== "none",
    ...(reason && { unanswerableReason: reason }),
    about: { thing: subject.id, ...(subject.fluent && { fluent: subject.fluent }) },
  });
}

function knownThings({ timeline }: ImaginedWeeks, { records }: WeekFacts): HouseThing[] {
  const tracks = new Set(records.flatMap((record) => (record.kind === "track" ? [record.id] : [])));
  return timeline.house.things.filter((thing) => tracks.has(trackIdOf(thing)));
}

/** The plainest words that fit this thing and no other that was seen; a test wording may use a synonym. */
function nameAmong(known: readonly HouseThing[], thing: HouseThing): Phrase | undefined {
  if (thing.type === "person") return phrase(thing.name);
  const find = (nouns: readonly string[]) => {
    for (const noun of nouns) {
      const alike = known.filter((other) => couldBe(other, noun));
      if (alike.length === 1) return `the ${noun}`;
      const { colour } = thing;
      if (colour !== undefined && alike.filter((other) => other.colour === colour).length === 1)
        return `the ${colour} ${noun}`;
    }
    return undefined;
  };
  const nouns = nounsOf(thing);
  const dev = find(nouns);
  return dev === undefined ? undefined : phrase(dev, find([...synonymsOf(thing), ...nouns])!);
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
