import { normalise } from "../normalise.ts";
import { ASIDES, FRAMES, familyAt } from "./families.ts";

/** Ways of asking whether what follows is so. */
const WHETHER: readonly RegExp[] = [
  /^(?:true or false|yes or no|right or wrong|fact or fiction)[\s,:.;?]+/g,
  /\b(?:(?:can|could|would|will|might) you (?:please |kindly |possibly )?(?:confirm|verify|check|establish|determine|say|tell|see|look|find out|judge|work out)|please (?:confirm|check|verify)|^(?:confirm|check|verify)|i (?:want|need|would like) (?:you )?to (?:confirm|check|verify|know|find out|be sure)|i (?:wonder|am wondering|was wondering))(?: me| us| for me)?(?: about)? (?:if|whether|that)(?! (?:i|you) (?:can|could|should)\b)/g,
  /\b(?:is it|is that|would it be|was it) (?:really |indeed |in fact )?(?:true|right|correct|the case|so|fair to say|accurate|a fact)(?: to say)?(?: that)?(?= (?:the|a|an|i|you|we|there|any|my|your|this|some|[a-z]+s\b))/g,
  /\bam i (?:right|correct|wrong)(?: (?:in (?:thinking|saying|assuming|believing|supposing)|to (?:think|say|assume|believe|suppose)))(?: that)?\b/g,
  /(?:^|(?<=[.,;:] ))i (?:suspect|think|believe|assume|presume|take it|gather|guess|reckon|suppose|bet|imagine|have (?:a|the) (?:feeling|hunch|suspicion|impression)|am (?:pretty |fairly |quite |almost )?(?:sure|certain|convinced)|heard|was told|could swear|could have sworn|seem to (?:remember|recall))(?: that)?(?= (?:the|a|an|i|you|we|there|any|my|your|this|some)\b)/g,
];
/** What turns a statement into a question. */
const TAG =
  /[\s,.;:?]+(?:(?:am i (?:right|correct|wrong|mistaken)|is that (?:right|correct|so|true|the case)|is this (?:right|correct|so|true)|(?<=, )(?:right|correct|true|no)|yes|yeah|eh|huh|innit|or not|true or false|yes or no|or am i (?:wrong|mistaken)|do you agree|would you agree|agreed|(?:can|could) you confirm(?: that)?)|(?:is|are|was|were|do|does|did|has|have|had|will|would|can) (?:not )?(?:it|they|there|he|she|you|i|we)(?: not)?)[\s.?!]*$/;
const REQUEST = /,? (?:would|will|could|can) you[\s.?!]*$/;

const WORDS_OF_QUESTIONS = /\b(?:what|where|when|which|who|whose|how|why)\b/;
const ASKING =
  /^(?:[a-z]+, )?(?:what|where|when|which|who|whose|whom|how|why|is|are|was|were|do|does|did|can|could|will|would|have|has|had|in (?:what|which)|at (?:what|which)|on (?:what|which)|from (?:what|which))\b/;

/**
 * What is asked, without the courtesies around it: normalised, without fillers, tags and "could you tell me". Words
 * that are written with a capital inside a sentence are names.
 */
export function coreOf(question: string): { text: string; names: ReadonlySet<string> } {
  const names = new Set<string>();
  for (const match of question.matchAll(/(?<=[a-z0-9,;:”"]\s+)([A-Z][a-z]+)\b/g))
    names.add(match[1]!.toLowerCase());
  // "Tom was up": a sentence may begin with a name.
  const [, subject] = /^([A-Z][a-z]+) (?:was|is|has|had)\b/.exec(question) ?? [];
  if (subject !== undefined && familyAt([subject.toLowerCase()], 0) === undefined)
    names.add(subject.toLowerCase());
  let text = normalise(question);
  for (const pattern of WHETHER) text = text.replace(pattern, " whether ");
  text = text.replace(REQUEST, "");
  const tag = TAG.exec(text);
  if (tag && tag.index > 0 && !ASKING.test(text) && !WORDS_OF_QUESTIONS.test(text))
    text = `${/\bwhether\b/.test(text) ? "" : "whether "}${text.slice(0, tag.index)}`;
  for (const pattern of [...ASIDES, ...FRAMES]) text = text.replace(pattern, " ");
  text = text
    .replace(/\s+/g, " ")
    .replace(/\s+([,.;:?!])/g, "$1")
    .replace(/^[\s,.:;!?]+|[\s,.:;!]+$/g, "");
  return { text, names };
}
