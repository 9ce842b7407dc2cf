import type { AnswerRecord, Budget, RunEnd } from "../schema/index.ts";
import type { Explorer } from "./explorer.ts";
import { lookingRangeM, sightOf } from "./ground/attention.ts";
import { shareOfRoom } from "./ground/frontiers.ts";
import { type Belief, SURE } from "./inquiry/inquiry.ts";
import { wordsOf } from "./inquiry/needs.ts";
import type { Explored } from "./options.ts";
import type { Survey } from "./survey.ts";

/** How a run ends, and the sentence that says why. */
export interface Ending {
  readonly end: RunEnd;
  readonly why: string;
}

/** Nothing in the question could be seen anywhere: the answer comes from memory, and no body moves. */
export function unreadEnding({ answer }: Belief): Ending {
  return answer.status === "answered" && answer.confidence >= SURE
    ? { end: "answered", why: "the memory answers it, and going somewhere would not help" }
    : { end: "not-understood", why: "the question names nothing that going somewhere could show" };
}

/** Every part is found, or known to be absent. */
export function settledEnding({ parts }: Belief): Ending {
  const absent = parts.filter(({ state }) => state === "absent");
  if (absent.length === 0) return { end: "answered", why: "everything that was asked for is known" };
  const names = [...new Set(absent.map(({ need }) => need.categories[0] ?? wordsOf(need)))];
  return { end: "absent", why: `no ${names.join(", no ")} where it could be; all of that was looked at` };
}

/** The guide was confident enough before all parts were known. */
export function sureEnding(who: string, p: number): Ending {
  return { end: "answered", why: `${who} is sure enough of an answer (${p.toFixed(2)})` };
}

/** No agent has anything left to do. */
export function exhaustedEnding(
  { answer, parts }: Belief,
  survey: Survey,
  isGivenUp: (target: string) => boolean,
): Ending {
  const hidden = hiddenBehind(survey);
  if (hidden !== undefined && parts.some(({ state }) => state === "open"))
    return { end: "unreachable", why: `nobody could look ${hidden}` };
  if (answer.status === "answered" && answer.confidence >= SURE)
    return { end: "answered", why: "nothing is left to look at, and the answer is sure enough" };
  return survey.frontiers.some(({ costM, id }) => costM === Infinity || isGivenUp(id))
    ? { end: "unreachable", why: "what was not looked at cannot be reached" }
    : { end: "explored", why: "everything that can be reached was looked at" };
}

/** What blocked the search, in words: closed doors, stairs; undefined where nothing is hidden. */
function hiddenBehind(survey: Survey): string | undefined {
  const hidden = survey.storeys.flatMap((one) => one.hidden.map((frontier) => ({ one, frontier })));
  if (hidden.length === 0) return undefined;
  const doors = hidden.filter(({ frontier }) => frontier.isClosedDoor);
  const stairs = hidden.some(({ frontier }) => frontier.flight);
  const places = doors.map(({ one, frontier }) => one.map.roomAt(frontier.stand.positionInWorld)?.name);
  const rooms = [...new Set(places)].flatMap((room) => (room === undefined ? [] : [` in the ${room}`]));
  const said = [
    ...(doors.length === 0
      ? []
      : [`behind the closed ${doors.length === 1 ? "door" : "doors"}${listed(rooms)}`]),
    ...(stairs ? ["where the stairs lead"] : []),
    ...(doors.length + Number(stairs) === 0 ? ["where no way leads"] : []),
  ];
  return said.join(", nor ");
}

function listed(phrases: readonly string[]): string {
  return phrases.length < 2 ? phrases.join("") : `${phrases.slice(0, -1).join(",")} and${phrases.at(-1)}`;
}

/** Probability that a thing lies in an unobserved room, with no other evidence. */
const BEYOND = 0.5;

/**
 * The answer while parts are open and not everything was observed. Each remaining frontier lowers its confidence, by
 * how much of a room it may show, and the text says so. A count or a "no" may change behind them. A run that was cut
 * off still had something to look at.
 */
