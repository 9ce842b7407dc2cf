import { evidenceOfRecord } from "../../../belief/trust.ts";
import { distance, type Interval, type Vec3 } from "../../../geometry/index.ts";
import type { Scope } from "../operator.ts";
import { timesValue } from "../time/spans.ts";
import { stepsIn } from "../time/whereabouts.ts";
import { numberValue, truthValue, type Value, wordsValue } from "../value.ts";
import type { CaptionQuestion } from "./caption-question.ts";
import type { Caption } from "./captions.ts";
import { type Indoors, indoorsOf } from "./indoors.ts";
import { stopsIn, turnsIn } from "./path.ts";

/** A stop belongs to a captioned place no farther from it than this, in metres or in seconds. */
const AT_M = 25;
const AT_US = 20_000_000;
/** The confidence in a result read off poses and captions. */
const DONE_P = 0.55;

const SELF = "(?:i|you|we|the robot)";
const DID = `\\b${SELF} (?:first |last |finally |just |ever |have |had )?`;
const LEFT = new RegExp(
  `${DID}(?:leave|left|exit|exited|(?:go|went|get|got|come|came) (?:out of\\b|outside$|outdoors?$))(?! (?:side|hand|turn))`,
);
const ENTERED = new RegExp(`${DID}(?:enter|entered|(?:go|went|get|got|come|came) (?:in|into|inside)\\b)`);
const INSIDE = new RegExp(
  `\\b${SELF}\\b.*\\b(?:(?:in|inside)(?: of)? (?:the|a|any|this) (?:[a-z]+ )?(?:building|house|hall|store|shop)$|indoors?$|inside$)`,
);
const OUTSIDE = new RegExp(`\\b${SELF}\\b.*\\b(?:outside|outdoors?)$`);
const STANDS = /\bstopped\b.*\bnow$/;

/**
 * Answers about the robot's own actions, for a memory without a diary: whether and when it stopped or turned by its
 * poses, when it came in or went out by captions. Undefined where the question is about something else.
 */
export async function byOwnWay(
  question: CaptionQuestion,
  captions: readonly Caption[],
  scope: Scope,
): Promise<Value | undefined> {
  const text = question.text.replace(/\s+(?:for|right now|now|at the moment|today)$/, "");
  const { verb, answer, beside } = question;
  if (verb === "turn" && answer !== "truth") return turned(question, captions, scope);
  if (verb === "stop" || STANDS.test(question.text)) return stopped(question, captions, scope);
  if (beside) return undefined;
  if (LEFT.test(text)) return passage(question, false, captions, scope);
  if (ENTERED.test(text)) return passage(question, true, captions, scope);
  if (INSIDE.test(text)) return stay(question, true, scope);
  if (OUTSIDE.test(text)) return stay(question, false, scope);
  return undefined;
}

/** The action as the requested kind of answer; undefined where there is none. */
function told(
  { answer, negated = false }: CaptionQuestion,
  done: (Interval & { readonly point?: Vec3 | undefined; readonly words?: string | undefined }) | undefined,
  evidence: Value["evidence"],
): Value | undefined {
  if (answer === "truth") return truthValue((done !== undefined) !== negated, { p: DONE_P, evidence });
  if (!done) return undefined;
  const { fromUs, toUs, point, words = "here" } = done;
  if (answer === "times") return timesValue([{ fromUs, toUs }], { p: DONE_P, evidence });
  if (answer === "duration") return numberValue((toUs! - fromUs) / 1e6, "s", { p: DONE_P, evidence });
  return point && wordsValue("place", [{ words, p: DONE_P, point, atUs: fromUs }], { p: DONE_P, evidence });
}

/** When, where and whether the robot went in or out. */
async function passage(
  question: CaptionQuestion,
  into: boolean,
  captions: readonly Caption[],
  scope: Scope,
): Promise<Value | undefined> {
  if (!["truth", "times", "place"].includes(question.answer)) return undefined;
  const through = (await indoorsOf(scope)).slice(1).filter(({ inside }) => inside === into);
  const spell = /\bfirst\b/.test(question.text) ? through[0] : through.at(-1);
  if (!spell) return told(question, undefined, []);
  const { fromUs } = spell;
  const pose = await scope.memory.poseAt(fromUs, scope.agentId);
  const point = pose?.position ?? nearestInTime(captions, fromUs)?.position;
  return told(question, { fromUs, toUs: fromUs + 1, point }, evidenceFor(spell));
}

