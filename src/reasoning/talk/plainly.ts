import { roomKind } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { nodesCalled } from "../rival-values.ts";
import { robotAsked } from "./by-robot.ts";
import type { Turn } from "./turn.ts";

/** A phrase before a comma that a pronoun after it repeats: "and the kitchen, who did you see there?" */
const DISLOCATED =
  /^(?:(?:and|but|so|now|ok|okay|well)\s+)?(?:what about |how about )?((?:the|my|our|that|this)\b[^,;?.]{1,60}|\p{Lu}\p{L}+)\s*[,:]\s*((?:who|what|where|when|which|how|why|is|are|was|were|do|does|did|has|have|had|can|could)\b.*)$/iu;
const THERE = /\b(?:in |over |up |down )?there\b(?! (?:is|are|was|were|a|an|any)\b)/i;
const STANDS_FOR_IT = /\b(?:it|that|he|him|she|her|they|them)\b/i;
const IS_OWNER = /\b(?:its|his|her|their)\b\s+\p{L}/iu;

/** Words that are anaphoric themselves. */
const ANAPHORIC = /\bones?\b|\bothers?\b(?! robot\b)/i;

/** "The bedroom up there" is the one upstairs. */
const UP_THERE = /\b(the|a|that) (\p{L}+) (up|down) there\b/giu;

export function onItsFloor(question: string): string {
  return question.replace(UP_THERE, (whole: string, the: string, room: string, way: string) =>
    roomKind(room.toLowerCase()) ? `${the} ${way.toLowerCase()}stairs ${room}` : whole,
  );
}

/** The same question with its subject in place. */
export function undislocated(question: string): string {
  const [, about, rest] = DISLOCATED.exec(question) ?? [];
  if (about === undefined || rest === undefined || ANAPHORIC.test(about)) return question;
  if (THERE.test(rest)) return rest.replace(THERE, `in ${about}`);
  return STANDS_FOR_IT.test(rest) && !IS_OWNER.test(rest) ? rest.replace(STANDS_FOR_IT, about) : question;
}

const BEGINS = /^\s*(?:and|or|but|what about|how about)\b/i;
const VERB =
  /\b(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|who|whom|whose|where|when|why|which)\b/i;

/** Whether it has no verb of its own and continues the previous question: "and on the table next to it?" */
export function isElliptic(question: string): boolean {
  return BEGINS.test(question) && !VERB.test(question.replace(/\bwhat about\b/i, ""));
}

/** A robot's actions and place. */
const OWN: ReadonlySet<string> = new Set(["doings", "stay", "self", "travelled"]);
const OTHER_ROBOT = /\bthe other(?: one)?\b(?! robot\b)/i;
/** "It was him": "it" stands for nothing. */
const WAS_SOMEBODY =
  /\bit (?:was|is) (?:him|her|them|he|she|you|anybody|somebody|one of)\b|\b(?:was|is) it (?:him|her|them|he|she)\b/i;
/** What a robot has by itself: its sides, its way. */
const ITS_OWN = /\bits(?= (?:left|right|side|sides|way|tour|round|path|trip|position|view)\b)/i;
const THAT_ROBOT = /\b(?:that|the same) (?:one|robot)\b/i;
const IT_LOOKS =
  /(?<=\b(?:did|was|is|had|has|does|when|where) )it\b(?= (?:see|saw|seen|look|looked|visit|visited|go|went|gone|enter|entered|leave|left|pass|passed|come|came|drive|drove|stay|stayed)\b)/i;
const IT_DOES = /(?<=\b(?:did|was|is|had|has|does) )it\b|\bit(?= (?:was|did|went|had|saw|started)\b)/i;

/**
 * "Did that one see her?", "where did it go from there?": with the name of the robot that the previous question
 * addressed.
 */
export function naming(question: string, last: string | Turn | undefined): string {
  const agent = typeof last === "object" ? robotAsked([last]) : undefined;
  if (agent === undefined) return question;
  if (OTHER_ROBOT.test(question) && !isElliptic(question))
    return question.replace(OTHER_ROBOT, "the other robot");
  if (ITS_OWN.test(question)) return question.replace(ITS_OWN, `${agent}'s`);
  if (THAT_ROBOT.test(question)) return question.replace(THAT_ROBOT, agent);
  if (WAS_SOMEBODY.test(question)) return question;
  const before = (last as Turn).parts.at(-1)!.expression;
  return question.replace(tellsOwn(before) ? IT_DOES : IT_LOOKS, agent);
}

/** The end of a code of several levels: "10-1" of "C-10-1". */
const END_OF_CODE = /(?<![\p{L}\d]-?)\d+(?:-\d+)+(?!-?[\p{L}\d])/gu;

/** "Is C-10-2 free? Sorry, I meant 10-1": the end of a code takes the beginning of the one before. */
export function withWholeCodes(question: string, last: string | Turn | undefined): string {
  if (typeof last !== "object") return question;
  const names = last.parts.flatMap(({ expression }) => nodesCalled("called", expression));
  const own = names.map(({ with: { name } }) => String(name).toUpperCase().split("-"));
  return question.replace(END_OF_CODE, (end) => {
    const lacking = own.map((code) => code.slice(0, Math.max(0, code.length - end.split("-").length)));
    const begin = lacking.find(([first]) => first !== undefined && /\p{L}/u.test(first));
    return begin ? [...begin, end].join("-") : end;
  });
}

function tellsOwn({ op, of }: Expression): boolean {
  return OWN.has(op) || of.some(tellsOwn);
}
