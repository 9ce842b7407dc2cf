import { purposeLines } from "../../ontology/purposes.ts";

interface Complaint {
  readonly words: RegExp;
  readonly kinds: readonly (readonly string[])[];
}

let read: readonly Complaint[] | undefined;

/** A cue is a word or words that follow each other; a star stands for any ending. */
function complaints(): readonly Complaint[] {
  read ??= purposeLines("complaints").map(({ names, cues }) => ({
    words: new RegExp(`\\b(?:${names.map((name) => name.replaceAll("*", "\\w*")).join("|")})\\b`),
    kinds: cues.map((kind) => kind.split(", ")),
  }));
  return read;
}

/**
 * Kinds of things that help against what somebody complains of: the words of a complaint alone would as soon find
 * what keeps food cold.
 */
export function thingsAgainst(complaint: string): readonly (readonly string[])[] {
  const said = complaint
    .toLowerCase()
    .replace(/[’']/g, "'")
    .replace(/\bcan't\b/g, "can not");
  return complaints().find(({ words }) => words.test(said))?.kinds ?? [];
}

const WHAT_TO_DO =
  /\b(?:(?:what|anything|how|something)(?: [a-z]+)? (?:can|could|should|shall|would|must|do|might|ought) (?:i|we|you|one|be)(?: to)? (?:do|done|suggest|try|advise|recommend|propose|change|fix|solve|handle|mend|improve|help)|(?:any|some|your|got|have|need|give|offer)(?: [a-z]+)? (?:advice|ideas?|suggestions?|tips?|thoughts|solution|remedy|recommendations?)|what (?:now|to do|is to be done|helps?|would help|do you (?:suggest|recommend|advise))|(?:fix|change|solve|remedy|handle|help|do something about|do about) (?:that|this|it|me)|how (?:can|do|could|should|might) (?:i|we|you) (?:fix|change|solve|remedy|handle)|help me (?:out|with that|here)|suggest something|advise me)\b/;
const WHERE =
  /\b(?:where|whereabouts|which (?:room|place|object|item|thing)|what (?:object|item|thing|room|place))\b/;

/** Whether somebody says what is wrong, or wanted, and asks what to do about it. */
export function asksWhatToDo(text: string): boolean {
  return WHAT_TO_DO.test(text) && !WHERE.test(text);
}
