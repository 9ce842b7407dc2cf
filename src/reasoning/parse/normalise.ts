/** Longest question that is analysed word by word; the rest of a longer one is left out of the analysis. */
const MOST_CHARS = 2_000;

const CONTRACTIONS: readonly (readonly [RegExp, string])[] = [
  [/\b(what|where|who|when|how|there|here|that|it|he|she)['’]?s\b(?= )/g, "$1 is"],
  [/\btheres\b/g, "there is"],
  [/\bwhats\b/g, "what is"],
  [/\bwheres\b/g, "where is"],
  [/\b(i|you|we|they)['’]d\b/g, "$1 would"],
  [/\b(i|you|we|they)['’]ve\b/g, "$1 have"],
  [/\b(you|we|they)['’]re\b/g, "$1 are"],
  [/\bi['’]m\b/g, "i am"],
  [/\b(i|you|we|they|it)['’]ll\b/g, "$1 will"],
  [/\bcan['’]?t\b/g, "can not"],
  [/\bwon['’]t\b/g, "will not"],
  [/\b(is|are|was|were|do|does|did|have|has|had|could|would|should)n['’]t\b/g, "$1 not"],
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
  [/\b(?:kids?|child)['’]?s? (?:bed)?room\b/g, "children's room"],
];

/** Lower-case, one space, plain quotes, contractions written out, one spelling. */
export function normalise(question: string): string {
  let text = question.slice(0, MOST_CHARS).normalize("NFKC").toLowerCase();
  text = text
    .replace(/[“”„«»]/g, '"')
    .replace(/[’‘`´]/g, "'")
    .replace(/\s+/g, " ")
    .trim();
  for (const [pattern, replacement] of [...CONTRACTIONS, ...SPELLINGS])
    text = text.replace(pattern, replacement);
  return text
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
  /^(?:in|according to|based on|from) (?:this|the|your|these) (?:video|recording|images?|scene|memory|frames?|observations?)[\s,]+/,
  /^(?:can|could|would|will) you (?:please |kindly )?(?=(?:find|locate|go|navigate|take|bring|guide|lead|show|get|fetch|look for|search for|head|drive|point|walk|describe|summari[sz]e|list|name|count)\b)/,
  /^(?:please|kindly)\s+/,
];
const SMALL_TALK =
  /^(?:any (?:advice|ideas?|suggestions?|tips?|thoughts)|(?:please )?help(?: me)?|thanks?(?: you)?|what do you (?:suggest|think|recommend)|please)$/;

/** Without greetings and "could you tell me"; says whether the rest is in the order of a statement. */
export function withoutLeadIn(text: string): { text: string; indirect: boolean } {
  let at = text;
  let indirect = false;
  for (let again = true; again; ) {
    again = false;
    for (const pattern of LEAD_INS) {
      const match = pattern.exec(at);
      if (!match || match[0].length === at.length) continue;
      indirect ||= /know|tell|remind|wonder|idea|clue|forgot|remember|show|out|see|notice/.test(match[0]);
      at = at.slice(match[0].length);
      again = true;
    }
  }
  return { text: at.replace(/^(?:whether|if)\s+/, ""), indirect: indirect || /^(?:whether|if)\s/.test(at) };
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
