import { distance } from "../../../geometry/index.ts";
import { evidenceOfRecord, type Finding, type RuleContext } from "../../finding.ts";
import type { Need } from "../../need.ts";
import { agoText, clockText, spanText } from "../../words/phrases.ts";
import { pathOf, stopsIn, turnsIn } from "./path.ts";
import type { Spoken } from "./spoken.ts";
import { type Whereabouts, whereaboutsOf } from "./whereabouts.ts";

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

/**
 * What somebody did itself, for a memory without a diary: whether and when it stopped or turned by its poses, when
 * it came in or went out by what captions speak of. Undefined where the question is about something else.
 */
export async function byOwnWay(
  need: Need,
  captions: readonly Spoken[],
  context: RuleContext,
): Promise<Finding | undefined> {
  const text = need.text.replace(/\s+(?:for|right now|now|at the moment|today)$/, "");
  if (need.verb === "turn" && need.answer !== "binary") return turned(need, captions, context);
  if (need.verb === "stop" || /\bstopped\b.*\bnow$/.test(need.text)) return stopped(need, captions, context);
  if (need.times.some(({ event }) => event)) return undefined;
  if (LEFT.test(text)) return passage(need, false, captions, context);
  if (ENTERED.test(text)) return passage(need, true, captions, context);
  if (INSIDE.test(text)) return stay(need, true, context);
  if (OUTSIDE.test(text)) return stay(need, false, context);
  return undefined;
}

/** When, where and whether one went in or out. */
async function passage(
  need: Need,
  into: boolean,
  captions: readonly Spoken[],
  context: RuleContext,
): Promise<Finding | undefined> {
  const spells = await whereaboutsOf(context);
  const through = spells.slice(1).filter(({ inside }) => inside === into);
  const first = /\bfirst\b/.test(need.text);
  const spell = first ? through[0] : through.at(-1);
  if (need.answer === "binary") return yesNo(spell !== undefined, spell, need, context);
  if (!spell || !["time", "position"].includes(need.answer)) return undefined;
  const pose = await context.recall.poseAt(spell.fromUs, context.agentId);
  const point = pose?.position ?? nearestInTime(captions, spell.fromUs)?.position;
  const { nowUs } = context.recall;
  if (need.answer === "position" && !point) return undefined;
  return {
    status: "answered",
    text: `${agoText(nowUs - spell.fromUs)}, at ${clockText(spell.fromUs)}`,
    time: { atUs: spell.fromUs, agoS: (nowUs - spell.fromUs) / 1e6 },
    ...(point && { position: { point } }),
    evidence: evidenceFor(spell),
    confidence: 0.55,
  };
}

/** Whether and how long one was inside or outside. */
async function stay(need: Need, inside: boolean, context: RuleContext): Promise<Finding | undefined> {
  const spells = await whereaboutsOf(context);
  const now = spells.at(-1);
  if (!now) return undefined;
  const present = /^(?:are|am|is)\b|\bhave\b/.test(need.text);
  const own = spells.filter((spell) => spell.inside === inside);
  const spell = present ? (now.inside === inside ? now : undefined) : own.at(-1);
  if (need.answer === "binary") return yesNo(spell !== undefined, spell ?? now, need, context);
  if (!spell || need.answer !== "duration") return undefined;
  const s = (spell.toUs - spell.fromUs) / 1e6;
  return {
    status: "answered",
    text: spanText(s),
    durationS: s,
    evidence: evidenceFor(spell),
    confidence: 0.5,
  };
}