/** Whether and how long it was inside or outside. */
async function stay(question: CaptionQuestion, inside: boolean, scope: Scope): Promise<Value | undefined> {
  const spells = await indoorsOf(scope);
  const now = spells.at(-1);
  if (!now || (question.answer !== "truth" && question.answer !== "duration")) return undefined;
  const isPresent = /^(?:are|am|is)\b|\bhave\b/.test(question.text);
  const spell = (isPresent ? [now] : spells).findLast((one) => one.inside === inside);
  return told(question, spell, evidenceFor(spell ?? now));
}

/** Whether, when and where it stood still. */
async function stopped(
  question: CaptionQuestion,
  captions: readonly Caption[],
  scope: Scope,
): Promise<Value | undefined> {
  const path = await stepsIn(undefined, scope);
  if (path.length < 2) return undefined;
  const isPresent = /^(?:are|am|is)\b/.test(question.text);
  const about = captions.filter(({ named }) => named > 0);
  const stops = stopsIn(path).filter(
    ({ fromUs, toUs, position }) =>
      (!isPresent || toUs >= path.at(-1)!.timeUs - AT_US / 4) &&
      (question.about === undefined ||
        about.some(
          ({ record, position: at }) =>
            (at && distance(at, position) < AT_M) ||
            (record.validFromUs >= fromUs - AT_US && record.validFromUs <= toUs + AT_US),
        )),
  );
  const stop = question.order === "first" ? stops[0] : stops.at(-1);
  const words = stop && nearestInTime(captions, stop.fromUs)?.line;
  return told(question, stop && { ...stop, point: stop.position, words }, evidenceOfCaptions(about));
}

/** Which way, when and where it turned, and how often: last, first, or beside what the question names. */
async function turned(
  question: CaptionQuestion,
  captions: readonly Caption[],
  scope: Scope,
): Promise<Value | undefined> {
  const { beside, besideVerb, answer, order } = question;
  let fromUs: number | undefined;
  if (beside) {
    const spells = await indoorsOf(scope);
    const into = besideVerb === "enter" ? true : besideVerb === "exit" ? false : undefined;
    fromUs =
      (into === undefined ? undefined : spells.slice(1).findLast(({ inside }) => inside === into)?.fromUs) ??
      captions[0]?.record.validFromUs;
  }
  const turns = turnsIn(await stepsIn(undefined, beside ? { ...scope, during: undefined } : scope)).filter(
    ({ timeUs }) => fromUs === undefined || (beside === "before" ? timeUs < fromUs : timeUs >= fromUs),
  );
  const evidence = evidenceOfCaptions(captions);
  if (answer === "count") return numberValue(turns.length, "times", { p: DONE_P, evidence });
  const isFirst = order === "first" || (order === undefined && beside === "after");
  const turn = isFirst ? turns[0] : turns.at(-1);
  if (!turn) return undefined;
  const { timeUs: atUs, direction: words, position: point } = turn;
  if (answer === "words")
    return wordsValue("motion", [{ words, p: DONE_P, point, atUs }], { p: DONE_P, evidence });
  return told(question, { fromUs: atUs, toUs: atUs + 1, point, words }, evidence);
}

function evidenceOfCaptions(captions: readonly Caption[]) {
  return captions
    .slice(0, 2)
    .map(({ record, line, position }) => evidenceOfRecord(record, line.slice(0, 300), DONE_P, position));
}

function evidenceFor({ records }: Indoors) {
  return records.slice(0, 4).map((record) => evidenceOfRecord(record, record.text[0] ?? record.kind, DONE_P));
}

function nearestInTime(captions: readonly Caption[], timeUs: number): Caption | undefined {
  const off = ({ record }: Caption) => Math.abs(record.validFromUs - timeUs);
  return captions.toSorted((a, b) => off(a) - off(b))[0];
}