export function unfinished({ answer, parts }: Belief, survey: Survey, end: RunEnd): AnswerRecord {
  const { storeys } = survey;
  const isOpen = parts.some(({ state }) => state === "open");
  const barred = BEYOND ** storeys.reduce((sum, one) => sum + barriers(one), 0);
  const seen = storeys
    .flatMap(({ reachable }) => reachable)
    .reduce((p, { gainM2, isOpening }) => p * (1 - BEYOND * shareOfRoom(gainM2, isOpening)), barred);
  const sure = end === "budget" ? Math.min(BEYOND, seen) : seen;
  if (!isOpen || sure === 1) return answer;
  const hidden = hiddenBehind(survey);
  const but = hidden === undefined ? "I have not looked everywhere" : `I could not look ${hidden}`;
  const text = answer.text === "" ? `${but}.` : `${answer.text.replace(/\.$/, "")}, but ${but}`;
  return { ...answer, text, confidence: answer.confidence * sure };
}

/**
 * What closes off the rest of a storey: doors and stairs. Unreachable frontiers lie behind these; with neither, they
 * count as one.
 */
function barriers({ hidden }: Survey): number {
  const known = hidden.filter(({ isClosedDoor, flight }) => isClosedDoor || flight).length;
  return known === 0 ? Math.min(1, hidden.length) : known;
}

/** Which limit of a budget is used up; undefined while none is. */
export function spent(budget: Budget, used: Budget): string | undefined {
  if (used.steps >= budget.steps) return `its ${budget.steps} steps are used up`;
  if (used.pathM >= budget.pathM) return `its ${budget.pathM} m are used up`;
  return used.seconds >= budget.seconds ? `its ${budget.seconds} s are used up` : undefined;
}

/** The complete result of a run. */
export function exploredOf(
  ending: Ending,
  run: {
    readonly answer: AnswerRecord | null;
    readonly explorers: readonly Explorer[];
    readonly survey: Survey | undefined;
    readonly steps: number;
    readonly seconds: number;
  },
): Explored {
  const { answer, explorers, survey, steps, seconds } = run;
  const [asked] = explorers;
  const sight = sightOf(lookingRangeM(undefined, asked!.body.model), false);
  return {
    ...ending,
    answer: answer && { ...answer, trace: { ...answer.trace, pathM: asked!.pathM, steps } },
    steps,
    pathM: Object.fromEntries(explorers.map((one) => [one.id, one.pathM])),
    seconds,
    looked: (survey?.storeys ?? []).flatMap((one) =>
      one.rooms.map((room) => ({
        room: room.name,
        share: Math.min(1, Math.round(one.share(room, sight) * 100) / 100),
      })),
    ),
  };
}

/**
 * The answer after searching everywhere for something that the question presupposes: that it does not exist, instead
 * of a guess. Undefined where nothing is missing, or where the answer is certain without it.
 */
export function missing({ answer, parts }: Belief): AnswerRecord | undefined {
  const absent = parts.find(({ state, need }) => state === "absent" && need.kind === "thing");
  if (absent === undefined || answer.status !== "answered" || answer.confidence >= SURE) return undefined;
  const { choice: _, binary: __, count: ___, quantity: ____, ...rest } = answer;
  const what = wordsOf(absent.need).replace(/^the /, "");
  return { ...rest, type: "text", status: "looked-absent", text: `I looked, and there is no ${what}.` };
}

/** An answer from what is in view only, without the memory; the papers' baseline. */
export function onlyInView(belief: Belief, inView: ReadonlySet<string>): AnswerRecord {
  const isSeen = belief.parts.every(
    ({ need, candidates }) => need.kind === "all-of" || candidates.some(({ stateId }) => inView.has(stateId)),
  );
  if (isSeen) return belief.answer;
  const { choice: _, ...rest } = belief.answer;
  return { ...rest, type: "text", status: "insufficient", text: "", confidence: 0, evidence: [] };
}