/** Whether, when and where one stood still. */
async function stopped(
  need: Need,
  captions: readonly Spoken[],
  context: RuleContext,
): Promise<Finding | undefined> {
  const path = await pathOf(context);
  if (path.length < 2) return undefined;
  const { nowUs } = context.recall;
  const present = /^(?:are|am|is)\b/.test(need.text);
  const about = captions.filter(({ named }) => named > 0);
  const hasPlace = (need.subgoals[0]?.target.head ?? "object") !== "object";
  const stops = stopsIn(path).filter(
    ({ fromUs, toUs, position }) =>
      (!present || toUs >= path.at(-1)!.timeUs - AT_US / 4) &&
      (!hasPlace ||
        about.some(
          ({ record, position: at }) =>
            (at && distance(at, position) < AT_M) ||
            (record.validFromUs >= fromUs - AT_US && record.validFromUs <= toUs + AT_US),
        )),
  );
  const stop = need.times.some(({ kind }) => kind === "first") ? stops[0] : stops.at(-1);
  if (need.answer === "binary") {
    const said = stop ? `yes, ${agoText(nowUs - stop.fromUs)}` : "no";
    return {
      status: "answered",
      binary: (stop !== undefined) !== need.negated,
      text: said,
      evidence: about
        .slice(0, 2)
        .map(({ record, line, position }) => evidenceOfRecord(record, line.slice(0, 300), 0.6, position)),
      confidence: stop ? 0.65 : 0.5,
    };
  }
  if (!stop) return undefined;
  const s = (stop.toUs - stop.fromUs) / 1e6;
  return {
    status: "answered",
    text:
      need.answer === "duration"
        ? spanText(s)
        : `${agoText(nowUs - stop.fromUs)}, at ${clockText(stop.fromUs)}`,
    time: { atUs: stop.fromUs, agoS: (nowUs - stop.fromUs) / 1e6 },
    durationS: s,
    position: { point: stop.position },
    evidence: about
      .slice(0, 1)
      .map(({ record, line, position }) => evidenceOfRecord(record, line.slice(0, 300), 0.6, position)),
    confidence: 0.55,
  };
}

/** Which way one turned, last or after what the question names. */
async function turned(
  need: Need,
  captions: readonly Spoken[],
  context: RuleContext,
): Promise<Finding | undefined> {
  const after = need.times.find(({ event }) => event);
  let fromUs: number | undefined;
  if (after?.event) {
    const spells = await whereaboutsOf(context);
    const into = after.event.verb === "enter" ? true : after.event.verb === "exit" ? false : undefined;
    fromUs =
      (into === undefined ? undefined : spells.slice(1).findLast(({ inside }) => inside === into)?.fromUs) ??
      captions[0]?.record.validFromUs;
  }
  const turns = turnsIn(await pathOf(context));
  const turn =
    fromUs === undefined
      ? turns.at(-1)
      : after!.kind === "before"
        ? turns.findLast(({ timeUs }) => timeUs < fromUs)
        : turns.find(({ timeUs }) => timeUs >= fromUs);
  if (!turn) return undefined;
  return {
    status: "answered",
    text: turn.direction,
    time: { atUs: turn.timeUs, agoS: (context.recall.nowUs - turn.timeUs) / 1e6 },
    position: { point: turn.position },
    evidence: captions
      .slice(0, 2)
      .map(({ record, line, position }) => evidenceOfRecord(record, line.slice(0, 300), 0.5, position)),
    confidence: 0.5,
  };
}

function yesNo(yes: boolean, spell: Whereabouts | undefined, need: Need, { recall }: RuleContext): Finding {
  return {
    status: "answered",
    binary: yes !== need.negated,
    text: yes && spell ? `yes, ${agoText(recall.nowUs - spell.fromUs)}` : yes ? "yes" : "no",
    evidence: spell ? evidenceFor(spell) : [],
    confidence: 0.6,
  };
}

function evidenceFor({ records }: Whereabouts) {
  return records.slice(0, 4).map((record) => evidenceOfRecord(record, record.text[0] ?? record.kind, 0.6));
}

function nearestInTime(captions: readonly Spoken[], timeUs: number): Spoken | undefined {
  const off = ({ record }: Spoken) => Math.abs(record.validFromUs - timeUs);
  return captions.toSorted((a, b) => off(a) - off(b))[0];
}
