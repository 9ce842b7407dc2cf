import { numberAt, phraseAt, phrases, phrasesAt } from "./amounts.ts";

/** A relation that begins at a word, and the word after it. */
export interface Related {
  readonly relation: Relation;
  readonly end: number;
}

/** A relation, and its inverse, by wording. */
const PUT = {
  left: "to the left of,on the left of,on the left side of,to the left side of,on the left hand side of,left of,to the left from,on the left from,left from",
  right:
    "to the right of,on the right of,on the right side of,to the right side of,on the right hand side of,right of,to the right from,on the right from,right from",
  front: "in front of,in the front of,at the front of",
  behind: "behind,at the back of,in the back of,in back of,to the rear of,at the rear of,round the back of",
  on: "on,on top of,on the top of,atop,upon,onto,over on,up on,on the surface of",
  in: "in,inside,inside of,within,into,in the middle of,contained in,at the bottom of",
  under: "under,underneath,beneath,underneath of,at the foot of",
  below: "below",
  above: "above,over",
  between: "between,in between,sandwiched between",
  beside:
    "next to,beside,adjacent to,by,right next to,alongside,at the side of,to the side of,on the side of,directly next to,against,by the side of,attached to,up against,leaning against",
  near: "near,close to,near to,nearby,in the vicinity of,around about,not far from",
  opposite: "opposite,across from,opposite to,opposite of,on the other side of,across",
  around: "around,surrounding,round",
  facing: "facing,looking at",
  at: "at",
  with: "with,having,containing,holding,that has",
} as const;
export type Relation = keyof typeof PUT;
const RELATIONS = phrases(Object.entries(PUT) as [Relation, string][]);

/** The speaker's sides. */
const SIDES = phrases<Relation>(
  Object.entries({
    left: "to the left,on the left,on the left side,on the left hand side,to my left,on my left,to your left,on your left,to the left of me,to the left of you,on my left side,on your left side,on my left hand side,left of me,left of you,at my left,at my left side,at the left,at your left,my left,to my immediate left,on my immediate left,directly to my left,immediately to my left,left side of me,to my left side,to my left hand side,at my left hand side",
    right:
      "to the right,on the right,on the right side,on the right hand side,to my right,on my right,to your right,on your right,to the right of me,to the right of you,on my right side,on your right side,on my right hand side,right of me,right of you,at my right,at my right side,at the right,at your right,my right,to my immediate right,on my immediate right,directly to my right,immediately to my right,right side of me,to my right side,to my right hand side,at my right hand side",
    front:
      "in front,in front of me,in front of you,ahead,ahead of me,ahead of you,straight ahead,before me,before you,directly in front of me,directly in front of you,i am facing,i face,i am looking at,that i am facing,in front of my position",
    behind:
      "behind me,behind you,at my back,at your back,to my back,to my rear,to my behind,in back of me,directly behind me,right behind me,in my back",
    near: "near me,near you,next to me,next to you,beside me,beside you,close to me,close to you,around me,around you,nearby,close by,by me,around here,near here",
  }) as [Relation, string][],
);

/** Relation phrases at a word, the longest first. */
export function relationsAt(words: readonly string[], at: number): Related[] {
  return phrasesAt(words, at, RELATIONS).map(({ length, value }) => ({ relation: value, end: at + length }));
}

/** A side of the speaker at a word: "to my left", "at my three o'clock". */
export function sideAt(words: readonly string[], at: number): Related | undefined {
  const side = phraseAt(words, at, SIDES);
  return hourAt(words, at) ?? (side && { relation: side.value, end: at + side.length });
}

/** Sides by the hours of a clock face lying in front of the speaker. */
const HOURS: readonly Relation[] = [
  ...(["front", "front", "right", "right", "right", "behind"] as const),
  ...(["behind", "behind", "left", "left", "left", "front"] as const),
];

/** "at my three o'clock", "in my 9 o'clock direction". */
function hourAt(words: readonly string[], at: number): Related | undefined {
  if (!/^(?:at|in|on|to)$/.test(words[at] ?? "") || !/^(?:my|your|the)$/.test(words[at + 1] ?? ""))
    return undefined;
  const hour = numberAt(words, at + 2);
  const end = at + 2 + (hour?.length ?? 0);
  if (!hour || !/^o'?clock$/.test(words[end] ?? "")) return undefined;
  const more = /^(?:direction|position|side)$/.test(words[end + 1] ?? "") ? 1 : 0;
  return { relation: HOURS[hour.value % 12] ?? "front", end: end + 1 + more };
}
