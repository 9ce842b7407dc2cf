import { withClockTimes } from "./clock-words.ts";

/** Longest question that is analysed word by word; the rest of a longer one is left out of the analysis. */
const MOST_CHARS = 2_000;

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(what|where|who|when|how|there|here|that)['’]?s\b(?= )/g, "$1 is"],
  [/\b(it|he|she)['’]s\b(?= )/g, "$1 is"],
  [/\btheres\b/g, "there is"],
  [/\bwhats\b/g, "what is"],
  [/\bwheres\b/g, "where is"],
  [/\b(i|you|we|they)['’]d\b/g, "$1 would"],
  [/\b(i|you|we|they)['’]ve\b/g, "$1 have"],
  [/\b(you|we|they)['’]re\b/g, "$1 are"],
  [/\bi['’]m\b/g, "i am"],
  [/\b(i|you|we|they|it|what|where|who|that|there)['’]ll\b/g, "$1 will"],
  [/\b(what|where|who|how|that|there)['’]d\b/g, "$1 did"],
  [/\b(what|where|who|how|when)['’]re\b/g, "$1 are"],
  [/\bcan['’]?t\b/g, "can not"],
  [/\bwon['’]t\b/g, "will not"],
  [/\b(is|are|was|were|do|does|did|have|has|had|could|would|should)n['’]t\b/g, "$1 not"],
];
/** How people speak, written out. */
const SPOKEN: readonly (readonly [RegExp, string])[] = [
  [/\bwanna\b/g, "want to"],
  [/\bgonna\b/g, "going to"],
  [/\b(?:gotta|hafta)\b/g, "have to"],
  [/\b(kind|sort)a\b/g, "$1 of"],
  [/\blemme\b/g, "let me"],
  [/\bgimme\b/g, "give me"],
  [/\bdunno\b/g, "do not know"],
  [/(?<=\s)['’]em\b/g, "them"],
  [/\bd['’]you\b/g, "do you"],
  [/\bya\b/g, "you"],
  [/\b(?:this|that) lot\b/g, "these"],
  [/\b(?:bits and (?:bobs|pieces)|odds and ends|knick-?knacks)\b/g, "things"],
  [
    /(?<=\b(?:what|where|who|how|when|which))(?:ever)? (?:on earth|in the world|the (?:heck|hell|devil|dickens|blazes))(?=\b)/g,
    "",
  ],
  [/\b(what|where|who|how|there)['’]ve\b/g, "$1 have"],
  [
    /\b(someone|somebody|anyone|anybody|everyone|everybody|nobody)['’]s (?=been|got|had|taken|moved)/g,
    "$1 has ",
  ],
  // "which room's got more", "how tall's the desk"
  [/\b((?:what|which|how)(?: [a-z]+){1,3}?)['’]s (?=(?:got|had|been)\b)/g, "$1 has "],
  [
    /\b((?:what|which|how)(?: [a-z]+){1,3}?|where)['’]s (?=(?:the|an?|it|this|that|these|those|my|your|our|in|on|at|next|closest|nearest|biggest|largest)\b)/g,
    "$1 is ",
  ],
];
const SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\bcolor(s|ed)?\b/g, "colour$1"],
  [/\b(?:coloured|colored)(?= )/g, ""],
  [/\bdinning\b/g, "dining"],
  [/\bfridge\b/g, "fridge"],
  [/\btele ?vision\b/g, "television"],
  [/\bmeters?\b/g, "metres"],
  [/\bcent(?:er|re)\b/g, "centre"],
  [/\bbath ?room\b/g, "bathroom"],
  [/\bbed ?room(s?)\b/g, "bedroom$1"],
  [/\b(?:piece|item|bit)s? of furniture\b/g, "furniture"],
  [/\b(?:kids?|child|children)['’]?s?['’]? (?:bed)?room\b/g, "children's room"],
  [/\b(left|right)(?:wards?|-hand)\b/g, "$1"],
  // Wherever one is told to look, the whole house is meant.
  [
    /\b(?:(?:anywhere |somewhere )?(?:under (?:this|our|my|your|the) roof|(?:around|round|across|throughout|in|within) (?:the|this) (?:whole |entire )?(?:place|premises|dwelling|residence|property)|on the premises|within these (?:four )?walls))/g,
    "in the house",
  ],
  [/\b(?:anywhere|somewhere) (?=in (?:the|this) house\b)/g, ""],
];

/** "of what is the vase made": the preposition goes back to its verb. */
const FRONTED: readonly (readonly [RegExp, string])[] = [
  [
    /\b(?:of|from|out of|with|by) (what(?: materials?| stuff| substances?)?|which materials?) (is|are|was|were) (.+?) (made|built|constructed|fashioned|crafted|manufactured|composed|fabricated|produced)(?: up)?\b(?! of)/g,
    "$1 $2 $3 $4 of",
  ],
  [
    /\b(?:of|from|out of|with) (what(?: materials?| stuff| substances?)?|which materials?) (?!is|are|was|were)(.+?) (is|are|was|were) (made|built|constructed|fashioned|crafted|manufactured|composed|fabricated|produced)(?: up)?\b(?! of)/g,
    "$1 $2 $3 $4 of",
  ],
];

/** Lower-case, one space, plain quotes, contractions written out, one spelling. */
export function normalise(question: string): string {
  let text = question.slice(0, MOST_CHARS).normalize("NFKC").toLowerCase();
  text = text
    .replace(/[“”„«»]/g, '"')
    .replace(/[’‘`´]/g, "'")
    .replace(/\s+[–—-]+\s+/g, ", ")
    .replace(/\s+/g, " ")
    .trim();
  for (const [pattern, replacement] of [...SPOKEN, ...CONTRACTIONS, ...SPELLINGS, ...FRONTED])
    text = text.replace(pattern, replacement);
  return withClockTimes(text)
    .replace(/\s*\?+\s*$/, "")
    .replace(/[.!\s]+$/, "")
    .trim();
}

const LEAD_INS = [
  /^(?:hey|hi|hello|ok|okay|so|well|now|and|also|um|please|excuse me|loci|robot)[\s,]+/,
  /^(?:do|can|could|would|will) you (?:please |kindly |maybe |possibly )?(?:tell|remind|show|say|explain|let|inform|help)(?: to)?(?: me| us)?(?: know| see| find out| out)?(?: about)?\s+(?=(?:where|what|when|which|who|how|whether|if|why)\b)/,
  /^(?:do|would|might|did) you (?:happen to )?(?:know|remember|recall|see|notice)\s+(?=(?:where|what|when|which|who|how|whether|if)\b)/,
  /^(?:please )?(?:tell|remind|show) (?:me|us)(?: again)?\s+(?=(?:where|what|when|which|who|how|whether|if)\b)/,
  /^i (?:would like|want|need|would love|am trying|wish) to (?:know|find out|understand|learn|see)\s+(?=(?:where|what|when|which|who|how|whether|if)\b)/,
  /^i (?:wonder|was wondering|am wondering|forgot|forget|do not (?:know|remember))\s+(?=(?:where|what|when|which|who|how|whether|if)\b)/,
  /^(?:any idea|any clue|no idea|remember)\s+(?=(?:where|what|when|which|who|how|whether|if)\b)/,
  /^(?:do|can|could|would|will) you (?:please |kindly )?(?:check|confirm|verify|establish|determine|find out|work out|look|say)(?: for me)?\s+(?=(?:if|whether|that)\b)/,
  /^(?:in|according to|based on|from|for|going by|judging by) (?:this|the|your|these|my|our) (?:video|recording|images?|scene|memory|frames?|observations?|records?|notes|opinion|view|estimation|judge?ment|knowledge|information|purposes? of this survey)[\s,]+/,
  /^(?:(?:i|we) would (?:be (?:most |very )?(?:grateful|glad|happy|thankful|obliged)|appreciate it) if you (?:could|would|can)|(?:would|could) you be so (?:kind|good) as to|(?:may|might|can|could) i (?:ask|trouble|request|beg) you to|(?:might|would|could) you be able to|(?:it would be|it is) (?:helpful|useful|good|nice|interesting|important|of interest)(?: for me| to me)? to)\s+/,
  /^(?:(?:can|could|would|will|might|may) you )?(?:please |kindly )?(?:tell|inform|indicate|specify|state|report|establish|determine|ascertain|clarify|say|show|know|let)(?: to)?(?: me| us)?(?: know)?(?: of| as to| about)?\s+(?=(?:where|what|when|which|who|how|whether|if|why|both where)\b)/,
  /^(?:can|could|would|will) you (?:please |kindly )?(?=(?:find|locate|go|navigate|take|bring|guide|lead|show|get|fetch|look for|search for|head|drive|point|walk|describe|summari[sz]e|list|name|count)\b)/,
  /^(?:please|kindly)\s+/,
  /^(?:true or false|yes or no)[\s,:.;]+/,
];
const SMALL_TALK =
  /^(?:any (?:advice|ideas?|suggestions?|tips?|thoughts)|(?:please )?help(?: me)?|thanks?(?: you)?|what do you (?:suggest|think|recommend)|please)$/;

const TAG =
  /[\s,.;:]+(?:(?<=, )(?:right|correct|true|no)|am i (?:right|correct)|is that (?:right|correct|so|true)|(?:is|are|was|were|does|did|has|have) (?:not )?(?:it|they|there|he|she|you)(?: not)?)$/;
const STARTS_ASKING =
  /^(?:what|where|when|which|who|whose|how|why|is|are|was|were|do|does|did|can|could|will|would|should|have|has|had)\b/;

/** Without greetings and "could you tell me"; says whether the rest is in the order of a statement. */
export function withoutLeadIn(text: string): { text: string; indirect: boolean } {
  let at = text;
  let indirect = false;
  for (let again = true; again; ) {
    again = false;
    for (const pattern of LEAD_INS) {
      const match = pattern.exec(at);
      if (!match || match[0].length === at.length) continue;
      indirect ||=
        /know|tell|remind|wonder|idea|clue|forgot|remember|show|out|see|notice|check|confirm|verify|establish|determine|look|say|true|yes/.test(
          match[0],
        );
      at = at.slice(match[0].length);
      again = true;
    }
  }
  // "the door is open, right": a statement that asks.
  const untagged = STARTS_ASKING.test(at) ? at : at.replace(TAG, "");
  indirect ||= untagged !== at;
  at = untagged;
  return {
    text: at.replace(/^(?:whether|if|that(?= (?:the|a|an|any|my|your)\b))\s+/, ""),
    indirect: indirect || /^(?:whether|if)\s/.test(at),
  };
}

/**
 * Questions that ask for several things: "how tall was the bus, and when did I see it?" Each part that starts with a
 * question word of its own is one; a sentence before the question is its context.
 */
export function partsOf(text: string): { context: string; parts: string[] } {
  const sentences = text
    .split(/(?<=[a-z0-9)"])[.?!;]\s+|\?\s*/)
    .map((part) => part.trim())
    .filter((part) => part !== "" && !SMALL_TALK.test(part));
  const isQuestion = (part: string) =>
    /^(?:(?:so|and|also|but|now|then|if so|in|on|at|to|from|for|by)[\s,]+)*(?:what|where|when|which|who|whose|how|why|is|are|was|were|do|does|did|can|could|will|would|should|have|has|had|describe|find|tell|show|take|go|count|name|list|point|bring|navigate|locate)\b/.test(
      part,
    );
  const asked: string[] = [];
  const context: string[] = [];
  for (const sentence of sentences) {
    const pieces = sentence.split(
      /,?\s+(?:and|,)\s+(?=(?:when|where|what|how|which|who|is it|are they|was it|did|in which|on which)\b)|,\s+(?:so )?(?=(?:where|what|how|in which|which|on which|who)\b)/,
    );
    for (const [n, piece] of pieces.entries()) {
      const tells =
        /^(?:when|if|after|before|once|while)\b(?! (?:is|are|was|were|did|do|does|have|has|had|will|can))/.test(
          piece,
        );
      if (tells && (pieces.length > 1 || sentences.length > 1) && n === 0 && sentence !== sentences.at(-1))
        context.push(piece.trim());
      else if (tells && n === 0 && pieces.length > 1) context.push(piece.trim());
      else if (isQuestion(piece) || (n > 0 && asked.length > 0)) asked.push(piece.trim());
      else context.push(piece.trim());
    }
  }
  if (asked.length === 0) return { context: "", parts: [text] };
  return {
    context: context.join(". "),
    parts: asked.filter(
      (part) => !/^(?:if so )?(?:what|where|which)(?: is (?:it|that))?$/.test(part) || asked.length === 1,
    ),
  };
}
