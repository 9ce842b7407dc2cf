import { distance } from "../../../geometry/index.ts";
import type { Scope } from "../operator.ts";
import { evidenceOfRecord } from "../things/trust.ts";
import { timesValue } from "../time/spans.ts";
import { type TruthValue, type Value, WHOLE } from "../value.ts";
import type { CaptionQuestion } from "./caption-question.ts";
import type { Caption } from "./captions.ts";
import { type Indoors, indoorsOf } from "./indoors.ts";
import { pathOf, stopsIn, turnsIn } from "./path.ts";

/** A stop is at what was captioned no farther from it than this, in space or in time. */
const AT_M = 25;
const AT_US = 20_000_000;

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
 * What somebody did itself, for a memory without a diary: whether and when it stopped or turned by its poses, when
 * it came in or went out by what captions speak of. Undefined where the question is about something else.
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

/** When, where and whether one went in or out. */
async function passage(
  question: CaptionQuestion,
  into: boolean,
  captions: readonly Caption[],
  scope: Scope,
): Promise<Value | undefined> {
  const spells = await indoorsOf(scope);
  const through = spells.slice(1).filter(({ inside }) => inside === into);
  const spell = /\bfirst\b/.test(question.text) ? through[0] : through.at(-1);
  if (question.answer === "truth") return truthOf(spell !== undefined, spell, question);
  if (!spell || !["times", "place"].includes(question.answer)) return undefined;
  const evidence = evidenceFor(spell);
  if (question.answer === "times")
    return timesValue([{ fromUs: spell.fromUs, toUs: spell.fromUs + 1 }], { p: 0.55, evidence });
  const pose = await scope.memory.poseAt(spell.fromUs, scope.agentId);
  const point = pose?.position ?? nearestInTime(captions, spell.fromUs)?.position;
  if (!point) return undefined;
  const item = { words: "here", p: 0.55, point, atUs: spell.fromUs };
  return { kind: "words", about: "place", items: [item], p: 0.55, complete: WHOLE, evidence };
}

/** Whether and how long one was inside or outside. */
async function stay(question: CaptionQuestion, inside: boolean, scope: Scope): Promise<Value | undefined> {
  const spells = await indoorsOf(scope);
  const now = spells.at(-1);
  if (!now) return undefined;
  const present = /^(?:are|am|is)\b|\bhave\b/.test(question.text);
  const own = spells.filter((spell) => spell.inside === inside);
  const spell = present ? (now.inside === inside ? now : undefined) : own.at(-1);
  if (question.answer === "truth") return truthOf(spell !== undefined, spell ?? now, question);
  if (!spell || question.answer !== "duration") return undefined;
  return {
    kind: "number",
    value: (spell.toUs - spell.fromUs) / 1e6,
    unit: "s",
    p: 0.5,
    complete: WHOLE,
    evidence: evidenceFor(spell),
  };
}

/** Whether, when and where one stood still. */
async function stopped(
  question: CaptionQuestion,
  captions: readonly Caption[],
  scope: Scope,
): Promise<Value | undefined> {
  const path = await pathOf(scope, scope.during);
  if (path.length < 2) return undefined;
  const present = /^(?:are|am|is)\b/.test(question.text);
  const about = captions.filter(({ named }) => named > 0);
  const stops = stopsIn(path).filter(
    ({ fromUs, toUs, position }) =>
      (!present || toUs >= path.at(-1)!.timeUs - AT_US / 4) &&
      (question.about === undefined ||
        about.some(
          ({ record, position: at }) =>
            (at && distance(at, position) < AT_M) ||
            (record.validFromUs >= fromUs - AT_US && record.validFromUs <= toUs + AT_US),
        )),
  );
  const stop = question.order === "first" ? stops[0] : stops.at(-1);
  const evidence = about
    .slice(0, 2)
    .map(({ record, line, position }) => evidenceOfRecord(record, line.slice(0, 300), 0.6, position));
  if (question.answer === "truth")
    return {
      kind: "truth",
      truth: (stop !== undefined) !== (question.negated ?? false),
      p: stop ? 0.65 : 0.5,
      complete: WHOLE,
      evidence,
    };
  if (!stop) return undefined;
  if (question.answer === "duration")
    return {
      kind: "number",
      value: (stop.toUs - stop.fromUs) / 1e6,
      unit: "s",
      p: 0.55,
      complete: WHOLE,
      evidence: evidence.slice(0, 1),
    };
  if (question.answer === "times")
    return timesValue([{ fromUs: stop.fromUs, toUs: stop.toUs }], {
      p: 0.55,
      evidence: evidence.slice(0, 1),
    });
  const item = {
    words: nearestInTime(captions, stop.fromUs)?.line ?? "here",
    p: 0.55,
    point: stop.position,
    atUs: stop.fromUs,
  };
  return {
    kind: "words",
    about: "place",
    items: [item],
    p: 0.55,
    complete: WHOLE,
    evidence: evidence.slice(0, 1),
  };
}

/** Which way, when and where one turned, and how often: last, first, or beside what the question names. */
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
  const all = turnsIn(await pathOf(scope, beside ? undefined : scope.during));
  const turns = all.filter(
    ({ timeUs }) => fromUs === undefined || (beside === "before" ? timeUs < fromUs : timeUs >= fromUs),
  );
  const known = {
    p: 0.5,
    complete: WHOLE,
    evidence: captions
      .slice(0, 2)
      .map(({ record, line, position }) => evidenceOfRecord(record, line.slice(0, 300), 0.5, position)),
  };
  if (answer === "count") return { kind: "number", value: turns.length, unit: "times", ...known };
  const isFirst = order === "first" || (order === undefined && beside === "after");
  const turn = isFirst ? turns[0] : turns.at(-1);
  if (!turn) return undefined;
  if (answer === "times") return timesValue([{ fromUs: turn.timeUs, toUs: turn.timeUs + 1 }], known);
  const item = { words: turn.direction, p: 0.5, point: turn.position, atUs: turn.timeUs };
  return { kind: "words", about: answer === "place" ? "place" : "motion", items: [item], ...known };
}

function truthOf(yes: boolean, spell: Indoors | undefined, { negated = false }: CaptionQuestion): TruthValue {
  return {
    kind: "truth",
    truth: yes !== negated,
    p: 0.6,
    complete: WHOLE,
    evidence: spell ? evidenceFor(spell) : [],
  };
}

function evidenceFor({ records }: Indoors) {
  return records.slice(0, 4).map((record) => evidenceOfRecord(record, record.text[0] ?? record.kind, 0.6));
}

function nearestInTime(captions: readonly Caption[], timeUs: number): Caption | undefined {
  const off = ({ record }: Caption) => Math.abs(record.validFromUs - timeUs);
  return captions.toSorted((a, b) => off(a) - off(b))[0];
}
